// SPDX-License-Identifier: Apache-2.0
// Checks what entities cost a query: work in proportion to the chunks that it crosses on the index
// levels of entities of its mask, and not to its length or to the number of entities elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <variant>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::Rng;

class EntityPassCostTest : public testing::Test {
 protected:
  void start(int levels) {
    scene_ = std::make_unique<oracle::RandomScene>(levels, Vec3i{});
    next_id_ = 0;
  }
  void add(const Vec3d& position, int level = 0, double radius = 0.5) {
    const absl::StatusOr<EntityHandle> handle = scene_->entities.add(
        {.id = next_id_++, .level = level, .shape = Sphere{radius}, .position = position});
    ASSERT_TRUE(handle.ok()) << handle.status();
  }
  ShotResult shoot(const Segment& segment, LevelMask levels,
                   SearchPass pass = SearchPass::kFast) const {
    const RayQueryService service(scene_->world, scene_->entities);
    return service.shootSegment(segment, levels, {.pass = pass}).value();
  }
  ShotResult shoot(const Segment& segment, SearchPass pass = SearchPass::kFast) const {
    return shoot(segment, scene_->world.allLevels(), pass);
  }

  std::unique_ptr<oracle::RandomScene> scene_;
  EntityId next_id_ = 0;
};

void expectEqual(const QueryStats& stats, const QueryStats& other) {
  EXPECT_EQ(stats.steps(), other.steps());
  EXPECT_EQ(stats.index_cells, other.index_cells);
  EXPECT_EQ(stats.entities_tested, other.entities_tested);
  EXPECT_EQ(stats.skips, other.skips);
}

TEST_F(EntityPassCostTest, ALongSegmentThroughAnEmptyRegionTakesFewSteps) {
  const double end = 0x1p43;
  for (const int levels : {1, 2, 5, 10}) {
    start(levels);
    add({5 - end, 0.5, 0.5});
    add({end - 5, 0.5, 0.5});
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      const ShotResult straight = shoot({{-end, 0.5, 0.5}, {end, 0.5, 0.5}}, pass);
      EXPECT_EQ(straight.hits.size(), 2U);
      EXPECT_LT(straight.stats.steps(), 400U) << levels << " levels";
      const ShotResult slanted = shoot({{-end, -end / 3, 77}, {end, end / 7, -end / 2}}, pass);
      EXPECT_TRUE(slanted.hits.empty());
      EXPECT_LT(slanted.stats.steps(), 1000U) << levels << " levels";
    }
  }
}

TEST_F(EntityPassCostTest, ALongSegmentFarFromManyEntitiesTakesFewSteps) {
  start(2);
  Rng rng("EntityPassCostTest.Beside");
  const double end = 0x1p43;
  for (int i = 0; i < 3000; ++i) {  // all along the segment, some 2^30 blocks from it
    const double along = 0x1p13 * static_cast<double>(rng.in(-1 << 30, 1 << 30));
    add({along, 0x1p30 + static_cast<double>(rng.in(0, 1 << 29)), 0x1p29});
  }
  const ShotResult shot = shoot({{-end, 0.5, 0.5}, {end, 0.5, 0.5}});
  EXPECT_TRUE(shot.hits.empty());
  EXPECT_EQ(shot.stats.index_cells, 0U);
  EXPECT_EQ(shot.stats.entities_tested, 0U);
  EXPECT_LT(shot.stats.steps(), 20000U) << "a fine chunk at a time would be 2^40";
}

// A segment of some hundred blocks in a row of entities, then with more and more of them around.
TEST_F(EntityPassCostTest, EntitiesElsewhereCostNothing) {
  start(1);
  const Segment segment{{3, 70, 33}, {403, 90, 20}};
  for (int i = 0; i < 10; ++i)
    add({20.0 + 40 * i, 71.0 + 2 * i, 32.5 - 1.3 * i}, 0, 2);
  const ShotResult alone = shoot(segment);
  EXPECT_EQ(alone.hits.size(), 10U);
  Rng rng("EntityPassCostTest.Elsewhere");
  for (const int count : {1000, 20000}) {
    for (int i = 0; i < count; ++i) {
      const auto coordinate = [&] { return static_cast<double>(rng.in(-2000, 2000)) / 2; };
      const Vec3d position{coordinate(), coordinate(), coordinate()};
      if (std::abs(position[1] - 80) < 60 && std::abs(position[2] - 26) < 60) continue;
      add(position);
    }
    const ShotResult among = shoot(segment);
    EXPECT_EQ(among.hits.size(), 10U);
    EXPECT_EQ(among.stats.index_cells, alone.stats.index_cells) << "with " << count;
    EXPECT_EQ(among.stats.entities_tested, alone.stats.entities_tested) << "with " << count;
    // At most one more visit of each region on the line.
    EXPECT_LE(among.stats.steps(), alone.stats.steps() + 12) << "with " << count;
  }
}

TEST_F(EntityPassCostTest, CrowdsInTheChunksOnTheLineAreMostlyFilteredOut) {
  start(1);
  Rng rng("EntityPassCostTest.Crowd");
  for (int i = 0; i < 20000; ++i) {  // 50 a chunk
    const auto coordinate = [&] { return static_cast<double>(rng.in(0, 640)) / 10; };
    add({coordinate() * 6, coordinate(), coordinate()});
  }
  const ShotResult fast = shoot({{0, 30.3, 31}, {384, 34.1, 29}});
  const ShotResult plain = shoot({{0, 30.3, 31}, {384, 34.1, 29}}, SearchPass::kPlain);
  ASSERT_EQ(fast.hits.size(), plain.hits.size());
  ASSERT_GT(fast.hits.size(), 0U);
  EXPECT_GT(plain.stats.entities_tested, 1000U);
  EXPECT_LT(fast.stats.entities_tested, 3 * fast.hits.size() + 3);
}

TEST_F(EntityPassCostTest, IndexLevelsWithoutEntitiesOfTheMaskCostNothing) {
  start(5);
  const Segment segment{{-300, -40, 20}, {500, 60, -70}};
  for (int i = 0; i < 5; ++i)
    add({100.0 * i - 200, 1, 3}, 4, 0.5);  // on index level 4
  const ShotResult alone = shoot(segment, LevelMask{4});
  Rng rng("EntityPassCostTest.Levels");
  for (int i = 0; i < 3000; ++i) {
    const auto coordinate = [&] { return static_cast<double>(rng.in(-400, 400)); };
    add({coordinate(), coordinate(), coordinate()}, rng.below(4), rng.pick({17.0, 300.0, 5000.0}));
  }
  const ShotResult among = shoot(segment, LevelMask{4});
  EXPECT_EQ(among.hits.size(), alone.hits.size());
  expectEqual(among.stats, alone.stats);
  EXPECT_GT(shoot(segment).stats.entities_tested, 100U) << "they are on the line";
}

TEST_F(EntityPassCostTest, WithoutEntitiesNothingIsExamined) {
  start(3);
  add({0, 0, 0}, 1, 3);
  EXPECT_EQ(shoot({{-100, 0, 0}, {100, 0, 0}}, LevelMask{0, 2}).stats.steps(), 0U);
  const RayQueryService service(scene_->world, scene_->entities);
  const ShotResult blocks =
      service
          .shootSegment({{-100, 0, 0}, {100, 0, 0}}, scene_->world.allLevels(),
                        {.filter = {.entities = false}})
          .value();
  EXPECT_EQ(blocks.stats.steps(), 0U);
}

// The first one that ends the shot ends the search past it.
TEST_F(EntityPassCostTest, PastTheEndOfAShotNothingIsTested) {
  start(1);
  for (int i = 0; i < 1000; ++i)
    add({10.0 + 20 * i, 0.5, 0.5});
  RayQueryService service(scene_->world, scene_->entities);
  const Segment segment{{0, 0.5, 0.5}, {20000, 0.5, 0.5}};
  const ClosestHit closest = service.closestHit(segment, LevelMask{0}).value();
  EXPECT_EQ(closest.hit.value().id, 0U);
  EXPECT_LT(closest.stats.entities_tested, 10U);
  EXPECT_LT(closest.stats.steps(), 20U);
  service.onEntityHit(
      EntityClassId{}, [](const EntityHit& hit) { return hit.id == 30; }, nullptr);
  const ShotResult shot = service.shootSegment(segment, LevelMask{0}).value();
  EXPECT_EQ(shot.hits.size(), 31U);
  EXPECT_TRUE(shot.terminated);
  EXPECT_LT(shot.stats.entities_tested, 150U) << "it may read a window of pages ahead";
}

TEST_F(EntityPassCostTest, TheBudgetOfStepsHolds) {
  start(1);
  for (int i = 0; i < 1000; ++i)
    add({10.0 + 20 * i, 0.5, 0.5});
  const RayQueryService service(scene_->world, scene_->entities);
  const Segment segment{{0, 0.5, 0.5}, {20000, 0.5, 0.5}};
  for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
    // With a limit a shot is read in slices, which takes a little more.
    const std::uint64_t unlimited = shoot(segment, pass).stats.steps();
    QueryOptions options{.max_steps = 2 * unlimited, .pass = pass};
    const std::uint64_t steps =
        service.shootSegment(segment, LevelMask{0}, options).value().stats.steps();
    EXPECT_GT(unlimited, 500U);
    EXPECT_GE(steps, unlimited);
    EXPECT_LT(steps, unlimited + unlimited / 10);
    options.max_steps = steps;
    EXPECT_EQ(service.shootSegment(segment, LevelMask{0}, options).value().hits.size(), 1000U);
    for (const std::uint64_t less : {steps - 1, steps / 2, std::uint64_t{1}, std::uint64_t{0}}) {
      options.max_steps = less;
      EXPECT_EQ(service.shootSegment(segment, LevelMask{0}, options).status().code(),
                absl::StatusCode::kResourceExhausted)
          << less << " of " << steps;
    }
  }
}

}  // namespace
}  // namespace fractalray
