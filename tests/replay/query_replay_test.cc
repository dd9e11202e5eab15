// SPDX-License-Identifier: Apache-2.0
// Checks replaying recorded queries.
#include "../../formats/replay/query_replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReplayTest : public RecordingTest {};

// Each way of resuming after a hit, replayed; and the expected answers.
TEST_F(ReplayTest, ReplaysQueriesThatResumeAfterAHit) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const FixedSegment units = toUnits(through_).value();
  const std::vector<Hit> all = service_.shootSegment(units, levels)->hits;
  ASSERT_EQ(all.size(), 4U);
  const std::span<const Hit> two = std::span(all).first(2);
  const std::span<const Hit> three = std::span(all).first(3);

  EXPECT_EQ(service_.shootSegment(units, levels, {.after = two})->hits.size(), 2U);
  EXPECT_EQ(service_.shootSegment(units, levels, {.after = {&all[1], 1}})->hits.size(), 2U);
  const std::vector<Hit> others = {all[1], all[2], all[0]};
  EXPECT_EQ(service_.shootSegment(units, levels, {.after = others})->hits.size(), 2U)
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
  EXPECT_FALSE(service_.shootSegment(units, levels, {.after = {&elsewhere, 1}}).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->queries(), 19U);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  put(40, kGlass);
  EXPECT_THAT(replay(), ::testing::Contains(Outcome::kDifferent));
}

// Block, entity, predicate and effect: each ends its shot in the replay as it did.
TEST_F(ReplayTest, ReplaysShotsThatCallbacksEnded) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const auto shoot = [&](const QueryOptions& options = {}) {
    EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels(), options).ok());
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

TEST_F(ReplayTest, ReplaysLevelSpansOfShotsThatRequestedThem) {
  const std::unique_ptr<QueryRecorder> recording = record();
  shoot({.report_level_spans = true});
  shoot();
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(answers()[0].level_spans.size(), 1U);
  EXPECT_TRUE(answers()[1].level_spans.empty());
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  unload(3);  // after the stone that ends the shots
  EXPECT_THAT(replayAll(world_, entities_, true),
              ElementsAre(Outcome::kDifferent, Outcome::kEqual));
}

TEST_F(ReplayTest, ALaterBlockOfTheSameTypeDoesNotEndTheReplay) {
  put(6, kWater);
  int calls = 0;
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    return ++calls == 2 ? HitResponse::kStop : HitResponse::kContinue;
  });
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_EQ(service_.shootSegment(through_, world_.allLevels())->hits.size(), 2U);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

// Rules run again: the hits at which they end a shot, their costs, and the budgets that a resumed
// shot carries; whatever callbacks say in addition.
TEST_F(ReplayTest, ReplaysTerminalRules) {
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
      const QueryOptions options{.rules = &rules, .budgets = budgets};
      ASSERT_TRUE(service_.shootSegment(through_, world_.allLevels(), options).ok());
      QueryOptions one = options;
      one.max_hits = 1;
      ShotResult shot = service_.shootSegment(through_, world_.allLevels(), one).value();
      while (shot.truncated)
        ASSERT_TRUE(service_.resume(shot, world_.allLevels(), one).ok());
      const std::vector<BatchQuery> queries(3, BatchQuery{through_, world_.allLevels()});
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

TEST_F(ReplayTest, AChangedWorldAnswersDifferently) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  EXPECT_TRUE(service_.shootSegment(through_, levels).ok());
  EXPECT_TRUE(service_.closestHit(through_, levels).ok());
  EXPECT_TRUE(service_.occluded(through_, levels).ok());
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

TEST_F(ReplayTest, WithoutFingerprintsAnyWorldIsAccepted) {
  EXPECT_TRUE(record({.fingerprints = false})->close().ok());
  put(40, kGlass);
  EXPECT_TRUE(checkRecordedWorld(readLog(logPath()).header, world_, entities_).ok());
}

TEST_F(ReplayTest, QueriesOfAnotherVersionRunOnlyWithAskAll) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  EXPECT_TRUE(service_.shootSegment(through_, levels).ok());
  put(30, kWater);
  EXPECT_TRUE(service_.shootSegment(through_, levels).ok());
  put(30, kAir);
  moveEntity(entity_, 21);
  EXPECT_TRUE(service_.shootSegment(through_, levels).ok());
  moveEntity(entity_, 20);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(),
              ElementsAre(Outcome::kEqual, Outcome::kWorldHadChanged, Outcome::kWorldHadChanged));
  EXPECT_THAT(replay(true), ElementsAre(Outcome::kEqual, Outcome::kDifferent, Outcome::kDifferent));
}

TEST_F(ReplayTest, QueriesWhoseEffectsChangedTheWorldRunOnlyWithAskAll) {
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    put(40, kAir);
    return HitResponse::kContinue;
  });
  const std::unique_ptr<QueryRecorder> recording = record();
  const LevelMask levels = world_.allLevels();
  const std::vector<BatchQuery> queries(2, {.line = through_, .levels = levels});
  ShotBatch batch;
  EXPECT_TRUE(service_.shootSegment(through_, levels).ok());
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

TEST_F(ReplayTest, FiltersAreRecordedAndNotReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const QueryOptions options{
      .filter = {.block_filter = [](const BlockHit& hit) { return hit.type != kWater; }}};
  EXPECT_EQ(service_.shootSegment(through_, world_.allLevels(), options)->hits.size(), 3U);
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  QueryReplay replay(world_, entities_, log.header, true);
  const Replayed replayed = replay.replay(log.queries.at(0));
  EXPECT_EQ(replayed.outcome, Outcome::kNotReplayable);
  EXPECT_THAT(std::string(replayed.reason), HasSubstr("filter"));
}

TEST_F(ReplayTest, QueriesNestedTooDeepAreRecordedAndNotReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    static_cast<void>(service_.shootSegment(through_, world_.allLevels()));
    return HitResponse::kContinue;
  });
  EXPECT_TRUE(service_.shootSegment(through_, world_.allLevels()).ok());
  EXPECT_TRUE(recording->close().ok());
  const std::vector<Outcome> all = replay();
  ASSERT_EQ(all.size(), static_cast<std::size_t>(RayQueryService::kMaxNesting) + 2);
  EXPECT_EQ(all.front(), Outcome::kNotReplayable) << "the innermost is answered first";
  EXPECT_THAT(std::vector<Outcome>(all.begin() + 1, all.end()), Each(Outcome::kEqual));
}

TEST_F(ReplayTest, ABudgetOfStepsIsReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  EXPECT_EQ(service_.shootSegment(through_, world_.allLevels(), {.max_steps = 1}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
}

// A corridor so full that effects, even if none is called, make a shot search it in slices, which
// takes other steps.
class ReplayStepsTest : public ReplayTest {
 protected:
  ReplayStepsTest() {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
    for (std::int64_t x = 1; x < 60; ++x) {
      put(x, kWater);
      addEntity(static_cast<EntityId>(100 + x), static_cast<double>(x));
    }
    shoot({.max_steps = std::uint64_t{1} << 30});
    steps_ = result_.stats.steps();
  }

  std::uint64_t steps_ = 0;  // of a shot with a limit and without effects
};

TEST_F(ReplayStepsTest, AShotThatACallbackEndedChangesNoStepsOfLaterOnes) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const auto stop = [](const Hit&) { return HitResponse::kStop; };
  std::ignore = service_.onBlockHit(kWater, stop);
  shoot();
  service_.removeBlockCallback(kWater);
  shoot({.max_steps = steps_});
  service_.onEntityHit(EntityClassId{1}, stop);
  shoot();
  service_.removeEntityCallback(EntityClassId{1});
  shoot({.max_steps = steps_});
  EXPECT_TRUE(recording->close().ok());
  std::vector<bool> ended_by_callback;
  for (const LoggedAnswer& answer : answers())
    ended_by_callback.push_back(answer.hits.back().ended_by_callback);
  EXPECT_THAT(ended_by_callback, ElementsAre(true, false, true, false));
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(ReplayStepsTest, WhetherEnoughStepsWereLeftIsNotReplayedIfEffectsMayHaveDecidedIt) {
  const std::unique_ptr<QueryRecorder> recording = record();
  service_.onEntityHit(EntityClassId{9}, [](const EntityHit&) {});
  shoot();
  ASSERT_GT(result_.stats.steps(), steps_);
  const FixedSegment line = toUnits(through_).value();
  EXPECT_TRUE(absl::IsResourceExhausted(
      service_.shootSegment(line, world_.allLevels(), {.max_steps = steps_}).status()));
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  QueryReplay replay(world_, entities_, log.header, false);
  EXPECT_EQ(replay.replay(log.queries.at(0)).outcome, Outcome::kEqual);
  const Replayed replayed = replay.replay(log.queries.at(1));
  EXPECT_EQ(replayed.outcome, Outcome::kNotReplayable);
  EXPECT_THAT(std::string(replayed.reason), HasSubstr("max_steps"));
}

// Replays random scenes, options and callbacks as recorded; on another scene many answers differ.
TEST(ReplayPropertyTest, RandomQueriesAreReplayed) {
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
    const auto recording = recordQueries(service, scene->world, scene->entities);
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
      const QueryOptions options{
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
    ASSERT_THAT(replayAll(scene->world, scene->entities), Each(Outcome::kEqual)) << round;
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

}  // namespace
}  // namespace fractalray
