// SPDX-License-Identifier: Apache-2.0
// An eye in a chunk of air, for the named cases of visible blocks.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "../../query/ray_query_service.h"
#include "../../query/visible_blocks.h"
#include "../oracle/random_scene.h"

namespace fractalray::visible_blocks_test {

// A world of two levels; most tests use its one chunk of level 1, with the eye in the middle of
// block (2, 8, 8), and look for glass.
class VisibleBlocksTest : public testing::Test {
 protected:
  static constexpr std::array<BlockTypeId, 1> kOres = {oracle::kGlass};

  VisibleBlocksTest() {
    EXPECT_TRUE(world_.loadChunk(1, {0, 0, 0}, Chunk()).ok());
    options_.types = kOres;
    options_.sight.unloaded = UnloadedSpace::kTransparent;
  }

  void set(const BlockCoord& at, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.setBlock(1, at, type).ok());
  }
  void fill(const BlockCoord& low, const BlockCoord& high, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.fillBox(1, low, high, type).ok());
  }
  // Sets an ore with stone on all sides, edges and corners.
  void bury(const BlockCoord& ore) {
    fill({ore[0] - 1, ore[1] - 1, ore[2] - 1}, {ore[0] + 1, ore[1] + 1, ore[2] + 1});
    set(ore, oracle::kGlass);
  }
  VisibleBlocks find() const {
    const auto found = service_.visibleBlocks(eye_, radius_, levels_, options_);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : VisibleBlocks();
  }
  absl::Status error() const {
    return service_.visibleBlocks(eye_, radius_, levels_, options_).status();
  }

  World world_{{.levels = 2, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  Vec3d eye_{2.5, 8.5, 8.5};
  double radius_ = 20;
  LevelMask levels_ = LevelMask{1};
  VisibleBlocksOptions options_;
};

}  // namespace fractalray::visible_blocks_test
