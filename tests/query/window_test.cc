// SPDX-License-Identifier: Apache-2.0
// Single promises of Window to chunks, paths, snapshots and shots; window_entities_test.cc has
// those to entities, window_model_test.cc the random comparison with a model,
// window_effects_test.cc moves in callbacks, window_exhausted_memory_test.cc memory that runs out.
#include "../../query/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../entities/internal/index_inspection.h"
#include "../../query/block_bindings.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "window_fixture.h"

namespace fractalray::window_test {
namespace {

using oracle::kStone;
using oracle::kWater;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kOutOfRange = absl::StatusCode::kOutOfRange;
constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

TEST_F(WindowTest, PathsAreThoseOfTheAnchorAndTheIndex) {
  EXPECT_EQ(window_.path(0, {0, 0, 0})->text(), "7a3_221");
  EXPECT_EQ(window_.path(0, {1, -1, 14})->text(), "7a3_31f");
  EXPECT_EQ(window_.path(0, {-3, 0, 0})->text(), "6a3_f21");
  EXPECT_EQ(window_.path(1, {4, 5, 6})->text(), "7a3_221_456");
  EXPECT_EQ(window_.path(2, {70, 80, 96})->text(), "7a3_221_456_600");
  EXPECT_EQ(window_.path(2, {-1, 0, 0})->text(), "7a3_121_f00_f00");
}

TEST_F(WindowTest, PathsEndAtTheRoot) {
  EXPECT_EQ(window_.path(0, {-0x72, -0xa2, -0x31})->text(), "000_000");
  EXPECT_EQ(window_.path(0, {0xff - 0x72, 0xff - 0xa2, 0xff - 0x31})->text(), "fff_fff");
  for (const ChunkCoord& outside : {ChunkCoord{-0x73, 0, 0}, ChunkCoord{0, 0x100 - 0xa2, 0}}) {
    const absl::Status status = window_.path(0, outside).status();
    EXPECT_EQ(status.code(), kOutOfRange);
    EXPECT_THAT(std::string(status.message()), HasSubstr("outside the root chunk"));
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(window_.path(2, {kMost, 0, 0}).status().code(), kOutOfRange);
  EXPECT_EQ(window_.path(2, {0, kLeast, 0}).status().code(), kOutOfRange);
  EXPECT_EQ(window_.path(3, {0, 0, 0}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(window_.path(-1, {0, 0, 0}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(WindowTest, ADescentRenumbersLevelsAndDropsTheCoarsest) {
  const absl::StatusOr<WindowMove> move = window_.descend({4, 5, 6});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(move->anchor.text(), "7a3_221_456");
  EXPECT_EQ(window_.anchor(), move->anchor);
  EXPECT_EQ(move->dropped_chunks, 1U);
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_TRUE(isLoaded(1, {6, 0, 0}));
  EXPECT_EQ(world_.loadedChunks(2), 0U);
  EXPECT_EQ(world_.block(0, {0, 0, 0}).value(), kWater);
  EXPECT_EQ(world_.block(1, {96, 0, 0}).value(), kStone);
  EXPECT_TRUE(world_.chunk(0, {0, 0, 0})->hasLoadedChild(indexInChunk({6, 0, 0})));
}

TEST_F(WindowTest, AClimbForgetsTheFinestLevel) {
  const absl::StatusOr<WindowMove> move = window_.climb();
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(move->anchor.text(), "7a3");
  EXPECT_EQ(move->dropped_chunks, 1U);
  EXPECT_TRUE(isLoaded(1, {2, 2, 1}));
  EXPECT_TRUE(isLoaded(2, {36, 37, 22}));
  EXPECT_EQ(world_.chunk(2, {36, 37, 22})->children(), nullptr) << "its child is gone";
  ASSERT_TRUE(window_.descend({2, 2, 1}).ok());
  EXPECT_TRUE(isLoaded(0, {0, 0, 0}));
  EXPECT_TRUE(isLoaded(1, {4, 5, 6}));
  EXPECT_FALSE(isLoaded(2, {70, 80, 96}));
  EXPECT_FALSE(world_.chunk(1, {4, 5, 6})->hasLoadedChild(indexInChunk({6, 0, 0})));
}

TEST_F(WindowTest, ARecentringMovesEachLevelBySoManyOfItsChunks) {
  const absl::StatusOr<WindowMove> move = window_.recenter({1, -1, 3});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(move->anchor.text(), "7a3_314");
  EXPECT_EQ(move->dropped_chunks, 0U);
  EXPECT_TRUE(isLoaded(0, {-1, 1, -3}));
  EXPECT_TRUE(isLoaded(1, {4 - 16, 5 + 16, 6 - 48}));
  EXPECT_TRUE(isLoaded(2, {70 - 256, 80 + 256, 96 - 768}));
}

TEST_F(WindowTest, AMoveOutOfTheFrameLeavesEverythingOut) {
  World world({.levels = 1});
  EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(0, {1, 2, 3}, Chunk()).ok());
  ASSERT_TRUE(world.placeProtoChunk(0, {1, 2, 4}).ok());
  ASSERT_TRUE(entities.add({.id = 4, .level = 0}).ok());
  std::string deep = "777";
  for (int i = 0; i < 40; ++i)
    deep += "_777";
  Window window(world, entities, ChunkPath::parse(deep).value());
  const absl::StatusOr<WindowMove> move =
      window.recenter({std::numeric_limits<std::int64_t>::min(), 0, 0});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(move->dropped_chunks, 2U);
  EXPECT_THAT(move->evicted, ElementsAre(4));
  EXPECT_EQ(window.anchor().steps().size(), 41U);
}

TEST_F(WindowTest, RefusedMovesChangeNothing) {
  add(1, 1, Sphere{1}, {5, 5, 5});
  const std::uint64_t world_version = world_.version();
  const std::uint64_t entities_version = entities_.version();
  EXPECT_EQ(window_.recenter({-0x73, 0, 0}).status().code(), kOutOfRange);
  EXPECT_EQ(window_.descend({16 * (0x100 - 0x72), 0, 0}).status().code(), kOutOfRange);
  EXPECT_EQ(world_.version(), world_version);
  EXPECT_EQ(entities_.version(), entities_version);
  EXPECT_EQ(window_.anchor().text(), "7a3_221");
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_EQ(window_.anchor(), ChunkPath());
  EXPECT_EQ(window_.climb().status().code(), kFailedPrecondition);
  EXPECT_EQ(window_.recenter({0, 0, 1}).status().code(), kOutOfRange);
  EXPECT_TRUE(window_.recenter({0, 0, 0}).ok()) << "the root is itself";
}

TEST_F(WindowTest, VersionsAdvanceAndSnapshotsStay) {
  const EntityHandle entity = add(1, 1, Sphere{1}, {1030, 1290, 1540});
  const std::shared_ptr<const World> world = world_.snapshot();
  const std::shared_ptr<const EntityIndex> entities = entities_.snapshot();
  ASSERT_TRUE(window_.descend({4, 5, 6}).ok());
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.recenter({1, 0, 0}).ok());
  EXPECT_EQ(world_.version(), world->version() + 3);
  EXPECT_EQ(entities_.version(), entities->version() + 3);
  EXPECT_NE(world->chunk(0, {0, 0, 0}), nullptr);
  EXPECT_NE(world->chunk(1, {4, 5, 6}), nullptr);
  EXPECT_TRUE(world->chunk(1, {4, 5, 6})->hasLoadedChild(indexInChunk({6, 0, 0})));
  EXPECT_EQ(entities->find(entity)->level, 1);
  EXPECT_THAT(internal::inChunk(*entities, 2, {64, 80, 96}), ElementsAre(entity));
}

TEST_F(WindowTest, ShotsHitTheSameThings) {
  add(7, 1, Sphere{3}, {1060, 1290, 1540});
  const RayQueryService service(world_, entities_);
  const Segment before{{1000, 1290, 1540}, {1400, 1290, 1540}};
  const absl::StatusOr<ShotResult> first = service.shootSegment(before, LevelMask{1, 2});
  ASSERT_TRUE(first.ok());
  ASSERT_FALSE(first->hits.empty());
  const absl::StatusOr<WindowMove> move = window_.descend({4, 5, 6});
  ASSERT_TRUE(move.ok());
  const FixedSegment line{.from = *move->frame_move.pointAfter(first->segment.from),
                          .to = *move->frame_move.pointAfter(first->segment.to)};
  const absl::StatusOr<ShotResult> second = service.shootSegment(line, LevelMask{0, 1});
  ASSERT_TRUE(second.ok());
  ASSERT_EQ(second->hits.size(), first->hits.size());
  for (std::size_t i = 0; i < first->hits.size(); ++i) {
    const Hit& a = first->hits[i];
    const Hit& b = second->hits[i];
    EXPECT_DOUBLE_EQ(a.t, b.t);
    EXPECT_DOUBLE_EQ(a.t_exit, b.t_exit);
    EXPECT_EQ(a.level, b.level + 1);
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.entity, b.entity);
    if (!a.isBlock()) continue;
    EXPECT_EQ(move->frame_move.blockAfter(a.level, a.block), b.block);
  }
}

TEST_F(WindowTest, BorrowedIdsStayTheEngines) {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  ids[5] = kWater;
  ASSERT_TRUE(
      world_.loadChunk(1, {7, 7, 7}, Chunk::borrowedForWriting(ids, world_.blockTypes()).value())
          .ok());
  ASSERT_TRUE(window_.descend({6, 6, 6}).ok());
  ASSERT_TRUE(world_.setBlock(0, blockOf({1, 1, 1}, 6), kStone).ok());
  EXPECT_EQ(ids[6], kStone);
  const std::shared_ptr<const World> snapshot = world_.snapshot();
  ids[5] = kStone;
  EXPECT_EQ(snapshot->block(0, blockOf({1, 1, 1}, 5)).value(), kWater)
      << "a snapshot copies what is borrowed, wherever it is now";
  ASSERT_TRUE(world_.refreshChunk(0, {1, 1, 1}).ok());
  EXPECT_EQ(world_.block(0, blockOf({1, 1, 1}, 5)).value(), kStone);
}

TEST_F(WindowTest, EditsContinueAfterMoves) {
  std::vector<EntityHandle> handles;
  for (EntityId id = 100; id < 160; ++id)
    handles.push_back(add(id, 2, Sphere{0.5}, {1024.0 + static_cast<double>(id), 1290, 1540}));
  ASSERT_TRUE(window_.recenter({1, 1, 1}).ok());
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_EQ(entities_.size(), 0U) << "their level is not active any more";
  handles.clear();
  for (EntityId id = 100; id < 160; ++id)
    handles.push_back(add(id, 1, Sphere{0.5}, {static_cast<double>(id), 5, 5}));
  ASSERT_TRUE(window_.descend({0, 0, 0}).ok());
  for (const EntityHandle& handle : handles)
    ASSERT_TRUE(entities_.move(handle, {8, 8, 8}).ok());
  EXPECT_EQ(internal::inChunk(entities_, 2, {0, 0, 0}).size(), 60U);
  ASSERT_TRUE(entities_.removeAll(handles).ok());
  ASSERT_TRUE(world_.loadChunk(2, {3, 3, 3}, Chunk()).ok());
  ASSERT_TRUE(world_.unloadChunk(2, {3, 3, 3}).ok());
}

TEST_F(WindowTest, NoChunksContentIsCopied) {
  // Ids of their own, 8 KiB each, on each level; on the coarsest that stays in regions of others.
  std::vector<BlockTypeId> ids(kBlocksPerChunk, kWater);
  for (std::size_t i = 0; i < ids.size(); i += 3)
    ids[i] = i % 2 == 0 ? kStone : kAir;
  constexpr std::int64_t kSide = 10;
  for (int level = 0; level < 3; ++level) {
    for (std::int64_t i = 0; i < kSide * kSide * kSide; ++i) {
      const ChunkCoord at{i % kSide, i / kSide % kSide, i / kSide / kSide};
      ASSERT_TRUE(
          world_.loadChunk(level, at, Chunk::copied(Chunk::Ids(ids), world_.blockTypes()).value())
              .ok());
    }
  }
  const std::size_t before = oracle::allocatedBytes();
  ASSERT_TRUE(window_.recenter({1, 2, 3}).ok());
  const std::size_t recentred = oracle::allocatedBytes();
  ASSERT_TRUE(window_.descend({-1, -2, -3}).ok());
  const std::size_t descended = oracle::allocatedBytes();
  // The ids of chunks are some 8 MiB a level; their entries, 56 bytes each, are in new regions.
  constexpr std::size_t kMost = std::size_t{1} << 20;
  EXPECT_LT(recentred - before, kMost);
  EXPECT_LT(descended - recentred, kMost);
}

TEST_F(WindowTest, BindingsFollow) {
  BlockBindings bindings(world_, entities_);
  const EntityHandle one = add(1, 1, Sphere{1}, {1030, 1290, 1540});
  const EntityHandle two = add(2, 1, Sphere{1}, {1030, 1290, 1540});
  const EntityHandle gone = add(3, 0, Sphere{1}, {1030, 1290, 1540});
  const BlockCoord at = blockOf({4, 5, 6}, 77);
  ASSERT_TRUE(bindings.bind(one, 1, at).ok());
  ASSERT_TRUE(bindings.bind(two, 0, {3, 3, 3}).ok());
  ASSERT_TRUE(bindings.bind(gone, 1, at).ok());
  const absl::StatusOr<WindowMove> move = window_.descend({4, 5, 6});
  ASSERT_TRUE(move.ok());
  EXPECT_THAT(bindings.follow(move->frame_move), ElementsAre(two)) << "its block was dropped";
  EXPECT_EQ(bindings.blockOf(one), (BlockOfLevel{0, blockOf({0, 0, 0}, 77)}));
  EXPECT_THAT(bindings.boundTo(0, blockOf({0, 0, 0}, 77)), ElementsAre(one));
  EXPECT_EQ(bindings.blockOf(two), std::nullopt);
  EXPECT_EQ(bindings.size(), 1U);
}

TEST(WindowOfAnyDepthTest, APathMayHaveAMillionSteps) {
  constexpr std::size_t kSteps = 1'000'000;
  std::string text = "800";
  while (text.size() < 4 * kSteps - 1)
    text += "_000";
  World world({.levels = 2});
  EntityIndex entities(world.frame());
  Window window(world, entities, ChunkPath::parse(text).value());
  EXPECT_EQ(window.recenter({0, -1, 0}).status().code(), kOutOfRange);
  EXPECT_EQ(window.anchor().text(), text);
  ASSERT_TRUE(window.recenter({-1, 0, 0}).ok());
  const std::string neighbor = window.path(0, {0, 0, 0})->text();
  EXPECT_EQ(neighbor.substr(0, 8), "700_f00_");
  EXPECT_EQ(neighbor.substr(neighbor.size() - 3), "f00");
  ASSERT_TRUE(window.descend({16, 3, 0}).ok());
  EXPECT_EQ(window.anchor().text(), text + "_030");
  ASSERT_TRUE(window.climb().ok());
  EXPECT_EQ(window.anchor().steps().size(), kSteps);
}

TEST(WindowOfAnyDepthTest, PathsCostNothingButTheirSteps) {
  World world({.levels = 2});
  EntityIndex entities(world.frame());
  ASSERT_TRUE(world.loadChunk(1, {3, 3, 3}, Chunk()).ok());
  Window window(world, entities);
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(window.descend({15, 0, 7}).ok());
  EXPECT_EQ(window.anchor().steps().size(), 500U);
  EXPECT_EQ(window.path(0, {0, 0, 0})->text().substr(0, 7), "f07_f07");
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(window.climb().ok());
  EXPECT_EQ(window.anchor().text(), "");
}

}  // namespace
}  // namespace fractalray::window_test
