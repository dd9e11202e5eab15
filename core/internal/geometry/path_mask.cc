// SPDX-License-Identifier: Apache-2.0
#include "path_mask.h"

#include <algorithm>

namespace fractalray::internal {
namespace {

// Lengths are scaled down to fewer than this many bits, so that 4 of them and some slack fit a
// lane.
constexpr int kLaneLengthBits = 12;

// By lane a + 4 b, towards + and mirrored: a, which is the same in both halves, and b + 1.
constexpr std::array<Lanes::Half, 2> kA = {{{0, 1, 2, 3, 0, 1, 2, 3}, {3, 2, 1, 0, 3, 2, 1, 0}}};
constexpr std::array<Lanes, 2> kNextB = {{{{1, 1, 1, 1, 2, 2, 2, 2}, {3, 3, 3, 3, 4, 4, 4, 4}},
                                          {{4, 4, 4, 4, 3, 3, 3, 3}, {2, 2, 2, 2, 1, 1, 1, 1}}}};
// a + 1 + b + 1, at most.
constexpr std::int64_t kMostSlacks = 8;

}  // namespace

PathMask::PathMask(const FixedSegment& segment) : segment_(segment) {
  std::int64_t longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t d = segment.to[axis] - segment.from[axis];
    const std::int64_t sign = d >> 63;
    sign_[axis] = sign;
    start_[axis] = (segment.from[axis] ^ sign) - sign;
    length_[axis] = (d ^ sign) - sign;
    flip_ |= static_cast<unsigned>(sign & 3) << (2 * axis);
    longest |= length_[axis];
  }
  length_bits_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
  scale_shift_ = std::max(0, length_bits_ - kLaneLengthBits);
  // Scaling cuts less than one off a length: both bounds allow for it, the upper one for all parts
  // alike.
  const std::int64_t slack = scale_shift_ > 0 ? 1 : 0;
  const Lanes::Half slacks = Lanes::all(slack);
  std::array<Lanes::Half, 3> less;
  std::array<Lanes::Half, 3> more;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    less[axis] = Lanes::all(length_[static_cast<int>(axis)] >> scale_shift_);
    more[axis] = less[axis] + slacks;
  }
  const Lanes::Half most_slack = Lanes::all(kMostSlacks * slack);
  const auto set_plane = [&](std::size_t plane, std::size_t i, std::size_t j) {
    const Lanes& next_b = kNextB[(flip_ >> (2 * j)) & 1];
    const Lanes::Half from_a = kA[(flip_ >> (2 * i)) & 1] * less[j];
    floor_[plane] = {from_a - next_b.low * more[i], from_a - next_b.high * more[i]};
    width_[plane] = less[i] + less[j] + most_slack;
  };
  set_plane(0, 0, 1);
  set_plane(1, 0, 2);
  set_plane(2, 1, 2);
}

Vec3i PathMask::firstCellOfReflected(int shift) const {
  return mirrored(Line(segment_).firstCell(shift));
}

Vec3i PathMask::lastCellOfReflected(int shift) const {
  // A line that was reflected at its very end begins beyond the plane in which it ends.
  const Vec3i first = firstCellOfReflected(shift);
  Vec3i last = cellOf(segment_.to, shift);
  for (int axis = 0; axis < 3; ++axis)
    last[axis] = std::max(last[axis], first[axis]);
  return last;
}

}  // namespace fractalray::internal
