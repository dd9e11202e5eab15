// SPDX-License-Identifier: Apache-2.0
// Checks callbacks that change chunks under their own shot: boxes, placeholders, borrowed blocks,
// child chunks, and the effect on the unknown. Covers the rows of docs/queries/shoot.md that
// effects_test.cc does not have.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_move.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

// Water at 3 does something; water at 7 is still to come, and the wall is at 20.
class WorldEffectsTest : public CorridorTest {
 protected:
  WorldEffectsTest() {
    put(3, kWater);
    put(7, kWater);
    put(20, kStone);
  }

  void fill(std::int64_t first, std::int64_t last, BlockTypeId type) {
    ASSERT_TRUE(world_.fillBox(1, {first, 0, 0}, {last, 2, 2}, type).ok());
  }
  // Level 0 has only one chunk now: its block x is as wide as chunk x of level 1.
  void makeCoarse() {
    for (std::int64_t x = 0; x < 4; ++x)
      unload(x);
    ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  }
  void putCoarse(std::int64_t x, BlockTypeId type) {
    ASSERT_TRUE(world_.setBlock(0, {x, 0, 0}, type).ok());
  }
};

TEST_F(WorldEffectsTest, ABoxIsFilledAhead) {
  atBlock(kWater, 3, [&] { fill(5, 15, kAir); });
  EXPECT_EQ(shoot(), "water@3 stone@20!");
  put(7, kWater);
  atBlock(kWater, 3, [&] { fill(6, 9, kReeds); });
  EXPECT_EQ(shoot(), "water@3 reeds@7 stone@20!") << "the others were added";
  fill(6, 9, kAir);
  put(7, kWater);
  atBlock(kWater, 3, [&] { fill(5, 8, kStone); });
  EXPECT_EQ(shoot(), "water@3 stone@7!");
}

TEST_F(WorldEffectsTest, ABoxIsFilledOverTheWall) {
  atBlock(kWater, 3, [&] { fill(17, 23, kReeds); });
  EXPECT_EQ(shoot(), "water@3 water@7 reeds@20 reeds@21 reeds@22 reeds@23");
}

TEST_F(WorldEffectsTest, AChunkAheadBecomesAPlaceholder) {
  put(40, kWater);
  atBlock(kWater, 3, [&] {
    unload(1);
    ASSERT_TRUE(world_.placeProtoChunk(1, {1, 0, 0}).ok());
  });
  EXPECT_EQ(shoot(), "water@3 water@7 water@40");
}

TEST_F(WorldEffectsTest, AChunkIsLoadedAheadWhereNoneWas) {
  unload(1);
  put(40, kStone);
  atBlock(kWater, 3, [&] { load(1, kReeds); });
  EXPECT_EQ(shoot(), "water@3 water@7 stone@40!");
  unload(3);
  atBlock(kWater, 3, [&] {
    load(3, kGlass);
    put(40, kAir);
  });
  EXPECT_EQ(shoot().substr(0, 24), "water@3 water@7 reeds@16") << "the next shot hits it";
  EXPECT_EQ(textOf(result_.hits.back()), "glass@48!") << "it is past the removed wall";
}

TEST_F(WorldEffectsTest, BorrowedBlocksAreRefreshed) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  ids[1] = kWater;
  ids[2] = kWater;
  ids[4] = kStone;
  const Chunk::Ids borrowed(ids.data(), kBlocksPerChunk);
  ASSERT_TRUE(
      world_.loadChunk(1, {1, 0, 0}, Chunk::borrowed(borrowed, world_.blockTypes()).value()).ok());
  EXPECT_EQ(shoot(), "water@3 water@7 water@17 water@18 stone@20!");
  atBlock(kWater, 3, [&] {
    ids[1] = kAir;
    ids[2] = kReeds;
    ids[3] = kStone;
    ids[4] = kAir;
    ids[5] = kReeds;
    ASSERT_TRUE(world_.refreshChunk(1, {1, 0, 0}).ok());
  });
  EXPECT_EQ(shoot(), "water@3 water@7 reeds@18 reeds@21");
}

TEST_F(WorldEffectsTest, TheFineChunkOfABlockAheadIsUnloaded) {
  makeCoarse();
  putCoarse(0, kWater);
  putCoarse(1, kReeds);
  putCoarse(3, kStone);
  load(1, kWater);
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.block[0] == 0) unload(1);
  });
  EXPECT_EQ(shoot(), "coarse water@0 coarse stone@3!") << "the block of reeds was added";
  onBlock(kWater);
  EXPECT_EQ(shoot(), "coarse water@0 coarse reeds@1 coarse stone@3!");
}

TEST_F(WorldEffectsTest, ABlockAheadIsExpanded) {
  makeCoarse();
  putCoarse(0, kWater);
  putCoarse(1, kReeds);
  putCoarse(3, kStone);
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) {
    ASSERT_TRUE(world_.expandBlock(0, {1, 0, 0}).ok());
  });
  EXPECT_EQ(shoot(), "coarse water@0 coarse stone@3!") << "its fine blocks were added";
}

TEST_F(WorldEffectsTest, ChunksLoadedWhenTheShotGatheredAreKnown) {
  const QueryOptions options{.report_unknown = true};
  put(20, kAir);
  put(40, kStone);
  atBlock(kWater, 3, [&] { unload(1); });
  EXPECT_EQ(shoot(options), "water@3 water@7 stone@40!");
  EXPECT_FALSE(result_.unknown_from.has_value());
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(options), "water@3 water@7 stone@40!");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
  // And space that was not loaded then is unknown, though it has been loaded since.
  atBlock(kWater, 3, [&] { load(1); });
  EXPECT_EQ(shoot({.stop_at_unknown = true}), "water@3 water@7");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
  ASSERT_TRUE(service_.resume(result_, world_.allLevels(), {.stop_at_unknown = true}).ok());
  EXPECT_EQ(textOf(result_), "water@3 water@7 stone@40!") << "resuming searches again";
  EXPECT_FALSE(result_.unknown_from.has_value());
}

TEST_F(WorldEffectsTest, PastARemovedWallTheUnknownIsTheCurrentOne) {
  atBlock(kWater, 3, [&] {
    put(20, kAir);
    unload(2);
  });
  EXPECT_EQ(shoot({.report_unknown = true}), "water@3 water@7");
  EXPECT_EQ(result_.unknown_from, 31.5 / 60);
}

// So many blocks that a shot searches for them in several slices.
class SwapEffectsTest : public WorldEffectsTest {
 protected:
  SwapEffectsTest() {
    makeRow(world_);
    as_it_was_ = "water@3";
    for (int x = kFirst; x <= kLast; ++x)
      as_it_was_ += " water@" + std::to_string(x);
  }

  static void makeRow(World& world) {
    ASSERT_TRUE(world.fillBox(1, {kFirst, 0, 0}, {kLast, 2, 2}, kWater).ok());
    ASSERT_TRUE(world.setBlock(1, {50, 0, 0}, kStone).ok());
  }
  // Returns a world in which the shot is stopped by a block before the row.
  static World another() {
    World world({.levels = 2, .block_types = oracle::sceneTypes()});
    for (std::int64_t x = 0; x < 4; ++x)
      EXPECT_TRUE(world.loadChunk(1, {x, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
    makeRow(world);
    EXPECT_TRUE(world.setBlock(1, {5, 0, 0}, kStone).ok());
    return world;
  }

  static constexpr int kFirst = 7;
  static constexpr int kLast = 44;
  std::string as_it_was_;
};

// A shot reads its world before the content leaves, whichever way that happens.
TEST_F(SwapEffectsTest, TheWorldIsSwapped) {
  World other = another();
  atBlock(kWater, 3, [&] { std::swap(world_, other); });
  EXPECT_EQ(shoot(), as_it_was_ + " stone@50!");
  EXPECT_EQ(shoot(), "stone@5!") << "the next shot hits it";
}

TEST_F(SwapEffectsTest, ASwapIsNoMoveOfTheFrame) {
  World other = another();
  internal::moveFrame(internal::Access::editContent(other),
                      FrameMove::recenter(other.frame(), {0, 0, 0}));
  atBlock(kWater, 3, [&] { std::swap(world_, other); });
  EXPECT_EQ(shoot(), as_it_was_ + " stone@50!");
}

TEST_F(SwapEffectsTest, TheWorldIsMovedAwayAndBack) {
  atBlock(kWater, 3, [&] {
    World kept = std::move(world_);
    world_ = another();
    world_ = std::move(kept);
  });
  EXPECT_EQ(shoot(), as_it_was_ + " stone@50!");
  EXPECT_EQ(shoot(), as_it_was_ + " stone@50!");
}

TEST_F(SwapEffectsTest, TheEntitiesAreSwapped) {
  addEntity(1, 46);
  addEntity(2, 48);
  EntityIndex other(world_.frame());
  ASSERT_TRUE(other.add({.id = 1, .level = 1, .position = {30, 0.5, 0.5}}).ok());
  atBlock(kWater, 3, [&] { std::swap(entities_, other); });
  EXPECT_EQ(shoot(), as_it_was_ + " e1@46 stone@50!") << "the second is gone";
  addEntity(2, 48);
  atBlock(kWater, 3, [&] { std::exchange(entities_, EntityIndex(world_.frame())); });
  EXPECT_EQ(shoot(), as_it_was_ + " stone@50!");
}

TEST_F(WorldEffectsTest, LevelSpansAreThoseOfTheBeginning) {
  const QueryOptions options{.report_level_spans = true};
  atBlock(kWater, 3, [&] { unload(3); });
  EXPECT_EQ(shoot(options), "water@3 water@7 stone@20!");
  ASSERT_EQ(result_.level_spans.size(), 1U);
  EXPECT_EQ(result_.level_spans[0].t1, 1);
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(options), "water@3 water@7 stone@20!");
  EXPECT_EQ(result_.level_spans[0].t1, 47.5 / 60);
}

// A shot knows what it has read; only the rest of the line is searched as the world is now.
TEST_F(WorldEffectsTest, AChunkUnloadedOnTheWayOfAShotCutShortWasKnown) {
  for (std::int64_t x = 0; x <= 20; ++x)
    put(x, kAir);
  for (std::int64_t x = 17; x < 21; ++x)
    put(x, kWater);
  unload(3);
  const std::vector<Segment> line{{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}};
  for (const bool has_wall : {true, false}) {
    put(30, has_wall ? kStone : kAir);
    for (const bool stops : {true, false}) {
      for (const HitResponse response : {HitResponse::kContinue, HitResponse::kAgain}) {
        onBlock(kWater, response, [&](const BlockHit&) { unload(0); });
        for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
          const QueryOptions options{
              .max_hits = 1, .report_unknown = !stops, .stop_at_unknown = stops, .pass = pass};
          EXPECT_EQ(shoot(options), "water@17");
          EXPECT_TRUE(result_.truncated);
          EXPECT_EQ(result_.unknown_from, 47.5 / 60);
          load(0);
          ShotBatch batch;
          ASSERT_TRUE(service_.shootSegment(line, options, batch).ok());
          EXPECT_EQ(batch.shots[0].unknown_from, 47.5 / 60);
          load(0);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fractalray
