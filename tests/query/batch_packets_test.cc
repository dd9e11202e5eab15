// SPDX-License-Identifier: Apache-2.0
// Batches whose neighbours have one eye: they are searched in packets, and have the answers of
// single calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "hard_scene.h"
#include "packet_scene.h"

namespace fractalray::oracle {
namespace {

// The rays of a camera above a floor of stone, 64 x 64, in finest-block widths.
class BatchPacketsTest : public ::testing::Test {
 protected:
  BatchPacketsTest() {
    for (std::int64_t x = -4; x < 4; ++x) {
      for (std::int64_t z = -4; z < 4; ++z) {
        EXPECT_TRUE(world_.loadChunk(0, {x, 0, z}, Chunk::uniform(kAir, world_.blockTypes())).ok());
        for (std::int64_t bx = 16 * x; bx < 16 * x + 16; ++bx) {
          for (std::int64_t bz = 16 * z; bz < 16 * z + 16; ++bz)
            EXPECT_TRUE(world_.setBlock(0, {bx, (bx * bz + bz) & 7, bz}, kStone).ok());
        }
      }
    }
    for (int row = 0; row < 64; ++row) {
      for (int column = 0; column < 64; ++column) {
        rays_.push_back({.origin = {0.3, 14.2, -50.7},
                         .direction = {(column - 32) / 100.0, (20 - row) / 100.0, 1},
                         .max_distance = 200});
      }
    }
  }

  World world_{{.levels = 1, .block_types = sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<Ray> rays_;
};

// Returns the steps of all queries, one by one.
std::uint64_t stepsOfSingles(const RayQueryService& service, const std::vector<Ray>& rays) {
  std::uint64_t steps = 0;
  for (const Ray& ray : rays)
    steps += service.closestHit(ray).value().stats.steps();
  return steps;
}

TEST_F(BatchPacketsTest, ShareTheirSteps) {
  const ClosestBatch batch = service_.closestHit(rays_).value();
  EXPECT_LT(batch.stats.steps(), stepsOfSingles(service_, rays_) / 2);
  EXPECT_GT(batch.stats.direct, rays_.size() * 9 / 10);
  int hits = 0;
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    const ClosestHit single = service_.closestHit(rays_[i]).value();
    ASSERT_TRUE(isSame(batch.answers[i], single.hit.value_or(Hit()))) << i;
    hits += single.hit.has_value() ? 1 : 0;
  }
  EXPECT_GT(hits, 2000);
}
TEST_F(BatchPacketsTest, ShareTheirStepsInLinesOfSight) {
  const OcclusionBatch batch = service_.occluded(rays_).value();
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    OcclusionResult single;
    ASSERT_TRUE(service_.occluded(rays_[i], LevelMask::all(), {}, single).ok());
    ASSERT_EQ(batch.answers[i], single.occlusion) << i;
    steps += single.stats.steps();
  }
  EXPECT_LT(batch.stats.steps(), steps / 2);
}
// A limit of steps, of one query or of the batch, is one of single queries: nothing is shared.
TEST_F(BatchPacketsTest, ShareNothingUnderALimitOfSteps) {
  const std::uint64_t steps = stepsOfSingles(service_, rays_);
  EXPECT_EQ(service_.closestHit(rays_, {.max_steps = 1'000'000})->stats.steps(), steps);
  EXPECT_EQ(service_.closestHit(rays_, {.max_batch_steps = 1'000'000'000})->stats.steps(), steps);
}
TEST_F(BatchPacketsTest, LeaveErrorsToTheQueriesThatHaveThem) {
  std::vector<BatchQuery> queries;
  for (const Ray& ray : rays_)
    queries.push_back({.line = ray});
  queries[70].levels = LevelMask();
  queries[71].levels = LevelMask{5};
  std::get<Ray>(queries[72].line).direction = {};
  const ClosestBatch batch = service_.closestHit(queries).value();
  ASSERT_EQ(batch.errors.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(batch.errors[i].query, 70 + i);
    EXPECT_EQ(batch.answers[70 + i].kind, Hit::Kind::kNone);
  }
  EXPECT_TRUE(isSame(batch.answers[69], service_.closestHit(rays_[69])->hit.value_or(Hit())));
}

// The line of a Ray is longer than the ray; only the ray has to be loaded.
TEST_F(BatchPacketsTest, AreClearWhereTheWholeRayIsLoaded) {
  for (std::int64_t x = -4; x < 4; ++x) {
    for (std::int64_t z = -4; z < 4; ++z) {
      for (const std::int64_t y : {-1, 1}) {
        ASSERT_TRUE(world_.loadChunk(0, {x, y, z}, Chunk::uniform(kAir, world_.blockTypes())).ok());
      }
    }
  }
  for (Ray& ray : rays_) {
    ray.direction[1] = std::abs(ray.direction[1]);
    ray.max_distance = 15;
  }
  const OcclusionBatch batch = service_.occluded(rays_).value();
  EXPECT_THAT(batch.answers, ::testing::Each(Occlusion::kClear));
  EXPECT_LT(batch.stats.steps(), rays_.size()) << "nothing is searched again";
}

// A packet gives up where it would examine far more blocks than its rays one by one: here blocks
// that are empty for the query.
TEST(BatchPacketsCostTest, IsBoundedInAnOcean) {
  World world({.levels = 1, .block_types = sceneTypes()});
  const EntityIndex entities(world.frame());
  for (std::int64_t x = 0; x < 16; ++x) {
    for (std::int64_t y = 0; y < 5; ++y) {
      for (std::int64_t z = 0; z < 5; ++z) {
        ASSERT_TRUE(world.loadChunk(0, {x, y, z}, Chunk::uniform(kWater, world.blockTypes())).ok());
      }
    }
  }
  ASSERT_TRUE(world.fillBox(0, {0, 0, 0}, {8, 8, 8}, kAir).ok());
  const RayQueryService service(world, entities);
  std::vector<Ray> rays;
  for (int i = 0; i < 64; ++i) {
    const double slope = 0.02;
    rays.push_back({.origin = {1.5, 3.5, 3.5},
                    .direction = {1, slope + 0.02 * (i % 8), slope + 0.02 * (i / 8)},
                    .max_distance = 200});
  }
  const QueryOptions solid{.filter = {.solid_only = true}};
  std::uint64_t steps = 0;
  for (const Ray& ray : rays)
    steps += service.closestHit(ray, LevelMask::all(), solid)->stats.steps();
  EXPECT_LT(service.closestHit(rays, solid)->stats.steps(), steps + 512);
}

// On levels that do not follow each other blocks may overlap: that of the finer level comes first.
TEST(BatchPacketsLevelsTest, FindTheFinerOfTwoBlocksEnteredAtOnce) {
  World world({.levels = 3, .block_types = sceneTypes()});
  const EntityIndex entities(world.frame());
  for (const int level : {0, 1, 2})
    ASSERT_TRUE(world.loadChunk(level, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  ASSERT_TRUE(world.setBlock(0, {0, 0, 0}, kStone).ok());
  ASSERT_TRUE(world.setBlock(2, {0, 3, 3}, kGlass).ok());
  const RayQueryService service(world, entities);
  std::vector<BatchQuery> queries;
  for (int i = 0; i < 8; ++i) {
    queries.push_back(
        {.line = Segment{{-9, 3.5, 3.5}, {9, 3.4 + 0.01 * i, 3.45}}, .levels = LevelMask{0, 2}});
  }
  const ClosestBatch batch = service.closestHit(queries).value();
  EXPECT_EQ(batch.stats.direct, queries.size());
  for (const Hit& hit : batch.answers) {
    EXPECT_EQ(hit.level, 2);
    EXPECT_EQ(hit.type, kGlass);
  }
}

// Compares a batch with single calls; returns the difference, or "".
std::string checkClosest(const RayQueryService& service, const std::vector<BatchQuery>& queries,
                         const QueryOptions& options, ParallelFor parallel_for) {
  const ClosestBatch batch = service.closestHit(queries, options, parallel_for).value();
  std::size_t errors = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    QueryOptions single_options = options;
    single_options.filter.ignore = queries[i].ignore;
    const auto single = service.closestHit(std::get<FixedSegment>(queries[i].line),
                                           queries[i].levels, single_options);
    if (!single.ok()) {
      ++errors;
      continue;
    }
    if (!isSame(batch.answers[i], single->hit.value_or(Hit()))) return "hit " + std::to_string(i);
    const bool has_unknown = !batch.unknown_from.empty();
    if (has_unknown && batch.unknown_from[i] != single->unknown_from)
      return "unknown " + std::to_string(i);
  }
  return errors == batch.errors.size() ? "" : "errors";
}

std::string checkOccluded(const RayQueryService& service, const std::vector<BatchQuery>& queries,
                          const QueryOptions& options, ParallelFor parallel_for) {
  const OcclusionBatch batch = service.occluded(queries, options, parallel_for).value();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    OcclusionResult single;
    const absl::Status status = service.occluded(std::get<FixedSegment>(queries[i].line),
                                                 queries[i].levels, options, single);
    if (!status.ok()) continue;
    if (batch.answers[i] != single.occlusion) return "sight " + std::to_string(i);
    if (!options.report_blocker) continue;
    const CompactHit blocker =
        single.blocker.has_value() ? toCompact(*single.blocker) : CompactHit();
    if (batch.blockers[i] != blocker) return "blocker " + std::to_string(i);
  }
  return "";
}

TEST(BatchPacketsPropertyTest, HaveTheAnswersOfSingleCalls) {
  Rng rng("BatchPacketsPropertyTest");
  const auto ways = waysToRun();
  const std::vector<EntityId> ignored{EntityId{1}, EntityId{2}, EntityId{3}};
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, 1 + rng.below(4));
    const RayQueryService service(scene.world(), scene.entities());
    std::vector<BatchQuery> queries;
    while (queries.size() < 150) {
      const LevelMask levels = scene.levels(rng);
      for (const FixedSegment& ray : raysOfEye(rng, scene, 60)) {
        queries.push_back({.line = ray, .levels = levels});
        if (rng.oneIn(20)) queries.back().ignore = ignored;
      }
    }
    QueryOptions options = hardOptions(rng, {});
    const auto& [name, way] = ways[static_cast<std::size_t>(round) % ways.size()];
    ASSERT_EQ(checkClosest(service, queries, options, way), "")
        << name << ", round " << round << " from seed " << seed << ", " << describe(options);
    for (BatchQuery& query : queries)
      query.ignore = {};
    QueryOptions sight;
    sight.filter = options.filter;
    sight.entities_block = rng.oneIn(2);
    sight.report_blocker = rng.oneIn(2);
    sight.corner = options.corner;
    ASSERT_EQ(checkOccluded(service, queries, sight, way), "")
        << name << ", round " << round << " from seed " << seed << ", " << describe(options);
  }
}

}  // namespace
}  // namespace fractalray::oracle
