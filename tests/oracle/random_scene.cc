// SPDX-License-Identifier: Apache-2.0
#include "random_scene.h"

#include <algorithm>
#include <cstdlib>

#include "../../core/check.h"
#include "exact.h"
#include "walk_oracle.h"

namespace fractalray::oracle {
namespace {

BlockTypeId randomType(Rng& rng) {
  return rng.pick({kWater, kWater, kReeds, kReeds, kMist, kWater, kReeds, kGlass, kStone, kAir,
                   kSlab, kSlab, kStairs, kStairs, kGrate});
}

void fillChunk(Rng& rng, World& world, int level, const ChunkCoord& at, int density) {
  const BlockTypeTable& types = world.blockTypes();
  const BlockTypeId fill = rng.oneIn(12) ? randomType(rng) : kAir;
  FRACTALRAY_CHECK_OK(world.loadChunk(level, at, Chunk::uniform(fill, types)));
  if (rng.oneIn(3)) {  // a box, often a wall
    const Vec3i a{rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
    const Vec3i b{rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
    BlockCoord low = blockOf(at, 0);
    BlockCoord high = low;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] += std::min(a[axis], b[axis]);
      high[axis] += std::max(a[axis], b[axis]);
    }
    const int flat = rng.below(4);
    if (flat < 3) high[flat] = low[flat];
    FRACTALRAY_CHECK_OK(world.fillBox(level, low, high, randomType(rng)));
  }
  for (int i = rng.below(2 * density + 1); i > 0; --i) {
    const BlockCoord block = blockOf(at, rng.below(kBlocksPerChunk));
    FRACTALRAY_CHECK_OK(world.setBlock(level, block, randomType(rng)));
  }
}

// Returns a chunk of a level at the centre, which is a corner of chunks on every level, or near it.
ChunkCoord chunkNear(Rng& rng, const RandomScene& scene, int level) {
  ChunkCoord at = scene.world.frame().chunkAt(scene.center, level);
  const bool touches = !rng.oneIn(4);
  for (int axis = 0; axis < 3; ++axis)
    at[axis] += touches ? rng.in(-1, 0) : rng.in(-2, 1);
  return at;
}

void addEntity(Rng& rng, RandomScene& scene, EntityId id) {
  const Frame& frame = scene.world.frame();
  const int scale = rng.below(frame.levels());
  const double width = toBlocks(frame.blockWidth(scale));
  EntitySpec spec;
  spec.id = id;
  spec.level = rng.below(frame.levels());
  spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(3)));
  spec.categories = rng.oneIn(4) ? std::uint64_t{1} << rng.below(64) : 1;
  const auto size = [&] { return width * static_cast<double>(rng.in(0, 24)) / 8; };
  if (rng.oneIn(2)) {
    spec.shape = Sphere{rng.oneIn(8) ? width * 15.5 : size()};
  } else {
    spec.shape = Box{{size(), size(), size()}};
  }
  for (int axis = 0; axis < 3; ++axis) {
    spec.position[axis] =
        toBlocks(scene.center[axis]) + width * static_cast<double>(rng.in(-80, 80)) / 4;
    if (rng.oneIn(3)) spec.position[axis] += static_cast<double>(rng.in(0, 65535)) / 65536;
  }
  FRACTALRAY_CHECK_OK(scene.entities.add(spec));
}

}  // namespace

RandomScene::RandomScene(int levels, const Vec3i& at)
    : world({.levels = levels, .block_types = sceneTypes()}), entities(world.frame()), center(at) {}

std::shared_ptr<BlockTypeTable> sceneTypes() {
  auto types = std::make_shared<BlockTypeTable>();
  const ChannelId visible = types->addChannel("visible").value();
  using Kinds = std::vector<std::pair<ChannelId, BlockKind>>;
  const auto add = [&](const char* name, BlockKind kind, Kinds kinds) {
    return types->add({.name = name, .kind = kind, .channel_kinds = std::move(kinds)}).value();
  };
  FRACTALRAY_CHECK(add("water", BlockKind::kPermeable, {}) == kWater);
  FRACTALRAY_CHECK(add("reeds", BlockKind::kPermeable, {}) == kReeds);
  FRACTALRAY_CHECK(add("glass", BlockKind::kSolid, {{visible, BlockKind::kEmpty}}) == kGlass);
  FRACTALRAY_CHECK(add("stone", BlockKind::kSolid, {}) == kStone);
  FRACTALRAY_CHECK(add("mist", BlockKind::kEmpty, {{visible, BlockKind::kPermeable}}) == kMist);
  const auto add_shaped = [&](const char* name, BlockKind kind, std::vector<ShapeBox> boxes) {
    const ShapeId shape = types->addShape(boxes).value();
    return BlockTypeSpec{.name = name, .kind = kind, .shape = shape};
  };
  // Their planes are those of randomSegment(): quarters, halves and whole blocks.
  const BlockTypeSpec slab =
      add_shaped("slab", BlockKind::kPermeable, {{.min = {0, 0, 0}, .max = {65536, 32768, 65536}}});
  BlockTypeSpec stairs = add_shaped("stairs", BlockKind::kPermeable,
                                    {{.min = {0, 0, 0}, .max = {65536, 32768, 65536}},
                                     {.min = {0, 32768, 32768}, .max = {65536, 65536, 65536}}});
  stairs.channel_shapes = {{visible, kWholeCube}};
  const BlockTypeSpec grate = add_shaped("grate", BlockKind::kSolid,
                                         {{.min = {16384, 0, 0}, .max = {32768, 65536, 65536}},
                                          {.min = {49152, 0, 16384}, .max = {65536, 65536, 32768}},
                                          {.min = {0, 49152, 0}, .max = {16384, 65536, 16384}}});
  FRACTALRAY_CHECK(types->add(slab).value() == kSlab);
  FRACTALRAY_CHECK(types->add(stairs).value() == kStairs);
  FRACTALRAY_CHECK(types->add(grate).value() == kGrate);
  return types;
}

std::unique_ptr<RandomScene> randomScene(Rng& rng, int levels, int entities, int block_density) {
  const Frame frame(levels);
  Vec3i center{};
  const int where = rng.below(3);
  for (int axis = 0; axis < 3; ++axis) {
    if (where == 1) center[axis] = rng.in(-3, 3) * frame.chunkWidth(0);
    if (where == 2) {  // some 2^60 units out
      const std::int64_t chunks = (std::int64_t{1} << 60) / frame.chunkWidth(0) - 2;
      center[axis] = rng.pick({chunks, -chunks, chunks / 3}) * frame.chunkWidth(0);
    }
  }
  auto scene = std::make_unique<RandomScene>(levels, center);
  for (int level = 0; level < levels; ++level) {
    for (std::int64_t i = rng.oneIn(8) ? 0 : rng.in(1, 9); i > 0; --i) {
      const ChunkCoord at = chunkNear(rng, *scene, level);
      if (!frame.contains(level, at)) continue;
      if (scene->world.chunk(level, at) != nullptr) continue;
      if (rng.oneIn(8)) {
        FRACTALRAY_CHECK_OK(scene->world.placeProtoChunk(level, at));
      } else {
        fillChunk(rng, scene->world, level, at, block_density);
      }
    }
  }
  for (int id = rng.below(entities + 1); id > 0; --id) {
    addEntity(rng, *scene, static_cast<EntityId>(id));
  }
  return scene;
}

std::int64_t mostSteps(const Vec3i& from, const Vec3i& step) {
  std::int64_t most = std::int64_t{1} << 61;
  for (int axis = 0; axis < 3; ++axis) {
    if (step[axis] == 0) continue;
    const std::int64_t distance =
        step[axis] > 0 ? kMaxCoordinate - from[axis] : kMaxCoordinate + from[axis];
    most = std::min(most, distance / std::abs(step[axis]));
  }
  return most;
}

FixedSegment randomSegment(Rng& rng, const RandomScene& scene) {
  const Frame& frame = scene.world.frame();
  int level = rng.below(frame.levels());
  while (level > 0 && scene.world.loadedChunks(level) == 0 && !rng.oneIn(4))
    --level;
  const std::int64_t width = frame.blockWidth(level);
  const std::int64_t reach = rng.pick<std::int64_t>({4, 10, 20, 40});
  const std::int64_t lattice = rng.pick({width, width, width / 2, width / 4, std::int64_t{1}});
  const auto coordinate = [&](int axis) {
    const std::int64_t offset = rng.in(-reach * (width / lattice), reach * (width / lattice));
    std::int64_t at = scene.center[axis] + offset * lattice;
    if (rng.oneIn(16)) at += rng.pick<std::int64_t>({-1, 1});
    return std::clamp(at, -kMaxCoordinate, kMaxCoordinate);
  };
  FixedSegment segment;
  for (int axis = 0; axis < 3; ++axis) {
    segment.from[axis] = coordinate(axis);
    segment.to[axis] = coordinate(axis);
    if (rng.oneIn(6)) segment.to[axis] = segment.from[axis];
  }
  const int kind = rng.below(12);
  if (kind == 0) segment.to = segment.from;
  if (kind == 1 || kind == 2) {  // diagonal: in kind 1 through every corner on its path
    const std::int64_t length = segment.to[0] - segment.from[0];
    for (int axis = 0; axis < 3; ++axis) {
      if (kind == 1) segment.from[axis] = floorDiv(segment.from[axis], width) * width;
      segment.to[axis] = std::clamp(segment.from[axis] + (rng.oneIn(2) ? length : -length),
                                    -kMaxCoordinate, kMaxCoordinate);
    }
  }
  if (kind == 3) {
    segment.to = segment.from;
    segment.to[rng.below(3)] += segment.from[0] > 0 ? -1 : 1;
  }
  if (kind == 4) {  // across the whole scene, on the scale of the coarsest level
    segment.to[rng.below(3)] += rng.pick<std::int64_t>({-20, 20}) * frame.blockWidth(0);
    for (int axis = 0; axis < 3; ++axis) {
      segment.to[axis] = std::clamp(segment.to[axis], -kMaxCoordinate, kMaxCoordinate);
    }
  }
  return segment;
}

FixedSegment randomReflection(Rng& rng, FixedSegment segment, const Frame& frame) {
  for (int bounces = 1 + rng.below(3); bounces > 0; --bounces) {
    const int axis = rng.below(3);
    const std::int64_t from = segment.from[axis];
    const std::int64_t to = segment.to[axis];
    const int shift = frame.blockShift(rng.below(frame.levels()));
    std::int64_t plane = rng.in(std::min(from, to), std::max(from, to));
    if (!rng.oneIn(6)) plane = plane >> shift << shift;
    if (rng.oneIn(12)) plane = rng.oneIn(2) ? from : to;
    const Rational point = beginOf(segment).point[axis];
    // In the corner of the planes before, if that is a point of the frame's units.
    const bool is_corner = segment.begin.axes != 0 && !rng.oneIn(4);
    if (is_corner && point == Rational(floorOf(point))) plane = toInt64(floorOf(point));
    segment = reflectedIn(segment, axis, plane).value_or(segment);
  }
  return segment;
}

}  // namespace fractalray::oracle
