// SPDX-License-Identifier: Apache-2.0
// A window on a world with a chunk on each level, for the tests of its moves.
#pragma once

#include <gtest/gtest.h>

#include "../../query/window.h"
#include "../oracle/random_scene.h"

namespace fractalray {

// Three levels below the anchor 7a3_221, with one uniform chunk on each: on level 1 in the
// level-0 chunk [0, 0, 0], on level 2 in that of level 1.
class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    load(0, {0, 0, 0}, oracle::kWater);
    load(1, {4, 5, 6}, oracle::kWater);
    load(2, {70, 80, 96}, oracle::kStone);
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

}  // namespace fractalray
