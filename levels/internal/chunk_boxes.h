// SPDX-License-Identifier: Apache-2.0
// Boxes of blocks, chunk by chunk, and the words for cells in messages.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../core/frame.h"
#include "../../core/vec.h"

namespace fractalray::internal {

template <class Coord>
std::string indexText(const Coord& at) {
  return absl::StrCat("[", at[0], ", ", at[1], ", ", at[2], "]");
}

// INVALID_ARGUMENT unless min <= max on every axis.
template <class Coord>
absl::Status checkOrdered(const Coord& min, const Coord& max) {
  if (min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the box from ", indexText(min), " to ", indexText(max), " is not ordered"));
}

// Calls `visit(at)` for each chunk that a box [min, max] touches, x first, until it returns false.
template <class Visit>
void forEachChunkOf(const BlockCoord& min, const BlockCoord& max, const Visit& visit) {
  const ChunkCoord first = chunkOf(min);
  const ChunkCoord last = chunkOf(max);
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        if (!visit(ChunkCoord{x, y, z})) return;
      }
    }
  }
}

}  // namespace fractalray::internal
