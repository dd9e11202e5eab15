// SPDX-License-Identifier: Apache-2.0
#include "block_pass_fast.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/numeric/int128.h"

#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/cell_crossing.h"
#include "../../../levels/internal/world_content.h"
#include "tree_traversal.h"

namespace fractalray::internal {
namespace {

struct BlockRange {
  Vec3i first;
  Vec3i last;
};

// Product as in PathMask::touched.
template <class Product>
class BlockPass {
 public:
  BlockPass(CandidateCollector& collector, const CellCrossings& crossings, const PathMask& path,
            int level, const BlockRange& range)
      : collector_(collector),
        crossings_(crossings),
        tree_(collector,
              {path, collector.context.world.frame().blockShift(level), range.first, range.last}),
        chunks_(Access::content(collector.context.world).level(level)),
        level_(level),
        may_defer_(collector.context.levels.contains(level + 1)) {}

  // Begins at the smallest node that holds the whole range, 2^log2 blocks wide.
  void run(int log2) {
    if (log2 > kAreaLog2) {
      tree_.forEachArea(chunks_, log2,
                        [&](const Area& area, const PathNode& node) { visitArea(area, node); });
    } else {
      visitSmallest(log2);
    }
  }

 private:
  void visitSmallest(int log2) {
    const Vec3i first = descent().path().mirrored(descent().first());
    const BlockCoord block{first[0], first[1], first[2]};
    const Area* const area = chunks_.area(chunkOf(block));
    if (area == nullptr) return;
    if (log2 > kRegionLog2) return visitArea(*area, descent().nodeAround(kAreaLog2));
    const int region_slot = slotInArea(chunkOf(block));
    if (((area->occupied() >> region_slot) & 1) == 0) return;
    const Region& region = *area->region(region_slot);
    if (log2 > kChunkLog2) return visitRegion(region, descent().nodeAround(kRegionLog2));
    const int chunk_slot = slotInRegion(chunkOf(block));
    if (((region.occupied() >> chunk_slot) & 1) == 0) return;
    const Chunk& chunk = *region.chunk(chunk_slot);
    if (log2 > kBrickLog2) return visitChunk(chunk, descent().nodeAround(kChunkLog2));
    ++collector_.stats.chunks;
    const int brick = BlockSet::brickOf(indexInChunk(block));
    if (!hasBit(chunk.occupied().bricks(), brick)) return;
    const std::uint64_t blocks = blocksOf(chunk, brick);
    if (log2 > 0) return visitBrick(chunk, blocks, descent().nodeAround(kBrickLog2));
    const int bit = BlockSet::bitOf(indexInChunk(block));
    if (((blocks >> bit) & 1) != 0) visitBlock(chunk, descent().nodeAround(0));
  }

  void visitArea(const Area& area, const PathNode& node) {
    tree_.forEachPart(node, kAreaLog2, area.occupied(), [&](int slot, const PathNode& part) {
      visitRegion(*area.region(slot), part);
      if (hasEnough()) [[unlikely]]
        pauseAfter(part, kRegionLog2);
    });
    if (hasEnough()) [[unlikely]]
      pauseAfter(node, kAreaLog2);
  }

  void visitRegion(const Region& region, const PathNode& node) {
    tree_.forEachPart(node, kRegionLog2, region.occupied(), [&](int slot, const PathNode& part) {
      visitChunk(*region.chunk(slot), part);
    });
  }

  void visitChunk(const Chunk& chunk, const PathNode& node) {
    ++collector_.stats.chunks;
    std::uint64_t bricks = chunk.occupied().bricks();
    if (may_defer_ && chunk.children() != nullptr) bricks &= ~chunk.children()->fullBricks();
    tree_.forEachPart(node, kChunkLog2, bricks, [&](int brick, const PathNode& part) {
      visitBrick(chunk, blocksOf(chunk, brick), part);
    });
  }

  // Returns the blocks of a brick, which holds some, that do not defer.
  std::uint64_t blocksOf(const Chunk& chunk, int brick) const {
    const std::uint64_t blocks = chunk.occupied().presentWord(brick);
    const BlockSet* const deferring = may_defer_ ? chunk.children() : nullptr;
    return deferring == nullptr ? blocks : blocks & ~deferring->word(brick);
  }

  void visitBrick(const Chunk& chunk, std::uint64_t blocks, const PathNode& node) {
    tree_.forEachPart(node, kBrickLog2, blocks,
                      [&](int, const PathNode& block) { visitBlock(chunk, block); });
  }

  void visitBlock(const Chunk& chunk, const PathNode& node) {
    if (!tree_.spend(collector_.stats.cells)) return;
    const Vec3i mirrored = shiftedDown(node.corner + descent().path().start(), descent().shift());
    const std::optional<CellCrossing> crossing = crossings_.find(mirrored);
    if (!crossing.has_value() || collector_.limit().excludes(crossing->cell.t)) return;
    const Vec3i& cell = crossing->cell.cell;
    const BlockCoord block{cell[0], cell[1], cell[2]};
    const BlockTypeId type = chunk.occupiedBlock(indexInChunk(block));
    if (!collector_.addBlock(level_, type, block, crossing->cell)) return;
    if (collector_.limit().time > HitTime(crossing->cell.t)) [[unlikely]] {
      // A shape that was hit later than its cell was entered: perhaps as others are entered.
      tree_.setDone(collector_.reading() == CandidateCollector::Reading::kDone);
      return tree_.limitTo(crossings_.cellAfter(collector_.limit().time));
    }
    // Only other blocks at the same corner are hit at the same time: none is beyond corner_end.
    tree_.setDone(crossing->corner_end == mirrored);
    tree_.limitTo(crossing->corner_end);
  }

  // Pauses where the line leaves a cube, since this slice has taken enough steps; other blocks at
  // the same corner are still found.
  void pauseAfter(const PathNode& cube, int log2) {
    const auto times = tree_.timesIn(cube, log2);
    if (tree_.isDone() || times.exit < times.entry || times.exit >= Fraction::one()) return;
    if (times.exit <= collector_.context.line.begin()) return;
    if (!collector_.pauseIfEnough(times.exit)) return;
    tree_.limitTo(crossings_.cellAfter(collector_.limit().time));
  }

  bool hasEnough() const { return collector_.reading() == CandidateCollector::Reading::kEnough; }
  const LineDescent<Product>& descent() const { return tree_.descent(); }

  CandidateCollector& collector_;
  const CellCrossings& crossings_;
  TreeTraversal<Product> tree_;
  const Level& chunks_;
  int level_;
  bool may_defer_;
};

// Returns true if all blocks of the aligned cube around `block`, 2^log2 blocks wide, are expanded
// into loaded chunks of the next finer level. May be a false negative if the cube is wider than a
// chunk.
bool areAllExpanded(const Level& finer, const BlockCoord& block, int log2) {
  if (log2 > kChunkLog2) return false;
  const ChunkCoord child = childChunk(block);
  const Area* const area = finer.area(child);
  if (area == nullptr) return false;
  if (log2 > kBrickLog2) return area->complete() == ~std::uint64_t{0};
  const int slot = slotInArea(child);
  if (hasBit(area->complete(), slot)) return true;
  if (log2 > 0 || !hasBit(area->loaded(), slot)) return false;
  return area->region(slot)->chunk(slotInRegion(child)) != nullptr;
}

}  // namespace

void collectBlocksFast(CandidateCollector& collector, const PathMask& path, int level) {
  const QueryContext& context = collector.context;
  const int shift = context.world.frame().blockShift(level);
  const CellCrossings crossings(path, shift, context.options.corner);
  BlockRange range{crossings.first(), crossings.last()};
  if (collector.start() != nullptr) range.first = crossings.cellBefore(*collector.start());
  if (collector.limit().is_early) range.last = crossings.cellAfter(collector.limit().time);
  const ChunkBounds& loaded = Access::content(context.world).level(level).bounds();
  const Vec3i min = shiftedUp(loaded.min(), 0);
  const Vec3i max = shiftedUp(loaded.max(), 0);
  if (!crossings.cutToBox(min, max, kChunkLog2, range.first, range.last)) return;
  const int log2 = commonCubeLog2(range.first, range.last);
  if (context.levels.contains(level + 1)) {
    const Vec3i block = path.mirrored(range.first);
    const Level& finer = Access::content(context.world).level(level + 1);
    if (areAllExpanded(finer, {block[0], block[1], block[2]}, log2)) return;
  }
  if (path.fits64(shift + std::min(log2, kWindowLog2))) {
    BlockPass<std::int64_t>(collector, crossings, path, level, range).run(log2);
  } else {
    BlockPass<absl::int128>(collector, crossings, path, level, range).run(log2);
  }
}

}  // namespace fractalray::internal
