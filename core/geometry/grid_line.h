// SPDX-License-Identifier: Apache-2.0
// Turns the segments and rays of tile maps and ray casts into lines in units: the only point
// at which real numbers come in and are checked.
// For the library's own use: not part of the interface.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../arithmetic/fixed_point.h"
#include "../arithmetic/fraction.h"
#include "../arithmetic/int128.h"
#include "../grid_result.h"
#include "../vec.h"

namespace fractalray::internal {

// Rounds a coordinate, or those of a point, to the nearest unit. Returns kNotFinite, which wins
// over kTooFar, or kNone.
inline GridError toGridUnits(double value, std::int64_t& units) {
  // Written so that NaN fails.
  if (!(std::abs(value) <= kMaxGridDistance)) {
    return std::isfinite(value) ? GridError::kTooFar : GridError::kNotFinite;
  }
  units = roundedUnits(value);
  return GridError::kNone;
}
template <int N>
GridError toGridUnits(const Vec<double, N>& point, Vec<std::int64_t, N>& units) {
  GridError first = GridError::kNone;
  for (int axis = 0; axis < N; ++axis) {
    const GridError error = toGridUnits(point[axis], units[axis]);
    if (error == GridError::kNotFinite) return error;
    if (first == GridError::kNone) first = error;
  }
  return first;
}

// A line to walk, in units. A segment is walked to its end; a ray is a longer line of which
// only the part within its reach counts, so that cutting it does not bend it.
template <int N>
struct GridLine {
  using Point = Vec<std::int64_t, N>;

  Point from{};
  Point to{};
  double length = 0;  // of the line, rounded
  double reach = std::numeric_limits<double>::infinity();

  GridLine(const Point& start, const Point& end) : from(start), to(end) {
    double squares = 0;
    for (int axis = 0; axis < N; ++axis) {
      const auto d = static_cast<double>(end[axis] - start[axis]);
      squares += d * d;
    }
    length = std::sqrt(squares);
  }

  bool isSegment() const { return reach == std::numeric_limits<double>::infinity(); }
  // Returns the distance from the start to `t`, in units: exact along an axis, elsewhere rounded.
  double distanceAt(const Fraction& t) const {
    return static_cast<double>(t.numerator) * (length / static_cast<double>(t.denominator));
  }
  // Returns true if time `t` lies beyond the reach of the ray.
  bool isBeyond(const Fraction& t) const { return distanceAt(t) > reach; }
  // Returns `shift` plus the line's coordinate at `t`, in widths of 65,536 units: within 2 ulp,
  // and never on the other side of a whole number of units.
  double coordinateAt(const Fraction& t, int axis, std::int64_t shift) const {
    const Int128 scaled =
        (Int128(shift) + from[axis]) * t.denominator + Int128(to[axis] - from[axis]) * t.numerator;
    // Both parts have the sign of the whole, so that no digits cancel.
    const auto whole = static_cast<std::int64_t>(scaled / t.denominator);
    const auto rest = static_cast<std::int64_t>(scaled % t.denominator);
    const double units =
        static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(t.denominator);
    return units / static_cast<double>(kUnitsPerBlock);
  }
};

// Returns the exponent of a finite number other than 0, as std::ilogb does.
inline int exponentOf(double value) {
  constexpr int kBias = 1023;
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ffU);
  return biased == 0 ? std::ilogb(value) : biased - kBias;
}

// Returns value * 2^log2, as std::ldexp does, for results that do not overflow.
inline double scaledByPower(double value, int log2) {
  constexpr int kBias = 1023;
  if (log2 <= -kBias || log2 > kBias) return std::ldexp(value, log2);
  return value * std::bit_cast<double>(static_cast<std::uint64_t>(log2 + kBias) << 52);
}

// Returns the line of a ray from `from` that reaches `max_distance` (cut to kMaxGridDistance), in
// widths of 65,536 units. The line continues beyond that, to an end that is a multiple of
// `direction`: exactly if 37 binary digits hold all components, else rounded to the nearest unit.
// Requires: `from` within 2 kMaxGridDistance.
template <int N>
GridResult<GridLine<N>> rayLine(const Vec<std::int64_t, N>& from, const Vec<double, N>& direction,
                                double max_distance) {
  constexpr int kMinLog2 = 37;
  double largest = 0;
  for (int axis = 0; axis < N; ++axis) {
    if (!std::isfinite(direction[axis])) return GridError::kNotFinite;
    largest = std::max(largest, std::abs(direction[axis]));
  }
  if (largest == 0) return GridError::kZeroDirection;
  if (std::isnan(max_distance) || max_distance < 0) return GridError::kBadDistance;
  const double reach =
      std::min(max_distance, kMaxGridDistance) * static_cast<double>(kUnitsPerBlock);
  const int log2 = reach < 1 ? kMinLog2 : std::max(kMinLog2, exponentOf(reach) + 1);
  const int scale = log2 - exponentOf(largest);
  Vec<std::int64_t, N> to = from;
  for (int axis = 0; axis < N; ++axis) {
    to[axis] += roundedToInteger(scaledByPower(direction[axis], scale));
  }
  GridLine<N> line(from, to);
  line.reach = reach;
  return line;
}

}  // namespace fractalray::internal
