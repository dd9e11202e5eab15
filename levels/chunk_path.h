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

// A path down the tree from some ancestor chunk: block by block, the coarsest first. Its text has
// three hexadecimal digits a step, x y z within the chunk, joined by '_': "7a3_221" is block (7,
// 10, 3) of the ancestor, then block (2, 2, 1) of the chunk that it expands into. The empty path,
// "", is the ancestor itself. A value type; const use is safe from any thread.
class ChunkPath {
 public:
  using Step = Vec<int, 3, struct ChunkPathTag>;  // 0 to 15 each

  ChunkPath() = default;

  // Parses a path. INVALID_ARGUMENT, with the character's position, for anything but lower- or
  // upper-case steps as above.
  static absl::StatusOr<ChunkPath> parse(std::string_view text);
  // Returns the path from the ancestor `levels` above a chunk down to it. Requires: levels >= 0.
  static ChunkPath to(const ChunkCoord& chunk, int levels);

  // Returns the chunk that is as many levels below `ancestor` as the path has steps. OUT_OF_RANGE
  // if its index does not fit the frame's 2^61 units.
  absl::StatusOr<ChunkCoord> from(const ChunkCoord& ancestor) const;

  // Returns the path of a chunk on level `levels` of a frame whose level-0 chunk (0, 0, 0) has this
  // path. The result has `levels` steps more than this path. The chunk may lie outside the chunk of
  // this path; OUT_OF_RANGE for one outside the root, the outermost chunk, from which paths start.
  // Requires: levels >= 0. Cost: a copy of the steps.
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
