// SPDX-License-Identifier: Apache-2.0
// The search for a direction in which an eye sees a box, and the proof that there is none.
//
//   zones = all directions from the eye to the box, but for those that a hint says are blocked
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

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../core/fixed_box.h"
#include "../../sight.h"
#include "../shot/prepared_shot.h"
#include "kept_proof.h"
#include "sight_memory.h"
#include "sight_rays.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

class SightSearch {
 public:
  // All arguments outlive it. Requires: the query has been checked, and the eye is not in the box.
  SightSearch(const SightScope& scope, PreparedShot& shot, SightMemory& memory, SightSteps& steps);

  // Returns a witness, or nothing if the box is hidden. Appends the boxes that were cut out to
  // `proof`, unless that is null. A hint says what to try first, if `through` is 0.
  absl::StatusOr<std::optional<SightWitness>> findWitness(bool is_unloaded_opaque,
                                                          std::vector<FixedBox>* proof,
                                                          const SightHint& hint = {});
  // Cuts out all occluders: the directions that see the box are left in zones().
  absl::Status cutAll(bool is_unloaded_opaque, std::vector<FixedBox>* proof);
  const OpenZones& zones() const { return memory_.zones; }

  // Returns true if unloaded space may be in the way.
  bool mayCrossUnloaded() const { return !is_hull_loaded_; }
  // Returns true if the last findWitness() has cut out unloaded space, or may have: then what it
  // has found hidden may be seen through that.
  bool mayHaveCutUnloaded() const {
    return scope_.options.through > 0 || memory_.proof.has_unloaded;
  }

 private:
  // Returns the rays, made when the first is shot: a hint may spare them.
  SightRays& rays();
  InnerDirection directionInside(const OpenZone& zone) const;
  // Returns a direction to the box that is inside a zone of an octant, as a witness.
  SightWitness witnessOf(int in_octant, const InnerDirection& direction) const;
  // Shoots a ray inside a zone of an octant: returns it as a witness, or nothing if it is blocked,
  // and cuts the blocker out of all zones.
  absl::StatusOr<std::optional<SightWitness>> shoot(int octant, const InnerDirection& direction,
                                                    bool is_unloaded_opaque,
                                                    std::vector<FixedBox>* proof);
  // Shoots a ray to a point of the box, if its direction is inside a zone.
  absl::StatusOr<std::optional<SightWitness>> shootAt(const Vec3i& point, bool is_unloaded_opaque,
                                                      std::vector<FixedBox>* proof);
  // Cuts out the parts of a certificate that are occluders now.
  absl::Status cutParts(const SightHint& hint, std::vector<FixedBox>* proof);
  // Cuts a blocker out of all zones.
  absl::Status cut(const Occluder& blocker, int octant, std::vector<FixedBox>* proof);

  const SightScope& scope_;
  SightMemory& memory_;
  PreparedShot& shot_;
  SightSteps& steps_;
  bool is_hull_loaded_;
  std::optional<SightRays> rays_;
};

}  // namespace fractalray::internal
