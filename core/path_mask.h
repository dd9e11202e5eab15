// SPDX-License-Identifier: Apache-2.0
// Path masks: which of the 4 x 4 x 4 parts of a cube a line touches, as the 64 bits of one word. An
// AND with a word that tells which of the parts hold anything leaves what is worth a look; nothing
// is stepped through.
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

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "absl/numeric/int128.h"
#include "fractalray/core/segment.h"
#include "fractalray/core/vec.h"

namespace fractalray::internal {

// Sixteen 16-bit numbers, in the vector registers of the machine.
struct Lanes {
  using Half = std::int16_t __attribute__((vector_size(16)));

  Half low{};
  Half high{};

  static Lanes all(int value) {
    const auto v = static_cast<std::int16_t>(value);
    const Half half = {v, v, v, v, v, v, v, v};
    return {half, half};
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return {a.low - b.low, a.high - b.high};
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return {a.low * b.low, a.high * b.high};
  }
};

// Bit l is set iff floor.l <= value <= ceiling.l, for |value| < 2^15. The second one is for
// machines without SSE2, and for tests.
#if defined(__SSE2__)
inline std::uint64_t lanesAround(const Lanes& floor, const Lanes& ceiling, std::int64_t value) {
  const Lanes v = Lanes::all(static_cast<int>(value));
  const auto low = reinterpret_cast<__m128i>((floor.low > v.low) | (v.low > ceiling.low));
  const auto high = reinterpret_cast<__m128i>((floor.high > v.high) | (v.high > ceiling.high));
  return static_cast<std::uint64_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)) ^ 0xffff);
}
#endif
inline std::uint64_t lanesAroundPortable(const Lanes& floor, const Lanes& ceiling,
                                         std::int64_t value) {
  std::uint64_t mask = 0;
  for (int lane = 0; lane < 8; ++lane) {
    const bool low = floor.low[lane] <= value && value <= ceiling.low[lane];
    const bool high = floor.high[lane] <= value && value <= ceiling.high[lane];
    mask |= (static_cast<std::uint64_t>(low) << lane) |
            (static_cast<std::uint64_t>(high) << (lane + 8));
  }
  return mask;
}
#if !defined(__SSE2__)
inline std::uint64_t lanesAround(const Lanes& floor, const Lanes& ceiling, std::int64_t value) {
  return lanesAroundPortable(floor, ceiling, value);
}
#endif

// A line, mirrored so that it runs towards + on each axis, and its path masks. Cells mirror to
// cells: index k on a mirrored axis becomes ~k, and the slot s (x + 4 y + 16 z) of one of 64 parts
// becomes s ^ flip().
class PathMask {
 public:
  explicit PathMask(const UnitSegment& segment);

  // The start and the end mirrored, and the length on each axis, in units.
  const Vec3i& start() const { return start_; }
  const Vec3i& end() const { return end_; }
  const Vec3i& length() const { return length_; }

  unsigned flip() const { return flip_; }
  bool isMirrored(int axis) const { return ((flip_ >> (2 * axis)) & 1U) != 0; }
  // Of a cell, mirrored or back.
  Vec3i mirrored(const Vec3i& cell) const {
    return {cell[0] ^ sign_[0], cell[1] ^ sign_[1], cell[2] ^ sign_[2]};
  }
  // Of a mask by slots, mirrored or back. The slots of the parts along the line ascend in a
  // mirrored mask.
  std::uint64_t mirrored(std::uint64_t slots) const;

  // Whether 64 bits hold what touched<std::int64_t> computes, for cubes 2^shift units wide.
  bool fits64(int shift) const { return shift + length_bits_ + 1 < 63; }

  // The parts, 2^part_shift units wide, that the line (which goes on beyond its ends) touches of
  // the cube whose mirrored corner is `corner` units ahead of the start; not mirrored. A few that
  // it misses by less than 1 / 250 of their width may be among them; none that it touches is left
  // out. Requires: the line touches the cube, or the cube is a part that touched() gave. Product:
  // std::int64_t where fits64(part_shift + 2), absl::int128 always.
  template <class Product>
  std::uint64_t touched(const Vec3i& corner, int part_shift) const {
    const int shift = part_shift + scale_shift_;
    const std::uint64_t xy = aroundPlane<Product>(0, corner[0], corner[1], 0, 1, shift);
    const std::uint64_t xz = spread(aroundPlane<Product>(1, corner[0], corner[2], 0, 2, shift));
    std::uint64_t yz = spread(aroundPlane<Product>(2, corner[1], corner[2], 1, 2, shift));
    yz = (yz | (yz << 6)) & 0x0303030303030303U;
    yz = (yz | (yz << 3)) & 0x1111111111111111U;
    return (xy * 0x0001000100010001U) & (xz * 0x1111U) & (yz * 0xfU);
  }

 private:
  // The three planes are xy, xz and yz; lane a + 4 b is the part (a, b) of one, not mirrored.
  template <class Product>
  std::uint64_t aroundPlane(std::size_t plane, std::int64_t n_i, std::int64_t n_j, int i, int j,
                            int shift) const {
    return lanesAround(floor_[plane], ceiling_[plane],
                       scaled<Product>(n_i, n_j, length_[i], length_[j], shift));
  }
  template <class Product>
  static std::int64_t scaled(std::int64_t n_i, std::int64_t n_j, std::int64_t d_i, std::int64_t d_j,
                             int shift);

  // Nibble z of 16 bits to bits 16 z.
  static std::uint64_t spread(std::uint64_t nibbles) {
    nibbles = (nibbles | (nibbles << 24)) & 0x000000ff000000ffU;
    return (nibbles | (nibbles << 12)) & 0x000f000f000f000fU;
  }

  Vec3i start_;
  Vec3i end_;
  Vec3i length_;
  Vec3i sign_;  // -1 on a mirrored axis, else 0
  unsigned flip_ = 0;
  int length_bits_ = 0;
  int scale_shift_ = 0;           // K and F / c are kept divided by 2^this, to fit 16 bits
  std::array<Lanes, 3> floor_;    // no part's K(a, b + 1) is less
  std::array<Lanes, 3> ceiling_;  // no part's K(a + 1, b) is more
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
