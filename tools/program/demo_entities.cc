// SPDX-License-Identifier: Apache-2.0
#include "demo_entities.h"

#include <cmath>
#include <optional>
#include <variant>

namespace fractalray {
namespace {

// The boxes and spheres of the classes, and how far above the ground each floats.
struct Build {
  Shape shape;
  double height = 0;  // of the shape's centre above the ground, in blocks
};

Build buildOf(std::size_t entity_class) {
  switch (entity_class) {
    case 0:
      return {Box{{0.45, 0.6, 0.7}}, 0.6};
    case 1:
      return {Sphere{3}, 18};
    case 2:
      return {Sphere{1.25}, 1.25};
    default:
      return {Box{{1.5, 5, 1.5}}, 5};
  }
}

// The part of a sequence that spreads evenly over [0, 1), whatever its length (Roberts' R2
// sequence, from the plastic number).
Vec3d spread(int number) {
  constexpr double kPlastic = 1.32471795724474602596;
  const auto part = [&](double step) {
    const double value = 0.5 + step * number;
    return value - std::floor(value);
  };
  return {part(1 / kPlastic), 0, part(1 / (kPlastic * kPlastic))};
}

// Returns the height of the first solid block below `top`, in blocks; nothing if there is none.
absl::StatusOr<std::optional<double>> groundBelow(const RayQueryService& service, LevelMask levels,
                                                  const Vec3d& top, double bottom) {
  const absl::StatusOr<ShotResult> shot =
      service.shootSegment({.from = top, .to = {top[0], bottom, top[2]}}, levels);
  if (!shot.ok()) return shot.status();
  if (!shot->terminated) return std::optional<double>();
  return std::optional<double>(shot->hits.back().point[1]);
}

}  // namespace

absl::StatusOr<int> dropEntities(const World& world, const RayQueryService& service, int count,
                                 EntityIndex& entities) {
  const int finest = world.frame().levels() - 1;
  const std::optional<ChunkBox> loaded = world.loadedBox(finest);
  if (!loaded.has_value()) return 0;
  Vec3d min;
  Vec3d size;
  for (int axis = 0; axis < 3; ++axis) {
    min[axis] = static_cast<double>(loaded->min[axis] * kChunkSize);
    size[axis] = static_cast<double>((loaded->max[axis] + 1) * kChunkSize) - min[axis];
  }
  int dropped = 0;
  for (int number = 0; number < count; ++number) {
    const Vec3d part = spread(number);
    const Vec3d top{min[0] + part[0] * size[0], min[1] + size[1], min[2] + part[2] * size[2]};
    const auto ground = groundBelow(service, world.finestLevels(1), top, min[1]);
    if (!ground.ok()) return ground.status();
    if (!ground->has_value()) continue;
    const std::size_t entity_class = static_cast<std::size_t>(number) % kDemoClasses.size();
    const Build build = buildOf(entity_class);
    const bool is_giant = kDemoClasses[entity_class] == "giant";
    const absl::StatusOr<EntityHandle> added =
        entities.add({.id = static_cast<EntityId>(number) + 1,
                      .level = is_giant && finest > 0 ? finest - 1 : finest,
                      .entity_class = static_cast<EntityClassId>(entity_class),
                      .shape = build.shape,
                      .position = {top[0], **ground + build.height, top[2]}});
    if (!added.ok()) return added.status();
    ++dropped;
  }
  return dropped;
}

}  // namespace fractalray
