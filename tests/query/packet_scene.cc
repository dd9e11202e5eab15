// SPDX-License-Identifier: Apache-2.0
#include "packet_scene.h"

#include <algorithm>
#include <cstdint>

#include "../../core/arithmetic/int128.h"
#include "../../core/units.h"

namespace fractalray::oracle {
namespace {

std::int64_t inFrame(std::int64_t coordinate) {
  return std::clamp(coordinate, -kMaxCoordinate, kMaxCoordinate);
}

// Returns a point up to `spread` away from another on each axis; on a corner of blocks, mostly, if
// `width`, theirs, is not 0.
Vec3i pointNear(Rng& rng, const Vec3i& point, std::int64_t spread, std::int64_t width) {
  Vec3i near;
  const bool is_corner = width != 0 && !rng.oneIn(4);
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t at = point[axis] + rng.in(-spread, spread);
    if (is_corner) at = floorDiv(at, width) * width;
    near[axis] = inFrame(at);
  }
  return near;
}

// Returns an end time at a plane between blocks, or just before or after it.
std::int64_t endNearPlane(Rng& rng, const FixedSegment& ray, std::int64_t width) {
  const int axis = rng.below(3);
  const std::int64_t length = ray.to[axis] - ray.from[axis];
  const std::int64_t planes = length / width;
  if (planes == 0) return kWholeLine;
  const std::int64_t plane =
      floorDiv(ray.from[axis], width) + (planes > 0 ? rng.in(1, planes) : rng.in(planes, -1) + 1);
  const internal::Int128 ahead = internal::Int128(plane * width - ray.from[axis]) * kWholeLine;
  return std::clamp(static_cast<std::int64_t>(ahead / length) + rng.in(-1, 1), std::int64_t{1},
                    kWholeLine);
}

}  // namespace

std::vector<FixedSegment> raysOfEye(Rng& rng, const HardScene& scene, int most) {
  const FixedSegment first = scene.segment(rng);
  const Frame& frame = scene.world().frame();
  const std::int64_t width = frame.blockWidth(rng.below(frame.levels()));
  const std::int64_t spread =
      rng.pick<std::int64_t>({0, 1, width / 16, width, 3 * width, 20 * width});
  const std::int64_t grid = rng.oneIn(2) ? width : 0;
  std::vector<FixedSegment> rays{first};
  const int count = 1 + rng.below(most);
  while (static_cast<int>(rays.size()) < count) {
    FixedSegment ray{first.from, pointNear(rng, first.to, spread, grid)};
    if (rng.oneIn(5))
      ray.end_time = rng.oneIn(2) ? rng.in(1, kWholeLine) : endNearPlane(rng, ray, width);
    if (rng.oneIn(10)) {  // half as long, in about the same direction
      for (int axis = 0; axis < 3; ++axis)
        ray.to[axis] = first.from[axis] + (ray.to[axis] - first.from[axis]) / 2;
    }
    const int strange = rng.below(60);
    if (strange == 0) ray.to = ray.from;
    if (strange == 1) ray.from[0] = inFrame(ray.from[0] + 1);
    if (strange == 2) ray = scene.segment(rng);
    rays.push_back(ray);
  }
  if (rng.oneIn(3)) {
    for (FixedSegment& ray : rays)
      ray = stretched(rng, ray);
  }
  return rays;
}

}  // namespace fractalray::oracle
