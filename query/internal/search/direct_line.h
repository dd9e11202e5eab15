// SPDX-License-Identifier: Apache-2.0
// The line of a direct search (direct_search.h) on one level, and its position to cubes and blocks
// in exact 64-bit arithmetic. For one instruction set, as direct_search_lanes.h, which includes
// this.
//
// Blocks and slots are mirrored as in PathMask, so the line runs towards + on each axis, with
// lengths d. For the lower corner of a cube, n units ahead of the start,
//   F_ij = n_j d_i - n_i d_j
// is positive iff the line crosses the cube's plane of axis j later than that of axis i. So a block
// with lower corner n is entered through the plane of axis i iff that is later than both others;
// and it is visited iff the line leaves it, through the plane of any other axis j at n_j + width,
// later than that: signs of F, and of F + width d. If a sign that decides is 0, two planes are
// crossed at once, and the corner policy decides elsewhere.
//
// If 64 bits cannot hold F, the line is rounded: its lengths and start lose low bits. F is then
// good to a margin, and decides only if it is farther from 0 than that.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/internal/geometry/path_lanes.h"
#include "../../../core/segment.h"
#include "../../../core/tree64.h"
#include "../../../core/vec.h"
#include "../../../levels/internal/chunk_bounds.h"
#include "direct_search.h"
#include "search_node.h"

// The attribute of functions that are compiled for one instruction set: nothing, unless the source
// has defined it before.
#ifndef FRACTALRAY_TARGET
#define FRACTALRAY_TARGET
#endif

namespace fractalray::internal {
namespace {

// Results of DirectLine::entryAxis() that are no axis.
inline constexpr int kNotVisited = -1;
inline constexpr int kTie = -2;

// Lanes: PathLanes, or one with the same members.
template <class Lanes>
class DirectLine {
 public:
  // Takes a line and its lengths, mirrored, as lengthsOf() returns them.
  struct Lengths {
    Vec3i length;
    unsigned flip = 0;  // both bits of a mirrored axis are set
    int bits = 0;       // of the greatest length
  };
  FRACTALRAY_TARGET static Lengths lengthsOf(const FixedSegment& segment) {
    Lengths lengths;
    std::int64_t all = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t delta = segment.to[axis] - segment.from[axis];
      const std::int64_t sign = delta >> 63;
      lengths.length[axis] = (delta ^ sign) - sign;
      lengths.flip |= static_cast<unsigned>(sign & 3) << (2 * axis);
      all |= lengths.length[axis];
    }
    lengths.bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all)));
    return lengths;
  }
  FRACTALRAY_TARGET DirectLine(const FixedSegment& segment, const Lengths& lengths)
      : segment_(segment),
        flip_(lengths.flip),
        length_bits_(lengths.bits),
        length_(lengths.length),
        scale_shift_(PathLanes::scaleShift(lengths.bits)) {
    for (int axis = 0; axis < 3; ++axis) {
      sign_[axis] = ((flip_ >> (2 * axis)) & 1U) != 0 ? -1 : 0;
      start_[axis] = exactStart(axis);
    }
  }

  // Takes a line of which more is known: the sign of its flip and its start, both as below, and the
  // level.
  FRACTALRAY_TARGET DirectLine(const FixedSegment& segment, const Lengths& lengths,
                               const Vec3i& sign, const Vec3i& start, int shift)
      : segment_(segment),
        sign_(sign),
        flip_(lengths.flip),
        length_bits_(lengths.bits),
        shift_(shift),
        start_(start),
        length_(lengths.length),
        scale_shift_(PathLanes::scaleShift(lengths.bits)),
        f_shift_(shift) {}

  // Begins with a level whose blocks are 2^shift units wide, with the line as it is.
  FRACTALRAY_TARGET void setShift(int shift) {
    shift_ = shift;
    f_shift_ = shift;
    if (isRounded()) setExact();
  }

  // Makes 64 bits hold F at the corners of cubes that are less than `distance` blocks from the
  // start on each axis: rounds the line if need be. Returns false if that would be too coarse; the
  // line is then of no use on this level. Call it once on each level, before setLanes() and all
  // that depends on F. Requires: distance >= 1.
  FRACTALRAY_TARGET bool fit64(std::int64_t distance) {
    const int distance_bits =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(distance)));
    const int excess = shift_ + distance_bits + length_bits_ + 2 - kMostBits;
    return excess <= 0 || round(distance_bits, excess);
  }

  // Computes what touched() and mirrored() of slots need. A step of its own, since lines that come
  // to nothing do without: a fifth of what they cost.
  FRACTALRAY_TARGET void setLanes() { lanes_ = Lanes(length_, flip_, scale_shift_); }

  // The first and the last block of the walk, and blocks between them: those that the line enters
  // at t or later are not before blockBefore(), those that it enters at t or earlier not after
  // blockAfter(). t is good to 2^-48. Require: the line is not rounded.
  FRACTALRAY_TARGET std::int64_t firstBlock(int axis) const {
    return (segment_.from[axis] >> shift_) ^ sign_[axis];
  }
  FRACTALRAY_TARGET std::int64_t lastBlock(int axis) const {
    return (segment_.to[axis] >> shift_) ^ sign_[axis];
  }
  FRACTALRAY_TARGET std::int64_t blockBefore(int axis, double t) const {
    const double way = static_cast<double>(length_[axis]) * (t * (1 - 0x1p-46));
    return (start_[axis] + static_cast<std::int64_t>(way) - 1) >> shift_;
  }
  FRACTALRAY_TARGET std::int64_t blockAfter(int axis, double t) const {
    const double way = static_cast<double>(length_[axis]) * (t * (1 + 0x1p-46));
    return (start_[axis] + static_cast<std::int64_t>(way) + 1) >> shift_;
  }
  // Cuts the blocks from `first` to `last` to those in a box of chunks; returns false if there are
  // none.
  FRACTALRAY_TARGET bool cutToBox(const ChunkBounds& box, Vec3i& first, Vec3i& last) const {
    Vec3i low;
    bool is_before = false;
    bool is_empty = false;
    for (int axis = 0; axis < 3; ++axis) {
      // On a mirrored axis the box is that from ~max to ~min: `swap` exchanges the two, and the
      // sign inverts them. Without a branch, since the direction is hard to predict.
      const std::int64_t swap = (box.min()[axis] ^ box.max()[axis]) & sign_[axis];
      low[axis] = (box.min()[axis] ^ swap ^ sign_[axis]) << kChunkLog2;
      const std::int64_t high = ((box.max()[axis] ^ swap ^ sign_[axis]) << kChunkLog2) + 15;
      last[axis] = std::min(last[axis], high);
      is_before |= first[axis] < low[axis];
      is_empty |= last[axis] < std::max(first[axis], low[axis]);
    }
    if (is_empty) return false;
    return !is_before || enterBox(low, first, last);
  }
  // Returns the time at which the line comes to the lower plane of a block.
  FRACTALRAY_TARGET Fraction timeAt(int axis, std::int64_t block) const {
    if (isRounded()) [[unlikely]]
      return exactTimeAt(axis, block);
    return {(block << shift_) - start_[axis], length_[axis]};
  }

  FRACTALRAY_TARGET bool isMirrored(int axis) const { return sign_[axis] != 0; }
  FRACTALRAY_TARGET std::int64_t sign(int axis) const { return sign_[axis]; }
  FRACTALRAY_TARGET std::int64_t length(int axis) const { return length_[axis]; }
  FRACTALRAY_TARGET std::int64_t start(int axis) const { return start_[axis]; }
  FRACTALRAY_TARGET int shift() const { return shift_; }
  // Returns true if the lengths and the start have lost bits, so that F decides only with a margin.
  FRACTALRAY_TARGET bool isRounded() const { return margin_ != 0; }
  FRACTALRAY_TARGET Vec3i mirrored(const Vec3i& block) const {
    return {block[0] ^ sign_[0], block[1] ^ sign_[1], block[2] ^ sign_[2]};
  }
  FRACTALRAY_TARGET std::uint64_t mirrored(std::uint64_t slots) const {
    return lanes_.mirrored(slots);
  }
  // Returns the slot not mirrored, as levels number slots.
  FRACTALRAY_TARGET int levelSlot(int slot) const { return slot ^ static_cast<int>(flip_); }

  // Returns F at the lower corner of a block.
  FRACTALRAY_TARGET CrossProducts productsAt(const Vec3i& block) const {
    Vec3i n;
    for (int axis = 0; axis < 3; ++axis)
      n[axis] = (block[axis] << f_shift_) - start_[axis];
    return {.xy = n[1] * length_[0] - n[0] * length_[1],
            .xz = n[2] * length_[0] - n[0] * length_[2],
            .yz = n[2] * length_[1] - n[1] * length_[2]};
  }
  // Returns the cube with that lower corner, in blocks.
  FRACTALRAY_TARGET SearchNode nodeAt(const Vec3i& corner, const Vec3i& origin) const {
    return {.f = productsAt(corner), .at = packed(corner - origin)};
  }
  // Returns the part in a slot of a cube; the part is 2^log2 blocks wide.
  FRACTALRAY_TARGET SearchNode part(const SearchNode& node, int slot, int log2) const {
    const CrossProducts to_part = offset(slot, log2);
    return {.f = {.xy = node.f.xy + to_part.xy,
                  .xz = node.f.xz + to_part.xz,
                  .yz = node.f.yz + to_part.yz},
            .at = node.at + packedSlot(slot, log2)};
  }

  // Returns the parts, 2^log2 blocks wide, of a cube that the line touches, and perhaps a few that
  // it misses by little: PathMask::touched(). Not mirrored.
  FRACTALRAY_TARGET std::uint64_t touched(const SearchNode& node, int log2) const {
    const int shift = f_shift_ + log2 + scale_shift_;
    return lanes_.touched(node.f.xy >> shift, node.f.xz >> shift, node.f.yz >> shift);
  }

  // Returns the axis of the plane through which the line enters the block with that F at its lower
  // corner; kNotVisited if it does not visit the block; kTie if corner policies decide, or the line
  // is rounded and too close to call.
  FRACTALRAY_TARGET int entryAxis(const CrossProducts& f) const {
    return isRounded() ? entryAxisOfRounded(f) : entryAxisBy(f, 0);
  }

  // Sets all but the level and the type of a block (mirrored) that the line enters through the
  // lower plane of an axis.
  FRACTALRAY_TARGET void setEntry(EnteredBlock& entered, const Vec3i& block, int axis,
                                  const Fraction& enter) const {
    const Vec3i cell = mirrored(block);
    entered.face = {static_cast<std::int8_t>(axis),
                    static_cast<std::int8_t>(isMirrored(axis) ? 1 : -1)};
    entered.block = {cell[0], cell[1], cell[2]};
    entered.enter = enter;
  }
  // Returns the same as Line::leaveTime() of a visited block: the time of the earliest plane
  // through its upper corner, the lowest axis on a tie, and not after the end.
  FRACTALRAY_TARGET Fraction leaveTime(const CrossProducts& f, const Vec3i& block) const {
    if (isRounded()) [[unlikely]]
      return leaveTimeByPlanes(block);
    const bool x_before_y = f.xy + ((length_[0] - length_[1]) << shift_) >= 0;
    const bool x_before_z = f.xz + ((length_[0] - length_[2]) << shift_) >= 0;
    const bool y_before_z = f.yz + ((length_[1] - length_[2]) << shift_) >= 0;
    int axis = y_before_z ? 1 : 2;
    if (x_before_y && x_before_z && length_[0] != 0) axis = 0;
    return notAfterEnd(timeAt(axis, block[axis] + 1));
  }

  // Returns the axis of the lower plane that the line crosses last, of those through the corner
  // with that F; kTie if it crosses two last, or the margin by which F may be off leaves it open.
  FRACTALRAY_TARGET static int latestAxis(const CrossProducts& f, std::int64_t margin) {
    // At most one of these is true. Which one is hard to predict: so the axis is an index, and no
    // branch.
    const bool is_x = both(f.xy < -margin, f.xz < -margin);
    const bool is_y = both(f.xy > margin, f.yz < -margin);
    const bool is_z = both(f.xz > margin, f.yz > margin);
    if (!is_x && !is_y && !is_z) return kTie;
    return static_cast<int>(is_y) + 2 * static_cast<int>(is_z);
  }
  // Return F by axis: in its planes with the lower or the higher of the other axes, with the sign
  // with which the width on that other axis is added, times the length on this one.
  FRACTALRAY_TARGET static Vec3i withLower(const CrossProducts& f) { return {f.xy, -f.xy, -f.xz}; }
  FRACTALRAY_TARGET static Vec3i withHigher(const CrossProducts& f) { return {f.xz, f.yz, -f.yz}; }
  // Returns `axis`, given for both other axes by how much the line leaves the block later than it
  // enters it, and by how much these may be off.
  FRACTALRAY_TARGET static int entryUnlessLeft(int axis, std::int64_t a, std::int64_t b,
                                               std::int64_t margin) {
    if (a > margin && b > margin) return axis;
    return a < -margin || b < -margin ? kNotVisited : kTie;
  }
  // Returns a time, or 1 if that is earlier.
  FRACTALRAY_TARGET static Fraction notAfterEnd(const Fraction& time) {
    return time.numerator < time.denominator ? time : Fraction::one();
  }

 private:
  // F, and its sums with a length times the width of a block, have fewer bits than this.
  static constexpr int kMostBits = 62;
  // The bits that a rounded line keeps of the widths of blocks: so its start is good to 2^-16 of a
  // block.
  static constexpr int kRoundedShift = 16;

  FRACTALRAY_TARGET std::int64_t exactStart(int axis) const {
    return (segment_.from[axis] ^ sign_[axis]) - sign_[axis];
  }
  FRACTALRAY_TARGET std::int64_t exactLength(int axis) const {
    return ((segment_.to[axis] - segment_.from[axis]) ^ sign_[axis]) - sign_[axis];
  }

  // Drops `excess` bits in all, given the bits of the greatest distance in blocks: those of the
  // start that are finer than kRoundedShift first, then those of the lengths. Rare, so a call of
  // its own.
  FRACTALRAY_TARGET [[gnu::noinline]] bool round(int distance_bits, int excess) {
    const int start_cut = std::clamp(shift_ - kRoundedShift, 0, excess);
    const int length_cut = excess - start_cut;
    const int length_bits = length_bits_ - length_cut;
    const int corner_bits = shift_ - start_cut + distance_bits;
    // The lanes allow F / c, scaled, to be off by 1 (PathLanes). For the smallest parts, one block
    // wide, it is off by margin / 2^(f_shift + scale_shift) at most.
    if (length_bits < PathLanes::kScaledBits + distance_bits + 3) return false;
    f_shift_ = shift_ - start_cut;
    scale_shift_ = PathLanes::scaleShift(length_bits);
    for (int axis = 0; axis < 3; ++axis) {
      start_[axis] >>= start_cut;
      length_[axis] >>= length_cut;
    }
    // Rounding is off by e, less than 1, on each axis: F by n_j e_i - n_i e_j for the lengths and
    // by d_j e_i - d_i e_j for the start, and a width times d by e times the width.
    margin_ = (std::int64_t{4} << corner_bits) + (std::int64_t{2} << length_bits);
    return true;
  }
  // Takes back round().
  FRACTALRAY_TARGET [[gnu::noinline]] void setExact() {
    margin_ = 0;
    scale_shift_ = PathLanes::scaleShift(length_bits_);
    for (int axis = 0; axis < 3; ++axis) {
      start_[axis] = exactStart(axis);
      length_[axis] = exactLength(axis);
    }
  }
  FRACTALRAY_TARGET [[gnu::noinline]] Fraction exactTimeAt(int axis, std::int64_t block) const {
    return {(block << shift_) - exactStart(axis), exactLength(axis)};
  }
  // Returns leaveTime() without F.
  FRACTALRAY_TARGET [[gnu::noinline]] Fraction leaveTimeByPlanes(const Vec3i& block) const {
    Fraction leave = Fraction::one();
    for (int axis = 0; axis < 3; ++axis) {
      if (exactLength(axis) == 0) continue;
      const Fraction time = exactTimeAt(axis, block[axis] + 1);
      if (time < leave) leave = time;
    }
    return leave;
  }

  // Raises the first block to one that the line enters no earlier than the box from `low` on.
  FRACTALRAY_TARGET bool enterBox(const Vec3i& low, Vec3i& first, const Vec3i& last) const {
    double t = 0;
    for (int axis = 0; axis < 3; ++axis) {
      // The line comes to these planes, so its length is not 0.
      if (first[axis] < low[axis]) t = std::max(t, timeAt(axis, low[axis]).toDouble());
    }
    bool is_empty = false;
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = std::max({first[axis], low[axis], blockBefore(axis, t)});
      is_empty |= last[axis] < first[axis];
    }
    return !is_empty;
  }
  // Returns a && b, without a branch.
  FRACTALRAY_TARGET static bool both(bool a, bool b) {
    a &= b;
    return a;
  }
  // Returns F of the part in a slot of a cube, less that of the cube.
  FRACTALRAY_TARGET CrossProducts offset(int slot, int log2) const {
    const Vec3i n = offsetOf(slot);
    const int shift = f_shift_ + log2;
    return {.xy = (n[1] * length_[0] - n[0] * length_[1]) << shift,
            .xz = (n[2] * length_[0] - n[0] * length_[2]) << shift,
            .yz = (n[2] * length_[1] - n[1] * length_[2]) << shift};
  }
  // Returns entryAxis(), given by how much F may be off. For 0, without a look at the margin: the
  // compiler makes a version for it.
  FRACTALRAY_TARGET int entryAxisBy(const CrossProducts& f, std::int64_t margin) const {
    const int axis = latestAxis(f, margin);
    if (axis == kTie) return kTie;
    const std::int64_t width = length_[axis] << f_shift_;
    return entryUnlessLeft(axis, width + withLower(f)[axis], width + withHigher(f)[axis], margin);
  }
  FRACTALRAY_TARGET [[gnu::noinline]] int entryAxisOfRounded(const CrossProducts& f) const {
    return entryAxisBy(f, margin_);
  }

  Lanes lanes_;
  const FixedSegment& segment_;
  Vec3i sign_;  // -1 on a mirrored axis, else 0
  unsigned flip_;
  int length_bits_;  // of the line, not rounded
  int shift_ = 0;    // of the level

  // The line as F has it, mirrored, perhaps rounded, and the width of its blocks; how far F may be
  // from that of the line, 0 if it is not rounded.
  Vec3i start_;
  Vec3i length_;
  int scale_shift_;
  int f_shift_ = 0;
  std::int64_t margin_ = 0;
};

}  // namespace
}  // namespace fractalray::internal
