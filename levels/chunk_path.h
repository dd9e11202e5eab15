// SPDX-License-Identifier: Apache-2.0
// Chunk paths: the name of a chunk as the blocks to expand on the way down to it.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/vec.h"

namespace fractalray {

// A way down the tree from some ancestor chunk: block by block, the coarsest first. Its text has
// three hexadecimal digits a step, x y z within the chunk, joined by '_': "7a3_221" is block (7,
// 10, 3) of the ancestor, then block (2, 2, 1) of the chunk that it expands into. The empty path,
// "", is the ancestor itself. A value type; const use is safe from any thread.
class ChunkPath {
 public:
  using Step = Vec<int, 3, struct ChunkPathTag>;  // 0 to 15 each

  ChunkPath() = default;

  // INVALID_ARGUMENT, with the place, for anything but lower- or upper-case steps as above.
  static absl::StatusOr<ChunkPath> parse(std::string_view text);
  // The way from the ancestor `levels` above a chunk down to it. Requires: levels >= 0.
  static ChunkPath to(const ChunkCoord& chunk, int levels);

  // The chunk, as many levels below `ancestor` as the path has steps. OUT_OF_RANGE where its index
  // does not fit the frame's 2^61 units.
  absl::StatusOr<ChunkCoord> from(const ChunkCoord& ancestor) const;

  // Returns the path of the chunk with that index `levels` levels below, in a frame whose chunk (0,
  // 0, 0) of level 0 is this path's: `levels` steps longer. The chunk need not be below this
  // path's: it may be beside it, as far as the ancestor reaches. OUT_OF_RANGE for a chunk outside
  // of the ancestor. Requires: levels >= 0. Cost: a copy of the steps.
  absl::StatusOr<ChunkPath> inFrame(const ChunkCoord& chunk, int levels) const;
  // Returns the path without its last step. Requires: it has one. Cost: a copy of the steps.
  ChunkPath parent() const;

  const std::vector<Step>& steps() const { return steps_; }
  std::string text() const;

  friend auto operator<=>(const ChunkPath&, const ChunkPath&) = default;

 private:
  std::vector<Step> steps_;
};

}  // namespace fractalray
