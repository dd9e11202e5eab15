// SPDX-License-Identifier: Apache-2.0
// Ray casts as other engines have them, over a world: that of a physics engine, and that of a voxel
// module. docs/migrating.md shows both functions.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <tuple>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// Prints what is wrong, and ends the program.
void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

// The result of a physics engine's ray test.
struct RayTestHit {
  double fraction = 0;  // 0 at the start of the line, 1 at its end
  Vec3d point{};
  Vec3d normal{};
  std::optional<EntityId> body{};  // none for terrain
};

// Returns the closest solid block or body between two points. `layers` are those of bodies.
std::optional<RayTestHit> rayTest(const RayQueryService& service, const Vec3d& from,
                                  const Vec3d& to, std::uint64_t layers) {
  const auto found = service.closestHit(
      Segment{.from = from, .to = to}, LevelMask::all(),
      {.filter = {.solid_only = true, .categories = layers, .skip_start_inside = true}});
  check(found.status());
  if (!found->hit.has_value()) return std::nullopt;
  const Hit& hit = *found->hit;
  RayTestHit result{.fraction = hit.t, .point = hit.point, .normal = hit.normal};
  if (hit.isEntity()) result.body = hit.id;
  return result;
}

// The result of a voxel module's ray cast.
struct VoxelHit {
  BlockCoord position{};
  BlockCoord previous_position{};  // the voxel from which the ray came: where to build
  double distance = 0;
};

// Returns the first voxel along a ray, the one that contains the origin left out.
std::optional<VoxelHit> voxelRaycast(const RayQueryService& service, const Vec3d& origin,
                                     const Vec3d& direction, double max_distance) {
  const auto found = service.closestHit(
      Ray{.origin = origin, .direction = direction, .max_distance = max_distance}, LevelMask::all(),
      {.filter = {.entities = false, .skip_start_inside = true}});
  check(found.status());
  if (!found->hit.has_value()) return std::nullopt;
  const Hit& hit = *found->hit;
  BlockCoord previous = hit.block;
  previous[hit.face.axis] += hit.face.sign;
  return VoxelHit{.position = hit.block, .previous_position = previous, .distance = hit.distance};
}

}  // namespace

int main() {
  World world;
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone"});
  check(world.loadChunk(0, {0, 0, 0}, Chunk()));
  check(world.fillBox(0, {12, 0, 0}, {12, 15, 15}, stone));  // a wall
  check(world.setBlock(0, {2, 4, 8}, stone));                // around the eye
  EntityIndex entities(world.frame());
  const std::uint64_t ghosts = 2;
  for (const auto& [id, x, layer] : {std::tuple{7, 8, 1}, std::tuple{9, 5, 2}}) {
    check(entities
              .add({.id = EntityId(id),
                    .shape = Sphere{1},
                    .position = {double(x), 4.5, 8.5},
                    .categories = std::uint64_t(layer)})
              .status());
  }
  const RayQueryService service(world, entities);

  const Vec3d eye{2.5, 4.5, 8.5};
  const Vec3d target{22.5, 4.5, 8.5};
  for (const std::uint64_t layers : {~ghosts, std::uint64_t{0}}) {
    const auto hit = rayTest(service, eye, target, layers);
    std::cout << (hit->body.has_value() ? "body" : "terrain") << " at " << hit->fraction
              << " of the line, x = " << hit->point.x() << ", normal " << hit->normal.x() << "\n";
  }
  const auto voxel = voxelRaycast(service, eye, {1, 0, 0}, 10);
  std::cout << "voxel " << voxel->position[0] << " at " << voxel->distance << ", build at "
            << voxel->previous_position[0] << "\n";
}
