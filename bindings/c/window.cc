// SPDX-License-Identifier: Apache-2.0
// Moves of the frame of a world, and paths of chunks.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "internal/convert.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

// The results of a move.
struct MoveResults {
  frWindowMove* move;
  frLeftOver** left_over;
};

absl::Status checkResults(const MoveResults& results) {
  if (results.move != nullptr) {
    absl::Status status = checkStruct(results.move, "move");
    if (!status.ok()) return status;
  }
  return checkOptional({results.left_over, "left_over"});
}

// Moves the frame by a function of Window, and reports the move, which is described by its kind and
// a chunk.
template <class Move>
absl::Status moveFrame(WorldState& state, const MoveResults& results, std::int32_t kind,
                       const ChunkCoord& chunk, const Move& move) {
  absl::Status status = checkResults(results);
  if (!status.ok()) return status;
  // Made first, since nothing may fail after the move.
  std::optional<NewObject<frLeftOver>> left_over;
  if (results.left_over != nullptr) left_over.emplace();
  absl::StatusOr<WindowMove> moved = state.moveFrame(move);
  if (!moved.ok()) return moved.status();
  if (results.move != nullptr) {
    frWindowMove& written = *results.move;
    written = {};
    written.struct_size = sizeof(frWindowMove);
    store(chunk, written.frame_move.chunk);
    written.frame_move.kind = kind;
    written.frame_move.levels = state.world().frame().levels();
    written.dropped_chunks = moved->dropped_chunks;
    written.evicted = state.evicted().size();
  }
  if (left_over.has_value()) {
    (*left_over)->memory = std::move(moved->left_over);
    left_over->giveTo(results.left_over);
  }
  return status;
}

// Returns the chunk of the parent's that level-0 chunk (0, 0, 0) is; (0, 0, 0) at the root.
ChunkCoord stepOf(const ChunkPath& anchor) {
  if (anchor.steps().empty()) return {};
  const ChunkPath::Step& last = anchor.steps().back();
  return {last[0], last[1], last[2]};
}

// Returns the chunk at the end of a path from the root, in the frame whose level-0 chunk (0, 0, 0)
// is at `anchor`; nothing if it is coarser than level 0, or too far away.
std::optional<ChunkOfLevel> chunkAtPath(const ChunkPath& path, const ChunkPath& anchor) {
  constexpr std::int64_t kFar = std::int64_t{1} << 57;
  const std::size_t depth = anchor.steps().size();
  if (path.steps().size() < depth) return std::nullopt;
  ChunkOfLevel at{.level = static_cast<int>(path.steps().size() - depth)};
  for (std::size_t i = 0; i < path.steps().size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const int base = i < depth ? anchor.steps()[i][axis] : 0;
      at.chunk[axis] = at.chunk[axis] * kChunkSize + path.steps()[i][axis] - base;
      if (at.chunk[axis] < -kFar || at.chunk[axis] > kFar) return std::nullopt;
    }
  }
  return at;
}

absl::Status copyPath(const ChunkPath& path, char* text, std::size_t capacity,
                      std::size_t* length) {
  absl::Status status = checkArray({text, "path"}, capacity);
  if (status.ok()) status = checkOptional({length, "length"});
  return status.ok() ? copyText(path.text(), text, capacity, length) : status;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::ChunkCoord;
using fractalray::ChunkPath;
using fractalray::Window;

extern "C" {

frResult frWorld_Descend(frWorld* world, const int64_t chunk[3], frWindowMove* move,
                         frLeftOver** left_over) {
  return editing(__func__, world, {{chunk, "chunk"}}, [&](WorldState& state) {
    const ChunkCoord at = chunkFrom(chunk);
    return moveFrame(state, {move, left_over}, FR_DESCEND, at,
                     [&](Window& window) { return window.descend(at); });
  });
}

frResult frWorld_Climb(frWorld* world, frWindowMove* move, frLeftOver** left_over) {
  return editing(__func__, world, {}, [&](WorldState& state) {
    return moveFrame(state, {move, left_over}, FR_CLIMB, stepOf(state.anchor()),
                     [](Window& window) { return window.climb(); });
  });
}

frResult frWorld_Recenter(frWorld* world, const int64_t chunk[3], frWindowMove* move,
                          frLeftOver** left_over) {
  return editing(__func__, world, {{chunk, "chunk"}}, [&](WorldState& state) {
    const ChunkCoord at = chunkFrom(chunk);
    return moveFrame(state, {move, left_over}, FR_RECENTER, at,
                     [&](Window& window) { return window.recenter(at); });
  });
}

frResult frDestroyLeftOver(frLeftOver* left_over) {
  return destroy(__func__, left_over, "left_over");
}

frResult frWorld_GetEvicted(const frWorld* world, uint64_t* ids, size_t capacity, size_t* count) {
  return reading(__func__, world, {{count, "count"}}, [&](const WorldState& state) {
    absl::Status status = checkArray({ids, "ids"}, capacity);
    if (!status.ok()) return status;
    return copyOut(state.evicted().size(), ids, capacity, count,
                   [&](std::size_t i) { return state.evicted()[i]; });
  });
}

frResult frWorld_GetAnchor(const frWorld* world, char* path, size_t capacity, size_t* length) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    return copyPath(state.anchor(), path, capacity, length);
  });
}

frResult frWorld_GetPath(const frWorld* world, int32_t level, const int64_t chunk[3], char* path,
                         size_t capacity, size_t* length) {
  return reading(__func__, world, {{chunk, "chunk"}}, [&](const WorldState& state) -> absl::Status {
    absl::Status status = checkLevel(state, level);
    if (!status.ok()) return status;
    const absl::StatusOr<ChunkPath> found = state.anchor().inFrame(chunkFrom(chunk), level);
    return found.ok() ? copyPath(*found, path, capacity, length) : found.status();
  });
}

frResult frWorld_FindPath(const frWorld* world, const char* path, int32_t* level,
                          int64_t chunk[3]) {
  return reading(__func__, world, {{path, "path"}, {level, "level"}, {chunk, "chunk"}},
                 [&](const WorldState& state) -> absl::Status {
                   const absl::StatusOr<ChunkPath> parsed = ChunkPath::parse(path);
                   if (!parsed.ok()) return parsed.status();
                   const auto found = chunkAtPath(*parsed, state.anchor());
                   if (!found.has_value() || !state.world().frame().isActive(found->level) ||
                       !state.world().frame().contains(found->level, found->chunk)) {
                     return absl::OutOfRangeError(absl::StrCat(
                         "the path ", path, " leads out of the frame, whose anchor is \"",
                         state.anchor().text(), "\""));
                   }
                   store(found->chunk, chunk);
                   *level = found->level;
                   return absl::OkStatus();
                 });
}

frResult frFollowPath(const char* path, const int64_t ancestor[3], int64_t chunk[3],
                      int32_t* steps) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments(
        {{path, "path"}, {ancestor, "ancestor"}, {chunk, "chunk"}, {steps, "steps"}});
    if (!status.ok()) return status;
    const absl::StatusOr<ChunkPath> parsed = ChunkPath::parse(path);
    if (!parsed.ok()) return parsed.status();
    const absl::StatusOr<ChunkCoord> found = parsed->from(chunkFrom(ancestor));
    if (!found.ok()) return found.status();
    store(*found, chunk);
    *steps = static_cast<int32_t>(parsed->steps().size());
    return status;
  });
}

}  // extern "C"
