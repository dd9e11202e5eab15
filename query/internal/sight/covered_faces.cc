// SPDX-License-Identifier: Apache-2.0
#include "covered_faces.h"

#include <algorithm>
#include <cstdint>

#include "../../../core/frame.h"

namespace fractalray::internal {
namespace {

// A face of a block: the lower or the upper one on an axis.
struct BlockFace {
  int axis = 0;
  bool is_upper = false;
};

// Returns true if a box contains the whole face of a cube, and space before it.
bool covers(const FixedBox& box, const FixedBox& cube, const BlockFace& face) {
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == face.axis) {
      const std::int64_t plane = face.is_upper ? cube.max[axis] : cube.min[axis];
      const bool is_before = face.is_upper ? box.min[axis] <= plane && box.max[axis] > plane
                                           : box.max[axis] >= plane && box.min[axis] < plane;
      if (!is_before) return false;
    } else if (box.min[axis] > cube.min[axis] || box.max[axis] < cube.max[axis]) {
      return false;
    }
  }
  return true;
}

class FaceCover {
 public:
  FaceCover(const SightScope& scope, const BlockAt& at, Occluder& occluder)
      : scope_(scope), at_(at), cube_(scope.cubeOf(at)), occluder_(occluder) {}

  // Returns true if the face is towards the eye.
  bool isNear(const BlockFace& face) const {
    const std::int64_t eye = scope_.query.eye[face.axis];
    return face.is_upper ? eye > cube_.max[face.axis] : eye < cube_.min[face.axis];
  }

  bool isCovered(const BlockFace& face) {
    BlockCoord next = at_.block;
    next[face.axis] += face.is_upper ? 1 : -1;
    for (int level = at_.level; level >= 0; --level) {
      if (scope_.levels.contains(level) && isCoveredBy({level, next}, face)) return true;
      for (int axis = 0; axis < 3; ++axis)
        next[axis] >>= kChunkLog2;
    }
    return false;
  }

 private:
  bool isCoveredBy(const BlockAt& next, const BlockFace& face) {
    const Chunk* const chunk = scope_.world.chunk(next.level, chunkOf(next.block));
    if (chunk == nullptr) return false;
    const int index = indexInChunk(next.block);
    if (!scope_.isOccluder(next.level, *chunk, index, next.block)) return false;
    if (!scope_.setBlock(next, chunk->block(index), occluder_)) return false;
    return std::any_of(occluder_.boxes.begin(), occluder_.boxes.end(),
                       [&](const FixedBox& box) { return covers(box, cube_, face); });
  }

  const SightScope& scope_;
  const BlockAt& at_;
  FixedBox cube_;
  Occluder& occluder_;
};

}  // namespace

bool hasCoveredFaces(const SightScope& scope, const BlockAt& at, Occluder& occluder) {
  FaceCover cover(scope, at, occluder);
  bool has_near = false;
  for (int axis = 0; axis < 3; ++axis) {
    for (const bool is_upper : {false, true}) {
      const BlockFace face{axis, is_upper};
      if (!cover.isNear(face)) continue;
      if (!cover.isCovered(face)) return false;
      has_near = true;
    }
  }
  return has_near;
}

}  // namespace fractalray::internal
