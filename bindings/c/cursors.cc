// SPDX-License-Identifier: Apache-2.0
// Answers that are requested one by one: hits, chunks on a line, cells of a walk.
#include <cstddef>
#include <iterator>
#include <utility>

#include "../../query/line_chunks.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"

namespace fractalray::capi {
namespace {

absl::Status nextHits(HitCursor& cursor, frHit* hits, std::size_t capacity, std::size_t* count) {
  *count = 0;
  while (*count < capacity) {
    const absl::StatusOr<const Hit*> hit = cursor.next();
    if (!hit.ok()) return hit.status();
    if (*hit == nullptr) break;
    write(**hit, hits[(*count)++]);
  }
  return absl::OkStatus();
}

frLineChunk lineChunkOf(const LineChunk& on_line) {
  frLineChunk chunk{};
  chunk.t_enter = on_line.t_enter;
  chunk.t_exit = on_line.t_exit;
  store(on_line.chunk, chunk.chunk);
  chunk.level = on_line.level;
  chunk.state = toC(on_line.state);
  return chunk;
}

template <int N>
frWalkCell walkCellOf(const GridCell<N>& from) {
  frWalkCell cell{};
  for (int axis = 0; axis < N; ++axis)
    cell.cell[axis] = from.cell[axis];
  cell.t_numerator = from.t.numerator;
  cell.t_denominator = from.t.denominator;
  cell.t = from.t.toDouble();
  cell.face_axis = from.face.axis;
  cell.face_sign = from.face.sign;
  return cell;
}

template <int N>
absl::Status makeWalk(const std::int64_t* from, const std::int64_t* to, const std::int64_t* widths,
                      std::int32_t corner, frWalk** walk) {
  const absl::StatusOr<CornerPolicy> policy = cornerFrom(corner);
  if (!policy.ok()) return policy.status();
  Vec<std::int64_t, N> start;
  Vec<std::int64_t, N> end;
  Vec<std::int64_t, N> width;
  for (int axis = 0; axis < N; ++axis) {
    start[axis] = from[axis];
    end[axis] = to[axis];
    width[axis] = widths[axis];
  }
  absl::StatusOr<GridWalk<N>> made = GridWalk<N>::create(start, end, width, *policy);
  if (!made.ok()) return made.status();
  const std::uint64_t crossings = made->crossings();
  NewObject<frWalk>(Object<frWalk>{.crossings = crossings, .walk = *std::move(made)}).giveTo(walk);
  return absl::OkStatus();
}

// Copies the next cells of a walk, and steps past them.
template <int N>
std::size_t nextCells(GridWalk<N>& walk, bool& is_at_end, frWalkCell* cells, std::size_t capacity) {
  std::size_t count = 0;
  while (count < capacity && !is_at_end) {
    cells[count++] = walkCellOf(walk.cell());
    is_at_end = !walk.next();
  }
  return count;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::LineChunks;

extern "C" {

frResult frWorld_HitsAlong(const frWorld* world, const frLine* line, frLevelMask levels,
                           const frQueryOptions* options, frCursor** cursor) {
  return reading(__func__, world, {{line, "line"}, {cursor, "cursor"}},
                 [&](const WorldState& state) -> absl::Status {
                   NewObject<frCursor> created;
                   created->state = find(world)->state;
                   absl::Status status = created->input.read(options, state);
                   if (!status.ok()) return status;
                   absl::StatusOr<fractalray::HitCursor> made = state.service().hitsAlong(
                       fromC(*line), levelsFromC(levels), created->input.options());
                   if (!made.ok()) return made.status();
                   created->cursor = *std::move(made);
                   created.giveTo(cursor);
                   return status;
                 });
}

frResult frCursor_Next(frCursor* cursor, frHit* hits, size_t capacity, size_t* count) {
  return withBusy(__func__, cursor, "cursor", {{count, "count"}}, [&](Object<frCursor>& used) {
    absl::Status status = checkArray({hits, "hits"}, capacity);
    return status.ok() ? nextHits(*used.cursor, hits, capacity, count) : status;
  });
}

frResult frCursor_GetResult(const frCursor* cursor, frQueryResult* result) {
  return with(__func__, cursor, "cursor", {}, [&](const Object<frCursor>& used) {
    absl::Status status = checkStruct(result, "result");
    if (status.ok() && used.is_busy) status = isBusy("cursor");
    if (status.ok()) write(used.cursor->shot(), result);
    return status;
  });
}

frResult frDestroyCursor(frCursor* cursor) {
  return destroy(__func__, cursor, "cursor");
}

frResult frWorld_ChunksOn(const frWorld* world, const frLine* line, frLevelMask levels,
                          int32_t corner, int32_t loaded_only, frChunkCursor** cursor) {
  return reading(__func__, world, {{line, "line"}, {cursor, "cursor"}},
                 [&](const WorldState& state) -> absl::Status {
                   const absl::StatusOr<fractalray::CornerPolicy> policy = cornerFrom(corner);
                   if (!policy.ok()) return policy.status();
                   const absl::StatusOr<LineChunks> chunks =
                       fractalray::chunksOn(state.world(), fromC(*line), levelsFromC(levels),
                                            {.corner = *policy, .loaded_only = loaded_only != 0});
                   if (!chunks.ok()) return chunks.status();
                   NewObject<frChunkCursor> created;
                   created->state = find(world)->state;
                   created->next = chunks->begin();
                   created.giveTo(cursor);
                   return absl::OkStatus();
                 });
}

frResult frChunkCursor_Next(frChunkCursor* cursor, frLineChunk* chunks, size_t capacity,
                            size_t* count) {
  return with(__func__, cursor, "cursor", {{count, "count"}}, [&](Object<frChunkCursor>& used) {
    absl::Status status = checkArray({chunks, "chunks"}, capacity);
    if (!status.ok()) return status;
    for (*count = 0; *count < capacity && used.next != std::default_sentinel; ++used.next)
      chunks[(*count)++] = lineChunkOf(*used.next);
    return status;
  });
}

frResult frDestroyChunkCursor(frChunkCursor* cursor) {
  return destroy(__func__, cursor, "cursor");
}

frResult frCreateWalk(int32_t dimensions, const int64_t* from, const int64_t* to,
                      const int64_t* widths, int32_t corner, frWalk** walk) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status =
        checkArguments({{from, "from"}, {to, "to"}, {widths, "widths"}, {walk, "walk"}});
    if (!status.ok()) return status;
    if (dimensions == 2) return makeWalk<2>(from, to, widths, corner, walk);
    if (dimensions == 3) return makeWalk<3>(from, to, widths, corner, walk);
    return badEnum("dimensions", dimensions, "2, 3");
  });
}

frResult frWalk_GetCrossings(const frWalk* walk, uint64_t* crossings) {
  return with(__func__, walk, "walk", {{crossings, "crossings"}}, [&](const Object<frWalk>& used) {
    *crossings = used.crossings;
    return absl::OkStatus();
  });
}

frResult frWalk_Next(frWalk* walk, frWalkCell* cells, size_t capacity, size_t* count) {
  return with(__func__, walk, "walk", {{count, "count"}}, [&](Object<frWalk>& used) {
    absl::Status status = checkArray({cells, "cells"}, capacity);
    if (!status.ok()) return status;
    *count = std::visit(
        [&](auto& cells_left) { return nextCells(cells_left, used.is_at_end, cells, capacity); },
        used.walk);
    return status;
  });
}

frResult frDestroyWalk(frWalk* walk) {
  return destroy(__func__, walk, "walk");
}

}  // extern "C"
