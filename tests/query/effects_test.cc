// SPDX-License-Identifier: Apache-2.0
// Checks callbacks that change the world during their own shot: which hits follow.
#include <gtest/gtest.h>

#include <string>

#include "shot_fixture.h"

namespace fractalray {
namespace {

// Water at 3 does something; water at 7 and stone at 9 are still to come, stone at 20 is past them.
class BlockEffectsTest : public CorridorTest {
 protected:
  BlockEffectsTest() {
    put(3, kWater);
    put(7, kWater);
    put(9, kStone);
    put(20, kStone);
  }
};

TEST_F(BlockEffectsTest, ALaterBlockThatIsEmptyByNowIsSkipped) {
  atBlock(kWater, 3, [&] { put(7, kAir); });
  EXPECT_EQ(shoot(), "water@3 stone@9!");
  EXPECT_EQ(calls(), "water@3");
}

TEST_F(BlockEffectsTest, ALaterBlockIsReportedWithItsPresentType) {
  onBlock(kReeds);
  atBlock(kWater, 3, [&] { put(7, kReeds); });
  EXPECT_EQ(shoot(), "water@3 reeds@7 stone@9!");
  EXPECT_EQ(calls(), "water@3 reeds@7");
}

TEST_F(BlockEffectsTest, ALaterBlockOfAnotherTypeIsFilteredAgain) {
  QueryOptions options;
  options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kReeds; };
  atBlock(kWater, 3, [&] { put(7, kReeds); });
  EXPECT_EQ(shoot(options), "water@3 stone@9!");
  put(7, kWater);
  atBlock(kWater, 3, [&] { put(9, kReeds); });
  EXPECT_EQ(shoot(options), "water@3 water@7 stone@20!") << "nor does it end the shot";
}

TEST_F(BlockEffectsTest, ALaterBlockThatIsSolidByNowEndsTheShot) {
  atBlock(kWater, 3, [&] { put(7, kStone); });
  EXPECT_EQ(shoot(), "water@3 stone@7!");
}

TEST_F(BlockEffectsTest, ALaterBlockWhoseChunkIsUnloadedIsSkipped) {
  put(9, kAir);
  put(17, kWater);
  put(33, kWater);
  atBlock(kWater, 3, [&] { unload(1); });
  EXPECT_EQ(shoot(), "water@3 water@7 water@33") << "the wall at 20 went with its chunk";
  load(1);
  atBlock(kWater, 3, [&] { ASSERT_TRUE(world_.placeProtoChunk(1, {9, 9, 9}).ok()); });
  EXPECT_EQ(shoot(), "water@3 water@7 water@33");
}

TEST_F(BlockEffectsTest, TheChunkOfTheCallbackItselfMayGo) {
  atBlock(kWater, 3, [&] { unload(0); });
  EXPECT_EQ(shoot(), "water@3 stone@20!");
}

TEST_F(BlockEffectsTest, AChunkMayBeReplacedUnderTheShot) {
  atBlock(kWater, 3, [&] { load(0, kReeds); });
  // Water at 7 is reeds now, and so is the former wall: the shot continues through the new chunk.
  EXPECT_EQ(
      shoot(),
      "water@3 reeds@7 reeds@9 reeds@10 reeds@11 reeds@12 reeds@13 reeds@14 reeds@15 stone@20!");
}

TEST_F(BlockEffectsTest, AWallThatIsGoneDoesNotEndTheShot) {
  atBlock(kWater, 3, [&] { put(9, kAir); });
  EXPECT_EQ(shoot(), "water@3 water@7 stone@20!");
  put(9, kStone);
  put(12, kWater);
  atBlock(kWater, 7, [&] { put(9, kAir); });
  EXPECT_EQ(shoot(), "water@3 water@7 water@12 stone@20!");
}

TEST_F(BlockEffectsTest, AWallThatIsPermeableByNowIsReportedAndPassed) {
  atBlock(kWater, 3, [&] { put(9, kReeds); });
  EXPECT_EQ(shoot(), "water@3 water@7 reeds@9 stone@20!");
}

TEST_F(BlockEffectsTest, WallAfterWallMayGo) {
  put(30, kStone);
  put(40, kWater);
  put(50, kStone);
  addEntity(1, 12);
  atBlock(kWater, 3, [&] { put(9, kAir); });
  onEntity(0, HitResponse::kContinue, [&](const EntityHit&) { put(20, kAir); });
  EXPECT_EQ(shoot(), "water@3 water@7 e1@12 stone@30!");
  put(20, kStone);
  put(9, kStone);
  onEntity(0, HitResponse::kContinue, [&](const EntityHit&) {
    put(20, kAir);
    put(30, kWater);
  });
  EXPECT_EQ(shoot(), "water@3 water@7 e1@12 water@30 water@40 stone@50!");
}

TEST_F(BlockEffectsTest, AWallThatRemovesItselfHasEndedTheShot) {
  onBlock(kStone, HitResponse::kContinue, [&](const BlockHit& hit) { put(hit.block[0], kAir); });
  EXPECT_EQ(shoot(), "water@3 water@7 stone@9!");
  EXPECT_EQ(shoot(), "water@3 water@7 stone@20!");
  EXPECT_EQ(shoot(), "water@3 water@7");
}

TEST_F(BlockEffectsTest, NothingThatWasAddedInFrontOfTheWallIsHit) {
  atBlock(kWater, 3, [&] {
    put(5, kStone);
    put(8, kWater);
    addEntity(1, 6);
  });
  EXPECT_EQ(shoot(), "water@3 water@7 stone@9!");
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(), "water@3 stone@5!") << "the next shot hits it";
}

TEST_F(BlockEffectsTest, PastARemovedWallTheWorldIsTheCurrentOne) {
  atBlock(kWater, 3, [&] {
    put(9, kAir);
    put(8, kWater);   // before the former wall: not hit
    put(12, kReeds);  // past it
    put(20, kAir);
    addEntity(1, 14);
    put(25, kGlass);
  });
  EXPECT_EQ(shoot(), "water@3 water@7 reeds@12 e1@14 glass@25!");
}

TEST_F(BlockEffectsTest, ABlockThatDefersByNowIsSkipped) {
  // Level 0 has only chunk [0, 0, 0]; its block [0, 0, 0] is the space of chunk [0, 0, 0] of level
  // 1.
  for (std::int64_t x = 0; x < 4; ++x)
    unload(x);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kWater, world_.blockTypes())).ok());
  EXPECT_EQ(shoot(), "coarse water@0 coarse water@1 coarse water@2 coarse water@3");
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.level == 0 && hit.block[0] == 0) load(2, kReeds);
  });
  EXPECT_EQ(shoot(), "coarse water@0 coarse water@1 coarse water@3")
      << "and the new chunk's blocks were added";
}

TEST_F(BlockEffectsTest, AWallThatDefersByNowIsReplacedByItsFineBlocks) {
  for (std::int64_t x = 0; x < 4; ++x)
    unload(x);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(0, {0, 0, 0}, kWater).ok());
  ASSERT_TRUE(world_.setBlock(0, {2, 0, 0}, kStone).ok());
  ASSERT_TRUE(world_.setBlock(0, {3, 0, 0}, kStone).ok());
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit& hit) {
    if (hit.level != 0) return;
    load(2);
    put(40, kWater);
  });
  EXPECT_EQ(shoot(), "coarse water@0 water@40 coarse stone@3!");
}

TEST_F(BlockEffectsTest, ExpandingTheWallKeepsAWall) {
  for (std::int64_t x = 0; x < 4; ++x)
    unload(x);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(0, {0, 0, 0}, kWater).ok());
  ASSERT_TRUE(world_.setBlock(0, {2, 0, 0}, kStone).ok());
  onBlock(kWater, HitResponse::kContinue, [&](const BlockHit&) {
    ASSERT_TRUE(world_.expandBlock(0, {2, 0, 0}).ok());
  });
  // Block 32 is entered at the wall's time, and so ordered before it; 33 is the first one after it.
  EXPECT_EQ(shoot(), "coarse water@0 stone@33!");
}

class EntityEffectsTest : public CorridorTest {
 protected:
  EntityEffectsTest() {
    put(3, kWater);
    put(20, kStone);
    one_ = addEntity(1, 6);
    two_ = addEntity(2, 10);
  }

  EntityHandle one_;
  EntityHandle two_;
};

TEST_F(EntityEffectsTest, ARemovedEntityIsSkipped) {
  atBlock(kWater, 3, [&] { ASSERT_TRUE(entities_.remove(one_).ok()); });
  EXPECT_EQ(shoot(), "water@3 e2@10 stone@20!");
}

TEST_F(EntityEffectsTest, AnEntityAddedWithTheSameIdIsAnother) {
  atBlock(kWater, 3, [&] {
    ASSERT_TRUE(entities_.remove(one_).ok());
    one_ = addEntity(1, 6);  // the same id, even the same slot
  });
  EXPECT_EQ(shoot(), "water@3 e2@10 stone@20!");
}

TEST_F(EntityEffectsTest, AMovedEntityKeepsItsHit) {
  atBlock(kWater, 3, [&] {
    moveEntity(one_, 500);
    moveEntity(two_, 4);
  });
  onEntity(0);
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 stone@20!");
  EXPECT_EQ(calls(), "water@3 e1@6 e2@10");
}

TEST_F(EntityEffectsTest, AnUpdatedEntityKeepsItsHit) {
  onEntity(0);
  atBlock(kWater, 3, [&] {
    // It is no longer of a level of the mask, nor at its old position, nor of that class or size.
    ASSERT_TRUE(entities_
                    .update(one_, {.level = 0,
                                   .entity_class = EntityClassId(5),
                                   .shape = Sphere{0},
                                   .position = Vec3d{500, 0, 0},
                                   .categories = 0})
                    .ok());
    ASSERT_TRUE(entities_.update(two_, {.shape = Sphere{9}}).ok());
  });
  service_.onEntityHit(EntityClassId(5), [](const EntityHit& hit) {
    ADD_FAILURE() << "it was of class 0 when it was gathered, entity " << hit.id;
    return HitResponse::kStop;
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 stone@20!");
  EXPECT_EQ(calls(), "water@3 e1@6 e2@10");
  EXPECT_EQ(result_.hits[1].entity_class, EntityClassId(0));
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(), "e2@1 water@3 stone@20!") << "the next shot hits them as they are now";
}

TEST_F(EntityEffectsTest, AnEntityUpdatedPastARemovedWallIsHitAsUpdated) {
  const EntityHandle three = addEntity(3, 40);
  const EntityHandle four = addEntity(4, 45);
  atBlock(kWater, 3, [&] {
    put(20, kAir);
    ASSERT_TRUE(entities_.update(three, {.entity_class = EntityClassId(5)}).ok());
    ASSERT_TRUE(entities_.update(four, {.categories = 0}).ok());
    ASSERT_TRUE(entities_.update(two_, {.shape = Sphere{15}}).ok());  // reaches past the wall
  });
  onEntity(5);
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 e3@40");
  EXPECT_EQ(calls(), "water@3 e3@40");
}

TEST_F(EntityEffectsTest, NoEntityIsHitTwiceByOneShot) {
  // It moves past the wall, which is then removed: it has been hit already, or keeps its earlier
  // hit.
  atBlock(kWater, 3, [&] {
    moveEntity(two_, 30);
    put(20, kAir);
  });
  onEntity(0, HitResponse::kContinue, [&](const EntityHit& hit) {
    if (hit.id == 1) moveEntity(one_, 31);
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10");
}

TEST_F(EntityEffectsTest, AnEntityThatComesFromPastTheWallIsNotHitBeforeIt) {
  const EntityHandle three = addEntity(3, 40);
  atBlock(kWater, 3, [&] { moveEntity(three, 8); });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 stone@20!");
  EXPECT_EQ(shoot(), "water@3 e1@6 e3@8 e2@10 stone@20!");
}

TEST_F(EntityEffectsTest, AnEntityPastARemovedWallIsHit) {
  const EntityHandle three = addEntity(3, 40);
  atBlock(kWater, 3, [&] {
    put(20, kAir);
    moveEntity(three, 30);
    addEntity(4, 35);
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 e3@30 e4@35");
}

TEST_F(EntityEffectsTest, ARemovedEntityDoesNotEndTheShot) {
  service_.onEntityHit(
      EntityClassId{}, [](const EntityHit& hit) { return hit.id == 2; }, nullptr);
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10!");
  atBlock(kWater, 3, [&] { ASSERT_TRUE(entities_.remove(two_).ok()); });
  EXPECT_EQ(shoot(), "water@3 e1@6 stone@20!");
}

TEST_F(EntityEffectsTest, AnEntitysOwnCallbackMayRemoveIt) {
  onEntity(0, HitResponse::kContinue, [&](const EntityHit& hit) {
    ASSERT_NE(entities_.find(hit.entity), nullptr);
    ASSERT_TRUE(entities_.remove(hit.entity).ok());
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 stone@20!");
  EXPECT_EQ(shoot(), "water@3 stone@20!");
}

TEST_F(EntityEffectsTest, ManyEntitiesMayBeAddedAndRemovedDuringTheShot) {
  // There are so many that every table of the index is rebuilt.
  onEntity(0, HitResponse::kContinue, [&](const EntityHit& hit) {
    for (EntityId id = 100; id < 1100; ++id) {
      addEntity(id + hit.id * 1000, 22 + static_cast<double>(id % 40));
    }
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 e2@10 stone@20!");
}

}  // namespace
}  // namespace fractalray
