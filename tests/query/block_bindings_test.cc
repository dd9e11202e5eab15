// SPDX-License-Identifier: Apache-2.0
// Checks single promises of BlockBindings; block_bindings_model_test.cc has the random comparison
// with a model, and memory that runs out.
#include "../../query/block_bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "../../entities/internal/index_inspection.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kGlass;
using oracle::kStone;
using oracle::kWater;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kNotFound = absl::StatusCode::kNotFound;
constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
constexpr BlockCoord kTorch{3, 4, 5};
constexpr BlockCoord kChest{9, 4, 5};

// Two levels; on the coarser one chunks [0, 0, 0] and [1, 0, 0] are loaded, with a torch and a
// chest. Blocks of that level are 16 finest-block widths wide.
class BlockBindingsTest : public testing::Test {
 protected:
  BlockBindingsTest() {
    for (const std::int64_t x : {0, 1})
      load(0, {x, 0, 0});
    EXPECT_TRUE(world_.setBlock(0, kTorch, kWater).ok());
    EXPECT_TRUE(world_.setBlock(0, kChest, kStone).ok());
    flame_ = addAt({3.5 * 16, 5.25 * 16, 5.5 * 16});
    moth_ = addAt({3.5 * 16 + 1.0 / 65536, 90, 80});
    lock_ = addAt({9.5 * 16, 4.5 * 16, 5 * 16});
    EXPECT_TRUE(bindings_.bind(flame_, 0, kTorch).ok());
    EXPECT_TRUE(bindings_.bind(moth_, 0, kTorch).ok());
    EXPECT_TRUE(bindings_.bind(lock_, 0, kChest).ok());
  }

  void load(int level, const ChunkCoord& at) {
    ASSERT_TRUE(world_.loadChunk(level, at, Chunk::uniform(kAir, world_.blockTypes())).ok());
  }
  EntityHandle addAt(const Vec3d& position) {
    return entities_.add({.id = next_id_++, .level = 1, .position = position}).value();
  }
  Vec3i positionOf(EntityHandle entity) const { return entities_.find(entity)->position; }
  BlockTypeId typeAt(const BlockCoord& at) const { return world_.block(0, at).value(); }

  // Expects a refusal with these words that has changed nothing.
  void expectRefused(const absl::Status& status, absl::StatusCode code, const char* text) const {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(text));
    EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_, moth_));
    EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(lock_));
    EXPECT_EQ(typeAt(kTorch), kWater);
    EXPECT_EQ(typeAt(kChest), kStone);
    EXPECT_EQ(positionOf(flame_), (Vec3i{56, 84, 88}) * std::int64_t{kUnitsPerBlock});
  }

  World world_{{.levels = 2, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  BlockBindings bindings_{world_, entities_};
  EntityId next_id_ = 1;
  EntityHandle flame_;
  EntityHandle moth_;
  EntityHandle lock_;
};

TEST_F(BlockBindingsTest, KnowsWhatIsBoundToWhat) {
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_, moth_));
  EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(lock_));
  EXPECT_THAT(bindings_.boundTo(1, kTorch), IsEmpty()) << "the same index on another level";
  EXPECT_THAT(bindings_.boundTo(0, {4, 4, 5}), IsEmpty());
  EXPECT_THAT(bindings_.boundTo(7, {std::int64_t{1} << 62, 4, 5}), IsEmpty());
  EXPECT_THAT(bindings_.boundInChunk(0, {0, 0, 0}), ElementsAre(flame_, moth_, lock_));
  EXPECT_THAT(bindings_.boundInChunk(0, {1, 0, 0}), IsEmpty());
  EXPECT_EQ(bindings_.blockOf(flame_), (BlockOfLevel{0, kTorch}));
  EXPECT_EQ(bindings_.blockOf(addAt({0, 0, 0})), std::nullopt);
  EXPECT_EQ(bindings_.size(), 3U);
}

TEST_F(BlockBindingsTest, AMovedBlockTakesItsEntitiesAlong) {
  const Vec3i flame = positionOf(flame_);
  const Vec3i moth = positionOf(moth_);
  const Vec3i lock = positionOf(lock_);
  const std::uint64_t version = entities_.version();
  const BlockCoord to{17, 3, 0};  // in the other chunk
  ASSERT_TRUE(bindings_.moveBlock(0, kTorch, to).ok());
  EXPECT_EQ(typeAt(kTorch), kAir);
  EXPECT_EQ(typeAt(to), kWater);
  const Vec3i offset = Vec3i{14, -1, -5} * world_.frame().blockWidth(0);
  EXPECT_EQ(positionOf(flame_), flame + offset);
  EXPECT_EQ(positionOf(moth_), moth + offset);
  EXPECT_EQ(positionOf(lock_), lock);
  EXPECT_EQ(entities_.version(), version + 1);
  EXPECT_THAT(bindings_.boundTo(0, to), ElementsAre(flame_, moth_));
  EXPECT_THAT(bindings_.boundTo(0, kTorch), IsEmpty());
  EXPECT_EQ(bindings_.blockOf(moth_), (BlockOfLevel{0, to}));
  ASSERT_TRUE(bindings_.moveBlock(0, to, kTorch).ok());  // and back
  EXPECT_EQ(positionOf(flame_), flame);
  ASSERT_TRUE(bindings_.moveBlock(0, kTorch, kTorch).ok());  // to where it is
  EXPECT_EQ(positionOf(flame_), flame);
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_, moth_));
}

TEST_F(BlockBindingsTest, AnEntityThatMovedByItselfKeepsItsNewOffset) {
  ASSERT_TRUE(entities_.move(flame_, {0, 0, 0}).ok());
  ASSERT_TRUE(entities_.update(flame_, {.level = 0, .shape = Sphere{30}}).ok());
  ASSERT_TRUE(bindings_.moveBlock(0, kTorch, kTorch + BlockCoord{1, 0, 0}).ok());
  EXPECT_EQ(positionOf(flame_), (Vec3i{world_.frame().blockWidth(0), 0, 0}));
}

TEST_F(BlockBindingsTest, FarFromTheOriginNotAUnitIsLost) {
  // Finest-block widths in doubles name every 32nd unit there.
  const std::int64_t far = std::int64_t{1} << 38;  // in blocks of level 0
  const ChunkCoord chunk{far / 16, 0, 0};
  load(0, chunk);
  const BlockCoord from = blockOf(chunk, 0);
  const EntityHandle entity = addAt({0, 0, 0});
  ASSERT_TRUE(bindings_.bind(entity, 0, {0, 0, 0}).ok());
  ASSERT_TRUE(entities_.move(entity, {1.0 / 65536, 2.0 / 65536, 3.0 / 65536}).ok());
  ASSERT_TRUE(bindings_.moveBlock(0, {0, 0, 0}, from).ok());
  EXPECT_EQ(positionOf(entity), (Vec3i{far * world_.frame().blockWidth(0) + 1, 2, 3}));
  ASSERT_TRUE(bindings_.moveBlock(0, from, {0, 0, 0}).ok());
  EXPECT_EQ(positionOf(entity), (Vec3i{1, 2, 3}));
}

TEST_F(BlockBindingsTest, ARefusedMoveMovesNothing) {
  const auto move = [&](const BlockCoord& to) { return bindings_.moveBlock(0, kTorch, to); };
  expectRefused(move(kChest), kFailedPrecondition,
                "block [9, 4, 5] of level 0 has entities bound to it (1)");
  expectRefused(move({40, 0, 0}), kNotFound, "chunk [2, 0, 0] of level 0 is not loaded");
  expectRefused(bindings_.moveBlock(0, {40, 0, 0}, kTorch), kNotFound, "is not loaded");
  expectRefused(bindings_.moveBlock(2, kTorch, kChest), absl::StatusCode::kInvalidArgument,
                "level 2 is not active");
  expectRefused(move({std::int64_t{1} << 62, 0, 0}), absl::StatusCode::kOutOfRange, "frame");
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kAir);
  const Chunk::Ids lent(ids.data(), kBlocksPerChunk);
  ASSERT_TRUE(
      world_.loadChunk(0, {2, 0, 0}, Chunk::borrowed(lent, world_.blockTypes()).value()).ok());
  expectRefused(move({40, 0, 0}), kFailedPrecondition, "borrowed for writing");
  ASSERT_TRUE(world_.expandBlock(0, {20, 0, 0}).ok());
  expectRefused(move({20, 0, 0}), kFailedPrecondition, "is expanded");
  const std::uint64_t version = world_.version();
  // The moth is so near the frame's end that it cannot go farther.
  ASSERT_TRUE(entities_.move(moth_, {0x1p45 - 1, 0, 0}).ok());
  expectRefused(move({4, 4, 5}), absl::StatusCode::kOutOfRange, "entity 2 of 2: ");
  EXPECT_EQ(world_.version(), version);
}

TEST_F(BlockBindingsTest, ARemovedBlockRemovesItsEntities) {
  ASSERT_TRUE(bindings_.removeBlock(0, kTorch).ok());
  EXPECT_EQ(typeAt(kTorch), kAir);
  EXPECT_EQ(entities_.find(flame_), nullptr);
  EXPECT_EQ(entities_.find(moth_), nullptr);
  EXPECT_NE(entities_.find(lock_), nullptr);
  EXPECT_EQ(bindings_.size(), 1U);
  ASSERT_TRUE(bindings_.moveBlock(0, kChest, kTorch).ok()) << "nothing is bound there any more";
  EXPECT_EQ(bindings_.removeBlock(0, {40, 0, 0}).code(), kNotFound);
  EXPECT_EQ(bindings_.removeBlock(9, {4, 0, 0}).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(BlockBindingsTest, ARefusedRemovalRemovesNothing) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kStone);
  const Chunk::Ids lent(ids.data(), kBlocksPerChunk);
  ASSERT_TRUE(
      world_.loadChunk(0, {1, 0, 0}, Chunk::borrowed(lent, world_.blockTypes()).value()).ok());
  const EntityHandle entity = addAt({300, 3, 3});
  ASSERT_TRUE(bindings_.bind(entity, 0, {17, 0, 0}).ok());
  const std::uint64_t version = entities_.version();
  expectRefused(bindings_.removeBlock(0, {17, 0, 0}), kFailedPrecondition, "borrowed for writing");
  EXPECT_EQ(entities_.version(), version);
  EXPECT_THAT(bindings_.boundTo(0, {17, 0, 0}), ElementsAre(entity));
  EXPECT_NE(entities_.find(entity), nullptr);
  EXPECT_THAT(internal::inChunk(entities_, 1, {18, 0, 0}), ElementsAre(entity));
  // Unloading is possible.
  ASSERT_TRUE(bindings_.unloadChunk(0, {1, 0, 0}).ok());
  EXPECT_EQ(entities_.find(entity), nullptr);
}

TEST_F(BlockBindingsTest, AnUnloadedChunkRemovesTheEntitiesOfItsBlocks) {
  const EntityHandle other = addAt({300, 3, 3});
  ASSERT_TRUE(bindings_.bind(other, 0, {17, 0, 0}).ok());
  ASSERT_TRUE(bindings_.unloadChunk(0, {0, 0, 0}).ok());
  EXPECT_EQ(world_.chunk(0, {0, 0, 0}), nullptr);
  EXPECT_THAT(entities_.all(), ElementsAre(other));
  EXPECT_EQ(bindings_.size(), 1U);
  EXPECT_EQ(bindings_.unloadChunk(0, {0, 0, 0}).code(), kNotFound);
  EXPECT_EQ(bindings_.unloadChunk(5, {0, 0, 0}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(bindings_.boundTo(0, {17, 0, 0}), ElementsAre(other));
}

TEST_F(BlockBindingsTest, AChunkUnloadedDirectlyLosesItsEntitiesOnRequest) {
  const EntityHandle other = addAt({300, 3, 3});
  ASSERT_TRUE(bindings_.bind(other, 0, {17, 0, 0}).ok());
  EXPECT_EQ(bindings_.removeUnloaded(), 0U);
  ASSERT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_, moth_)) << "not reported yet";
  ASSERT_TRUE(world_.placeProtoChunk(0, {0, 0, 0}).ok());
  ASSERT_TRUE(entities_.remove(moth_).ok());
  EXPECT_EQ(bindings_.removeUnloaded(), 2U);
  EXPECT_THAT(entities_.all(), ElementsAre(other));
  EXPECT_EQ(bindings_.size(), 1U);
  EXPECT_EQ(bindings_.removeUnloaded(), 0U);
}

TEST_F(BlockBindingsTest, ABlockKeepsItsEntitiesWhateverItsType) {
  ASSERT_TRUE(world_.setBlock(0, kTorch, kGlass).ok());
  ASSERT_TRUE(world_.setBlock(0, kTorch, kAir).ok());
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {15, 15, 15}, kStone).ok());
  load(0, {0, 0, 0});
  ASSERT_TRUE(world_.expandBlock(0, kTorch).ok());
  EXPECT_EQ(bindings_.removeUnloaded(), 0U);
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_, moth_));
  // One is bound to a block of the chunk that it expands into, and unloaded with that chunk.
  ASSERT_TRUE(bindings_.bind(moth_, 1, {3 * 16, 4 * 16, 5 * 16}).ok());
  ASSERT_TRUE(bindings_.unloadChunk(1, {3, 4, 5}).ok());
  EXPECT_EQ(entities_.find(moth_), nullptr);
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(flame_));
  ASSERT_TRUE(bindings_.moveBlock(0, kTorch, {0, 0, 0}).ok());
}

TEST_F(BlockBindingsTest, AnEntityIsBoundToOneBlock) {
  ASSERT_TRUE(bindings_.bind(flame_, 0, kChest).ok());
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(moth_));
  EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(flame_, lock_));
  EXPECT_EQ(bindings_.size(), 3U);
  ASSERT_TRUE(bindings_.bind(flame_, 0, kChest).ok()) << "again";
  EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(flame_, lock_));
  ASSERT_TRUE(bindings_.unbind(flame_).ok());
  EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(lock_));
  EXPECT_EQ(bindings_.blockOf(flame_), std::nullopt);
  EXPECT_NE(entities_.find(flame_), nullptr);
}

TEST_F(BlockBindingsTest, InvalidBindingsAreRefused) {
  const auto bind = [&](int level, const BlockCoord& at) {
    return bindings_.bind(moth_, level, at);
  };
  expectRefused(bind(0, {40, 0, 0}), kNotFound, "chunk [2, 0, 0] of level 0 is not loaded");
  expectRefused(bind(2, {4, 0, 0}), absl::StatusCode::kInvalidArgument, "level 2 is not active");
  expectRefused(bind(0, {std::int64_t{1} << 62, 0, 0}), absl::StatusCode::kOutOfRange, "frame");
  expectRefused(bindings_.bind({12345, 1}, 0, kTorch), kNotFound, "12345/1 is stale");
  expectRefused(bindings_.unbind({12345, 1}), kNotFound, "12345/1 is stale");
  expectRefused(bindings_.unbind(addAt({0, 0, 0})), kNotFound, "is bound to no block");
}

TEST_F(BlockBindingsTest, AnEntityRemovedDirectlyIsBoundToNothing) {
  ASSERT_TRUE(entities_.remove(flame_).ok());
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(moth_));
  EXPECT_EQ(bindings_.blockOf(flame_), std::nullopt);
  EXPECT_EQ(bindings_.unbind(flame_).code(), kNotFound);
  const EntityHandle tenant = addAt({1, 1, 1});
  ASSERT_EQ(tenant.slot, flame_.slot);
  EXPECT_THAT(bindings_.boundTo(0, kTorch), ElementsAre(moth_)) << "even if its slot is reused";
  EXPECT_EQ(bindings_.blockOf(tenant), std::nullopt);
  EXPECT_EQ(bindings_.unbind(tenant).code(), kNotFound);
  const Vec3i at = positionOf(tenant);
  ASSERT_TRUE(bindings_.moveBlock(0, kTorch, {0, 0, 0}).ok());
  EXPECT_EQ(positionOf(tenant), at);
  EXPECT_EQ(bindings_.size(), 2U) << "the block that was moved has dropped it";
  ASSERT_TRUE(bindings_.bind(tenant, 0, kChest).ok());
  EXPECT_THAT(bindings_.boundTo(0, kChest), ElementsAre(tenant, lock_));
  ASSERT_TRUE(entities_.removeAll(std::vector{tenant, lock_, moth_}).ok());
  EXPECT_TRUE(bindings_.moveBlock(0, {0, 0, 0}, kChest).ok()) << "the dead hold no block";
  EXPECT_TRUE(bindings_.removeBlock(0, kChest).ok());
  EXPECT_TRUE(bindings_.unloadChunk(0, {0, 0, 0}).ok());
  EXPECT_EQ(bindings_.size(), 0U);
}

TEST_F(BlockBindingsTest, ThereAreNeverMoreBindingsThanSlots) {
  for (int i = 0; i < 1000; ++i) {
    const EntityHandle entity = addAt({1, 1, 1});
    ASSERT_TRUE(bindings_.bind(entity, 0, {i % 16, 0, 0}).ok());
    ASSERT_TRUE(entities_.remove(entity).ok());
  }
  EXPECT_LE(bindings_.size(), 4U);
  bindings_.clear();
  EXPECT_EQ(bindings_.size(), 0U);
  EXPECT_EQ(entities_.size(), 3U);
}

// A lift that a shot moves: the shot keeps the hits that it had, the next one finds everything
// moved.
TEST_F(BlockBindingsTest, AnEffectMayMoveABlock) {
  RayQueryService service(world_, entities_);
  int moves = 0;
  std::ignore = service.onBlockHit(kWater, [&](const BlockHit& hit) {
    ++moves;
    EXPECT_TRUE(bindings_.moveBlock(0, hit.block, hit.block + BlockCoord{0, 6, 0}).ok());
    return HitResponse::kContinue;
  });
  const Segment along{{40, 84, 88}, {100, 84, 88}};
  const auto ids = [&] {
    const ShotResult shot = service.shootSegment(along).value();
    std::vector<EntityId> hit_ids;
    for (const Hit& hit : shot.hits)
      hit_ids.push_back(hit.isEntity() ? hit.id : 0);
    return hit_ids;
  };
  ASSERT_TRUE(world_.setBlock(0, {3, 5, 5}, kWater).ok());
  ASSERT_TRUE(bindings_.bind(flame_, 0, {3, 5, 5}).ok());
  EXPECT_EQ(ids(), (std::vector<EntityId>{0, 1})) << "the water, then the flame in it";
  EXPECT_EQ(moves, 1);
  EXPECT_TRUE(ids().empty());
}

}  // namespace
}  // namespace fractalray
