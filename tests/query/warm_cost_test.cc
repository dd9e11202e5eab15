// SPDX-License-Identifier: Apache-2.0
// Checks that shots which take many slices, stop, ask again or edit allocate nothing once warm, and
// neither does a cursor that is used again. cost_test.cc has short shots.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray::warm_cost_test {
namespace {

using oracle::allocationCount;
using oracle::kReeds;
using oracle::kStone;
using oracle::kWater;

constexpr std::int64_t kBlocks = 3840;
constexpr std::size_t kEntities = 120;
constexpr std::size_t kAll = kBlocks + kEntities;

// A row of water, 3,840 blocks long, with an entity in every second chunk. A stream takes it in
// slices that grow fourfold.
class WarmShotTest : public testing::Test {
 protected:
  WarmShotTest() {
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int x = 0; x < 16; ++x)
      ids[static_cast<std::size_t>(indexInChunk({x, 0, 0}))] = kWater;
    for (std::int64_t x = 0; x < kBlocks / 16; ++x) {
      const auto chunk = Chunk::copied(ids, world_.blockTypes());
      EXPECT_TRUE(world_.loadChunk(0, {x, 0, 0}, *chunk).ok());
    }
    for (std::size_t i = 0; i < kEntities; ++i) {
      const EntitySpec spec{.id = i, .position = {static_cast<double>(32 * i) + 7.5, 0.5, 0.5}};
      EXPECT_TRUE(entities_.add(spec).ok());
    }
  }

  // Shoots twice; returns the hits, and expects no allocation by the second shot.
  std::size_t shootWarm(const QueryOptions& options = {}) {
    ShotResult result;
    for (const bool is_warm : {false, true}) {
      calls_ = 0;
      const std::size_t before = allocationCount();
      const absl::Status status = service_.shootSegment(line_, LevelMask{0}, options, result);
      const std::size_t allocations = allocationCount() - before;
      EXPECT_TRUE(status.ok()) << status;
      if (is_warm) {
        EXPECT_EQ(allocations, 0U);
      }
    }
    return result.hits.size();
  }
  // Calls `respond` with the number of the hit, from 1, at each block and entity.
  template <class Respond>
  void onEachHit(const Respond& respond) {
    const auto effect = [this, respond](const Hit& hit) { return respond(++calls_, hit); };
    ASSERT_TRUE(service_.onBlockHit(kWater, effect).ok());
    service_.onEntityHit(EntityClassId{}, effect);
  }

  World world_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  const FixedSegment line_{
      .from = {kUnitsPerBlock / 2, kUnitsPerBlock / 2, kUnitsPerBlock / 2},
      .to = {kBlocks * kUnitsPerBlock - 1, kUnitsPerBlock / 2, kUnitsPerBlock / 2}};
  std::size_t calls_ = 0;
};

TEST_F(WarmShotTest, ManySlicesOfACallbackThatContinues) {
  onEachHit([](std::size_t, const Hit&) { return HitResponse::kContinue; });
  EXPECT_EQ(shootWarm(), kAll);
  EXPECT_EQ(calls_, kAll);
}

TEST_F(WarmShotTest, ACallbackThatStops) {
  for (const std::size_t last : {std::size_t{1}, std::size_t{9}, std::size_t{3000}}) {
    onEachHit([last](std::size_t call, const Hit&) {
      return call == last ? HitResponse::kStop : HitResponse::kContinue;
    });
    EXPECT_EQ(shootWarm(), last);
    EXPECT_EQ(shootWarm({.max_hits = last}), last);
  }
}

TEST_F(WarmShotTest, ACallbackThatAsksAgain) {
  onEachHit([](std::size_t call, const Hit&) {
    return call % 300 == 0 ? HitResponse::kAgain : HitResponse::kContinue;
  });
  EXPECT_EQ(shootWarm(), kAll);
  EXPECT_EQ(calls_, kAll) << "nothing is hit twice";
}

// The block ahead is reeds for the first shot, and water again for the second.
TEST_F(WarmShotTest, ACallbackThatEditsAndAsksAgain) {
  onEachHit([this](std::size_t call, const Hit& hit) {
    if (call % 300 != 0 || !hit.isBlock()) return HitResponse::kContinue;
    const BlockCoord ahead{hit.block[0] + 5, 0, 0};
    const BlockTypeId type = world_.block(0, ahead).value() == kWater ? kReeds : kWater;
    EXPECT_TRUE(world_.setBlock(0, ahead, type).ok());
    return HitResponse::kAgain;
  });
  EXPECT_EQ(shootWarm(), kAll);
  EXPECT_GT(world_.version(), 0U);
}

TEST_F(WarmShotTest, RulesAndResponsesTogether) {
  TerminalRules rules;
  const BudgetId budget = rules.addBudget(2000).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 1)).ok());
  onEachHit([](std::size_t call, const Hit&) {
    return call % 300 == 0 ? HitResponse::kAgain : HitResponse::kContinue;
  });
  EXPECT_GT(shootWarm({.rules = &rules}), 2000U);
}

// A wall ends the cursor. Once it is gone the cursor resumes, and then once more after another
// edit, in the memory that it has.
TEST_F(WarmShotTest, ACursorThatIsUsedAgain) {
  const BlockCoord wall{2500, 0, 0};
  ASSERT_TRUE(world_.setBlock(0, wall, kStone).ok());
  HitCursor cursor = service_.hitsAlong(line_, LevelMask{0}).value();
  const auto request = [&](std::size_t most) {
    std::size_t hits = 0;
    while (hits < most && cursor.next().value() != nullptr)
      ++hits;
    return hits;
  };
  const std::size_t first = request(kAll);
  EXPECT_TRUE(cursor.shot().terminated);
  ASSERT_TRUE(world_.setBlock(0, wall, kWater).ok());
  // The first time that it resumes, it makes a set of the entities hit so far.
  const std::size_t second = request(3);
  EXPECT_EQ(second, 3U);
  ASSERT_TRUE(world_.setBlock(0, {wall[0] + 9, 0, 0}, kReeds).ok());
  const std::size_t before = allocationCount();
  const std::size_t third = request(kAll);
  EXPECT_EQ(allocationCount() - before, 0U);
  EXPECT_GT(third, 1000U);
  EXPECT_EQ(first + second + third, kAll);
}

}  // namespace
}  // namespace fractalray::warm_cost_test
