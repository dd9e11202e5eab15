// SPDX-License-Identifier: Apache-2.0
// Random arguments for the C interface: mostly plausible ones, and now and then all that is wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/rng.h"

namespace fractalray::testing {

// A count past the end of every array.
inline constexpr std::size_t kNoCount = std::numeric_limits<std::size_t>::max();

class FuzzValues {
 public:
  explicit FuzzValues(std::uint64_t seed) : rng(seed), memory_(kMemory) {
    for (std::uint8_t& byte : memory_)
      byte = static_cast<std::uint8_t>(rng.oneIn(500) ? rng.below(256) : rng.below(3));
  }

  // Returns true for an argument that is to be wrong.
  bool wrong() { return rng.oneIn(60); }

  std::int64_t coordinate() {
    if (wrong()) {
      return rng.pick({std::numeric_limits<std::int64_t>::min(),
                       std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 61,
                       -(std::int64_t{1} << 45), std::int64_t{1} << 62});
    }
    return rng.in(-18, 18);
  }
  double number() {
    if (wrong()) {
      return rng.pick({std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity(), -1e300, 1e15, -0.0, 5e-324});
    }
    return static_cast<double>(rng.in(-160, 160)) / 8;
  }
  // Returns an index, a point or the like; null if it is to be wrong.
  const std::int64_t* index() {
    for (std::int64_t& each : indices_[++next_ % 4])
      each = coordinate();
    return wrong() ? nullptr : indices_[next_ % 4].data();
  }
  const std::int64_t* chunk() {
    for (std::int64_t& each : indices_[++next_ % 4])
      each = wrong() ? coordinate() : rng.in(-1, 0);
    return wrong() ? nullptr : indices_[next_ % 4].data();
  }
  const double* point() {
    for (double& each : points_[++next_ % 4])
      each = number();
    return wrong() ? nullptr : points_[next_ % 4].data();
  }
  // Returns a number of a small enumeration.
  std::int32_t choice(int count) { return wrong() ? rng.below(1000) - 500 : rng.below(count); }
  frBlockType type() { return static_cast<frBlockType>(wrong() ? rng.below(65536) : rng.below(3)); }
  std::int32_t level() { return choice(3); }
  frLevelMask levels() {
    return wrong() ? static_cast<frLevelMask>(rng.next()) : rng.pick({FR_ALL_LEVELS, 1U, 2U, 7U});
  }
  std::size_t count(int most) { return static_cast<std::size_t>(rng.below(most + 1)); }
  std::uint8_t flag() { return rng.oneIn(6) ? 1 : 0; }

  // Returns a struct of zeros with its size, or a wrong one.
  template <class T>
  T sized() {
    T made{};
    made.struct_size = static_cast<std::uint32_t>(wrong() ? rng.below(2000) : int{sizeof(T)});
    return made;
  }
  // Returns a pointer to a value; null if it is to be wrong.
  template <class T>
  T* to(T& value) {
    return wrong() ? nullptr : &value;
  }

  // Returns an address in the middle of a megabyte of ids, which strides up to kMaxStride from a
  // chunk of up to 32 blocks do not leave.
  void* ids() { return memory_.data() + kMemory / 2 + rng.below(4); }
  static constexpr std::int64_t kMaxStride = 4096;
  std::int64_t stride() {
    return wrong() ? (std::int64_t{1} << 50) : rng.in(-kMaxStride, kMaxStride);
  }
  void writeIds() {
    memory_[static_cast<std::size_t>(rng.below(static_cast<int>(kMemory)))] =
        static_cast<std::uint8_t>(rng.below(4));
  }

  frLine line() {
    frLine made{};
    if (rng.oneIn(3)) {
      static_cast<void>(frMakeRay(point(), point(), number(), nullptr, to(made)));
    } else {
      static_cast<void>(frMakeSegment(point(), point(), to(made)));
    }
    if (!wrong()) return made;
    made.end_time = rng.in(-1, std::int64_t{1} << 60);
    made.begin_plane = coordinate();
    made.begin_axes = static_cast<std::uint8_t>(rng.below(256));
    made.from[0] = coordinate();
    return made;
  }
  // Changes some bytes of a hit.
  template <class AnyHit>
  void damage(AnyHit& hit) {
    std::array<unsigned char, sizeof(AnyHit)> bytes;
    std::memcpy(bytes.data(), &hit, sizeof hit);
    for (int i = rng.below(4); i >= 0; --i)
      bytes[static_cast<std::size_t>(rng.below(sizeof hit))] =
          static_cast<unsigned char>(rng.below(256));
    std::memcpy(&hit, bytes.data(), sizeof hit);
  }

  oracle::Rng rng;

 private:
  static constexpr std::size_t kMemory = 1 << 20;

  std::vector<std::uint8_t> memory_;
  std::array<std::array<std::int64_t, 3>, 4> indices_{};
  std::array<std::array<double, 3>, 4> points_{};
  std::size_t next_ = 0;
};

}  // namespace fractalray::testing
