// SPDX-License-Identifier: Apache-2.0
// Blockers of the lines of a batch: by the oracle each really blocks its line, and each is the one
// that the line alone reports; with a limit of steps only for the lines that are done.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_oracle.h"
#include "batch_fixture.h"

namespace fractalray::oracle {
namespace {

bool isSame(const CompactHit& blocker, const OracleHit& candidate) {
  if (blocker.isEntity() != candidate.is_entity || blocker.level != candidate.level) return false;
  if (candidate.is_entity) {
    return blocker.entity == candidate.entity && blocker.id == candidate.id;
  }
  return blocker.block == candidate.block && blocker.type == candidate.type;
}

// Returns true if the blocker is one of the things that the line hits, at that time.
bool isAmong(const CompactHit& blocker, const std::vector<OracleHit>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(), [&](const OracleHit& candidate) {
    return isSame(blocker, candidate) && std::abs(blocker.t - toDouble(candidate.t)) < 1e-9;
  });
}

// The same as the hit of the line alone, member for member.
bool isSame(const CompactHit& blocker, const std::optional<Hit>& hit) {
  return blocker == (hit.has_value() ? toCompact(*hit) : CompactHit());
}

TEST(BatchBlockersTest, AreWhatBlocksEachLine) {
  Rng rng("BatchBlockersTest");
  const auto ways = waysToRun();
  int blocks = 0;
  int entities = 0;
  int clear = 0;
  for (int round = 0; round < 40; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(4), 30, 600);
    const RayQueryService service(scene->world, scene->entities);
    QueryOptions options{.filter = {.channel = rng.oneIn(2) ? kVisible : kDefaultChannel},
                         .entities_block = rng.oneIn(2),
                         .corner = static_cast<CornerPolicy>(rng.below(3)),
                         .report_blocker = true};
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 150; ++i) {
      queries.push_back({.line = randomSegment(rng, *scene), .levels = scene->world.allLevels()});
      if (rng.oneIn(30)) queries.back().levels = LevelMask();
    }
    QueryOptions all{.filter = options.filter, .corner = options.corner};
    all.filter.solid_only = true;
    all.filter.entities = options.entities_block;
    const auto& [name, way] = ways[static_cast<std::size_t>(round) % ways.size()];
    SCOPED_TRACE(name);
    const OcclusionBatch batch = service.occluded(queries, options, way).value();
    ASSERT_EQ(batch.blockers.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const CompactHit& blocker = batch.blockers[i];
      const FixedSegment& segment = std::get<FixedSegment>(queries[i].line);
      ASSERT_EQ(blocker.kind != Hit::Kind::kNone, batch.answers[i] == Occlusion::kBlocked) << i;
      OcclusionResult alone;
      std::ignore = service.occluded(segment, queries[i].levels, options, alone);
      ASSERT_TRUE(isSame(blocker, alone.blocker)) << i;
      blocks += blocker.isBlock() ? 1 : 0;
      entities += blocker.isEntity() ? 1 : 0;
      clear += blocker.kind == Hit::Kind::kNone ? 1 : 0;
      if (blocker.kind == Hit::Kind::kNone || i % 5 != 0) continue;
      ASSERT_TRUE(isAmong(
          blocker, candidates(scene->world, scene->entities, segment, queries[i].levels, all)))
          << i;
    }
  }
  EXPECT_GT(blocks, 500);
  EXPECT_GT(entities, 100);
  EXPECT_GT(clear, 500);
}

TEST(BatchBlockersTest, OnlyWhereTheyAreAskedForAndOfWhatIsDone) {
  World world({.levels = 1, .block_types = sceneTypes()});
  const EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  const RayQueryService service(world, entities);
  const std::vector<BatchQuery> queries(200, {.line = Segment{{-4, 0.5, 0.5}, {4, 0.5, 0.5}}});
  OcclusionBatch batch;
  ASSERT_TRUE(service.occluded(queries, {.report_blocker = true}, batch).ok());
  EXPECT_EQ(batch.blockers.size(), 200U);
  for (const CompactHit& blocker : batch.blockers) {
    EXPECT_TRUE(blocker.isBlock());
    EXPECT_EQ(blocker.block, (BlockCoord{0, 0, 0}));
    EXPECT_EQ(blocker.t, 0.5);
  }
  OcclusionResult single;
  ASSERT_TRUE(service
                  .occluded(std::get<Segment>(queries[0].line), LevelMask::all(),
                            {.report_blocker = true}, single)
                  .ok());
  const std::uint64_t one = single.stats.steps();
  ASSERT_TRUE(
      service.occluded(queries, {.report_blocker = true, .max_batch_steps = 3 * one}, batch).ok());
  EXPECT_EQ(batch.completed, 3U);
  for (std::size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(batch.blockers[i].isBlock(), i < 3) << i;
  ASSERT_TRUE(service.occluded(queries, {}, batch).ok());
  EXPECT_TRUE(batch.blockers.empty());
}

}  // namespace
}  // namespace fractalray::oracle
