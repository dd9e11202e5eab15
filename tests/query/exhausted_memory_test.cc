// SPDX-License-Identifier: Apache-2.0
// Checks memory that runs out in a shot, in a callback that edits the world, and during
// registration: std::bad_alloc passes through, and the world and the service are unchanged.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../../core/internal/edit_log.h"
#include "../oracle/allocations.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;

class ExhaustedMemoryQueryTest : public CorridorTest {
 protected:
  ExhaustedMemoryQueryTest() {
    put(3, kWater);
    put(7, kWater);
    put(20, kStone);
  }
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  }
};

TEST_F(ExhaustedMemoryQueryTest, AnEditInAnEffectIsAllOrNothing) {
  const struct {
    std::function<absl::Status()> edit;
    std::string hits;  // of the shot whose effect made the edit
  } cases[] = {
      {[&] {
         return world_.setBlock(1, {7, 0, 0}, kReeds);
       },
       "water@3 reeds@7 stone@20!"},
      {[&] {
         return world_.fillBox(1, {5, 0, 0}, {25, 3, 3}, kGlass);
       },
       "water@3 glass@7!"},
      {[&] {
         return world_.unloadChunk(1, {1, 0, 0});
       },
       "water@3 water@7"},
      {[&] {
         return world_.loadChunk(1, {1, 0, 0}, Chunk());
       },
       "water@3 water@7"},
      {[&] {
         return world_.loadChunk(1, {100, 0, 0}, Chunk());
       },
       "water@3 water@7 stone@20!"},
      {[&] {
         return world_.placeProtoChunk(1, {9, 9, 9});
       },
       "water@3 water@7 stone@20!"},
  };
  const std::shared_ptr<const World> original = world_.snapshot();
  for (const bool is_held : {false, true}) {
    for (const auto& c : cases) {
      SCOPED_TRACE(c.hits);
      (void)world_.unloadChunk(1, {100, 0, 0});
      (void)world_.unloadChunk(1, {9, 9, 9});
      for (std::int64_t x = 0; x < 4; ++x)
        ASSERT_TRUE(world_.loadChunk(1, {x, 0, 0}, *original->chunk(1, {x, 0, 0})).ok());
      const std::shared_ptr<const World> snapshot = is_held ? world_.snapshot() : nullptr;
      const std::uint64_t version = world_.version();
      bool is_done = false;
      std::size_t failures = 0;
      for (std::size_t n = 0; !is_done; ++n) {
        atBlock(kWater, 3, [&] {
          const AllocationFailure failure(n);
          const absl::Status status = c.edit();
          is_done = status.ok();
        });
        std::string hits;
        try {
          hits = shoot();
        } catch (const std::bad_alloc&) {
          ++failures;
        }
        service_.removeBlockCallback(kWater);
        if (is_done) {
          EXPECT_EQ(hits, c.hits);
          EXPECT_GT(world_.version(), version);
        } else {
          ASSERT_EQ(hits, "") << "it has thrown";
          ASSERT_EQ(world_.version(), version);
          ASSERT_EQ(shoot(), "water@3 water@7 stone@20!");
        }
      }
      if (is_held) {
        EXPECT_GT(failures, 0U) << "a snapshot is held, so it copies";
        const RayQueryService service(*snapshot, entities_);
        EXPECT_EQ(
            textOf(service.shootSegment({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels())
                       .value()),
            "water@3 water@7 stone@20!");
      }
    }
  }
}

TEST_F(ExhaustedMemoryQueryTest, AQueryCanBeRepeated) {
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const std::vector<BatchQuery> queries(5, {.line = segment, .levels = world_.allLevels()});
  onBlock(kWater);
  // Run on a thread of its own, which has no working memory yet.
  std::thread([&] {
    ShotResult result;
    EXPECT_GT(failEachAllocation(
                  [&] { result = service_.shootSegment(segment, world_.allLevels()).value(); },
                  [](std::size_t) {}),
              0U);
    EXPECT_EQ(textOf(result), "water@3 water@7 stone@20!");
    ShotBatch batch;
    EXPECT_GT(
        failEachAllocation([&] { EXPECT_TRUE(service_.shootSegment(queries, {}, batch).ok()); },
                           [](std::size_t) {}),
        0U);
    ASSERT_EQ(batch.shots.size(), queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i)
      EXPECT_EQ(batch.hitsOf(i).size(), 3U);
    EXPECT_FALSE(internal::EditLog::isWatched());
  }).join();
}

TEST_F(ExhaustedMemoryQueryTest, WhatIsResumedIsChargedOnce) {
  TerminalRules rules;
  const BudgetId budget = rules.addBudget(5).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 1)).ok());
  const QueryOptions options{.rules = &rules};
  const FixedSegment line = *toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}});
  for (const bool has_effect : {false, true}) {
    if (has_effect) onBlock(kWater);
    for (std::size_t n = 0, failures = 1; failures > 0; ++n) {
      failures = 0;
      TickedShot bullet(line);
      try {
        const AllocationFailure failure(n);
        std::ignore = service_.advance(bullet, kWholeLine, world_.allLevels(), options);
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      ASSERT_TRUE(service_.advance(bullet, kWholeLine, world_.allLevels(), options).ok());
      EXPECT_EQ(textOf(bullet.shot()), "water@3 water@7 stone@20!") << n;
      EXPECT_EQ(bullet.shot().left(budget), 3) << n;
    }
  }
}

TEST_F(ExhaustedMemoryQueryTest, ACallbackIsRegisteredOrNot) {
  std::size_t failures = 0;
  for (std::uint16_t type = 1; type <= 5; ++type) {
    failures += failEachAllocation(
        [&] {
          std::ignore = service_.onBlockHit(BlockTypeId{type},
                                            [](const BlockHit&) { return HitResponse::kStop; });
        },
        [&](std::size_t) {
          const bool is_stopped_at_water = type > 1;
          ASSERT_EQ(shoot(), is_stopped_at_water ? "water@3!" : "water@3 water@7 stone@20!");
        });
  }
  EXPECT_GT(failures, 5U);
  EXPECT_EQ(shoot(), "water@3!");
}

}  // namespace
}  // namespace fractalray
