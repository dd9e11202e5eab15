// SPDX-License-Identifier: Apache-2.0
// Checks that a cursor gives the hits of a shot one by one, in a world that may change between two
// of them.
#include "../../query/hit_cursor.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../oracle/shot_compare.h"
#include "hard_scene.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

class HitCursorTest : public CorridorTest {
 protected:
  const Segment line_{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};

  HitCursor cursor(const QueryOptions& options = {}) {
    return service_.hitsAlong(line_, world_.allLevels(), options).value();
  }
  // Returns the next hit as text; "-" after the last one.
  std::string next(HitCursor& hits) {
    const absl::StatusOr<const Hit*> hit = hits.next();
    if (!hit.ok()) return hit.status().ToString();
    return *hit == nullptr ? "-" : textOf(**hit);
  }
};

TEST_F(HitCursorTest, GivesHitByHit) {
  put(3, kWater);
  addEntity(7, 5);
  put(9, kStone);
  put(12, kWater);
  HitCursor hits = cursor();
  EXPECT_EQ(next(hits), "water@3");
  EXPECT_FALSE(hits.shot().terminated);
  EXPECT_EQ(next(hits), "e7@5");
  EXPECT_EQ(next(hits), "stone@9!");
  EXPECT_TRUE(hits.shot().terminated);
  EXPECT_EQ(next(hits), "-");
  EXPECT_EQ(next(hits), "-");
  EXPECT_EQ(textOf(hits.shot()), "water@3 e7@5 stone@9!");
}

TEST_F(HitCursorTest, CallsTerminalTestsButNoEffects) {
  put(3, kWater);
  put(5, kWater);
  onBlock(kWater, HitResponse::kStop);
  QueryOptions options;
  options.on_hit = [](const Hit&) {
    ADD_FAILURE() << "called";
    return HitResponse::kStop;
  };
  HitCursor hits = cursor(options);
  EXPECT_EQ(next(hits), "water@3");
  EXPECT_EQ(calls(), "");
  ASSERT_TRUE(service_
                  .onBlockHit(
                      kWater, [](const BlockHit& hit) { return hit.block[0] == 5; }, nullptr)
                  .ok());
  EXPECT_EQ(next(hits), "water@5!") << "registered in between";
}

TEST_F(HitCursorTest, ContinuesInTheCurrentWorld) {
  put(3, kWater);
  put(20, kStone);
  HitCursor hits = cursor();
  EXPECT_EQ(next(hits), "water@3");
  put(2, kWater);  // before the last hit
  put(3, kAir);    // the last hit itself
  put(5, kWater);
  EXPECT_EQ(next(hits), "water@5");
  put(20, kAir);
  put(30, kStone);
  EXPECT_EQ(next(hits), "stone@30!");
}

TEST_F(HitCursorTest, ReportsTheLevelSpansOfTheCurrentWorld) {
  put(5, kWater);
  unload(3);
  auto cursor = service_.hitsAlong(line_, world_.allLevels(), {.report_level_spans = true}).value();
  ASSERT_TRUE(cursor.next().ok());
  ASSERT_EQ(cursor.shot().level_spans.size(), 1U);
  EXPECT_DOUBLE_EQ(cursor.shot().level_spans[0].t1, 47.5 / 60);
  load(3);
  ASSERT_TRUE(cursor.next().ok());
  EXPECT_EQ(cursor.shot().version.world, world_.version());
  ASSERT_EQ(cursor.shot().level_spans.size(), 1U);
  EXPECT_EQ(cursor.shot().level_spans[0].t1, 1);
}

TEST_F(HitCursorTest, ContinuesInAWorldThatWasSwapped) {
  put(3, kWater);
  put(8, kStone);
  World other{{.levels = 2, .block_types = oracle::sceneTypes()}};
  for (std::int64_t x = 0; x < 4; ++x)
    ASSERT_TRUE(other.loadChunk(1, {x, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(other.setBlock(1, {3, 0, 0}, kWater).ok());
  ASSERT_TRUE(other.setBlock(1, {5, 0, 0}, kStone).ok());
  ASSERT_EQ(other.version(), world_.version());
  HitCursor hits = cursor();
  EXPECT_EQ(next(hits), "water@3");
  std::swap(world_, other);
  EXPECT_EQ(next(hits), "stone@5!");
}

TEST_F(HitCursorTest, AnEntityIsHitOnceHoweverItMoves) {
  const EntityHandle runner = addEntity(7, 5);
  addEntity(8, 9);
  HitCursor hits = cursor();
  EXPECT_EQ(next(hits), "e7@5");
  moveEntity(runner, 7);
  EXPECT_EQ(next(hits), "e8@9");
  moveEntity(runner, 40);
  EXPECT_EQ(next(hits), "-");
}

TEST_F(HitCursorTest, ContinuesIfTheBlockThatEndedTheShotIsOpen) {
  put(5, kStone);
  put(9, kStone);
  for (const bool expands : {false, true}) {
    HitCursor hits = cursor();
    EXPECT_EQ(next(hits), "stone@5!");
    put(20, kWater);
    EXPECT_EQ(next(hits), "-") << "an edit elsewhere opens nothing";
    put(20, kAir);
    if (expands) {
      // Nothing is finer than level 1: the wall turns into something permeable.
      put(5, kWater);
    } else {
      put(5, kAir);
    }
    EXPECT_EQ(next(hits), "stone@9!");
    EXPECT_FALSE(hits.shot().hits.front().terminal);
    put(5, kStone);
  }
}

TEST_F(HitCursorTest, FindsHitsAddedAfterTheEnd) {
  HitCursor hits = cursor();
  EXPECT_EQ(next(hits), "-");
  put(30, kWater);
  EXPECT_EQ(next(hits), "water@30");
  EXPECT_EQ(next(hits), "-");
}

TEST_F(HitCursorTest, ObeysMaxHitsAndBudgets) {
  for (const std::int64_t x : {3, 5, 7})
    put(x, kWater);
  HitCursor two = cursor({.max_hits = 2});
  EXPECT_EQ(next(two), "water@3");
  EXPECT_EQ(next(two), "water@5");
  EXPECT_FALSE(two.shot().truncated);
  EXPECT_EQ(next(two), "-");
  EXPECT_TRUE(two.shot().truncated);
  EXPECT_EQ(next(two), "-");

  TerminalRules rules;
  const BudgetId budget = rules.addBudget(1.5).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 1)).ok());
  HitCursor pierces = cursor({.rules = &rules});
  EXPECT_EQ(next(pierces), "water@3");
  EXPECT_EQ((*pierces.shot().budgets)[0], 0.5);
  EXPECT_EQ(next(pierces), "water@5!");
  put(5, kAir);
  EXPECT_EQ(next(pierces), "-") << "the budget is used up";
}

TEST_F(HitCursorTest, ReportsTheUnknown) {
  unload(1);  // blocks 16 to 31
  put(40, kWater);
  HitCursor hits = cursor({.report_unknown = true});
  EXPECT_EQ(next(hits), "water@40");
  EXPECT_EQ(hits.shot().unknown_from, 15.5 / 60);
  HitCursor stops = cursor({.stop_at_unknown = true});
  EXPECT_EQ(next(stops), "-");
}

TEST_F(HitCursorTest, WhatWasUnknownMayBeSoStill) {
  unload(1);
  put(40, kWater);
  HitCursor stops = cursor({.stop_at_unknown = true});
  EXPECT_EQ(next(stops), "-");
  put(50, kReeds);
  EXPECT_EQ(next(stops), "-");
  EXPECT_EQ(stops.shot().unknown_from, 15.5 / 60);
  put(50, kAir);
  put(40, kAir);
  HitCursor reports = cursor({.report_unknown = true});
  EXPECT_EQ(next(reports), "-");
  put(50, kReeds);
  EXPECT_EQ(next(reports), "reeds@50");
  EXPECT_EQ(reports.shot().unknown_from, 15.5 / 60);
}

TEST_F(HitCursorTest, AnObserverSeesACursorThatFailedAheadOfTheUnknown) {
  class Observer final : public QueryObserver {
   public:
    void onQuery(const ObservedQuery&, const ObservedAnswer& answer) override {
      unknown_from = answer.answer.unknown_from;
      ++calls;
    }
    std::optional<double> unknown_from;
    int calls = 0;
  };
  put(3, kWater);
  unload(1);
  for (std::int64_t x = 32; x < 60; ++x)
    put(x, kWater);
  Observer observer;
  service_.setObserver(&observer);
  int failed = 0;
  for (std::uint64_t steps = 1; steps < 60; ++steps) {
    observer.calls = 0;
    observer.unknown_from.reset();
    bool has_failed = false;
    {
      absl::StatusOr<HitCursor> made = service_.hitsAlong(
          line_, world_.allLevels(), {.report_unknown = true, .max_steps = steps});
      if (!made.ok()) continue;
      HitCursor& hits = *made;
      if (next(hits) != "water@3" || !hits.shot().unknown_from.has_value()) continue;
      put(61, steps % 2 == 0 ? kAir : kWater);
      has_failed = next(hits) != "water@32";
    }
    EXPECT_EQ(observer.calls, 1);
    EXPECT_EQ(observer.unknown_from.has_value(), !has_failed) << "else it is after the last hit";
    failed += has_failed ? 1 : 0;
  }
  EXPECT_GT(failed, 0);
  service_.setObserver(nullptr);
}

TEST_F(HitCursorTest, WhatWasUnknownAheadMayBeLoadedMeanwhile) {
  for (const bool has_hit : {false, true}) {
    unload(1);
    put(5, has_hit ? kWater : kAir);
    put(40, kWater);
    HitCursor reports = cursor({.report_unknown = true});
    HitCursor stops = cursor({.stop_at_unknown = true});
    if (has_hit) {
      EXPECT_EQ(next(reports), "water@5");
      EXPECT_EQ(next(stops), "water@5");
    }
    EXPECT_EQ(next(stops), "-");
    EXPECT_EQ(stops.shot().unknown_from, 15.5 / 60);
    load(1);
    EXPECT_EQ(next(stops), "water@40");
    EXPECT_EQ(stops.shot().unknown_from, std::nullopt);
    EXPECT_EQ(next(stops), "-");
    EXPECT_EQ(next(reports), "water@40");
    EXPECT_EQ(next(reports), "-");
    EXPECT_EQ(reports.shot().unknown_from, std::nullopt);
  }
}

TEST_F(HitCursorTest, WhatWasUnknownBeforeItsLastHitStaysSo) {
  unload(1);
  put(40, kWater);
  HitCursor hits = cursor({.report_unknown = true});
  EXPECT_EQ(next(hits), "water@40");
  load(1);
  unload(3);
  EXPECT_EQ(next(hits), "-");
  EXPECT_EQ(hits.shot().unknown_from, 15.5 / 60);
}

TEST_F(HitCursorTest, ReportsTheUnknownPastAWallThatFell) {
  unload(1);  // blocks 16 to 31
  put(9, kStone);
  put(40, kWater);
  HitCursor hits = cursor({.report_unknown = true});
  EXPECT_EQ(next(hits), "stone@9!");
  EXPECT_EQ(hits.shot().unknown_from, std::nullopt);
  put(9, kAir);
  EXPECT_EQ(next(hits), "water@40");
  EXPECT_EQ(hits.shot().unknown_from, 15.5 / 60);
  EXPECT_EQ(hits.shot().version, service_.version()) << "that of the world in which it fell";
}

TEST_F(HitCursorTest, WrongArgumentsAreRefusedByItsFactory) {
  const auto code = [&](const Segment& line, LevelMask levels, const QueryOptions& options = {}) {
    return service_.hitsAlong(line, levels, options).status().code();
  };
  EXPECT_EQ(code(line_, {}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {1, 1, 1}}, LevelMask::all()),
            absl::StatusCode::kInvalidArgument);
  const std::vector<Hit> after(1);
  EXPECT_EQ(code(line_, LevelMask::all(), {.after = after}), absl::StatusCode::kInvalidArgument);
}

TEST_F(HitCursorTest, StepsOfAllCallsCountTogether) {
  for (std::int64_t x = 1; x < 60; ++x)
    put(x, kWater);
  HitCursor hits = cursor({.max_steps = 30});
  int count = 0;
  absl::Status status;
  while (status.ok() && count < 100) {
    status = hits.next().status();
    count += status.ok() ? 1 : 0;
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_GT(count, 1);
  EXPECT_EQ(hits.next().status(), status) << "and it stays so";
  EXPECT_EQ(hits.shot().hits.size(), static_cast<std::size_t>(count));
}

// Wherever the steps run out: also in the search for the unknown that follows the last hit.
TEST_F(HitCursorTest, OnceItsStepsHaveRunOutItStaysSo) {
  unload(3);
  put(3, kWater);
  put(5, kWater);
  int exhausted = 0;
  for (std::uint64_t max_steps = 1; max_steps < 60; ++max_steps) {
    const QueryOptions options{.max_hits = 1, .report_unknown = true, .max_steps = max_steps};
    absl::StatusOr<HitCursor> hits = service_.hitsAlong(line_, world_.allLevels(), options);
    if (!hits.ok()) continue;
    std::string last = next(*hits);
    if (last == "water@3") last = next(*hits);
    EXPECT_EQ(next(*hits), last) << max_steps;
    exhausted += last == "-" ? 0 : 1;
  }
  EXPECT_GT(exhausted, 0);
}

TEST_F(HitCursorTest, AnExceptionEndsIt) {
  for (std::int64_t x = 1; x < 60; ++x)
    put(x, kWater);
  QueryOptions options;
  options.filter.block_filter = [](const Hit& hit) {
    if (hit.block[0] == 40) throw std::runtime_error("block 40");
    return true;
  };
  HitCursor hits = cursor(options);
  EXPECT_EQ(next(hits), "water@1");
  EXPECT_EQ(next(hits), "water@2");
  const auto pull_all = [&] {
    while (hits.next().value() != nullptr) {
    }
  };
  EXPECT_THROW(pull_all(), std::runtime_error);
  EXPECT_EQ(hits.next().status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(HitCursorTest, CanBeMovedAndUsedTogetherWithOthers) {
  put(3, kWater);
  put(5, kReeds);
  HitCursor a = cursor();
  HitCursor b = cursor();
  EXPECT_EQ(next(a), "water@3");
  HitCursor moved = std::move(a);
  EXPECT_EQ(next(b), "water@3");
  EXPECT_EQ(next(moved), "reeds@5");
  b = std::move(moved);
  EXPECT_EQ(next(b), "-");
}

// With random edits between two hits, a cursor is a shot of one hit that is resumed each time.
TEST(HitCursorPropertyTest, IsAShotResumedHitByHit) {
  oracle::Rng rng("HitCursorTest.Resumed");
  int changes = 0;
  int hits = 0;
  for (int round = 0; round < 300; ++round) {
    oracle::HardScene scene(rng, 1 + rng.below(3));
    const RayQueryService service(scene.world(), scene.entities());
    const FixedSegment segment = scene.segment(rng);
    const LevelMask levels = scene.levels(rng);
    HitCursor cursor = service.hitsAlong(segment, levels).value();
    ShotResult shot;
    for (int i = 0; i < 40; ++i) {
      const Hit* const hit = cursor.next().value();
      const std::size_t before = shot.hits.size();
      const QueryOptions one{.max_hits = 1, .pass = SearchPass::kPlain};
      if (shot.hits.empty()) {
        ASSERT_TRUE(service.shootSegment(segment, levels, one, shot).ok());
      } else {
        ASSERT_TRUE(service.resume(shot, levels, one).ok());
      }
      ASSERT_EQ(hit != nullptr, shot.hits.size() > before) << oracle::describe(segment);
      if (hit == nullptr) break;
      ASSERT_TRUE(oracle::isSame(*hit, shot.hits.back())) << oracle::describe(*hit) << "\n"
                                                          << oracle::describe(shot.hits.back());
      ++hits;
      if (hit->terminal) break;
      for (int edit = rng.below(3); edit > 0; --edit) {
        const oracle::HardScene::Spot edited = scene.spot(rng);
        const BlockTypeId type = rng.pick({kWater, kReeds, kStone, kAir});
        changes += scene.world().setBlock(edited.level, edited.block, type).ok() ? 1 : 0;
      }
      const std::vector<EntityHandle> all = scene.entities().all();
      if (!all.empty() && rng.oneIn(3)) {
        const EntityHandle some =
            all[static_cast<std::size_t>(rng.below(static_cast<int>(all.size())))];
        changes += scene.entities().move(some, hit->point).ok() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(hits, 300);
  EXPECT_GT(changes, 300);
}

}  // namespace
}  // namespace fractalray
