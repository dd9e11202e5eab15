// SPDX-License-Identifier: Apache-2.0
// The search for a direction in which an eye sees a box, and the proof that there is none.
//
//   zones = all directions from the eye to the box
//   while there are zones:
//     shoot a ray through the middle of the greatest one
//     nothing is in the way:  visible, and the ray is the witness
//     else cut the shadow of what is in the way, grown to a solid box, out of all zones
//   hidden, and what was cut out is the certificate
//
// Each step cuts out the shadow of an occluder that was not cut out before, so it ends, and the
// order decides nothing. Directions that may pass occluders are counted instead: those of all
// occluders in the beam are cut out, one by one.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../core/fixed_box.h"
#include "../../sight.h"
#include "../shot/prepared_shot.h"
#include "sight_memory.h"
#include "sight_rays.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

class SightSearch {
 public:
  // Collects the occluders that are boxes. All arguments outlive it. Requires: the query has been
  // checked, and the eye is not in the box.
  SightSearch(const SightScope& scope, PreparedShot& shot, SightMemory& memory, SightSteps& steps);

  // Returns a witness, or nothing if the box is hidden. Appends the boxes that were cut out to
  // `proof`, unless that is null.
  absl::StatusOr<std::optional<SightWitness>> findWitness(bool is_unloaded_opaque,
                                                          std::vector<FixedBox>* proof);
  // Returns true if the line from the eye to a point of the box sees it, and so do all lines near
  // it: the box is visible. False proves nothing. Requires: `through` is 0.
  absl::StatusOr<bool> seesAlong(const Vec3i& point, bool is_unloaded_opaque);
  // Cuts out all occluders: the directions that see the box are left in zones().
  absl::Status cutAll(bool is_unloaded_opaque, std::vector<FixedBox>* proof);
  const OpenZones& zones() const { return memory_.zones; }

  // Returns true if unloaded space may be in the way.
  bool mayCrossUnloaded() const { return rays_.mayCrossUnloaded(); }

 private:
  // Returns a direction to the box that is inside a zone, as a witness.
  SightWitness witnessOf(const OpenZone& zone, const InnerDirection& direction) const;
  // Cuts a blocker out of all zones.
  absl::Status cut(const Occluder& blocker, int octant, std::vector<FixedBox>* proof);

  const SightScope& scope_;
  SightMemory& memory_;
  SightSteps& steps_;
  SightRays rays_;
};

}  // namespace fractalray::internal
