// SPDX-License-Identifier: Apache-2.0
// The arithmetic of path masks (path_mask.h) for 64 parts at once, in vector registers: on any
// machine with 16 bytes a register. path_lanes_x86.h has the same for newer instruction sets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../../vec.h"
#include "../instruction_sets.h"

#if defined(FRACTALRAY_SSE2)
#include <emmintrin.h>
#elif defined(FRACTALRAY_NEON)
#include <arm_neon.h>
#endif

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
// modulo 2^16: right for -2^15 <= floor.l <= 2^14 and width < 2^14.
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

#if defined(FRACTALRAY_SSE2)
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
#elif defined(FRACTALRAY_NEON)
struct NeonLanes {
  static std::uint64_t inside(const Lanes& floor, const Lanes::Half& width, std::int64_t value) {
    const std::uint64_t high = bitsOf(ones(floor.high, width, value));
    return bitsOf(ones(floor.low, width, value)) | high << 8;
  }
  static std::uint64_t insideByFours(const Lanes& floor, const Lanes::Half& width,
                                     std::int64_t value) {
    const uint8x16_t bytes =
        vmovn_high_u16(vmovn_u16(ones(floor.low, width, value)), ones(floor.high, width, value));
    // The upper half of each even byte and the lower half of the odd one after it make one byte.
    const uint8x8_t fours = vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4);
    return vget_lane_u64(vreinterpret_u64_u8(fours), 0);
  }

  // Returns a bit for each lane of ones; the other lanes are 0.
  static std::uint32_t bitsOf(uint16x8_t lanes) {
    const Lanes::Half bits{1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(vandq_u16(lanes, reinterpret_cast<uint16x8_t>(bits)));
  }

 private:
  // Returns ones in the lanes inside.
  static uint16x8_t ones(const Lanes::Half& floor, const Lanes::Half& width, std::int64_t value) {
    const Lanes::Half above = Lanes::all(value) - floor;
    return vcleq_u16(reinterpret_cast<uint16x8_t>(above), reinterpret_cast<uint16x8_t>(width));
  }
};
using MachineLanes = NeonLanes;
#else
using MachineLanes = PortableLanes;
#endif

// The parts (a, b) of a plane by lane a + 4 b, towards + and mirrored: a, which is the same in both
// halves, and b + 1. Tables, since no processor predicts in which direction the next line runs.
inline constexpr std::array<Lanes::Half, 2> kLaneA = {
    {{0, 1, 2, 3, 0, 1, 2, 3}, {3, 2, 1, 0, 3, 2, 1, 0}}};
inline constexpr std::array<Lanes, 2> kLaneNextB = {
    {{{1, 1, 1, 1, 2, 2, 2, 2}, {3, 3, 3, 3, 4, 4, 4, 4}},
     {{4, 4, 4, 4, 3, 3, 3, 3}, {2, 2, 2, 2, 1, 1, 1, 1}}}};

// The constants K(a, b) of a line, and the tests of all parts against them. Slots are numbered as
// by slotOf(); `flip` has both bits of an axis set if that axis is mirrored. A small value.
class PathLanes {
 public:
  PathLanes() = default;
  // `length` are the line's lengths on each axis, in units, of at most length_bits bits, and
  // `scale_shift` is scaleShift(length_bits).
  PathLanes(const Vec3i& length, unsigned flip, int scale_shift) : flip_(flip) {
    // Scaling cuts less than one off a length, and F / c may be off by one: both bounds allow for
    // it, the upper one for all parts alike.
    const std::int64_t slack = scale_shift > 0 ? kSlack : 0;
    const Lanes::Half slacks = Lanes::all(slack);
    std::array<Lanes::Half, 3> less;
    std::array<Lanes::Half, 3> more;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      less[axis] = Lanes::all(length[static_cast<int>(axis)] >> scale_shift);
      more[axis] = less[axis] + slacks;
    }
    const Lanes::Half most_slack = Lanes::all(kMostSlacks * slack);
    const auto set_plane = [&](std::size_t plane, std::size_t i, std::size_t j) {
      const Lanes& next_b = kLaneNextB[(flip >> (2 * j)) & 1];
      const Lanes::Half from_a = kLaneA[(flip >> (2 * i)) & 1] * less[j];
      floor_[plane] = {from_a - next_b.low * more[i], from_a - next_b.high * more[i]};
      width_[plane] = less[i] + less[j] + most_slack;
    };
    set_plane(0, 0, 1);
    set_plane(1, 0, 2);
    set_plane(2, 1, 2);
  }

  // Lengths are scaled down to this many bits at most, so that 4 of them and some slack fit a lane.
  static constexpr int kScaledBits = 12;
  // Both ends of an interval are widened by this times a + 1 or b + 1: by one because lengths are
  // cut, and by one, which is one for all parts at least, because F may be rounded.
  static constexpr std::int64_t kSlack = 2;
  // The largest a + 1 + b + 1.
  static constexpr std::int64_t kMostSlacks = 8;

  // Returns the bits by which the products of a line are scaled down, so that they fit a lane,
  // given the bits of its greatest length.
  static int scaleShift(int length_bits) { return std::max(0, length_bits - kScaledBits); }

  // Returns the parts, by slots that are not mirrored, with K(a, b + 1) <= F / c <= K(a + 1, b) in
  // all three planes, and perhaps some that miss that by little. Given F / c in each plane, scaled
  // down, each less than 2^15; if the scale shift is not 0, they may be off by one.
  std::uint64_t touched(std::int64_t f_xy, std::int64_t f_xz, std::int64_t f_yz) const {
    const std::uint64_t xy = MachineLanes::inside(floor_[0], width_[0], f_xy);
    std::uint64_t xz = MachineLanes::inside(floor_[1], width_[1], f_xz);
    const std::uint64_t yz = MachineLanes::insideByFours(floor_[2], width_[2], f_yz);
    // Moves nibble z to bits 16 z.
    xz = (xz | (xz << 24)) & 0x000000ff000000ffU;
    xz = (xz | (xz << 12)) & 0x000f000f000f000fU;
    return (xy * 0x0001000100010001U) & (xz * 0x1111U) & yz;
  }

  // Mirrors a mask by slots, or mirrors it back.
  std::uint64_t mirrored(std::uint64_t slots) const {
    if ((flip_ & 0x01U) != 0) {
      slots = swapped(slots, 1, 0x5555555555555555U);
      slots = swapped(slots, 2, 0x3333333333333333U);
    }
    if ((flip_ & 0x04U) != 0) {
      slots = swapped(slots, 4, 0x0f0f0f0f0f0f0f0fU);
      slots = swapped(slots, 8, 0x00ff00ff00ff00ffU);
    }
    if ((flip_ & 0x10U) != 0) slots = std::rotl(swapped(slots, 16, 0x0000ffff0000ffffU), 32);
    return slots;
  }

  // Leaves the registers as the rest of the program expects them.
  static void leave() {}

 private:
  // Swaps the bits in `lower` with those `distance` bits above them.
  static constexpr std::uint64_t swapped(std::uint64_t bits, int distance, std::uint64_t lower) {
    return ((bits >> distance) & lower) | ((bits & lower) << distance);
  }

  // For the planes xy, xz and yz: lane a + 4 b is the part (a, b), not mirrored.
  std::array<Lanes, 3> floor_;        // no part's K(a, b + 1) is less
  std::array<Lanes::Half, 3> width_;  // no part's K(a + 1, b) is more than this above its floor
  unsigned flip_ = 0;
};

}  // namespace fractalray::internal
