// SPDX-License-Identifier: Apache-2.0
// The certificate of a hidden box in a form that can be tried again in a world that has changed:
// named by its blocks, not by their boxes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../core/vec.h"
#include "open_zones.h"
#include "sight_scope.h"
#include "sight_steps.h"

namespace fractalray::internal {

// A part of a certificate: a box of blocks of a level, or one of SightOptions::occluders. 32 bytes.
struct ProofPart {
  static constexpr std::int8_t kListed = -1;

  std::array<std::int64_t, 3>
      first{};  // the block with the least indices; or the occluder's number
  std::array<std::uint8_t, 3> extents{1, 1, 1};  // in blocks
  std::int8_t level = 0;                         // or kListed
};
static_assert(sizeof(ProofPart) == 32);

struct SightProof {
  std::vector<ProofPart> parts;
  // False if something was cut out that no part can name: an entity, or unloaded space.
  bool is_complete = true;

  void begin() {
    parts.clear();
    is_complete = true;
  }
  // Adds an occluder, which was cut out as `box` if it has grown.
  void add(const SightScope& scope, const Occluder& occluder, const FixedBox& box);
};

// Returns true if the parts are occluders now, and hide the box by themselves: then it is hidden.
// False proves nothing. `are_blocks_same`: no block has changed since they were occluders, nor what
// the options say of blocks, so they are not looked up. Uses the zones and the occluder. Requires:
// `through` is 0, and the eye is not in the box.
bool hidesNow(const SightScope& scope, std::span<const ProofPart> parts, bool are_blocks_same,
              OpenZones& zones, Occluder& occluder, SightSteps& steps);

}  // namespace fractalray::internal
