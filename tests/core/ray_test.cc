// SPDX-License-Identifier: Apache-2.0
// Checks rays against the contract's definition, computed in numbers of any size, and their
// promises.
#include "../../core/ray.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "../oracle/exact.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Integer;
using oracle::Rational;
using oracle::Rng;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = 0x1p45;

using Integers = std::array<Integer, 3>;

struct OracleRay {
  Integers from;
  Integers delta;
  Rational end;
};

Rational power(int exponent) {
  const Integer two_to = Integer(1) << static_cast<unsigned>(std::abs(exponent));
  return exponent < 0 ? Rational(1) / Rational(two_to) : Rational(two_to);
}

// Returns a double as a fraction: it is a whole number times a power of two.
Rational exactly(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return Rational(Integer(static_cast<std::int64_t>(std::ldexp(mantissa, 53)))) *
         power(exponent - 53);
}

Integer nearest(const Rational& value) {
  const Integer away =
      oracle::floorOf((value < 0 ? Rational(-value) : value) + oracle::fraction(1, 2));
  return value < 0 ? Integer(-away) : away;
}

Integer rootRoundedUp(const Integer& square) {
  Integer root = boost::multiprecision::sqrt(square);
  return root * root < square ? Integer(root + 1) : root;
}

// Follows the definition of section 7 of the contract, step by step.
class Definition {
 public:
  explicit Definition(const Ray& ray) : ray_(ray) {
    for (int axis = 0; axis < 3; ++axis) {
      from_[at(axis)] = nearest(exactly(ray.origin[axis]) * 65536);
      largest_ = std::max(largest_, std::abs(ray.direction[axis]));
    }
  }

  OracleRay line() const {
    const OracleRay point{.from = from_, .delta = {}, .end = 1};
    if (!isInBounds()) return point;
    // Below this, the largest component is less than 2^33.
    int k = 31 - std::ilogb(largest_);
    while (!reaches(k) && endsInFrame(k))
      ++k;
    while (!endsInFrame(k))
      --k;
    OracleRay line{.from = from_, .delta = scaled(k), .end = endOf(scaled(k))};
    const bool is_point = line.end == 0 || line.delta == Integers{};
    return is_point ? point : line;
  }

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  Integers scaled(int k) const {
    Integers d;
    for (int axis = 0; axis < 3; ++axis)
      d[at(axis)] = nearest(exactly(ray_.direction[axis]) * power(k));
    return d;
  }
  static Integer lengthOf(const Integers& d) {
    return rootRoundedUp(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  Integer distance() const { return nearest(exactly(ray_.max_distance) * 65536); }
  Integer bound(double value) const { return nearest(exactly(value) * 65536); }

  bool isInBounds() const {
    for (int axis = 0; axis < 3 && ray_.bounds.has_value(); ++axis) {
      if (from_[at(axis)] < bound(ray_.bounds->min[axis]) ||
          from_[at(axis)] > bound(ray_.bounds->max[axis])) {
        return false;
      }
    }
    return true;
  }
  bool endsInFrame(int k) const {
    const Integers d = scaled(k);
    for (int axis = 0; axis < 3; ++axis) {
      const Integer end = from_[at(axis)] + d[at(axis)];
      if (end > Integer(kMaxCoordinate) || end < -Integer(kMaxCoordinate)) return false;
    }
    return true;
  }
  bool reaches(int k) const {
    const Integers d = scaled(k);
    Integer largest = 0;
    bool leaves = false;
    for (int axis = 0; axis < 3; ++axis) {
      const Integer component = d[at(axis)];
      largest = std::max({largest, component, Integer(-component)});
      if (!ray_.bounds.has_value()) continue;
      const Integer end = from_[at(axis)] + component;
      leaves = leaves || end < bound(ray_.bounds->min[axis]) || end > bound(ray_.bounds->max[axis]);
    }
    if (largest < Integer(1) << 33) return false;
    return leaves || (!std::isinf(ray_.max_distance) && lengthOf(d) >= distance());
  }
  Rational endOf(const Integers& d) const {
    const Integer one = Integer(1) << 60;
    Integer end = one;
    if (d == Integers{}) return 0;
    if (!std::isinf(ray_.max_distance)) {
      end = std::min(end, oracle::floorOf(oracle::fraction(distance() * one, lengthOf(d))));
    }
    for (int axis = 0; axis < 3 && ray_.bounds.has_value(); ++axis) {
      const Integer component = d[at(axis)];
      if (component == 0) continue;
      const Integer plane = bound(component > 0 ? ray_.bounds->max[axis] : ray_.bounds->min[axis]);
      end = std::min(end,
                     oracle::floorOf(oracle::fraction((plane - from_[at(axis)]) * one, component)));
    }
    return oracle::fraction(end, one);
  }

  const Ray& ray_;
  Integers from_;
  double largest_ = 0;
};

void expectAsDefined(const Ray& ray) {
  const absl::StatusOr<FixedSegment> line = toFixedSegment(ray);
  ASSERT_TRUE(line.ok()) << line.status();
  const OracleRay expected = Definition(ray).line();
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    ASSERT_EQ(Integer(line->from[axis]), expected.from[i]);
    ASSERT_EQ(Integer(line->delta()[axis]), expected.delta[i]);
  }
  ASSERT_EQ(oracle::fraction(Integer(line->end_time), Integer(kWholeLine)), expected.end);
}

// Returns any double of the sizes that make trouble.
double someNumber(Rng& rng) {
  const double sign = rng.oneIn(2) ? 1 : -1;
  const double fraction = static_cast<double>(rng.in(0, 1 << 30)) / (1 << 30);
  switch (rng.below(5)) {
    case 0:
      return sign * static_cast<double>(rng.below(5));
    case 1:
      return sign * fraction;
    case 2:
      return sign * fraction * 0x1p33;
    case 3:
      return sign * fraction * kEnd;
    default:
      return sign * std::ldexp(1.0, rng.below(46));
  }
}

Ray someRay(Rng& rng) {
  Ray ray;
  const double scale = rng.pick({1.0, 1.0, 1e-300, 0x1p-1060, 1e300, 7e11});
  for (int axis = 0; axis < 3; ++axis) {
    ray.origin[axis] = std::min(std::max(someNumber(rng), -kEnd), kEnd);
    if (rng.oneIn(8)) ray.origin[axis] = rng.pick({kEnd, -kEnd});
    ray.direction[axis] = rng.oneIn(3) ? 0 : someNumber(rng) / kEnd * scale;
    if (rng.oneIn(3)) ray.direction[axis] = static_cast<double>(rng.in(-3, 3)) * scale;
  }
  if (ray.direction == Vec3d{}) ray.direction[rng.below(3)] = scale;
  ray.max_distance = rng.pick({0.0, 1.0 / 65536, 5.0, 1674.53, 131072.0, 1e9, 1e12, 0x1p45, 0x1p46,
                               1.2 * 0x1p46, 1.7 * 0x1p46, 0x1p47, 1e300, kInfinity});
  if (rng.oneIn(3)) ray.max_distance = std::abs(someNumber(rng));
  if (rng.oneIn(2)) return ray;
  Bounds bounds;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = ray.origin[axis];
    bounds.min[axis] = rng.oneIn(4) ? at : at - std::abs(someNumber(rng));
    bounds.max[axis] = rng.oneIn(4) ? at : at + std::abs(someNumber(rng));
    if (rng.oneIn(10)) bounds.max[axis] = rng.pick({1e300, 0x1p46, 0x1p47});
    if (rng.oneIn(30)) bounds.min[axis] = bounds.max[axis];
  }
  ray.bounds = bounds;
  return ray;
}

TEST(RayTest, IsAsTheContractDefinesIt) {
  Rng rng("RayTest.IsAsTheContractDefinesIt");
  for (int i = 0; i < 6000; ++i)
    ASSERT_NO_FATAL_FAILURE(expectAsDefined(someRay(rng))) << i;
}

TEST(RayTest, KeepsDirectionsOfWholeNumbers) {
  for (const double distance : {5.0, 1e9, kInfinity}) {
    for (const double scale : {0x1p-1060, 1.0, 0x1p900}) {
      const FixedSegment line =
          toFixedSegment(Ray{{0, 0, 0}, {2 * scale, scale, 0}, distance}).value();
      EXPECT_EQ(line.to[0], 2 * line.to[1]) << distance << " " << scale;
      EXPECT_EQ(line.to[2], 0);
    }
  }
}

TEST(RayTest, EndsAtTheMaximumDistanceOrJustBefore) {
  const FixedSegment line = toFixedSegment(Ray{{1, 2, 3}, {0, 0, -7}, 5}).value();
  const Vec3d end = line.pointAt(static_cast<double>(line.end_time) / 0x1p60);
  EXPECT_NEAR(end[2], -2, 1e-9);
  EXPECT_EQ(line.from, (Vec3i{65536, 2 * 65536, 3 * 65536}));
  EXPECT_GE(line.from[2] - line.to[2], std::int64_t{1} << 33);
}

TEST(RayTest, ARayOfNoLengthIsAPoint) {
  const FixedSegment point{.from = {65536, 131072, 196608}, .to = {65536, 131072, 196608}};
  EXPECT_EQ(toFixedSegment(Ray{{1, 2, 3}, {1, 1, 1}, 0}).value(), point);
  const Bounds elsewhere{{5, 5, 5}, {6, 6, 6}};
  EXPECT_EQ(toFixedSegment(Ray{{1, 2, 3}, {1, 1, 1}, 9, elsewhere}).value(), point);
  const Bounds opposite{{0, 0, 0}, {1, 9, 9}};
  EXPECT_EQ(toFixedSegment(Ray{{1, 2, 3}, {1, 0, 0}, 9, opposite}).value(), point);
  const FixedSegment at_end = toFixedSegment(Ray{{kEnd, 0, 0}, {1, 0, 0}}).value();
  EXPECT_EQ(at_end.from, at_end.to);
  EXPECT_EQ(at_end.end_time, kWholeLine);
}

TEST(RayTest, AnInfiniteOneReachesHalfWayToTheFramesEnd) {
  Rng rng("RayTest.Infinite");
  for (int i = 0; i < 5000; ++i) {
    Ray ray = someRay(rng);
    ray.max_distance = kInfinity;
    ray.bounds.reset();
    const FixedSegment line = toFixedSegment(ray).value();
    ASSERT_EQ(line.end_time, kWholeLine);
    // Twice as far it would be outside.
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const Integer end = Integer(line.from[axis]) + 2 * Integer(line.delta()[axis]);
      is_inside = is_inside && abs(end) + 1 < Integer(kMaxCoordinate);
    }
    ASSERT_TRUE(!is_inside || line.delta() == Vec3i{}) << i;
  }
}

absl::Status statusOf(const Ray& ray) {
  return toFixedSegment(ray).status();
}

TEST(RayTest, BadRaysAreRefused) {
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(statusOf({{}, {0, 0, 0}}).code(), kInvalid);
  EXPECT_EQ(statusOf({{}, {0, -0.0, 0}}).code(), kInvalid);
  EXPECT_EQ(statusOf({{}, {1, kNaN, 0}}).code(), kInvalid);
  EXPECT_THAT(std::string(statusOf({{}, {1, kInfinity, 0}}).message()),
              testing::HasSubstr("direction.y is inf"));
  EXPECT_EQ(statusOf({{}, {1, 0, 0}, -1}).code(), kInvalid);
  EXPECT_EQ(statusOf({{}, {1, 0, 0}, -kInfinity}).code(), kInvalid);
  EXPECT_THAT(std::string(statusOf({{}, {1, 0, 0}, kNaN}).message()),
              testing::HasSubstr("distance is nan"));
  EXPECT_EQ(statusOf({{kNaN, 0, 0}, {1, 0, 0}, 1}).code(), kInvalid);
  EXPECT_EQ(statusOf({{0, 1e20, 0}, {1, 0, 0}, 1}).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(statusOf({{}, {1, 0, 0}, 1, Bounds{{0, 0, 0}, {1, 1, -1}}}).code(), kInvalid);
  EXPECT_THAT(
      std::string(statusOf({{}, {1, 0, 0}, 1, Bounds{{0, 0, 0}, {1, 1, kInfinity}}}).message()),
      testing::HasSubstr("on axis z"));
  EXPECT_EQ(statusOf({{}, {1, 0, 0}, 1, Bounds{{kNaN, 0, 0}, {1, 1, 1}}}).code(), kInvalid);
}

}  // namespace
}  // namespace fractalray
