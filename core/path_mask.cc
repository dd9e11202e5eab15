// SPDX-License-Identifier: Apache-2.0
#include "fractalray/core/path_mask.h"

#include <algorithm>

namespace fractalray::internal {
namespace {

// Lengths are scaled down to fewer than this many bits, so that 4 of them and some slack fit a
// lane.
constexpr int kLaneLengthBits = 12;

// The coordinates a and b of lane a + 4 b, towards + and mirrored.
constexpr Lanes::Half kAscendingA = {0, 1, 2, 3, 0, 1, 2, 3};
constexpr Lanes::Half kDescendingA = {3, 2, 1, 0, 3, 2, 1, 0};
constexpr Lanes kA[2] = {{kAscendingA, kAscendingA}, {kDescendingA, kDescendingA}};
constexpr Lanes kB[2] = {{{0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 2, 2, 3, 3, 3, 3}},
                         {{3, 3, 3, 3, 2, 2, 2, 2}, {1, 1, 1, 1, 0, 0, 0, 0}}};

// Swaps the bits of `stay` with those 2^log2 places above them.
constexpr std::uint64_t swapBits(std::uint64_t mask, int distance, std::uint64_t stay) {
  return ((mask >> distance) & stay) | ((mask & stay) << distance);
}

}  // namespace

PathMask::PathMask(const UnitSegment& segment) {
  std::int64_t longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t d = segment.to[axis] - segment.from[axis];
    const std::int64_t sign = d >> 63;
    sign_[axis] = sign;
    start_[axis] = (segment.from[axis] ^ sign) - sign;
    end_[axis] = (segment.to[axis] ^ sign) - sign;
    length_[axis] = (d ^ sign) - sign;
    flip_ |= static_cast<unsigned>(sign & 3) << (2 * axis);
    longest |= length_[axis];
  }
  length_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
  scale_shift_ = std::max(0, length_bits_ - kLaneLengthBits);
  // What scaling cuts off a length is less than one: both bounds give it away.
  const int slack = scale_shift_ > 0 ? 1 : 0;
  const auto scaled = [&](int axis) { return static_cast<int>(length_[axis] >> scale_shift_); };
  constexpr int kPlanes[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (std::size_t plane = 0; plane < 3; ++plane) {
    const int i = kPlanes[plane][0];
    const int j = kPlanes[plane][1];
    const Lanes& a = kA[isMirrored(i) ? 1 : 0];
    const Lanes& b = kB[isMirrored(j) ? 1 : 0];
    const Lanes one = Lanes::all(1);
    floor_[plane] = a * Lanes::all(scaled(j)) - (b + one) * Lanes::all(scaled(i) + slack);
    ceiling_[plane] = (a + one) * Lanes::all(scaled(j) + slack) - b * Lanes::all(scaled(i));
  }
}

std::uint64_t PathMask::mirrored(std::uint64_t slots) const {
  if (isMirrored(0)) {
    slots = swapBits(slots, 1, 0x5555555555555555U);
    slots = swapBits(slots, 2, 0x3333333333333333U);
  }
  if (isMirrored(1)) {
    slots = swapBits(slots, 4, 0x0f0f0f0f0f0f0f0fU);
    slots = swapBits(slots, 8, 0x00ff00ff00ff00ffU);
  }
  if (isMirrored(2)) {
    slots = swapBits(slots, 16, 0x0000ffff0000ffffU);
    slots = std::rotl(slots, 32);
  }
  return slots;
}

}  // namespace fractalray::internal
