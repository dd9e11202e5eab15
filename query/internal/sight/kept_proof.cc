// SPDX-License-Identifier: Apache-2.0
#include "kept_proof.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "../../../core/internal/geometry/unit_box.h"

namespace fractalray::internal {
namespace {

// Finds the occluders that parts of a proof are now.
class PartFinder {
 public:
  PartFinder(const SightScope& scope, bool are_blocks_same, Occluder& occluder)
      : scope_(scope), are_blocks_same_(are_blocks_same), occluder_(occluder) {}

  // Sets the occluder to a part; returns false if the part is none any more, or leaves itself out.
  bool find(const ProofPart& part) const {
    if (part.level == ProofPart::kListed) return findListed(part);
    if (!scope_.levels.contains(part.level)) return false;
    if (part.extents == std::array<std::uint8_t, 3>{1, 1, 1}) return findBlock(blockOf(part));
    return findCubes(part);
  }

 private:
  static BlockAt blockOf(const ProofPart& part) {
    return {part.level, {part.first[0], part.first[1], part.first[2]}};
  }

  bool findListed(const ProofPart& part) const {
    const auto number = static_cast<std::size_t>(part.first[0]);
    if (number >= scope_.options.occluders.size()) return false;
    return setBox(scope_.options.occluders[number]);
  }

  bool findBlock(const BlockAt& at) const {
    const Chunk* const chunk = scope_.world.chunk(at.level, chunkOf(at.block));
    if (chunk == nullptr) return false;
    const int index = indexInChunk(at.block);
    return scope_.isOccluder(at.level, *chunk, index, at.block) &&
           scope_.setBlock(at, chunk->block(index), occluder_);
  }

  bool findCubes(const ProofPart& part) const {
    const BlockAt first = blockOf(part);
    BlockAt last = first;
    for (int axis = 0; axis < 3; ++axis)
      last.block[axis] += part.extents[static_cast<std::size_t>(axis)] - 1;
    if (!are_blocks_same_ && !scope_.areSolidCubes(part.level, first.block, last.block))
      return false;
    return setBox({.min = scope_.cubeOf(first).min, .max = scope_.cubeOf(last).max});
  }

  bool setBox(const FixedBox& box) const {
    occluder_.begin();
    occluder_.boxes.push_back(box);
    return hasInterior(box) && !scope_.isLeftOut(occluder_.boxes);
  }

  const SightScope& scope_;
  bool are_blocks_same_;
  Occluder& occluder_;
};

}  // namespace

void SightProof::add(const SightScope& scope, const Occluder& occluder, const FixedBox& box) {
  ProofPart part;
  has_unloaded = has_unloaded || occluder.is_unloaded;
  if (!occluder.block.has_value()) {
    const std::span<const FixedBox> listed = scope.options.occluders;
    const auto found = std::find(listed.begin(), listed.end(), box);
    if (found == listed.end() || occluder.is_unloaded) {
      is_complete = false;
      return;
    }
    part.level = ProofPart::kListed;
    part.first[0] = found - listed.begin();
  } else {
    part.level = static_cast<std::int8_t>(occluder.block->level);
    part.first = occluder.block->block.values;
    if (occluder.cube.has_value()) {
      const int shift = scope.frame.blockShift(occluder.cube->level);
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        part.first[i] = box.min[axis] >> shift;
        const std::int64_t extent = (box.max[axis] - box.min[axis]) >> shift;
        if (extent > std::numeric_limits<std::uint8_t>::max()) is_complete = false;
        part.extents[i] = static_cast<std::uint8_t>(extent);
      }
    }
  }
  parts.push_back(part);
}

bool findPart(const SightScope& scope, const ProofPart& part, bool are_blocks_same,
              Occluder& occluder) {
  return PartFinder(scope, are_blocks_same, occluder).find(part);
}

}  // namespace fractalray::internal
