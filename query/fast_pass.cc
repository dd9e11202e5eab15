// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/fast_pass.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "absl/numeric/int128.h"
#include "fractalray/core/cell_crossing.h"
#include "fractalray/core/grid_walk.h"
#include "fractalray/query/plain_pass.h"

namespace fractalray::internal {
namespace {

// Widths of what a level's blocks lie in, as log2 of blocks.
constexpr int kBrickLog2 = 2;
constexpr int kChunkLog2 = 4;
constexpr int kRegionLog2 = 6;
constexpr int kAreaLog2 = 8;
constexpr int kWindowLog2 = 10;  // 4 x 4 x 4 areas, wherever the line begins

constexpr unsigned slotOf(const Vec3i& cell) {
  return static_cast<unsigned>((cell[0] & 3) | ((cell[1] & 3) << 2) | ((cell[2] & 3) << 4));
}
constexpr Vec3i shiftedDown(const Vec3i& v, int log2) {
  return {v[0] >> log2, v[1] >> log2, v[2] >> log2};
}
constexpr Vec3i shiftedUp(const Vec3i& v, int log2) {
  return {v[0] << log2, v[1] << log2, v[2] << log2};
}

// For each slot, the slots that are not before it, or not behind it, on any axis.
constexpr std::array<std::uint64_t, 64> slotsBeside(bool behind) {
  std::array<std::uint64_t, 64> masks{};
  for (unsigned slot = 0; slot < 64; ++slot) {
    for (unsigned other = 0; other < 64; ++other) {
      bool inside = true;
      for (unsigned bits = 0; bits < 6; bits += 2) {
        const unsigned a = (slot >> bits) & 3;
        const unsigned b = (other >> bits) & 3;
        inside = inside && (behind ? b >= a : b <= a);
      }
      if (inside) masks[slot] |= std::uint64_t{1} << other;
    }
  }
  return masks;
}
constexpr auto kFromSlot = slotsBeside(true);
constexpr auto kUntilSlot = slotsBeside(false);

// Which ends of the range of blocks that the pass looks at a cube holds.
constexpr unsigned kHoldsFirst = 1;
constexpr unsigned kHoldsLast = 2;

// A cube of the tree above the blocks, or a block.
struct Node {
  Vec3i corner;  // mirrored, in units ahead of the line's start
  unsigned ends;
};

// Product as in PathMask::touched.
template <class Product>
class FastPass {
 public:
  // Looks at the blocks from `first` to `last`, mirrored.
  FastPass(Gathering& gathering, const PathMask& path, const CellCrossings& crossings, int level,
           const Vec3i& first, const Vec3i& last)
      : gathering_(gathering),
        path_(path),
        crossings_(crossings),
        chunks_(gathering.scene.world.level(level)),
        first_(first),
        last_(last),
        level_(level),
        shift_(gathering.scene.world.frame().blockShift(level)),
        may_defer_(gathering.scene.levels.contains(level + 1)) {}

  // Begins at the smallest cube that holds all of the range.
  void run() {
    std::int64_t differs = 0;
    std::int64_t areas = 0;
    for (int axis = 0; axis < 3; ++axis) {
      differs |= first_[axis] ^ last_[axis];
      areas = std::max(areas, (last_[axis] >> kAreaLog2) - (first_[axis] >> kAreaLog2));
    }
    if (areas > 3) {
      walkAreas();
    } else if (areas > 0) {
      visitWindow();
    } else {
      descend(differs);
    }
  }

 private:
  void descend(std::int64_t differs) {
    const Area* const area = chunks_.area(chunkAt(shiftedDown(first_, kChunkLog2)));
    if (area == nullptr) return;
    if ((differs >> kRegionLog2) != 0) return visitArea(*area, nodeAround(kAreaLog2));
    const unsigned slot = slotOf(shiftedDown(first_, kRegionLog2)) ^ path_.flip();
    if (((area->occupied() >> slot) & 1) == 0) return;
    const Region& region = *area->region(static_cast<int>(slot));
    if ((differs >> kChunkLog2) != 0) return visitRegion(region, nodeAround(kRegionLog2));
    const unsigned place = slotOf(shiftedDown(first_, kChunkLog2)) ^ path_.flip();
    if (((region.occupied() >> place) & 1) == 0) return;
    visitChunk(*region.chunk(static_cast<int>(place)), nodeAround(kChunkLog2));
  }

  // The cube of that width that holds the first block and, as the caller knows, the last one.
  Node nodeAround(int log2) const {
    return {.corner = cornerOf(shiftedDown(first_, log2), log2), .ends = kHoldsFirst | kHoldsLast};
  }

  // The areas on the way, one by one, over what holds none by bigger steps.
  void walkAreas() {
    const std::int64_t width = std::int64_t{1} << (shift_ + kAreaLog2);
    const Line& line = gathering_.scene.line;
    GridWalk<3> walk(line.from(), line.segment().to, {width, width, width}, CornerPolicy::kBoth);
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > gathering_.clip() || !spend()) return;
      const Vec3i index = path_.mirrored(cell.cell);
      const ChunkCoord chunk = chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2));
      const Area* const area = chunks_.area(chunk);
      if (area != nullptr && area->loaded() != 0) {
        const unsigned ends = (index == shiftedDown(first_, kAreaLog2) ? kHoldsFirst : 0) |
                              (index == shiftedDown(last_, kAreaLog2) ? kHoldsLast : 0);
        visitArea(*area, {.corner = cornerOf(index, kAreaLog2), .ends = ends});
        if (done_) return;
      } else if (!walk.atCorner()) {
        skipCube(walk, cell.cell, *chunks_.emptyCubeLog2(chunk) - 4, 1);
      }
    } while (walk.next());
  }

  // Up to 4 areas on each axis, from the first one on.
  void visitWindow() {
    const Vec3i origin = shiftedDown(first_, kAreaLog2);
    const Node window{.corner = cornerOf(origin, kAreaLog2), .ends = 0};
    const unsigned last_slot = slotOf(shiftedDown(last_, kAreaLog2) - origin);
    std::uint64_t slots = path_.mirrored(touched(window, kWindowLog2)) & kUntilSlot[last_slot];
    for (; slots != 0 && !done_; slots &= slots - 1) {
      const unsigned slot = firstOf(slots);
      const Vec3i index = origin + offsetOf(slot);
      const Area* const area = chunks_.area(chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2)));
      if (area == nullptr) continue;
      const Node node{.corner = cornerOf(index, kAreaLog2),
                      .ends = (slot == 0 ? kHoldsFirst : 0) | (slot == last_slot ? kHoldsLast : 0)};
      if (!isBehindLimit(node)) visitArea(*area, node);
    }
  }

  void visitArea(const Area& area, const Node& node) {
    forEachPart(node, kAreaLog2, area.occupied(), [&](unsigned slot, const Node& part) {
      visitRegion(*area.region(static_cast<int>(slot)), part);
    });
  }

  void visitRegion(const Region& region, const Node& node) {
    forEachPart(node, kRegionLog2, region.occupied(), [&](unsigned slot, const Node& part) {
      visitChunk(*region.chunk(static_cast<int>(slot)), part);
    });
  }

  void visitChunk(const Chunk& chunk, const Node& node) {
    ++gathering_.stats.chunks;
    const BlockSet& occupied = chunk.occupied();
    const BlockSet* const deferring = may_defer_ ? chunk.children() : nullptr;
    forEachPart(node, kChunkLog2, chunk.bricks(), [&](unsigned slot, const Node& part) {
      std::uint64_t blocks = occupied.word(static_cast<int>(slot));
      if (deferring != nullptr) blocks &= ~deferring->word(static_cast<int>(slot));
      forEachPart(part, kBrickLog2, blocks,
                  [&](unsigned, const Node& block) { visitBlock(chunk, block); });
    });
  }

  void visitBlock(const Chunk& chunk, const Node& node) {
    ++gathering_.stats.cells;
    const Vec3i mirrored = shiftedDown(node.corner + path_.start(), shift_);
    const std::optional<CellCrossing> crossing = crossings_.find(mirrored);
    if (!crossing.has_value() || gathering_.isBehindClip(crossing->cell.t)) return;
    const Vec3i& cell = crossing->cell.cell;
    if (!gathering_.meetBlock(level_, chunk, {cell[0], cell[1], cell[2]}, crossing->cell)) return;
    // Only other blocks of the same corner are met at the same time: none is beyond corner_end.
    done_ = crossing->corner_end == mirrored;
    is_limited_ = true;
    limit_ = cornerOf(crossing->corner_end, 0);
  }

  // Calls `visit(slot, part)` for the parts of a node that are `present` (a mask by slots) and on
  // the way, in the order of the way.
  template <class Visit>
  void forEachPart(const Node& node, int log2, std::uint64_t present, const Visit& visit) {
    if (!spend()) return;
    std::uint64_t slots = present & touched(node, log2);
    if (slots == 0) return;
    slots = path_.mirrored(slots);
    unsigned first_slot = 64;
    unsigned last_slot = 64;
    if (node.ends != 0) {
      if ((node.ends & kHoldsFirst) != 0) {
        first_slot = slotOf(shiftedDown(first_, log2 - 2));
        slots &= kFromSlot[first_slot];
      }
      if ((node.ends & kHoldsLast) != 0) {
        last_slot = slotOf(shiftedDown(last_, log2 - 2));
        slots &= kUntilSlot[last_slot];
      }
    }
    for (; slots != 0 && !done_; slots &= slots - 1) {
      const unsigned slot = firstOf(slots);
      const Node part{
          .corner = node.corner + shiftedUp(offsetOf(slot), shift_ + log2 - 2),
          .ends = (slot == first_slot ? kHoldsFirst : 0) | (slot == last_slot ? kHoldsLast : 0)};
      if (!isBehindLimit(part)) visit(slot ^ path_.flip(), part);
    }
  }

  // The parts of a node 2^log2 blocks wide that the line touches.
  std::uint64_t touched(const Node& node, int log2) const {
    return path_.touched<Product>(node.corner, shift_ + log2 - 2);
  }

  // Of a mirrored mask, the first slot; and of a slot, its place in the node.
  static unsigned firstOf(std::uint64_t slots) {
    return static_cast<unsigned>(std::countr_zero(slots));
  }
  static Vec3i offsetOf(unsigned slot) { return {slot & 3, (slot >> 2) & 3, slot >> 4}; }

  // The corner of a cube given by its mirrored index.
  Vec3i cornerOf(const Vec3i& index, int log2) const {
    return shiftedUp(index, shift_ + log2) - path_.start();
  }
  ChunkCoord chunkAt(const Vec3i& mirrored) const {
    const Vec3i chunk = path_.mirrored(mirrored);
    return {chunk[0], chunk[1], chunk[2]};
  }

  bool isBehindLimit(const Node& node) const {
    return is_limited_ &&
           (node.corner[0] > limit_[0] || node.corner[1] > limit_[1] || node.corner[2] > limit_[2]);
  }

  // Counts a look at a cube; false where the budget is used up.
  bool spend() {
    done_ = !gathering_.spend(gathering_.stats.skips);
    return !done_;
  }

  Gathering& gathering_;
  const PathMask& path_;
  const CellCrossings& crossings_;
  const Level& chunks_;
  Vec3i first_;  // the range of blocks looked at, mirrored
  Vec3i last_;
  int level_;
  int shift_;
  bool may_defer_;
  bool done_ = false;
  bool is_limited_ = false;  // nothing with a corner beyond limit_ on any axis is met any more
  Vec3i limit_;
};

}  // namespace

void gatherBlocksFast(Gathering& gathering, const PathMask& path, int level) {
  const Scene& scene = gathering.scene;
  const int shift = scene.world.frame().blockShift(level);
  const CellCrossings crossings(path, shift, scene.options.corner);
  Vec3i first = crossings.first();
  Vec3i last = crossings.last();
  if (gathering.after() != nullptr) {
    first = crossings.cellBefore(gathering.after()->time.lowerBound());
  }
  if (gathering.isClipped()) last = crossings.cellAfter(gathering.clip().upperBound());
  if (path.fits64(shift + kWindowLog2)) {
    FastPass<std::int64_t>(gathering, path, crossings, level, first, last).run();
  } else {
    FastPass<absl::int128>(gathering, path, crossings, level, first, last).run();
  }
}

}  // namespace fractalray::internal
