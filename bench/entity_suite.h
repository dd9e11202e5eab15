// SPDX-License-Identifier: Apache-2.0
// What is measured of entities: how many there are, how they are spread and how they move.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "entity_scene.h"
#include "rays.h"

namespace fractalray::bench {

// Moves, and queries on what has been moved.
struct EntityMoves {
  Movement movement = Movement::kLittle;
  std::string rays;        // as reported with the moves
  std::string query_rays;  // and with the queries
  // Moves of all entities in a measurement: enlarged boxes that last for several are charged for
  // the one in which they do not.
  int ticks = 1;
  std::size_t segments = 0;
};

// A scene that is built once, and what then happens in it.
struct EntityPlan {
  std::string scene;
  Spread spread = Spread::kUniform;
  std::size_t entities = 0;
  std::vector<EntityMoves> moves{};
};

// All there is to measure, in the order of running. `quick`: with fewer segments, and without the
// largest scenes.
std::vector<EntityPlan> makeEntitySuite(bool quick);

// The segments of all plans: 400 blocks from anywhere in the extents in any direction.
Rays entityRays(std::size_t count);

}  // namespace fractalray::bench
