// SPDX-License-Identifier: Apache-2.0
// Single promises of Window; window_model_test.cc has the random comparison with a model,
// window_effects_test.cc moves in callbacks, window_exhausted_memory_test.cc memory that runs out.
#include "../../query/window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../entities/internal/entity_store.h"
#include "../../query/block_bindings.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kWater;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kOutOfRange = absl::StatusCode::kOutOfRange;
constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
constexpr std::int64_t kChunk = kUnitsPerBlock * 16;  // C(n - 1)

// Three levels below the anchor 7a3_221, with one chunk of water on each: on level 1 in the
// level-0 chunk [0, 0, 0], on level 2 in that of level 1.
class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    load(0, {0, 0, 0}, kWater);
    load(1, {4, 5, 6}, kWater);
    load(2, {70, 80, 96}, kStone);
  }

  void load(int level, const ChunkCoord& at, BlockTypeId type) {
    ASSERT_TRUE(world_.loadChunk(level, at, Chunk::uniform(type, world_.blockTypes())).ok());
  }
  EntityHandle add(EntityId id, int level, const Shape& shape, const Vec3d& position) {
    return entities_.add({.id = id, .level = level, .shape = shape, .position = position}).value();
  }
  bool isLoaded(int level, const ChunkCoord& at) const {
    return world_.chunk(level, at) != nullptr;
  }

  World world_{{.levels = 3, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("7a3_221").value()};
};

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

TEST_F(WindowTest, EntitiesComeAlongExactlyOnADescent) {
  const Vec3d at{4 * 256 + 1.0 / kUnitsPerBlock, 5 * 256, 6 * 256 + 255.5};
  const EntityHandle kept = add(1, 1, Sphere{2.5}, at);
  const EntityHandle coarse = add(2, 0, Sphere{2.5}, at);
  const absl::StatusOr<WindowMove> move = window_.descend({4, 5, 6});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_THAT(move->evicted, ElementsAre(2));
  EXPECT_EQ(entities_.find(coarse), nullptr);
  const Entity* const entity = entities_.find(kept);
  ASSERT_NE(entity, nullptr);
  EXPECT_EQ(entity->level, 0);
  EXPECT_EQ(entity->position, (Vec3i{16, 0, 255 * kChunk + kChunk / 2}));
  EXPECT_EQ(entity->shape.radius(), 40 * kUnitsPerBlock);
  EXPECT_EQ(entities_.findId(1), kept);
}

TEST_F(WindowTest, AClimbRoundsHalvesUpwards) {
  const auto blocks = [](std::int64_t units) { return blocksFromUnits(units); };
  const EntityHandle up =
      add(1, 0, Box{{blocks(8), blocks(7), blocks(24)}}, {blocks(8), blocks(-8), blocks(-9)});
  const EntityHandle point = add(2, 1, Sphere{blocks(7)}, {blocks(7), blocks(23), blocks(24)});
  ASSERT_TRUE(window_.climb().ok());
  const std::int64_t coarse = world_.frame().chunkWidth(1);
  const Vec3i corner = Vec3i{2, 2, 1} * coarse;
  EXPECT_EQ(entities_.find(up)->position, (corner + Vec3i{1, 0, -1}));
  EXPECT_EQ(entities_.find(up)->shape.half_extents, (Vec3i{1, 0, 2}));
  EXPECT_EQ(entities_.find(up)->level, 1);
  EXPECT_EQ(entities_.find(point)->position, (corner + Vec3i{0, 1, 2}));
  EXPECT_EQ(entities_.find(point)->shape.radius(), 0) << "it stays, as a point";
}

TEST_F(WindowTest, AClimbThatRoundsOverAFaceChangesTheChunks) {
  // On index level 0 of three, so that its level comes to another one whole; its sphere ends 7
  // units from chunk [0, 0, 0], which are rounded away.
  const std::int64_t chunk = world_.frame().chunkWidth(0);
  const std::int64_t radius = chunk / 2;
  const EntityHandle entity = add(1, 0, Sphere{blocksFromUnits(radius)},
                                  blocksFromUnits(Vec3i{chunk + radius + 7, chunk / 2, 8}));
  EXPECT_EQ(entities_.chunks(entity).front()[0], 1);
  ASSERT_TRUE(window_.climb().ok());
  const Entity& after = *entities_.find(entity);
  EXPECT_EQ(after.index_level, 1);
  EXPECT_EQ(entities_.chunks(entity).front(), (ChunkCoord{2, 2, 1}));
  for (const ChunkCoord& at : entities_.chunks(entity))
    EXPECT_THAT(entities_.inChunk(1, at), ElementsAre(entity));
}

// Returns the spheres on the pages of an entity, one for each of its chunks.
std::vector<std::pair<internal::PageSphere, internal::PageSphere>> spheresOf(
    const EntityIndex& index, EntityHandle handle) {
  const Entity& entity = *index.find(handle);
  const internal::EntityGrid& grid = index.store().grid(entity.grid_level);
  const int shift = index.frame().chunkShift(entity.grid_level);
  std::vector<std::pair<internal::PageSphere, internal::PageSphere>> spheres;
  for (const ChunkCoord& chunk : internal::overlappedChunks(entity.shape, entity.position, shift)) {
    const internal::PageList* const pages = grid.chunk(chunk);
    for (std::uint32_t i = 0; pages != nullptr && i < pages->count; ++i) {
      const internal::EntitySlot entry = grid.pool().entryOf(*pages, i);
      if (grid.pool().slot(entry) != handle.slot) continue;
      constexpr std::uint32_t kLanes = internal::EntityPage::kLanes;
      spheres.emplace_back(grid.pool().page(entry / kLanes).get(entry % kLanes),
                           internal::PageSphere{internal::pageCenter(entity.position, chunk, shift),
                                                internal::pageRadius(entity.shape, shift)});
    }
  }
  return spheres;
}

class WindowRoundingTest : public WindowTest {
 protected:
  // Adds entities of index level 0, whose chunks are 2^13 page units wide, a few units below a page
  // unit: a climb rounds all of them up to it.
  WindowRoundingTest() {
    const std::int64_t page_unit = world_.frame().chunkWidth(0) >> 13;
    oracle::Rng rng("WindowRoundingTest");
    for (EntityId id = 0; id < 1000; ++id) {
      Vec3i position;
      for (int axis = 0; axis < 3; ++axis)
        position[axis] = rng.in(-30'000, 30'000) * page_unit - rng.in(1, 8);
      handles_.push_back(add(id, 1, Sphere{400}, blocksFromUnits(position)));
    }
  }
  void expectSpheresOfPositions(const EntityIndex& index) const {
    for (const EntityHandle& entity : handles_) {
      const auto spheres = spheresOf(index, entity);
      EXPECT_EQ(spheres.size(), index.chunks(entity).size());
      for (const auto& [found, expected] : spheres) {
        EXPECT_EQ(found.center, expected.center);
        EXPECT_EQ(found.radius, expected.radius);
      }
    }
  }

  std::vector<EntityHandle> handles_;
};

TEST_F(WindowRoundingTest, AClimbKeepsTheGridAndWritesTheSpheresThatItRounds) {
  const internal::EntityPage* const page = &entities_.store().grid(0).pool().page(0);
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_EQ(&entities_.store().grid(1).pool().page(0), page) << "a new grid has new pages";
  expectSpheresOfPositions(entities_);
}

TEST_F(WindowRoundingTest, ASnapshotKeepsItsSpheres) {
  const auto snapshot = entities_.snapshot();
  ASSERT_TRUE(window_.climb().ok());
  expectSpheresOfPositions(entities_);
  expectSpheresOfPositions(*snapshot);
}

TEST_F(WindowTest, EditsAfterAMoveCopyNothingThatItLeftOver) {
  const EntityHandle entity = add(1, 1, Sphere{0.5}, {8, 8, 8});
  add(2, 1, Sphere{0.5}, {8, 8, 8});
  const auto walk = [&](double x) {  // into the next chunk, of the same region, and back
    const std::size_t before = oracle::allocationCount();
    EXPECT_TRUE(entities_.move(entity, {x + 24, 8, 8}).ok());
    EXPECT_TRUE(entities_.move(entity, {x + 8, 8, 8}).ok());
    return oracle::allocationCount() - before;
  };
  walk(0);
  ASSERT_EQ(walk(0), 0U) << "it is warm";
  const absl::StatusOr<WindowMove> move = window_.recenter({1, 0, 0});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_EQ(walk(-blocksFromUnits(world_.frame().chunkWidth(0))), 0U) << "while the rest is held";
}

TEST_F(WindowTest, ADescentLeavesSmallEntitiesInTheirChunksUntilTheyLeaveThese) {
  const EntityHandle stays = add(1, 1, Sphere{0.5}, {1030, 1290, 1540});
  const EntityHandle leaves = add(2, 1, Sphere{0.5}, {1030, 1290, 1540});
  add(3, 0, Sphere{0.5}, {1030, 1290, 1540});
  ASSERT_THAT(window_.descend({4, 5, 6})->evicted, ElementsAre(3));
  ASSERT_TRUE(entities_.move(stays, {6 * 16 + 20, 10 * 16, 4 * 16}).ok());
  ASSERT_TRUE(entities_.move(leaves, {300, 10 * 16, 4 * 16}).ok());
  EXPECT_EQ(entities_.find(stays)->index_level, 2);
  EXPECT_EQ(entities_.find(stays)->grid_level, 1);
  EXPECT_EQ(entities_.find(leaves)->index_level, 2);
  EXPECT_EQ(entities_.find(leaves)->grid_level, 2);
  EXPECT_EQ(entities_.indexLevels(LevelMask{0}), LevelMask{2});
  EXPECT_THAT(entities_.inChunk(1, {0, 0, 0}), IsEmpty()) << "its index level is 2";
  EXPECT_THAT(entities_.inChunk(2, {7, 10, 4}), ElementsAre(stays));
  EXPECT_THAT(entities_.inChunk(2, {6, 12, 4}), IsEmpty());
  EXPECT_EQ(entities_.emptyCubeLog2(2, {7, 10, 4}), std::nullopt);
  EXPECT_EQ(entities_.emptyCubeLog2(2, {6, 12, 4}), 0) << "of a chunk that is not empty";
  ASSERT_TRUE(entities_.update(stays, {.shape = Sphere{1}}).ok());
  EXPECT_EQ(entities_.find(stays)->grid_level, 2);
}

TEST_F(WindowTest, RefineMovesEntitiesIntoTheChunksOfTheirIndexLevel) {
  std::vector<EntityHandle> handles;
  for (EntityId id = 0; id < 10; ++id)
    handles.push_back(add(id, 1, Sphere{0.5}, {1030.0 + static_cast<double>(id), 1290, 1540}));
  EXPECT_TRUE(entities_.refine(0)) << "before a descent there is nothing to do";
  ASSERT_TRUE(window_.descend({4, 5, 6}).ok());
  const auto coarser = [&] {
    return std::count_if(handles.begin(), handles.end(), [&](EntityHandle entity) {
      return entities_.find(entity)->grid_level == 1;
    });
  };
  const std::uint64_t version = entities_.version();
  EXPECT_FALSE(entities_.refine(0));
  EXPECT_EQ(coarser(), 10);
  EXPECT_FALSE(entities_.refine(4));
  EXPECT_EQ(coarser(), 6);
  EXPECT_FALSE(entities_.refine(5));
  EXPECT_TRUE(entities_.refine(1));
  EXPECT_EQ(coarser(), 0);
  EXPECT_EQ(entities_.version(), version);
  for (const EntityHandle& entity : handles) {
    for (const ChunkCoord& chunk : entities_.chunks(entity))
      EXPECT_THAT(entities_.inChunk(2, chunk), testing::Contains(entity));
  }
}

TEST_F(WindowTest, WhatIsTooLargeOrTooFarIsEvicted) {
  // C(0) is 4096 finest-block widths, and C(1) 256.
  const EntityHandle large = add(9, 1, Sphere{256}, {5, 5, 5});
  const EntityHandle fits = add(3, 1, Sphere{256 - 1.0 / kUnitsPerBlock}, {5, 5, 5});
  const EntityHandle far = add(5, 2, Sphere{1}, {0x1p42, 0, 0});
  const absl::StatusOr<WindowMove> move = window_.descend({0, 0, 0});
  ASSERT_TRUE(move.ok()) << move.status();
  EXPECT_THAT(move->evicted, ElementsAre(5, 9));
  EXPECT_EQ(entities_.find(large), nullptr);
  EXPECT_EQ(entities_.find(far), nullptr);
  EXPECT_NE(entities_.find(fits), nullptr);
  const absl::StatusOr<EntityHandle> again = entities_.add({.id = 9, .level = 2});
  EXPECT_TRUE(again.ok()) << "an id that was evicted is free";
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
  EXPECT_THAT(entities->inChunk(2, {64, 80, 96}), ElementsAre(entity));
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
  EXPECT_EQ(entities_.inChunk(2, {0, 0, 0}).size(), 60U);
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
}  // namespace fractalray
