// SPDX-License-Identifier: Apache-2.0
// Block types, collision channels and layouts of ids.
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../../core/printable.h"
#include "internal/convert.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

absl::StatusOr<BlockTypeSpec> specFrom(const frBlockTypeDef& def) {
  absl::Status status = checkArguments({{def.name, "def->name"}});
  if (status.ok()) status = checkArray({def.channels, "def->channels"}, def.channel_count);
  if (status.ok())
    status = checkArray({def.channel_kinds, "def->channel_kinds"}, def.channel_count);
  if (!status.ok()) return status;
  const absl::StatusOr<BlockKind> kind = kindFromC(def.kind);
  if (!kind.ok()) return kind.status();
  status = checkOptional({def.channel_shapes, "def->channel_shapes"});
  if (!status.ok()) return status;
  BlockTypeSpec spec{.name = def.name, .kind = *kind, .shape = static_cast<ShapeId>(def.shape)};
  for (std::size_t i = 0; i < def.channel_count; ++i) {
    const absl::StatusOr<BlockKind> in_channel = kindFromC(def.channel_kinds[i]);
    if (!in_channel.ok()) return in_channel.status();
    const auto channel = static_cast<ChannelId>(def.channels[i]);
    spec.channel_kinds.emplace_back(channel, *in_channel);
    if (def.channel_shapes != nullptr) {
      spec.channel_shapes.emplace_back(channel, static_cast<ShapeId>(def.channel_shapes[i]));
    }
  }
  return spec;
}

// Checks the length of a table of ids before it is read: there are 256 ids of 1 byte, 65,536 of 2.
absl::Status checkTypeCount(const frIdLayoutDef& def) {
  if (def.id_bytes != 1 && def.id_bytes != 2 && def.id_bytes != 4)
    return badEnum("def->id_bytes", def.id_bytes, "1, 2, 4");
  const std::uint64_t ids = std::uint64_t{1} << (8 * def.id_bytes);
  if (def.type_count <= ids) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("def->type_count is ", def.type_count, "; ids of ",
                                                 def.id_bytes, " bytes have at most ", ids,
                                                 " values"));
}

// Reads the ids with states; `tables` keeps their types.
absl::StatusOr<std::vector<fractalray::TypesOfId>> statesFrom(
    const frIdLayoutDef& def, std::vector<std::vector<fractalray::BlockTypeId>>& tables) {
  std::vector<fractalray::TypesOfId> states;
  if (def.state_bits == 0) {
    if (def.state_count == 0) return states;
    return absl::InvalidArgumentError(absl::StrCat("def->state_count is ", def.state_count,
                                                   ", but def->state_bits is 0; give 1 to 8"));
  }
  absl::Status status = checkArray({def.states, "def->states"}, def.state_count);
  if (status.ok() && (def.state_bits < 0 || def.state_bits > 8))
    status = badEnum("def->state_bits", def.state_bits, "0 to 8");
  if (status.ok() && def.state_count > def.type_count) {
    status = absl::InvalidArgumentError(absl::StrCat(
        "def->state_count is ", def.state_count, ", more than def->type_count, ", def.type_count));
  }
  if (!status.ok()) return status;
  tables.resize(def.state_count);
  for (std::size_t i = 0; i < def.state_count; ++i) {
    const frIdStates& of_id = def.states[i];
    status = checkElement(def.states, i, "def->states");
    if (!status.ok()) return status;
    if (const Argument types(of_id.types, "types"); isBad(types))
      return ofElement("def->states", i, badArgument(types));
    for (std::size_t state = 0; state < std::size_t{1} << def.state_bits; ++state)
      tables[i].push_back(typeFromC(of_id.types[state]));
    states.push_back({.id = of_id.id, .types = tables[i]});
  }
  return states;
}

// Stores the number of what was found by a name.
template <class Id, class Number>
absl::Status storeFound(const std::optional<Id>& found, const char* what, const char* name,
                        Number* number) {
  if (!found.has_value()) {
    return absl::NotFoundError(
        absl::StrCat("the world has no ", what, " named ", quotedText(name)));
  }
  *number = static_cast<Number>(*found);
  return absl::OkStatus();
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::BlockTypeTable;

extern "C" {

frResult frWorld_AddBlockType(frWorld* world, const frBlockTypeDef* def, frBlockType* type) {
  return editing(__func__, world, {{type, "type"}}, [&](WorldState& state) -> absl::Status {
    absl::Status status = checkStruct(def, "def");
    if (!status.ok()) return status;
    const absl::StatusOr<fractalray::BlockTypeSpec> spec = specFrom(*def);
    if (!spec.ok()) return spec.status();
    const absl::StatusOr<fractalray::BlockTypeId> added = state.editWorld().blockTypes().add(*spec);
    if (!added.ok()) return added.status();
    *type = toC(*added);
    return status;
  });
}

frResult frWorld_AddChannel(frWorld* world, const char* name, frChannel* channel) {
  return editing(__func__, world, {{name, "name"}, {channel, "channel"}},
                 [&](WorldState& state) -> absl::Status {
                   const absl::StatusOr<fractalray::ChannelId> added =
                       state.editWorld().blockTypes().addChannel(name);
                   if (!added.ok()) return added.status();
                   *channel = static_cast<frChannel>(*added);
                   return absl::OkStatus();
                 });
}

frResult frWorld_FindBlockType(const frWorld* world, const char* name, frBlockType* type) {
  return reading(__func__, world, {{name, "name"}, {type, "type"}}, [&](const WorldState& state) {
    return storeFound(state.world().blockTypes().find(name), "block type", name, type);
  });
}

frResult frWorld_FindChannel(const frWorld* world, const char* name, frChannel* channel) {
  return reading(
      __func__, world, {{name, "name"}, {channel, "channel"}}, [&](const WorldState& state) {
        return storeFound(state.world().blockTypes().findChannel(name), "channel", name, channel);
      });
}

frResult frWorld_CountBlockTypes(const frWorld* world, size_t* types, size_t* channels) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    absl::Status status = checkOptional({types, "types"});
    if (status.ok()) status = checkOptional({channels, "channels"});
    if (!status.ok()) return status;
    if (types != nullptr) *types = state.world().blockTypes().size();
    if (channels != nullptr) *channels = state.world().blockTypes().channels();
    return status;
  });
}

frResult frWorld_GetBlockTypeName(const frWorld* world, frBlockType type, char* name,
                                  size_t capacity, size_t* length) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    const BlockTypeTable& types = state.world().blockTypes();
    absl::Status status = checkBlockType(state, type);
    if (status.ok()) status = checkArray({name, "name"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    return status.ok() ? copyText(types.name(typeFromC(type)), name, capacity, length) : status;
  });
}

frResult frWorld_GetChannelName(const frWorld* world, frChannel channel, char* name,
                                size_t capacity, size_t* length) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    const BlockTypeTable& types = state.world().blockTypes();
    absl::Status status = checkChannel(state, channel);
    if (status.ok()) status = checkArray({name, "name"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    if (!status.ok()) return status;
    return copyText(types.channelName(static_cast<fractalray::ChannelId>(channel)), name, capacity,
                    length);
  });
}

frResult frWorld_GetBlockKind(const frWorld* world, frBlockType type, frChannel channel,
                              int32_t* kind) {
  return reading(__func__, world, {{kind, "kind"}}, [&](const WorldState& state) {
    const BlockTypeTable& types = state.world().blockTypes();
    absl::Status status = checkBlockType(state, type);
    if (status.ok()) status = checkChannel(state, channel);
    if (!status.ok()) return status;
    *kind = toC(types.kind(typeFromC(type), static_cast<fractalray::ChannelId>(channel)));
    return status;
  });
}

frResult frCreateIdLayout(const frIdLayoutDef* def, frIdLayout** layout) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkStruct(def, "def");
    if (status.ok()) status = checkArguments({{layout, "layout"}});
    if (status.ok()) status = checkArray({def->types, "def->types"}, def->type_count);
    if (!status.ok()) return status;
    fractalray::IdLayoutSpec spec{.id_bytes = def->id_bytes, .strides = vectorFrom(def->strides)};
    std::vector<fractalray::BlockTypeId> table;
    if (def->types != nullptr) {
      status = checkTypeCount(*def);
      if (!status.ok()) return status;
      for (std::size_t i = 0; i < def->type_count; ++i)
        table.push_back(typeFromC(def->types[i]));
      spec.types = table;
    }
    std::vector<std::vector<fractalray::BlockTypeId>> tables;
    const auto states = statesFrom(*def, tables);
    if (!states.ok()) return states.status();
    spec.state = {.offset = def->state_offset, .bits = def->state_bits, .types = *states};
    absl::StatusOr<fractalray::IdLayout> made = fractalray::IdLayout::make(spec);
    if (!made.ok()) return made.status();
    NewObject<frIdLayout>(Object<frIdLayout>{*std::move(made)}).giveTo(layout);
    return status;
  });
}

frResult frDestroyIdLayout(frIdLayout* layout) {
  return destroy(__func__, layout, "layout");
}

}  // extern "C"
