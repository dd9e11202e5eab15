// SPDX-License-Identifier: Apache-2.0
// Checks batches whose shots start with budgets of their own, as bullets in flight do.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Four panes of reeds, each of which costs 1 of a table's budget of 2.
class BatchBudgetsTest : public CorridorTest {
 protected:
  BatchBudgetsTest() {
    const BudgetId panes = rules_.addBudget(2).value();
    EXPECT_TRUE(rules_.setBlock(kReeds, TerminalRule::costPerHit(panes, 1)).ok());
    for (const std::int64_t x : {4, 9, 14, 19})
      put(x, kReeds);
  }

  BatchQuery query(const Budgets* budgets) const {
    return {.line = line_, .levels = LevelMask{1}, .budgets = budgets};
  }
  // Returns the number of hits of each shot.
  static std::vector<std::size_t> hits(const ShotBatch& batch) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < batch.shots.size(); ++i)
      all.push_back(batch.hitsOf(i).size());
    return all;
  }

  const Segment line_{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const Budgets none_{0};
  const Budgets one_{1};
  const Budgets five_{5};
  TerminalRules rules_;
  std::vector<BatchQuery> queries_ = {query(&none_), query(nullptr), query(&five_), query(&one_)};
};

TEST_F(BatchBudgetsTest, EachShotIsTheSingleShotWithThatBudget) {
  const Budgets three{3};
  for (const bool calls_effects : {false, true}) {
    QueryOptions options{.rules = &rules_, .budgets = &three};
    if (calls_effects) options.on_hit = [](const Hit&) { return HitResponse::kContinue; };
    for (const auto& [name, parallel_for] : waysToRun()) {
      SCOPED_TRACE(name);
      ShotBatch batch;
      ASSERT_TRUE(service_.shootSegment(queries_, options, batch, parallel_for).ok());
      EXPECT_EQ(hits(batch), (std::vector<std::size_t>{1, 4, 4, 2}))
          << "of the query itself, or of the options";
      EXPECT_EQ(batch.shots[1].left(BudgetId{0}), 0);
      EXPECT_EQ(batch.shots[2].left(BudgetId{0}), 1);
      for (std::size_t i = 0; i < queries_.size(); ++i) {
        QueryOptions single = options;
        if (queries_[i].budgets != nullptr) single.budgets = queries_[i].budgets;
        const ShotResult expected = service_.shootSegment(line_, LevelMask{1}, single).value();
        EXPECT_EQ(oracle::difference(resultOf(batch, i), expected), "") << i;
      }
    }
  }
  ShotBatch batch;
  ASSERT_TRUE(service_.shootSegment(queries_, {.rules = &rules_}, batch).ok());
  EXPECT_EQ(hits(batch)[1], 3U) << "of the rules, if neither has any";
}

// A bullet that flies one pane a tick takes what is left of its budget from tick to tick.
TEST_F(BatchBudgetsTest, ABulletCarriesTheRestOfItsBudget) {
  Budgets left = rules_.amounts();
  std::string flight;
  for (int tick = 0; tick < 4; ++tick) {
    const Segment path{{0.5 + 5 * tick, 0.5, 0.5}, {5.5 + 5 * tick, 0.5, 0.5}};
    const std::vector<BatchQuery> queries = {
        {.line = path, .levels = LevelMask{1}, .budgets = &left}};
    ShotBatch batch;
    ASSERT_TRUE(service_.shootSegment(queries, {.rules = &rules_}, batch).ok());
    flight += textOf(resultOf(batch, 0)) + " ";
    if (batch.shots[0].terminated) break;
    left = batch.shots[0].budgets.value();
  }
  EXPECT_EQ(flight, "reeds@4 reeds@9 reeds@14! ");
}

TEST_F(BatchBudgetsTest, BadBudgetsAreAnErrorOfTheirShotAlone) {
  const Budgets negative{-1};
  const Budgets no_number{kNan};
  queries_[0].budgets = &negative;
  queries_[2].budgets = &no_number;
  ShotBatch batch;
  ASSERT_TRUE(service_.shootSegment(queries_, {.rules = &rules_}, batch).ok());
  EXPECT_EQ(hits(batch), (std::vector<std::size_t>{0, 3, 0, 2}));
  for (const std::size_t i : {0U, 2U})
    EXPECT_EQ(batch.shots[i].status.code(), absl::StatusCode::kInvalidArgument);
  for (const std::size_t i : {1U, 3U})
    EXPECT_TRUE(batch.shots[i].status.ok());
  ASSERT_TRUE(service_.shootSegment(queries_, {}, batch).ok());
  EXPECT_EQ(hits(batch), (std::vector<std::size_t>(4, 4))) << "not read without rules";
}

TEST_F(BatchBudgetsTest, AShotThatIsCutContinuesWithItsOwn) {
  ShotBatch whole;
  ASSERT_TRUE(service_.shootSegment(queries_, {.rules = &rules_}, whole).ok());
  std::size_t cuts_after_a_hit = 0;
  for (std::uint64_t steps = 1; steps < 80; ++steps) {
    QueryOptions options{.rules = &rules_, .max_batch_steps = steps};
    ShotBatch batch;
    ASSERT_TRUE(service_.shootSegment(queries_, options, batch).ok());
    if (batch.completed < 4 && !batch.hitsOf(batch.completed).empty()) ++cuts_after_a_hit;
    options.max_batch_steps = QueryOptions().max_batch_steps;
    ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
    ASSERT_EQ(hits(batch), hits(whole)) << steps;
    for (std::size_t i = 0; i < queries_.size(); ++i)
      ASSERT_EQ(batch.shots[i].budgets, whole.shots[i].budgets) << steps;
  }
  EXPECT_GT(cuts_after_a_hit, 3U);
}

}  // namespace
}  // namespace fractalray
