// SPDX-License-Identifier: Apache-2.0
// An eye, a box and a chunk of air around them, for the named cases of sight.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/random_scene.h"

namespace fractalray::sight_test {

// A world of one level with one chunk of air, an eye in the middle of block (1, 1, 1), and the
// block (8, 1, 1) as the box.
class SightTest : public testing::Test {
 protected:
  static constexpr std::int64_t kW = kUnitsPerBlock;

  SightTest() { EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok()); }

  static FixedBox blockBox(std::int64_t x, std::int64_t y, std::int64_t z) {
    return {.min = {x * kW, y * kW, z * kW}, .max = {(x + 1) * kW, (y + 1) * kW, (z + 1) * kW}};
  }
  void set(const BlockCoord& at, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.setBlock(0, at, type).ok());
  }
  // Sets the blocks of a wall between eye and box that fills the chunk, but for a hole.
  void wall(std::int64_t x, std::int64_t hole_y = -1, std::int64_t hole_z = -1) {
    EXPECT_TRUE(world_.fillBox(0, {x, 0, 0}, {x, 15, 15}, oracle::kStone).ok());
    if (hole_y >= 0) set({x, hole_y, hole_z}, kAir);
  }
  SightAnswer ask() const {
    const absl::StatusOr<SightAnswer> answer = service_.visible(query_, levels_, options_);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : SightAnswer();
  }
  Sight sight() const { return ask().sight; }
  ExposureAnswer exposure() const {
    const absl::StatusOr<ExposureAnswer> answer = service_.exposure(query_, levels_, options_);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : ExposureAnswer();
  }
  absl::Status error() const { return service_.visible(query_, levels_, options_).status(); }

  World world_{{.block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  SightQuery query_{.eye = {kW * 3 / 2, kW * 3 / 2, kW * 3 / 2}, .box = blockBox(8, 1, 1)};
  LevelMask levels_ = LevelMask::all();
  SightOptions options_;
};

}  // namespace fractalray::sight_test
