// SPDX-License-Identifier: Apache-2.0
// Compact batches: each of their hits is that of a ClosestBatch, in brief; and the whole of it on
// demand, as long as the entity that was hit is where it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle {
namespace {

using ::testing::HasSubstr;

// Counts what the property test has compared.
struct Compared {
  int blocks = 0;
  int entities = 0;
  int inside = 0;
  int misses = 0;
};

std::vector<BatchQuery> someQueries(Rng& rng, const RandomScene& scene, std::int64_t count) {
  std::vector<BatchQuery> queries;
  for (std::int64_t i = 0; i < count; ++i) {
    FixedSegment line = randomSegment(rng, scene);
    if (rng.oneIn(4)) line = randomReflection(rng, line, scene.world.frame());
    queries.push_back({.line = line, .levels = scene.world.allLevels()});
    if (rng.oneIn(30)) queries.back().levels = LevelMask();
  }
  return queries;
}

void expectSame(const RayQueryService& service, const BatchQuery& query, const Hit& hit,
                const CompactHit& compact, Compared& compared) {
  ASSERT_EQ(compact, toCompact(hit));
  if (hit.kind == Hit::Kind::kNone) {
    ++compared.misses;
    EXPECT_EQ(service.fullHit(query, compact).status().code(), absl::StatusCode::kInvalidArgument);
    return;
  }
  const absl::StatusOr<Hit> full = service.fullHit(query, compact);
  ASSERT_TRUE(full.ok()) << full.status();
  ASSERT_TRUE(isSame(*full, hit));
  compared.blocks += hit.isBlock() ? 1 : 0;
  compared.entities += hit.isEntity() ? 1 : 0;
  compared.inside += hit.start_inside ? 1 : 0;
}

TEST(CompactBatchTest, HasTheHitsOfAClosestBatch) {
  Rng rng("CompactBatchTest");
  const auto ways = waysToRun();
  Compared compared;
  CompactBatch compact;  // kept, so that answers of the batch before would show
  for (int round = 0; round < 100; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(4), 30, 600);
    const RayQueryService service(scene->world, scene->entities);
    const QueryOptions options{.filter = {.channel = rng.oneIn(2) ? kVisible : kDefaultChannel,
                                          .solid_only = rng.oneIn(3),
                                          .skip_start_inside = rng.oneIn(3)},
                               .corner = static_cast<CornerPolicy>(rng.below(3)),
                               .report_unknown = rng.oneIn(3)};
    const std::vector<BatchQuery> queries = someQueries(rng, *scene, rng.in(1, 200));
    const auto& [name, way] = ways[static_cast<std::size_t>(round) % ways.size()];
    SCOPED_TRACE(name);
    const ClosestBatch whole = service.closestHit(queries, options, way).value();
    ASSERT_TRUE(service.closestHit(queries, options, compact, way).ok());
    ASSERT_EQ(compact.answers.size(), queries.size());
    ASSERT_EQ(compact.unknown_from, whole.unknown_from);
    ASSERT_EQ(compact.errors.size(), whole.errors.size());
    EXPECT_EQ(compact.completed, queries.size());
    EXPECT_EQ(compact.version, whole.version);
    EXPECT_EQ(compact.stats.steps(), whole.stats.steps());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      SCOPED_TRACE(i);
      expectSame(service, queries[i], whole.answers[i], compact.answers[i], compared);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(compared.blocks, 1000);
  EXPECT_GT(compared.entities, 300);
  EXPECT_GT(compared.inside, 300);
  EXPECT_GT(compared.misses, 500);
}

TEST(CompactBatchTest, HasNothingOfQueriesThatFailedOrWereNotStarted) {
  World world({.levels = 1, .block_types = sceneTypes()});
  const EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world.blockTypes())).ok());
  const RayQueryService service(world, entities);
  std::vector<BatchQuery> queries(200, {.line = Segment{{-4, 0.5, 0.5}, {4, 0.5, 0.5}}});
  CompactBatch batch;
  const std::uint64_t one = service.closestHit(std::get<Segment>(queries[0].line))->stats.steps();
  ASSERT_TRUE(service.closestHit(queries, {.max_batch_steps = 3 * one}, batch).ok());
  EXPECT_EQ(batch.completed, 3U);
  for (std::size_t i = 0; i < queries.size(); ++i)
    EXPECT_EQ(batch.answers[i].isBlock(), i < 3) << i;
  ASSERT_TRUE(service.closestHit(queries, {}, batch).ok());
  queries[7].line = Segment{{-4, std::numeric_limits<double>::quiet_NaN(), 0}, {4, 0, 0}};
  queries[9].levels = LevelMask();
  ASSERT_TRUE(service.closestHit(queries, {}, batch).ok());
  ASSERT_EQ(batch.errors.size(), 2U);
  for (const std::size_t i : {7U, 9U})
    EXPECT_EQ(batch.answers[i], CompactHit()) << i;
  EXPECT_FALSE(service.closestHit(queries, {.filter = {.channel = ChannelId(99)}}, batch).ok());
  EXPECT_TRUE(batch.answers.empty());
}

class FullHitTest : public ::testing::Test {
 protected:
  // Returns the compact hit of the query.
  CompactHit shoot() {
    EXPECT_TRUE(service_.closestHit(queries_, {}, batch_).ok());
    return batch_.answers[0];
  }

  World world_{{.levels = 1, .block_types = sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<BatchQuery> queries_{{.line = Segment{{-4, 0.5, 0.5}, {4, 0.5, 0.5}}}};
  CompactBatch batch_;
};

TEST_F(FullHitTest, OfABlockDoesNotDependOnTheWorld) {
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world_.blockTypes())).ok());
  const Hit before = *service_.closestHit(Segment{{-4, 0.5, 0.5}, {4, 0.5, 0.5}})->hit;
  const CompactHit compact = shoot();
  ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
  EXPECT_TRUE(isSame(service_.fullHit(queries_[0], compact).value(), before));
}

TEST_F(FullHitTest, OfAnEntityNeedsItWhereItWas) {
  const EntityHandle ball =
      entities_.add({.id = 77, .shape = Sphere{.radius = 0.5}, .position = {2, 0.5, 0.5}}).value();
  const CompactHit compact = shoot();
  ASSERT_TRUE(compact.isEntity());
  EXPECT_EQ(service_.fullHit(queries_[0], compact)->id, 77U);
  ASSERT_TRUE(entities_.move(ball, {2.25, 0.5, 0.5}).ok());
  const absl::Status moved = service_.fullHit(queries_[0], compact).status();
  EXPECT_EQ(moved.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(moved.message()), HasSubstr("id 77"));
  ASSERT_TRUE(entities_.remove(ball).ok());
  EXPECT_EQ(service_.fullHit(queries_[0], compact).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FullHitTest, RefusesALineThatNoQueryAccepts) {
  const CompactHit compact{.kind = Hit::Kind::kBlock};
  const BatchQuery far{.line = Segment{{0, 0, 0}, {1e300, 0, 0}}};
  EXPECT_EQ(service_.fullHit(far, compact).status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace fractalray::oracle
