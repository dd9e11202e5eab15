// SPDX-License-Identifier: Apache-2.0
// Finds what blocks a direction on its way to the box.
#pragma once

#include <span>

#include "absl/status/statusor.h"

#include "../../../core/fixed_box.h"
#include "../../../core/internal/geometry/inner_direction.h"
#include "../../query_options.h"
#include "../shot/prepared_shot.h"
#include "octant.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

// The rays of a query of sight. Each is first a line of sight, as of occluded(), if the direction
// can be one. The line cannot say what does not count for sight: blocks that only touch the eye,
// those that contain it (SightOptions), unloaded space that is touched, and blocks that are touched
// only at the line's end. Then, and for directions of more than 61 bits, an exact walk down the
// tree takes its part.
class SightRays {
 public:
  // `listed` are the occluders that are boxes of their own; `is_hull_loaded` is
  // SightScope::isHullLoaded(). All arguments outlive it.
  SightRays(const SightScope& scope, std::span<const FixedBox> listed, bool is_hull_loaded,
            PreparedShot& shot, SightSteps& steps);

  // Finds an occluder that the line along a direction touches before the box, except in the eye
  // alone: any one, not necessarily the nearest. Returns false if there is none. The direction is
  // inside a zone of the octant, so the occluder blocks some directions of that zone, and if there
  // is none, the direction and all around it see the box.
  absl::StatusOr<bool> findBlocker(const Octant& octant, const InnerDirection& direction,
                                   bool is_unloaded_opaque, Occluder& blocker);

 private:
  enum class Answer { kClear, kBlocked, kUnsure };

  bool findListed(const Octant& octant, const WideDirection& w, Occluder& blocker) const;
  absl::StatusOr<Answer> askLine(const Octant& octant, const WideDirection& w, Occluder& blocker);
  absl::StatusOr<bool> walk(const Octant& octant, const WideDirection& w, bool blocks,
                            bool unloaded, Occluder& blocker);

  const SightScope& scope_;
  std::span<const FixedBox> listed_;
  PreparedShot& shot_;
  SightSteps& steps_;
  QueryOptions options_;  // of the lines
  bool is_hull_loaded_;
};

}  // namespace fractalray::internal
