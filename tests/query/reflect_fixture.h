// SPDX-License-Identifier: Apache-2.0
// A hall whose walls reflect lines.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"

namespace fractalray {

// One level. Chunk [0, 0, 0] is a hall: air from 1 to 15 on x and y between walls of stone, open
// towards z.
class ReflectTest : public testing::Test {
 protected:
  ReflectTest()
      : world_({.levels = 1, .block_types = oracle::sceneTypes()}),
        entities_(world_.frame()),
        service_(world_, entities_) {
    load({0, 0, 0});
    fill({0, 0, 0}, {0, 15, 15}, oracle::kStone);
    fill({15, 0, 0}, {15, 15, 15}, oracle::kStone);
    fill({0, 0, 0}, {15, 0, 15}, oracle::kStone);
    fill({0, 15, 0}, {15, 15, 15}, oracle::kStone);
  }

  void load(const ChunkCoord& at) {
    ASSERT_TRUE(world_.loadChunk(0, at, Chunk::uniform(kAir, world_.blockTypes())).ok());
  }
  void fill(const BlockCoord& min, const BlockCoord& max, BlockTypeId type) {
    ASSERT_TRUE(world_.fillBox(0, min, max, type).ok());
  }
  void put(const BlockCoord& block, BlockTypeId type) { fill(block, block, type); }
  EntityHandle add(EntityId id, const Vec3d& position, const Shape& shape) {
    return entities_.add({.id = id, .shape = shape, .position = position}).value();
  }

  // The line of a ray of whole numbers, so that its corners are exact.
  static FixedSegment ray(const Vec3d& origin, const Vec3d& direction, double distance = 100) {
    return toFixedSegment(Ray{.origin = origin, .direction = direction, .max_distance = distance})
        .value();
  }
  // The first hit; the test fails if there is none.
  Hit firstHit(const FixedSegment& line, const QueryOptions& options = {}) const {
    const ClosestHit closest = service_.closestHit(line, LevelMask::all(), options).value();
    EXPECT_TRUE(closest.hit.has_value()) << oracle::describe(line);
    return closest.hit.value_or(Hit());
  }
  // The line reflected at its first hit.
  FixedSegment bounced(const FixedSegment& line, const QueryOptions& options = {}) const {
    const absl::StatusOr<FixedSegment> image = service_.reflect(line, firstHit(line, options));
    EXPECT_TRUE(image.ok()) << image.status();
    return image.value_or(line);
  }
  ShotResult shoot(const FixedSegment& line, const QueryOptions& options = {}) const {
    ShotResult result = service_.shootSegment(line, LevelMask::all(), options).value();
    for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
      QueryOptions same = options;
      same.pass = pass;
      EXPECT_EQ(
          oracle::difference(service_.shootSegment(line, LevelMask::all(), same).value(), result),
          "");
    }
    return result;
  }
  std::string message(const FixedSegment& line, const Hit& hit) const {
    return service_.reflect(line, hit).status().ToString();
  }

  World world_;
  EntityIndex entities_;
  RayQueryService service_;
};

}  // namespace fractalray
