// SPDX-License-Identifier: Apache-2.0
// The traversal that the fast passes share: the areas along a line, the occupied parts of a node,
// and the end of the traversal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/grid_walk.h"
#include "../../../core/internal/geometry/line_walk.h"
#include "block_pass_plain.h"
#include "candidate_collector.h"
#include "line_descent.h"

namespace fractalray::internal {

// Visits the nodes of a tree (a level's, or an entity grid's) along the line of a query, in the
// order along the line, and counts them as steps. Product as in PathMask::touched.
template <class Product>
class TreeTraversal {
 public:
  TreeTraversal(CandidateCollector& collector, const LineDescent<Product>& descent)
      : collector_(collector), descent_(descent) {}

  const LineDescent<Product>& descent() const { return descent_; }
  // Returns true once nothing more is to be visited.
  bool isDone() const { return is_done_; }
  void setDone(bool is_done) { is_done_ = is_done; }
  // Returns true if the traversal has ended with an area that the line enters after the collector's
  // limit().
  bool isPastLimit() const { return is_past_limit_; }

  // Calls `visit(area, node)` for the areas of `tree` along the line. The range of blocks is 2^log2
  // wide, more than an area.
  template <class Tree, class Visit>
  void forEachArea(const Tree& tree, int log2, const Visit& visit) {
    if (log2 > kWindowLog2) {
      walkAreas(tree, visit);
    } else {
      forEachInWindow(tree, visit);
    }
  }

  // Calls `visit(slot, part)` for the parts of a node that are `present` (a mask by slots) and
  // along the line.
  template <class Visit>
  void forEachPart(const PathNode& node, int log2, std::uint64_t present, const Visit& visit) {
    if (present == 0 || !spend(collector_.stats.skips)) return;
    for (const int slot : Slots(descent_.parts(node, log2, present))) {
      if (is_done_) break;
      const PathNode part = descent_.part(node, log2, slot);
      if (!isBeyondLimit(part)) visit(descent_.levelSlot(slot), part);
    }
  }

  // From now on, skips nodes that begin beyond this block on any axis.
  void limitTo(const Vec3i& mirrored_block) {
    is_limited_ = true;
    limit_ = descent_.cornerOf(mirrored_block, 0);
  }

  // Returns the chunk at a mirrored index.
  ChunkCoord chunkAt(const Vec3i& mirrored) const {
    const Vec3i chunk = descent_.path().mirrored(mirrored);
    return {chunk[0], chunk[1], chunk[2]};
  }

  // The time at which the line has crossed all planes through which it enters a cube, and the time
  // at which it crosses the first plane through which it leaves. The line misses the cube if the
  // exit is earlier. Until the exit the line is in this cube or in those visited before it, missed
  // or not: no cube that it is in until then lies beyond this cube on any axis. On an axis along
  // which the line does not move, it has left from the beginning, or never enters.
  struct Times {
    Fraction entry = Fraction::zero();
    Fraction exit = Fraction::one();
  };
  Times timesIn(const PathNode& cube, int log2) const {
    const Vec3i& length = descent_.path().length();
    const std::int64_t width = std::int64_t{1} << (descent_.shift() + log2);
    Times times;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t near = cube.corner[axis];
      if (length[axis] != 0) {
        times.entry = std::max(times.entry, Fraction{near, length[axis]});
        times.exit = std::min(times.exit, Fraction{near + width, length[axis]});
      } else if (near + width <= 0) {
        times.exit = Fraction::zero();
      } else if (near > 0) {
        times.entry = Fraction::one();
      }
    }
    return times;
  }

  // Counts steps; returns false if the budget is used up.
  bool spend(std::uint64_t& counter, std::uint64_t steps = 1) {
    if (!collector_.spend(counter, steps)) is_done_ = true;
    return !is_done_;
  }

 private:
  // Visits area by area up to the last one, in larger steps through space without areas.
  template <class Tree, class Visit>
  void walkAreas(const Tree& tree, const Visit& visit) {
    const Vec3i first = shiftedDown(descent_.first(), kAreaLog2);
    const Vec3i last = shiftedDown(descent_.last(), kAreaLog2);
    GridWalk<3> walk =
        walkAlong(collector_.context.line, descent_.shift() + kAreaLog2, CornerPolicy::kBoth);
    if (const HitTime* const from = collector_.sliceStart(); from != nullptr) {
      // Begins where the slice does: nothing before it matters.
      const Fraction t = from->lowerBound();
      walk.startAt(collector_.context.line.cellAfter(t, descent_.shift() + kAreaLog2), t);
    }
    do {
      const GridCell<3>& cell = walk.cell();
      collector_.pauseIfEnough(cell.t);
      if (HitTime(cell.t) > collector_.limit().time) {
        is_past_limit_ = true;
        return;
      }
      if (!spend(collector_.stats.skips)) return;
      const Vec3i index = descent_.path().mirrored(cell.cell);
      const bool is_after = index[0] > last[0] || index[1] > last[1] || index[2] > last[2];
      // At a corner, areas on other sides of it may follow.
      if (is_after && !walk.atCorner()) return;
      const ChunkCoord chunk = chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2));
      if (const auto* const area = tree.area(chunk)) {
        const bool is_before = index[0] < first[0] || index[1] < first[1] || index[2] < first[2];
        if (!is_before && !is_after) visit(*area, descent_.nodeAt(index, kAreaLog2));
        if (is_done_) return;
      } else if (!walk.atCorner()) {
        skipCube(walk, cell.cell, *tree.emptyCubeLog2(chunk) - 4, 1);
      }
    } while (walk.next());
  }

  template <class Tree, class Visit>
  void forEachInWindow(const Tree& tree, const Visit& visit) {
    for (const int slot : Slots(descent_.window())) {
      if (is_done_) break;
      const Vec3i index = descent_.areaInWindow(slot);
      const auto* const area = tree.area(chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2)));
      if (area == nullptr) continue;
      const PathNode node = descent_.nodeInWindow(slot);
      if (!isBeyondLimit(node)) visit(*area, node);
    }
  }

  bool isBeyondLimit(const PathNode& node) const {
    return is_limited_ &&
           (node.corner[0] > limit_[0] || node.corner[1] > limit_[1] || node.corner[2] > limit_[2]);
  }

  CandidateCollector& collector_;
  LineDescent<Product> descent_;
  bool is_done_ = false;
  bool is_past_limit_ = false;
  bool is_limited_ = false;  // true once nothing with a corner beyond limit_ on any axis is visited
  Vec3i limit_;
};

}  // namespace fractalray::internal
