// SPDX-License-Identifier: Apache-2.0
// The viewers for which a level has been searched: what has come into their reach, and left it,
// since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"

#include "../../core/frame_move.h"
#include "../../core/vec.h"
#include "chunk_ball.h"
#include "chunk_reach.h"

namespace fractalray::internal {

// Remembers each viewer at a point where it has the same chunks in its radii as it had when it was
// asked for last. Unknown at first, and as long as the level has to be searched as a whole.
class ReachWatch {
 public:
  // Is called for rows of chunks, some of them more than once.
  using Visit = absl::FunctionRef<void(const ChunkRow&)>;

  bool isKnown() const { return is_known_; }
  void forget() noexcept { is_known_ = false; }
  // Starts from scratch with the present viewers.
  void restart(const ChunkReach& reach);
  // Follows the viewers to where they are now. Calls `left` for all chunks that have left the keep
  // radius of a viewer, and `entered` for all that have come into the load radius of one. If an
  // exception passes through, forget() is to follow. Requires: isKnown(). Cost: for each viewer
  // that may have changed its chunks, a visit of the rows of its balls.
  void follow(const ChunkReach& reach, int level, Visit left, Visit entered);
  // Follows a move of the frame, after which the level has another number: forgets all if that has
  // other radii, or a viewer has left the frame.
  void followMove(const ChunkReach& reach, const FrameMove& move, int level) noexcept;

 private:
  struct Viewer {
    Vec3i at;
    // How far it may move, in fractions; less than 1 if that is too little, or not known.
    std::int64_t slack = 0;
  };

  static bool isWithinSlack(const Viewer& viewer, const Vec3i& now, int shift);
  static std::int64_t slackAt(const ChunkReach& reach, int level, const Vec3i& at);
  bool isUnchanged(const ChunkReach& reach, int level) const;
  static Viewer moved(const ChunkReach& reach, int level, const Viewer& before, const Vec3i& now,
                      Visit left, Visit entered);

  bool is_known_ = false;
  std::vector<Viewer> viewers_;
  std::vector<Viewer> after_;  // working memory
};

}  // namespace fractalray::internal
