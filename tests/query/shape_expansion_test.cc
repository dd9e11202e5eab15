// SPDX-License-Identifier: Apache-2.0
// Law S7 of shapes: a block of a shape in sixteenths answers as the chunk of the same boxes, into
// which it is expanded.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
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

// Loads, for each block, the chunk into which it expands, with boxes of one type.
void expand(World& world, const std::vector<Block>& blocks, BlockTypeId type) {
  for (const Block& block : blocks) {
    const ChunkCoord chunk = childChunk(block.at);
    EXPECT_TRUE(world.loadChunk(1, chunk, Chunk::uniform(kAir, world.blockTypes())).ok());
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

// Random blocks with boxes of sixteenths, and their expansion: the same boxes of finer blocks.
struct TwoWorlds {
  TwoWorlds(Rng& rng, BlockKind kind) : blocks(randomBlocks(rng, 5, 7)) {
    for (Block& block : blocks) {
      block.boxes = inSixteenths(block.boxes);
      block.kind = kind;
    }
    shaped.load(0, {0, 0, 0});
    shaped.put(0, blocks);
    BlockTypeTable& types = expanded.world().blockTypes();
    expand(expanded.world(), blocks, types.add({.name = "part", .kind = kind}).value());
  }

  std::vector<Block> blocks;
  ShapedWorld shaped{2};
  ShapedWorld expanded{2};
};

TEST(ShapeExpansionTest, S7AShapeAnswersAsTheExpandedBlock) {
  Rng rng("S7");
  int visited = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const TwoWorlds worlds(rng, BlockKind::kPermeable);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, worlds.blocks, 20);
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line) + " policy " +
                     std::to_string(static_cast<int>(policy)));
        const Visits visits = visitsOf(worlds.shaped, worlds.shaped.shoot(line, policy), policy);
        const Visits of_parts = visitsOfParts(worlds.expanded.shoot(line, policy));
        ASSERT_EQ(visits.size(), of_parts.size());
        for (const auto& [block, visit] : visits) {
          const auto found = of_parts.find(block);
          ASSERT_NE(found, of_parts.end());
          EXPECT_EQ(visit.t, found->second.t);
          EXPECT_EQ(visit.t_exit, found->second.t_exit);
          EXPECT_EQ(visit.spans, found->second.spans);
          EXPECT_EQ(visit.start_inside, found->second.start_inside);
          // Under `neither`, a part names the lowest of all the planes that the line crosses then.
          if (policy != CornerPolicy::kNeither) {
            EXPECT_EQ(visit.face, found->second.face);
          }
          ++visited;
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(visited, kWorlds * kLines);
}

TEST(ShapeExpansionTest, S7ASolidShapeEndsALineWhereTheExpandedBlockDoes) {
  Rng rng("S7 solid");
  int blocked = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const TwoWorlds worlds(rng, BlockKind::kSolid);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, worlds.blocks, 20);
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const ShotResult shot = worlds.shaped.shoot(line, policy);
        const ShotResult of_parts = worlds.expanded.shoot(line, policy);
        ASSERT_EQ(shot.terminated, of_parts.terminated);
        ASSERT_EQ(worlds.shaped.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        ASSERT_EQ(worlds.expanded.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        if (!shot.terminated) continue;
        ++blocked;
        EXPECT_EQ(shot.hits.back().t, of_parts.hits.back().t);
      }
    }
  }
  EXPECT_GT(blocked, kWorlds * kLines);
}

}  // namespace
}  // namespace fractalray::shape_expansion_test
