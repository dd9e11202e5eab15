// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

#include <array>
#include <cstddef>
#include <span>

namespace sight_server {
namespace {

using fractalray::FixedBox;
using fractalray::Vec3i;

// Points are this far, in units, within the box: a ray to a point of a floor would be blocked.
constexpr std::int64_t kInset = 64;

// Shares of the box along an axis, in halves.
constexpr std::array<std::int64_t, 2> kEnds = {0, 2};
constexpr std::array<std::int64_t, 3> kThirds = {0, 1, 2};
constexpr std::array<std::int64_t, 1> kMiddle = {1};

std::span<const std::int64_t> sharesOf(Samples samples) {
  if (samples == Samples::kCenter) return kMiddle;
  if (samples == Samples::kGrid) return kThirds;
  return kEnds;
}

Vec3i pointOf(const FixedBox& box, const Vec3i& halves) {
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = box.min[axis] + (box.max[axis] - box.min[axis]) / 2 * halves[axis];
  return point;
}

}  // namespace

std::string_view samplesName(Samples samples) {
  constexpr std::array<std::string_view, 4> kNames = {
      "1 ray, to the middle", "8 rays, to the corners", "27 rays, to a grid",
      "8 rays, box widened by 0.5"};
  return kNames[static_cast<std::size_t>(samples)];
}

bool seesBySamples(const fractalray::RayQueryService& service, const Vec3i& eye,
                   const FixedBox& box, Samples samples) {
  const std::int64_t inset =
      samples == Samples::kWideCorners ? -fractalray::kUnitsPerBlock / 2 : kInset;
  FixedBox inner = box;
  for (int axis = 0; axis < 3; ++axis) {
    inner.min[axis] += inset;
    inner.max[axis] -= inset;
  }
  const std::span<const std::int64_t> shares = sharesOf(samples);
  for (const std::int64_t z : shares) {
    for (const std::int64_t y : shares) {
      for (const std::int64_t x : shares) {
        const fractalray::FixedSegment ray{.from = eye, .to = pointOf(inner, {x, y, z})};
        if (service.occluded(ray).value() == fractalray::Occlusion::kClear) return true;
      }
    }
  }
  return false;
}

SampleErrors compareSamples(const fractalray::RayQueryService& service,
                            std::span<const SamplePair> pairs, Samples samples) {
  SampleErrors errors;
  for (const SamplePair& pair : pairs) {
    const bool sees = seesBySamples(service, pair.query.eye, pair.query.box, samples);
    errors.missed += pair.is_visible && !sees ? 1 : 0;
    errors.leaked += !pair.is_visible && sees ? 1 : 0;
  }
  return errors;
}

}  // namespace sight_server
