// SPDX-License-Identifier: Apache-2.0
// Panes: several blocks that a terminal rule charges once. Case by case; random ones are in
// terminal_rules_panes_property_test.cc.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shot_fixture.h"

namespace fractalray {
namespace {

// Reeds and water are permeable; a budget of 10 is charged 1 for a pane of either.
class PanesTest : public CorridorTest {
 protected:
  PanesTest() {
    for (const BlockTypeId type : {kReeds, kWater}) {
      EXPECT_TRUE(rules_.setBlock(type, TerminalRule::costPerPane(budget_, 1)).ok());
    }
  }

  void setRule(BlockTypeId type, double per_hit, double per_block, bool touch_costs) {
    TerminalRule rule = TerminalRule::costPerPane(budget_, per_hit);
    rule.per_block = per_block;
    rule.touch_costs = touch_costs;
    ASSERT_TRUE(rules_.setBlock(type, rule).ok());
  }
  void fill(std::int64_t from, std::int64_t to, BlockTypeId type) {
    ASSERT_TRUE(world_.fillBox(1, {from, 0, 0}, {to, 0, 0}, type).ok());
  }
  std::string shoot(QueryOptions options = {}) {
    options.rules = &rules_;
    return CorridorTest::shoot(options);
  }
  double spent() const { return 10 - result_.budgets.value()[0]; }
  // Shoots along a segment; what it costs.
  double costOf(const Segment& segment, const QueryOptions& options = {}) {
    QueryOptions with_rules = options;
    with_rules.rules = &rules_;
    result_ = service_.shootSegment(segment, world_.allLevels(), with_rules).value();
    return spent();
  }

  TerminalRules rules_;
  BudgetId budget_ = rules_.addBudget(10).value();
};

TEST_F(PanesTest, BlocksThatTouchAlongTheLineAreOnePane) {
  fill(10, 14, kReeds);
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@12 reeds@13 reeds@14");
  EXPECT_EQ(spent(), 1);
  put(12, kAir);
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@13 reeds@14");
  EXPECT_EQ(spent(), 2) << "a gap makes two of it";
}

TEST_F(PanesTest, AcrossChunksToo) {
  fill(14, 17, kReeds);
  shoot();
  EXPECT_EQ(spent(), 1);
}

TEST_F(PanesTest, TypesAreApart) {
  fill(10, 15, kReeds);
  for (const std::int64_t x : {11, 13})
    put(x, kWater);
  shoot();
  EXPECT_EQ(spent(), 5) << "reeds, water, reeds, water, and the reeds from 14 on";
}

TEST_F(PanesTest, WithoutItEachBlockPays) {
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(budget_, 1)).ok());
  fill(10, 14, kReeds);
  shoot();
  EXPECT_EQ(spent(), 5);
}

TEST_F(PanesTest, ALengthCountsForEachBlock) {
  setRule(kReeds, 1, 0.5, false);
  fill(10, 13, kReeds);
  shoot();
  EXPECT_NEAR(spent(), 1 + 4 * 0.5, 1e-9);
}

TEST_F(PanesTest, TheBudgetEndsTheShotAtThePaneThatIsTooMuch) {
  rules_ = {};
  budget_ = rules_.addBudget(1.5).value();
  setRule(kReeds, 1, 0, false);
  fill(10, 12, kReeds);
  fill(20, 22, kReeds);
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@12 reeds@20!");
  EXPECT_EQ(result_.stopped_at, result_.hits.back().t);
  // It has been charged: the rest of that pane is free, the next one is too much again.
  fill(30, 31, kReeds);
  ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.rules = &rules_}).ok());
  EXPECT_EQ(textOf(result_), "reeds@10 reeds@11 reeds@12 reeds@20! reeds@21 reeds@22 reeds@30!");
}

TEST_F(PanesTest, ASlantedShotThroughASheet) {
  ASSERT_TRUE(world_.fillBox(1, {10, 0, 0}, {10, 15, 15}, kReeds).ok());
  ASSERT_TRUE(world_.fillBox(1, {12, 0, 0}, {12, 15, 15}, kReeds).ok());
  EXPECT_EQ(costOf({{8.5, 0.3, 0.4}, {14.5, 9.2, 8.1}}), 2);
  EXPECT_GT(result_.hits.size(), 4U) << "several blocks of each sheet";
  // Along the sheet, through all its blocks.
  EXPECT_EQ(costOf({{10.5, 0.5, 0.5}, {10.5, 15.5, 15.1}}), 1);
}

TEST_F(PanesTest, CornersBeginNoPaneAndInterruptNone) {
  // A diagonal of blocks through whose edges the line runs exactly, with other blocks next to it.
  for (std::int64_t i = 4; i < 8; ++i)
    ASSERT_TRUE(world_.setBlock(1, {i, i, 0}, kReeds).ok());
  const Segment diagonal{{0.5, 0.5, 0.5}, {14.5, 14.5, 0.5}};
  for (const CornerPolicy corner :
       {CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase}) {
    EXPECT_EQ(costOf(diagonal, {.corner = corner}), 1) << "left and entered at the same time";
  }
  ASSERT_TRUE(world_.setBlock(1, {6, 5, 0}, kReeds).ok());
  ASSERT_TRUE(world_.setBlock(1, {6, 7, 0}, kWater).ok());
  EXPECT_EQ(costOf(diagonal), 1) << "one of the same type and one of another are touched";
  // One that is only touched, alone: it begins a pane only if it costs.
  ASSERT_TRUE(world_.fillBox(1, {4, 4, 0}, {7, 7, 0}, kAir).ok());
  ASSERT_TRUE(world_.setBlock(1, {6, 5, 0}, kReeds).ok());
  EXPECT_EQ(costOf(diagonal), 0);
  ASSERT_TRUE(world_.setBlock(1, {6, 6, 0}, kReeds).ok());
  EXPECT_EQ(costOf(diagonal), 1);
  setRule(kReeds, 1, 0, true);
  EXPECT_EQ(costOf(diagonal), 1) << "it pays for the block after it";
  ASSERT_TRUE(world_.setBlock(1, {5, 6, 0}, kReeds).ok());
  EXPECT_EQ(costOf(diagonal), 1) << "and for the one on the other side of the corner";
  ASSERT_TRUE(world_.setBlock(1, {9, 8, 0}, kReeds).ok());
  EXPECT_EQ(costOf(diagonal), 2) << "another corner";
}

TEST_F(PanesTest, LevelsAreApartAndDoNotInterruptEachOther) {
  // A chunk of level 0 without level 1 in it: coarse reeds at 64 to 127, and fine ones before.
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  for (const std::int64_t x : {4, 5, 6})
    ASSERT_TRUE(world_.setBlock(0, {x, 0, 0}, kReeds).ok());
  fill(62, 63, kReeds);
  EXPECT_EQ(costOf({{0.5, 0.5, 0.5}, {200, 0.5, 0.5}}), 2);
  EXPECT_EQ(result_.hits.size(), 5U);
}

TEST_F(PanesTest, EntitiesInAPaneDoNotInterruptIt) {
  ASSERT_TRUE(rules_.setEntities(1, TerminalRule::costPerPane(budget_, 1)).ok());
  fill(10, 12, kReeds);
  addEntity(1, 10);
  addEntity(2, 11);
  EXPECT_EQ(shoot(), "reeds@10 e1@10 reeds@11 e2@11 reeds@12");
  EXPECT_EQ(spent(), 3) << "one pane, and each entity by itself";
}

TEST_F(PanesTest, TheStartInsideOfAPane) {
  fill(0, 3, kReeds);
  EXPECT_EQ(shoot(), "reeds@0 reeds@1 reeds@2 reeds@3");
  EXPECT_EQ(spent(), 1);
  EXPECT_EQ(shoot({.filter = {.skip_start_inside = true}}), "reeds@1 reeds@2 reeds@3");
  EXPECT_EQ(spent(), 1);
  // A start on the plane between two of them, in the first of which it has a point only.
  EXPECT_EQ(costOf({{3, 0.5, 0.5}, {0.5, 0.5, 0.5}}), 1);
}

TEST_F(PanesTest, WhatAnEffectTakesAwayLeavesAGap) {
  fill(10, 14, kReeds);
  atBlock(kReeds, 10, [&] { put(12, kAir); });
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@13 reeds@14");
  EXPECT_EQ(spent(), 2);
  // A block whose type changes is another pane.
  fill(10, 14, kReeds);
  atBlock(kReeds, 10, [&] { put(12, kWater); });
  shoot();
  EXPECT_EQ(spent(), 3);
}

TEST_F(PanesTest, AgainBeginsNoPane) {
  fill(10, 13, kReeds);
  onBlock(kReeds, HitResponse::kAgain);
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@12 reeds@13");
  EXPECT_EQ(spent(), 1);
  // The block that it sets in the gap is hit, and belongs to the pane.
  put(12, kAir);
  onBlock(kReeds, HitResponse::kAgain, [&](const BlockHit& hit) {
    if (hit.block[0] == 11) put(12, kReeds);
  });
  EXPECT_EQ(shoot(), "reeds@10 reeds@11 reeds@12 reeds@13");
  EXPECT_EQ(spent(), 1);
}

// A shot is still in its pane, however it is resumed.
TEST_F(PanesTest, ResumedAtEveryHit) {
  fill(10, 13, kReeds);
  fill(20, 22, kWater);
  fill(23, 24, kReeds);
  const std::string all = shoot();
  ASSERT_EQ(spent(), 3);
  const ShotResult whole = result_;
  for (std::size_t first = 1; first < whole.hits.size(); ++first) {
    ASSERT_TRUE(shoot({.max_hits = first}) != all);
    ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.rules = &rules_}).ok());
    EXPECT_EQ(textOf(result_), all);
    EXPECT_EQ(spent(), 3) << "resumed after " << first;
    // After the hits, with what was left.
    shoot({.max_hits = first});
    const std::vector<Hit> before = result_.hits;
    const Budgets left = *result_.budgets;
    shoot({.after = before, .budgets = &left});
    EXPECT_EQ(spent(), 3) << "after " << first;
    // A pane is known by its last hit alone.
    shoot({.after = {&before.back(), 1}, .budgets = &left});
    EXPECT_EQ(spent(), 3) << "after hit " << first;
  }
}

TEST_F(PanesTest, ByACursorInAWorldThatChanges) {
  fill(10, 13, kReeds);
  HitCursor cursor = service_
                         .hitsAlong(Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(),
                                    {.rules = &rules_})
                         .value();
  while (cursor.next().value() != nullptr)
    put(40, world_.block(1, {40, 0, 0}).value() == kAir ? kMist : kAir);
  EXPECT_EQ(cursor.shot().hits.size(), 4U);
  EXPECT_EQ(cursor.shot().budgets.value()[0], 9);
}

// Hits that are not of the line are ignored, whatever they are.
TEST_F(PanesTest, EarlierHitsThatCannotBe) {
  fill(10, 12, kReeds);
  shoot({.max_hits = 1});
  std::vector<Hit> after(4);
  after[0].kind = Hit::Kind::kBlock;
  after[0].type = kReeds;
  after[0].level = 99;
  after[1] = after[0];
  after[1].level = 1;
  after[1].block = {INT64_MAX, INT64_MIN, 7};
  after[2] = result_.hits[0];
  after[2].block[1] = 5;
  after[3] = result_.hits[0];
  shoot({.after = after});
  EXPECT_EQ(result_.hits.size(), 2U);
  EXPECT_EQ(spent(), 0) << "they continue the pane of the last";
}

}  // namespace
}  // namespace fractalray
