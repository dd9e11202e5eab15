// SPDX-License-Identifier: Apache-2.0
// The certificate of a hidden box in a form that can be tried again in a world that has changed:
// named by its blocks, not by their boxes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../../core/vec.h"
#include "sight_scope.h"

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
  bool has_unloaded = false;

  void begin() {
    parts.clear();
    is_complete = true;
    has_unloaded = false;
  }
  // Adds an occluder, which was cut out as `box` if it has grown.
  void add(const SightScope& scope, const Occluder& occluder, const FixedBox& box);
};

// Holds what an earlier answer suggests to look at first, to save work.
struct SightHint {
  // A point of the box that was seen, or the parts of a certificate.
  std::optional<Vec3i> seen{};
  std::span<const ProofPart> parts{};
  // True if no block has changed since those were occluders, nor what the options say of blocks:
  // then boxes of blocks are not looked up.
  bool are_blocks_same = false;

  bool isEmpty() const { return !seen.has_value() && parts.empty(); }
};

// Sets an occluder to a part; returns false if that is none any more, or leaves itself out. Boxes
// of blocks are not looked up if blocks are the same.
bool findPart(const SightScope& scope, const ProofPart& part, bool are_blocks_same,
              Occluder& occluder);

}  // namespace fractalray::internal
