// SPDX-License-Identifier: Apache-2.0
#include "entity_suite.h"

#include <utility>

#include "grid.h"
#include "scene.h"

namespace fractalray::bench {
namespace {

constexpr int kTicks = 8;
constexpr std::size_t kMillion = 1'000'000;

// The small moves of a quick run take a few seconds a scene.
EntityMoves littleMoves(bool quick, std::size_t entities) {
  EntityMoves moves{.movement = Movement::kLittle,
                    .rays = "little",
                    .query_rays = "random",
                    .ticks = kTicks,
                    .segments = quick ? 30'000 : kMillion};
  if (quick && entities == kMillion) {
    moves.ticks = 2;
    moves.segments = 5'000;
  }
  return moves;
}

}  // namespace

std::vector<EntityPlan> makeEntitySuite(bool quick) {
  std::vector<EntityPlan> suite;
  for (const auto& [scene, spread] : {std::pair("entities-uniform", Spread::kUniform),
                                      std::pair("entities-clustered", Spread::kClustered)}) {
    for (const std::size_t entities : {std::size_t{1000}, std::size_t{100'000}, kMillion}) {
      EntityPlan plan{.scene = scene, .spread = spread, .entities = entities};
      plan.is_short = quick && entities == kMillion;
      plan.moves.push_back(littleMoves(quick, entities));
      if (!plan.is_short) {
        plan.moves.push_back({.movement = Movement::kFar,
                              .rays = "far",
                              .query_rays = "after-far",
                              .ticks = 1,
                              .segments = quick ? 10'000U : 100'000U});
      }
      suite.push_back(std::move(plan));
    }
  }
  return suite;
}

Rays entityRays(std::size_t count) {
  return randomRays(Grid({0, 0, 0}, kUsualSize), count, {.min = 400, .max = 400});
}

}  // namespace fractalray::bench
