// SPDX-License-Identifier: Apache-2.0
// Checks terminal rules as data: what stops a shot, what it costs to continue, and what is left.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../oracle/allocations.h"
#include "shot_fixture.h"

namespace fractalray::terminal_rules_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Reeds stand for panes.
class TerminalRulesTest : public CorridorTest {
 protected:
  BudgetId budget(double amount) { return rules_.addBudget(amount).value(); }
  void setBlock(BlockTypeId type, const TerminalRule& rule) {
    ASSERT_TRUE(rules_.setBlock(type, rule).ok());
  }
  void setEntities(std::uint64_t categories, const TerminalRule& rule) {
    ASSERT_TRUE(rules_.setEntities(categories, rule).ok());
  }
  void addEntityOf(EntityId id, double x, std::uint64_t categories) {
    EntitySpec spec;
    spec.id = id;
    spec.level = 1;
    spec.shape = Box{{0.25, 0.25, 0.25}};
    spec.position = {x + 0.5, 0.5, 0.5};
    spec.categories = categories;
    ASSERT_TRUE(entities_.add(spec).ok());
  }
  std::string shoot() { return CorridorTest::shoot({.rules = &rules_}); }
  double left(BudgetId of) const { return result_.left(of); }
  // Returns the position where the shot was stopped, in blocks along x.
  double stoppedAt() const { return 0.5 + 60 * result_.stopped_at.value(); }

  TerminalRules rules_;
};

TEST_F(TerminalRulesTest, TwoPanesAndThreeBlocksOfWaterAreTheLimit) {
  const BudgetId panes = budget(2);
  const BudgetId water = budget(3);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  for (const std::int64_t x : {4, 9, 40})
    put(x, kReeds);
  for (const std::int64_t x : {6, 12, 13, 30})
    put(x, kWater);
  put(50, kStone);
  EXPECT_EQ(shoot(), "reeds@4 water@6 reeds@9 water@12 water@13 water@30!")
      << "three blocks of water, and the fourth is one too many";
  EXPECT_EQ(left(panes), 0);
  EXPECT_EQ(left(water), 0);
  EXPECT_NEAR(stoppedAt(), 30, 1e-7);
  put(30, kAir);
  EXPECT_EQ(shoot(), "reeds@4 water@6 reeds@9 water@12 water@13 reeds@40!");
  EXPECT_EQ(result_.stopped_at, result_.hits.back().t);
  put(40, kAir);
  EXPECT_EQ(shoot(), "reeds@4 water@6 reeds@9 water@12 water@13 stone@50!");
  EXPECT_NEAR(left(water), 0, 1e-7);
  EXPECT_FALSE(result_.stopped_at.has_value()) << "it is the wall that ended it";
  // Each shot has the full budgets.
  put(13, kAir);
  EXPECT_EQ(shoot(), "reeds@4 water@6 reeds@9 water@12 stone@50!");
  EXPECT_NEAR(left(water), 1, 1e-12);
}

TEST_F(TerminalRulesTest, ABulletStopsSomeDistanceIntoTheWater) {
  const BudgetId water = budget(1.3);
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  for (std::int64_t x = 10; x < 20; ++x)
    put(x, kWater);
  EXPECT_EQ(shoot(), "water@10 water@11!");
  EXPECT_NEAR(stoppedAt(), 11.3, 1e-9);
  EXPECT_EQ(left(water), 0);
  // Twice as dense.
  setBlock(kWater, TerminalRule::costPerBlock(water, 2));
  EXPECT_EQ(shoot(), "water@10!");
  EXPECT_NEAR(stoppedAt(), 10.65, 1e-9);
  // The surface costs one, and what is left lasts for 0.15 blocks.
  TerminalRule rule = TerminalRule::costPerBlock(water, 2);
  rule.per_hit = 1;
  setBlock(kWater, rule);
  EXPECT_EQ(shoot(), "water@10!");
  EXPECT_NEAR(stoppedAt(), 10.15, 1e-9);
  // The surface alone is too much.
  rule.per_hit = 1.5;
  setBlock(kWater, rule);
  EXPECT_EQ(shoot(), "water@10!");
  EXPECT_EQ(result_.stopped_at, result_.hits.back().t);
}

TEST_F(TerminalRulesTest, AStartInsideCostsTheRestOfTheBlock) {
  const BudgetId water = budget(0.75);
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  put(0, kWater);
  EXPECT_EQ(shoot(), "water@0");
  EXPECT_NEAR(left(water), 0.25, 1e-12);
}

TEST_F(TerminalRulesTest, ABlockThatIsOnlyTouchedCostsNoLength) {
  const BudgetId water = budget(0);
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  ASSERT_TRUE(world_.fillBox(1, {10, 10, 0}, {11, 11, 0}, kAir).ok());
  ASSERT_TRUE(world_.setBlock(1, {11, 10, 0}, kWater).ok());
  ASSERT_TRUE(world_.setBlock(1, {12, 12, 0}, kWater).ok());
  const Segment diagonal{{10.5, 10.5, 0.5}, {14.5, 14.5, 0.5}};
  const auto shot = service_.shootSegment(diagonal, world_.allLevels(), {.rules = &rules_});
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(textOf(*shot), "water@11 water@12!");
  EXPECT_EQ(shot->stopped_at, 0.375);
}

TEST_F(TerminalRulesTest, AnExactlySufficientBudgetSuffices) {
  const BudgetId panes = budget(0.3);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 0.1));
  for (const std::int64_t x : {4, 9, 12, 40})
    put(x, kReeds);
  EXPECT_EQ(shoot(), "reeds@4 reeds@9 reeds@12 reeds@40!") << "though 3 * 0.1 is not 0.3";
  // A length of 1 along any axis, wherever the block is.
  rules_ = {};
  put(4, kAir);
  const BudgetId water = budget(50);
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  for (std::int64_t x = 5; x < 56; ++x)
    put(x, kWater);
  shoot();
  EXPECT_EQ(result_.hits.size(), 51U);
  EXPECT_TRUE(result_.terminated);
  EXPECT_NEAR(stoppedAt(), 55, 1e-6);
}

TEST_F(TerminalRulesTest, ForEntitiesTheFirstRuleThatFitsCounts) {
  const BudgetId armour = budget(5);
  setEntities(0b001, TerminalRule::continueShot());
  setEntities(0b110, TerminalRule::costPerHit(armour, 2));
  setEntities(0b100, TerminalRule::stopShot());
  setEntities(0b1000, TerminalRule::stopShot());
  addEntityOf(1, 3, 0b101);    // the first
  addEntityOf(2, 5, 0b010);    // the second
  addEntityOf(3, 7, 0b100);    // the second too
  addEntityOf(4, 9, 0b10000);  // none
  addEntityOf(5, 11, 0b1000);
  EXPECT_EQ(shoot(), "e1@3 e2@5 e3@7 e4@9 e5@11!");
  EXPECT_EQ(left(armour), 1);
  EXPECT_FALSE(result_.stopped_at.has_value());
  // Another one for the same categories takes the place of the first.
  setEntities(0b110, TerminalRule::stopShot());
  EXPECT_EQ(shoot(), "e1@3 e2@5!");
  const BudgetId flesh = budget(0.25);
  setEntities(0b110, TerminalRule::costPerBlock(flesh, 1));
  EXPECT_EQ(shoot(), "e1@3 e2@5!");
  EXPECT_NEAR(stoppedAt(), 5.5, 1e-9) << "the cube is half a block wide, from 5.25 on";
}

TEST_F(TerminalRulesTest, SolidBlocksAreTerminalAndCostNothing) {
  const BudgetId any = budget(1);
  setBlock(kStone, TerminalRule::costPerHit(any, 0.5));
  setBlock(kGlass, TerminalRule::continueShot());
  put(9, kGlass);
  EXPECT_EQ(shoot(), "glass@9!");
  put(9, kStone);
  EXPECT_EQ(shoot(), "stone@9!");
  EXPECT_EQ(left(any), 1);
}

TEST_F(TerminalRulesTest, AStoppingRuleShortensTheSearch) {
  put(9, kWater);
  put(12, kWater);
  setBlock(kWater, TerminalRule::stopShot());
  QueryOptions options{.pass = SearchPass::kPlain};
  EXPECT_EQ(CorridorTest::shoot(options), "water@9 water@12");
  const std::uint64_t without = result_.stats.cells;
  EXPECT_FALSE(result_.budgets.has_value());
  options.rules = &rules_;
  EXPECT_EQ(CorridorTest::shoot(options), "water@9!");
  EXPECT_LT(result_.stats.cells, without / 2);
  EXPECT_FALSE(result_.stopped_at.has_value());
}

TEST_F(TerminalRulesTest, AnEffectReceivesTheRulesVerdict) {
  const BudgetId panes = budget(1);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  setBlock(kMist, TerminalRule::stopShot());
  put(4, kReeds);
  put(9, kReeds);
  put(12, kReeds);
  onBlock(kReeds);
  EXPECT_EQ(shoot(), "reeds@4 reeds@9!");
  EXPECT_EQ(calls(), "reeds@4 reeds@9!");
  onBlock(kReeds, HitResponse::kStop);
  EXPECT_EQ(shoot(), "reeds@4!") << "any of them may end it";
  EXPECT_EQ(left(panes), 0) << "the rule was asked before";
  EXPECT_FALSE(result_.stopped_at.has_value());
}

TEST_F(TerminalRulesTest, APredicateMayEndAShotTooAndIsNotCalledIfARuleDoes) {
  put(4, kReeds);
  put(9, kWater);
  int asked = 0;
  std::ignore = service_.onBlockHit(
      kReeds,
      [&](const BlockHit&) {
        ++asked;
        return false;
      },
      nullptr);
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit&) { return true; }, nullptr);
  const BudgetId water = budget(100);
  setBlock(kWater, TerminalRule::costPerHit(water, 1));
  EXPECT_EQ(shoot(), "reeds@4 water@9!");
  EXPECT_EQ(left(water), 100) << "what ends the shot anyway costs nothing";
  EXPECT_GT(asked, 0);
  asked = 0;
  setBlock(kReeds, TerminalRule::stopShot());
  EXPECT_EQ(shoot(), "reeds@4!");
  EXPECT_EQ(asked, 0);
}

TEST_F(TerminalRulesTest, ABlockIsChargedByItsTypeAtItsDispatch) {
  const BudgetId panes = budget(1);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  put(3, kWater);
  put(7, kReeds);
  put(9, kWater);
  put(12, kReeds);
  atBlock(kWater, 3, [&] {
    put(7, kWater);
    put(9, kReeds);
  });
  EXPECT_EQ(shoot(), "water@3 water@7 reeds@9 reeds@12!");
}

TEST_F(TerminalRulesTest, ABlockThatARuleStopsAtMayBeGoneAtItsDispatch) {
  put(3, kWater);
  put(7, kReeds);
  put(9, kReeds);
  setBlock(kReeds, TerminalRule::stopShot());
  atBlock(kWater, 3, [&] { put(7, kAir); });
  EXPECT_EQ(shoot(), "water@3 reeds@9!");
}

TEST_F(TerminalRulesTest, HitsBeyondMaxHitsCostNothing) {
  const BudgetId panes = budget(2);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  for (const std::int64_t x : {4, 9, 12})
    put(x, kReeds);
  EXPECT_EQ(CorridorTest::shoot({.rules = &rules_, .max_hits = 1}), "reeds@4");
  EXPECT_TRUE(result_.truncated);
  EXPECT_EQ(left(panes), 1);
}

TEST_F(TerminalRulesTest, AResumedShotHasTheRemainingBudgets) {
  const BudgetId panes = budget(2);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  put(4, kReeds);
  put(6, kStone);
  for (const std::int64_t x : {9, 12, 15})
    put(x, kReeds);
  EXPECT_EQ(shoot(), "reeds@4 stone@6!");
  const ShotResult first = result_;
  const Hit wall = result_.hits.back();
  ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.rules = &rules_}).ok());
  EXPECT_EQ(result_.hits.size(), 4U);
  EXPECT_TRUE(result_.terminated);
  EXPECT_EQ(result_.hits.back().block[0], 12);
  EXPECT_EQ(result_.stopped_at, result_.hits.back().t);
  // Nothing is left, however often.
  ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.rules = &rules_}).ok());
  EXPECT_EQ(result_.hits.back().block[0], 15);
  // After a hit alone the budgets are those of the rules, or as given.
  const auto restarted = service_.shootSegment(first.segment, world_.allLevels(),
                                               {.after = {&wall, 1}, .rules = &rules_});
  EXPECT_EQ(textOf(*restarted), "reeds@9 reeds@12 reeds@15!");
  const auto given =
      service_.shootSegment(first.segment, world_.allLevels(),
                            {.after = {&wall, 1}, .rules = &rules_, .budgets = &*first.budgets});
  EXPECT_EQ(textOf(*given), "reeds@9 reeds@12!");
  // A shot that had no rules before has all of them.
  ShotResult plain = first;
  plain.budgets.reset();
  ASSERT_TRUE(service_.resume(plain, world_.allLevels(), {.rules = &rules_}).ok());
  EXPECT_EQ(plain.hits.size(), 5U);
}

TEST_F(TerminalRulesTest, RulesDoNotAffectTheClosestHit) {
  put(4, kReeds);
  setBlock(kReeds, TerminalRule::stopShot());
  const auto closest = service_.closestHit({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(),
                                           {.rules = &rules_});
  ASSERT_TRUE(closest.ok());
  EXPECT_FALSE(closest->hit->terminal) << "it is true only for a solid block";
}

TEST_F(TerminalRulesTest, RulesAllocateNoMemory) {
  const BudgetId water = budget(30);
  setBlock(kWater, TerminalRule::costPerBlock(water, 1));
  setEntities(1, TerminalRule::costPerHit(water, 1));
  for (std::int64_t x = 1; x < 60; x += 2)
    put(x, kWater);
  addEntity(1, 20);
  const FixedSegment segment = toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}).value();
  const QueryOptions options{.rules = &rules_};
  ASSERT_TRUE(service_.shootSegment(segment, world_.allLevels(), options, result_).ok());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(service_.shootSegment(segment, world_.allLevels(), options, result_).ok());
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST_F(TerminalRulesTest, SenselessRulesAreRefused) {
  for (const double amount : {-1.0, kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(rules_.addBudget(amount).status().code(), absl::StatusCode::kInvalidArgument);
    const BudgetId one{};
    for (const TerminalRule& rule :
         {TerminalRule::costPerHit(one, amount), TerminalRule::costPerBlock(one, amount),
          TerminalRule{.kind = TerminalRule::Kind::kStop, .per_hit = amount},
          TerminalRule{.kind = TerminalRule::Kind::kContinue, .per_block = amount}}) {
      TerminalRules rules;
      ASSERT_TRUE(rules.addBudget(1).ok());
      EXPECT_EQ(rules.setBlock(kWater, rule).code(), absl::StatusCode::kInvalidArgument);
      EXPECT_EQ(rules.setEntities(1, rule).code(), absl::StatusCode::kInvalidArgument);
      EXPECT_EQ(rules.ofBlock(kWater, 1).kind, TerminalRule::Kind::kContinue);
      EXPECT_EQ(rules.ofEntity(1, 1).kind, TerminalRule::Kind::kContinue);
    }
  }
  EXPECT_EQ(rules_.setBlock(kWater, TerminalRule::costPerHit(BudgetId{0}, 1)).message(),
            "a terminal rule with budget 0 of 0; add it with addBudget first");
  EXPECT_EQ(rules_.setEntities(0, TerminalRule::stopShot()).code(),
            absl::StatusCode::kInvalidArgument);
  for (std::size_t i = 0; i < kMaxBudgets; ++i)
    EXPECT_EQ(budget(1), BudgetId(static_cast<std::uint8_t>(i)));
  EXPECT_EQ(rules_.addBudget(1).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(rules_.setBlock(kWater, TerminalRule::costPerHit(BudgetId{8}, 1)).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(TerminalRulesTest, GivenBudgetsAreChecked) {
  const BudgetId panes = budget(2);
  setBlock(kReeds, TerminalRule::costPerHit(panes, 1));
  put(4, kReeds);
  for (const double amount : {-1.0, kNan}) {
    const Budgets given = {amount};
    const QueryOptions options{.rules = &rules_, .budgets = &given};
    EXPECT_EQ(CorridorTest::shoot(options).substr(0, 16), "INVALID_ARGUMENT");
    EXPECT_EQ(service_.resume(result_, world_.allLevels(), options).code(),
              absl::StatusCode::kInvalidArgument);
    ShotBatch batch;
    const std::vector<BatchQuery> queries = {
        {.line = Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, .levels = LevelMask{1}}};
    EXPECT_EQ(service_.shootSegment(queries, options, batch).code(),
              absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(batch.shots.empty());
  }
  // Budgets of no rule are not checked, and may be infinite.
  const Budgets endless = {kInfinity, kNan};
  EXPECT_EQ(CorridorTest::shoot({.rules = &rules_, .budgets = &endless}), "reeds@4");
  EXPECT_EQ(left(panes), kInfinity);
}

}  // namespace
}  // namespace fractalray::terminal_rules_test
