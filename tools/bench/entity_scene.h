// SPDX-License-Identifier: Apache-2.0
// Entities that move: spheres with radii of 0.3 to 1 block in the extents of the other scenes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/vec.h"
#include "../../entities/entity.h"
#include "random.h"

namespace fractalray::bench {

enum class Spread : std::uint8_t {
  kUniform,
  kClustered,  // in 100 crowds, 48 blocks wide and densest in the middle
};

enum class Movement : std::uint8_t {
  // Up to 1/4 block a tick along each axis, on a course of its own that changes after 16 ticks on
  // average.
  kLittle,
  kFar,  // to a new random position
};

// The engine's side of the scene, which every system reads and none owns: the position and size of
// each entity. All numbers are on whole units (1/65536 block); each sphere lies entirely in the
// extents.
class EntityScene {
 public:
  EntityScene(Spread spread, std::size_t count);

  std::size_t size() const { return centers_.size(); }
  // Returns centres and radii, in blocks; the doubles are exact.
  std::span<const Vec3d> centers() const { return centers_; }
  std::span<const double> radii() const { return radii_; }
  // Returns an entity as an index takes it; its id is its number.
  EntitySpec spec(std::size_t entity) const {
    return {.id = entity, .shape = Sphere{radii_[entity]}, .position = centers_[entity]};
  }

  // Moves every entity.
  void tick(Movement movement);

 private:
  Vec3i drawCenter();
  Vec3i drawVelocity();
  void advance(std::size_t entity);

  Spread spread_;
  Random random_;
  std::vector<Vec3i> crowds_;
  std::vector<Vec3i> units_;
  std::vector<Vec3i> velocities_;  // a tick
  std::vector<Vec3d> centers_;
  std::vector<double> radii_;
};

}  // namespace fractalray::bench
