// SPDX-License-Identifier: Apache-2.0
// A reported query of sight as a trace, for a page with a view in 3 dimensions.
#pragma once

#include "absl/status/statusor.h"

#include "../../formats/answer_json.h"
#include "../../levels/world.h"
#include "sight_report.h"
#include "trace.h"

namespace fractalray {

// Returns a trace of the line of the report, or for a hidden box of that to its middle, with a grid
// of the finest level of the mask, its cells on the line, the box, the boxes that hide it with
// their numbers in the report, and the blocks that these consist of. Of long lines and large boxes
// it leaves cells and blocks out. Errors: those of a search for blocks.
absl::StatusOr<Trace> sightTrace(const World& world, const SightReport& report, TypeNamer name);

}  // namespace fractalray
