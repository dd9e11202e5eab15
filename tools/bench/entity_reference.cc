// SPDX-License-Identifier: Apache-2.0
#include "entity_reference.h"

#include <cmath>
#include <cstdint>

#include "absl/numeric/int128.h"

#include "../../core/units.h"

namespace fractalray::bench {
namespace {

struct UnitSphere {
  Vec3i center{};
  std::int64_t radius_squared = 0;
};

std::int64_t toUnit(double blocks) {
  return std::llround(blocks * static_cast<double>(kUnitsPerBlock));
}

std::int64_t dot(const Vec3i& a, const Vec3i& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::vector<UnitSphere> spheresOf(const EntityScene& scene) {
  std::vector<UnitSphere> spheres;
  spheres.reserve(scene.size());
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Vec3d& center = scene.centers()[i];
    const std::int64_t radius = toUnit(scene.radii()[i]);
    spheres.push_back({{toUnit(center[0]), toUnit(center[1]), toUnit(center[2])}, radius * radius});
  }
  return spheres;
}

// Returns true if a t^2 + 2 b t + c <= 0 for some t in [0, 1]: if that point of the segment is in
// the closed sphere. In the extents nothing is 2^26 units from anything else along an axis, so that
// each sum of three products is below 2^54.
bool intersects(const FixedSegment& segment, const UnitSphere& sphere) {
  const Vec3i m = segment.from - sphere.center;
  const std::int64_t c = dot(m, m) - sphere.radius_squared;
  if (c <= 0) return true;
  const std::int64_t b = dot(m, segment.delta());
  if (b >= 0) return false;
  const std::int64_t a = dot(segment.delta(), segment.delta());
  if (a + b <= 0) return a + 2 * b + c <= 0;
  return absl::int128(b) * b >= absl::int128(a) * c;
}

}  // namespace

std::vector<EntityAnswer> expectedAnswers(const EntityScene& scene, const Rays& rays) {
  const std::vector<UnitSphere> spheres = spheresOf(scene);
  std::vector<EntityAnswer> answers(rays.size());
  for (std::size_t ray = 0; ray < rays.size(); ++ray) {
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (intersects(rays.units[ray], spheres[i])) answers[ray].add(i);
    }
  }
  return answers;
}

}  // namespace fractalray::bench
