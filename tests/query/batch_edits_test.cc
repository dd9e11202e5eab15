// SPDX-License-Identifier: Apache-2.0
// Checks that every kind of edit by an effect is seen by the later shots of the batch, and that
// shots far from an edit are not gathered again.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/internal/entity_store.h"
#include "../../levels/internal/world_content.h"
#include "batch_fixture.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

// The first query of a batch ends at reeds at 2, whose effect acts; the second runs from 4.5 to
// 90.5 past them.
class BatchEditsTest : public CorridorTest {
 protected:
  BatchEditsTest() {
    options_.report_level_spans = true;
    put(2, kReeds);
    put(9, kWater);
    put(50, kStone);
    queries_ = {{.line = Segment{{0.5, 0.5, 0.5}, {3.5, 0.5, 0.5}}, .levels = world_.allLevels()},
                {.line = Segment{{4.5, 0.5, 0.5}, {90.5, 0.5, 0.5}}, .levels = world_.allLevels()}};
  }

  // Returns the hits and level spans of the second query, alone or in a batch.
  std::string textOfAll(const ShotResult& result) const {
    std::string text = textOf(result);
    for (const LevelSpan& span : result.level_spans) {
      text += " level " + std::to_string(span.level) + " to " + std::to_string(span.t1);
    }
    if (result.unknown_from) text += " unknown from " + std::to_string(*result.unknown_from);
    return text;
  }
  std::string shootAlone() {
    const BatchQuery& query = queries_[1];
    const auto result =
        service_.shootSegment(std::get<Segment>(query.line), query.levels, options_);
    return result.ok() ? textOfAll(*result) : std::string(result.status().message());
  }
  std::string shootBatch(std::function<void()> edit) {
    std::ignore = service_.onBlockHit(kReeds, [&edit](const BlockHit&) {
      edit();
      return HitResponse::kStop;
    });
    EXPECT_TRUE(service_.shootSegment(queries_, options_, batch_).ok());
    const ShotSummary& shot = batch_.shots[1];
    return shot.status.ok() ? textOfAll(resultOf(batch_, 1)) : std::string(shot.status.message());
  }

  // Expects that the second query sees the edit that the effect of the first makes.
  void expectSeen(std::function<void()> edit) {
    const std::string before = shootAlone();
    const std::string answer = shootBatch(std::move(edit));
    EXPECT_NE(answer, before) << "the edit has changed nothing";
    EXPECT_EQ(answer, shootAlone());
  }
  // Expects that the second query is not gathered again.
  void expectNotLookedAt(std::function<void()> edit) {
    const std::string before = shootAlone();
    EXPECT_EQ(shootBatch(std::move(edit)), before);
    EXPECT_EQ(batch_.reruns, 0U);
  }

  static EntitySpec specAt(EntityId id, double x) {
    EntitySpec spec;
    spec.id = id;
    spec.level = 1;
    spec.position = {x, 0.5, 0.5};
    return spec;
  }

  std::vector<BatchQuery> queries_;
  QueryOptions options_;
  ShotBatch batch_;
};

TEST_F(BatchEditsTest, ASetBlockIsSeen) {
  expectSeen([&] { put(20, kStone); });
  expectSeen([&] { put(20, kAir); });
  expectSeen([&] { put(9, kGlass); });
}

TEST_F(BatchEditsTest, AFilledBoxIsSeen) {
  expectSeen([&] { ASSERT_TRUE(world_.fillBox(1, {20, 0, 0}, {35, 3, 3}, kWater).ok()); });
  expectSeen([&] { ASSERT_TRUE(world_.fillBox(1, {16, 0, 0}, {31, 15, 15}, kStone).ok()); });
}

TEST_F(BatchEditsTest, ALoadedChunkIsSeen) {
  put(50, kAir);
  expectSeen([&] { load(4, kWater); });
  expectSeen([&] { load(1, kStone); });
}

TEST_F(BatchEditsTest, AnUnloadedChunkIsSeen) {
  expectSeen([&] { unload(3); });
  options_.report_unknown = true;
  expectSeen([&] { unload(1); });
}

TEST_F(BatchEditsTest, AnExpandedBlockIsSeen) {
  put(50, kAir);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(0, {5, 0, 0}, kWater).ok());
  expectSeen([&] { ASSERT_TRUE(world_.expandBlock(0, {5, 0, 0}).ok()); });
}

TEST_F(BatchEditsTest, ALoadedOrUnloadedChildIsSeen) {
  put(50, kAir);
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  ASSERT_TRUE(world_.setBlock(0, {5, 0, 0}, kWater).ok());
  expectSeen([&] { load(5); });
  expectSeen([&] { unload(5); });
}

TEST_F(BatchEditsTest, RefreshedBorrowedBlocksAreSeen) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  const Chunk::Ids borrowed(ids.data(), kBlocksPerChunk);
  ASSERT_TRUE(
      world_.loadChunk(1, {1, 0, 0}, Chunk::borrowed(borrowed, world_.blockTypes()).value()).ok());
  expectSeen([&] {
    ids[4] = kWater;
    ASSERT_TRUE(world_.refreshChunk(1, {1, 0, 0}).ok());
  });
}

TEST_F(BatchEditsTest, AnAddedOrRemovedPlaceholderIsSeenByPredicates) {
  // A placeholder is nothing to a shot, but a predicate may read it.
  std::ignore = service_.onBlockHit(
      kWater,
      [&](const BlockHit&) {
        return world_.chunkState(1, {9, 0, 0}) == ChunkState::kProto;
      },
      nullptr);
  expectSeen([&] { ASSERT_TRUE(world_.placeProtoChunk(1, {9, 0, 0}).ok()); });
  expectSeen([&] { unload(9); });
}

TEST_F(BatchEditsTest, BoundsOfALevelThatGrowOrShrinkFarAwayAreSeen) {
  expectSeen([&] { ASSERT_TRUE(world_.loadChunk(1, {5, 9, 9}, Chunk()).ok()); });
  EXPECT_EQ(batch_.reruns, 0U);
  expectSeen([&] { ASSERT_TRUE(world_.unloadChunk(1, {5, 9, 9}).ok()); });
  // The same for a shot whose own effect is still to come.
  onBlock(kWater);
  expectSeen([&] { ASSERT_TRUE(world_.loadChunk(1, {5, 9, 9}, Chunk()).ok()); });
  EXPECT_EQ(batch_.reruns, 0U);
}

TEST_F(BatchEditsTest, AddedEntitiesAreSeen) {
  expectSeen([&] { addEntity(1, 20); });
  const auto specs = std::to_array({specAt(2, 30), specAt(3, 40)});
  expectSeen([&] { ASSERT_TRUE(entities_.addAll(specs).ok()); });
}

TEST_F(BatchEditsTest, AnEntityThatMovesOntoTheLineIsSeen) {
  const EntityHandle one = addEntity(1, 1000);
  const EntityHandle two = addEntity(2, 1000);
  expectSeen([&] { moveEntity(one, 20); });
  expectSeen([&] { moveEntity(one, 25); });
  const auto moves = std::to_array<EntityMove>({{two, {30.5, 0.5, 0.5}}});
  expectSeen([&] { ASSERT_TRUE(entities_.moveAll(moves).ok()); });
}

TEST_F(BatchEditsTest, AnEntityThatMovesOffTheLineIsSeen) {
  const EntityHandle one = addEntity(1, 20);
  const EntityHandle two = addEntity(2, 20);
  expectSeen([&] { ASSERT_TRUE(entities_.move(one, {20.5, 1.5, 0.5}).ok()); });
  const auto moves = std::to_array<EntityMove>({{two, {30.5, 90.5, 0.5}}});
  expectSeen([&] { ASSERT_TRUE(entities_.moveAll(moves).ok()); });
}

TEST_F(BatchEditsTest, AnEntityThatIsUpdatedWithoutAMoveIsSeen) {
  const EntityHandle one = addEntity(1, 20);
  const auto update = [&](const EntityUpdate& to) {
    return [this, one, to] { ASSERT_TRUE(entities_.update(one, to).ok()); };
  };
  queries_[1].levels = LevelMask{1};
  expectSeen(update({.level = 0}));  // out of the mask
  expectSeen(update({.level = 1}));
  options_.filter.categories = 2;
  expectSeen(update({.categories = 3}));
  expectSeen(update({.categories = 1}));
  options_.filter.categories = 1;
  onEntity(7, HitResponse::kStop);
  expectSeen(update({.entity_class = EntityClassId(7)}));
  expectSeen(update({.entity_class = EntityClassId(1)}));
  expectSeen(update({.position = Vec3d{30.5, 0.5, 0.5}}));
  expectSeen(update({.position = Vec3d{30.5, 5.5, 0.5}}));  // next to the line
  expectSeen(update({.shape = Sphere{5}}));                 // and so large that it reaches it
  expectSeen(update({.shape = Sphere{40}}));                // on another index level
  expectSeen(update({.shape = Sphere{0.5}}));
  expectSeen(update({.shape = Box{{2, 6, 1}}, .position = Vec3d{40, 0, 0}}));
}

TEST_F(BatchEditsTest, AnUpdateElsewhereCausesNoRerun) {
  const EntityHandle far = addEntity(1, 1000);
  expectNotLookedAt([&] {
    ASSERT_TRUE(entities_.update(far, {.level = 0, .shape = Sphere{30}, .categories = 9}).ok());
  });
  const EntityHandle near = addEntity(2, 20);
  expectNotLookedAt([&] { ASSERT_TRUE(entities_.update(near, {.level = 1}).ok()); });
}

TEST_F(BatchEditsTest, AMovedBlockIsSeen) {
  const auto move = [&](const BlockCoord& from, const BlockCoord& to) {
    return [this, from, to] { ASSERT_TRUE(world_.moveBlock(1, from, to).ok()); };
  };
  expectSeen(move({9, 0, 0}, {20, 0, 0}));
  expectSeen(move({20, 0, 0}, {21, 5, 5}));
  expectSeen(move({21, 5, 5}, {10, 0, 0}));
  expectSeen(move({50, 0, 0}, {30, 0, 0}));
}

TEST_F(BatchEditsTest, RemovedEntitiesAreSeen) {
  const EntityHandle one = addEntity(1, 20);
  const auto others = std::to_array({addEntity(2, 30), addEntity(3, 31)});
  expectSeen([&] { ASSERT_TRUE(entities_.remove(one).ok()); });
  expectSeen([&] { ASSERT_TRUE(entities_.removeAll(others).ok()); });
}

TEST_F(BatchEditsTest, RegisteredOrRemovedBlockCallbacksAreSeen) {
  const auto always = [](const BlockHit&) { return true; };
  expectSeen([&] { std::ignore = service_.onBlockHit(kWater, always, nullptr); });
  expectSeen([&] { service_.removeBlockCallback(kWater); });
  expectSeen([&] { onBlock(kWater, HitResponse::kStop); });
  EXPECT_EQ(calls(), "water@9 water@9") << "by the batch, and by the shot that it equals";
}

TEST_F(BatchEditsTest, RegisteredOrRemovedEntityCallbacksAreSeen) {
  addEntity(1, 7);
  const auto always = [](const EntityHit&) { return true; };
  expectSeen([&] { service_.onEntityHit(EntityClassId{}, always, nullptr); });
  expectSeen([&] { service_.removeEntityCallback(EntityClassId{}); });
  expectSeen([&] { onEntity(0, HitResponse::kStop); });
  EXPECT_EQ(calls(), "e1@7 e1@7");
}

TEST_F(BatchEditsTest, AddedTypesAndChannelsAreSeen) {
  std::size_t types = world_.blockTypes().size();
  std::size_t channels = world_.blockTypes().channels();
  std::ignore = service_.onBlockHit(
      kWater,
      [&](const BlockHit&) {
        return world_.blockTypes().size() > types || world_.blockTypes().channels() > channels;
      },
      nullptr);
  expectSeen([&] { ASSERT_TRUE(world_.blockTypes().add({.name = "moss"}).ok()); });
  types = world_.blockTypes().size();
  expectSeen([&] { ASSERT_TRUE(world_.blockTypes().addChannel("audible").ok()); });
}

TEST_F(BatchEditsTest, APredicateOrFilterMayReadAwayFromTheLine) {
  const auto looks = [&](const BlockHit&) { return world_.block(1, {40, 9, 9}).value() == kAir; };
  options_.filter.block_filter = looks;
  expectSeen([&] { ASSERT_TRUE(world_.setBlock(1, {40, 9, 9}, kWater).ok()); });
  options_.filter.block_filter = nullptr;
  std::ignore = service_.onBlockHit(kWater, looks, nullptr);
  expectSeen([&] { ASSERT_TRUE(world_.setBlock(1, {40, 9, 9}, kAir).ok()); });
  addEntity(1, 20);
  options_.filter.entity_filter = [&](const EntityHit&) { return entities_.size() == 1; };
  service_.removeBlockCallback(kWater);
  expectSeen([&] { addEntity(2, 5000); });
}

TEST_F(BatchEditsTest, StepsAreSpentAwayFromTheLineToo) {
  put(50, kAir);
  // The budget that just suffices now does not once there is more to examine around the line.
  options_.max_steps = 0;
  while (shootAlone().find("steps") != std::string::npos)
    ++options_.max_steps;
  expectSeen([&] { ASSERT_TRUE(world_.fillBox(1, {10, 0, 1}, {60, 2, 3}, kWater).ok()); });
}

TEST_F(BatchEditsTest, TheUnknownAfterAWallMattersIfTheShotIsCutShort) {
  options_.max_hits = 1;
  options_.report_unknown = true;
  expectSeen([&] { load(4); });
}

TEST_F(BatchEditsTest, MoreEditsThanTheLogKeepsAreSeenTheSame) {
  expectSeen([&] {
    put(20, kStone);
    for (int i = 0; i < 1000; ++i)
      ASSERT_TRUE(world_.setBlock(1, {40, 9, 9}, i % 2 == 0 ? kWater : kAir).ok());
  });
  const EntityHandle one = addEntity(1, 1000);
  const EntityHandle two = addEntity(2, 1000);
  expectSeen([&] {
    moveEntity(one, 12);
    for (int i = 0; i < 1000; ++i)
      moveEntity(two, 1000 + i);
  });
}

TEST_F(BatchEditsTest, AnotherContentIsSeen) {
  World other{{.levels = 2, .block_types = oracle::sceneTypes()}};
  ASSERT_TRUE(other.loadChunk(1, {0, 0, 0}, Chunk::uniform(kWater, other.blockTypes())).ok());
  expectSeen([&] { std::swap(world_, other); });
  std::swap(world_, other);
  EntityIndex indexed(world_.frame());
  ASSERT_TRUE(indexed.add(specAt(1, 12)).ok());
  expectSeen([&] { std::swap(entities_, indexed); });
}

TEST_F(BatchEditsTest, EditsOfTheNewContentAreSeen) {
  // Edits again and again after the swap, while the content before is destroyed.
  queries_ = {queries_[0], queries_[0], queries_[1], queries_[0], queries_[1]};
  int calls = 0;
  const auto edit = [&] {
    if (++calls == 1) {
      World other{{.levels = 2, .block_types = oracle::sceneTypes()}};
      ASSERT_TRUE(other.loadChunk(1, {0, 0, 0}, Chunk()).ok());
      ASSERT_TRUE(other.setBlock(1, {2, 0, 0}, kReeds).ok());
      std::swap(world_, other);
      EntityIndex indexed(world_.frame());
      ASSERT_TRUE(indexed.add(specAt(7, 14)).ok());
      std::swap(entities_, indexed);
    } else if (calls == 2) {
      put(10, kWater);
    } else {
      addEntity(8, 12);
    }
  };
  shootBatch(edit);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(textOf(resultOf(batch_, 2)), "water@10 e7@13");
  EXPECT_EQ(textOf(resultOf(batch_, 4)), "water@10 e8@12 e7@13");
}

TEST_F(BatchEditsTest, EditsElsewhereCauseNoRerun) {
  const EntityHandle far = addEntity(1, 1000);
  expectNotLookedAt([&] {
    ASSERT_TRUE(world_.setBlock(1, {40, 2, 2}, kStone).ok());
    moveEntity(far, 2000);
    put(52, kStone);  // past the wall
    put(3, kStone);   // before the start
  });
  onBlock(kWater);
  expectNotLookedAt([&] { ASSERT_TRUE(world_.setBlock(1, {40, 2, 2}, kAir).ok()); });
  queries_[1].levels = LevelMask{1};
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  expectNotLookedAt([&] { ASSERT_TRUE(world_.setBlock(0, {1, 0, 0}, kStone).ok()); });
}

TEST_F(BatchEditsTest, NothingIsNotedOutsideOfABatch) {
  const std::uint64_t noted = internal::Access::content(world_).edits.count();
  put(20, kStone);
  addEntity(1, 20);
  EXPECT_EQ(internal::Access::content(world_).edits.count(), noted);
  EXPECT_EQ(internal::Access::store(entities_).edits().count(), 0U);
  shootBatch([&] { put(20, kAir); });
  EXPECT_EQ(internal::Access::content(world_).edits.count(), noted + 1);
  put(20, kStone);
  EXPECT_EQ(internal::Access::content(world_).edits.count(), noted + 1);
}

TEST_F(BatchEditsTest, TasksThatParallelForLeavesOutRunWithTheQueriesOfTheirBatch) {
  onBlock(kWater);
  ASSERT_TRUE(service_.shootSegment(queries_, options_, batch_).ok());
  ASSERT_EQ(textOf(resultOf(batch_, 1)), "water@9 stone@50!");
  queries_[1].line = Segment{{20.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  calls_.clear();
  const auto run_none = [](std::size_t, Task) {};
  ASSERT_TRUE(service_.shootSegment(queries_, options_, batch_, run_none).ok());
  EXPECT_EQ(textOf(resultOf(batch_, 0)), "reeds@2");
  EXPECT_EQ(textOf(resultOf(batch_, 1)), "stone@50!");
  EXPECT_EQ(calls(), "");
}

}  // namespace
}  // namespace fractalray
