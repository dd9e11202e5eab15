// SPDX-License-Identifier: Apache-2.0
// Promises of Window to entities: what a move rounds, evicts and leaves in coarser chunks, and that
// edits after it copy nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../core/units.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/index_inspection.h"
#include "../../query/hit_cursor.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"
#include "window_fixture.h"

namespace fractalray {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kChunk = kUnitsPerBlock * 16;  // C(n - 1)

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
  const auto blocks = [](std::int64_t units) { return toBlocks(units); };
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
  const EntityHandle entity =
      add(1, 0, Sphere{toBlocks(radius)}, toBlocks(Vec3i{chunk + radius + 7, chunk / 2, 8}));
  EXPECT_EQ(entities_.chunks(entity).front()[0], 1);
  ASSERT_TRUE(window_.climb().ok());
  const Entity& after = *entities_.find(entity);
  EXPECT_EQ(after.index_level, 1);
  EXPECT_EQ(entities_.chunks(entity).front(), (ChunkCoord{2, 2, 1}));
  for (const ChunkCoord& at : entities_.chunks(entity))
    EXPECT_THAT(internal::inChunk(entities_, 1, at), ElementsAre(entity));
}

// Returns the spheres on the pages of an entity, one for each of its chunks.
std::vector<std::pair<internal::PageSphere, internal::PageSphere>> spheresOf(
    const EntityIndex& index, EntityHandle handle) {
  const Entity& entity = *index.find(handle);
  const internal::EntityGrid& grid = internal::Access::store(index).grid(entity.grid_level);
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
      handles_.push_back(add(id, 1, Sphere{400}, toBlocks(position)));
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
  const internal::EntityPage* const page =
      &internal::Access::store(entities_).grid(0).pool().page(0);
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_EQ(&internal::Access::store(entities_).grid(1).pool().page(0), page)
      << "a new grid has new pages";
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
  EXPECT_EQ(walk(-toBlocks(world_.frame().chunkWidth(0))), 0U) << "while the rest is held";
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
  EXPECT_EQ(internal::indexLevels(entities_, LevelMask{0}), LevelMask{2});
  EXPECT_THAT(internal::inChunk(entities_, 1, {0, 0, 0}), IsEmpty()) << "its index level is 2";
  EXPECT_THAT(internal::inChunk(entities_, 2, {7, 10, 4}), ElementsAre(stays));
  EXPECT_THAT(internal::inChunk(entities_, 2, {6, 12, 4}), IsEmpty());
  EXPECT_EQ(internal::emptyCubeLog2(entities_, 2, {7, 10, 4}), std::nullopt);
  EXPECT_EQ(internal::emptyCubeLog2(entities_, 2, {6, 12, 4}), 0) << "of a chunk that is not empty";
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
      EXPECT_THAT(internal::inChunk(entities_, 2, chunk), testing::Contains(entity));
  }
}

TEST_F(WindowTest, RefineEndsAfterALookAtManyThatNeedNoMove) {
  std::vector<EntityHandle> handles;
  for (EntityId id = 0; id < 200; ++id)
    handles.push_back(add(id, 1, Sphere{0.5}, {1030, 1290, 1540}));
  const EntityHandle last = add(200, 1, Sphere{0.5}, {1030, 1290, 1540});
  ASSERT_TRUE(window_.descend({4, 5, 6}).ok());
  for (const EntityHandle& entity : handles)
    ASSERT_TRUE(entities_.update(entity, {.shape = Sphere{1}}).ok());
  EXPECT_FALSE(entities_.refine(1));
  EXPECT_EQ(entities_.find(last)->grid_level, 1);
  EXPECT_TRUE(entities_.refine(1));
  EXPECT_EQ(entities_.find(last)->grid_level, 2);
}

TEST_F(WindowTest, ACursorFindsTheEntitiesThatRefineHasMoved) {
  constexpr EntityId kEntities = 40;
  for (EntityId id = 0; id < kEntities; ++id)
    add(id, 1, Sphere{0.25}, {1030.0 + static_cast<double>(id), 1290, 1540});
  ASSERT_TRUE(window_.descend({4, 5, 6}).ok());
  const RayQueryService service(world_, entities_);
  const Segment line{{0, 160, 64}, {1000, 160, 64}};
  HitCursor hits = service.hitsAlong(line, LevelMask::all(), {.filter = {.blocks = false}}).value();
  for (EntityId id = 0; id < kEntities; ++id) {
    const Hit* const hit = hits.next().value();
    ASSERT_NE(hit, nullptr) << id;
    EXPECT_EQ(hit->id, id);
    if (id == 1) std::ignore = entities_.refine(1000);
  }
  EXPECT_EQ(hits.next().value(), nullptr);
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

}  // namespace
}  // namespace fractalray
