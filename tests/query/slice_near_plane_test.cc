// SPDX-License-Identifier: Apache-2.0
// Shots along an axis right next to the plane between two regions of index chunks. The path mask
// has some parts on the other side too, which the line never enters: a pass over entities must not
// take one of them for the end of its slice.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray::slice_near_plane_test {
namespace {

using oracle::kWater;

constexpr double kUnit = 1.0 / kUnitsPerBlock;

struct Axes {
  int along;  // of the line
  int plane;  // of the normal of the plane
};

class SliceNearPlaneTest : public testing::TestWithParam<Axes> {
 protected:
  // Returns a point at that distance along the line, and that far from the plane at 64.
  static Vec3d at(double along, double from_plane) {
    Vec3d point{8.5, 8.5, 8.5};
    point[GetParam().along] = along;
    point[GetParam().plane] = 64 + from_plane;
    return point;
  }
  // Adds a box that is 8 blocks wide across the plane.
  void addEntity(EntityId id, const Vec3d& position) {
    Box box{{0.25, 0.25, 0.25}};
    box.half_extents[GetParam().plane] = 4;
    EXPECT_TRUE(entities_.add({.id = id, .shape = box, .position = position}).ok());
  }
  void putWater(double along, double from_plane) {
    const Vec3d point = at(along, from_plane);
    BlockCoord block;
    for (int axis = 0; axis < 3; ++axis)
      block[axis] = static_cast<std::int64_t>(std::floor(point[axis]));
    if (world_.chunk(0, chunkOf(block)) == nullptr) {
      EXPECT_TRUE(
          world_.loadChunk(0, chunkOf(block), Chunk::uniform(kAir, world_.blockTypes())).ok());
    }
    EXPECT_TRUE(world_.setBlock(0, block, kWater).ok());
  }
  std::vector<std::int64_t> shoot(const Segment& line, SearchPass pass) {
    QueryOptions options{.pass = pass};
    options.on_hit = [](const Hit&) { return HitResponse::kContinue; };
    std::vector<std::int64_t> hits;
    const ShotResult result = service_.shootSegment(line, LevelMask::all(), options).value();
    for (const Hit& hit : result.hits) {
      hits.push_back(hit.isBlock() ? hit.block[GetParam().along]
                                   : -static_cast<std::int64_t>(hit.id));
    }
    return hits;
  }

  World world_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
};

TEST_P(SliceNearPlaneTest, EntitiesBeforeThePauseAreHit) {
  for (const double side : {1.0, -1.0}) {
    addEntity(side > 0 ? 1 : 2, at(100.5, side * 4.005));
    addEntity(side > 0 ? 3 : 4, at(140.5, side * 9));
  }
  for (double x = 120; x < 128; ++x) {
    putWater(x, 0.5);
    putWater(x, -0.5);
  }
  for (const double from_plane :
       {0.0, kUnit, -kUnit, 0.006, -0.006, 0.0055, -0.0055, 0.012, -0.012}) {
    for (const double end : {300.5, 5000.5, 1e6, 1e12}) {
      const Segment line{at(0.5, from_plane), at(end, from_plane)};
      const Segment back{line.to, line.from};
      for (const Segment& each : {line, back}) {
        EXPECT_EQ(shoot(each, SearchPass::kFast), shoot(each, SearchPass::kPlain))
            << from_plane << " from the plane, to " << end;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, SliceNearPlaneTest,
                         testing::Values(Axes{0, 1}, Axes{0, 2}, Axes{1, 0}, Axes{1, 2}, Axes{2, 0},
                                         Axes{2, 1}),
                         [](const testing::TestParamInfo<Axes>& axes) {
                           return std::string(1, "XYZ"[axes.param.along]) + "NextTo" +
                                  "XYZ"[axes.param.plane];
                         });

}  // namespace
}  // namespace fractalray::slice_near_plane_test
