// SPDX-License-Identifier: Apache-2.0
// More than bullets: heads and bodies, a platform that moves, damage that falls off with distance,
// and how much of a body an explosion reaches.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// ---- A player of two entities

constexpr EntityClassId kBody{1};
constexpr EntityClassId kHead{2};

struct Player {
  EntityHandle body;
  EntityHandle head;
};

// Adds a player 1.8 high. The ids of its parts are 2 id and 2 id + 1.
Player addPlayer(EntityIndex& index, EntityId id, const Vec3d& feet) {
  EntitySpec body{.id = 2 * id, .entity_class = kBody, .shape = Box{{0.3, 0.7, 0.3}}};
  EntitySpec head{.id = 2 * id + 1, .entity_class = kHead, .shape = Sphere{0.22}};
  body.position = feet + Vec3d{0, 0.7, 0};
  head.position = feet + Vec3d{0, 1.6, 0};
  return {.body = index.add(body).value(), .head = index.add(head).value()};
}

// ---- Falloff

// Returns the damage of a hit: all of it up to 20 blocks, a quarter of it from 60 on.
double damageOf(const Hit& hit) {
  const double full = hit.entity_class == kHead ? 80 : 30;
  return full * std::clamp(1 - 0.75 * (hit.distance - 20) / 40, 0.25, 1.0);
}

// ---- Exposure

// Returns, for each entity found, how much of it a point reaches, from 0 to 1: the part of eight
// lines, to points near the corners of its bounding box, that no solid block blocks.
std::vector<double> exposures(const RayQueryService& service, const EntityIndex& index,
                              const Vec3d& point, const std::vector<FoundEntity>& found) {
  std::vector<Segment> lines;
  for (const FoundEntity& one : found) {
    const Vec3d half = toBlocks(index.find(one.entity)->shape.half_extents);
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vec3d to = one.position;
      for (int axis = 0; axis < 3; ++axis)
        to[axis] += ((corner >> axis & 1U) != 0 ? 0.9 : -0.9) * half[axis];
      lines.push_back({.from = point, .to = to});
    }
  }
  const absl::StatusOr<OcclusionBatch> sight = service.occluded(lines);
  std::vector<double> parts(found.size());
  for (std::size_t i = 0; sight.ok() && i < lines.size(); ++i)
    parts[i / 8] += sight->answers[i] != Occlusion::kBlocked ? 1.0 / 8 : 0;
  return parts;
}

}  // namespace

int main() {
  std::cout << std::setprecision(3);
  World world;
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone"});
  for (std::int64_t x = 0; x < 6; ++x)
    if (!world.loadChunk(0, {x, 0, 0}, Chunk()).ok()) return 1;
  EntityIndex index(world.frame());
  RayQueryService service(world, index);

  // The same shot at heads of two players, near and far.
  for (const double x : {10.5, 50.5})
    addPlayer(index, static_cast<EntityId>(x), {x, 1, 8.5});
  const auto shot = service.shootSegment({.from = {0.5, 2.6, 8.5}, .to = {95.5, 2.6, 8.5}});
  if (!shot.ok()) return 1;
  for (const Hit& hit : shot->hits)
    std::cout << "player " << hit.id / 2 << (hit.entity_class == kHead ? ", head: " : ", body: ")
              << damageOf(hit) << "\n";

  // A lift between an eye and its target: sight is blocked until it has passed.
  constexpr std::uint64_t kPlatforms = 2;
  const auto lift = index.add(
      {.id = 999, .shape = Box{{3, 0.25, 3}}, .position = {30, 2, 8.5}, .categories = kPlatforms});
  const Segment sight{.from = {26.5, 6, 8.5}, .to = {33.5, 6, 8.5}};
  for (int tick = 0; lift.ok() && tick < 3; ++tick) {
    if (!index.move(*lift, {30, 3.7 + 2.3 * tick, 8.5}).ok()) return 1;  // any fraction of a block
    const auto seen = service.occluded(
        sight, world.allLevels(), {.filter = {.categories = kPlatforms}, .entities_block = true});
    std::cout << (seen.ok() && *seen == Occlusion::kClear ? "clear" : "blocked") << "\n";
  }

  // An explosion next to a low wall.
  if (!world.fillBox(0, {52, 0, 0}, {52, 1, 15}, stone).ok()) return 1;
  const Vec3d center{55, 2.4, 8.5};
  const auto found = entitiesInSphere(index, center, 10);
  if (!found.ok()) return 1;
  const std::vector<double> parts = exposures(service, index, center, *found);
  for (std::size_t i = 0; i < parts.size(); ++i)
    std::cout << "entity " << (*found)[i].id << " at height " << (*found)[i].position.y() << ": "
              << parts[i] << "\n";
}
