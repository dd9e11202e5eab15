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

// For each slot s, the slots that are not before it (not behind it) on any axis.
constexpr std::array<std::uint64_t, 64> slotsFrom(bool from) {
  std::array<std::uint64_t, 64> masks{};
  for (unsigned s = 0; s < 64; ++s) {
    for (unsigned other = 0; other < 64; ++other) {
      bool inside = true;
      for (unsigned axis = 0; axis < 6; axis += 2) {
        const unsigned a = (s >> axis) & 3;
        const unsigned b = (other >> axis) & 3;
        inside = inside && (from ? b >= a : b <= a);
      }
      if (inside) masks[s] |= std::uint64_t{1} << other;
    }
  }
  return masks;
}
constexpr auto kFromSlot = slotsFrom(true);
constexpr auto kUntilSlot = slotsFrom(false);

// A cube of the tree above the blocks: its index on the mirrored axes, in its own width.
struct Node {
  Vec3i index;
  // Whether it holds the first and the last block that the pass looks at.
  bool has_first = false;
  bool has_last = false;
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

  // Starts at the smallest cube that holds all of the range.
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
    const auto node = [&](int log2) {
      return Node{.index = shiftedDown(first_, log2), .has_first = true, .has_last = true};
    };
    if (differs >> kRegionLog2 != 0) return visitArea(*area, node(kAreaLog2));
    const unsigned slot = slotOf(shiftedDown(first_, kRegionLog2)) ^ path_.flip();
    if (((area->occupied() >> slot) & 1) == 0) return;
    const Region& region = *area->region(static_cast<int>(slot));
    if (differs >> kChunkLog2 != 0) return visitRegion(region, node(kRegionLog2));
    const unsigned place = slotOf(shiftedDown(first_, kChunkLog2)) ^ path_.flip();
    if (((region.occupied() >> place) & 1) == 0) return;
    visitChunk(*region.chunk(static_cast<int>(place)), node(kChunkLog2));
  }

  // The areas on the way, one by one, over what holds none by bigger steps.
  void walkAreas() {
    const std::int64_t width = std::int64_t{1} << (shift_ + kAreaLog2);
    const Line& line = gathering_.scene.line;
    GridWalk<3> walk(line.from(), line.segment().to, {width, width, width}, CornerPolicy::kBoth);
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > gathering_.clip() || !spend()) return;
      const ChunkCoord chunk{cell.cell[0] * 16, cell.cell[1] * 16, cell.cell[2] * 16};
      const Area* const area = chunks_.area(chunk);
      if (area != nullptr && area->loaded() != 0) {
        const Vec3i index = path_.mirrored(cell.cell);
        visitArea(*area, {.index = index,
                          .has_first = index == shiftedDown(first_, kAreaLog2),
                          .has_last = index == shiftedDown(last_, kAreaLog2)});
        if (done_) return;
      } else if (!walk.atCorner()) {
        skipCube(walk, cell.cell, *chunks_.emptyCubeLog2(chunk) - 4, 1);
      }
    } while (walk.next());
  }

  // Up to 4 areas on each axis, from the first one on.
  void visitWindow() {
    const Vec3i origin = shiftedDown(first_, kAreaLog2);
    const Vec3i end = shiftedDown(last_, kAreaLog2) - origin;
    std::uint64_t slots = touched(origin * (1 << kAreaLog2), kAreaLog2);
    slots = path_.mirrored(slots) & kUntilSlot[slotOf(end)];
    for (; slots != 0 && !done_; slots &= slots - 1) {
      const Vec3i offset = offsetOf(slots);
      const Vec3i index = origin + offset;
      if (isBehindLimit(index, kAreaLog2) || !spend()) continue;
      const Area* const area = chunks_.area(chunkAt(index * 16));
      if (area == nullptr) continue;
      visitArea(*area, {.index = index, .has_first = offset == Vec3i{}, .has_last = offset == end});
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
    const BlockSet* const occupied = chunk.occupied();
    const std::uint64_t bricks = occupied == nullptr ? ~std::uint64_t{0} : occupied->bricks();
    const BlockSet* const deferring = may_defer_ ? chunk.children() : nullptr;
    forEachPart(node, kChunkLog2, bricks, [&](unsigned slot, const Node& part) {
      const int brick = static_cast<int>(slot);
      std::uint64_t blocks = occupied == nullptr ? ~std::uint64_t{0} : occupied->word(brick);
      if (deferring != nullptr) blocks &= ~deferring->word(brick);
      forEachPart(part, kBrickLog2, blocks,
                  [&](unsigned, const Node& block) { visitBlock(chunk, block.index); });
    });
  }

  void visitBlock(const Chunk& chunk, const Vec3i& index) {
    ++gathering_.stats.cells;
    const std::optional<CellCrossing> crossing = crossings_.find(index);
    if (!crossing.has_value() || HitTime(crossing->cell.t) > gathering_.clip()) return;
    const Vec3i& cell = crossing->cell.cell;
    if (!gathering_.meetBlock(level_, chunk, {cell[0], cell[1], cell[2]}, crossing->cell)) return;
    // Only other blocks of the same corner are met at the same time; they lie before `corner_end`.
    done_ = crossing->corner_end == index;
    is_limited_ = true;
    limit_ = crossing->corner_end;
  }

  // Calls `visit(slot, part)` for the parts of a node that are in `present` (a mask by slots) and
  // on the way, in the order of the way.
  template <class Visit>
  void forEachPart(const Node& node, int log2, std::uint64_t present, const Visit& visit) {
    if (!spend()) return;
    std::uint64_t slots = present & touched(node.index * (1 << log2), log2 - 2);
    if (slots == 0) return;
    slots = path_.mirrored(slots);
    const unsigned first_slot = slotOf(shiftedDown(first_, log2 - 2));
    const unsigned last_slot = slotOf(shiftedDown(last_, log2 - 2));
    if (node.has_first) slots &= kFromSlot[first_slot];
    if (node.has_last) slots &= kUntilSlot[last_slot];
    const Vec3i origin = node.index * 4;
    for (; slots != 0 && !done_; slots &= slots - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(slots));
      const Node part{.index = origin + offsetOf(slots),
                      .has_first = node.has_first && slot == first_slot,
                      .has_last = node.has_last && slot == last_slot};
      if (isBehindLimit(part.index, log2 - 2)) continue;
      visit(slot ^ path_.flip(), part);
    }
  }

  // Of the cube of 4 x 4 x 4 parts, 2^part_log2 blocks wide, that begins at `block`: the parts that
  // the line touches.
  std::uint64_t touched(const Vec3i& block, int part_log2) const {
    const Vec3i corner = block * (std::int64_t{1} << shift_) - path_.start();
    return path_.touched<Product>(corner, shift_ + part_log2);
  }

  // The place in its node of the first slot of a mirrored mask.
  static Vec3i offsetOf(std::uint64_t slots) {
    const int slot = std::countr_zero(slots);
    return {slot & 3, (slot >> 2) & 3, slot >> 4};
  }

  ChunkCoord chunkAt(const Vec3i& mirrored) const {
    const Vec3i chunk = path_.mirrored(mirrored);
    return {chunk[0], chunk[1], chunk[2]};
  }

  bool isBehindLimit(const Vec3i& index, int log2) const {
    if (!is_limited_) return false;
    for (int axis = 0; axis < 3; ++axis) {
      if (index[axis] << log2 > limit_[axis]) return true;
    }
    return false;
  }

  // Counts a look at a cube; false where the budget is used up.
  bool spend() {
    if (gathering_.spend(gathering_.stats.skips)) return true;
    done_ = true;
    return false;
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
  bool is_limited_ = false;  // nothing with a block beyond limit_ on any axis is met any more
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
  if (gathering.clip() < HitTime(Fraction::one())) {
    last = crossings.cellAfter(gathering.clip().upperBound());
  }
  if (path.fits64(shift + kWindowLog2)) {
    FastPass<std::int64_t>(gathering, path, crossings, level, first, last).run();
  } else {
    FastPass<absl::int128>(gathering, path, crossings, level, first, last).run();
  }
}

}  // namespace fractalray::internal
