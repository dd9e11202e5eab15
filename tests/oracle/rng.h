// SPDX-License-Identifier: Apache-2.0
// Random numbers for tests, the same on every compiler and machine (the std distributions are not):
// splitmix64 by Sebastiano Vigna, with seeds made of names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace fractalray::oracle {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}
  // Seeds by a name: FNV-1a.
  explicit Rng(std::string_view name) : state_(0xcbf29ce484222325U) {
    for (const char c : name)
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }

  // Returns the whole state: Rng(seed()) continues as this one does.
  std::uint64_t seed() const { return state_; }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  // Returns a number from min to max, inclusive. Requires: min <= max and max - min below 2^63.
  std::int64_t in(std::int64_t min, std::int64_t max) {
    const std::uint64_t count =
        static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(min) + next() % count);
  }
  int below(int count) { return static_cast<int>(in(0, count - 1)); }
  // Returns true once in `n` times.
  bool oneIn(int n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace fractalray::oracle
