// SPDX-License-Identifier: Apache-2.0
// Computes 20,000 answers of the library to questions that never change, as one hash a subject.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "../../query/query_options.h"
#include "../../query/shot_result.h"

namespace fractalray::golden {

// FNV-1a over 64-bit words.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((word >> (8 * byte)) & 0xff)) * 0x100000001b3U;
    }
  }
  void add(std::int64_t word) { add(static_cast<std::uint64_t>(word)); }
  void add(int word) { add(static_cast<std::int64_t>(word)); }
  void add(bool value) { add(std::uint64_t{value}); }
  // Adds its bits: the last one counts.
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  template <class T, int N, class Tag>
  void add(const Vec<T, N, Tag>& vector) {
    for (const T& value : vector.values)
      add(value);
  }

  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325U;
};

// Answers 4,000 walks in 2 and 3 dimensions, 4,000 shots at 40 worlds, and the chunks of 2,000
// entities.
std::uint64_t hashOfWalks();
std::uint64_t hashOfShots(SearchPass pass);
std::uint64_t hashOfEntityChunks();

// Converts 4,000 rays and segments in doubles, and answers 2,000 shots, 2,000 questions of sight
// and 20 blasts in worlds of blocks that do not fill their cubes.
std::uint64_t hashOfLines();
std::uint64_t hashOfShapes();
std::uint64_t hashOfSight();
std::uint64_t hashOfBlasts();

// Returns all of them as the text of golden.txt.
std::string answersAsText();

void addResult(Hash& hash, const ShotResult& shot);

}  // namespace fractalray::golden
