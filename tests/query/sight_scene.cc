// SPDX-License-Identifier: Apache-2.0
#include "sight_scene.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../oracle/long_run.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

constexpr std::int64_t kWidth = kUnitsPerBlock;
// Solid types whose boxes overlap, after those of oracle::sceneTypes().
constexpr BlockTypeId kSteps{9};
constexpr BlockTypeId kFence{10};

void addSolid(BlockTypeTable& types, BlockTypeId type, const std::vector<ShapeBox>& boxes) {
  const ShapeId shape = types.addShape(boxes).value();
  const std::string name = absl::StrCat("solid ", types.size());
  FRACTALRAY_CHECK(types.add({.name = name, .shape = shape}).value() == type);
}

std::string pointText(const Vec3i& point) {
  return absl::StrCat("{", point[0], ", ", point[1], ", ", point[2], "}");
}

// Returns a coordinate between two: anywhere, on a plane between blocks, or a unit or two from it.
std::int64_t coordinate(Rng& rng, std::int64_t low, std::int64_t high, std::int64_t width) {
  if (rng.oneIn(3)) return rng.in(low, high);
  const std::int64_t plane = rng.in(low / width, high / width) * width;
  if (rng.oneIn(3)) return plane + width / 2;
  return plane + (rng.oneIn(2) ? 0 : rng.in(-2, 2));
}

Vec3i point(Rng& rng, const Vec3i& low, const Vec3i& high, std::int64_t width) {
  Vec3i at;
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = coordinate(rng, low[axis], high[axis], width);
  return at;
}

// Returns the length of a side of a box: of a unit, of a player, of a block, or of several.
std::int64_t side(Rng& rng, std::int64_t width) {
  return rng.pick({std::int64_t{1}, std::int64_t{7}, width / 2, width * 3 / 5, width, width,
                   width * 9 / 5, width * 3});
}

void load(World& world, int level, const ChunkCoord& at) {
  if (world.chunk(level, at) == nullptr) FRACTALRAY_CHECK_OK(world.loadChunk(level, at, Chunk()));
}
void set(World& world, int level, const BlockCoord& at, BlockTypeId type) {
  load(world, level, chunkOf(at));
  FRACTALRAY_CHECK_OK(world.setBlock(level, at, type));
}

// Sets blocks from `low` to `high`, inclusive, with a probability.
template <class TypeOf>
void fill(Rng& rng, SightCase& made, int level, const BlockCoord& low, const BlockCoord& high,
          int percent, const TypeOf& type_of) {
  for (std::int64_t z = low[2]; z <= high[2]; ++z) {
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      for (std::int64_t x = low[0]; x <= high[0]; ++x) {
        if (rng.below(100) < percent) set(*made.world, level, {x, y, z}, type_of({x, y, z}));
      }
    }
  }
}

BlockTypeId anyType(Rng& rng) {
  return rng.pick({oracle::kStone, oracle::kStone, oracle::kStone, oracle::kStone, oracle::kGlass,
                   oracle::kWater, oracle::kMist});
}

SightCase gridCase(Rng& rng) {
  SightCase made = emptyCase(1);
  load(*made.world, 0, {0, 0, 0});
  const int size = static_cast<int>(rng.in(2, 5));
  const int percent = rng.pick({8, 20, 40, 70});
  fill(rng, made, 0, {1, 1, 1}, {size, size, size}, percent,
       [&](const BlockCoord& /*at*/) { return anyType(rng); });
  const std::int64_t end = (size + 2) * kWidth;
  made.query = randomQuery(rng, {0, 0, 0}, {end, end, end}, kWidth);
  return made;
}

SightCase chequerCase(Rng& rng) {
  SightCase made = emptyCase(1);
  load(*made.world, 0, {0, 0, 0});
  const int size = static_cast<int>(rng.in(3, 5));
  const auto wall = static_cast<std::int64_t>(rng.in(1, size - 1));
  // Two layers of a chequered wall leave only edges between them, but for some missing blocks.
  for (std::int64_t x = wall; x <= wall + 1; ++x) {
    for (std::int64_t y = 0; y <= size; ++y) {
      for (std::int64_t z = 0; z <= size; ++z) {
        if ((x + y + z) % 2 == 0 && !rng.oneIn(40)) set(*made.world, 0, {x, y, z}, oracle::kStone);
      }
    }
  }
  const std::int64_t end = (size + 1) * kWidth;
  made.query = randomQuery(rng, {0, 0, 0}, {end, end, end}, kWidth);
  return made;
}

FixedBox smallBox(Rng& rng, const Vec3i& low, const Vec3i& high, std::int64_t width) {
  FixedBox box;
  box.min = point(rng, low, high, width);
  for (int axis = 0; axis < 3; ++axis)
    box.max[axis] = box.min[axis] + rng.pick({std::int64_t{1}, std::int64_t{3}, width, 4 * width});
  return box;
}

SightCase boxesCase(Rng& rng) {
  SightCase made = emptyCase(1);
  made.options.unloaded = UnloadedSpace::kTransparent;
  const std::int64_t width = rng.pick({std::int64_t{4}, std::int64_t{16}, kWidth});
  const Vec3i low{-8 * width, -8 * width, -8 * width};
  const Vec3i high{8 * width, 8 * width, 8 * width};
  const int count = static_cast<int>(rng.in(1, 14));
  for (int i = 0; i < count; ++i)
    made.occluders.push_back(smallBox(rng, low, high, width));
  made.query = randomQuery(rng, low, high, width);
  return made;
}

SightCase unloadedCase(Rng& rng) {
  SightCase made = emptyCase(static_cast<int>(rng.in(1, 2)));
  const int level = made.world->frame().levels() - 1;
  for (std::int64_t x = 0; x < 3; ++x) {
    for (std::int64_t y = 0; y < 2; ++y) {
      if (!rng.oneIn(3)) load(*made.world, level, {x, y, 0});
    }
  }
  for (int i = static_cast<int>(rng.in(0, 12)); i > 0; --i) {
    const BlockCoord at{rng.in(10, 40), rng.in(0, 31), rng.in(0, 15)};
    if (made.world->chunk(level, chunkOf(at)) != nullptr)
      set(*made.world, level, at, oracle::kStone);
  }
  if (level == 1 && rng.oneIn(3)) load(*made.world, 0, {0, 0, 0});
  made.options.unloaded =
      rng.pick({UnloadedSpace::kReport, UnloadedSpace::kReport, UnloadedSpace::kReport,
                UnloadedSpace::kOpaque, UnloadedSpace::kTransparent});
  made.query = randomQuery(rng, {kWidth, kWidth, kWidth}, {47 * kWidth, 31 * kWidth, 15 * kWidth},
                           8 * kWidth);
  return made;
}

// Fills the space of the two finest levels: around the origin, or across two blocks of a coarser
// level, one of them solid.
SightCase levelsCase(Rng& rng) {
  const int coarse = rng.below(2);  // the second finest level
  SightCase made = emptyCase(coarse + 2);
  const std::int64_t first = coarse == 0 ? 0 : 14;  // the first block of the level on the x axis
  if (coarse == 1 && rng.oneIn(2)) set(*made.world, 0, {rng.in(0, 1), 0, 0}, oracle::kStone);
  for (std::int64_t x = 0; x < 2; ++x)
    load(*made.world, coarse, {x, 0, 0});
  fill(rng, made, coarse, {first, 0, 0}, {first + 3, 2, 2}, 30,
       [&](const BlockCoord& /*at*/) { return anyType(rng); });
  for (std::int64_t x = first; x < first + 4; ++x) {
    if (rng.oneIn(2)) continue;
    load(*made.world, coarse + 1, {x, rng.in(0, 2), rng.in(0, 2)});
  }
  made.world->forEachLoaded(coarse + 1, [&](const ChunkCoord& at, const Chunk& /*chunk*/) {
    for (int i = 0; i < 6; ++i) {
      const BlockCoord row{rng.in(0, 12), rng.in(0, 12), rng.in(0, 12)};
      for (std::int64_t x = 0; x < 3; ++x)
        set(*made.world, coarse + 1,
            {at[0] * 16 + row[0] + x, at[1] * 16 + row[1], at[2] * 16 + row[2]}, oracle::kStone);
    }
  });
  made.levels = coarse == 0
                    ? rng.pick({LevelMask::all(), LevelMask::all(), LevelMask{0}, LevelMask{1}})
                    : rng.pick({LevelMask::all(), LevelMask{0, 2}, LevelMask{0, 2}, LevelMask{1, 2},
                                LevelMask{2}});
  const std::int64_t block = 16 * kWidth;
  made.query = randomQuery(rng, {first * block, 0, 0}, {(first + 4) * block, 3 * block, 3 * block},
                           rng.oneIn(2) ? block : kWidth);
  made.options.unloaded = rng.pick({UnloadedSpace::kReport, UnloadedSpace::kTransparent});
  return made;
}

SightCase shapesCase(Rng& rng) {
  SightCase made = emptyCase(1);
  load(*made.world, 0, {0, 0, 0});
  const int size = static_cast<int>(rng.in(2, 4));
  fill(rng, made, 0, {1, 1, 1}, {size, size, size}, rng.pick({20, 50, 80}),
       [&](const BlockCoord& /*at*/) {
         return rng.pick(
             {oracle::kGrate, oracle::kGrate, oracle::kStairs, oracle::kStone, kSteps, kFence});
       });
  if (rng.oneIn(3)) made.options.filter.channel = oracle::kVisible;
  const std::int64_t end = (size + 2) * kWidth;
  made.query = randomQuery(rng, {0, 0, 0}, {end, end, end}, kWidth / 4);
  return made;
}

// Returns a case among the blocks of the last chunk in a corner of the frame.
SightCase cornerCase(Rng& rng) {
  SightCase made = emptyCase();
  const std::int64_t last = (kMaxCoordinate >> made.world->frame().chunkShift(0)) - 1;
  const ChunkCoord chunk{rng.pick({-last - 1, last}), rng.pick({-last - 1, last}),
                         rng.pick({-last - 1, last})};
  BlockCoord low = blockOf(chunk, 0);
  BlockCoord high = low;
  Vec3i corner;
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] += chunk[axis] > 0 ? 12 : 0;
    high[axis] = low[axis] + 3;
    corner[axis] = low[axis] * kWidth;
  }
  load(*made.world, 0, chunk);
  fill(rng, made, 0, low, high, rng.pick({8, 20, 40}),
       [&](const BlockCoord& /*at*/) { return anyType(rng); });
  constexpr std::int64_t kInside = 2 * kWidth / 3;  // coordinates are up to 2 units off
  const Vec3i size{4 * kWidth - kInside, 4 * kWidth - kInside, 4 * kWidth - kInside};
  made.query = randomQuery(rng, corner + Vec3i{2, 2, 2}, corner + size, kWidth);
  for (int axis = 0; axis < 3; ++axis)
    made.query.box.max[axis] = std::min(made.query.box.max[axis], kMaxCoordinate);
  return made;
}

// Returns a case of boxes of any size, with an eye and a target anywhere in the frame.
SightCase farBoxesCase(Rng& rng) {
  SightCase made = emptyCase(1);
  made.options.unloaded = UnloadedSpace::kTransparent;
  const std::int64_t end = kMaxCoordinate;
  const int kind = rng.below(3);
  for (int i = 0; i < 6; ++i) {
    FixedBox box;
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = rng.in(-end, end - end / 4);
      box.max[axis] = kind == 0 ? box.min[axis] + rng.in(1, 9) : rng.in(box.min[axis] + 1, end);
    }
    made.occluders.push_back(box);
  }
  for (int axis = 0; axis < 3; ++axis) {
    made.query.eye[axis] = rng.pick({-end, end, rng.in(-end, end), std::int64_t{0}});
    made.query.box.min[axis] = rng.pick({-end, rng.in(-end, end - 9), end - 9, std::int64_t{1}});
    made.query.box.max[axis] = rng.oneIn(2) ? end : made.query.box.min[axis] + rng.in(1, 8);
  }
  return made;
}

// Adds entities around the space between the eye and the box, boxes and spheres of all levels.
void addEntities(Rng& rng, SightCase& made) {
  const Vec3i& eye = made.query.eye;
  const FixedBox& target = made.query.box;
  for (int id = static_cast<int>(rng.in(1, 5)); id > 0; --id) {
    EntitySpec spec{.id = static_cast<EntityId>(id)};
    Vec3d half;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t low = std::min(eye[axis], target.min[axis]);
      const std::int64_t high = std::max(eye[axis], target.max[axis]);
      spec.position[axis] = toBlocks(rng.in(low, high));
      half[axis] = toBlocks(rng.in(1, std::min((high - low) / 3 + 1, 6 * kWidth)));
    }
    spec.shape = rng.oneIn(4) ? Shape(Sphere{half[0]}) : Shape(Box{half});
    spec.level = rng.below(made.world->frame().levels());
    spec.categories = rng.pick({std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}});
    FRACTALRAY_CHECK_OK(made.entities->add(spec));
  }
  made.options.boxes_block = !rng.oneIn(4);
  if (rng.oneIn(2)) made.options.filter.categories = rng.pick({std::uint64_t{1}, std::uint64_t{2}});
  for (EntityId id = 1; id <= 5; ++id) {
    if (rng.oneIn(6)) made.ignored.push_back(id);
  }
}

}  // namespace

SightQuery randomQuery(Rng& rng, const Vec3i& low, const Vec3i& high, std::int64_t width) {
  SightQuery query;
  query.eye = point(rng, low, high, width);
  query.box.min = point(rng, low, high, width);
  for (int axis = 0; axis < 3; ++axis)
    query.box.max[axis] = query.box.min[axis] + side(rng, width);
  if (rng.oneIn(8)) {
    const int flat = rng.below(3);
    query.box.max[flat] = query.box.min[flat];
  }
  return query;
}

SightCase emptyCase(int levels) {
  SightCase made;
  made.world =
      std::make_unique<World>(WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
  addSolid(made.world->blockTypes(), kSteps,
           {{.min = {0, 0, 0}, .max = {65536, 32768, 65536}},
            {.min = {0, 0, 32768}, .max = {65536, 65536, 65536}}});
  addSolid(made.world->blockTypes(), kFence,
           {{.min = {24576, 0, 24576}, .max = {40960, 65536, 40960}},
            {.min = {0, 16384, 24576}, .max = {65536, 49152, 40960}}});
  made.entities = std::make_unique<EntityIndex>(made.world->frame());
  made.levels = LevelMask::all();
  return made;
}

SightCase randomCase(Rng& rng, SceneKind kind) {
  SightCase made = [&] {
    switch (kind) {
      case SceneKind::kGrid:
        return gridCase(rng);
      case SceneKind::kChequer:
        return chequerCase(rng);
      case SceneKind::kBoxes:
        return boxesCase(rng);
      case SceneKind::kUnloaded:
        return unloadedCase(rng);
      case SceneKind::kLevels:
        return levelsCase(rng);
      case SceneKind::kShapes:
        return shapesCase(rng);
      case SceneKind::kFar:
        break;
    }
    return rng.oneIn(2) ? cornerCase(rng) : farBoxesCase(rng);
  }();
  if (kind != SceneKind::kFar && rng.oneIn(4)) addEntities(rng, made);
  if (rng.oneIn(5)) made.refused_every = rng.in(2, 3);
  made.options.filter.blocks = !rng.oneIn(16);
  made.options.through = rng.oneIn(5) ? static_cast<std::uint32_t>(rng.in(1, 3)) : 0;
  made.options.filter.skip_start_inside = rng.oneIn(4);
  made.options.report_certificate = rng.oneIn(2);
  return made;
}

SightOptions SightCase::allOptions() const {
  SightOptions all = options;
  all.occluders = occluders;
  all.filter.ignore = ignored;
  if (refused_every == 0) return all;
  all.filter.block_filter = [this](const BlockHit& hit) { return accepts(hit.level, hit.block); };
  all.filter.entity_filter = [this](const EntityHit& hit) {
    return hit.id % static_cast<EntityId>(refused_every) != 0;
  };
  return all;
}

bool SightCase::accepts(int level, const BlockCoord& at) const {
  if (!options.filter.blocks) return false;
  return refused_every == 0 || (at[0] + at[1] + at[2] + level) % refused_every != 0;
}

std::vector<FixedBox> SightCase::listedBoxes() const {
  std::vector<FixedBox> boxes = occluders;
  if (!options.boxes_block) return boxes;
  for (const EntityHandle handle : entities->all()) {
    const Entity& entity = *entities->find(handle);
    const bool is_ignored = std::find(ignored.begin(), ignored.end(), entity.id) != ignored.end();
    const bool is_refused =
        refused_every != 0 && entity.id % static_cast<EntityId>(refused_every) == 0;
    if (entity.shape.kind != FixedShape::Kind::kBox || !levels.contains(entity.level)) continue;
    if (is_ignored || is_refused || (entity.categories & options.filter.categories) == 0) continue;
    const Vec3i& half = entity.shape.half_extents;
    boxes.push_back({entity.position - half, entity.position + half});
  }
  return boxes;
}

std::vector<oracle::Occluder> SightCase::occludersOfAll() const {
  std::vector<oracle::Occluder> all =
      oracle::solidBlocks(*world, levels, options.filter.channel,
                          [this](int level, const BlockCoord& at) { return accepts(level, at); });
  for (const FixedBox& box : listedBoxes())
    all.push_back({box});
  return all;
}

oracle::SightScene SightCase::scene() const {
  oracle::SightScene scene;
  scene.occluders = occludersOfAll();
  std::erase_if(scene.occluders, [&](const oracle::Occluder& occluder) {
    return !oracle::isBetween(occluder, query.eye, query.box);
  });
  if (options.unloaded != UnloadedSpace::kTransparent)
    scene.unloaded = oracle::unloadedSpace(*world, levels, query);
  scene.through = options.through;
  scene.skip_start_inside = options.filter.skip_start_inside;
  scene.unloaded_space = options.unloaded;
  return scene;
}

std::string textOf(const FixedBox& box) {
  return absl::StrCat("{", pointText(box.min), ", ", pointText(box.max), "}");
}

std::string SightCase::text() const {
  std::string text = absl::StrCat(
      "eye ", pointText(query.eye), " box ", textOf(query.box), " through ", options.through,
      " skip_start_inside ", options.filter.skip_start_inside, " unloaded ",
      static_cast<int>(options.unloaded), " levels ", formatLevelMask(levels), " refused_every ",
      refused_every, " boxes_block ", options.boxes_block, "\n");
  for (const oracle::Occluder& occluder : scene().occluders) {
    for (const FixedBox& box : occluder)
      absl::StrAppend(&text, textOf(box), " ");
    absl::StrAppend(&text, "\n");
  }
  return text;
}

int rounds(int few, int many) {
  return oracle::isLongRun() ? many : few;
}

}  // namespace fractalray::sight_test
