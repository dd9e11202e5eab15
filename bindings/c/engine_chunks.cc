// SPDX-License-Identifier: Apache-2.0
// The caller's chunks of any width.
#include <utility>

#include "internal/layouts.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

absl::StatusOr<EngineChunks> makeChunks(WorldState& state, const frEngineChunksDef& def) {
  if (def.find == nullptr) return badArgument({nullptr, "def->find"});
  if (!state.world().frame().isActive(def.level)) {
    return absl::InvalidArgumentError(absl::StrCat("def->level is ", def.level,
                                                   "; the world has levels 0 to ",
                                                   state.world().frame().levels() - 1));
  }
  const int width = def.width == 0 ? 16 : def.width;
  if (def.layout == nullptr && width != 16) {
    return absl::InvalidArgumentError(absl::StrCat(
        "def->width is ", width, ", but there is no def->layout of chunks of that width"));
  }
  const absl::StatusOr<IdLayout> layout = layoutFrom(def.layout, nullptr);
  if (!layout.ok()) return layout.status();
  const EngineChunksSpec spec{.width = width, .layout = *layout, .level = def.level};
  const auto find = [find = def.find, context = def.context](const Vec3i& chunk) {
    const PureScope scope;
    return find(context, chunk.values.data());
  };
  switch (def.source) {
    case FR_CHUNK_COPY:
      return EngineChunks::copied(state.editWorld(), spec, find);
    case FR_CHUNK_BORROW:
      return EngineChunks::borrowed(state.editWorld(), spec, find);
    case FR_CHUNK_BORROW_FOR_WRITING:
      return EngineChunks::borrowedForWriting(state.editWorld(), spec, find);
    default:
      return badEnum("def->source", def.source,
                     "FR_CHUNK_COPY, FR_CHUNK_BORROW, FR_CHUNK_BORROW_FOR_WRITING");
  }
}

// Runs a function that edits the world of engine chunks.
template <class Body>
frResult editingChunks(const char* function, frEngineChunks* chunks, Arguments arguments,
                       const Body& body) {
  return withBusy(function, chunks, "chunks", arguments, [&](Object<frEngineChunks>& used) {
    absl::Status status = checkEditsAllowed();
    return status.ok() ? body(used.chunks) : status;
  });
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::EngineChunks;

extern "C" {

frResult frCreateEngineChunks(frWorld* world, const frEngineChunksDef* def,
                              frEngineChunks** chunks) {
  return editing(__func__, world, {{chunks, "chunks"}}, [&](WorldState& state) -> absl::Status {
    absl::Status status = checkStruct(def, "def");
    if (!status.ok()) return status;
    absl::StatusOr<EngineChunks> made = makeChunks(state, *def);
    if (!made.ok()) return made.status();
    NewObject<frEngineChunks>(
        Object<frEngineChunks>{.state = find(world)->state, .chunks = *std::move(made)})
        .giveTo(chunks);
    return status;
  });
}

frResult frDestroyEngineChunks(frEngineChunks* chunks) {
  return destroy(__func__, chunks, "chunks");
}

frResult frEngineChunks_Sync(frEngineChunks* chunks, const int64_t chunk[3]) {
  return editingChunks(__func__, chunks, {{chunk, "chunk"}},
                       [&](EngineChunks& used) { return used.sync(vectorFrom(chunk)); });
}

frResult frEngineChunks_RefreshBlock(frEngineChunks* chunks, const int64_t block[3]) {
  return editingChunks(__func__, chunks, {{block, "block"}},
                       [&](EngineChunks& used) { return used.refreshBlock(blockFrom(block)); });
}

frResult frEngineChunks_RefreshBox(frEngineChunks* chunks, const int64_t min[3],
                                   const int64_t max[3]) {
  return editingChunks(__func__, chunks, {{min, "min"}, {max, "max"}}, [&](EngineChunks& used) {
    return used.refreshBox(blockFrom(min), blockFrom(max));
  });
}

}  // extern "C"
