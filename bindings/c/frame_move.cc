// SPDX-License-Identifier: Apache-2.0
// Converts what a move of the frame has changed.
#include <optional>

#include "../../core/units.h"
#include "internal/frame_moves.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

absl::Status checkInFrame(const FrameMove& move, std::int32_t level, const ChunkCoord& chunk) {
  if (!move.frame().isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "level ", level, " is not active; the move has levels 0 to ", move.frame().levels() - 1));
  }
  if (move.frame().contains(level, chunk)) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("chunk [", chunk[0], ", ", chunk[1], ", ", chunk[2],
                                            "] is outside of the frame"));
}

// Converts a cell, whose chunk is given, by a function of FrameMove.
template <class Convert>
absl::Status convert(const frFrameMove& described, std::int32_t level, const ChunkCoord& chunk,
                     std::int32_t* level_after, std::int64_t* after, std::int32_t* is_kept,
                     const Convert& convert_cell) {
  const absl::StatusOr<FrameMove> move = frameMoveFrom(described);
  if (!move.ok()) return move.status();
  absl::Status status = checkInFrame(*move, level, chunk);
  if (!status.ok()) return status;
  const auto moved = convert_cell(*move);
  *is_kept = moved.has_value() ? 1 : 0;
  if (!moved.has_value()) return status;
  *level_after = move->levelAfter(level);
  store(*moved, after);
  return status;
}

absl::Status convertPoint(const frFrameMove& described, const Vec3i& units, std::int64_t* after,
                          std::int32_t* is_kept) {
  const absl::StatusOr<FrameMove> move = frameMoveFrom(described);
  if (!move.ok()) return move.status();
  for (int axis = 0; axis < 3; ++axis) {
    if (units[axis] >= -kMaxCoordinate && units[axis] <= kMaxCoordinate) continue;
    return absl::OutOfRangeError(
        absl::StrCat("coordinate ", units[axis], " is outside of the frame, which ends at 2^61"));
  }
  const std::optional<Vec3i> moved = move->pointAfter(units);
  *is_kept = moved.has_value() ? 1 : 0;
  if (moved.has_value()) store(*moved, after);
  return absl::OkStatus();
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::FrameMove;

extern "C" {

frResult frFrameMove_Chunk(const frFrameMove* move, int32_t level, const int64_t chunk[3],
                           int32_t* level_after, int64_t chunk_after[3], int32_t* is_kept) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments({{move, "move"},
                                          {chunk, "chunk"},
                                          {level_after, "level_after"},
                                          {chunk_after, "chunk_after"},
                                          {is_kept, "is_kept"}});
    if (!status.ok()) return status;
    const fractalray::ChunkCoord at = chunkFrom(chunk);
    return convert(*move, level, at, level_after, chunk_after, is_kept,
                   [&](const FrameMove& moved) { return moved.chunkAfter(level, at); });
  });
}

frResult frFrameMove_Block(const frFrameMove* move, int32_t level, const int64_t block[3],
                           int32_t* level_after, int64_t block_after[3], int32_t* is_kept) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments({{move, "move"},
                                          {block, "block"},
                                          {level_after, "level_after"},
                                          {block_after, "block_after"},
                                          {is_kept, "is_kept"}});
    if (!status.ok()) return status;
    const fractalray::BlockCoord at = blockFrom(block);
    return convert(*move, level, fractalray::chunkOf(at), level_after, block_after, is_kept,
                   [&](const FrameMove& moved) { return moved.blockAfter(level, at); });
  });
}

frResult frFrameMove_Point(const frFrameMove* move, const int64_t units[3], int64_t units_after[3],
                           int32_t* is_kept) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments(
        {{move, "move"}, {units, "units"}, {units_after, "units_after"}, {is_kept, "is_kept"}});
    return status.ok() ? convertPoint(*move, vectorFrom(units), units_after, is_kept) : status;
  });
}

}  // extern "C"
