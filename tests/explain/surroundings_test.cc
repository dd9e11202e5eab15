// SPDX-License-Identifier: Apache-2.0
// The blocks next to a line, compared with a search of every block around it.
#include "../../query/explain/surroundings.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../core/grid_walk.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using internal::QueryContext;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

QueryContext contextOf(const World& world, const EntityIndex& entities, const QueryOptions& options,
                       LevelMask levels) {
  return {.world = world,
          .entities = entities,
          .callbacks = nullptr,
          .options = options,
          .levels = levels,
          .line = Line(FixedSegment{})};
}

// Returns the block that the shot could hit there, from the world alone.
BlockTypeId typeAt(const QueryContext& context, int level, const BlockCoord& block) {
  const Chunk* const chunk = context.world.chunk(level, chunkOf(block));
  if (chunk == nullptr) return kAir;
  const int index = indexInChunk(block);
  const BlockTypeId type = chunk->block(index);
  const ChunkCoord inside{block[0], block[1], block[2]};
  const bool defers = context.levels.contains(level + 1) &&
                      context.world.chunkState(level + 1, inside) == ChunkState::kLoaded;
  const BlockKind kind = context.world.blockTypes().kind(type, context.options.filter.channel);
  return defers || kind == BlockKind::kEmpty ? kAir : type;
}

std::int64_t distanceOf(const BlockCoord& block, const std::vector<Vec3i>& cells) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Vec3i& cell : cells) {
    std::int64_t most = 0;
    for (int axis = 0; axis < 3; ++axis)
      most = std::max(most, std::abs(block[axis] - cell[axis]));
    least = std::min(least, most);
  }
  return least;
}

// Every block of the box around the cells, one by one.
std::vector<NearBlock> allAround(const QueryContext& context, int level,
                                 const std::vector<Vec3i>& cells, int margin) {
  Vec3i min = cells.front();
  Vec3i max = min;
  for (const Vec3i& cell : cells) {
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = std::min(min[axis], cell[axis] - margin);
      max[axis] = std::max(max[axis], cell[axis] + margin);
    }
  }
  std::vector<std::tuple<std::int64_t, BlockCoord, BlockTypeId>> found;
  for (std::int64_t x = min[0]; x <= max[0]; ++x) {
    for (std::int64_t y = min[1]; y <= max[1]; ++y) {
      for (std::int64_t z = min[2]; z <= max[2]; ++z) {
        const BlockCoord block{x, y, z};
        const std::int64_t distance = distanceOf(block, cells);
        const BlockTypeId type = typeAt(context, level, block);
        if (distance == 0 || distance > margin || type == kAir) continue;
        int covered = 0;
        for (int axis = 0; axis < 3; ++axis) {
          for (const std::int64_t side : {-1, 1}) {
            BlockCoord next = block;
            next[axis] += side;
            covered += typeAt(context, level, next) != kAir ? 1 : 0;
          }
        }
        if (covered < 6) found.emplace_back(distance, block, type);
      }
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<NearBlock> blocks;
  for (const auto& [distance, block, type] : found)
    blocks.push_back({block, type});
  return blocks;
}

TEST(SurroundingsTest, EqualASearchOfEveryBlock) {
  oracle::Rng rng("SurroundingsTest");
  std::size_t seen = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const auto scene = oracle::randomScene(rng, 1 + rng.below(4), 0, 200);
    QueryOptions options;
    if (rng.oneIn(2)) options.filter.channel = oracle::kVisible;
    const int levels = scene->world.frame().levels();
    const int level = rng.below(levels);
    LevelMask mask = {level};
    if (level + 1 < levels && rng.oneIn(2)) mask.add(level + 1);
    const QueryContext context = contextOf(scene->world, scene->entities, options, mask);
    // Cells around what is loaded.
    std::vector<Vec3i> cells;
    const std::int64_t width = scene->world.frame().blockWidth(level);
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] = floorDiv(scene->center[axis], width) + rng.in(-12, 12);
    for (int i = 0; i < 1 + rng.below(12); ++i) {
      cells.push_back(cell);
      cell[rng.below(3)] += rng.pick({-1, 1, 1});
    }
    const int margin = rng.below(4);
    const std::vector<NearBlock> expected = allAround(context, level, cells, margin);
    EXPECT_EQ(blocksAround(context, level, cells, margin, 100'000), expected);
    const std::size_t few = expected.size() / 2;
    EXPECT_EQ(blocksAround(context, level, cells, margin, few),
              std::vector<NearBlock>(expected.begin(),
                                     expected.begin() + static_cast<std::ptrdiff_t>(few)));
    seen += expected.size();
  }
  EXPECT_GT(seen, 1000U);
}

TEST(SurroundingsTest, NoCellsAndNoMarginAreNothing) {
  World world;
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone"});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(stone, world.blockTypes())).ok());
  const EntityIndex entities(world.frame());
  const QueryOptions options;
  const QueryContext context = contextOf(world, entities, options, {0});
  const std::vector<Vec3i> corner = {{0, 0, 0}};
  EXPECT_THAT(blocksAround(context, 0, {}, 2, 10), IsEmpty());
  EXPECT_THAT(blocksAround(context, 0, corner, 0, 10), IsEmpty());
  // Only the blocks at the faces of a full chunk can be seen.
  EXPECT_THAT(blocksAround(context, 0, corner, 1, 3),
              ElementsAre(NearBlock{{0, 0, 1}, stone}, NearBlock{{0, 1, 0}, stone},
                          NearBlock{{0, 1, 1}, stone}));
  const std::vector<Vec3i> middle = {{8, 8, 8}};
  EXPECT_THAT(blocksAround(context, 0, middle, 3, 10), IsEmpty());
}

}  // namespace
}  // namespace fractalray
