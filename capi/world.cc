// SPDX-License-Identifier: Apache-2.0
// Worlds and snapshots.
#include <string_view>
#include <utility>

#include "../core/version.h"
#include "internal/convert.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

static_assert(FR_VERSION_MAJOR == FRACTALRAY_VERSION_MAJOR);
static_assert(FR_VERSION_MINOR == FRACTALRAY_VERSION_MINOR);
static_assert(FR_VERSION_PATCH == FRACTALRAY_VERSION_PATCH);

absl::Status checkVersion(std::int32_t version) {
  constexpr bool kMinorsMayDiffer = FR_VERSION_MAJOR > 0;
  const bool is_right = version / 1000000 == FR_VERSION_MAJOR &&
                        (kMinorsMayDiffer || version / 1000 % 1000 == FR_VERSION_MINOR);
  if (version > 0 && is_right) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("def->version is ", version, ", the library has version ", FR_VERSION,
                   "; set it to FR_VERSION, and compile with the header of this library"));
}

// Returns the table of block types of another world, or a new one.
absl::StatusOr<std::shared_ptr<BlockTypeTable>> tableOf(const frWorld* other) {
  if (other == nullptr) return std::make_shared<BlockTypeTable>();
  absl::Status status = checkObject(other, "def->block_types_of");
  if (!status.ok()) return status;
  const WorldState& state = *find(other)->state;
  if (state.isSnapshot()) return isSnapshot();
  return state.blockTypes();
}

absl::StatusOr<std::shared_ptr<WorldState>> makeWorld(const frWorldDef& def) {
  absl::Status status = checkVersion(def.version);
  if (!status.ok()) return status;
  const int levels = def.levels == 0 ? 1 : def.levels;
  if (levels < 1 || levels > kMaxLevels) {
    return absl::InvalidArgumentError(
        absl::StrCat("def->levels is ", levels, "; a world has 1 to ", kMaxLevels));
  }
  absl::StatusOr<ChunkPath> anchor = ChunkPath::parse(def.anchor == nullptr ? "" : def.anchor);
  if (!anchor.ok()) return anchor.status();
  absl::StatusOr<std::shared_ptr<BlockTypeTable>> types = tableOf(def.block_types_of);
  if (!types.ok()) return types.status();
  auto state = std::make_shared<WorldState>(levels, *std::move(anchor), *std::move(types));
  state->setThreads({def.parallel_for, def.parallel_context});
  return state;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frCreateWorld(const frWorldDef* def, frWorld** world) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkStruct(def, "def");
    if (status.ok()) status = checkArguments({{world, "world"}});
    if (!status.ok()) return status;
    absl::StatusOr<std::shared_ptr<WorldState>> state = makeWorld(*def);
    if (!state.ok()) return state.status();
    NewObject<frWorld>(Object<frWorld>{*std::move(state)}).giveTo(world);
    return status;
  });
}

frResult frDestroyWorld(frWorld* world) {
  if (world == nullptr) return FR_OK;
  const frResult checked = guarded(__func__, [&] {
    absl::Status status = checkObject(world, "world");
    if (status.ok()) status = checkEditsAllowed();
    if (status.ok() && EffectScope::isRunning(find(world)->state.get())) status = isBusy("world");
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
