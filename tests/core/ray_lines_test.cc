// SPDX-License-Identifier: Apache-2.0
// Compares the fast conversion of short rays with the general one, bit by bit.
#include "../../core/internal/ray_lines.h"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "../oracle/rng.h"

namespace fractalray::internal::ray_lines_test {
namespace {

using oracle::Rng;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnit = 1.0 / 65536;

std::string textOf(const Ray& ray) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "origin %a %a %a direction %a %a %a distance %a",
                ray.origin[0], ray.origin[1], ray.origin[2], ray.direction[0], ray.direction[1],
                ray.direction[2], ray.max_distance);
  return text.data();
}

// Returns true if the ray is short; expects that it then has the line of the general conversion.
bool isShortAndSame(const Ray& ray) {
  FixedSegment line;
  if (!lineOfShortRay(ray, line)) return false;
  const absl::StatusOr<FixedSegment> expected = lineOfAnyRay(ray);
  EXPECT_TRUE(expected.ok()) << textOf(ray);
  if (expected.ok()) {
    EXPECT_EQ(line.from, expected->from) << textOf(ray);
    EXPECT_EQ(line.delta(), expected->delta()) << textOf(ray);
    EXPECT_EQ(line.end_time, expected->end_time) << textOf(ray);
    EXPECT_EQ(line.begin, expected->begin) << textOf(ray);
  }
  return true;
}

double uniform(Rng& rng, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>(rng.in(0, 1LL << 53)), -53);
}

// Moves a number by a few of the smallest steps, or by none.
double nudged(Rng& rng, double value) {
  for (int left = rng.below(3); left > 0; --left)
    value = std::nextafter(value, rng.oneIn(2) ? kInfinity : -kInfinity);
  return value;
}

double component(Rng& rng) {
  const double sign = rng.oneIn(2) ? 1 : -1;
  switch (rng.below(7)) {
    case 0:
      return sign * 0.0;
    case 1:
      return sign * static_cast<double>(rng.in(1, 5));
    case 2:
      return sign * nudged(rng, std::ldexp(1.0, rng.below(60) - 50));
    case 3:  // half a unit of D, or nearly
      return sign * nudged(rng, std::ldexp(static_cast<double>(rng.in(1, 99)) + 0.5, -33));
    case 4:
      return sign * rng.pick({0x1p-1074, 0x1p-1022, 1e-300, 1e-200});
    default:
      return sign * uniform(rng, 0, 1);
  }
}

Vec3d direction(Rng& rng) {
  // Of whole length: a Pythagorean quadruple, where S is exact.
  const Vec3d whole = rng.pick({Vec3d{1, 2, 2}, Vec3d{2, 3, 6}, Vec3d{4, 4, 7}, Vec3d{3, 4, 0},
                                Vec3d{1, 4, 8}, Vec3d{0, 0, 1}});
  Vec3d d{component(rng), component(rng), component(rng)};
  if (rng.oneIn(4)) d = whole;
  if (rng.oneIn(8)) d[rng.below(3)] = nudged(rng, 1.0);
  if (rng.oneIn(3) && length(d) > 0) d /= length(d);
  const double scale = rng.oneIn(3) ? std::ldexp(1.0, rng.below(1000) - 500) : 1;
  return d * (rng.oneIn(3) ? uniform(rng, 0.5, 2) * scale : scale);
}

double distance(Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return std::min(nudged(rng, std::ldexp(1.0, rng.below(37) - 16)), 0x1p20);
    case 1:
      return rng.pick({0.0, -0.0, kUnit, 0.5 * kUnit, 0.49 * kUnit, 6.0, 0x1p17, 0x1p20});
    case 2:  // about a power of two times the length of a short direction
      return std::ldexp(std::sqrt(uniform(rng, 1, 3)), rng.below(20));
    case 3:
      return uniform(rng, 0, 0x1p20);
    default:
      return uniform(rng, 0, 500);
  }
}

Ray shortRay(Rng& rng) {
  Ray ray{.direction = direction(rng), .max_distance = distance(rng)};
  for (int axis = 0; axis < 3; ++axis) {
    ray.origin[axis] = uniform(rng, -500, 500);
    if (rng.oneIn(6)) ray.origin[axis] = std::ldexp(uniform(rng, -1, 1), rng.below(44));
    if (rng.oneIn(6)) ray.origin[axis] = rng.pick({0.0, -0.0, 0x1p44, -0x1p44, 0.5 * kUnit});
  }
  return ray;
}

// Also in other rounding modes, which an engine may have set.
TEST(RayLinesTest, ShortRaysHaveTheSameLinesAsByTheGeneralConversion) {
  Rng rng("RayLinesTest.Same");
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    int quick = 0;
    const int count = mode == FE_TONEAREST ? 2'000'000 : 100'000;
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const Ray ray = shortRay(rng);
      std::fesetround(mode);
      quick += isShortAndSame(ray) ? 1 : 0;
      std::fesetround(FE_TONEAREST);
    }
    EXPECT_GT(quick, count * 8 / 10) << "most of them are short";
  }
}

// S is S(k) of a distance just reached, or just missed: where the least k changes.
TEST(RayLinesTest, DistancesAtTheLengthOfADirectionChooseTheSamePower) {
  Rng rng("RayLinesTest.Power");
  for (int i = 0; i < 200'000 && !HasFailure(); ++i) {
    Ray ray = shortRay(rng);
    ray.max_distance = 0x1p20;
    FixedSegment line;
    if (!lineOfShortRay(ray, line)) continue;
    const Vec3i d = line.delta();
    const double units = std::sqrt(static_cast<double>(d[0]) * static_cast<double>(d[0]) +
                                   static_cast<double>(d[1]) * static_cast<double>(d[1]) +
                                   static_cast<double>(d[2]) * static_cast<double>(d[2]));
    for (int step = -2; step <= 2; ++step) {
      for (const double part : {1.0, 0.5, 0.25, 0.125}) {
        ray.max_distance = std::min((std::ceil(units * part) + step) * kUnit, kShortRay);
        EXPECT_TRUE(isShortAndSame(ray)) << textOf(ray);
      }
    }
  }
}

TEST(RayLinesTest, OtherRaysAreLeftToTheGeneralConversion) {
  const Ray short_ray{.origin = {1, 2, 3}, .direction = {1, 2, 2}, .max_distance = 6};
  EXPECT_TRUE(isShortAndSame(short_ray));
  FixedSegment line;
  const auto expectLeft = [&](const auto& change) {
    Ray ray = short_ray;
    change(ray);
    EXPECT_FALSE(lineOfShortRay(ray, line)) << textOf(ray);
  };
  for (const double value : {kNaN, kInfinity, -kInfinity, 0x1p46, -0x1p45})
    expectLeft([&](Ray& ray) { ray.origin[1] = value; });
  for (const double value : {kNaN, kInfinity, -kInfinity, 1e300, -0x1p600})
    expectLeft([&](Ray& ray) { ray.direction[2] = value; });
  for (const double value : {kNaN, kInfinity, -kInfinity, -0x1p-1074, std::nextafter(0x1p20, 1e9)})
    expectLeft([&](Ray& ray) { ray.max_distance = value; });
  expectLeft([](Ray& ray) { ray.direction = {}; });
  expectLeft([](Ray& ray) { ray.direction = {0, 0x1p-1074, 0}; });
  expectLeft([](Ray& ray) { ray.bounds = Bounds{{0, 0, 0}, {9, 9, 9}}; });
}

}  // namespace
}  // namespace fractalray::internal::ray_lines_test
