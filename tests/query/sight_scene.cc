// SPDX-License-Identifier: Apache-2.0
#include "sight_scene.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/strings/str_cat.h"

#include "../../core/internal/geometry/unit_box.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

constexpr std::int64_t kWidth = kUnitsPerBlock;

std::string textOf(const Vec3i& point) {
  return absl::StrCat("{", point[0], ", ", point[1], ", ", point[2], "}");
}
std::string textOf(const FixedBox& box) {
  return absl::StrCat("{", textOf(box.min), ", ", textOf(box.max), "}");
}

bool overlap(const FixedBox& a, const FixedBox& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.max[axis] <= b.min[axis] || b.max[axis] <= a.min[axis]) return false;
  }
  return true;
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

SightCase emptyCase(int levels) {
  SightCase made;
  made.world =
      std::make_unique<World>(WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
  made.entities = std::make_unique<EntityIndex>(made.world->frame());
  made.levels = LevelMask::all();
  return made;
}

void load(World& world, int level, const ChunkCoord& at) {
  if (world.chunk(level, at) == nullptr && !world.loadChunk(level, at, Chunk()).ok()) std::abort();
}
void set(World& world, int level, const BlockCoord& at, BlockTypeId type) {
  load(world, level, chunkOf(at));
  if (!world.setBlock(level, at, type).ok()) std::abort();
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

SightCase levelsCase(Rng& rng) {
  SightCase made = emptyCase(2);
  for (std::int64_t x = 0; x < 2; ++x)
    load(*made.world, 0, {x, 0, 0});
  fill(rng, made, 0, {0, 0, 0}, {3, 2, 2}, 30,
       [&](const BlockCoord& /*at*/) { return anyType(rng); });
  for (std::int64_t x = 0; x < 4; ++x) {
    if (rng.oneIn(2)) continue;
    load(*made.world, 1, {x, rng.in(0, 2), rng.in(0, 2)});
  }
  made.world->forEachLoaded(1, [&](const ChunkCoord& at, const Chunk& /*chunk*/) {
    for (int i = 0; i < 6; ++i) {
      const FixedBox box{.min = {rng.in(0, 12), rng.in(0, 12), rng.in(0, 12)}, .max = {}};
      for (std::int64_t x = 0; x < 3; ++x)
        set(*made.world, 1,
            {at[0] * 16 + box.min[0] + x, at[1] * 16 + box.min[1], at[2] * 16 + box.min[2]},
            oracle::kStone);
    }
  });
  made.levels = rng.pick({LevelMask::all(), LevelMask::all(), LevelMask{0}, LevelMask{1}});
  const std::int64_t coarse = 16 * kWidth;
  made.query = randomQuery(rng, {0, 0, 0}, {4 * coarse, 3 * coarse, 3 * coarse},
                           rng.oneIn(2) ? coarse : kWidth);
  made.options.unloaded = rng.pick({UnloadedSpace::kReport, UnloadedSpace::kTransparent});
  return made;
}

SightCase shapesCase(Rng& rng) {
  SightCase made = emptyCase(1);
  load(*made.world, 0, {0, 0, 0});
  const int size = static_cast<int>(rng.in(2, 4));
  fill(rng, made, 0, {1, 1, 1}, {size, size, size}, rng.pick({20, 50, 80}),
       [&](const BlockCoord& /*at*/) {
         return rng.pick({oracle::kGrate, oracle::kGrate, oracle::kStairs, oracle::kStone});
       });
  if (rng.oneIn(3)) made.options.filter.channel = oracle::kVisible;
  const std::int64_t end = (size + 2) * kWidth;
  made.query = randomQuery(rng, {0, 0, 0}, {end, end, end}, kWidth / 4);
  return made;
}

SightCase farCase(Rng& rng) {
  SightCase made = emptyCase(1);
  made.options.unloaded = UnloadedSpace::kTransparent;
  // Eyes and boxes at opposite ends of the frame, with walls of blocks and boxes between them.
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
    return farCase(rng);
  }();
  made.options.through = rng.oneIn(5) ? static_cast<std::uint32_t>(rng.in(1, 3)) : 0;
  made.options.filter.skip_start_inside = rng.oneIn(4);
  made.options.report_certificate = rng.oneIn(2);
  return made;
}

oracle::SightScene SightCase::scene() const {
  oracle::SightScene scene;
  const FixedBox hull = internal::hullOf(query.box, query.eye);
  for (const oracle::Occluder& block :
       oracle::solidBlocks(*world, levels, options.filter.channel)) {
    const bool is_between = std::any_of(block.begin(), block.end(),
                                        [&](const FixedBox& box) { return overlap(hull, box); });
    if (is_between) scene.occluders.push_back(block);
  }
  for (const FixedBox& box : occluders)
    scene.occluders.push_back({{box.min, box.max}});
  if (options.unloaded != UnloadedSpace::kTransparent)
    scene.unloaded = oracle::unloadedSpace(*world, levels, query);
  scene.through = options.through;
  scene.skip_start_inside = options.filter.skip_start_inside;
  scene.unloaded_space = options.unloaded;
  return scene;
}

std::string SightCase::text() const {
  std::string text = absl::StrCat(
      "eye ", textOf(query.eye), " box ", textOf(query.box), " through ", options.through,
      " skip_start_inside ", options.filter.skip_start_inside, " unloaded ",
      static_cast<int>(options.unloaded), " levels ", formatLevelMask(levels), "\n");
  for (const oracle::Occluder& occluder : scene().occluders) {
    for (const FixedBox& box : occluder)
      absl::StrAppend(&text, textOf(FixedBox{box.min, box.max}), " ");
    absl::StrAppend(&text, "\n");
  }
  return text;
}

namespace {

std::optional<std::string> faultOfWitness(const SightCase& of, const SightWitness& witness,
                                          const oracle::SightScene& scene) {
  oracle::WitnessCase check{.world = *of.world,
                            .levels = of.levels,
                            .occluders = scene.occluders,
                            .eye = of.query.eye,
                            .box = {of.query.box.min, of.query.box.max},
                            .through = of.options.through,
                            .skip_start_inside = of.options.filter.skip_start_inside,
                            .passes_unloaded = of.options.unloaded == UnloadedSpace::kTransparent,
                            .unit = witness.unit};
  for (std::size_t i = 0; i < 3; ++i) {
    const absl::int128 value = witness.delta[i];
    check.delta[i] = (oracle::Integer(absl::Int128High64(value)) << 64) +
                     oracle::Integer(absl::Int128Low64(value));
  }
  return oracle::faultOfWitness(check);
}

// The certificate alone hides the box, and each of its boxes is solid.
std::optional<std::string> faultOfCertificate(const SightCase& of, const SightAnswer& answer,
                                              const oracle::SightScene& scene) {
  const absl::StatusOr<bool> is_hidden = hides(answer.certificate, of.query);
  if (!is_hidden.ok() || !*is_hidden) return "hides() denies the certificate";
  oracle::SightScene alone;
  for (const FixedBox& box : answer.certificate)
    alone.occluders.push_back({{box.min, box.max}});
  if (oracle::exactSight(of.query, alone).sight != Sight::kHidden)
    return "the certificate does not hide the box";
  oracle::Occluder solid = scene.unloaded_space == UnloadedSpace::kOpaque
                               ? oracle::Occluder(scene.unloaded)
                               : oracle::Occluder();
  for (const oracle::Occluder& occluder : scene.occluders)
    solid.insert(solid.end(), occluder.begin(), occluder.end());
  for (const FixedBox& box : answer.certificate) {
    // A box of the certificate is covered if none of its volume is left.
    std::vector<FixedBox> rest{box};
    for (const FixedBox& cover : solid) {
      std::vector<FixedBox> next;
      for (FixedBox part : rest) {
        if (!overlap(part, cover)) {
          next.push_back(part);
          continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
          FixedBox below = part;
          below.max[axis] = cover.min[axis];
          if (below.min[axis] < below.max[axis]) next.push_back(below);
          FixedBox above = part;
          above.min[axis] = cover.max[axis];
          if (above.min[axis] < above.max[axis]) next.push_back(above);
          part.min[axis] = std::max(part.min[axis], cover.min[axis]);
          part.max[axis] = std::min(part.max[axis], cover.max[axis]);
        }
      }
      rest = std::move(next);
    }
    const FixedBox hull = internal::hullOf(of.query.box, of.query.eye);
    std::erase_if(rest, [&](const FixedBox& part) {
      return !overlap(hull, {part.min, part.max});  // the scene has what is between them alone
    });
    if (!rest.empty()) return absl::StrCat("not solid: ", textOf(rest.front()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> faultOf(const SightCase& of, const SightAnswer& answer,
                                   const oracle::ExactSight& exact) {
  if (answer.sight != exact.sight) {
    return absl::StrCat("the answer is ", static_cast<int>(answer.sight), ", not ",
                        static_cast<int>(exact.sight));
  }
  if (answer.witness.has_value() != (answer.sight == Sight::kVisible))
    return "there is a witness if and only if the box is visible";
  const oracle::SightScene scene = of.scene();
  if (answer.witness.has_value()) return faultOfWitness(of, *answer.witness, scene);
  const bool proves = answer.sight == Sight::kHidden && of.options.report_certificate;
  if (!proves && !answer.certificate.empty()) return "there is a certificate";
  return proves && of.options.through == 0 ? faultOfCertificate(of, answer, scene) : std::nullopt;
}

}  // namespace fractalray::sight_test
