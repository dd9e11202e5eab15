// SPDX-License-Identifier: Apache-2.0
#include "ray.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "arithmetic/fixed_point.h"
#include "check.h"
#include "geometry/grid_line.h"
#include "internal/ray_lines.h"
#include "internal/units_in_frame.h"

namespace fractalray {
namespace internal {
namespace {

// Returns the exponent of a direction's largest component; one more if that is rounded up to a
// power of two once it has kMinDirectionLog2 bits before the point. Requires: the component is
// normal.
int exponentRounded(const Vec3d& direction) {
  const double largest =
      std::max({std::abs(direction[0]), std::abs(direction[1]), std::abs(direction[2])});
  constexpr std::uint64_t kHalf = std::uint64_t{1} << (52 - kMinDirectionLog2);
  return exponentOf(std::bit_cast<double>(std::bit_cast<std::uint64_t>(largest) + kHalf));
}

// Requires: -1022 <= log2 <= 1023.
double powerOfTwo(int log2) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(log2 + 1023) << 52);
}

// Returns S, the length of D rounded up: the least integer with S^2 >= D.D. Requires: it is
// `below` + 1, 2 or 3, and less than 2^39.
std::int64_t lengthAbove(std::int64_t below, const Vec3i& delta) {
  const auto square = [](std::int64_t value) {  // modulo 2^64: the difference of squares is small
    return static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(value);
  };
  const auto more = static_cast<std::int64_t>(square(delta[0]) + square(delta[1]) +
                                              square(delta[2]) - square(below));
  return below + 1 + (more > 2 * below + 1 ? 1 : 0) + (more > 4 * below + 4 ? 1 : 0);
}

// Returns 2^60 n / S, rounded down, given a number that is less than S by 0.1 to 2.9. Requires:
// 0 < n <= S.
std::int64_t endTime(std::int64_t n, std::int64_t length, double below) {
  FRACTALRAY_DCHECK(n > 0 && n <= length, n, length);
  const double inverse = 1 / below;
  // Too much by 2.9 * 2^60 / S at most: so the rest is within 2^62, and modulo 2^64 is enough.
  const auto above = static_cast<std::int64_t>(static_cast<double>(n) * 0x1p60 * inverse);
  const auto rest = static_cast<std::int64_t>((static_cast<std::uint64_t>(n) << 60) -
                                              static_cast<std::uint64_t>(above) *
                                                  static_cast<std::uint64_t>(length));
  // The integer nearest to rest / S, which is known to 0.2: the quotient, or one more.
  const auto more = static_cast<std::int64_t>(static_cast<double>(rest) * inverse - 0.5);
  return above + more - (rest - more * length < 0 ? 1 : 0);
}

}  // namespace

bool lineOfShortRay(const Ray& ray, FixedSegment& line) {
  if (ray.bounds.has_value()) return false;
  // These are written so that NaN fails.
  if (!(ray.max_distance >= 0 && ray.max_distance <= kShortRay)) return false;
  const Vec3d& d = ray.direction;
  const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  if (!(square >= 0x1p-1000 && square <= 0x1p1000)) return false;
  // Far enough inside of the frame for D, whose components are within 2^38 units.
  Vec3i from;
  if (!roundedWithin(kFrameEndBlocks / 2, ray.origin, from)) return false;

  const std::int64_t distance = roundedUnits(ray.max_distance);
  if (distance == 0) {
    line = {.from = from, .to = from};
    return true;
  }
  // With two bits less than the distance D is too short, even along a diagonal.
  const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(distance)));
  int k = std::max(kMinDirectionLog2, bits - 2) - exponentRounded(d);
  const double root = std::sqrt(square);
  Vec3i delta;
  double below = 0;
  std::int64_t length = 0;
  do {
    const double scale = powerOfTwo(k);
    delta = {roundedToInteger(d[0] * scale), roundedToInteger(d[1] * scale),
             roundedToInteger(d[2] * scale)};
    // Each component of D is rounded by half at most, so its length by 0.87; and S is up.
    below = root * scale - 1;
    length = lengthAbove(static_cast<std::int64_t>(below), delta);
    ++k;
  } while (length < distance);
  line = {.from = from, .to = from + delta, .end_time = endTime(distance, length, below)};
  return true;
}

}  // namespace internal

absl::StatusOr<FixedSegment> toFixedSegment(const Ray& ray) {
  absl::StatusOr<FixedSegment> line{FixedSegment{}};
  if (!internal::lineOfShortRay(ray, *line)) line = internal::lineOfAnyRay(ray);
  return line;
}

}  // namespace fractalray
