// SPDX-License-Identifier: Apache-2.0
// Chunks: loading, unloading, and what is loaded.
#include <cstddef>
#include <utility>
#include <vector>

#include "internal/chunk_defs.h"
#include "internal/convert.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

absl::StatusOr<ChunkChange> changeFrom(const frChunkDef& def, const BlockTypeTable& types) {
  ChunkChange change{.at = chunkFrom(def.chunk)};
  if (def.source == FR_CHUNK_UNLOAD) return change;
  absl::StatusOr<Chunk> chunk = contentFrom(def, types);
  if (!chunk.ok()) {
    return absl::Status(chunk.status().code(),
                        absl::StrCat("chunk [", def.chunk[0], ", ", def.chunk[1], ", ",
                                     def.chunk[2], "]: ", chunk.status().message()));
  }
  change.chunk = *std::move(chunk);
  return change;
}

absl::Status loadChunks(World& world, int level, const frChunkDef* chunks, std::size_t count) {
  std::vector<ChunkChange> changes;
  for (std::size_t i = 0; i < count; ++i) {
    absl::Status status = checkElement(chunks, i, "chunks");
    if (!status.ok()) return status;
    absl::StatusOr<ChunkChange> change = changeFrom(chunks[i], world.blockTypes());
    if (!change.ok()) return ofElement("chunks", i, change.status());
    changes.push_back(*std::move(change));
  }
  if (count == 1 && changes[0].chunk.has_value()) {
    return world.loadChunk(level, changes[0].at, *std::move(changes[0].chunk));
  }
  return world.replaceChunks(level, std::move(changes));
}

static_assert(kBlocksPerChunk == FR_BLOCKS_PER_CHUNK);

absl::Status notLoaded(int level, const std::int64_t* chunk) {
  return absl::NotFoundError(absl::StrCat("chunk [", chunk[0], ", ", chunk[1], ", ", chunk[2],
                                          "] of level ", level, " is not loaded; load it first"));
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::Chunk;
using fractalray::ChunkCoord;

extern "C" {

frResult frWorld_LoadChunks(frWorld* world, int32_t level, const frChunkDef* chunks, size_t count) {
  return editing(__func__, world, {}, [&](WorldState& state) {
    absl::Status status = checkLevel(state, level);
    if (status.ok()) status = checkStructs(chunks, count, "chunks");
    return status.ok() ? loadChunks(state.editWorld(), level, chunks, count) : status;
  });
}

frResult frWorld_LoadProtoChunk(frWorld* world, int32_t level, const int64_t chunk[3]) {
  return editing(__func__, world, {{chunk, "chunk"}}, [&](WorldState& state) {
    return state.editWorld().placeProtoChunk(level, chunkFrom(chunk));
  });
}

frResult frWorld_UnloadChunk(frWorld* world, int32_t level, const int64_t chunk[3]) {
  return editing(__func__, world, {{chunk, "chunk"}}, [&](WorldState& state) {
    return state.editWorld().unloadChunk(level, chunkFrom(chunk));
  });
}

frResult frWorld_GetChunk(const frWorld* world, int32_t level, const int64_t chunk[3],
                          frChunkInfo* info) {
  return reading(__func__, world, {{chunk, "chunk"}, {info, "info"}}, [&](const WorldState& state) {
    absl::Status status = checkLevel(state, level);
    if (!status.ok()) return status;
    const Chunk* const loaded = state.world().chunk(level, chunkFrom(chunk));
    *info = {};
    info->state = toC(state.world().chunkState(level, chunkFrom(chunk)));
    if (loaded == nullptr) return status;
    info->bytes = loaded->bytes();
    info->is_uniform = loaded->isUniform() ? 1 : 0;
    info->is_borrowed = loaded->isBorrowed() ? 1 : 0;
    info->is_borrowed_for_writing = loaded->isBorrowedForWriting() ? 1 : 0;
    info->is_empty = loaded->isEmpty() ? 1 : 0;
    return status;
  });
}

frResult frWorld_GetChunkBlocks(const frWorld* world, int32_t level, const int64_t chunk[3],
                                frBlockType* types) {
  return reading(__func__, world, {{chunk, "chunk"}, {types, "types"}},
                 [&](const WorldState& state) {
                   absl::Status status = checkLevel(state, level);
                   if (!status.ok()) return status;
                   const Chunk* const loaded = state.world().chunk(level, chunkFrom(chunk));
                   if (loaded == nullptr) return notLoaded(level, chunk);
                   for (int i = 0; i < FR_BLOCKS_PER_CHUNK; ++i)
                     types[i] = toC(loaded->block(i));
                   return status;
                 });
}

frResult frWorld_GetLevel(const frWorld* world, int32_t level, frLevelInfo* info) {
  return reading(__func__, world, {{info, "info"}}, [&](const WorldState& state) {
    absl::Status status = checkLevel(state, level);
    if (!status.ok()) return status;
    *info = {};
    info->loaded_chunks = state.world().loadedChunks(level);
    info->proto_chunks = state.world().protoChunks(level);
    const auto box = state.world().loadedBox(level);
    store(box.has_value() ? box->min : ChunkCoord{0, 0, 0}, info->min);
    store(box.has_value() ? box->max : ChunkCoord{-1, -1, -1}, info->max);
    return status;
  });
}

frResult frWorld_GetLoadedChunks(const frWorld* world, int32_t level, int64_t* chunks,
                                 size_t capacity, size_t* count) {
  return reading(__func__, world, {{count, "count"}}, [&](const WorldState& state) {
    absl::Status status = checkLevel(state, level);
    if (status.ok()) status = checkArray({chunks, "chunks"}, capacity);
    if (!status.ok()) return status;
    const std::size_t loaded = state.world().loadedChunks(level);
    std::size_t i = 0;
    if (capacity > 0) {
      state.world().forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& /*chunk*/) {
        if (i < capacity) store(at, chunks + 3 * i++);
      });
    }
    *count = loaded;
    return capacity == 0 || loaded <= capacity ? status : tooShort(loaded, capacity);
  });
}

}  // extern "C"
