// SPDX-License-Identifier: Apache-2.0
// Checks that entities larger than their chunks, on corners, far away and in unloaded space are
// found exactly once, by both passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray::oracle {
namespace {

// An entity of a given kind and position, shot at from all sides.
class FoundOnceTest : public testing::Test {
 protected:
  void start(int levels) { scene_ = std::make_unique<RandomScene>(levels, Vec3i{}); }
  World& world() { return scene_->world; }
  void load(int level, const ChunkCoord& at) {
    ASSERT_TRUE(world().loadChunk(level, at, Chunk::uniform(kAir, world().blockTypes())).ok());
  }

  // Adds it, shoots through its middle from 26 sides, near and far, and removes it.
  void expectFoundOnce(const EntitySpec& spec, int index_level, std::size_t chunks) {
    const absl::StatusOr<EntityHandle> handle = scene_->entities.add(spec);
    ASSERT_TRUE(handle.ok()) << handle.status();
    const Entity entity = *scene_->entities.find(*handle);
    ASSERT_EQ(entity.index_level, index_level);
    ASSERT_EQ(scene_->entities.chunks(*handle).size(), chunks);
    const RayQueryService service(world(), scene_->entities);
    for (int side = 0; side < 27; ++side) {
      const Vec3i way{side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1};
      const std::int64_t most =
          std::min(mostSteps(entity.position, way), mostSteps(entity.position, way * -1));
      const std::int64_t radius = std::max<std::int64_t>(1, entity.shape.radius());
      for (const std::int64_t reach : {std::int64_t{0}, 2 * radius, 100 * radius, most}) {
        const Vec3i offset = way * std::min(reach, most);
        for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
          const ShotResult shot =
              service
                  .shootSegment(FixedSegment{entity.position - offset, entity.position + offset},
                                LevelMask{spec.level}, {.pass = pass})
                  .value();
          ASSERT_EQ(shot.hits.size(), 1U) << "side " << side << " from " << reach;
          ASSERT_EQ(shot.hits[0].id, spec.id);
        }
      }
    }
    ASSERT_TRUE(scene_->entities.remove(*handle).ok());
  }

  std::unique_ptr<RandomScene> scene_;
};

TEST_F(FoundOnceTest, AnEntityLargerThanAChunkOfItsOwnLevelIsFoundOnce) {
  start(4);  // chunks of 65,536, 4,096, 256 and 16 blocks
  const Vec3d origin{0, 0, 0};
  expectFoundOnce({.id = 1, .level = 3, .shape = Sphere{17}, .position = origin}, 2, 8);
  expectFoundOnce({.id = 2, .level = 3, .shape = Box{{3000, 20, 1}}, .position = origin}, 1, 8);
  expectFoundOnce({.id = 3, .level = 3, .shape = Sphere{65535}, .position = origin}, 0, 8);
  expectFoundOnce({.id = 4, .level = 2, .shape = Sphere{400}, .position = {2048, 2048, 2048}}, 1,
                  1);
}

TEST_F(FoundOnceTest, AnEntityFarSmallerThanAChunkOfItsOwnLevelIsFoundOnce) {
  start(4);
  expectFoundOnce({.id = 1, .level = 0, .shape = Sphere{0}, .position = {3, 3, 3}}, 3, 1);
  expectFoundOnce({.id = 2, .level = 0, .shape = Box{{1, 15, 2}}, .position = {8, 8, 8}}, 3, 3);
}

TEST_F(FoundOnceTest, AnEntityOnAChunkCornerIsFoundOnce) {
  for (const int levels : {1, 2, 5}) {
    start(levels);
    const Frame& frame = world().frame();
    for (int level = 0; level < levels; ++level) {
      const double width = toBlocks(frame.chunkWidth(level));
      for (const double corner : {0.0, 1.0, 3.0, 4.0, 16.0, -64.0}) {
        const Vec3d at{corner * width, -corner * width, width};
        expectFoundOnce({.id = 1, .shape = Sphere{width / 15}, .position = at}, level, 8);
        expectFoundOnce({.id = 2, .shape = Box{{width / 2, width / 9, 0}}, .position = at}, level,
                        8);
      }
    }
    expectFoundOnce({.id = 3, .shape = Sphere{0}, .position = {16, 16, 16}}, levels - 1, 8);
  }
}

TEST_F(FoundOnceTest, AnEntityFarFromTheOriginIsFoundOnce) {
  for (const int levels : {1, 4, 10}) {
    start(levels);
    const double end = 0x1p45 - 64;
    for (const Vec3d& at :
         {Vec3d{end, end, end}, Vec3d{-end, 5, end}, Vec3d{-end / 3, -end, -end / 7}}) {
      const Vec3d in_chunk{std::floor(at[0] / 16) * 16 + 8, std::floor(at[1] / 16) * 16 + 8,
                           std::floor(at[2] / 16) * 16 + 8};
      expectFoundOnce({.id = 1, .shape = Sphere{2}, .position = in_chunk}, levels - 1, 1);
      expectFoundOnce({.id = 2, .shape = Box{{8, 1, 1}}, .position = in_chunk}, levels - 1, 3);
    }
  }
}

TEST_F(FoundOnceTest, AnEntityAcrossLevel0ChunksIsFoundOnce) {
  for (const int levels : {1, 3, 10}) {
    start(levels);
    const double width = toBlocks(world().frame().chunkWidth(0));
    for (const double corner : {-1.0, 0.0, 2.0}) {
      const Vec3d at{corner * width, corner * width, corner * width};
      expectFoundOnce({.id = 1, .shape = Sphere{1}, .position = at}, levels - 1, 8);
      expectFoundOnce({.id = 2, .shape = Sphere{width - 1}, .position = at}, 0, 8);
      const Vec3d middle{at[0] + width / 2, at[1] + width / 2, at[2] + width / 2};
      expectFoundOnce(
          {.id = 3, .shape = Box{{width - 1, width - 1, width - 1}}, .position = middle}, 0, 27);
    }
  }
}

TEST_F(FoundOnceTest, AnEntityInUnloadedProtoOrEmptySpaceIsFoundOnce) {
  const EntitySpec small{.id = 1, .level = 1, .shape = Sphere{3}, .position = {2, 8, 8}};
  const EntitySpec large{.id = 2, .level = 0, .shape = Box{{30, 3, 3}}, .position = {0, 8, 8}};
  const auto expect_both = [&] {
    expectFoundOnce(small, 1, 2);
    expectFoundOnce(large, 0, 2);
  };
  start(2);
  expect_both();  // nothing is loaded
  for (const std::int64_t x : {-1, 0}) {
    ASSERT_TRUE(world().placeProtoChunk(1, {x, 0, 0}).ok());
    ASSERT_TRUE(world().placeProtoChunk(0, {x, 0, 0}).ok());
  }
  expect_both();
  start(2);
  load(1, {0, 0, 0});  // one of the two, without a block
  expect_both();
  load(1, {-1, 0, 0});
  load(0, {0, 0, 0});
  load(0, {-1, 0, 0});
  expect_both();
  load(1, {100, 100, 100});  // bounds that are elsewhere
  expect_both();
}

}  // namespace
}  // namespace fractalray::oracle
