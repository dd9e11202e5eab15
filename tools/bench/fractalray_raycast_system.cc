// SPDX-License-Identifier: Apache-2.0
// The plain raycast of core/raycast.h over the chunks of the textbook walk: the result for a user
// who replaces the loop and keeps the world.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "../../core/check.h"
#include "../../core/raycast.h"
#include "chunk_map.h"
#include "systems.h"

namespace fractalray::bench {
namespace {

CellBounds boundsOf(const Grid& grid) {
  CellBounds bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.min[axis] = grid.origin()[axis];
    bounds.max[axis] = grid.origin()[axis] + grid.size()[axis] - 1;
  }
  return bounds;
}

class RaycastHeader : public System {
 public:
  explicit RaycastHeader(const Scene& scene) : chunks_(scene.grid), bounds_(boundsOf(scene.grid)) {}

  bool can(Work work) const override { return work == Work::kFirstHit; }

  void run(Work, const Rays& rays, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = firstHit(rays.blocks[i]);
  }

 private:
  Answer firstHit(const Segment& segment) const {
    Answer answer;
    const Vec3d d = segment.to - segment.from;
    Vec3i chunk;
    chunk[0] = std::numeric_limits<std::int64_t>::max();
    const std::uint16_t* ids = nullptr;
    const auto ended = raycast(
        segment.from, d, std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
        [&](const Vec3i& cell, Face) {
          const Vec3i at{cell[0] >> 4, cell[1] >> 4, cell[2] >> 4};
          if (at != chunk) {
            chunk = at;
            ids = chunks_.find(at[0], at[1], at[2]);
          }
          if (ids == nullptr) return false;
          if (ids[(cell[0] & 15) | (cell[1] & 15) << 4 | (cell[2] & 15) << 8] == 0) return false;
          answer = hitAt(cell[0], cell[1], cell[2]);
          return true;
        },
        bounds_);
    FRACTALRAY_CHECK(ended.ok(), ended.message());
    return answer;
  }

  ChunkMap chunks_;
  CellBounds bounds_;
};

}  // namespace

std::unique_ptr<System> makeRaycastHeader(const Scene& scene) {
  return std::make_unique<RaycastHeader>(scene);
}

}  // namespace fractalray::bench
