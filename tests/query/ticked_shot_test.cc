// SPDX-License-Identifier: Apache-2.0
// A shot over several ticks has the hits of the same shot at once, however its line is cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"
#include "shot_fixture.h"

namespace fractalray::oracle::ticked_shot_test {
namespace {

// Returns times to cut at: those of hits, exactly if they are representable, or next to them, exact
// ones of planes (halves, quarters), and random ones; the end last.
std::vector<std::int64_t> cutsOf(Rng& rng, const FixedSegment& line, const std::vector<Hit>& hits) {
  std::set<std::int64_t> cuts;
  const auto add = [&](std::int64_t time) {
    if (time > 0 && time < line.end_time) cuts.insert(time);
  };
  for (const Hit& hit : hits) {
    if (rng.oneIn(3)) continue;
    add(static_cast<std::int64_t>(std::ldexp(hit.t, 60)) + rng.in(-2, 2));
    if (rng.oneIn(3)) add(static_cast<std::int64_t>(std::ldexp(hit.t_exit, 60)));
  }
  for (int i = rng.below(6); i > 0; --i)
    add(kWholeLine / rng.pick({2, 4, 8, 16, 64}) * rng.below(16));
  for (int i = rng.below(4); i > 0; --i)
    add(rng.in(1, kWholeLine));
  cuts.insert(line.end_time);
  return {cuts.begin(), cuts.end()};
}

std::string hitsError(const std::vector<Hit>& hits, const std::vector<Hit>& expected) {
  for (std::size_t i = 0; i < std::min(hits.size(), expected.size()); ++i) {
    if (!isSame(hits[i], expected[i])) {
      return std::to_string(i) + ": " + describe(hits[i]) + " instead of " + describe(expected[i]);
    }
  }
  return hits.size() == expected.size() ? "" : std::to_string(hits.size()) + " hits";
}

// The hits of the flights of a test, and the ticks that had any.
struct Seen {
  std::size_t hits = 0;
  std::size_t ticks = 0;
};

// Flies in ticks, some of which run out of steps or of max_hits. Returns how the outcome differs.
std::string flyInTicks(Rng& rng, const RayQueryService& service, const FixedSegment& line,
                       LevelMask levels, const QueryOptions& options, Seen& seen) {
  const ShotResult whole = service.shootSegment(line, levels, options).value();
  TickedShot bullet(line);
  std::vector<Hit> reported;
  for (const std::int64_t until : cutsOf(rng, line, whole.hits)) {
    while (!bullet.hasEnded() && bullet.readUntil() < until) {
      QueryOptions tick = options;
      const bool is_limited = rng.oneIn(4);
      if (is_limited && rng.oneIn(2)) tick.max_hits = static_cast<std::size_t>(1 + rng.below(3));
      if (is_limited && rng.oneIn(2)) tick.max_steps = static_cast<std::uint64_t>(rng.below(200));
      const std::int64_t before = bullet.readUntil();
      const absl::Status status = service.advance(bullet, until, levels, tick);
      if (!status.ok() && !absl::IsResourceExhausted(status)) return std::string(status.message());
      seen.ticks += bullet.newHits().empty() ? 0U : 1U;
      reported.insert(reported.end(), bullet.newHits().begin(), bullet.newHits().end());
      // The line of a reflected path begins later, or unloaded space stops it.
      if (!is_limited && bullet.readUntil() == before) break;
    }
  }
  seen.hits += reported.size();
  std::string error = hitsError(bullet.shot().hits, whole.hits);
  if (error.empty()) error = hitsError(reported, whole.hits);
  if (bullet.shot().terminated != whole.terminated) error += " terminated";
  if (bullet.shot().budgets != whole.budgets) error += " budgets";
  if (bullet.shot().unknown_from != whole.unknown_from && bullet.hasEnded()) error += " unknown";
  return error;
}

TerminalRules pierceRules() {
  TerminalRules rules;
  const BudgetId all = rules.addBudget(6).value();
  EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(all, 0.5)).ok());
  EXPECT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerPane(all, 1)).ok());
  EXPECT_TRUE(rules.setEntities(0xff, TerminalRule::costPerHit(all, 1)).ok());
  return rules;
}

TEST(TickedShotTest, AnyCutGivesTheHitsOfTheUncutLine) {
  Rng rng("TickedShotTest.Random");
  const TerminalRules rules = pierceRules();
  Seen seen;
  for (int round = 0; round < 120; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(3), rng.pick({0, 40}), rng.pick({50, 3000}));
    const RayQueryService service(scene->world, scene->entities);
    for (int i = 0; i < 30; ++i) {
      FixedSegment line = randomSegment(rng, *scene);
      if (rng.oneIn(5)) line = randomReflection(rng, line, scene->world.frame());
      QueryOptions options;
      options.corner =
          rng.pick({CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase});
      options.filter.skip_start_inside = rng.oneIn(3);
      if (!rng.oneIn(4)) {
        options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kStone; };
      }
      options.report_unknown = rng.oneIn(3);
      if (rng.oneIn(4)) options.rules = &rules;
      ASSERT_EQ(flyInTicks(rng, service, line, scene->world.allLevels(), options, seen), "")
          << describe(line) << describe(options);
    }
  }
  EXPECT_GT(seen.hits, 1000U);
  EXPECT_GT(seen.ticks, 500U);
}

TEST(TickedShotTest, AnyCutInHardScenes) {
  Rng rng("TickedShotTest.Hard");
  Seen seen;
  for (int round = 0; round < 40; ++round) {
    const HardScene scene(rng, 1 + rng.below(3));
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 30; ++i) {
      QueryOptions options = hardOptions(rng, {});
      options.after = {};
      options.max_hits = QueryOptions().max_hits;
      options.stop_at_unknown = false;
      options.filter.solid_only = false;
      options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kStone; };
      const FixedSegment line = scene.segment(rng);
      ASSERT_EQ(flyInTicks(rng, service, line, scene.levels(rng), options, seen), "")
          << describe(line) << describe(options);
    }
  }
  EXPECT_GT(seen.hits, 1000U);
  EXPECT_GT(seen.ticks, 500U);
}

// Two segments that touch at an edge lose the block that only the whole line touches there; two
// ticks of one line do not, in either direction.
TEST(TickedShotTest, AJointAtAnEdgeLosesNothing) {
  World world({.levels = 1, .block_types = sceneTypes()});
  EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  ASSERT_TRUE(world.setBlock(0, {7, 7, 0}, kStone).ok());
  const RayQueryService service(world, entities);
  const Vec3d a{4, 12, 0.5};
  const Vec3d edge{8, 8, 0.5};
  const Vec3d b{12, 4, 0.5};
  EXPECT_TRUE(service.shootSegment({a, edge})->hits.empty());
  EXPECT_TRUE(service.shootSegment({edge, b})->hits.empty());
  for (const Segment& path : {Segment{a, b}, Segment{b, a}}) {
    TickedShot bullet(*toUnits(path));
    ASSERT_TRUE(service.advance(bullet, kWholeLine / 2).ok());
    ASSERT_TRUE(service.advance(bullet, kWholeLine).ok());
    ASSERT_EQ(bullet.shot().hits.size(), 1U);
    EXPECT_EQ(bullet.shot().hits[0].block, (BlockCoord{7, 7, 0}));
    EXPECT_TRUE(bullet.hasEnded());
  }
}

class BulletTest : public CorridorTest {
 protected:
  // Flies to x, or does not.
  absl::Status flyTo(double x, const QueryOptions& options = {}) {
    const auto time = static_cast<std::int64_t>(std::ldexp((x - 0.5) / 60, 60));
    return service_.advance(bullet_, time, world_.allLevels(), options);
  }
  std::string newHits() const {
    std::string text;
    for (const Hit& hit : bullet_.newHits())
      text += (text.empty() ? "" : " ") + textOf(hit);
    return text;
  }

  TickedShot bullet_{*toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}})};
};

TEST_F(BulletTest, WhatItIsStillInsideIsHitOnce) {
  for (const std::int64_t x : {3, 4, 5, 6})
    put(x, kWater);
  addEntity(1, 10);
  put(20, kStone);
  ASSERT_TRUE(flyTo(4.5).ok());
  EXPECT_EQ(newHits(), "water@3 water@4");
  ASSERT_TRUE(flyTo(10.5).ok());
  EXPECT_EQ(newHits(), "water@5 water@6 e1@10");
  ASSERT_TRUE(flyTo(19).ok());
  EXPECT_EQ(newHits(), "");
  ASSERT_TRUE(flyTo(50).ok());
  EXPECT_EQ(newHits(), "stone@20!");
  EXPECT_TRUE(bullet_.hasEnded());
  ASSERT_TRUE(flyTo(60).ok());
  EXPECT_EQ(newHits(), "");
}

TEST_F(BulletTest, TheWorldIsReadAsItIsAtTheTick) {
  const EntityHandle runner = addEntity(1, 30);
  ASSERT_TRUE(flyTo(20).ok());
  put(10, kStone);        // passed
  moveEntity(runner, 5);  // passed
  put(25, kWater);
  ASSERT_TRUE(flyTo(28).ok());
  EXPECT_EQ(newHits(), "water@25");
  moveEntity(runner, 40);
  ASSERT_TRUE(flyTo(50).ok());
  EXPECT_EQ(newHits(), "e1@40");
  moveEntity(runner, 55);
  ASSERT_TRUE(flyTo(60).ok());
  EXPECT_EQ(newHits(), "") << "it is not hit again";
}

TEST_F(BulletTest, ItWaitsAtUnloadedSpace) {
  unload(1);
  put(40, kWater);
  const QueryOptions options{.stop_at_unknown = true};
  ASSERT_TRUE(flyTo(30, options).ok());
  EXPECT_EQ(bullet_.readUntil(), 0);
  ASSERT_TRUE(flyTo(45, options).ok());
  EXPECT_EQ(newHits(), "");
  load(1);
  put(20, kWater);
  ASSERT_TRUE(flyTo(45, options).ok());
  EXPECT_EQ(newHits(), "water@20 water@40");
}

// A tick that max_hits cuts sees unloaded space ahead, at which the bullet never arrives.
TEST_F(BulletTest, UnloadedSpaceBeyondTheEndIsForgotten) {
  put(5, kWater);
  put(9, kStone);
  unload(2);
  ASSERT_TRUE(flyTo(60, {.max_hits = 1, .report_unknown = true}).ok());
  EXPECT_EQ(newHits(), "water@5");
  EXPECT_TRUE(bullet_.shot().truncated);
  EXPECT_TRUE(bullet_.shot().unknown_from.has_value());
  ASSERT_TRUE(flyTo(60, {.report_unknown = true}).ok());
  EXPECT_EQ(newHits(), "stone@9!");
  EXPECT_FALSE(bullet_.shot().unknown_from.has_value());
}

// The unloaded space that a tick has read through stays known.
TEST_F(BulletTest, UnloadedSpaceThatWasPassedIsKept) {
  unload(1);
  put(50, kStone);
  ASSERT_TRUE(flyTo(40, {.report_unknown = true}).ok());
  const std::optional<double> from = bullet_.shot().unknown_from;
  ASSERT_TRUE(from.has_value());
  ASSERT_TRUE(flyTo(60, {.report_unknown = true}).ok());
  EXPECT_EQ(newHits(), "stone@50!");
  EXPECT_EQ(bullet_.shot().unknown_from, from);
}

// The block that an effect uncovers is hit at the time of the hit before, which is not later.
TEST_F(BulletTest, ATickCutAfterAgainFindsWhatBeginsThere) {
  unload(1);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world_.setBlock(0, {1, 0, 0}, kStone).ok());
  onBlock(kStone, HitResponse::kAgain, [&](const BlockHit& hit) {
    if (hit.level == 0) load(1, kWater);
  });
  ASSERT_TRUE(flyTo(60, {.max_hits = 1}).ok());
  EXPECT_EQ(newHits(), "coarse stone@1");
  ASSERT_TRUE(flyTo(60, {.max_hits = 1}).ok());
  EXPECT_EQ(newHits(), "water@16");
  EXPECT_EQ(bullet_.shot().hits[0].t, bullet_.shot().hits[1].t);
  ASSERT_TRUE(flyTo(60, {.max_hits = 1}).ok());
  EXPECT_EQ(newHits(), "water@17") << "none is hit twice";
}

TEST_F(BulletTest, AWallWhoseEffectThrowsEndsIt) {
  put(20, kStone);
  put(30, kWater);
  onBlock(kStone, HitResponse::kContinue,
          [](const BlockHit& /*hit*/) { throw std::runtime_error("the engine's"); });
  EXPECT_THROW((void)flyTo(40), std::runtime_error);
  EXPECT_EQ(newHits(), "stone@20!");
  EXPECT_TRUE(bullet_.hasEnded());
  ASSERT_TRUE(flyTo(60).ok());
  EXPECT_EQ(newHits(), "");
}

TEST_F(BulletTest, SenselessTicksAreRefused) {
  ASSERT_TRUE(flyTo(20).ok());
  EXPECT_EQ(flyTo(20).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(flyTo(10).code(), absl::StatusCode::kInvalidArgument);
  const std::vector<Hit> hits(1);
  EXPECT_EQ(flyTo(30, {.after = hits}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(service_.advance(bullet_, kWholeLine, LevelMask{}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(flyTo(30).code(), absl::StatusCode::kOk);
}

}  // namespace
}  // namespace fractalray::oracle::ticked_shot_test
