// SPDX-License-Identifier: Apache-2.0
// Entities: adding, moving, changing, removing and finding them.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "internal/callback_scope.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/vectors.h"

namespace fractalray::capi {
namespace {

absl::StatusOr<Shape> shapeFrom(const frEntityDef& def) {
  if (def.shape == FR_SPHERE) return Sphere{def.half_extents[0]};
  if (def.shape == FR_BOX) return Box{vectorFrom(def.half_extents)};
  return badEnum("shape", def.shape, "FR_SPHERE, FR_BOX");
}

absl::StatusOr<std::vector<EntitySpec>> specsFrom(const frEntityDef* defs, std::size_t count) {
  std::vector<EntitySpec> specs;
  for (std::size_t i = 0; i < count; ++i) {
    const frEntityDef& def = defs[i];
    absl::Status status = checkElement(defs, i, "defs");
    if (!status.ok()) return status;
    const absl::StatusOr<Shape> shape = shapeFrom(def);
    if (!shape.ok()) return ofElement("defs", i, shape.status());
    specs.push_back({.id = def.id,
                     .level = def.level,
                     .entity_class = static_cast<EntityClassId>(def.entity_class),
                     .shape = *shape,
                     .position = vectorFrom(def.position),
                     .categories = def.categories == 0 ? 1 : def.categories});
  }
  return specs;
}

constexpr std::uint32_t kAllMembers =
    FR_SET_LEVEL | FR_SET_CATEGORIES | FR_SET_POSITION | FR_SET_SHAPE | FR_SET_CLASS;

absl::StatusOr<EntityUpdate> updateFrom(const frEntityDef& def, std::uint32_t members) {
  EntityUpdate update;
  if ((members & FR_SET_LEVEL) != 0) update.level = def.level;
  if ((members & FR_SET_CATEGORIES) != 0) update.categories = def.categories;
  if ((members & FR_SET_POSITION) != 0) update.position = vectorFrom(def.position);
  if ((members & FR_SET_CLASS) != 0) {
    update.entity_class = static_cast<EntityClassId>(def.entity_class);
  }
  if ((members & FR_SET_SHAPE) != 0) {
    absl::StatusOr<Shape> shape = shapeFrom(def);
    if (!shape.ok()) return shape.status();
    update.shape = *shape;
  }
  return update;
}

absl::StatusOr<std::vector<EntityChange>> changesFrom(const frEntity* entities,
                                                      const frEntityDef* defs,
                                                      std::uint32_t members, std::size_t count) {
  if ((members & ~kAllMembers) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("members is ", members, ", which is no sum of FR_SET_..."));
  }
  std::vector<EntityChange> changes;
  for (std::size_t i = 0; i < count; ++i) {
    absl::Status status = checkElement(defs, i, "defs");
    if (!status.ok()) return status;
    const absl::StatusOr<EntityUpdate> update = updateFrom(defs[i], members);
    if (!update.ok()) return ofElement("defs", i, update.status());
    changes.push_back({.entity = fromC(entities[i]), .update = *update});
  }
  return changes;
}

absl::StatusOr<std::vector<EntityMove>> movesFrom(const frEntity* entities,
                                                  const frVectors* positions, std::size_t count) {
  absl::Status status = VectorReader::check(*positions, count, "positions");
  if (!status.ok()) return status;
  const VectorReader reader(*positions);
  if (reader.isInUnits()) {
    return absl::InvalidArgumentError(
        "positions.format is FR_UNITS; positions of entities are FR_F64 or FR_F32");
  }
  std::vector<EntityMove> moves;
  for (std::size_t i = 0; i < count; ++i)
    moves.push_back({.entity = fromC(entities[i]), .position = reader.blocks(i)});
  return moves;
}

absl::Status staleEntity(frEntity entity) {
  return absl::NotFoundError(
      absl::StrCat("there is no entity ", entity, "; it has been removed, or was never here"));
}

void writeInfo(const Entity& entity, frEntityInfo& info) {
  info = {};
  info.id = entity.id;
  info.categories = entity.categories;
  store(entity.position, info.position);
  store(entity.shape.half_extents, info.half_extents);
  info.level = int{entity.level};
  info.index_level = int{entity.index_level};
  info.entity_class = static_cast<std::uint32_t>(entity.entity_class);
  info.shape = static_cast<std::int32_t>(entity.shape.kind);
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::EntityHandle;

extern "C" {

frResult frWorld_AddEntities(frWorld* world, const frEntityDef* defs, size_t count,
                             frEntity* entities) {
  return editing(__func__, world, {}, [&](WorldState& state) -> absl::Status {
    absl::Status status = checkStructs(defs, count, "defs");
    if (status.ok()) status = checkArray({entities, "entities"}, count);
    if (!status.ok()) return status;
    const absl::StatusOr<std::vector<fractalray::EntitySpec>> specs = specsFrom(defs, count);
    if (!specs.ok()) return specs.status();
    const absl::StatusOr<std::vector<EntityHandle>> added = state.editEntities().addAll(*specs);
    if (!added.ok()) return added.status();
    for (std::size_t i = 0; i < count; ++i)
      entities[i] = toC((*added)[i]);
    return status;
  });
}

frResult frWorld_MoveEntities(frWorld* world, const frEntity* entities, const frVectors* positions,
                              size_t count) {
  return editing(__func__, world, {{positions, "positions"}},
                 [&](WorldState& state) -> absl::Status {
                   absl::Status status = checkArray({entities, "entities"}, count);
                   if (!status.ok()) return status;
                   const auto moves = movesFrom(entities, positions, count);
                   return moves.ok() ? state.editEntities().moveAll(*moves) : moves.status();
                 });
}

frResult frWorld_RemoveEntities(frWorld* world, const frEntity* entities, size_t count) {
  return editing(__func__, world, {}, [&](WorldState& state) -> absl::Status {
    absl::Status status = checkArray({entities, "entities"}, count);
    if (!status.ok()) return status;
    std::vector<EntityHandle> handles;
    for (std::size_t i = 0; i < count; ++i)
      handles.push_back(fromC(entities[i]));
    return state.editEntities().removeAll(handles);
  });
}

frResult frWorld_UpdateEntities(frWorld* world, const frEntity* entities, const frEntityDef* defs,
                                uint32_t members, size_t count) {
  return editing(__func__, world, {}, [&](WorldState& state) -> absl::Status {
    absl::Status status = checkArray({entities, "entities"}, count);
    if (status.ok()) status = checkStructs(defs, count, "defs");
    if (!status.ok()) return status;
    const auto changes = changesFrom(entities, defs, members, count);
    return changes.ok() ? state.editEntities().updateAll(*changes) : changes.status();
  });
}

frResult frWorld_GetEntity(const frWorld* world, frEntity entity, frEntityInfo* info) {
  return reading(__func__, world, {{info, "info"}}, [&](const WorldState& state) {
    const fractalray::Entity* const found = state.entities().find(fromC(entity));
    if (found == nullptr) return staleEntity(entity);
    writeInfo(*found, *info);
    return absl::OkStatus();
  });
}

frResult frWorld_FindEntity(const frWorld* world, uint64_t id, frEntity* entity) {
  return reading(__func__, world, {{entity, "entity"}}, [&](const WorldState& state) {
    const std::optional<EntityHandle> found = state.entities().findId(id);
    if (!found.has_value()) {
      return absl::NotFoundError(absl::StrCat("no living entity has the id ", id));
    }
    *entity = toC(*found);
    return absl::OkStatus();
  });
}

frResult frWorld_GetEntities(const frWorld* world, frEntity* entities, size_t capacity,
                             size_t* count) {
  return reading(__func__, world, {{count, "count"}}, [&](const WorldState& state) {
    absl::Status status = checkArray({entities, "entities"}, capacity);
    if (!status.ok()) return status;
    std::vector<EntityHandle> all;
    if (capacity > 0) all = state.entities().all();
    return copyOut(state.entities().size(), entities, capacity, count,
                   [&](std::size_t i) { return toC(all[i]); });
  });
}

frResult frWorld_GetEntityChunks(const frWorld* world, frEntity entity, int64_t* chunks,
                                 size_t capacity, size_t* count) {
  return reading(__func__, world, {{count, "count"}}, [&](const WorldState& state) {
    absl::Status status = checkArray({chunks, "chunks"}, capacity);
    if (!status.ok()) return status;
    if (state.entities().find(fromC(entity)) == nullptr) return staleEntity(entity);
    const std::vector<fractalray::ChunkCoord> found = state.entities().chunks(fromC(entity));
    for (std::size_t i = 0; i < std::min(found.size(), capacity); ++i)
      store(found[i], chunks + 3 * i);
    *count = found.size();
    return capacity == 0 || found.size() <= capacity ? status : tooShort(found.size(), capacity);
  });
}

frResult frWorld_RefineEntities(frWorld* world, size_t most, int32_t* is_done) {
  return editing(__func__, world, {}, [&](WorldState& state) {
    absl::Status status = checkOptional({is_done, "is_done"});
    if (!status.ok()) return status;
    const bool done = state.editEntities().refine(most);
    if (is_done != nullptr) *is_done = done ? 1 : 0;
    return status;
  });
}

frResult frWorld_OptimizeEntities(frWorld* world, size_t* chunks) {
  return editing(__func__, world, {}, [&](WorldState& state) {
    absl::Status status = checkOptional({chunks, "chunks"});
    if (!status.ok()) return status;
    const EffectScope in_use(&state);
    const PureScope no_edits;
    const std::size_t changed = state.editEntities().optimize(state.threads());
    if (chunks != nullptr) *chunks = changed;
    return status;
  });
}

}  // extern "C"
