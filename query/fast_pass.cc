// SPDX-License-Identifier: Apache-2.0
#include "fractalray/query/fast_pass.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/numeric/int128.h"
#include "fractalray/core/cell_crossing.h"
#include "fractalray/core/grid_walk.h"
#include "fractalray/query/path_descent.h"
#include "fractalray/query/plain_pass.h"

namespace fractalray::internal {
namespace {

// Product as in PathMask::touched.
template <class Product>
class FastPass {
 public:
  FastPass(Gathering& gathering, const CellCrossings& crossings, int level,
           const PathDescent<Product>& descent)
      : gathering_(gathering),
        crossings_(crossings),
        descent_(descent),
        chunks_(gathering.scene.world.level(level)),
        level_(level),
        may_defer_(gathering.scene.levels.contains(level + 1)) {}

  // Begins at the smallest cube that holds the whole range, 2^log2 blocks wide.
  void run(int log2) {
    if (log2 > kWindowLog2) {
      walkAreas();
    } else if (log2 > kAreaLog2) {
      visitWindow();
    } else {
      visitSmallest(log2);
    }
  }

 private:
  void visitSmallest(int log2) {
    const Vec3i first = descent_.path().mirrored(descent_.first());
    const BlockCoord block{first[0], first[1], first[2]};
    const Area* const area = chunks_.area(chunkOf(block));
    if (area == nullptr) return;
    if (log2 > kRegionLog2) return visitArea(*area, descent_.nodeAround(kAreaLog2));
    const int region_slot = Area::slotOf(chunkOf(block));
    if (((area->occupied() >> region_slot) & 1) == 0) return;
    const Region& region = *area->region(region_slot);
    if (log2 > kChunkLog2) return visitRegion(region, descent_.nodeAround(kRegionLog2));
    const int chunk_slot = Region::slotOf(chunkOf(block));
    if (((region.occupied() >> chunk_slot) & 1) == 0) return;
    const Chunk& chunk = *region.chunk(chunk_slot);
    if (log2 > kBrickLog2) return visitChunk(chunk, descent_.nodeAround(kChunkLog2));
    ++gathering_.stats.chunks;
    const int brick = BlockSet::brickOf(indexInChunk(block));
    if (((chunk.occupied().bricks() >> brick) & 1) == 0) return;
    const std::uint64_t blocks = blocksOf(chunk, brick);
    if (log2 > 0) return visitBrick(chunk, blocks, descent_.nodeAround(kBrickLog2));
    const int bit = BlockSet::bitOf(indexInChunk(block));
    if (((blocks >> bit) & 1) != 0) visitBlock(chunk, descent_.nodeAround(0));
  }

  // The areas on the way, one by one, over what holds none by bigger steps.
  void walkAreas() {
    const std::int64_t width = std::int64_t{1} << (descent_.shift() + kAreaLog2);
    const Line& line = gathering_.scene.line;
    GridWalk<3> walk(line.from(), line.segment().to, {width, width, width}, CornerPolicy::kBoth);
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > gathering_.clip() || !spend(gathering_.stats.skips)) return;
      const Vec3i index = descent_.path().mirrored(cell.cell);
      const ChunkCoord chunk = chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2));
      const Area* const area = chunks_.area(chunk);
      if (area != nullptr && area->loaded() != 0) {
        visitArea(*area, descent_.nodeAt(index, kAreaLog2));
        if (done_) return;
      } else if (!walk.atCorner()) {
        skipCube(walk, cell.cell, *chunks_.emptyCubeLog2(chunk) - 4, 1);
      }
    } while (walk.next());
  }

  void visitWindow() {
    for (std::uint64_t slots = descent_.window(); slots != 0 && !done_; slots &= slots - 1) {
      const unsigned slot = PathDescent<Product>::firstOf(slots);
      const Vec3i index = descent_.areaInWindow(slot);
      const Area* const area = chunks_.area(chunkAt(shiftedUp(index, kAreaLog2 - kChunkLog2)));
      if (area == nullptr) continue;
      const PathNode node = descent_.nodeInWindow(slot);
      if (!isBehindLimit(node)) visitArea(*area, node);
    }
  }

  void visitArea(const Area& area, const PathNode& node) {
    forEachPart(node, kAreaLog2, area.occupied(),
                [&](int slot, const PathNode& part) { visitRegion(*area.region(slot), part); });
  }

  void visitRegion(const Region& region, const PathNode& node) {
    forEachPart(node, kRegionLog2, region.occupied(),
                [&](int slot, const PathNode& part) { visitChunk(*region.chunk(slot), part); });
  }

  void visitChunk(const Chunk& chunk, const PathNode& node) {
    ++gathering_.stats.chunks;
    forEachPart(node, kChunkLog2, chunk.occupied().bricks(), [&](int brick, const PathNode& part) {
      visitBrick(chunk, blocksOf(chunk, brick), part);
    });
  }

  // The blocks of a brick, which holds some, that do not defer.
  std::uint64_t blocksOf(const Chunk& chunk, int brick) const {
    const std::uint64_t blocks = chunk.occupied().presentWord(brick);
    const BlockSet* const deferring = may_defer_ ? chunk.children() : nullptr;
    return deferring == nullptr ? blocks : blocks & ~deferring->word(brick);
  }

  void visitBrick(const Chunk& chunk, std::uint64_t blocks, const PathNode& node) {
    forEachPart(node, kBrickLog2, blocks,
                [&](int, const PathNode& block) { visitBlock(chunk, block); });
  }

  void visitBlock(const Chunk& chunk, const PathNode& node) {
    if (!spend(gathering_.stats.cells)) return;
    const Vec3i mirrored = shiftedDown(node.corner + descent_.path().start(), descent_.shift());
    const std::optional<CellCrossing> crossing = crossings_.find(mirrored);
    if (!crossing.has_value() || gathering_.isBehindClip(crossing->cell.t)) return;
    const Vec3i& cell = crossing->cell.cell;
    const BlockCoord block{cell[0], cell[1], cell[2]};
    const BlockTypeId type = chunk.occupiedBlock(indexInChunk(block));
    if (!gathering_.meetBlock(level_, type, block, crossing->cell)) return;
    // Only other blocks of the same corner are met at the same time: none is beyond corner_end.
    done_ = crossing->corner_end == mirrored;
    is_limited_ = true;
    limit_ = descent_.cornerOf(crossing->corner_end, 0);
  }

  // Calls `visit(slot, part)` for the parts of a node that are `present` (a mask by slots) and on
  // the way, in the order of the way.
  template <class Visit>
  void forEachPart(const PathNode& node, int log2, std::uint64_t present, const Visit& visit) {
    if (!spend(gathering_.stats.skips)) return;
    std::uint64_t slots = descent_.parts(node, log2, present);
    for (; slots != 0 && !done_; slots &= slots - 1) {
      const unsigned slot = PathDescent<Product>::firstOf(slots);
      const PathNode part = descent_.part(node, log2, slot);
      if (!isBehindLimit(part)) visit(descent_.levelSlot(slot), part);
    }
  }

  ChunkCoord chunkAt(const Vec3i& mirrored) const {
    const Vec3i chunk = descent_.path().mirrored(mirrored);
    return {chunk[0], chunk[1], chunk[2]};
  }

  bool isBehindLimit(const PathNode& node) const {
    return is_limited_ &&
           (node.corner[0] > limit_[0] || node.corner[1] > limit_[1] || node.corner[2] > limit_[2]);
  }

  // Counts a look at a cube or a block; false where the budget is used up.
  bool spend(std::uint64_t& counter) {
    done_ = !gathering_.spend(counter);
    return !done_;
  }

  Gathering& gathering_;
  const CellCrossings& crossings_;
  PathDescent<Product> descent_;
  const Level& chunks_;
  int level_;
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
    first = crossings.cellBefore(gathering.after()->time);
  }
  if (gathering.isClipped()) last = crossings.cellAfter(gathering.clip());
  const int log2 = commonCubeLog2(first, last);
  if (path.fits64(shift + std::min(log2, kWindowLog2))) {
    FastPass<std::int64_t>(gathering, crossings, level, {path, shift, first, last}).run(log2);
  } else {
    FastPass<absl::int128>(gathering, crossings, level, {path, shift, first, last}).run(log2);
  }
}

}  // namespace fractalray::internal
