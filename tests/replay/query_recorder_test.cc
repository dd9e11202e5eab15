// SPDX-License-Identifier: Apache-2.0
// Checks recording while a service answers.
#include "../../formats/replay/query_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using oracle::allocationCount;
using ::testing::Each;
using ::testing::ElementsAre;

// Checks that every verb gives the service's answer, and is logged once.
TEST_F(RecordingTest, PassesEveryVerbOn) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const FixedSegment units = toUnits(through_).value();
  const Ray ray{.origin = through_.from, .direction = {1, 0, 0}, .max_distance = 60};

  ShotResult into;
  EXPECT_TRUE(service_.shootSegment(units, levels, {}, into).ok());
  EXPECT_EQ(into.hits.size(), 4U);
  for (const auto& shot :
       {service_.shootSegment(through_, levels), service_.shootSegment(units, levels)}) {
    ASSERT_TRUE(shot.ok());
    EXPECT_EQ(oracle::difference(*shot, into), "");
  }
  const FixedSegment line = toFixedSegment(ray).value();
  ASSERT_LT(line.end_time, kWholeLine);
  EXPECT_EQ(service_.shootSegment(ray, levels)->hits.size(), 4U);
  ClosestHit closest;
  EXPECT_TRUE(service_.closestHit(units, levels, {}, closest).ok());
  for (const auto& hit :
       {service_.closestHit(through_, levels), service_.closestHit(units, levels)}) {
    ASSERT_TRUE(hit.ok());
    EXPECT_TRUE(oracle::isSame(*hit->hit, *closest.hit));
  }
  EXPECT_EQ(service_.occluded(through_, levels).value(), Occlusion::kBlocked);
  EXPECT_EQ(service_.occluded(units, levels).value(), Occlusion::kBlocked);
  EXPECT_EQ(recording->queries(), 9U);
  EXPECT_TRUE(recording->close().ok());

  const ReadLog log = readLog(logPath());
  std::string verbs;
  for (const LoggedQuery& query : log.queries) {
    verbs += std::string(queryVerbName(query.verb)) + " ";
    EXPECT_EQ(query.segment, &query == &log.queries[3] ? line : units);
    EXPECT_EQ(query.levels, levels);
  }
  EXPECT_EQ(verbs, "shoot shoot shoot shoot closestHit closestHit closestHit occluded occluded ");
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  EXPECT_TRUE(checkRecordedWorld(log.header, world_, entities_).ok());
}

TEST_F(RecordingTest, LogsTheBudgetsOfTheShotsOfABatch) {
  TerminalRules rules;
  const BudgetId amount = rules.addBudget(0).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(amount, 1)).ok());
  ASSERT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerHit(amount, 1)).ok());
  const Budgets one{1};
  const Budgets two{2};
  std::vector<BatchQuery> queries;
  for (const Budgets* const budgets : {static_cast<const Budgets*>(nullptr), &one, &two})
    queries.push_back({.line = through_, .budgets = budgets});
  const std::unique_ptr<QueryRecorder> recording = record();
  ShotBatch shots;
  EXPECT_TRUE(service_.shootSegment(queries, {.rules = &rules}, shots).ok());
  EXPECT_TRUE(recording->close().ok());
  std::vector<double> amounts;
  for (const LoggedQuery& query : readLog(logPath()).queries)
    amounts.push_back(query.budgets[0]);
  EXPECT_EQ(amounts, (std::vector<double>{0, 1, 2}));
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(RecordingTest, LogsBatchesInTheOrderOfQueries) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const std::vector<EntityId> ignored = {7};
  const Segment bad{{0.5, 0.5, 0.5}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  const std::vector<BatchQuery> queries = {{.line = through_, .levels = levels},
                                           {.line = bad, .levels = levels},
                                           {.line = through_, .levels = {}},
                                           {.line = through_, .levels = levels, .ignore = ignored}};
  std::vector<BatchQuery> in_units;
  for (const std::size_t i : {0U, 2U, 3U}) {
    in_units.push_back({.line = toUnits(through_).value(),
                        .levels = queries[i].levels,
                        .ignore = queries[i].ignore});
  }
  ShotBatch shots;
  ClosestBatch closest;
  OcclusionBatch sight;
  EXPECT_TRUE(service_.shootSegment(queries, {}, shots).ok());
  EXPECT_EQ(shots.hitsOf(3).size(), 3U);
  EXPECT_TRUE(service_.closestHit(queries, {}, closest).ok());
  EXPECT_TRUE(
      service_.occluded(queries, {.filter = {.categories = 1}, .entities_block = true}, sight)
          .ok());
  EXPECT_TRUE(service_.shootSegment(in_units, {}, shots).ok());
  EXPECT_TRUE(service_.closestHit(in_units, {}, closest).ok());
  EXPECT_TRUE(
      service_.occluded(in_units, {.filter = {.categories = 1}, .entities_block = true}, sight)
          .ok());
  EXPECT_FALSE(service_.occluded(in_units, {.filter = {.channel = ChannelId{99}}}, sight).ok());
  EXPECT_TRUE(recording->close().ok());

  const ReadLog log = readLog(logPath());
  const std::vector<LoggedAnswer> all = answers();
  ASSERT_EQ(all.size(), 18U) << "the one that is not finite is left out";
  for (std::size_t i = 0; i < all.size(); i += 3) {
    EXPECT_EQ(all[i].status, absl::StatusCode::kOk);
    EXPECT_EQ(all[i + 1].status, absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(all[i + 2].status, absl::StatusCode::kOk);
    EXPECT_THAT(log.queries[i + 2].ignore, ElementsAre(7U));
  }
  EXPECT_EQ(all[0].hits.size(), 4U);
  EXPECT_EQ(all[2].hits.size(), 3U);
  EXPECT_EQ(all[3].hits.size(), 1U);
  EXPECT_EQ(all[6].occlusion, Occlusion::kBlocked);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(RecordingTest, AnExceptionPassesAndLeavesNoRecord) {
  const std::unique_ptr<QueryRecorder> recording = record();
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit&) -> HitResponse { throw std::runtime_error("x"); });
  EXPECT_THROW(static_cast<void>(service_.shootSegment(through_, world_.allLevels())),
               std::runtime_error);
  service_.removeBlockCallback(kWater);
  EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels()).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

TEST_F(RecordingTest, ALogThatCannotBeWrittenAffectsNoQuery) {
  EXPECT_FALSE(QueryRecorder::open("/dev/full", world_, entities_).ok());
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(service_.shootSegment(through_, world_.allLevels())->hits.size(), 4U);
  EXPECT_TRUE(recording->status().ok());
  EXPECT_EQ(recording->queries(), 0U);
}

TEST_F(RecordingTest, FlushMakesTheLogReadable) {
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels()).ok());
  EXPECT_EQ(readLog(logPath()).queries.size(), 0U);
  EXPECT_TRUE(recording->flush().ok());
  EXPECT_EQ(readLog(logPath()).queries.size(), 1U);
}

TEST_F(RecordingTest, SeveralThreadsMayQuery) {
  const std::unique_ptr<QueryRecorder> recording = record();
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k)
        EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels()).ok());
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_TRUE(recording->close().ok());
  const std::vector<Outcome> all = replay();
  EXPECT_EQ(all.size(), 2000U);
  EXPECT_THAT(all, Each(Outcome::kEqual));
}

TEST(RecordingCostTest, RecordingDoesNotAllocateOnceWarm) {
  oracle::Rng rng("RecordingDoesNotAllocateOnceWarm");
  const auto scene = oracle::randomScene(rng, 3, 30, 600);
  RayQueryService service(scene->world, scene->entities);
  std::vector<BatchQuery> queries;
  queries.reserve(3000);
  for (int i = 0; i < 3000; ++i) {
    queries.push_back(
        {.line = oracle::randomSegment(rng, *scene), .levels = scene->world.allLevels()});
  }
  const auto recording = recordQueries(service, scene->world, scene->entities);
  ShotResult shot;
  ClosestHit closest;
  ShotBatch batch;
  const auto allocations = [&] {
    const std::size_t before = allocationCount();
    for (const BatchQuery& query : queries) {
      EXPECT_TRUE(
          service.shootSegment(std::get<FixedSegment>(query.line), query.levels, {}, shot).ok());
      EXPECT_TRUE(
          service.closestHit(std::get<FixedSegment>(query.line), query.levels, {}, closest).ok());
      EXPECT_TRUE(service.occluded(std::get<FixedSegment>(query.line), query.levels).ok());
    }
    EXPECT_TRUE(service.shootSegment(queries, {}, batch).ok());
    return allocationCount() - before;
  };
  allocations();
  EXPECT_EQ(allocations(), 0U);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_GT(readBytes(logPath()).size(), std::size_t{1} << 20) << "the buffer was emptied";
  EXPECT_EQ(recording->queries(), 24000U);
  removeLog();
}

}  // namespace
}  // namespace fractalray
