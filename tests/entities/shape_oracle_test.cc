// SPDX-License-Identifier: Apache-2.0
// Checks if and when a line enters and leaves a shape, and which boxes a shape overlaps, against
// the oracle on random and adversarial input, up to the end of the frame.
#include "../oracle/shape_oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "../../entities/internal/shape_geometry.h"
#include "../../entities/shape.h"
#include "../oracle/rng.h"

namespace fractalray::shape_oracle_test {
namespace {

using oracle::ExactTime;
using oracle::Rng;

struct Input {
  FixedSegment segment;
  FixedShape shape;
  Vec3i center;
};

std::string describe(const Input& in) {
  std::string text = in.shape.kind == FixedShape::Kind::kSphere ? "sphere" : "box";
  const auto append = [&](const char* name, const Vec3i& v) {
    text += std::string(" ") + name;
    for (int axis = 0; axis < 3; ++axis)
      text += " " + std::to_string(v[axis]);
  };
  append("half extents", in.shape.half_extents);
  append("center", in.center);
  append("from", in.segment.from);
  append("to", in.segment.to);
  return text;
}

bool isFraction(const HitTime& time, const oracle::Rational& t) {
  const Fraction bound = time.lowerBound();
  return oracle::fraction(bound.numerator, bound.denominator) == t;
}

// Compares one hit; returns true if there was one.
bool check(const Input& in) {
  const Line line(in.segment);
  const std::optional<HitTime> time = internal::intersect(line, in.shape, in.center);
  const std::optional<oracle::Meeting> expected =
      oracle::meetShape(in.segment, in.shape, in.center);
  EXPECT_EQ(time.has_value(), expected.has_value()) << describe(in);
  if (!time.has_value() || !expected.has_value()) return false;
  if (expected->enter.q == 0 && (in.shape.kind == FixedShape::Kind::kBox || expected->inside)) {
    EXPECT_TRUE(isFraction(*time, expected->enter.p)) << describe(in);
  }
  // A sphere's time is an exact number too: it orders against the fractions next to it as it must.
  const double t = toDouble(expected->enter);
  EXPECT_NEAR(time->toDouble(), t, 1e-13 * t) << describe(in);
  for (const std::int64_t off : {-1, 0, 1}) {
    constexpr std::int64_t kScale = std::int64_t{1} << 52;
    const Fraction near{static_cast<std::int64_t>(t * static_cast<double>(kScale)) + off, kScale};
    const ExactTime exact{oracle::fraction(near.numerator, near.denominator)};
    EXPECT_EQ(*time <=> HitTime(near), expected->enter <=> exact) << describe(in);
  }
  const HitGeometry hit = internal::hitGeometry(line, in.shape, in.center, *time);
  EXPECT_NEAR(hit.t, t, 1e-13) << describe(in);
  EXPECT_NEAR(hit.t_exit, expected->t_exit, 1e-12) << describe(in);
  EXPECT_LE(hit.t, hit.t_exit) << describe(in);
  EXPECT_LE(hit.t_exit, 1) << describe(in);
  EXPECT_EQ(hit.start_inside, expected->inside) << describe(in);
  EXPECT_EQ(hit.face.axis, in.shape.kind == FixedShape::Kind::kBox ? expected->entry_axis : -1)
      << describe(in);
  if (hit.face.exists()) {
    EXPECT_EQ(hit.face.sign, in.segment.delta()[hit.face.axis] > 0 ? -1 : 1) << describe(in);
  }
  return true;
}

Vec3i randomPoint(Rng& rng, std::int64_t reach) {
  return {rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
}
Vec3i clamped(Vec3i point) {
  for (int axis = 0; axis < 3; ++axis) {
    point[axis] = std::clamp(point[axis], -kMaxCoordinate, kMaxCoordinate);
  }
  return point;
}

Input randomInput(Rng& rng) {
  const std::int64_t size = std::int64_t{1} << rng.in(1, 57);
  const std::int64_t far = rng.pick({std::int64_t{0}, size * 4, std::int64_t{1} << 60});
  Input in;
  in.center = clamped(randomPoint(rng, far));
  in.shape.half_extents = {rng.in(0, size), rng.in(0, size), rng.in(0, size)};
  if (rng.oneIn(2)) {
    const std::int64_t radius = in.shape.half_extents[0];
    in.shape.half_extents = {radius, radius, radius};
  } else {
    in.shape.kind = FixedShape::Kind::kBox;
  }
  const std::int64_t reach = rng.pick({size, 2 * size, 8 * size});
  in.segment.from = clamped(in.center + randomPoint(rng, reach));
  in.segment.to = clamped(in.center + randomPoint(rng, reach));
  if (rng.oneIn(3)) {  // along an axis, or in a plane
    in.segment.to[rng.below(3)] = in.segment.from[rng.below(3)];
    const int axis = rng.below(3);
    in.segment.to[axis] = in.segment.from[axis];
  }
  if (rng.oneIn(4)) {  // grazing: an end, or the whole line, on the surface or one unit off it
    const int axis = rng.below(3);
    const std::int64_t h = in.shape.half_extents[axis];
    const std::int64_t surface =
        in.center[axis] + rng.pick({h, -h}) + rng.pick<std::int64_t>({0, 0, 1, -1});
    in.segment.to[axis] = surface;
    if (rng.oneIn(2)) in.segment.from[axis] = surface;
    if (rng.oneIn(2)) {
      const int other = (axis + 1) % 3;
      in.segment.from[other] = in.segment.to[other] = in.center[other];
    }
  }
  if (rng.oneIn(6)) in.segment.from = clamped(randomPoint(rng, kMaxCoordinate));
  if (rng.oneIn(30)) in.segment.to = in.segment.from;
  return in;
}

TEST(ShapeOracleTest, RandomHitsEqualTheOracle) {
  Rng rng("ShapeOracleTest.Random");
  int hits = 0;
  for (int i = 0; i < 60000 && !HasFailure(); ++i)
    hits += check(randomInput(rng)) ? 1 : 0;
  EXPECT_GT(hits, 8000);
}

TEST(ShapeOracleTest, AllLinesOfASmallLatticeEqualTheOracle) {
  // Every segment between points of a 5 x 5 x 3 lattice around small shapes.
  for (const FixedShape& shape : {FixedShape{FixedShape::Kind::kSphere, {5, 5, 5}},
                                  FixedShape{FixedShape::Kind::kSphere, {3, 3, 3}},
                                  FixedShape{FixedShape::Kind::kBox, {3, 4, 0}}}) {
    for (int from = 0; from < 75 && !HasFailure(); ++from) {
      for (int to = 0; to < 75; ++to) {
        const auto point = [](int i) {
          return Vec3i{i % 5 * 3 - 6, i / 5 % 5 * 4 - 8, i / 25 - 1};
        };
        check({{point(from), point(to)}, shape, {0, 0, 0}});
      }
    }
  }
}

// Tangent lines with whole numbers: for a triple p^2 + q^2 = r^2 the line through (p, q) along (q,
// -p) touches the circle of radius r there.
TEST(ShapeOracleTest, TangentsByPythagoreanTriplesEqualTheOracle) {
  Rng rng("ShapeOracleTest.Tangents");
  int hits = 0;
  for (int i = 0; i < 6000 && !HasFailure(); ++i) {
    const std::int64_t u = rng.in(2, std::int64_t{1} << rng.in(2, 24));
    const std::int64_t v = rng.in(1, u - 1);
    const std::int64_t scale = rng.oneIn(2) ? 1 : rng.in(1, std::int64_t{1} << 6);
    const std::int64_t p = (u * u - v * v) * scale;
    const std::int64_t q = 2 * u * v * scale;
    const std::int64_t r = (u * u + v * v) * scale;
    const int x = rng.below(3);
    const int y = (x + 1 + rng.below(2)) % 3;
    Input in;
    in.shape.half_extents = {r, r, r};
    in.center = clamped(randomPoint(rng, rng.pick({std::int64_t{0}, std::int64_t{1} << 59})));
    Vec3i touch{};
    Vec3i along{};
    touch[x] = p;
    touch[y] = q;
    along[x] = q;
    along[y] = -p;
    in.segment.from = in.center + touch - along * rng.in(0, 3);
    in.segment.to = in.center + touch + along * rng.in(0, 3);
    const int off = rng.below(4);
    if (off < 2) {
      in.segment.from[x] += off == 0 ? 1 : -1;
      in.segment.to[x] += off == 0 ? 1 : -1;
    }
    if (off == 3 && rng.oneIn(2)) in.segment.to[y] -= 1;
    hits += check(in) ? 1 : 0;
    // Exactly on it, and off it by one unit to the outside: a hit and a miss.
    if (off == 2) {
      EXPECT_TRUE(internal::intersect(Line(in.segment), in.shape, in.center)) << describe(in);
    }
    if (off == 0) {
      EXPECT_FALSE(internal::intersect(Line(in.segment), in.shape, in.center)) << describe(in);
    }
  }
  EXPECT_GT(hits, 2000);
}

TEST(ShapeOracleTest, TheLargestShapesInTheFrameEqualTheOracle) {
  // Radius 2^60 and more, segments from end to end of the frame.
  Rng rng("ShapeOracleTest.Largest");
  int hits = 0;
  for (int i = 0; i < 12000 && !HasFailure(); ++i) {
    Input in;
    const std::int64_t radius = rng.in(kMaxCoordinate / 4, kMaxCoordinate);
    in.shape.half_extents = {radius, radius, radius};
    if (rng.oneIn(3)) in.shape.kind = FixedShape::Kind::kBox;
    in.center = randomPoint(rng, kMaxCoordinate - radius);
    const auto end = [&] {
      Vec3i point = randomPoint(rng, kMaxCoordinate);
      for (int axis = 0; axis < 3; ++axis) {
        if (rng.oneIn(2)) point[axis] = rng.pick({kMaxCoordinate, -kMaxCoordinate});
      }
      return point;
    };
    in.segment = {end(), end()};
    hits += check(in) ? 1 : 0;
  }
  EXPECT_GT(hits, 2000);
}

TEST(ShapeOracleTest, OverlapsBoxEqualsTheOracle) {
  Rng rng("ShapeOracleTest.MeetsBox");
  int hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t size = std::int64_t{1} << rng.in(1, 58);
    Input in = randomInput(rng);
    in.center = randomPoint(rng, size);
    const std::int64_t unit = std::max<std::int64_t>(1, size / 8);
    const std::int64_t radius = unit * rng.in(0, 7);
    in.shape.half_extents = {radius, radius, radius};
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {  // 3-4-5 and 2-3-6-7 away, or a unit more or less
      min[axis] = in.center[axis] + unit * rng.in(-7, 7) + rng.pick<std::int64_t>({0, 0, 1, -1});
      max[axis] = min[axis] + unit * rng.in(0, 4);
    }
    const bool expected = oracle::meetsClosedBox(in.shape, in.center, min, max);
    ASSERT_EQ(internal::overlapsBox(in.shape, in.center, min, max), expected) << describe(in);
    hits += expected ? 1 : 0;
  }
  EXPECT_GT(hits, 3000);
  EXPECT_LT(hits, 17000);
}

}  // namespace
}  // namespace fractalray::shape_oracle_test
