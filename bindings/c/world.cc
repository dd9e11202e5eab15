// SPDX-License-Identifier: Apache-2.0
// Worlds and snapshots.
#include <utility>

#include "../../core/version.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/world_def.h"

namespace fractalray::capi {
namespace {

static_assert(FR_VERSION_MAJOR == FRACTALRAY_VERSION_MAJOR);
static_assert(FR_VERSION_MINOR == FRACTALRAY_VERSION_MINOR);
static_assert(FR_VERSION_PATCH == FRACTALRAY_VERSION_PATCH);

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frCreateWorld(const frWorldDef* def, frWorld** world) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::StatusOr<WorldPlan> plan = readWorldDef(def);
    if (!plan.ok()) return plan.status();
    absl::Status status = checkArguments({{world, "world"}});
    if (!status.ok()) return status;
    const int levels = plan->levels == 0 ? 1 : plan->levels;
    fractalray::World blocks({.levels = levels, .block_types = plan->block_types});
    NewObject<frWorld>(Object<frWorld>{makeState(*std::move(plan), std::move(blocks))})
        .giveTo(world);
    return status;
  });
}

frResult frDestroyWorld(frWorld* world) {
  if (world == nullptr) return FR_OK;
  const frResult checked = guarded(__func__, [&] {
    absl::Status status = checkObject(world, "world");
    if (status.ok()) status = checkEditsAllowed();
    if (status.ok() && EffectScope::isRunning(find(world)->state.get())) status = isBusy("world");
    // Cursors and others may keep the state alive; nobody could end the log then.
    if (status.ok()) find(world)->state->setLog(nullptr);
    return status;
  });
  return checked == FR_OK ? destroy(__func__, world, "world") : checked;
}

frResult frWorld_Snapshot(frWorld* world, frWorld** snapshot) {
  return editing(__func__, world, {{snapshot, "snapshot"}}, [&](WorldState& state) {
    NewObject<frWorld>(Object<frWorld>{state.snapshot()}).giveTo(snapshot);
    return absl::OkStatus();
  });
}

frResult frWorld_GetLevels(const frWorld* world, int32_t* levels) {
  return reading(__func__, world, {{levels, "levels"}}, [&](const WorldState& state) {
    *levels = state.world().frame().levels();
    return absl::OkStatus();
  });
}

frResult frWorld_GetVersions(const frWorld* world, uint64_t* blocks, uint64_t* entities) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    absl::Status status = checkOptional({blocks, "blocks"});
    if (status.ok()) status = checkOptional({entities, "entities"});
    if (!status.ok()) return status;
    if (blocks != nullptr) *blocks = state.world().version();
    if (entities != nullptr) *entities = state.entities().version();
    return status;
  });
}

frResult frWorld_SetParallelFor(frWorld* world, frParallelForFcn* parallel_for, void* context) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    absl::Status status = checkEditsAllowed();
    if (status.ok() && EffectScope::isRunning(&state)) status = isBusy("world");
    if (status.ok()) find(world)->state->setThreads({parallel_for, context});
    return status;
  });
}

}  // extern "C"
