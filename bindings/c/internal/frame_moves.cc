// SPDX-License-Identifier: Apache-2.0
#include "frame_moves.h"

#include "absl/strings/str_cat.h"

#include "arguments.h"

namespace fractalray::capi {
namespace {

absl::Status checkClimb(const ChunkCoord& step) {
  for (int axis = 0; axis < 3; ++axis) {
    if (step[axis] >= 0 && step[axis] < kChunkSize) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("move->chunk has ", step[axis], "; of a climb it is 0 to 15"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FrameMove> frameMoveFrom(const frFrameMove& move) {
  if (move.levels < 1 || move.levels > kMaxLevels) {
    return absl::InvalidArgumentError(
        absl::StrCat("move->levels is ", move.levels, "; a world has 1 to ", kMaxLevels));
  }
  const Frame frame(move.levels);
  const ChunkCoord chunk = chunkFrom(move.chunk);
  switch (move.kind) {
    case FR_DESCEND:
      return FrameMove::descend(frame, chunk);
    case FR_RECENTER:
      return FrameMove::recenter(frame, chunk);
    case FR_CLIMB: {
      absl::Status status = checkClimb(chunk);
      if (!status.ok()) return status;
      return FrameMove::climb(frame, chunk);
    }
    default:
      return badEnum("move->kind", move.kind, "FR_DESCEND, FR_CLIMB, FR_RECENTER");
  }
}

absl::StatusOr<FrameMove> frameMoveFrom(const frFrameMove& move, const Frame& frame) {
  if (move.levels != frame.levels()) {
    return absl::InvalidArgumentError(
        absl::StrCat("move->levels is ", move.levels, "; the world has ", frame.levels()));
  }
  return frameMoveFrom(move);
}

}  // namespace fractalray::capi
