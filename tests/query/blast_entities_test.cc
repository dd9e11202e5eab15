// SPDX-License-Identifier: Apache-2.0
// Checks the entities in reach of a blast: their order, their exposure, filters, threads.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/blast.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::blast_test {
namespace {

using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

// A world of one chunk, and blasts without rays.
class BlastEntitiesTest : public testing::Test {
 protected:
  BlastEntitiesTest()
      : world_({.block_types = oracle::sceneTypes()}),
        entities_(world_.frame()),
        service_(world_, entities_) {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  }
  void put(const BlockCoord& block, BlockTypeId type) {
    EXPECT_TRUE(world_.setBlock(0, block, type).ok());
  }
  void add(EntityId id, const Vec3d& position, const Vec3d& half) {
    const EntitySpec spec{.id = id, .shape = Box{half}, .position = position};
    EXPECT_TRUE(entities_.add(spec).ok()) << id;
  }
  Blast blast(double radius, const BlastOptions& options = {}) const {
    return *service_.blast({.center = kCenter, .radius = radius}, LevelMask::all(), options);
  }

  static constexpr Vec3d kCenter{0.5, 0.5, 0.5};

  World world_;
  EntityIndex entities_;
  RayQueryService service_;
};

// A wall, and entities in front of it, past it, in part past it, and out of reach.
class BlastWallTest : public BlastEntitiesTest {
 protected:
  BlastWallTest() {
    put({3, 0, 0}, kStone);
    put({3, 1, 0}, kWater);
    add(1, {5.5, 0.5, 0.5}, {0.25, 0.25, 0.25});
    add(2, {5.5, 1.5, 0.5}, {0.25, 1, 0.25});
    add(3, {0.5, 4, 0.5}, {0.5, 0.5, 0.5});
    add(4, {0.5, 0.5, 6}, {0, 0, 0});
    add(5, {4.5, 0.5, 0.5}, {0, 0, 0});
    add(6, {12, 12, 12}, {0.5, 0.5, 0.5});
  }
};

TEST_F(BlastWallTest, TheNearestEntitiesComeFirst) {
  std::vector<EntityId> ids;
  for (const ExposedEntity& one : blast(8).entities)
    ids.push_back(one.id);
  EXPECT_EQ(ids, (std::vector<EntityId>{3, 5, 1, 2, 4}));
  EXPECT_TRUE(blast(0).entities.empty());
}

TEST_F(BlastWallTest, TheExposureIsThatOfTheBoxAlone) {
  std::map<EntityId, ExposedEntity> found;
  for (const ExposedEntity& one : blast(8).entities)
    found[one.id] = one;
  for (const EntityId id : {1U, 2U, 3U}) {
    const Entity* const entity = entities_.find(found[id].entity);
    ASSERT_NE(entity, nullptr);
    const Vec3i half = entity->shape.half_extents;
    const ExposureAnswer alone = *service_.exposure(
        {.eye = *toUnits(kCenter),
         .box = {.min = entity->position - half, .max = entity->position + half}});
    EXPECT_EQ(found[id].from, alone.from) << id;
    EXPECT_EQ(found[id].to, alone.to) << id;
  }
  EXPECT_EQ(found[1].to, 0);
  EXPECT_GT(found[2].from, 0.3);
  EXPECT_LT(found[2].to, 0.7);
  EXPECT_EQ(found[3].from, 1);
  // Points.
  EXPECT_EQ(found[4].from, 1);
  EXPECT_EQ(found[5].to, 0);
}

// A plane has an area, which is exposed as it is; a line has none.
TEST_F(BlastEntitiesTest, ALineIsTakenAsTwoUnitsWideAndAPlaneIsNot) {
  put({3, 0, 0}, kStone);
  add(1, {5.5, 0.5, 0.5}, {0.25, 2, 0});
  add(2, {5.5, 0.5, 0.5}, {0, 2, 0.25});
  add(3, {5.5, 0.5, 0.5}, {0, 2, 0});
  const std::vector<ExposedEntity> found = blast(8).entities;
  ASSERT_EQ(found.size(), 3U);
  for (const ExposedEntity& one : found) {
    const Vec3i at = *toUnits(Vec3d{5.5, 0.5, 0.5});
    Vec3i half = entities_.find(one.entity)->shape.half_extents;
    if (one.id == 3) half = half + Vec3i{1, 0, 1};
    const ExposureAnswer alone =
        *service_.exposure({.eye = *toUnits(kCenter), .box = {.min = at - half, .max = at + half}});
    EXPECT_EQ(one.from, alone.from) << one.id;
    EXPECT_EQ(one.to, alone.to) << one.id;
    if (one.id == 1) {
      EXPECT_EQ(one.to, 0) << "its plane is the centre's";
      continue;
    }
    EXPECT_GT(one.from, 0.2) << one.id;
    EXPECT_LT(one.to, 0.7) << one.id;
  }
}

// The two units of a point at the end of the frame do not reach beyond it.
TEST_F(BlastEntitiesTest, AnEntityAtTheEndOfTheFrameIsExposed) {
  constexpr double kEnd = 0x1p45;
  add(1, {kEnd, -kEnd, 0.5}, {0, 0, 0});
  BlastOptions options;
  options.sight.unloaded = UnloadedSpace::kTransparent;
  const Blast found = *service_.blast({.center = {kEnd - 4, 4 - kEnd, 0.5}, .radius = 8},
                                      LevelMask::all(), options);
  ASSERT_EQ(found.entities.size(), 1U);
  EXPECT_EQ(found.entities[0].from, 1);
}

TEST_F(BlastWallTest, EntitiesAndOccludersHaveFiltersOfTheirOwn) {
  BlastOptions options;
  options.filter.ignore = 3;
  options.filter.blocks = false;
  EXPECT_EQ(blast(8, options).entities.size(), 4U);
  EXPECT_EQ(blast(8, options).entities[0].to, 0);
  options.sight.filter.blocks = false;
  for (const ExposedEntity& one : blast(8, options).entities)
    EXPECT_EQ(one.from, 1) << one.id;
  options.filter.entities = false;
  EXPECT_TRUE(blast(8, options).entities.empty());
}

TEST_F(BlastWallTest, TooFewStepsLeaveTheShareOpen) {
  BlastOptions options;
  options.sight.max_steps = 0;
  const Blast cut = blast(8, options);
  ASSERT_EQ(cut.entities.size(), 5U);
  EXPECT_EQ(cut.entities[1].from, 0);
  EXPECT_EQ(cut.entities[1].to, 1);
}

TEST_F(BlastWallTest, WrongOptionsOfSightAreErrors) {
  BlastOptions options;
  options.sight.filter.channel = ChannelId{9};
  const BlastQuery query{.center = kCenter, .radius = 8};
  EXPECT_EQ(service_.blast(query, LevelMask::all(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(BlastWallTest, ABlastNestedTooDeepIsAnError) {
  const Segment line{.from = {0.5, 0.5, 0.5}, .to = {6, 0.5, 0.5}};
  absl::Status innermost;
  int depth = 0;
  QueryOptions options;
  options.filter.block_filter = [&](const BlockHit& /*hit*/) {
    ++depth;
    if (service_.closestHit(line, LevelMask::all(), options).ok()) return true;
    if (innermost.ok())
      innermost = service_.blast({.center = kCenter, .radius = 8}, LevelMask::all()).status();
    return true;
  };
  ASSERT_TRUE(service_.closestHit(line, LevelMask::all(), options).ok());
  EXPECT_GE(depth, RayQueryService::kMaxNesting);
  EXPECT_EQ(innermost.code(), absl::StatusCode::kResourceExhausted) << innermost;
}

TEST_F(BlastEntitiesTest, AnInvalidRayWinsOverOneThatIsTooLong) {
  const std::vector<BlastRay> rays{{.step = {std::int64_t{1} << 62, 0, 0}, .power = 1},
                                   {.step = {0, 0, 0}, .power = 1}};
  const BlastQuery query{.center = kCenter, .radius = 8, .rays = rays};
  EXPECT_EQ(service_.blast(query, LevelMask::all()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(BlastEntitiesTest, OnThreadsTheOutcomeIsTheSame) {
  Rng rng("BlastEntitiesTest.Threads");
  for (int i = 0; i < 300; ++i)
    put({rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)}, kStone);
  for (EntityId id = 1; id <= 200; ++id) {
    const auto coordinate = [&] { return static_cast<double>(rng.in(0, 1600)) / 100; };
    const double x = coordinate();
    const double y = coordinate();
    add(id, {x, y, coordinate()}, {0.3, 0.9, 0.3});
  }
  const Blast serial = blast(16);
  EXPECT_GT(serial.entities.size(), 100U);
  ThreadExecutor threads(4);
  Blast parallel;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(
        service_.blast({.center = kCenter, .radius = 16}, LevelMask::all(), {}, parallel, threads)
            .ok());
    ASSERT_EQ(parallel.entities, serial.entities);
  }
}

}  // namespace
}  // namespace fractalray::blast_test
