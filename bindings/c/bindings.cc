// SPDX-License-Identifier: Apache-2.0
// Entities that belong to blocks.
#include <cstddef>
#include <optional>
#include <vector>

#include "internal/convert.h"
#include "internal/frame_moves.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

// Runs a function that changes bindings, and perhaps their world: shots in progress may then call
// filters and terminal tests.
template <class Body>
frResult editingBindings(const char* function, frBindings* bindings, Arguments arguments,
                         const Body& body) {
  return withBusy(function, bindings, "bindings", arguments,
                  [&](Object<frBindings>& used) -> absl::Status {
                    absl::Status status = checkEditsAllowed();
                    return status.ok() ? body(used.bindings) : status;
                  });
}

// Copies handles to the caller's array.
absl::Status copyEntities(const std::vector<EntityHandle>& found, frEntity* entities,
                          std::size_t capacity, std::size_t* count) {
  absl::Status status = checkArray({entities, "entities"}, capacity);
  if (!status.ok()) return status;
  return copyOut(found.size(), entities, capacity, count,
                 [&](std::size_t i) { return toC(found[i]); });
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::BlockBindings;

extern "C" {

frResult frCreateBindings(frWorld* world, frBindings** bindings) {
  return editing(__func__, world, {{bindings, "bindings"}}, [&](WorldState& /*state*/) {
    NewObject<frBindings>(find(world)->state).giveTo(bindings);
    return absl::OkStatus();
  });
}

frResult frDestroyBindings(frBindings* bindings) {
  return destroy(__func__, bindings, "bindings");
}

frResult frBindings_Bind(frBindings* bindings, frEntity entity, int32_t level,
                         const int64_t block[3]) {
  return editingBindings(__func__, bindings, {{block, "block"}}, [&](BlockBindings& used) {
    return used.bind(fromC(entity), level, blockFrom(block));
  });
}

frResult frBindings_Unbind(frBindings* bindings, frEntity entity) {
  return editingBindings(__func__, bindings, {},
                         [&](BlockBindings& used) { return used.unbind(fromC(entity)); });
}

frResult frBindings_Clear(frBindings* bindings) {
  return editingBindings(__func__, bindings, {}, [&](BlockBindings& used) {
    used.clear();
    return absl::OkStatus();
  });
}

frResult frBindings_GetBlock(const frBindings* bindings, frEntity entity, frBlockOfLevel* block) {
  return with(
      __func__, bindings, "bindings", {{block, "block"}}, [&](const Object<frBindings>& used) {
        const std::optional<fractalray::BlockOfLevel> found = used.bindings.blockOf(fromC(entity));
        if (!found.has_value()) {
          return absl::NotFoundError(absl::StrCat("entity ", entity, " is bound to no block"));
        }
        *block = {};
        store(found->block, block->block);
        block->level = found->level;
        return absl::OkStatus();
      });
}

frResult frBindings_GetEntities(const frBindings* bindings, int32_t level, const int64_t block[3],
                                frEntity* entities, size_t capacity, size_t* count) {
  return with(__func__, bindings, "bindings", {{block, "block"}, {count, "count"}},
              [&](const Object<frBindings>& used) {
                return copyEntities(used.bindings.boundTo(level, blockFrom(block)), entities,
                                    capacity, count);
              });
}

frResult frBindings_GetEntitiesInChunk(const frBindings* bindings, int32_t level,
                                       const int64_t chunk[3], frEntity* entities, size_t capacity,
                                       size_t* count) {
  return with(__func__, bindings, "bindings", {{chunk, "chunk"}, {count, "count"}},
              [&](const Object<frBindings>& used) {
                return copyEntities(used.bindings.boundInChunk(level, chunkFrom(chunk)), entities,
                                    capacity, count);
              });
}

frResult frBindings_MoveBlock(frBindings* bindings, int32_t level, const int64_t from[3],
                              const int64_t to[3]) {
  return editingBindings(
      __func__, bindings, {{from, "from"}, {to, "to"}},
      [&](BlockBindings& used) { return used.moveBlock(level, blockFrom(from), blockFrom(to)); });
}

frResult frBindings_RemoveBlock(frBindings* bindings, int32_t level, const int64_t block[3]) {
  return editingBindings(__func__, bindings, {{block, "block"}}, [&](BlockBindings& used) {
    return used.removeBlock(level, blockFrom(block));
  });
}

frResult frBindings_UnloadChunk(frBindings* bindings, int32_t level, const int64_t chunk[3]) {
  return editingBindings(__func__, bindings, {{chunk, "chunk"}}, [&](BlockBindings& used) {
    return used.unloadChunk(level, chunkFrom(chunk));
  });
}

frResult frBindings_RemoveUnloaded(frBindings* bindings, size_t* removed) {
  return editingBindings(__func__, bindings, {}, [&](BlockBindings& used) {
    absl::Status status = checkOptional({removed, "removed"});
    if (!status.ok()) return status;
    const std::size_t entities = used.removeUnloaded();
    if (removed != nullptr) *removed = entities;
    return status;
  });
}

frResult frBindings_Follow(frBindings* bindings, const frFrameMove* move, frEntity* unbound,
                           size_t capacity, size_t* count) {
  return with(__func__, bindings, "bindings", {{move, "move"}, {count, "count"}},
              [&](Object<frBindings>& used) -> absl::Status {
                absl::Status status = checkArray({unbound, "unbound"}, capacity);
                if (status.ok()) status = checkEditsAllowed();
                if (!status.ok()) return status;
                const auto followed = frameMoveFrom(*move, used.state->world().frame());
                if (!followed.ok()) return followed.status();
                return copyEntities(used.bindings.follow(*followed), unbound, capacity, count);
              });
}

}  // extern "C"
