// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "entity_system.h"

namespace fractalray::bench {
namespace {

constexpr auto kEntitySystems = std::to_array<EntitySystemMaker>({
    {.name = "fractalray", .make = makeFractalrayEntities, .is_ours = true},
    {.name = "fractalray-optimized", .make = makeOptimizedEntities, .is_ours = true},
#ifdef FRACTALRAY_BENCH_BULLET
    {.name = "bullet", .make = makeBullet, .takes_long = true},
#else
    {.name = "bullet", .make = nullptr},
#endif
// A tree that is only refitted is useless once its entities are elsewhere: then one rebuilds.
#ifdef FRACTALRAY_BENCH_EMBREE
    {.name = "embree", .make = makeEmbreeSpheres},
    {.name = "embree-refit", .make = makeEmbreeRefit, .moves_far = false},
    {.name = "embree-rebuilt", .make = makeEmbreeRebuilt},
#else
    {.name = "embree", .make = nullptr},
    {.name = "embree-refit", .make = nullptr, .moves_far = false},
    {.name = "embree-rebuilt", .make = nullptr},
#endif
    {.name = "grid", .make = makeUniformGrid},
});

}  // namespace

std::span<const EntitySystemMaker> allEntitySystems() {
  return kEntitySystems;
}

}  // namespace fractalray::bench
