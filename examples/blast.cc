// SPDX-License-Identifier: Apache-2.0
// An explosion with the fan of 1,352 rays and the numbers that Minecraft made known, as data, in
// whole millionths: the blast of the library, and the same as a loop of single shots.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <set>
#include <utility>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

constexpr Vec3d kCenter{10.5, 5.5, 8.5};
constexpr double kRadius = 8;
constexpr double kStep = 0.3;
constexpr std::int64_t kPower = 4000000;
constexpr std::int64_t kFalloff = 225000;  // a step

struct Scene {
  World world;
  BlockTypeId soil{};
  BlockTypeId wood{};
  BlockTypeId obsidian{};
  std::vector<std::int64_t> resistances;
};

// Adds a type that is permeable: so a single shot does not end there.
bool addType(Scene& scene, const char* name, std::int64_t resistance, BlockTypeId& type) {
  const auto added = scene.world.blockTypes().add({.name = name, .kind = BlockKind::kPermeable});
  if (!added.ok()) return false;
  type = *added;
  scene.resistances.resize(BlockTypeTable::index(type) + 1, 0);
  scene.resistances[BlockTypeTable::index(type)] = resistance;
  return true;
}

// Builds a yard with a wooden hut and a wall of obsidian.
bool build(Scene& scene) {
  World& world = scene.world;
  bool ok = addType(scene, "soil", 240000, scene.soil) &&
            addType(scene, "wood", 690000, scene.wood) &&
            addType(scene, "obsidian", 360090000, scene.obsidian);
  for (std::int64_t x = -1; x < 2; ++x)
    ok = ok && world.loadChunk(0, {x, 0, 0}, Chunk()).ok();
  ok = ok && world.fillBox(0, {-16, 0, 0}, {31, 3, 15}, scene.soil).ok();
  ok = ok && world.fillBox(0, {13, 4, 4}, {18, 8, 12}, scene.wood).ok();
  ok = ok && world.fillBox(0, {14, 4, 5}, {17, 7, 11}, kAir).ok();
  return ok && world.fillBox(0, {7, 2, 6}, {7, 7, 10}, scene.obsidian).ok();
}

// A broken block, with the sample and the ray that come first.
struct Broken {
  std::int64_t steps = 0;
  std::uint32_t ray = 0;
  BlockCoord block{};

  friend auto operator<=>(const Broken&, const Broken&) = default;
};

// Charges a ray for the hits of a shot along it. The samples in a block are those that lie in it.
absl::Status followRay(const Scene& scene, const RayQueryService& service, std::uint32_t number,
                       const BlastRay& ray, std::vector<Broken>& broken) {
  const absl::StatusOr<Vec3i> center = toUnits(kCenter);
  if (!center.ok()) return center.status();
  const auto most = static_cast<std::int64_t>(kRadius / kStep);
  const auto shot = service.shootSegment(FixedSegment{*center, *center + ray.step * most});
  if (!shot.ok()) return shot.status();
  std::int64_t power = ray.power;
  std::int64_t steps = 0;
  const auto block = [&] { return scene.world.frame().blockAt(*center + ray.step * steps, 0); };
  for (const Hit& hit : shot->hits) {
    // Through the air before the block.
    for (; steps <= most && power > 0 && block() != hit.block; ++steps) {
      const bool is_past = scene.world.block(0, block()).value_or(kAir) != kAir;
      if (is_past) break;
      power -= kFalloff;
    }
    for (; steps <= most && power > 0 && block() == hit.block; ++steps) {
      power -= scene.resistances[BlockTypeTable::index(hit.type)];
      if (power > 0) broken.push_back({steps, number, hit.block});
      power -= kFalloff;
    }
  }
  return absl::OkStatus();
}

// Returns what a loop of single shots breaks, each block once.
absl::StatusOr<std::vector<Broken>> brokenByShots(const Scene& scene,
                                                  const RayQueryService& service,
                                                  const std::vector<BlastRay>& rays) {
  std::vector<Broken> broken;
  for (std::uint32_t ray = 0; ray < rays.size(); ++ray) {
    absl::Status status = followRay(scene, service, ray, rays[ray], broken);
    if (!status.ok()) return status;
  }
  std::sort(broken.begin(), broken.end());
  std::set<BlockCoord> seen;
  std::erase_if(broken, [&](const Broken& one) { return !seen.insert(one.block).second; });
  return broken;
}

// Draws the layer at z = 8.
void draw(const Scene& scene) {
  for (std::int64_t y = 9; y >= 0; --y) {
    for (std::int64_t x = 0; x < 24; ++x) {
      const BlockTypeId type = scene.world.block(0, {x, y, 8}).value_or(kAir);
      char mark = type == kAir ? '.' : scene.world.blockTypes().name(type)[0];
      if (x == 10 && y == 5) mark = '*';
      std::cout << mark;
    }
    std::cout << "\n";
  }
}

// Prints how much of an entity the blast reaches.
void damage(const ExposedEntity& one) {
  std::cout << "entity " << one.id << ", " << one.distance
            << " blocks away: " << std::lround(100 * one.from) << " % of it is exposed\n";
}

absl::Status run() {
  Scene scene;
  if (!build(scene)) return absl::InternalError("the scene cannot be built");
  draw(scene);
  World& world = scene.world;
  EntityIndex entities(world.frame());
  for (EntityId id = 1; id <= 2; ++id) {  // in the hut and in the open
    const Vec3d position{15.5, 5, id == 1 ? 8.5 : 2.5};
    const auto added =
        entities.add({.id = id, .shape = Box{{0.3, 0.9, 0.3}}, .position = position});
    if (!added.ok()) return added.status();
  }
  const RayQueryService service(world, entities);
  const absl::StatusOr<std::vector<BlastRay>> rays = cubeFan(16, kStep, kPower);  // 1,352 rays
  if (!rays.ok()) return rays.status();
  const absl::StatusOr<Blast> blast = service.blast({.center = kCenter,
                                                     .radius = kRadius,
                                                     .rays = *rays,
                                                     .resistances = scene.resistances,
                                                     .falloff = kFalloff});
  if (!blast.ok()) return blast.status();
  const absl::StatusOr<std::vector<Broken>> by_shots = brokenByShots(scene, service, *rays);
  if (!by_shots.ok()) return by_shots.status();
  std::vector<Broken> by_blast;
  for (const BrokenBlock& one : blast->blocks)
    by_blast.push_back({one.steps, one.ray, one.block});
  for (const BrokenBlock& one : blast->blocks) {
    absl::Status status = world.setBlock(one.level, one.block, kAir);
    if (!status.ok()) return status;
  }
  for (const ExposedEntity& one : blast->entities)
    damage(one);
  draw(scene);
  std::cout << rays->size() << " rays, " << blast->samples << " samples, " << by_blast.size()
            << " blocks broken; a loop of single shots breaks "
            << (by_blast == *by_shots ? "the same" : "others") << "\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
