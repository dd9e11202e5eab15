// SPDX-License-Identifier: Apache-2.0
// Checks terminal rules at their limits: what "enough" means with rounded numbers, what a corner
// costs, and rules of one level only.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "../../core/internal/geometry/line.h"
#include "shot_fixture.h"

namespace fractalray::terminal_rules_limits_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class TerminalRulesLimitsTest : public CorridorTest {
 protected:
  BudgetId budget(double amount) { return rules_.addBudget(amount).value(); }
  // Registers a rule: reeds at each of these blocks cost so much each.
  void putReeds(int count, BudgetId of, double cost) {
    ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(of, cost)).ok());
    for (int i = 0; i < count; ++i)
      put(1 + i, kReeds);
  }
  // Returns how many hits the corridor has with so much at the start, and '!' if the last is
  // terminal.
  std::string shootWith(double amount) {
    const Budgets given = {amount};
    CorridorTest::shoot({.rules = &rules_, .budgets = &given});
    return std::to_string(result_.hits.size()) + (result_.terminated ? "!" : "");
  }
  double left() const { return result_.budgets.value()[0]; }

  TerminalRules rules_;
};

TEST_F(TerminalRulesLimitsTest, TheSlackIsAFractionOfTheAmountAtTheStart) {
  putReeds(16, budget(1e12), 100);
  EXPECT_EQ(shootWith(1), "1!") << "the table's amount does not matter";
  EXPECT_EQ(left(), 0);
}

TEST_F(TerminalRulesLimitsTest, WithAnAmountOfZeroTheSlackIsAFractionOfTheGivenBudget) {
  putReeds(4, budget(0), 0.1);
  EXPECT_EQ(shootWith(0.3), "4!") << "three times 0.1 can be paid out of 0.3";
  EXPECT_EQ(shootWith(0), "1!");
}

// The slack is available once, not at every hit.
TEST_F(TerminalRulesLimitsTest, TheSlackIsForTheSumOfAllCosts) {
  const BudgetId gold = budget(0);
  ASSERT_TRUE(rules_.setBlock(kWater, TerminalRule::costPerHit(gold, 1e12)).ok());
  putReeds(40, gold, 100);
  put(0, kWater);
  EXPECT_EQ(shootWith(1e12), "11!") << "2^-30 of 1e12 is 931: nine times 100, and no more";
  EXPECT_EQ(left(), 0);
}

TEST_F(TerminalRulesLimitsTest, ABudgetThatIsUsedUpStaysUsedUp) {
  const BudgetId gold = budget(1e12);
  ASSERT_TRUE(rules_.setBlock(kWater, TerminalRule::costPerHit(gold, 2e12)).ok());
  putReeds(3, gold, 1e-3);
  put(0, kWater);
  EXPECT_EQ(CorridorTest::shoot({.rules = &rules_}), "water@0!");
  ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.rules = &rules_}).ok());
  EXPECT_EQ(textOf(result_), "water@0! reeds@1!") << "though a thousandth is within the slack";
}

// Hit by hit, the sum is that of the whole shot.
TEST_F(TerminalRulesLimitsTest, AResumedShotHasTheSlackOfItsStart) {
  const BudgetId gold = budget(0);
  ASSERT_TRUE(rules_.setBlock(kWater, TerminalRule::costPerHit(gold, 1e12)).ok());
  putReeds(40, gold, 100);
  put(0, kWater);
  for (const double amount : {1e12, 0.3, 1e12 + 450.0, 0.0}) {
    const Budgets given = {amount};
    const std::string whole = shootWith(amount);
    const Budgets left_of_whole = *result_.budgets;
    const QueryOptions options{.rules = &rules_, .budgets = &given, .max_hits = 1};
    CorridorTest::shoot(options);
    // The rest runs without naming the budgets again.
    while (result_.truncated)
      ASSERT_TRUE(
          service_.resume(result_, world_.allLevels(), {.rules = &rules_, .max_hits = 1}).ok());
    EXPECT_EQ(std::to_string(result_.hits.size()) + (result_.terminated ? "!" : ""), whole);
    EXPECT_EQ(*result_.budgets, left_of_whole);
  }
}

TEST_F(TerminalRulesLimitsTest, AnInfiniteBudgetIsNeverUsedUp) {
  const BudgetId gold = budget(0);
  TerminalRule rule = TerminalRule::costPerBlock(gold, std::numeric_limits<double>::max());
  rule.per_hit = std::numeric_limits<double>::max();
  ASSERT_TRUE(rules_.setBlock(kReeds, rule).ok());
  put(1, kReeds);
  put(2, kReeds);
  EXPECT_EQ(shootWith(kInfinity), "2");
  EXPECT_EQ(left(), kInfinity);
  EXPECT_EQ(shootWith(std::numeric_limits<double>::max()), "1!");
}

TEST_F(TerminalRulesLimitsTest, AResumedShotWithInvalidAmountsIsRefused) {
  putReeds(2, budget(1), 1);
  CorridorTest::shoot({.rules = &rules_, .max_hits = 1});
  for (const double amount : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    ShotResult shot = result_;
    shot.budgets.value()[0] = amount;
    const absl::Status status = service_.resume(shot, world_.allLevels(), {.rules = &rules_});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(shot.hits.size(), 1U);
  }
}

// The corner policy `both` visits the two cells next to an exact corner, of which the line has only
// a point.
TEST_F(TerminalRulesLimitsTest, ACellThatIsTouchedAtACornerCostsNothing) {
  const BudgetId panes = budget(1);
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 1)).ok());
  ASSERT_TRUE(world_.setBlock(1, {11, 10, 0}, kReeds).ok());
  ASSERT_TRUE(world_.setBlock(1, {10, 11, 0}, kReeds).ok());
  ASSERT_TRUE(world_.setBlock(1, {12, 12, 0}, kReeds).ok());
  ASSERT_TRUE(world_.setBlock(1, {13, 13, 0}, kReeds).ok());
  const Segment diagonal{{10.5, 10.5, 0.5}, {14.5, 14.5, 0.5}};
  const auto shot = service_.shootSegment(diagonal, world_.allLevels(), {.rules = &rules_});
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(textOf(*shot), "reeds@11 reeds@10 reeds@12 reeds@13!");
  TerminalRule touched = TerminalRule::costPerHit(panes, 1);
  touched.touch_costs = true;
  ASSERT_TRUE(rules_.setBlock(kReeds, touched).ok());
  const auto paid = service_.shootSegment(diagonal, world_.allLevels(), {.rules = &rules_});
  ASSERT_TRUE(paid.ok());
  EXPECT_EQ(textOf(*paid), "reeds@11 reeds@10!");
}

// A start whose cell is left at once, and a cell that is reached with the last point.
TEST_F(TerminalRulesLimitsTest, ACellThatAnEndTouchesCostsNothing) {
  const BudgetId panes = budget(10);
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 1)).ok());
  for (const std::int64_t x : {5, 4, 3})
    put(x, kReeds);
  const auto leftAfter = [&](const Segment& segment) {
    const auto shot = service_.shootSegment(segment, world_.allLevels(), {.rules = &rules_});
    return shot.value().budgets.value()[0];
  };
  EXPECT_EQ(leftAfter({{5, 0.5, 0.5}, {2.5, 0.5, 0.5}}), 8) << "block 5 is left at once";
  EXPECT_EQ(leftAfter({{2.5, 0.5, 0.5}, {5, 0.5, 0.5}}), 8) << "block 5 is reached at the end";
  EXPECT_EQ(leftAfter({{5, 0.5, 0.5}, {5, 0.5, 0.5}}), 9) << "a point is inside of its block";
  EXPECT_EQ(leftAfter({{4, 0.5, 0.5}, {4, 0.75, 0.5}}), 9) << "along a plane through its cell";
}

// The exact numbers decide, not the rounded times: far out a corner's two times may differ by a
// bit, and a cell that is crossed may be left at the t at which it was entered.
TEST_F(TerminalRulesLimitsTest, TheTestForATouchedCellIsExact) {
  World world({.levels = 1, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kReeds, world.blockTypes())).ok());
  const BudgetId panes = budget(1000);
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 1)).ok());
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const std::int64_t corner = 8 * kUnitsPerBlock;
  for (std::int64_t aside : {0, 1}) {
    // From far off, in thirds, through the corner (8, 8) or past it by less than a unit.
    const FixedSegment segment{{corner - 3 * (kFar / 4), corner - (kFar / 4), 4},
                               {corner + 3 * (kFar / 4), corner + (kFar / 4) + aside, 4}};
    const auto shot = service.shootSegment(segment, LevelMask{0}, {.rules = &rules_});
    ASSERT_TRUE(shot.ok());
    double charged = 0;
    for (const Hit& hit : shot->hits) {
      const auto& block = hit;
      const Vec3i cell{block.block[0], block.block[1], block.block[2]};
      const Line line(segment);
      charged += line.enterTime(cell, 16) < line.leaveTime(cell, 16) ? 1 : 0;
    }
    EXPECT_EQ(1000 - shot->budgets.value()[0], charged);
    EXPECT_EQ(charged < static_cast<double>(shot->hits.size()), aside == 0);
  }
}

TEST_F(TerminalRulesLimitsTest, AnEntityThatIsTouchedCosts) {
  const BudgetId armour = budget(1);
  ASSERT_TRUE(rules_.setEntities(1, TerminalRule::costPerHit(armour, 1)).ok());
  EntitySpec spec;
  spec.id = 1;
  spec.level = 1;
  spec.shape = Sphere{0};
  spec.position = {9.5, 0.5, 0.5};
  ASSERT_TRUE(entities_.add(spec).ok());
  EXPECT_EQ(CorridorTest::shoot({.rules = &rules_}), "e1@9");
  EXPECT_EQ(left(), 0);
}

TEST_F(TerminalRulesLimitsTest, ARuleMayApplyToSomeLevelsOnly) {
  const BudgetId panes = budget(5);
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 1)).ok());
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 3), {0}).ok());
  put(2, kReeds);
  put(5, kReeds);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world_.setBlock(0, {4, 0, 0}, kReeds).ok());  // 64 to 80 of the finer ones
  const auto shoot = [&](LevelMask levels) {
    const auto shot =
        service_.shootSegment({{0.5, 0.5, 0.5}, {90.5, 0.5, 0.5}}, levels, {.rules = &rules_});
    return textOf(shot.value()) + " " + std::to_string(static_cast<int>(shot->budgets.value()[0]));
  };
  EXPECT_EQ(shoot({0, 1}), "reeds@2 reeds@5 coarse reeds@4 0");
  // The rule that is set last takes the place of others on its levels, and on no other.
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::stopShot(), {1}).ok());
  EXPECT_EQ(shoot({0, 1}), "reeds@2! 5");
  EXPECT_EQ(rules_.ofBlock(kReeds, 0), TerminalRule::costPerHit(panes, 3));
  EXPECT_EQ(rules_.ofBlock(kReeds, 9), TerminalRule::costPerHit(panes, 1));
  EXPECT_EQ(rules_.ofBlock(kWater, 1), TerminalRule::continueShot());
  ASSERT_TRUE(rules_.setBlock(kReeds, TerminalRule::continueShot()).ok());
  EXPECT_EQ(shoot({0, 1}), "reeds@2 reeds@5 coarse reeds@4 5");
  EXPECT_EQ(rules_.setBlock(kReeds, TerminalRule::stopShot(), LevelMask()).message(),
            "a terminal rule for no level; name at least one");
  EXPECT_EQ(rules_.setEntities(1, TerminalRule::stopShot(), LevelMask()).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(TerminalRulesLimitsTest, ForAnEntityTheFirstRuleOfItsLevelCounts) {
  const BudgetId armour = budget(5);
  ASSERT_TRUE(rules_.setEntities(3, TerminalRule::stopShot(), {0}).ok());
  ASSERT_TRUE(rules_.setEntities(1, TerminalRule::costPerHit(armour, 2), {0, 1}).ok());
  ASSERT_TRUE(rules_.setEntities(2, TerminalRule::stopShot()).ok());
  EXPECT_EQ(rules_.ofEntity(1, 0), TerminalRule::stopShot());
  EXPECT_EQ(rules_.ofEntity(1, 1), TerminalRule::costPerHit(armour, 2));
  EXPECT_EQ(rules_.ofEntity(2, 1), TerminalRule::stopShot());
  EXPECT_EQ(rules_.ofEntity(1, 2), TerminalRule::continueShot());
  // The same categories on other levels are another rule; the same on the same levels replace it.
  ASSERT_TRUE(rules_.setEntities(3, TerminalRule::continueShot(), {0}).ok());
  EXPECT_EQ(rules_.ofEntity(1, 0), TerminalRule::continueShot());
  EXPECT_EQ(rules_.entityRules().size(), 3U);
}

}  // namespace
}  // namespace fractalray::terminal_rules_limits_test
