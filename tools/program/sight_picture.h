// SPDX-License-Identifier: Apache-2.0
// The view of an eye that looks at a box, as SVG.
#pragma once

#include <string>

#include "absl/status/statusor.h"

#include "../../formats/answer_json.h"
#include "sight_report.h"

namespace fractalray {

// Returns an SVG of the eye's view, in perspective onto the plane of the face of the box that is
// farthest in front of the eye: the blocks before the box and next to it that a grid of rays finds,
// the box, the shadows of the boxes that hide it, and the point in which the witness enters it. If
// the eye is in the box, only words. The same bytes on every machine.
absl::StatusOr<std::string> drawSight(const World& world, const EntityIndex& entities,
                                      const SightReport& report, TypeNamer name);

}  // namespace fractalray
