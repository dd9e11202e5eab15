// SPDX-License-Identifier: Apache-2.0
// Checks crowds at one point, long ignore lists and many earlier hits: each costs steps in
// proportion, which max_steps bounds, and no answer changes.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/shot_compare.h"

namespace fractalray::crowd_cost_test {
namespace {

constexpr auto kExhausted = absl::StatusCode::kResourceExhausted;
constexpr std::int64_t kWide = kUnitsPerBlock;

class CrowdCostTest : public testing::TestWithParam<SearchPass> {
 protected:
  CrowdCostTest() : world_({.levels = 1, .block_types = nullptr}), entities_(world_.frame()) {}

  // Ids that are not in the order in which entities are added.
  static EntityId idOf(int number) { return static_cast<EntityId>(number * 7919 % 100003); }
  void add(int number, const Vec3d& position) {
    ASSERT_TRUE(
        entities_.add({.id = idOf(number), .level = 0, .shape = Sphere{0.5}, .position = position})
            .ok());
  }
  // Adds entities in the middle of a chunk, next to the line, until there are that many in all.
  void addEqualSpheres(int count) {
    while (std::ssize(entities_.all()) < count)
      add(static_cast<int>(entities_.size()), {8.5, 8.25, 8.5});
  }
  // Adds entities along the line, in one chunk.
  void addRow(int count) {
    for (int i = 0; i < count; ++i)
      add(i, {0.5 + 15.0 * i / count, 8.3, 8.5});
  }

  // Returns what a query costs, after checking that smaller budgets end it and that an equal one
  // does not; the answer is then that of the last.
  using Ask = std::function<absl::Status(std::uint64_t max_steps, QueryStats& stats)>;
  static QueryStats costOf(const Ask& ask) {
    QueryStats cost;
    EXPECT_TRUE(ask(kUnlimited, cost).ok());
    QueryStats stats;
    for (const std::uint64_t less : {cost.steps() - 1, cost.steps() / 2, std::uint64_t{1}}) {
      EXPECT_EQ(ask(less, stats).code(), kExhausted) << less << " of " << cost.steps();
    }
    EXPECT_TRUE(ask(cost.steps(), stats).ok());
    EXPECT_EQ(stats.steps(), cost.steps());
    return cost;
  }
  QueryStats costOfShot(const QueryOptions& like = {}) {
    return costOf([&](std::uint64_t max_steps, QueryStats& stats) {
      QueryOptions options = like;
      options.max_steps = max_steps;
      options.pass = GetParam();
      absl::Status status = service_.shootSegment(kSegment, LevelMask{0}, options, shot_);
      stats = shot_.stats;
      return status;
    });
  }
  QueryStats costOfClosest(const QueryOptions& like = {}) {
    return costOf([&](std::uint64_t max_steps, QueryStats& stats) {
      QueryOptions options = like;
      options.max_steps = max_steps;
      options.pass = GetParam();
      absl::Status status = service_.closestHit(kSegment, LevelMask{0}, options, closest_);
      stats = closest_.stats;
      return status;
    });
  }
  // Returns the cost of resuming a whole shot, one hit at a time.
  QueryStats costOfNext() {
    const ShotResult before = shot_;
    return costOf([&](std::uint64_t max_steps, QueryStats& stats) {
      shot_ = before;
      absl::Status status = service_.resume(
          shot_, LevelMask{0}, {.max_hits = 1, .max_steps = max_steps, .pass = GetParam()});
      stats = shot_.stats;
      return status;
    });
  }

  static void expectInProportion(std::uint64_t four, std::uint64_t one) {
    EXPECT_GT(4 * four, 15 * one);
    EXPECT_LT(4 * four, 17 * one + 40);
  }

  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  static constexpr FixedSegment kSegment{{0, 8 * kWide + 1000, 8 * kWide + 777},
                                         {16 * kWide - 1, 8 * kWide + 40000, 9 * kWide - 99}};
  World world_;
  EntityIndex entities_;
  RayQueryService service_{world_, entities_};
  ShotResult shot_;
  ClosestHit closest_;
};

TEST_P(CrowdCostTest, EachOfManyEqualSpheresIsAStep) {
  addEqualSpheres(500);
  const QueryStats closest = costOfClosest();
  const QueryStats shot = costOfShot();
  EXPECT_EQ(shot.entities_tested, 500U);
  EXPECT_EQ(shot.ordered, 500U);
  EXPECT_EQ(shot_.hits.size(), 500U);
  addEqualSpheres(2000);
  const QueryStats closest_of_more = costOfClosest();
  EXPECT_EQ(closest_.hit.value().id, 0U);
  EXPECT_EQ(closest_of_more.ordered, 0U) << "nothing is sorted to find the first one";
  expectInProportion(closest_of_more.steps(), closest.steps());
  expectInProportion(costOfShot().steps(), shot.steps());
}

TEST_P(CrowdCostTest, PagesOfACrowdNextToTheLineAreSteps) {
  const auto add_next_to_line = [&](int count) {
    while (std::ssize(entities_.all()) < count)
      add(static_cast<int>(entities_.size()), {8.5, 1.5, 2.5});
  };
  add_next_to_line(500);
  const QueryStats cost = costOfShot();
  add_next_to_line(2000);
  expectInProportion(costOfShot().steps(), cost.steps());
  EXPECT_TRUE(shot_.hits.empty());
}

TEST_P(CrowdCostTest, ALineOfSightEndsAtTheFirstOfACrowd) {
  addEqualSpheres(2000);
  OcclusionResult sight;
  QueryOptions options{.filter = {.categories = 1}, .entities_block = true, .pass = GetParam()};
  ASSERT_TRUE(service_.occluded(kSegment, LevelMask{0}, options, sight).ok());
  EXPECT_EQ(sight.occlusion, Occlusion::kBlocked);
  EXPECT_EQ(sight.version, service_.version());
  EXPECT_EQ(sight.stats.entities_tested, 1U);
  EXPECT_EQ(sight.stats.ordered, 0U);
  // Past a crowd of another category it has to examine all of them.
  options.filter.categories = 2;
  const QueryStats cost = costOf([&](std::uint64_t max_steps, QueryStats& stats) {
    options.max_steps = max_steps;
    absl::Status status = service_.occluded(kSegment, LevelMask{0}, options, sight);
    EXPECT_EQ(sight.occlusion, Occlusion::kUnknown);
    stats = sight.stats;
    return status;
  });
  EXPECT_EQ(cost.entities_tested, 2000U);
}

TEST_P(CrowdCostTest, ABudgetOfStepsEndsTheSearchOfACrowd) {
  addEqualSpheres(2000);
  const QueryOptions options{.max_steps = 50, .pass = GetParam()};
  ClosestHit closest;
  EXPECT_EQ(service_.closestHit(kSegment, LevelMask{0}, options, closest).code(), kExhausted);
  EXPECT_LT(closest.stats.entities_tested, 60U);
}

TEST_P(CrowdCostTest, ResumingAmongEqualSpheresGivesTheRest) {
  addEqualSpheres(1000);
  ShotResult all;
  ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, {.pass = GetParam()}, all).ok());
  ASSERT_EQ(all.hits.size(), 1000U);
  ASSERT_TRUE(
      service_.shootSegment(kSegment, LevelMask{0}, {.max_hits = 300, .pass = GetParam()}, shot_)
          .ok());
  const QueryStats cost = costOfNext();
  EXPECT_EQ(shot_.hits.size(), 301U);
  EXPECT_EQ(cost.entities_tested, 1000U) << "each once";
  EXPECT_EQ(cost.listed, 300U) << "each hit before once";
  EXPECT_EQ(cost.ordered, 700U) << "candidates before the hit are not sorted";
  ASSERT_TRUE(service_.resume(shot_, LevelMask{0}, {.pass = GetParam()}).ok());
  ASSERT_EQ(shot_.hits.size(), all.hits.size());
  for (std::size_t i = 0; i < all.hits.size(); ++i)
    ASSERT_TRUE(oracle::isSame(shot_.hits[i], all.hits[i])) << i;
}

TEST_P(CrowdCostTest, EachEntryOfAfterIsAStepOnce) {
  addRow(100);
  ASSERT_TRUE(
      service_.shootSegment(kSegment, LevelMask{0}, {.max_hits = 40, .pass = GetParam()}, shot_)
          .ok());
  const std::vector<Hit> after = shot_.hits;
  EXPECT_EQ(costOfClosest({.after = after}).listed, 40U);
  EXPECT_EQ(costOfClosest({.after = std::span(after).first(8)}).listed, 0U);
}

TEST_P(CrowdCostTest, HitByHitEachEntityCostsAtMostOneTestPerHit) {
  addRow(400);
  ShotResult all;
  ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, {.pass = GetParam()}, all).ok());
  const std::size_t hits = all.hits.size();
  ASSERT_GT(hits, 300U);
  const QueryOptions options{.max_hits = 1, .pass = GetParam()};
  ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, options, shot_).ok());
  QueryStats sum = shot_.stats;
  while (shot_.truncated) {
    ASSERT_TRUE(service_.resume(shot_, LevelMask{0}, options).ok());
    sum += shot_.stats;
  }
  ASSERT_EQ(shot_.hits.size(), hits);
  for (std::size_t i = 0; i < hits; ++i)
    ASSERT_TRUE(oracle::isSame(shot_.hits[i], all.hits[i])) << i;
  EXPECT_LE(sum.entities_tested, hits * 400);
  EXPECT_LE(sum.listed, hits * hits / 2);
  EXPECT_LE(sum.ordered, hits * hits / 2 + hits);
}

TEST_P(CrowdCostTest, EachEntryOfALongIgnoreListIsAStepOnce) {
  addRow(100);
  const QueryStats without = costOfShot();
  const std::size_t hits = shot_.hits.size();
  std::vector<EntityId> ids(1000);
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = 1'000'000 + i;
  EXPECT_EQ(costOfShot({.filter = {.ignore = std::span(ids).first(8)}}).steps(), without.steps());
  EXPECT_EQ(costOfShot({.filter = {.ignore = ids}}).listed, 1000U);
  EXPECT_EQ(costOfShot({.filter = {.ignore = ids}}).steps(), without.steps() + 1000);
  EXPECT_EQ(shot_.hits.size(), hits);
  EXPECT_EQ(costOfClosest({.filter = {.ignore = ids}}).listed, 1000U);
  EXPECT_EQ(costOfShot({.filter = {.categories = 2, .ignore = ids}}).listed, 0U)
      << "no id is looked up";
}

// The set made for one list must not answer for another.
TEST_P(CrowdCostTest, AlternatingIgnoreListsAreNotConfused) {
  addRow(100);
  std::vector<std::vector<EntityId>> lists(4);
  for (int i = 0; i < 100; ++i) {
    for (int list = 0; list < 3; ++list) {
      if (i % 3 == list) lists[static_cast<std::size_t>(list)].push_back(idOf(i));
    }
  }
  lists[3].assign(lists[0].rbegin(), lists[0].rend());
  for (int round = 0; round < 12; ++round) {
    const std::vector<EntityId>& ignored = lists[static_cast<std::size_t>(round / 2 % 4)];
    const std::vector<EntityId>& also = lists[static_cast<std::size_t>(round / 3 % 4)];
    const QueryOptions options{.filter = {.ignore = ignored}, .pass = GetParam()};
    ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, options, shot_).ok());
    const oracle::OracleShot expected =
        oracle::shoot(world_, entities_, kSegment, LevelMask{0}, options, {});
    ASSERT_EQ(oracle::difference(shot_, expected, kSegment, options), "") << round;
    // In addition to those of the query, in a batch.
    const std::vector<BatchQuery> queries(
        3, {.line = kSegment, .levels = LevelMask{0}, .ignore = also});
    ShotBatch batch;
    ASSERT_TRUE(service_.shootSegment(queries, options, batch).ok());
    std::vector<EntityId> both = ignored;
    both.insert(both.end(), also.begin(), also.end());
    const QueryOptions options_of_both{.filter = {.ignore = both}, .pass = GetParam()};
    ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, options_of_both, shot_).ok());
    for (std::size_t i = 0; i < queries.size(); ++i)
      ASSERT_EQ(batch.hitsOf(i).size(), shot_.hits.size()) << round;
  }
}

TEST_P(CrowdCostTest, WarmListsAndCrowdsDoNotAllocate) {
  addRow(300);
  std::vector<std::vector<EntityId>> lists(2);
  for (int i = 0; i < 200; ++i) {
    lists[0].push_back(idOf(i * 3));
    lists[1].push_back(idOf(i * 2 + 1));
  }
  ShotResult resumed;
  for (int round = 0; round < 3; ++round) {
    const std::size_t before = oracle::allocationCount();
    for (const std::vector<EntityId>& ignored : lists) {
      const QueryOptions options{.filter = {.ignore = ignored}, .pass = GetParam()};
      ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, options, shot_).ok());
      ASSERT_GT(shot_.hits.size(), 50U);
      ASSERT_TRUE(
          service_.closestHit(kSegment, LevelMask{0}, {.after = shot_.hits}, closest_).ok());
      const std::span<const Hit> half = std::span(shot_.hits).first(40);
      const QueryOptions after_half{
          .filter = {.ignore = ignored}, .after = half, .pass = GetParam()};
      ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, after_half, resumed).ok());
      ASSERT_EQ(resumed.hits.size(), shot_.hits.size() - 40);
    }
    if (round > 0) {
      EXPECT_EQ(oracle::allocationCount() - before, 0U);
    }
  }
}

// An entity that was hit and has moved ahead on the line is not hit again, however many others
// were.
TEST_P(CrowdCostTest, AnEntityThatWasHitAndMovedAheadIsNotHitAgain) {
  addRow(100);
  const QueryOptions options{.max_hits = 40, .pass = GetParam()};
  ASSERT_TRUE(service_.shootSegment(kSegment, LevelMask{0}, options, shot_).ok());
  ASSERT_EQ(shot_.hits.size(), 40U);
  const EntityHandle moved = shot_.hits[5].entity;
  ASSERT_TRUE(entities_.move(moved, {15.2, 8.3, 8.5}).ok());
  ASSERT_TRUE(service_.resume(shot_, LevelMask{0}, {.pass = GetParam()}).ok());
  std::size_t hits_of_moved = 0;
  for (const Hit& hit : shot_.hits)
    hits_of_moved += hit.entity == moved ? 1U : 0U;
  EXPECT_EQ(hits_of_moved, 1U);
  EXPECT_GT(shot_.hits.size(), 90U);
}

TEST_P(CrowdCostTest, ABatchOfLinesOfSightReportsTheirTotalCost) {
  addRow(100);
  std::vector<BatchQuery> queries;
  for (std::int64_t i = 0; i < 200; ++i) {
    queries.push_back({.line = FixedSegment{{0, i * 4000, 0}, {16 * kWide, 9 * kWide, 9 * kWide}},
                       .levels = i == 7 ? LevelMask() : LevelMask{0}});
  }
  const QueryOptions options{
      .filter = {.categories = 1}, .entities_block = true, .max_steps = 60, .pass = GetParam()};
  QueryStats sum;
  for (const BatchQuery& query : queries) {
    OcclusionResult sight;
    service_.occluded(std::get<FixedSegment>(query.line), query.levels, options, sight)
        .IgnoreError();
    sum += sight.stats;
  }
  EXPECT_GT(sum.entities_tested, 200U);
  OcclusionBatch batch;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(service_.occluded(queries, options, batch).ok());
    EXPECT_FALSE(batch.errors.empty());
    EXPECT_EQ(batch.stats.steps(), sum.steps());
    EXPECT_EQ(batch.stats.entities_tested, sum.entities_tested);
  }
  ASSERT_TRUE(service_.occluded(std::vector<BatchQuery>(), options, batch).ok());
  EXPECT_EQ(batch.stats.steps(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Passes, CrowdCostTest,
                         testing::Values(SearchPass::kFast, SearchPass::kPlain),
                         [](const testing::TestParamInfo<SearchPass>& param) {
                           return param.param == SearchPass::kFast ? "Fast" : "Plain";
                         });

}  // namespace
}  // namespace fractalray::crowd_cost_test
