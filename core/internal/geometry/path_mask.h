// SPDX-License-Identifier: Apache-2.0
// Path masks: the parts of a cube, 4 x 4 x 4 of them, that a line touches, as the 64 bits of one
// word. An AND with a word of the parts that hold anything leaves the parts to visit; nothing is
// stepped through.
//
// The line is mirrored so that it runs towards + on each axis. Then, seen along one axis, the part
// (a, b) of the plane of the other two, i and j, is touched iff its upper left corner is not right
// of the line and its lower right corner is not left of it. With the cube's corner n units ahead of
// the start, F = n_j d_i - n_i d_j, parts c units wide, and K(a, b) = a d_j - b d_i, that is
//   K(a, b + 1) <= F / c <= K(a + 1, b).
// A part is touched iff it is in all three planes: intervals that overlap pairwise overlap
// together. K does not depend on the cube, so it is worked out once a line, in 16 lanes of 16 bits
// a plane.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "absl/numeric/int128.h"

#include "../../arithmetic/fraction.h"
#include "../../segment.h"
#include "../../vec.h"
#include "line.h"

namespace fractalray::internal {

// Sixteen 16-bit numbers, in the vector registers of the machine.
struct Lanes {
  using Half = std::uint16_t __attribute__((vector_size(16)));

  Half low;
  Half high;

  static Half all(std::int64_t value) {
    const auto v = static_cast<std::uint16_t>(value);
    return Half{v, v, v, v, v, v, v, v};
  }
};

// Finds the lanes l with floor.l <= value <= floor.l + width, for |value| < 2^15: as a mask, and
// with four bits a lane. All lanes of `width` are the same. value - floor.l and width are taken
// modulo 2^16: right for |floor.l| <= 2^14 and width < 2^14.
struct PortableLanes {
  static std::uint64_t inside(const Lanes& floor, const Lanes::Half& width, std::int64_t value) {
    const Lanes::Half v = Lanes::all(value);
    const Lanes::Half low = v - floor.low;
    const Lanes::Half high = v - floor.high;
    std::uint64_t mask = 0;
    for (int lane = 0; lane < 8; ++lane) {
      mask |= (low[lane] <= width[lane] ? std::uint64_t{1} : 0) << lane;
      mask |= (high[lane] <= width[lane] ? std::uint64_t{1} : 0) << (lane + 8);
    }
    return mask;
  }
  static std::uint64_t insideByFours(const Lanes& floor, const Lanes::Half& width,
                                     std::int64_t value) {
    const std::uint64_t mask = inside(floor, width, value);
    std::uint64_t fours = 0;
    for (int lane = 0; lane < 16; ++lane) {
      if (((mask >> lane) & 1) != 0) fours |= std::uint64_t{0xf} << (4 * lane);
    }
    return fours;
  }
};

#if defined(__SSE2__)
struct Sse2Lanes {
  static std::uint64_t inside(const Lanes& floor, const Lanes::Half& width, std::int64_t value) {
    return static_cast<std::uint64_t>(_mm_movemask_epi8(bytes(floor, width, value)));
  }
  static std::uint64_t insideByFours(const Lanes& floor, const Lanes::Half& width,
                                     std::int64_t value) {
    // The upper half of each even byte and the lower half of the odd one after it make one byte.
    const __m128i halves = _mm_and_si128(bytes(floor, width, value), _mm_set1_epi16(0x0ff0));
    const __m128i pairs = _mm_srli_epi16(halves, 4);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)));
  }

 private:
  // Returns a byte of ones for each lane inside: those for which value - floor, less the width,
  // saturates to 0.
  static __m128i bytes(const Lanes& floor, const Lanes::Half& width, std::int64_t value) {
    const Lanes::Half v = Lanes::all(value);
    const auto w = reinterpret_cast<__m128i>(width);
    const __m128i low = _mm_subs_epu16(reinterpret_cast<__m128i>(v - floor.low), w);
    const __m128i high = _mm_subs_epu16(reinterpret_cast<__m128i>(v - floor.high), w);
    return _mm_cmpeq_epi8(_mm_packs_epi16(low, high), _mm_setzero_si128());
  }
};
using MachineLanes = Sse2Lanes;
#else
using MachineLanes = PortableLanes;
#endif

// A line, mirrored so that it runs towards + on each axis, and its path masks. Cells mirror to
// cells: index k on a mirrored axis becomes ~k, and the slot s (x + 4 y + 16 z) of one of 64 parts
// becomes s ^ flip().
class PathMask {
 public:
  explicit PathMask(const FixedSegment& segment);

  // Returns the start and the end mirrored, and the length on each axis, in units.
  const Vec3i& start() const { return start_; }
  Vec3i end() const { return start_ + length_; }
  const Vec3i& length() const { return length_; }
  // The first and the last cell of width 2^shift units of the walk, mirrored: those that floor()
  // names for the start and the end; of a reflected line from Line::firstCell() on.
  Vec3i firstCell(int shift) const {
    return isReflected() ? firstCellOfReflected(shift) : cellOf(segment_.from, shift);
  }
  Vec3i lastCell(int shift) const {
    return isReflected() ? lastCellOfReflected(shift) : cellOf(segment_.to, shift);
  }
  // When the line begins: at 0, or later if it is reflected.
  Fraction begin() const { return isReflected() ? beginTime(segment_) : Fraction::zero(); }

  unsigned flip() const { return flip_; }
  bool isMirrored(int axis) const { return ((flip_ >> (2 * axis)) & 1U) != 0; }
  // Mirrors a cell, or mirrors it back.
  Vec3i mirrored(const Vec3i& cell) const {
    return {cell[0] ^ sign_[0], cell[1] ^ sign_[1], cell[2] ^ sign_[2]};
  }
  // Mirrors a mask by slots, or mirrors it back. The slots of the parts along the line ascend in a
  // mirrored mask.
  std::uint64_t mirrored(std::uint64_t slots) const {
    if (isMirrored(0)) {
      slots = swapped(slots, 1, 0x5555555555555555U);
      slots = swapped(slots, 2, 0x3333333333333333U);
    }
    if (isMirrored(1)) {
      slots = swapped(slots, 4, 0x0f0f0f0f0f0f0f0fU);
      slots = swapped(slots, 8, 0x00ff00ff00ff00ffU);
    }
    if (isMirrored(2)) slots = std::rotl(swapped(slots, 16, 0x0000ffff0000ffffU), 32);
    return slots;
  }

  // Returns true if 64 bits hold all that touched<std::int64_t> computes, for cubes 2^shift units
  // wide.
  bool fits64(int shift) const { return shift + length_bits_ + 1 < 63; }

  // Returns true if 64 bits hold the product of a length and of units from the start to any plane
  // of a cell of width 2^shift that the line visits.
  bool productsFit64(int shift) const {
    return length_bits_ + std::max(length_bits_, shift) + 1 < 63;
  }

  // Returns the parts, 2^part_shift units wide, that the line (extended beyond its ends) touches in
  // the cube whose mirrored corner is `corner` units ahead of the start; not mirrored. Never omits
  // a part that the line touches; may include a few that it misses by less than 1 / 30 of their
  // width (or more, if the line is shorter than 2^11 units on every axis). Requires: the line
  // touches the cube, or the cube is a part that touched() gave. Product: std::int64_t if
  // fits64(part_shift + 2), absl::int128 always.
  template <class Product>
  std::uint64_t touched(const Vec3i& corner, int part_shift) const {
    const int shift = part_shift + scale_shift_;
    const auto f = [&](int i, int j) {
      return scaled<Product>(corner[i], corner[j], length_[i], length_[j], shift);
    };
    const std::uint64_t xy = MachineLanes::inside(floor_[0], width_[0], f(0, 1));
    std::uint64_t xz = MachineLanes::inside(floor_[1], width_[1], f(0, 2));
    const std::uint64_t yz = MachineLanes::insideByFours(floor_[2], width_[2], f(1, 2));
    // Moves nibble z to bits 16 z.
    xz = (xz | (xz << 24)) & 0x000000ff000000ffU;
    xz = (xz | (xz << 12)) & 0x000f000f000f000fU;
    return (xy * 0x0001000100010001U) & (xz * 0x1111U) & yz;
  }

 private:
  // Swaps the bits in `lower` with those `distance` bits above them.
  static constexpr std::uint64_t swapped(std::uint64_t bits, int distance, std::uint64_t lower) {
    return ((bits >> distance) & lower) | ((bits & lower) << distance);
  }

  bool isReflected() const { return segment_.begin.axes != 0; }
  Vec3i firstCellOfReflected(int shift) const;
  Vec3i lastCellOfReflected(int shift) const;

  // F / c for an axis pair.
  template <class Product>
  static std::int64_t scaled(std::int64_t n_i, std::int64_t n_j, std::int64_t d_i, std::int64_t d_j,
                             int shift);

  Vec3i cellOf(const Vec3i& point, int shift) const {
    return mirrored(Vec3i{point[0] >> shift, point[1] >> shift, point[2] >> shift});
  }

  FixedSegment segment_;
  Vec3i start_;
  Vec3i length_;
  Vec3i sign_;  // -1 on a mirrored axis, else 0
  unsigned flip_ = 0;
  int length_bits_ = 0;
  int scale_shift_ = 0;  // K and F / c are kept divided by 2^this, to fit 16 bits
  // For the planes xy, xz and yz: lane a + 4 b is the part (a, b), not mirrored.
  std::array<Lanes, 3> floor_;        // no part's K(a, b + 1) is less
  std::array<Lanes::Half, 3> width_;  // no part's K(a + 1, b) is more than this above its floor
};

template <>
inline std::int64_t PathMask::scaled<std::int64_t>(std::int64_t n_i, std::int64_t n_j,
                                                   std::int64_t d_i, std::int64_t d_j, int shift) {
  // The products may overflow where their difference does not: it is right modulo 2^64.
  const std::uint64_t f = static_cast<std::uint64_t>(n_j) * static_cast<std::uint64_t>(d_i) -
                          static_cast<std::uint64_t>(n_i) * static_cast<std::uint64_t>(d_j);
  return static_cast<std::int64_t>(f) >> shift;
}

template <>
inline std::int64_t PathMask::scaled<absl::int128>(std::int64_t n_i, std::int64_t n_j,
                                                   std::int64_t d_i, std::int64_t d_j, int shift) {
  const absl::int128 f = absl::int128(n_j) * d_i - absl::int128(n_i) * d_j;
  return static_cast<std::int64_t>(f >> shift);
}

}  // namespace fractalray::internal
