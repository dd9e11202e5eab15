// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: what occludes by the options, and what their functions may do.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/random_scene.h"
#include "sight_fixture.h"

namespace fractalray::sight_test {
namespace {

TEST_F(SightTest, KindsAreThoseOfTheChannelAndPermeableBlocksDoNotOcclude) {
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, oracle::kGlass).ok());
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.channel = oracle::kVisible;
  EXPECT_EQ(sight(), Sight::kVisible);
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, oracle::kWater).ok());
  options_.filter.channel = kDefaultChannel;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, TheFilterDecidesWhichBlocksOcclude) {
  wall(4);
  options_.filter.blocks = false;
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.blocks = true;
  options_.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] != 1; };
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] < 16; };
  EXPECT_EQ(sight(), Sight::kHidden);
}

TEST_F(SightTest, BoxEntitiesOccludeOnRequestAndSpheresNever) {
  const auto add = [&](EntityId id, const Shape& shape) {
    EXPECT_TRUE(entities_.add({.id = id, .shape = shape, .position = {4.5, 1.5, 1.5}}).ok());
  };
  add(1, Box{{0.5, 4, 4}});
  add(2, Sphere{4});
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.boxes_block = true;
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.ignore = {1};
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.ignore = {};
  options_.filter.categories = 2;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, ThroughCountsABlockOnceHoweverManyBoxesItHas) {
  const std::array<ShapeBox, 2> slats = {ShapeBox{{0, 0, 0}, {1000, 65536, 65536}},
                                         ShapeBox{{30000, 0, 0}, {40000, 65536, 65536}}};
  const ShapeId shape = *world_.blockTypes().addShape(slats);
  const BlockTypeId type =
      *world_.blockTypes().add({.name = "slats", .kind = BlockKind::kSolid, .shape = shape});
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, type).ok());
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.through = 1;
  EXPECT_EQ(sight(), Sight::kVisible);
  wall(5);
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.through = 2;
  EXPECT_EQ(sight(), Sight::kVisible);
}

// However a shape is cut into boxes, an eye on the seam between them is in its interior.
TEST_F(SightTest, AnEyeOnASeamOfAShapeIsInsideOfIt) {
  const std::array<ShapeBox, 2> halves = {ShapeBox{{0, 0, 0}, {65536, 32768, 65536}},
                                          ShapeBox{{0, 32768, 0}, {65536, 65536, 65536}}};
  const ShapeId whole = *world_.blockTypes().addShape(halves);
  set({1, 1, 1}, *world_.blockTypes().add({.name = "whole", .shape = whole}));
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.skip_start_inside = true;
  EXPECT_EQ(sight(), Sight::kVisible);
  // An eye on the upper plane of a step, and on a seam that ends before the eye.
  const std::array<ShapeBox, 2> stairs = {ShapeBox{{0, 0, 0}, {65536, 32768, 65536}},
                                          ShapeBox{{32768, 32768, 0}, {65536, 65536, 65536}}};
  const ShapeId steps = *world_.blockTypes().addShape(stairs);
  set({1, 1, 1}, *world_.blockTypes().add({.name = "steps", .shape = steps}));
  EXPECT_EQ(sight(), Sight::kHidden);  // the upper box is right before the eye
  query_.eye[0] += 1;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, UnloadedSpaceIsReportedOrAirOrSolid) {
  query_.box = blockBox(20, 1, 1);
  EXPECT_EQ(sight(), Sight::kUnknown);
  EXPECT_EQ(exposure().from, 0);
  EXPECT_EQ(exposure().to, 1);
  options_.unloaded = UnloadedSpace::kTransparent;
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.unloaded = UnloadedSpace::kOpaque;
  options_.report_certificate = true;
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kHidden);
  EXPECT_FALSE(answer.certificate.empty());
  options_.unloaded = UnloadedSpace::kReport;
  wall(4);
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_EQ(world_.loadedChunks(0), 1U) << "a query has loaded a chunk";
}

TEST_F(SightTest, OccludersOfTheOptionsAreSolid) {
  const std::vector<FixedBox> door = {{.min = {3 * kW, 0, 0}, .max = {3 * kW + 1, 9 * kW, 9 * kW}}};
  options_.occluders = door;
  EXPECT_EQ(sight(), Sight::kHidden);
  const std::vector<FixedBox> flat = {{.min = {3 * kW, 0, 0}, .max = {3 * kW, 9 * kW, 9 * kW}}};
  options_.occluders = flat;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, AFilterMayAskAnotherQuery) {
  wall(4, 1, 1);
  wall(6);
  const SightQuery other{.eye = query_.eye, .box = blockBox(5, 1, 1)};
  int asked = 0;
  options_.filter.block_filter = [&](const BlockHit& hit) {
    ++asked;
    EXPECT_EQ(service_.visible(other)->sight, Sight::kVisible);
    EXPECT_GT(service_.exposure(other)->from, 0.5);
    return hit.block[0] == 4;
  };
  EXPECT_EQ(sight(), Sight::kVisible);
  EXPECT_GT(asked, 0);
  options_.filter.block_filter = [&](const BlockHit&) {
    return service_.visible(other)->sight == Sight::kVisible;
  };
  EXPECT_EQ(sight(), Sight::kHidden);
}

TEST_F(SightTest, ABlockFilterGetsNoGeometry) {
  wall(4);
  int calls = 0;
  options_.filter.block_filter = [&](const BlockHit& hit) {
    ++calls;
    EXPECT_EQ(hit.t, 0);
    EXPECT_EQ(hit.distance, 0);
    EXPECT_EQ(hit.point, Vec3d{});
    EXPECT_EQ(hit.type, oracle::kStone);
    EXPECT_TRUE(hit.terminal);
    return true;
  };
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_GT(calls, 0);
}

TEST_F(SightTest, AnExposureThatAFilterThrowsOutOfIsFrom0To1) {
  wall(4);
  query_.box = blockBox(20, 1, 1);  // in space that is not loaded
  int calls = 0;
  int throws_at = -1;
  options_.filter.block_filter = [&](const BlockHit& /*hit*/) {
    if (++calls == throws_at) throw calls;
    return true;
  };
  ASSERT_EQ(exposure().to, 0);
  for (throws_at = 1; throws_at <= calls; ++throws_at) {
    const int most = calls;
    calls = 0;
    ExposureAnswer share;
    EXPECT_THROW(service_.exposure(query_, levels_, options_, share).IgnoreError(), int);
    EXPECT_EQ(share.from, 0);
    EXPECT_EQ(share.to, 1) << "call " << throws_at;
    calls = most;
  }
}

// Without lines of sight (docs/cost.md) a limit is exact: what an exposure takes is enough for it.
TEST_F(SightTest, ALimitOfAsManyStepsAsAreTakenIsEnough) {
  wall(4, 1, 1);
  query_.box.max = {9 * kW, 9 * kW, 9 * kW};
  const ExposureAnswer whole = exposure();
  EXPECT_GT(whole.from, 0);
  EXPECT_LT(whole.to, 1);
  const std::uint64_t steps = whole.stats.steps();
  ASSERT_GT(steps, 10U);
  options_.max_steps = steps;
  const ExposureAnswer enough = exposure();
  EXPECT_EQ(enough.from, whole.from);
  EXPECT_EQ(enough.to, whole.to);
  EXPECT_EQ(enough.stats.steps(), steps);
  for (const std::uint64_t limit : {steps - 1, steps / 2, std::uint64_t{0}}) {
    options_.max_steps = limit;
    ExposureAnswer share;
    const absl::Status status = service_.exposure(query_, levels_, options_, share);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << limit;
    EXPECT_EQ(share.from, 0);
    EXPECT_EQ(share.to, 1);
  }
}

// Each cube is compared with some four zones for each one before it.
TEST_F(SightTest, LooksAtManyZonesAreSteps) {
  constexpr std::int64_t kAlong = 20;
  std::vector<FixedBox> cubes;
  for (std::int64_t y = 0; y < kAlong; ++y) {
    for (std::int64_t z = 0; z < kAlong; ++z) {
      const Vec3i low{50 * kW, (2 * y - kAlong) * kW, (2 * z - kAlong) * kW};
      cubes.push_back({.min = low, .max = low + Vec3i{kW / 2, kW / 2, kW / 2}});
    }
  }
  query_ = {.eye = {0, 0, 0},
            .box = {{100 * kW, -50 * kW, -50 * kW}, {101 * kW, 50 * kW, 50 * kW}}};
  options_.occluders = cubes;
  options_.unloaded = UnloadedSpace::kTransparent;
  EXPECT_GT(exposure().stats.steps(), cubes.size() * cubes.size() / 8);
  options_.max_steps = 10 * cubes.size();
  EXPECT_EQ(service_.exposure(query_, levels_, options_).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(SightTest, EntitiesThatMayOccludeAreSteps) {
  for (EntityId id = 0; id < 1000; ++id) {
    EXPECT_TRUE(
        entities_.add({.id = id, .shape = Box{{0.01, 0.01, 0.01}}, .position = {4.5, 1.1, 1.1}})
            .ok());
  }
  options_.boxes_block = true;
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kVisible);
  EXPECT_GE(answer.stats.steps(), 1000U);
  options_.max_steps = 500;
  EXPECT_EQ(error().code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace fractalray::sight_test
