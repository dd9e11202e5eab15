// SPDX-License-Identifier: Apache-2.0
#include "block_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "../core/arithmetic/int128.h"
#include "../core/frame.h"
#include "../core/internal/access.h"
#include "../core/internal/tree64/cube.h"
#include "../core/tree64.h"
#include "../core/units.h"
#include "../entities/internal/rounded_box.h"
#include "../levels/internal/shape_crossing.h"
#include "../levels/internal/world_content.h"
#include "internal/search/block_acceptance.h"
#include "internal/search/query_checks.h"
#include "internal/search/search_checks.h"

namespace fractalray {
namespace {

using internal::Cube;
using internal::Int128;
using internal::RoundedBox;

// Returns the units between a closed box and the closed interval [low, high] along an axis; 0 if
// they touch.
std::int64_t gapAlong(int axis, std::int64_t low, std::int64_t high, const RoundedBox& box) {
  return std::max({low - box.max[axis], box.min[axis] - high, std::int64_t{0}});
}

// The squared distances, in units, of the blocks and bricks of a chunk from the box of a reach:
// sums of one square per axis, each of which is the same for a layer of blocks. Below 2^126.
class ChunkDistances {
 public:
  // `shift` is log2 of the width of a block, in units.
  ChunkDistances(const Vec3i& chunk, int shift, const RoundedBox& reach) {
    const std::int64_t width = std::int64_t{1} << shift;
    for (int axis = 0; axis < 3; ++axis) {
      Squares& squares = blocks_[static_cast<std::size_t>(axis)];
      for (int i = 0; i < kChunkSize; ++i) {
        const std::int64_t low = (chunk[axis] * kChunkSize + i) * width;
        const std::int64_t gap = gapAlong(axis, low, low + width, reach);
        squares[static_cast<std::size_t>(i)] = Int128(gap) * gap;
      }
    }
  }

  Int128 ofBlock(const Vec3i& in_chunk) const {
    return square(0, in_chunk[0]) + square(1, in_chunk[1]) + square(2, in_chunk[2]);
  }
  // Returns the squared distance of the brick's nearest block.
  Int128 ofBrick(const Vec3i& brick) const {
    return nearest(0, brick[0]) + nearest(1, brick[1]) + nearest(2, brick[2]);
  }

 private:
  using Squares = std::array<Int128, kChunkSize>;

  Int128 square(int axis, std::int64_t i) const {
    return blocks_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(i)];
  }
  Int128 nearest(int axis, std::int64_t brick) const {
    const std::int64_t first = brick * 4;
    return std::min(std::min(square(axis, first), square(axis, first + 1)),
                    std::min(square(axis, first + 2), square(axis, first + 3)));
  }

  std::array<Squares, 3> blocks_;
};

double blocksFromSquaredUnits(Int128 squared) {
  return std::sqrt(static_cast<double>(squared)) / static_cast<double>(kUnitsPerBlock);
}

ChunkCoord chunkAt(const Vec3i& at) {
  return {at[0], at[1], at[2]};
}

// The blocks that a search looks for.
struct BlockScope {
  const World& world;
  LevelMask levels;
  const QueryFilter& filter;

  BlockKind kindOf(BlockTypeId type) const {
    return internal::acceptedKind(filter, world.blockTypes(), type);
  }
  // Returns the squared distance, in units, of a block of the world from the box of a reach: that
  // of the nearest box of its shape. Below 2^126.
  Int128 squaredDistance(int level, BlockTypeId type, const BlockCoord& block,
                         const RoundedBox& reach) const {
    const BlockTypeTable& types = world.blockTypes();
    const int shift = world.frame().blockShift(level);
    std::optional<Int128> nearest;
    for (const ShapeBox& box : types.boxes(types.shape(type, filter.channel))) {
      Int128 squared = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        const std::int64_t gap =
            gapAlong(axis, internal::placedPlane(block[axis], box.min[i], shift),
                     internal::placedPlane(block[axis], box.max[i], shift), reach);
        squared += Int128(gap) * gap;
      }
      if (!nearest.has_value() || squared < *nearest) nearest = squared;
    }
    return *nearest;  // shapes of blocks that are not empty have boxes
  }
  bool accepts(const FoundBlock& found) const {
    return internal::acceptsBlock(filter, found.level, found.block, found.type, found.kind);
  }
};

// Finds the blocks of one level within a reach.
class LevelSearch {
 public:
  LevelSearch(const BlockScope& scope, int level, const RoundedBox& reach,
              std::vector<FoundBlock>& found, BlockSearchStats& stats)
      : scope_(scope),
        level_(level),
        chunks_(internal::Access::content(scope.world).level(level)),
        shift_(scope.world.frame().blockShift(level)),
        defers_(scope.levels.contains(level + 1)),
        reach_(reach),
        squared_radius_(Int128(reach.radius) * reach.radius),
        first_(reach.firstCell(shift_)),
        last_(reach.lastCell(shift_)),
        first_chunk_(chunkAt(internal::shiftedDown(first_, internal::kChunkLog2))),
        last_chunk_(chunkAt(internal::shiftedDown(last_, internal::kChunkLog2))),
        found_(found),
        stats_(stats) {}

  void run() {
    if (chunks_.loadedChunks() == 0) return;
    internal::forEachCubeAround(first_chunk_, last_chunk_, [&](const Cube& cube) { visit(cube); });
  }

 private:
  static constexpr int kAreaScale = 2;

  static ChunkCoord firstChunk(const Cube& cube) {
    return chunkAt(internal::shiftedUp(cube.at, 2 * cube.scale));
  }

  // Without a radius the box of blocks decides.
  bool isWithin(const Cube& cube) const {
    if (reach_.radius == 0) return true;
    const std::int64_t width = std::int64_t{1} << (shift_ + internal::kChunkLog2 + 2 * cube.scale);
    const Vec3i min = cube.at * width;
    return reach_.meets(min, min + Vec3i{width, width, width});
  }

  // Returns the parts of a cube larger than a region that may hold blocks, as bits by slots.
  std::uint64_t partsOf(const Cube& cube) const {
    if (cube.scale > kAreaScale) {
      return chunks_.areas().present().children(cube.scale - kAreaScale - 1, cube.at);
    }
    const internal::Area* const area = chunks_.area(firstChunk(cube));
    return area == nullptr ? 0 : area->occupied();
  }

  void visit(const Cube& cube) {
    ++stats_.cubes;
    if (!isWithin(cube)) return;
    if (cube.scale == 1) return visitRegion(cube);
    const std::uint64_t slots =
        partsOf(cube) & internal::slotsBetween(cube, first_chunk_, last_chunk_);
    internal::forEachSlot(slots, [&](int slot) { visit(cube.part(slot)); });
  }

  void visitRegion(const Cube& cube) {
    const internal::Region* const region = chunks_.region(firstChunk(cube));
    if (region == nullptr) return;
    const std::uint64_t slots =
        region->occupied() & internal::slotsBetween(cube, first_chunk_, last_chunk_);
    internal::forEachSlot(slots, [&](int slot) {
      const Cube chunk = cube.part(slot);
      if (isWithin(chunk)) visitChunk(chunk.at, *region->chunk(slot));
    });
  }

  void visitChunk(const Vec3i& at, const Chunk& chunk) {
    ++stats_.chunks;
    const ChunkDistances distances(at, shift_, reach_);
    const Vec3i first_brick = internal::shiftedDown(first_, internal::kBrickLog2);
    const Vec3i last_brick = internal::shiftedDown(last_, internal::kBrickLog2);
    const std::uint64_t bricks =
        chunk.occupied().bricks() & internal::slotsBetween(at * 4, first_brick, last_brick);
    internal::forEachSlot(bricks, [&](int brick) {
      if (distances.ofBrick(internal::offsetOf(brick)) > squared_radius_) return;
      visitBrick(at, chunk, brick, distances);
    });
  }

  void visitBrick(const Vec3i& at, const Chunk& chunk, int brick, const ChunkDistances& distances) {
    ++stats_.bricks;
    const Vec3i corner = internal::offsetOf(brick) * 4;
    std::uint64_t blocks = chunk.occupied().presentWord(brick) &
                           internal::slotsBetween(at * kChunkSize + corner, first_, last_);
    if (defers_ && chunk.children() != nullptr) blocks &= ~chunk.children()->word(brick);
    internal::forEachSlot(blocks, [&](int slot) {
      const Vec3i in_chunk = corner + internal::offsetOf(slot);
      const Int128 squared = distances.ofBlock(in_chunk);
      if (squared <= squared_radius_) visitBlock(at, chunk, in_chunk, squared);
    });
  }

  void visitBlock(const Vec3i& at, const Chunk& chunk, const Vec3i& in_chunk, Int128 squared) {
    ++stats_.blocks;
    const int index = indexInChunk({in_chunk[0], in_chunk[1], in_chunk[2]});
    const BlockTypeId type = chunk.occupiedBlock(index);
    const BlockKind kind = scope_.kindOf(type);
    if (kind == BlockKind::kEmpty) return;
    const BlockCoord block = blockOf(chunkAt(at), index);
    if (scope_.world.blockTypes().shape(type, scope_.filter.channel) != kWholeCube) {
      squared = scope_.squaredDistance(level_, type, block, reach_);
      if (squared > squared_radius_) return;
    }
    const FoundBlock found{.level = level_,
                           .type = type,
                           .kind = kind,
                           .block = block,
                           .distance = blocksFromSquaredUnits(squared)};
    if (scope_.accepts(found)) found_.push_back(found);
  }

  const BlockScope& scope_;
  int level_;
  const internal::Level& chunks_;
  int shift_;
  bool defers_;  // true if expanded blocks are not found
  const RoundedBox& reach_;
  Int128 squared_radius_;
  Vec3i first_;  // the box of blocks around the reach, inclusive
  Vec3i last_;
  ChunkCoord first_chunk_;  // and that of chunks
  ChunkCoord last_chunk_;
  std::vector<FoundBlock>& found_;
  BlockSearchStats& stats_;
};

// The finer level first, then by index.
bool comesBefore(const FoundBlock& x, const FoundBlock& y) {
  return x.level != y.level ? x.level > y.level : x.block < y.block;
}

// Orders blocks found around a point: by the exact distance, then as above.
class Closer {
 public:
  Closer(const BlockScope& scope, const RoundedBox& reach) : scope_(&scope), reach_(&reach) {}

  bool operator()(const FoundBlock& x, const FoundBlock& y) const {
    // Rounding is monotone: exact distances are in the order of their doubles if these differ.
    if (x.distance != y.distance) return x.distance < y.distance;
    if (x.distance != 0) {
      const Int128 of_x = squaredDistance(x);
      const Int128 of_y = squaredDistance(y);
      if (of_x != of_y) return of_x < of_y;
    }
    return comesBefore(x, y);
  }

 private:
  Int128 squaredDistance(const FoundBlock& found) const {
    return scope_->squaredDistance(found.level, found.type, found.block, *reach_);
  }

  const BlockScope* scope_;
  const RoundedBox* reach_;
};

void collectWithin(const BlockScope& scope, const RoundedBox& reach, std::vector<FoundBlock>& found,
                   BlockSearchStats& stats) {
  if (!scope.filter.blocks) return;
  for (int level = scope.world.frame().levels() - 1; level >= 0; --level) {
    if (scope.levels.contains(level)) LevelSearch(scope, level, reach, found, stats).run();
  }
}

absl::Status checkScope(const BlockScope& scope) {
  absl::Status status = internal::checkLevels(scope.levels, scope.world.frame());
  if (!status.ok()) return status;
  return internal::checkChannel(scope.filter.channel, scope.world.blockTypes());
}

}  // namespace

absl::Status blocksInSphere(const World& world, const Vec3d& center, double radius,
                            LevelMask levels, const QueryFilter& filter,
                            std::vector<FoundBlock>& found, BlockSearchStats* stats) {
  found.clear();
  BlockSearchStats uncounted;
  BlockSearchStats& counters = stats != nullptr ? *stats : uncounted;
  counters = {};
  const BlockScope scope{world, levels, filter};
  absl::Status status = checkScope(scope);
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> point = toUnits(center, "the sphere's centre");
  const absl::StatusOr<std::int64_t> length =
      internal::unitsFromLength(radius, "the sphere's radius");
  if (!point.ok() || !length.ok()) return errorToReport({point.status(), length.status()});
  const RoundedBox reach{.min = *point, .max = *point, .radius = *length};
  collectWithin(scope, reach, found, counters);
  std::sort(found.begin(), found.end(), Closer(scope, reach));
  return absl::OkStatus();
}

absl::Status blocksInBox(const World& world, const Vec3d& min, const Vec3d& max, LevelMask levels,
                         const QueryFilter& filter, std::vector<FoundBlock>& found,
                         BlockSearchStats* stats) {
  found.clear();
  BlockSearchStats uncounted;
  BlockSearchStats& counters = stats != nullptr ? *stats : uncounted;
  counters = {};
  const BlockScope scope{world, levels, filter};
  absl::Status status = checkScope(scope);
  if (!status.ok()) return status;
  const absl::StatusOr<Vec3i> low = toUnits(min, "the box's min");
  const absl::StatusOr<Vec3i> high = toUnits(max, "the box's max");
  status = errorToReport({low.status(), high.status(), internal::checkSearchBox(min, max)});
  if (!status.ok()) return status;
  collectWithin(scope, {.min = *low, .max = *high}, found, counters);
  std::sort(found.begin(), found.end(), comesBefore);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<FoundBlock>> blocksInSphere(const World& world, const Vec3d& center,
                                                       double radius, LevelMask levels,
                                                       const QueryFilter& filter) {
  std::vector<FoundBlock> found;
  absl::Status status = blocksInSphere(world, center, radius, levels, filter, found);
  if (!status.ok()) return status;
  return found;
}

absl::StatusOr<std::vector<FoundBlock>> blocksInBox(const World& world, const Vec3d& min,
                                                    const Vec3d& max, LevelMask levels,
                                                    const QueryFilter& filter) {
  std::vector<FoundBlock> found;
  absl::Status status = blocksInBox(world, min, max, levels, filter, found);
  if (!status.ok()) return status;
  return found;
}

}  // namespace fractalray
