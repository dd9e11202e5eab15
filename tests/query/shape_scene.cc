// SPDX-License-Identifier: Apache-2.0
#include "shape_scene.h"

#include <memory>
#include <string>
#include <vector>

#include "../../core/check.h"
#include "../oracle/random_shape.h"

namespace fractalray::oracle {
namespace {

constexpr std::int64_t kReach = 3;  // blocks on each side of the centre
constexpr int kTypes = 14;

// Returns types of random shapes, mostly permeable, and whole ones: a solid and a permeable one.
std::shared_ptr<BlockTypeTable> randomTypes(Rng& rng) {
  auto types = std::make_shared<BlockTypeTable>();
  FRACTALRAY_CHECK(types->addChannel("pick").value() == ShapeScene::kPick);
  const auto shape = [&] {
    return rng.oneIn(8) ? kWholeCube : types->addShape(randomBoxes(rng)).value();
  };
  const auto kind = [&] { return rng.oneIn(5) ? BlockKind::kSolid : BlockKind::kPermeable; };
  for (int i = 0; i < kTypes; ++i) {
    BlockTypeSpec spec{.name = "type " + std::to_string(i), .kind = kind(), .shape = shape()};
    if (rng.oneIn(3)) spec.channel_kinds = {{ShapeScene::kPick, kind()}};
    if (rng.oneIn(3)) spec.channel_shapes = {{ShapeScene::kPick, shape()}};
    FRACTALRAY_CHECK_OK(types->add(spec).status());
  }
  return types;
}

// Returns a corner of the coarsest chunks: the origin, or some 2^60 units out.
Vec3i randomCenter(Rng& rng, const Frame& frame) {
  Vec3i center{};
  if (rng.oneIn(2)) return center;
  const std::int64_t far = (std::int64_t{1} << 60) / frame.chunkWidth(0) - 2;
  for (int axis = 0; axis < 3; ++axis)
    center[axis] = rng.pick({far, -far, far / 3}) * frame.chunkWidth(0);
  return center;
}

void addEntity(Rng& rng, EntityIndex& entities, EntityId id, const Vec3i& center) {
  const Frame& frame = entities.frame();
  const int level = rng.below(frame.levels());
  const double width = toBlocks(frame.blockWidth(level));
  EntitySpec spec{.id = id, .level = level};
  const auto size = [&] { return width * static_cast<double>(rng.in(1, 8)) / 8; };
  spec.shape = Box{{size(), size(), size()}};
  if (rng.oneIn(2)) spec.shape = Sphere{size()};
  for (int axis = 0; axis < 3; ++axis)
    spec.position[axis] = toBlocks(center[axis]) + width * static_cast<double>(rng.in(-12, 12)) / 4;
  FRACTALRAY_CHECK_OK(entities.add(spec));
}

}  // namespace

ShapeScene::ShapeScene(Rng& rng, int levels)
    : world_({.levels = levels, .block_types = randomTypes(rng)}),
      entities_(world_.frame()),
      center_(randomCenter(rng, world_.frame())) {
  for (int level = 0; level < levels; ++level)
    fill(rng, level);
  for (int id = rng.below(4); id > 0; --id)
    addEntity(rng, entities_, static_cast<EntityId>(id), center_);
}

BlockTypeId ShapeScene::someType(Rng& rng) const {
  return BlockTypeId(static_cast<std::uint16_t>(1 + rng.below(kTypes)));
}

// Loads some of the chunks around the centre, and puts blocks there: many, few, or all of one type.
void ShapeScene::fill(Rng& rng, int level) {
  const ChunkCoord high = world_.frame().chunkAt(center_, level);
  const bool is_even = rng.oneIn(4);
  const BlockTypeId even = someType(rng);
  const int one_in = rng.pick({1, 1, 2, 4});
  for (int corner = 0; corner < 8; ++corner) {
    if (rng.oneIn(6)) continue;
    const ChunkCoord at{high[0] - (corner & 1), high[1] - (corner >> 1 & 1),
                        high[2] - (corner >> 2)};
    FRACTALRAY_CHECK_OK(world_.loadChunk(level, at, Chunk::uniform(kAir, world_.blockTypes())));
    for (int i = 0; i < kReach * kReach * kReach; ++i) {
      BlockCoord block{i % kReach, i / kReach % kReach, i / kReach / kReach};
      for (int axis = 0; axis < 3; ++axis)
        block[axis] += 16 * high[axis] - (at[axis] < high[axis] ? kReach : 0);
      if (!rng.oneIn(one_in)) continue;
      FRACTALRAY_CHECK_OK(world_.setBlock(level, block, is_even ? even : someType(rng)));
    }
  }
}

BlockCoord ShapeScene::someBlock(Rng& rng, int level) const {
  BlockCoord block = blockOf(world_.frame().chunkAt(center_, level), 0);
  for (int axis = 0; axis < 3; ++axis)
    block[axis] += rng.in(-kReach, kReach - 1);
  return block;
}

FixedSegment ShapeScene::segment(Rng& rng) const {
  const int level = rng.below(world_.frame().levels());
  const int shift = world_.frame().blockShift(level);
  const BlockTypeTable& types = world_.blockTypes();
  const auto shape_at = [&](const BlockCoord& block) {
    const BlockTypeId type = world_.block(level, block).value_or(kAir);
    ShapeAt shape{.boxes = types.boxes(types.shape(type, kDefaultChannel)), .shift = shift};
    for (int axis = 0; axis < 3; ++axis)
      shape.corner[axis] = block[axis] << shift;
    return shape;
  };
  FixedSegment line =
      randomLine(rng, shape_at(someBlock(rng, level)), shape_at(someBlock(rng, level)));
  if (rng.oneIn(40)) line.to = line.from;
  return line;
}

LevelMask ShapeScene::levels(Rng& rng) const {
  const int count = world_.frame().levels();
  if (rng.oneIn(2)) return world_.allLevels();
  LevelMask mask{rng.below(count)};
  for (int level = 0; level < count; ++level) {
    if (rng.oneIn(2)) mask.add(level);
  }
  return mask;
}

QueryOptions shapeOptions(Rng& rng) {
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.filter.channel = ShapeScene::kPick;
  options.filter.solid_only = rng.oneIn(6);
  options.filter.skip_start_inside = rng.oneIn(6);
  options.report_unknown = rng.oneIn(2);
  return options;
}

}  // namespace fractalray::oracle
