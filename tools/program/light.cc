// SPDX-License-Identifier: Apache-2.0
#include "light.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fractalray {
namespace {

constexpr Color kSunGlow{1.0, 0.93, 0.76};
constexpr Color kSkyLight{0.40, 0.46, 0.56};
constexpr Color kSunLight{0.86, 0.80, 0.66};
constexpr Color kGroundLight{0.20, 0.18, 0.15};

// Stars: at most one in each cell of a grid on each face of a cube around the eye.
constexpr double kStarCells = 48;     // from the middle of a face to its edge
constexpr double kStarRadius = 0.11;  // the largest, in cells

double square(double x) {
  return x * x;
}

// Returns a number from 0 to 1 from eight of the bits.
double fraction(std::size_t bits, int shift) {
  return static_cast<double>((bits >> shift) & 0xffU) / 255;
}

// Returns the brightness of the stars in a direction, from 0 to 1.
double starLight(const Vec3d& direction) {
  int axis = 0;
  for (int other = 1; other < 3; ++other) {
    if (std::abs(direction[other]) > std::abs(direction[axis])) axis = other;
  }
  const double depth = std::abs(direction[axis]);
  const double u = direction[(axis + 1) % 3] / depth * kStarCells;
  const double v = direction[(axis + 2) % 3] / depth * kStarCells;
  const BlockCoord cell{static_cast<std::int64_t>(std::floor(u)),
                        static_cast<std::int64_t>(std::floor(v)),
                        direction[axis] < 0 ? axis : axis + 3};
  const std::size_t bits = CellHash()(cell);
  if (fraction(bits, 56) > 0.12) return 0;
  const double radius = kStarRadius * (0.4 + 0.6 * fraction(bits, 32));
  const double from_u = u - std::floor(u) - (0.2 + 0.6 * fraction(bits, 40));
  const double from_v = v - std::floor(v) - (0.2 + 0.6 * fraction(bits, 48));
  return std::max(0.0, 1 - (square(from_u) + square(from_v)) / square(radius));
}

}  // namespace

Color toColor(Rgb rgb) {
  return Color{rgb.red / 255.0, rgb.green / 255.0, rgb.blue / 255.0};
}

Rgb toRgb(const Color& color) {
  const auto component = [&](int i) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(color[i], 0.0, 1.0)));
  };
  return {component(0), component(1), component(2)};
}

Color mix(const Color& a, const Color& b, double part_of_b) {
  return a * (1 - part_of_b) + b * part_of_b;
}

double fade(double x) {
  // (1 + x / 16)^-16
  return square(square(square(square(1 / (1 + x / 16)))));
}

Vec3d sunDirection() {
  constexpr Vec3d kSun{0.62, 0.82, -0.44};
  return kSun / length(kSun);
}

Sky mix(const Sky& a, const Sky& b, double part_of_b) {
  const auto between = [&](double x, double y) { return x * (1 - part_of_b) + y * part_of_b; };
  return {.zenith = mix(a.zenith, b.zenith, part_of_b),
          .horizon = mix(a.horizon, b.horizon, part_of_b),
          .brightness = between(a.brightness, b.brightness),
          .stars = between(a.stars, b.stars)};
}

Color skyColor(const Vec3d& direction, const Sky& look) {
  const double height = std::clamp(direction[1], 0.0, 1.0);
  Color sky = mix(look.zenith, look.horizon, square(square(1 - height)));
  if (look.stars > 0) sky = mix(sky, {1, 1, 1}, look.stars * starLight(direction));
  const double towards_sun = std::max(0.0, dot(direction, sunDirection()));
  const double glow = square(square(square(square(square(towards_sun)))));
  return mix(sky, kSunGlow, 0.6 * glow);
}

Color lightOn(const Vec3d& normal, bool in_sun, const Sky& sky) {
  const Color around = mix(kGroundLight, kSkyLight, 0.5 + 0.5 * normal[1]) * sky.brightness;
  const double towards_sun = std::max(0.0, dot(normal, sunDirection()));
  return in_sun ? around + kSunLight * towards_sun : around;
}

Color throughHaze(const Color& color, const Vec3d& direction, double distance, double view_distance,
                  const Sky& sky) {
  // The haze has the colour of the sky just above the horizon, so that the ground fades into it.
  const Vec3d level{direction[0], std::max(direction[1], 0.0), direction[2]};
  return mix(color, skyColor(level, sky), square(std::clamp(distance / view_distance, 0.0, 1.0)));
}

double reflectedPart(const Vec3d& direction, const Vec3d& normal) {
  // Schlick's approximation, for water.
  const double grazing = 1 - std::clamp(-dot(direction, normal), 0.0, 1.0);
  return 0.03 + 0.97 * square(square(grazing)) * grazing;
}

Vec3d reflected(const Vec3d& direction, const Vec3d& normal) {
  return direction - normal * (2 * dot(direction, normal));
}

}  // namespace fractalray
