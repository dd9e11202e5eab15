// SPDX-License-Identifier: Apache-2.0
// Checks batches: order, errors of one query and of all, exceptions, nesting, and that answers
// equal those of single queries.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../core/internal/edit_log.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "shot_fixture.h"

namespace fractalray::batch_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Walls at 10, 26 and 42, and queries of which each passes the block before one of them.
class BatchTest : public CorridorTest {
 protected:
  BatchTest() {
    for (const std::int64_t x : {10, 26, 42}) {
      put(x - 1, kWater);
      put(x, kStone);
    }
  }

  BatchQuery queryTo(double x) const {
    return {.line = Segment{{x - 4, 0.5, 0.5}, {x, 0.5, 0.5}}, .levels = world_.allLevels()};
  }
  absl::Status shoot(const QueryOptions& options = {}) {
    calls_.clear();
    return service_.shootSegment(queries_, options, batch_, executor_);
  }
  std::string hitsOf(std::size_t i) const { return textOf(resultOf(batch_, i)); }

  std::vector<BatchQuery> queries_ = {queryTo(11.5), queryTo(27.5), queryTo(43.5)};
  ShotBatch batch_;
  ThreadExecutor executor_{2};
};

TEST_F(BatchTest, AnswersAndCallsComeInTheOrderOfQueries) {
  onBlock(kWater);
  onBlock(kStone);
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(calls(), "water@9 stone@10! water@25 stone@26! water@41 stone@42!");
  EXPECT_EQ(hitsOf(0), "water@9 stone@10!");
  EXPECT_EQ(hitsOf(2), "water@41 stone@42!");
  EXPECT_EQ(batch_.hits.size(), 6U);
  EXPECT_EQ(batch_.reruns, 0U);
}

TEST_F(BatchTest, NoQueriesAreNoShots) {
  ASSERT_TRUE(shoot().ok());
  queries_.clear();
  ASSERT_TRUE(shoot().ok());
  EXPECT_TRUE(batch_.shots.empty());
  EXPECT_TRUE(batch_.hits.empty());
  EXPECT_TRUE(batch_.level_spans.empty());
}

TEST_F(BatchTest, ABadQueryStopsNoOther) {
  std::get<Segment>(queries_[1].line).to[2] = kNan;
  queries_.push_back(queryTo(43.5));
  queries_[2].levels = LevelMask{};
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(hitsOf(0), "water@9 stone@10!");
  EXPECT_TRUE(absl::IsInvalidArgument(batch_.shots[1].status));
  EXPECT_NE(batch_.shots[1].status.message().find("z"), std::string::npos);
  EXPECT_TRUE(batch_.hitsOf(1).empty());
  EXPECT_TRUE(absl::IsInvalidArgument(batch_.shots[2].status));
  EXPECT_EQ(hitsOf(3), "water@41 stone@42!");
}

TEST_F(BatchTest, AShotPastItsStepsKeepsTheHitsItReported) {
  // The wall disappears, and with the step past it the budget is used up.
  queries_ = {{.line = Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, .levels = LevelMask{1}},
              queryTo(43.5)};
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.block[0] == 9) put(10, kAir);
  });
  ShotResult alone;
  QueryOptions options;
  const FixedSegment segment = toUnits(std::get<Segment>(queries_[0].line)).value();
  absl::Status status = absl::UnknownError("");
  for (options.max_steps = 0; alone.hits.empty(); ++options.max_steps) {
    put(10, kStone);
    status = service_.shootSegment(segment, LevelMask{1}, options, alone);
  }
  --options.max_steps;
  ASSERT_TRUE(absl::IsResourceExhausted(status)) << "the steps must run out at first";
  put(10, kStone);
  ASSERT_TRUE(shoot(options).ok());
  EXPECT_EQ(batch_.shots[0].status, status);
  EXPECT_EQ(oracle::difference(resultOf(batch_, 0), alone), "");
  // The next shot has steps of its own.
  EXPECT_EQ(hitsOf(1), "water@41");
  ShotResult next;
  status = service_.shootSegment(toUnits(std::get<Segment>(queries_[1].line)).value(),
                                 queries_[1].levels, options, next);
  EXPECT_EQ(batch_.shots[1].status, status);
  EXPECT_EQ(oracle::difference(resultOf(batch_, 1), next), "");
}

TEST_F(BatchTest, AShotThatAnEffectEndsSpendsNothingPastMaxHits) {
  // If the first effect ends it, nothing searches for the unknown after the wall.
  std::ignore = service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kStop; });
  const QueryOptions options = {.max_hits = 1, .report_unknown = true};
  queries_ = {{.line = Segment{{0.5, 0.5, 0.5}, {80.5, 0.5, 0.5}}, .levels = world_.allLevels()}};
  ASSERT_TRUE(shoot(options).ok());
  const auto alone =
      service_.shootSegment(std::get<Segment>(queries_[0].line), queries_[0].levels, options);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(hitsOf(0), "water@9!");
  EXPECT_EQ(batch_.shots[0].stats.steps(), alone->stats.steps());
  EXPECT_EQ(batch_.shots[0].unknown_from, alone->unknown_from);
}

TEST_F(BatchTest, AnErrorOfTheWholeBatchLeavesItEmpty) {
  ASSERT_TRUE(shoot().ok());
  const ChannelId none{99};
  EXPECT_TRUE(absl::IsInvalidArgument(shoot({.filter = {.channel = none}})));
  EXPECT_TRUE(batch_.shots.empty());
  EXPECT_TRUE(batch_.hits.empty());
  ClosestBatch closest;
  EXPECT_TRUE(absl::IsInvalidArgument(
      service_.closestHit(queries_, {.filter = {.channel = none}}, closest)));
  EXPECT_TRUE(closest.answers.empty());
  OcclusionBatch sight;
  EXPECT_TRUE(
      absl::IsInvalidArgument(service_.occluded(queries_, {.filter = {.channel = none}}, sight)));
  EXPECT_TRUE(sight.answers.empty());
}

TEST_F(BatchTest, EachQueryHasAShooterOfItsOwn) {
  const EntityId one = 1;
  const EntityId two = 2;
  for (const BatchQuery& query : queries_) {
    const double x = std::get<Segment>(query.line).from[0];
    addEntity(entities_.size() + 1, x - 0.5);
  }
  queries_[0].ignore = {one};
  queries_[1].ignore = {two};
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(hitsOf(0), "water@9 stone@10!");
  EXPECT_EQ(hitsOf(1), "water@25 stone@26!");
  EXPECT_EQ(hitsOf(2), "e3@39 water@41 stone@42!");
  ClosestBatch closest;
  ASSERT_TRUE(
      service_.closestHit(queries_, {.filter = {.blocks = false}}, closest, executor_).ok());
  EXPECT_EQ(closest.answers[0].kind, Hit::Kind::kNone);
  EXPECT_TRUE(closest.answers[2].isEntity());
  OcclusionBatch sight;
  for (BatchQuery& query : queries_)
    std::get<Segment>(query.line).to[0] -= 3;
  ASSERT_TRUE(service_
                  .occluded(queries_, {.filter = {.categories = 1}, .entities_block = true}, sight,
                            executor_)
                  .ok());
  EXPECT_EQ(sight.answers,
            (std::vector<Occlusion>{Occlusion::kClear, Occlusion::kClear, Occlusion::kBlocked}));
}

TEST_F(BatchTest, AnExceptionPassesAndCompletedShotsAreListed) {
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    put(60, kWater);
    if (hit.block[0] == 25) throw std::runtime_error("enough");
  });
  EXPECT_THROW(static_cast<void>(shoot()), std::runtime_error);
  EXPECT_EQ(calls(), "water@9 water@25");
  ASSERT_EQ(batch_.shots.size(), 1U);
  EXPECT_EQ(hitsOf(0), "water@9 stone@10!");
  EXPECT_EQ(batch_.hits.size(), 2U);
  EXPECT_FALSE(internal::EditLog::isWatched());
  // Later batches work as before.
  service_.removeBlockCallback(kWater);
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(hitsOf(2), "water@41 stone@42!");
}

TEST_F(BatchTest, AnExceptionOfAPredicateWaitsUntilItsShotIsCommitted) {
  std::ignore = service_.onBlockHit(
      kWater,
      [](const BlockHit& hit) {
        if (hit.block[0] == 41) throw std::runtime_error("enough");
        return false;
      },
      [&](const BlockHit& hit) {
        calls_.push_back(textOf(hit));
        return HitResponse::kContinue;
      });
  EXPECT_THROW(static_cast<void>(shoot()), std::runtime_error);
  EXPECT_EQ(calls(), "water@9 water@25");
  EXPECT_EQ(batch_.shots.size(), 2U);
}

TEST_F(BatchTest, AnExceptionOfAFilterLeavesNoAnswers) {
  QueryOptions options;
  options.filter.block_filter = [](const BlockHit& hit) -> bool {
    if (hit.block[0] > 20) throw std::runtime_error(std::to_string(hit.block[0]));
    return true;
  };
  ClosestBatch closest;
  for (int i = 0; i < 500; ++i)
    queries_.push_back(queryTo(43.5));
  try {
    static_cast<void>(service_.closestHit(queries_, options, closest, executor_));
    ADD_FAILURE() << "it has been swallowed";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "25") << "not the first";
  }
  EXPECT_TRUE(closest.answers.empty());
}

TEST_F(BatchTest, ANestedBatchHasAResultOfItsOwn) {
  ShotBatch inner;
  std::vector<absl::Status> refused;
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.block[0] != 9) return;
    refused.push_back(service_.shootSegment(queries_, {}, batch_));
    const std::vector<BatchQuery> others = {queryTo(27.5), queryTo(43.5)};
    put(41, kAir);
    ASSERT_TRUE(service_.shootSegment(others, {}, inner, executor_).ok());
    put(42, kAir);
  });
  ASSERT_TRUE(shoot().ok());
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_TRUE(absl::IsFailedPrecondition(refused[0]));
  EXPECT_EQ(calls(), "water@9 water@25 water@25");
  EXPECT_EQ(textOf(resultOf(inner, 1)), "stone@42!");
  EXPECT_EQ(hitsOf(1), "water@25 stone@26!");
  EXPECT_EQ(hitsOf(2), "");
  ASSERT_TRUE(shoot().ok()) << "it is free again";
}

TEST_F(BatchTest, BatchesAreNestedAsDeepAsShots) {
  int depth = 0;
  absl::Status deepest;
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) {
    ++depth;
    ShotBatch inner;
    const absl::Status status = service_.shootSegment(queries_, {.max_hits = 1}, inner);
    if (!status.ok()) {
      deepest = status;
      service_.removeBlockCallback(kWater);
    }
  });
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(depth, RayQueryService::kMaxNesting + 1);
  EXPECT_TRUE(absl::IsResourceExhausted(deepest));
}

TEST_F(BatchTest, TasksThatAnExecutorSkipsRunSerially) {
  onBlock(kWater);
  for (int i = 0; i < 200; ++i)
    queries_.push_back(queryTo(27.5));
  const auto leavesOut = [](std::size_t tasks, Task task) {
    for (std::size_t i = 0; i < tasks; i += 2)
      task(i);
  };
  ASSERT_TRUE(service_.shootSegment(queries_, {}, batch_, leavesOut).ok());
  EXPECT_EQ(hitsOf(2), "water@41 stone@42!");
  EXPECT_EQ(hitsOf(40), "water@25 stone@26!");
  EXPECT_EQ(calls_.size(), queries_.size());
  EXPECT_GT(batch_.reruns, 50U);
  OcclusionBatch sight;
  ASSERT_TRUE(service_.occluded(queries_, {}, sight, leavesOut).ok());
  EXPECT_EQ(sight.answers, std::vector<Occlusion>(queries_.size(), Occlusion::kBlocked));
  ClosestBatch closest;
  ASSERT_TRUE(service_.closestHit(queries_, {}, closest, leavesOut).ok());
  EXPECT_EQ(closest.answers.size(), queries_.size());
  for (const Hit& hit : closest.answers)
    EXPECT_TRUE(hit.isBlock());
}

TEST_F(BatchTest, AResultCanBeMovedAndRefilled) {
  ASSERT_TRUE(shoot().ok());
  const ShotBatch other = std::move(batch_);
  batch_ = ShotBatch();
  EXPECT_EQ(textOf(resultOf(other, 0)), "water@9 stone@10!");
  ASSERT_TRUE(shoot().ok());
  EXPECT_EQ(hitsOf(0), "water@9 stone@10!");
}

// Closest hits and lines of sight have no effects: each equals its single query.
TEST(SightBatchTest, AnswersEqualThoseOfSingleQueries) {
  oracle::Rng rng("SightBatchTest.Alone");
  const auto ways = waysToRun();
  std::size_t errors = 0;
  std::array<int, 3> seen{};
  for (int round = 0; round < 40; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + round % 4, 30, 600);
    const RayQueryService service(scene->world, scene->entities);
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 300; ++i) {
      queries.push_back(
          {.line = oracle::randomSegment(rng, *scene), .levels = scene->world.allLevels()});
      if (rng.oneIn(30)) std::get<FixedSegment>(queries.back().line).from[0] = -kMaxCoordinate - 1;
    }
    QueryOptions options{.report_unknown = rng.oneIn(2), .stop_at_unknown = rng.oneIn(3)};
    QueryOptions sight_options{.filter = {.categories = rng.oneIn(2) ? 1U : 0U},
                               .entities_block = true};
    if (rng.oneIn(4)) options.max_steps = sight_options.max_steps = 12;
    const auto& [name, way] = ways[static_cast<std::size_t>(round) % ways.size()];
    SCOPED_TRACE(name);
    ClosestBatch closest;
    OcclusionBatch sight;
    ASSERT_TRUE(service.closestHit(queries, options, closest, way).ok());
    ASSERT_TRUE(service.occluded(queries, sight_options, sight, way).ok());
    ASSERT_EQ(sight.version, service.version());
    ASSERT_EQ(closest.version, service.version());
    ASSERT_EQ(closest.answers.size(), queries.size());
    const bool has_unknown = options.report_unknown || options.stop_at_unknown;
    ASSERT_EQ(closest.unknown_from.size(), has_unknown ? queries.size() : 0);
    ASSERT_EQ(sight.answers.size(), queries.size());
    auto error = sight.errors.begin();
    auto closest_error = closest.errors.begin();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const FixedSegment& segment = std::get<FixedSegment>(queries[i].line);
      const LevelMask levels = queries[i].levels;
      const auto alone = service.closestHit(segment, levels, options);
      const ClosestHit expected = alone.ok() ? *alone : ClosestHit();
      const Hit& hit = closest.answers[i];
      ASSERT_EQ(hit.kind != Hit::Kind::kNone, expected.hit.has_value());
      ASSERT_TRUE(!expected.hit.has_value() || oracle::isSame(hit, *expected.hit));
      if (has_unknown) {
        ASSERT_EQ(closest.unknown_from[i], expected.unknown_from);
      }
      if (!alone.ok()) {
        ASSERT_NE(closest_error, closest.errors.end());
        ASSERT_EQ(closest_error->query, i);
        ASSERT_EQ(closest_error->status, alone.status());
        ++closest_error;
      }
      const auto seen_alone = service.occluded(segment, levels, sight_options);
      ASSERT_EQ(sight.answers[i], seen_alone.value_or(Occlusion::kUnknown));
      ++seen[static_cast<std::size_t>(sight.answers[i])];
      if (seen_alone.ok()) continue;
      ASSERT_NE(error, sight.errors.end());
      ASSERT_EQ(error->query, i);
      ASSERT_EQ(error->status, seen_alone.status());
      ++error;
      ++errors;
    }
    ASSERT_EQ(error, sight.errors.end());
    ASSERT_EQ(closest_error, closest.errors.end());
  }
  EXPECT_GT(errors, 100U);
  for (const int count : seen)
    EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace fractalray::batch_test
