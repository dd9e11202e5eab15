// SPDX-License-Identifier: Apache-2.0
// Checks the cost of batches: no memory once warm, whatever the number of queries, and no second
// search for the candidates of a shot that has only some.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "batch_fixture.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

using oracle::allocationCount;

// A scene, and batches of all kinds into it.
class BatchCostTest : public testing::Test {
 protected:
  BatchCostTest() {
    for (int i = 0; i < 3000; ++i) {
      queries_.push_back(
          {.line = oracle::randomSegment(rng_, *scene_), .levels = scene_->world.allLevels()});
    }
    std::ignore =
        service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kContinue; });
    // Makes small edits, back and forth, so that every run hits the same.
    std::ignore = service_.onBlockHit(kReeds, [this](const BlockHit& hit) {
      if (++calls_ % 20 == 0) {
        EXPECT_TRUE(scene_->world.setBlock(hit.level, hit.block, kWater).ok());
        EXPECT_TRUE(scene_->world.setBlock(hit.level, hit.block, kReeds).ok());
      }
      return HitResponse::kContinue;
    });
  }

  static TerminalRules someRules() {
    TerminalRules rules;
    const BudgetId budget = rules.addBudget(100).value();
    EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerBlock(budget, 0.01)).ok());
    return rules;
  }

  std::size_t allocationsOf(const AnyParallelFor& parallel_for) {
    const std::size_t before = allocationCount();
    calls_ = 0;
    EXPECT_TRUE(
        service_.shootSegment(queries_, {.report_unknown = true}, batch_, parallel_for).ok());
    EXPECT_TRUE(service_.shootSegment(queries_, {.rules = &rules_}, batch_, parallel_for).ok());
    EXPECT_TRUE(service_.closestHit(queries_, {}, closest_, parallel_for).ok());
    EXPECT_TRUE(service_
                    .occluded(queries_, {.filter = {.categories = 1}, .entities_block = true},
                              sight_, parallel_for)
                    .ok());
    return allocationCount() - before;
  }

  oracle::Rng rng_{"BatchCostTest"};
  std::unique_ptr<oracle::RandomScene> scene_ = oracle::randomScene(rng_, 3, 30, 600);
  RayQueryService service_{scene_->world, scene_->entities};
  std::vector<BatchQuery> queries_;
  const TerminalRules rules_ = someRules();
  ShotBatch batch_;
  ClosestBatch closest_;
  OcclusionBatch sight_;
  int calls_ = 0;
};

TEST_F(BatchCostTest, AWarmBatchDoesNotAllocate) {
  EXPECT_GT(allocationsOf(runSerially), 0U);
  EXPECT_EQ(allocationsOf(runSerially), 0U);
  EXPECT_GT(batch_.hits.size(), 1000U);
  EXPECT_GT(calls_, 100);
  EXPECT_GT(batch_.reruns, 0U);
  EXPECT_LT(batch_.reruns, queries_.size() / 2);
}

// The thread that runs a query differs from run to run, and each thread keeps memory of its own,
// which grows by doubling: a few times in all, and not once a query.
TEST_F(BatchCostTest, WarmThreadsDoNotAllocate) {
  for (const int threads : {2, 4}) {
    ThreadExecutor executor(threads);
    const AnyParallelFor parallel_for = [&](std::size_t tasks, Task task) {
      executor(tasks, task);
    };
    allocationsOf(parallel_for);
    std::size_t allocations = 0;
    for (int round = 0; round < 30; ++round)
      allocations += allocationsOf(parallel_for);
    EXPECT_LE(allocations, 20U * static_cast<std::size_t>(threads)) << threads << " threads";
  }
}

// A callback may end a single shot at its first hit, so a few candidates are found at first, and
// the others in further slices. In a batch, slices after the first would be searched serially.
TEST_F(CorridorTest, ABatchFindsTheHitsOfAShotInOneSlice) {
  for (std::int64_t x = 10; x < 20; ++x)
    put(x, kWater);
  put(20, kStone);
  // Chunks on two levels, so that the direct search leaves the hits to the passes.
  ASSERT_TRUE(world_.loadChunk(0, {3, 3, 3}, Chunk()).ok());
  std::ignore = service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kContinue; });
  const std::vector<BatchQuery> queries(
      2, {.line = Segment{.from = {0.5, 0.5, 0.5}, .to = {60.5, 0.5, 0.5}}});
  const auto alone = service_.shootSegment(std::get<Segment>(queries[0].line));
  ASSERT_TRUE(alone.ok()) << alone.status();
  ASSERT_EQ(alone->hits.size(), 11U);
  const auto batch = service_.shootSegment(queries);
  ASSERT_TRUE(batch.ok()) << batch.status();
  EXPECT_EQ(batch->hitsOf(1).size(), 11U);
  EXPECT_LT(batch->shots[1].stats.steps(), alone->stats.steps());
  // A limit of steps is one for each shot as if it were alone.
  const auto limited = service_.shootSegment(queries, {.max_steps = 1000});
  ASSERT_TRUE(limited.ok()) << limited.status();
  EXPECT_EQ(limited->shots[1].stats.steps(), alone->stats.steps());
}

}  // namespace
}  // namespace fractalray
