// SPDX-License-Identifier: Apache-2.0
// The blocks that an eye sees in a window of its view.
#pragma once

#include <vector>

#include "absl/status/statusor.h"

#include "eye_view.h"
#include "sight_report.h"

namespace fractalray {

// A block, a box of its shape, or a part of either, that occludes.
struct SeenBox {
  BlockTypeId type = kAir;
  FixedBox box{};
  bool is_before = false;  // true if all of it is before the target, else all of it is drawn first
  double distance = 0;  // of its centre, as the sum of that along each axis, for drawing in order
};

struct SeenBlocks {
  // The farthest first. A box that is before the target in part is there as a whole, and its parts
  // before the target again.
  std::vector<SeenBox> boxes;
  // The parts of the window that begin to be unloaded before anything is hit.
  std::vector<PlaneWindow> unloaded;
};

// Shoots a grid of rays through the window, each up to the target, or as far as the target
// reaches, and returns the solid blocks that they hit first. A block that is seen only between the
// rays is missing. Errors: those of RayQueryService::closestHit().
absl::StatusOr<SeenBlocks> findSeenBlocks(const World& world, const EntityIndex& entities,
                                          const SightReport& report, const EyeView& view,
                                          const PlaneWindow& window);

}  // namespace fractalray
