// SPDX-License-Identifier: Apache-2.0
// HitResponse::kAgain: damage that the shot sees. A wall that falls, a block that is turned into a
// chunk with a hole, a door; never the same thing twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "shot_fixture.h"

namespace fractalray {
namespace {

constexpr auto kAgain = HitResponse::kAgain;

class AgainTest : public CorridorTest {
 protected:
  // Replaces the coarse block 2 by a chunk of stone with a tunnel through all but its last block.
  void expandWithHole() {
    ASSERT_TRUE(world_.expandBlock(0, {2, 0, 0}).ok());
    ASSERT_TRUE(world_.fillBox(1, {32, 0, 0}, {46, 0, 0}, kAir).ok());
  }
  void makeCoarse() {
    ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
    unload(2);
    ASSERT_TRUE(world_.setBlock(0, {2, 0, 0}, kStone).ok());
  }
};

TEST_F(AgainTest, AWallThatFallsLetsTheShotThroughIntoWhatIsThereNow) {
  put(9, kStone);
  put(20, kWater);
  onBlock(kStone, kAgain, [&](const BlockHit& hit) {
    if (hit.block[0] != 9) return;
    put(9, kAir);
    put(12, kStone);  // the next one is no older than the hole
  });
  EXPECT_EQ(shoot(), "stone@9 stone@12!");
  EXPECT_EQ(calls(), "stone@9! stone@12!");
}

TEST_F(AgainTest, AWallThatStandsEndsTheShot) {
  put(9, kStone);
  put(20, kWater);
  onBlock(kStone, kAgain);
  EXPECT_EQ(shoot(), "stone@9!");
}

TEST_F(AgainTest, ABlockTurnedIntoAChunkWithAHoleIsHitAtItsBackShell) {
  makeCoarse();
  onBlock(kStone, kAgain, [&](const BlockHit& hit) {
    if (hit.level == 0) expandWithHole();
  });
  EXPECT_EQ(shoot(), "coarse stone@2 stone@47!");
}

TEST_F(AgainTest, WithoutItTheShotContinuesPastTheHitsItHadFound) {
  makeCoarse();
  onBlock(kStone, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.level == 0) expandWithHole();
  });
  EXPECT_EQ(shoot(), "coarse stone@2!") << "a solid block is terminal, whatever becomes of it";
}

TEST_F(AgainTest, ABlockAheadIsTurnedIntoAChunkWithAHole) {
  makeCoarse();
  put(5, kWater);
  onBlock(kWater, kAgain, [&](const BlockHit&) { expandWithHole(); });
  EXPECT_EQ(shoot(), "water@5 stone@47!");
}

TEST_F(AgainTest, NothingIsHitTwice) {
  put(5, kWater);
  addEntity(1, 7);
  addEntity(2, 9);
  onBlock(kWater, kAgain);
  onEntity(0, kAgain);
  EXPECT_EQ(shoot(), "water@5 e1@7 e2@9");
}

TEST_F(AgainTest, WhatComesInBeforeThisHitIsTooLate) {
  put(9, kWater);
  onBlock(kWater, kAgain, [&](const BlockHit& hit) {
    if (hit.block[0] != 9) return;
    put(3, kStone);
    put(11, kReeds);
  });
  EXPECT_EQ(shoot(), "water@9 reeds@11");
}

TEST_F(AgainTest, WhatComesAtExactlyThisTimeIsHit) {
  put(9, kWater);
  // Entities come before blocks of the same time, but this one came later.
  onBlock(kWater, kAgain, [&](const BlockHit&) {
    EntitySpec spec{.id = 5, .level = 1, .shape = Box{{0.5, 0.25, 0.25}}};
    spec.position = {9.5, 0.5, 0.5};
    ASSERT_TRUE(entities_.add(spec).ok());
  });
  EXPECT_EQ(shoot(), "water@9 e5@9");
}

TEST_F(AgainTest, ADoorThatOpensIsNoWall) {
  put(9, kGlass);
  put(20, kStone);
  onBlock(kGlass, kAgain, [&](const BlockHit&) { put(9, kWater); });
  EXPECT_EQ(shoot(), "glass@9 stone@20!") << "the same block is not hit once more as water";
}

TEST_F(AgainTest, StoppingIsStronger) {
  put(5, kWater);
  put(7, kWater);
  onBlock(kWater, kAgain);
  EXPECT_EQ(shoot({.on_hit = [](const Hit&) { return HitResponse::kStop; }}), "water@5!");
  EXPECT_EQ(shoot({.on_hit = [](const Hit&) { return kAgain; }}), "water@5 water@7");
}

TEST_F(AgainTest, OfTwoCallbacksBothAreCalledAndTheStrongerResponseCounts) {
  put(5, kWater);
  put(20, kStone);
  const auto respond = [](HitResponse response) {
    return QueryOptions{.on_hit = [response](const Hit& hit) {
      return hit.type == kWater ? response : HitResponse::kContinue;
    }};
  };
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) { put(9, kReeds); });
  EXPECT_EQ(shoot(respond(kAgain)), "water@5 reeds@9 stone@20!");
  put(9, kAir);
  EXPECT_EQ(shoot(respond(HitResponse::kStop)), "water@5!");
  EXPECT_EQ(calls(), "water@5");
  onBlock(kWater, HitResponse::kStop);
  EXPECT_EQ(shoot(respond(kAgain)), "water@5!");
}

TEST_F(AgainTest, AWallWhoseChunkIsUnloadedIsOpen) {
  put(20, kStone);
  put(40, kStone);
  onBlock(kStone, kAgain, [&](const BlockHit& hit) {
    if (hit.block[0] == 20) unload(1);
  });
  EXPECT_EQ(shoot(), "stone@20 stone@40!");
}

TEST_F(AgainTest, WhatEndsAShotByATestEndsItAllTheSame) {
  put(5, kWater);
  put(7, kWater);
  std::ignore = service_.onBlockHit(
      kWater, [](const Hit&) { return true; }, [](const Hit&) { return kAgain; });
  EXPECT_EQ(shoot(), "water@5!");
}

TEST_F(AgainTest, MaxHitsCountsAllOfThem) {
  for (const std::int64_t x : {5, 6, 7})
    put(x, kWater);
  onBlock(kWater, kAgain);
  EXPECT_EQ(shoot({.max_hits = 2}), "water@5 water@6");
  EXPECT_TRUE(result_.truncated);
}

TEST_F(AgainTest, WhatWasUnknownAheadMayBeLoadedByTheCallback) {
  for (const bool stops : {false, true}) {
    unload(1);
    put(5, kWater);
    put(40, kReeds);
    onBlock(kWater, kAgain, [&](const BlockHit&) { load(1); });
    EXPECT_EQ(shoot({.report_unknown = true, .stop_at_unknown = stops}), "water@5 reeds@40");
    EXPECT_EQ(result_.unknown_from, std::nullopt);
  }
}

TEST_F(AgainTest, WhatTheCallbackUnloadsAheadIsUnknown) {
  put(5, kWater);
  put(40, kReeds);
  onBlock(kWater, kAgain, [&](const BlockHit&) { unload(1); });
  EXPECT_EQ(shoot({.stop_at_unknown = true}), "water@5");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
}

TEST_F(AgainTest, InABatchItIsAsShotByShot) {
  put(9, kStone);
  put(20, kStone);
  onBlock(kStone, kAgain, [&](const BlockHit& hit) { put(hit.block[0], kAir); });
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  const std::vector<BatchQuery> queries(3, BatchQuery{.line = segment});
  const ShotBatch batch = service_.shootSegment(queries).value();
  EXPECT_EQ(batch.hitsOf(0).size(), 2U) << "it opens both walls";
  EXPECT_EQ(batch.hitsOf(1).size(), 0U);
  EXPECT_EQ(batch.hitsOf(2).size(), 0U);
}

// Three blocks at one corner of a diagonal, all entered at the same time.
class AgainAtACornerTest : public AgainTest {
 protected:
  AgainAtACornerTest() {
    for (const BlockCoord block : {BlockCoord{5, 4, 0}, {4, 5, 0}, {5, 5, 0}})
      EXPECT_TRUE(world_.setBlock(1, block, kWater).ok());
    all_ = service_.shootSegment(diagonal_).value().hits;
  }
  // Shoots along the diagonal after some of the hits. Returns the hits by their positions in all_.
  std::string shootAfter(std::span<const Hit> after) {
    return numbersOf(service_.shootSegment(diagonal_, LevelMask::all(), {.after = after})->hits);
  }
  // Returns the same of a batch that is cut after some steps, and then continued.
  std::string shootInPartsAfter(std::span<const Hit> after, std::uint64_t steps) {
    const std::vector<BatchQuery> queries = {{.line = diagonal_, .after = after}};
    ShotBatch batch = service_.shootSegment(queries, {.max_batch_steps = steps}).value();
    EXPECT_TRUE(service_.resume(queries, {}, batch).ok());
    return numbersOf(batch.hitsOf(0));
  }
  std::string numbersOf(std::span<const Hit> hits) const {
    std::string text;
    for (const Hit& hit : hits) {
      const auto found = std::find_if(all_.begin(), all_.end(), [&](const Hit& each) {
        return hit.isBlock() && each.block == hit.block;
      });
      text += found == all_.end() ? "?" : std::to_string(found - all_.begin());
    }
    return text;
  }

  const Segment diagonal_{{0.5, 0.5, 0.5}, {10.5, 10.5, 0.5}};
  std::vector<Hit> all_;
};

TEST_F(AgainAtACornerTest, NothingUpToTheHitAfterWhichTheQueryResumesIsHit) {
  ASSERT_EQ(all_.size(), 3U);
  EXPECT_EQ(all_.front().t, all_.back().t);
  // An entity of that time comes before the blocks.
  onBlock(kWater, kAgain, [&](const BlockHit&) {
    std::ignore = entities_.add(
        {.id = 5, .level = 1, .shape = Box{{0.5, 0.5, 0.5}}, .position = {5.5, 5.5, 0.5}});
  });
  const std::span<const Hit> all(all_);
  for (const std::span<const Hit> one : {all.first(1), all.first(0)}) {
    EXPECT_EQ(shootAfter(one), one.empty() ? "0?12" : "12");
    EXPECT_TRUE(entities_.remove(entities_.all().front()).ok());
  }
  for (std::uint64_t steps = 1; steps < 60; ++steps) {
    ASSERT_EQ(shootAfter(all.first(2)), "2");
    ASSERT_EQ(shootAfter(all.subspan(1, 1)), "2") << "after the last of them alone";
    ASSERT_EQ(shootInPartsAfter(all.first(1), steps), "12") << steps << " steps";
    ASSERT_EQ(shootInPartsAfter(all.first(2), steps), "2") << steps << " steps";
  }
}

// Spheres whose surface the line hits at exactly the time at which it enters block 9. From far away
// the times of sphere and block differ as doubles in many cases.
class AgainAtATieTest : public AgainTest {
 protected:
  EntityHandle addSphere(EntityId id, double radius) {
    EntitySpec spec;
    spec.id = id;
    spec.level = 1;
    spec.shape = Sphere{radius};
    spec.position = {9 + radius, 0.5, 0.5};
    return entities_.add(spec).value();
  }
  // Shoots from several starts, so that times are rounded in several ways. Compares the hits, as
  // "e2 water".
  void expectFromEverywhere(const std::string& hits, const std::function<void()>& reset) {
    int rounded_apart = 0;
    for (int i = 1; i < 400; ++i) {
      reset();
      const double start = -1e5 - i * (37 + 17.0 / kUnitsPerBlock);
      const absl::StatusOr<ShotResult> shot =
          service_.shootSegment({{start, 0.5, 0.5}, {60.5 + i * 171.0 / kUnitsPerBlock, 0.5, 0.5}});
      ASSERT_TRUE(shot.ok());
      ASSERT_EQ(namesOf(shot->hits), hits) << "from " << start;
      for (const Hit& hit : shot->hits)
        rounded_apart += hit.t != shot->hits.front().t && hit.point[0] < 9.5 ? 1 : 0;
    }
    EXPECT_GT(rounded_apart, 100);
  }
  std::string namesOf(std::span<const Hit> hits) const {
    std::vector<std::string> names;
    for (const Hit& hit : hits)
      names.push_back(hit.isEntity() ? "e" + std::to_string(hit.id)
                                     : world_.blockTypes().name(hit.type));
    return join(names);
  }
};

TEST_F(AgainAtATieTest, ABlockAtTheTimeOfASphereThatAnswersAgain) {
  put(9, kWater);
  put(30, kStone);
  for (const double radius : {0.5, 1.0, 3.25})
    addSphere(static_cast<EntityId>(radius * 4), radius);
  onEntity(0, kAgain);
  ASSERT_NO_FATAL_FAILURE(expectFromEverywhere("e2 e4 e13 water stone", [] {}));
}

TEST_F(AgainAtATieTest, ABlockThatAnswersAgainAtTheTimeOfASphere) {
  put(30, kStone);
  EntityHandle late{};
  onEntity(0);
  onBlock(kWater, kAgain, [&](const BlockHit&) { late = addSphere(3, 2.5); });
  // Things that appear at that time are hit; things hit before are not hit again.
  ASSERT_NO_FATAL_FAILURE(expectFromEverywhere("e2 water e3 stone", [&] {
    for (const EntityHandle entity : entities_.all())
      ASSERT_TRUE(entities_.remove(entity).ok());
    put(9, kWater);
    addSphere(2, 0.5);
  }));
}

// The sphere that comes looks again, too, and may not find the block that was hit at its time,
// though the double of its time is another.
TEST_F(AgainAtATieTest, BothAnswerAgain) {
  put(30, kStone);
  onEntity(0, kAgain);
  onBlock(kWater, kAgain, [&](const BlockHit&) {
    addSphere(3, 2.5);
    addSphere(4, 7);
  });
  ASSERT_NO_FATAL_FAILURE(expectFromEverywhere("e2 water e3 e4 stone", [&] {
    for (const EntityHandle entity : entities_.all())
      ASSERT_TRUE(entities_.remove(entity).ok());
    put(9, kWater);
    addSphere(2, 0.5);
  }));
}

// Makes a shot find its candidates in slices, by the passes.
QueryOptions inSlices(std::function<bool(const BlockHit&)> filter = [](const BlockHit&) {
  return true;
}) {
  QueryOptions options;
  options.filter.block_filter = std::move(filter);
  return options;
}

TEST_F(AgainTest, AChunkBorrowedMeanwhileIsReadBeforeTheEngineWrites) {
  for (const std::int64_t x : {3, 5, 7, 9})
    put(x, kWater);
  put(58, kStone);
  for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
    unload(2);
    put(50, kAir);
    std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
    ids[6] = kStone;  // block 38
    const auto act = [&](const BlockHit& hit) {
      const std::int64_t x = hit.block[0];
      if (x == 3) {
        const Chunk::Ids lent(ids.data(), kBlocksPerChunk);
        EXPECT_TRUE(
            world_.loadChunk(1, {2, 0, 0}, Chunk::borrowed(lent, world_.blockTypes()).value())
                .ok());
        return kAgain;
      }
      if (x == 5) {
        ids[6] = kAir;
        EXPECT_TRUE(world_.refreshBlock(1, {38, 0, 0}).ok());
      }
      if (x == 9) put(50, kStone);
      return HitResponse::kContinue;
    };
    ASSERT_TRUE(service_.onBlockHit(kWater, act).ok());
    QueryOptions options = inSlices();
    options.pass = pass;
    EXPECT_EQ(shoot(options), "water@3 water@5 water@7 water@9 stone@50!")
        << "the wall at 38 is gone when its turn comes";
    unload(2);
    load(2);
  }
}

TEST_F(AgainTest, AWallThatTurnsIntoWhatTheFilterRejectsIsOpen) {
  put(9, kStone);
  put(12, kStone);
  onBlock(kStone, kAgain, [&](const BlockHit& hit) {
    if (hit.block[0] == 9) put(9, kGlass);
  });
  EXPECT_EQ(shoot(), "stone@9!") << "glass is solid";
  put(9, kStone);
  EXPECT_EQ(shoot(inSlices([](const BlockHit& hit) { return hit.type != kGlass; })),
            "stone@9 stone@12!");
}

TEST_F(AgainTest, AFilterThatThrewForWhatIsGoneIsForgotten) {
  for (const std::int64_t x : {3, 5, 7, 9, 40})
    put(x, kWater);
  ASSERT_TRUE(service_
                  .onBlockHit(kWater,
                              [&](const BlockHit& hit) {
                                if (hit.block[0] != 3) return HitResponse::kContinue;
                                put(40, kAir);
                                return kAgain;
                              })
                  .ok());
  const QueryOptions options = inSlices([](const BlockHit& hit) {
    if (hit.block[0] == 40) throw std::runtime_error("boom");
    return true;
  });
  EXPECT_EQ(shoot(options), "water@3 water@5 water@7 water@9");
}

}  // namespace
}  // namespace fractalray
