// SPDX-License-Identifier: Apache-2.0
#include "golden_scene.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sized.h"

namespace fractalray::golden {
namespace {

using oracle::Rng;
using testing::sized;

}  // namespace

void require(frResult result) {
  ASSERT_EQ(result, FR_OK) << frGetLastError();
}

Scene::Scene(Rng& rng) : levels_(rng.pick({1, 2, 3, 5, 10})) {
  frWorldDef def = sized<frWorldDef>();
  def.version = FR_VERSION;
  def.levels = levels_;
  require(frCreateWorld(&def, &world_));
  const std::int64_t far = rng.oneIn(2) ? 0 : (std::int64_t{1} << 60);
  for (std::int64_t& coordinate : center_)
    coordinate = rng.pick({far, -far});
  frBlockTypeDef type = sized<frBlockTypeDef>();
  type.name = "water";
  type.kind = FR_PERMEABLE;
  require(frWorld_AddBlockType(world_, &type, &water_));
  type.name = "stone";
  type.kind = FR_SOLID;
  require(frWorld_AddBlockType(world_, &type, &stone_));
  for (int level = 0; level < levels_; ++level)
    loadSome(rng, level);
  for (std::uint64_t id = 1; id <= 20; ++id)
    addEntity(rng, id);
}

frLine Scene::segment(Rng& rng) const {
  const std::int64_t width = std::int64_t{1} << blockShift(rng.below(levels_));
  const std::int64_t lattice = rng.pick({width, width / 2, width / 16, std::int64_t{1}});
  const std::int64_t reach = 20 * (width / lattice);
  frLine line{};
  line.end_time = std::int64_t{1} << 60;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    line.from[axis] = center_[axis] + rng.in(-reach, reach) * lattice;
    line.to[axis] = center_[axis] + rng.in(-reach, reach) * lattice;
    if (rng.oneIn(8)) line.to[axis] = line.from[axis];
  }
  return line;
}

void Scene::loadSome(Rng& rng, int level) {
  for (int i = rng.below(8); i >= 0; --i) {
    frChunkDef chunk = sized<frChunkDef>();
    for (std::size_t axis = 0; axis < 3; ++axis)
      chunk.chunk[axis] = (center_[axis] >> (blockShift(level) + 4)) - rng.in(0, 1);
    require(frWorld_LoadChunks(world_, level, &chunk, 1));
    for (int block = rng.below(500); block > 0; --block) {
      const frBlockType type = rng.oneIn(3) ? stone_ : water_;
      const int index = rng.below(4096);
      const std::array<std::int64_t, 3> at = {chunk.chunk[0] * 16 + (index & 15),
                                              chunk.chunk[1] * 16 + ((index >> 4) & 15),
                                              chunk.chunk[2] * 16 + (index >> 8)};
      require(frWorld_SetBlock(world_, level, at.data(), type));
    }
  }
}

void Scene::addEntity(Rng& rng, std::uint64_t id) {
  const double width = std::ldexp(1.0, blockShift(rng.below(levels_)) - 16);
  const auto size = [&] { return width * static_cast<double>(rng.in(0, 32)) / 8; };
  frEntityDef def = sized<frEntityDef>();
  def.id = id;
  def.level = rng.below(levels_);
  def.half_extents[0] = size();
  if (rng.oneIn(2)) {
    def.shape = FR_BOX;
    for (double& extent : def.half_extents)
      extent = size();
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    def.position[axis] = static_cast<double>(center_[axis]) / 65536 +
                         width * static_cast<double>(rng.in(-64, 64)) / 4;
  }
  frEntity entity = 0;
  require(frWorld_AddEntities(world_, &def, 1, &entity));
}

}  // namespace fractalray::golden
