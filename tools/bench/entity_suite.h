// SPDX-License-Identifier: Apache-2.0
// The measurements of entities: their numbers, distributions and moves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "entity_scene.h"
#include "rays.h"

namespace fractalray::bench {

// Moves, and queries after them.
struct EntityMoves {
  Movement movement = Movement::kLittle;
  std::string rays;        // as reported with the moves
  std::string query_rays;  // and with the queries
  // Moves of all entities in a measurement: enlarged boxes that last for several moves are charged
  // for the one in which they do not.
  int ticks = 1;
  std::size_t segments = 0;
};

// A scene that is built once, and the moves and queries in it.
struct EntityPlan {
  std::string scene;
  Spread spread = Spread::kUniform;
  std::size_t entities = 0;
  std::vector<EntityMoves> moves{};
  bool is_short = false;  // leaves out the systems that take long for so many entities
};

// Returns all plans, in the order of running. `quick`: with fewer segments, and only small moves of
// the largest scenes.
std::vector<EntityPlan> makeEntitySuite(bool quick);

// Returns the segments of all plans: 400 blocks from any point of the extents in any direction.
Rays entityRays(std::size_t count);

}  // namespace fractalray::bench
