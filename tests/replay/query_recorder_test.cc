// SPDX-License-Identifier: Apache-2.0
// Checks recording while a service answers, and replaying the recorded queries.
#include "../../replay/query_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../replay/query_replay.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "../query/shot_fixture.h"
#include "log_file.h"

namespace fractalray {
namespace {

using oracle::allocationCount;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Outcome = Replayed::Outcome;

const Segment kThrough{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};

// Records the queries that the service answers from now on.
std::unique_ptr<QueryRecorder> record(RayQueryService& service, const World& world,
                                      const EntityIndex& entities,
                                      const RecorderOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<QueryRecorder>> opened =
      QueryRecorder::open(logPath(), world, entities, options);
  EXPECT_TRUE(opened.ok()) << opened.status();
  service.setObserver(opened->get());
  return *std::move(opened);
}

std::vector<Outcome> outcomes(const World& world, const EntityIndex& entities,
                              bool ask_all = false) {
  const ReadLog log = readLog(logPath());
  EXPECT_TRUE(log.opened.ok() && log.end.ok()) << log.opened << log.end;
  QueryReplay replay(world, entities, log.header, ask_all);
  std::vector<Outcome> all;
  for (const LoggedQuery& query : log.queries)
    all.push_back(replay.replay(query).outcome);
  return all;
}

class RecordingTest : public CorridorTest {
 protected:
  RecordingTest() {
    put(5, kWater);
    put(9, kReeds);
    put(40, kStone);
    entity_ = addEntity(7, 20, 1);
  }

  void TearDown() override { removeLog(); }

  std::unique_ptr<QueryRecorder> record(const RecorderOptions& options = {}) {
    return fractalray::record(service_, world_, entities_, options);
  }
  std::vector<Outcome> replay(bool ask_all = false) { return outcomes(world_, entities_, ask_all); }
  // Returns the answers of the log's queries.
  static std::vector<LoggedAnswer> answers() {
    std::vector<LoggedAnswer> all;
    for (const LoggedQuery& query : readLog(logPath()).queries)
      all.push_back(parseAnswer(*query.answer).value());
    return all;
  }

  EntityHandle entity_;
};

// Checks that every verb gives the service's answer, and is logged once.
TEST_F(RecordingTest, PassesEveryVerbOn) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const FixedSegment units = toUnits(kThrough).value();
  const Ray ray{.origin = kThrough.from, .direction = {1, 0, 0}, .max_distance = 60};

  ShotResult into;
  EXPECT_TRUE(service_.shootSegment(units, levels, {}, into).ok());
  EXPECT_EQ(into.hits.size(), 4U);
  for (const auto& shot :
       {service_.shootSegment(kThrough, levels), service_.shootSegment(units, levels)}) {
    ASSERT_TRUE(shot.ok());
    EXPECT_EQ(oracle::difference(*shot, into), "");
  }
  const FixedSegment line = toFixedSegment(ray).value();
  ASSERT_LT(line.end_time, kWholeLine);
  EXPECT_EQ(service_.shootSegment(ray, levels)->hits.size(), 4U);
  ClosestHit closest;
  EXPECT_TRUE(service_.closestHit(units, levels, {}, closest).ok());
  for (const auto& hit :
       {service_.closestHit(kThrough, levels), service_.closestHit(units, levels)}) {
    ASSERT_TRUE(hit.ok());
    EXPECT_TRUE(oracle::isSame(*hit->hit, *closest.hit));
  }
  EXPECT_EQ(service_.occluded(kThrough, levels).value(), Occlusion::kBlocked);
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

TEST_F(RecordingTest, LogsBatchesInTheOrderOfQueries) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const std::vector<EntityId> ignored = {7};
  const Segment bad{{0.5, 0.5, 0.5}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  const std::vector<BatchQuery> queries = {{.line = kThrough, .levels = levels},
                                           {.line = bad, .levels = levels},
                                           {.line = kThrough, .levels = {}},
                                           {.line = kThrough, .levels = levels, .ignore = ignored}};
  std::vector<BatchQuery> in_units;
  for (const std::size_t i : {0U, 2U, 3U}) {
    in_units.push_back({.line = toUnits(kThrough).value(),
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

// Each way of resuming after a hit, replayed; and the expected answers.
TEST_F(RecordingTest, ReplaysQueriesThatResumeAfterAHit) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const FixedSegment units = toUnits(kThrough).value();
  const std::vector<Hit> all = service_.shootSegment(units, levels)->hits;
  ASSERT_EQ(all.size(), 4U);
  const std::span<const Hit> two = std::span(all).first(2);
  const std::span<const Hit> three = std::span(all).first(3);

  EXPECT_EQ(service_.shootSegment(units, levels, {.after = two})->hits.size(), 2U);
  EXPECT_EQ(service_.resume(units, all[1], levels)->hits.size(), 2U);
  EXPECT_EQ(service_.resume(units, all[0], levels, {.after = three})->hits.size(), 2U)
      << "the entity is not hit again";
  ClosestHit closest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::span<const Hit> last =
        closest.hit.has_value() ? std::span<const Hit>(&*closest.hit, 1) : std::span<const Hit>();
    ASSERT_TRUE(service_.closestHit(units, levels, {.after = last}, closest).ok());
    EXPECT_TRUE(oracle::isSame(*closest.hit, all[i]));
  }
  EXPECT_EQ(service_.occluded(units, levels, {.after = all}).value(), Occlusion::kClear);
  EXPECT_EQ(service_.occluded(units, levels, {.after = three}).value(), Occlusion::kBlocked);
  ShotResult shot;
  shot.segment = units;
  shot.hits = {all[0]};
  EXPECT_TRUE(service_.resume(shot, levels, {.max_hits = 1}).ok());
  EXPECT_TRUE(service_.resume(shot, levels, {.after = three}).ok());
  EXPECT_EQ(shot.hits.size(), 3U) << "without the entity";
  const std::vector<BatchQuery> queries = {{.line = units, .levels = levels, .after = two},
                                           {.line = units, .levels = levels}};
  ShotBatch batch;
  ClosestBatch picks;
  OcclusionBatch sight;
  EXPECT_TRUE(service_.shootSegment(queries, {.after = three}, batch).ok());
  EXPECT_EQ(batch.hitsOf(0).size(), 1U);
  EXPECT_TRUE(service_.closestHit(queries, {}, picks).ok());
  EXPECT_TRUE(service_.occluded(queries, {.after = all}, sight).ok());
  Hit elsewhere = all[3];
  elsewhere.block[1] += 7;
  EXPECT_FALSE(service_.resume(units, elsewhere, levels).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->queries(), 19U);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  put(40, kGlass);
  EXPECT_THAT(replay(), ::testing::Contains(Outcome::kDifferent));
}

// Block, entity, predicate and effect: each ends its shot in the replay as it did.
TEST_F(RecordingTest, ReplaysShotsThatCallbacksEnded) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const auto shoot = [&](const ShotOptions& options = {}) {
    EXPECT_TRUE(service_.shootSegment(kThrough, world_.allLevels(), options).ok());
  };
  shoot();
  std::ignore = service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kStop; });
  shoot();
  service_.removeBlockCallback(kWater);
  std::ignore = service_.onBlockHit(
      kReeds, [](const BlockHit& hit) { return hit.block[0] == 9; }, nullptr);
  shoot({.report_unknown = true});
  service_.removeBlockCallback(kReeds);
  service_.onEntityHit(EntityClassId{1}, [](const EntityHit&) { return HitResponse::kStop; });
  shoot();
  service_.removeEntityCallback(EntityClassId{1});
  shoot();
  EXPECT_TRUE(recording->close().ok());

  std::vector<std::size_t> hits;
  for (const LoggedAnswer& answer : answers())
    hits.push_back(answer.hits.size());
  EXPECT_THAT(hits, ElementsAre(4U, 1U, 2U, 3U, 4U));
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(RecordingTest, ALaterBlockOfTheSameTypeDoesNotEndTheReplay) {
  put(6, kWater);
  int calls = 0;
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    return ++calls == 2 ? HitResponse::kStop : HitResponse::kContinue;
  });
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_EQ(service_.shootSegment(kThrough, world_.allLevels())->hits.size(), 2U);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

// Rules run again: the hits at which they end a shot, their costs, and the budgets that a resumed
// shot carries; whatever callbacks say in addition.
TEST_F(RecordingTest, ReplaysTerminalRules) {
  TerminalRules rules;
  const BudgetId gold = rules.addBudget(2).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(gold, 0.1)).ok());
  ASSERT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerBlock(gold, 1)).ok());
  ASSERT_TRUE(rules.setEntities(1, TerminalRule::stopShot()).ok());
  put(6, kWater);
  put(7, kWater);
  const Budgets little = {0.3};
  std::unique_ptr<QueryRecorder> recording = record();
  const auto shootAll = [&] {
    for (const Budgets* const budgets : {static_cast<const Budgets*>(nullptr), &little}) {
      const ShotOptions options{.rules = &rules, .budgets = budgets};
      ASSERT_TRUE(service_.shootSegment(kThrough, world_.allLevels(), options).ok());
      ShotOptions one = options;
      one.max_hits = 1;
      ShotResult shot = service_.shootSegment(kThrough, world_.allLevels(), one).value();
      while (shot.truncated)
        ASSERT_TRUE(service_.resume(shot, world_.allLevels(), one).ok());
      const std::vector<BatchQuery> queries(3, BatchQuery{kThrough, world_.allLevels()});
      ShotBatch batch;
      ASSERT_TRUE(service_.shootSegment(queries, options, batch).ok());
    }
  };
  shootAll();
  // An effect and a predicate that end a shot differ in whether the hit has cost anything.
  std::ignore = service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kStop; });
  shootAll();
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit& hit) { return hit.block[0] == 6; }, nullptr);
  shootAll();
  ASSERT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  int stopped = 0;
  int left = 0;
  for (const LoggedAnswer& answer : answers()) {
    ASSERT_TRUE(answer.budgets.has_value());
    stopped += answer.stopped_at.has_value() ? 1 : 0;
    left += (*answer.budgets)[0] > 0 ? 1 : 0;
  }
  EXPECT_GT(stopped, 3);
  EXPECT_GT(left, 10);
}

TEST_F(RecordingTest, AChangedWorldAnswersDifferently) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  EXPECT_TRUE(service_.shootSegment(kThrough, levels).ok());
  EXPECT_TRUE(service_.closestHit(kThrough, levels).ok());
  EXPECT_TRUE(service_.occluded(kThrough, levels).ok());
  EXPECT_TRUE(recording->close().ok());
  const QueryLogHeader header = readLog(logPath()).header;
  put(40, kGlass);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kDifferent, Outcome::kEqual, Outcome::kEqual));
  EXPECT_THAT(std::string(checkRecordedWorld(header, world_, entities_).message()),
              HasSubstr("its blocks are not the same"));
  put(40, kStone);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  EXPECT_TRUE(checkRecordedWorld(header, world_, entities_).ok());
  moveEntity(entity_, 2);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kDifferent, Outcome::kDifferent, Outcome::kEqual));
  EXPECT_THAT(std::string(checkRecordedWorld(header, world_, entities_).message()),
              HasSubstr("its entities are not the same"));
  const World other({.levels = 3});
  EXPECT_THAT(std::string(checkRecordedWorld(header, other, entities_).message()),
              HasSubstr("it has 3 levels and the recorded one had 2"));
}

TEST_F(RecordingTest, WithoutFingerprintsAnyWorldIsAccepted) {
  EXPECT_TRUE(record({.fingerprints = false})->close().ok());
  put(40, kGlass);
  EXPECT_TRUE(checkRecordedWorld(readLog(logPath()).header, world_, entities_).ok());
}

TEST_F(RecordingTest, QueriesOfAnotherVersionRunOnlyWithAskAll) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  EXPECT_TRUE(service_.shootSegment(kThrough, levels).ok());
  put(30, kWater);
  EXPECT_TRUE(service_.shootSegment(kThrough, levels).ok());
  put(30, kAir);
  moveEntity(entity_, 21);
  EXPECT_TRUE(service_.shootSegment(kThrough, levels).ok());
  moveEntity(entity_, 20);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(),
              ElementsAre(Outcome::kEqual, Outcome::kWorldHadChanged, Outcome::kWorldHadChanged));
  EXPECT_THAT(replay(true), ElementsAre(Outcome::kEqual, Outcome::kDifferent, Outcome::kDifferent));
}

TEST_F(RecordingTest, QueriesWhoseEffectsChangedTheWorldRunOnlyWithAskAll) {
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    put(40, kAir);
    return HitResponse::kContinue;
  });
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const std::vector<BatchQuery> queries(2, {.line = kThrough, .levels = levels});
  ShotBatch batch;
  EXPECT_TRUE(service_.shootSegment(kThrough, levels).ok());
  put(40, kStone);
  EXPECT_TRUE(service_.shootSegment(queries, {}, batch).ok());
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_EQ(log.queries.size(), 3U);
  EXPECT_EQ(log.queries[0].versions, log.header.versions) << "run on the first world";
  for (const LoggedQuery& query : log.queries)
    EXPECT_TRUE(query.world_changed_meanwhile);
  EXPECT_THAT(replay(), Each(Outcome::kWorldHadChanged));
}

TEST_F(RecordingTest, FiltersAreRecordedAndNotReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const ShotOptions options{
      .filter = {.block_filter = [](const BlockHit& hit) { return hit.type != kWater; }}};
  EXPECT_EQ(service_.shootSegment(kThrough, world_.allLevels(), options)->hits.size(), 3U);
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  QueryReplay replay(world_, entities_, log.header, true);
  const Replayed replayed = replay.replay(log.queries.at(0));
  EXPECT_EQ(replayed.outcome, Outcome::kNotReplayable);
  EXPECT_THAT(std::string(replayed.reason), HasSubstr("filter"));
}

TEST_F(RecordingTest, QueriesNestedTooDeepAreRecordedAndNotReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    static_cast<void>(service_.shootSegment(kThrough, world_.allLevels()));
    return HitResponse::kContinue;
  });
  EXPECT_TRUE(service_.shootSegment(kThrough, world_.allLevels()).ok());
  EXPECT_TRUE(recording->close().ok());
  const std::vector<Outcome> all = replay();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(RayQueryService::kMaxNesting) + 2);
  EXPECT_EQ(all.front(), Outcome::kNotReplayable) << "the innermost is answered first";
  EXPECT_THAT(std::vector<Outcome>(all.begin() + 1, all.end()), Each(Outcome::kEqual));
}

TEST_F(RecordingTest, ABudgetOfStepsIsReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_EQ(service_.shootSegment(kThrough, world_.allLevels(), {.max_steps = 1}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

TEST_F(RecordingTest, AnExceptionPassesAndLeavesNoRecord) {
  const std::unique_ptr<QueryRecorder> recording = record();
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit&) -> HitResponse { throw std::runtime_error("x"); });
  EXPECT_THROW(static_cast<void>(service_.shootSegment(kThrough, world_.allLevels())),
               std::runtime_error);
  service_.removeBlockCallback(kWater);
  EXPECT_TRUE(service_.shootSegment(kThrough, world_.allLevels()).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

TEST_F(RecordingTest, ALogThatCannotBeWrittenAffectsNoQuery) {
  EXPECT_FALSE(QueryRecorder::open("/dev/full", world_, entities_).ok());
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(service_.shootSegment(kThrough, world_.allLevels())->hits.size(), 4U);
  EXPECT_TRUE(recording->status().ok());
  EXPECT_EQ(recording->queries(), 0U);
}

TEST_F(RecordingTest, FlushMakesTheLogReadable) {
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_TRUE(service_.shootSegment(kThrough, world_.allLevels()).ok());
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
        EXPECT_TRUE(service_.shootSegment(kThrough, world_.allLevels()).ok());
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_TRUE(recording->close().ok());
  const std::vector<Outcome> all = replay();
  EXPECT_EQ(all.size(), 2000U);
  EXPECT_THAT(all, Each(Outcome::kEqual));
}

// Replays random scenes, options and callbacks as recorded; on another scene many answers differ.
TEST(RecordingPropertyTest, RandomQueriesAreReplayed) {
  oracle::Rng rng("RandomQueriesAreReplayed");
  std::size_t queries = 0;
  std::size_t ended_by_callback = 0;
  int reflected = 0;
  for (int round = 0; round < 60; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + rng.below(5), 20, 300);
    RayQueryService service(scene->world, scene->entities);
    const std::uint64_t salt = rng.next();
    std::ignore = service.onBlockHit(kWater, [&](const BlockHit& hit) {
      return hit.block[0] % 3 == 0 ? HitResponse::kStop : HitResponse::kContinue;
    });
    std::ignore = service.onBlockHit(
        kReeds, [](const BlockHit& hit) { return hit.block[1] % 4 == 0; }, nullptr);
    service.onEntityHit(EntityClassId{1}, [&](const EntityHit& hit) {
      return ((hit.id ^ salt) & 1) != 0 ? HitResponse::kStop : HitResponse::kContinue;
    });
    const auto recording = record(service, scene->world, scene->entities);
    FixedSegment segment;
    std::vector<Hit> after;  // of the segment
    for (int i = 0; i < 200; ++i) {
      if (after.empty() || rng.oneIn(2)) {
        segment = oracle::randomSegment(rng, *scene);
        if (rng.oneIn(3)) {
          segment = oracle::randomReflection(rng, segment, scene->world.frame());
        }
        reflected += segment.begin.axes != 0 ? 1 : 0;
        after.clear();
      }
      LevelMask levels;
      for (int level = 0; level < scene->world.frame().levels(); ++level) {
        if (!rng.oneIn(3)) levels.add(level);
      }
      const std::vector<EntityId> ignore = {static_cast<EntityId>(rng.below(20))};
      const ShotOptions options{
          .filter = {.channel = rng.oneIn(3) ? kVisible : kDefaultChannel,
                     .solid_only = rng.oneIn(5),
                     .ignore = ignore,
                     .skip_start_inside = rng.oneIn(3)},
          .corner = static_cast<CornerPolicy>(rng.below(3)),
          .after = after,
          .max_hits = rng.oneIn(3) ? static_cast<std::size_t>(rng.below(4)) : std::size_t{1000},
          .report_unknown = rng.oneIn(2),
          .stop_at_unknown = rng.oneIn(4)};
      const int verb = rng.below(5);
      if (verb == 4) {
        ShotResult shot;
        shot.segment = segment;
        static_cast<void>(service.resume(shot, levels, {.max_hits = 2}));
        static_cast<void>(service.resume(shot, levels, options));
        after = rng.oneIn(2) ? shot.hits : std::vector<Hit>();
        continue;
      }
      if (verb == 0) {
        static_cast<void>(service.closestHit(segment, levels, options));
      } else if (verb == 1) {
        static_cast<void>(service.occluded(
            segment, levels, {.filter = {.categories = rng.next()}, .entities_block = true}));
      } else {
        static_cast<void>(service.shootSegment(segment, levels, options));
      }
    }
    queries += recording->queries();
    ASSERT_TRUE(recording->close().ok());
    ASSERT_THAT(outcomes(scene->world, scene->entities), Each(Outcome::kEqual)) << round;
    for (const LoggedQuery& query : readLog(logPath()).queries) {
      const LoggedAnswer answer = parseAnswer(*query.answer).value();
      if (!answer.hits.empty() && answer.hits.back().ended_by_callback) ++ended_by_callback;
    }
  }
  removeLog();
  EXPECT_GT(queries, 12000U);
  EXPECT_GT(reflected, 1000);
  EXPECT_GT(ended_by_callback, 100U);
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
  const auto recording = record(service, scene->world, scene->entities);
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
