// SPDX-License-Identifier: Apache-2.0
// Law S7 of shapes: a block of a shape in sixteenths answers as the chunk of the same boxes, into
// which it is expanded.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shaped_block.h"
#include "shaped_world.h"

namespace fractalray::shape_expansion_test {
namespace {

using oracle::Rng;
using shaped_world::Block;
using shaped_world::Boxes;
using shaped_world::lineAmong;
using shaped_world::randomBlocks;
using shaped_world::ShapedWorld;

constexpr int kWorlds = 200;
constexpr int kLines = 40;  // for each world

// Rounds boxes outwards to sixteenths.
Boxes inSixteenths(Boxes boxes) {
  for (ShapeBox& box : boxes) {
    for (std::size_t i = 0; i < 3; ++i) {
      box.min[i] = box.min[i] / 4096 * 4096;
      box.max[i] = (box.max[i] + 4095) / 4096 * 4096;
    }
  }
  return boxes;
}

// The visit of a block, from its hit or from those of its parts.
struct Visit {
  double t = 0;
  double t_exit = 0;
  Face face;
  bool start_inside = false;
  std::vector<HitSpan> spans;
};
using Visits = std::map<BlockCoord, Visit>;

Visits visitsOf(const ShapedWorld& scene, const ShotResult& shot, CornerPolicy policy) {
  Visits visits;
  for (const Hit& hit : shot.hits) {
    visits[hit.block] = {hit.t, hit.t_exit, hit.face, hit.start_inside,
                         scene.spans(shot, hit, policy)};
  }
  return visits;
}

// Returns the visits of the blocks of which the hits of level 1 are parts.
Visits visitsOfParts(const ShotResult& shot) {
  Visits visits;
  for (const Hit& hit : shot.hits) {
    EXPECT_EQ(hit.level, 1);
    const auto [at, is_first] =
        visits.try_emplace(BlockCoord{chunkOf(hit.block).values},
                           Visit{hit.t, hit.t_exit, hit.face, hit.start_inside, {}});
    Visit& visit = at->second;
    visit.t_exit = std::max(visit.t_exit, hit.t_exit);
    if (!is_first && hit.t <= visit.spans.back().t1) {
      visit.spans.back().t1 = std::max(visit.spans.back().t1, hit.t_exit);
    } else {
      visit.spans.push_back({hit.t, hit.t_exit});
    }
  }
  return visits;
}

// Loads, for each block, the chunk into which it expands, with its boxes of one type.
void expand(World& world, const std::vector<Block>& blocks) {
  BlockTypeTable& types = world.blockTypes();
  const BlockTypeId permeable =
      types.add({.name = "permeable", .kind = BlockKind::kPermeable}).value();
  const BlockTypeId solid = types.add({.name = "solid", .kind = BlockKind::kSolid}).value();
  for (const Block& block : blocks) {
    const BlockTypeId type = block.kind == BlockKind::kSolid ? solid : permeable;
    const ChunkCoord chunk = childChunk(block.at);
    EXPECT_TRUE(world.loadChunk(1, chunk, Chunk::uniform(kAir, types)).ok());
    for (const ShapeBox& box : block.boxes) {
      BlockCoord low = blockOf(chunk, 0);
      BlockCoord high = low;
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        low[axis] += box.min[i] / 4096;
        high[axis] += box.max[i] / 4096 - 1;
      }
      EXPECT_TRUE(world.fillBox(1, low, high, type).ok());
    }
  }
}

// Returns random blocks with boxes of sixteenths.
std::vector<Block> blocksInSixteenths(Rng& rng) {
  std::vector<Block> blocks = randomBlocks(rng, 5, 8);
  for (Block& block : blocks)
    block.boxes = inSixteenths(block.boxes);
  return blocks;
}

std::vector<Block> permeable(std::vector<Block> blocks) {
  for (Block& block : blocks)
    block.kind = BlockKind::kPermeable;
  return blocks;
}

// Blocks, and their expansion: the same boxes of finer blocks.
struct TwoWorlds {
  explicit TwoWorlds(std::vector<Block> some_blocks) : blocks(std::move(some_blocks)) {
    shaped.load(0, {0, 0, 0});
    shaped.put(0, blocks);
    expand(expanded.world(), blocks);
  }

  std::vector<Block> blocks;
  ShapedWorld shaped{2};
  ShapedWorld expanded{2};
};

// Checks the visit of a block against that of its parts, but for its end.
void expectSameEntry(const Visit& visit, const Visit& of_parts, CornerPolicy policy) {
  EXPECT_EQ(visit.t, of_parts.t);
  EXPECT_EQ(visit.start_inside, of_parts.start_inside);
  // Under `neither`, a part names the lowest of all the planes that the line crosses then.
  if (policy != CornerPolicy::kNeither) {
    EXPECT_EQ(visit.face, of_parts.face);
  }
}

TEST(ShapeExpansionTest, S7AShapeAnswersAsTheExpandedBlock) {
  Rng rng("S7");
  int visited = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const TwoWorlds worlds(permeable(blocksInSixteenths(rng)));
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, worlds.blocks, 20);
      for (const CornerPolicy policy : oracle::kPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line) + " policy " +
                     std::to_string(static_cast<int>(policy)));
        const Visits visits = visitsOf(worlds.shaped, worlds.shaped.shoot(line, policy), policy);
        const Visits of_parts = visitsOfParts(worlds.expanded.shoot(line, policy));
        ASSERT_EQ(visits.size(), of_parts.size());
        for (const auto& [block, visit] : visits) {
          const auto found = of_parts.find(block);
          ASSERT_NE(found, of_parts.end());
          expectSameEntry(visit, found->second, policy);
          EXPECT_EQ(visit.t_exit, found->second.t_exit);
          EXPECT_EQ(visit.spans, found->second.spans);
          ++visited;
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(visited, kWorlds * kLines);
}

// Returns the visits that begin before a time, at which a shot ends.
Visits before(double end, const Visits& visits) {
  Visits earlier;
  for (const auto& [block, visit] : visits) {
    if (visit.t < end) earlier[block] = visit;
  }
  return earlier;
}

// Returns the block that alone is entered at a time; nothing if several are.
std::optional<BlockCoord> onlyBlockAt(double time, const Visits& visits) {
  std::optional<BlockCoord> only;
  for (const auto& [block, visit] : visits) {
    if (visit.t != time) continue;
    if (only.has_value()) return std::nullopt;
    only = block;
  }
  return only;
}

// Some blocks are solid. Of blocks that are entered at once, each level has its own order: the one
// that ends the line is then another.
TEST(ShapeExpansionTest, S7ASolidShapeEndsALineWhereTheExpandedBlockDoes) {
  Rng rng("S7 solid");
  int blocked = 0;
  int alone = 0;
  std::size_t passed = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const TwoWorlds worlds(blocksInSixteenths(rng));
    const TwoWorlds without_solid(permeable(worlds.blocks));
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, worlds.blocks, 20);
      for (const CornerPolicy policy : oracle::kPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line) + " policy " +
                     std::to_string(static_cast<int>(policy)));
        const ShotResult shot = worlds.shaped.shoot(line, policy);
        const ShotResult of_parts = worlds.expanded.shoot(line, policy);
        ASSERT_EQ(shot.terminated, of_parts.terminated);
        ASSERT_EQ(worlds.shaped.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        ASSERT_EQ(worlds.expanded.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        if (!shot.terminated) continue;
        ++blocked;
        const double end = shot.hits.back().t;
        ASSERT_EQ(end, of_parts.hits.back().t);
        const Visits visits = visitsOf(worlds.shaped, shot, policy);
        const Visits parts = visitsOfParts(of_parts);
        const Visits earlier = before(end, visits);
        const Visits earlier_parts = before(end, parts);
        ASSERT_EQ(earlier.size(), earlier_parts.size());
        for (const auto& [block, visit] : earlier) {
          ASSERT_TRUE(earlier_parts.contains(block));
          expectSameEntry(visit, earlier_parts.at(block), policy);
        }
        passed += earlier.size();
        if (HasFailure()) return;
        const auto last =
            onlyBlockAt(end, visitsOfParts(without_solid.expanded.shoot(line, policy)));
        if (!last.has_value()) continue;
        ++alone;
        ASSERT_TRUE(visits.contains(*last) && parts.contains(*last));
        ASSERT_EQ(shot.hits.back().block, *last);
        expectSameEntry(visits.at(*last), parts.at(*last), policy);
      }
    }
  }
  EXPECT_GT(blocked, kWorlds * kLines / 4);
  EXPECT_GT(alone, blocked / 2);
  EXPECT_GT(passed, std::size_t{kWorlds * kLines / 10});
}

}  // namespace
}  // namespace fractalray::shape_expansion_test
