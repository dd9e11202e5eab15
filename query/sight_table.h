// SPDX-License-Identifier: Apache-2.0
// Sight of many boxes by many viewers: who sees whom, on every tick of a server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "../core/check.h"
#include "../core/vec.h"
#include "sight.h"
#include "sight_history.h"

namespace fractalray {

// The eyes of a viewer: its own, those of its cameras, that of its next tick. It sees a box if one
// of them does. The array outlives the query.
struct SightViewer {
  std::span<const Vec3i> eyes{};
};

// The defaults ask for all pairs, and keep nothing.
struct SightTableOptions {
  // Those of each question, of an eye and a box: max_steps, too. report_certificate is ignored.
  SightOptions each{};
  // Leaves out the eyes that are farther, in units, from the nearest point of the box: a pair is
  // kSkipped if none is left. Exact.
  std::int64_t max_distance = std::numeric_limits<std::int64_t>::max();
  // Leaves out pairs, as those of a team: they are kSkipped. A pure function of the indices of
  // viewer and box, which any thread may call. Empty: none is left out.
  std::function<bool(std::size_t, std::size_t)> leaves_out{};
  // The answer of pairs that each.max_steps left undecided: kVisible, if nothing may appear late,
  // kHidden, if nothing may leak, or kUndecided.
  Sight if_undecided = Sight::kUndecided;
  // Keeps answers for the next call; null for none. It outlives the query.
  SightHistory* history = nullptr;
};

// The work of visibleBoxes(), and how pairs were answered. The sum of `unchanged`, `by_ray`,
// `by_proof` and `searched` is `pairs`; of a pair with several eyes, the last of these that one of
// them needed counts.
struct SightTableStats {
  SightStats sight;
  std::uint64_t pairs = 0;      // not skipped
  std::uint64_t unchanged = 0;  // nothing had changed
  std::uint64_t by_ray = 0;     // visible, by the line to the same point of the box
  std::uint64_t by_proof = 0;   // hidden, by the same occluders
  std::uint64_t searched = 0;   // as by visible(), after what failed, or the eye is in the box
  std::uint64_t undecided = 0;  // whatever if_undecided made of them

  SightTableStats& operator+=(const SightTableStats& other) {
    sight += other.sight;
    pairs += other.pairs;
    unchanged += other.unchanged;
    by_ray += other.by_ray;
    by_proof += other.by_proof;
    searched += other.searched;
    undecided += other.undecided;
    return *this;
  }
};

namespace internal {

class TableMemory;

// The work of one task, on a cache line of its own.
struct alignas(64) TableTask {
  SightTableStats stats;
};

}  // namespace internal

// One answer, of one byte, for each viewer and box, and working memory for later calls. Belongs to
// one thread at a time.
class SightTable {
 public:
  SceneVersion version;
  // Viewer after viewer, each with all boxes. Empty after an error.
  std::vector<Sight> answers;
  SightTableStats stats;

  std::size_t viewers() const { return viewers_; }
  std::size_t boxes() const { return boxes_; }
  // Requires: viewer < viewers(), and box < boxes().
  Sight at(std::size_t viewer, std::size_t box) const {
    FRACTALRAY_DCHECK(viewer < viewers_ && box < boxes_, viewer, viewers_, box, boxes_);
    return answers[viewer * boxes_ + box];
  }

 private:
  friend class internal::TableMemory;

  std::size_t viewers_ = 0;
  std::size_t boxes_ = 0;
  std::vector<internal::TableTask> tasks_;
  bool is_in_use_ = false;
};

}  // namespace fractalray
