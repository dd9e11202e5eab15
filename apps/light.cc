// SPDX-License-Identifier: Apache-2.0
#include "light.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fractalray {
namespace {

constexpr Color kZenith{0.27, 0.50, 0.86};
constexpr Color kHorizon{0.80, 0.87, 0.94};
constexpr Color kSunGlow{1.0, 0.93, 0.76};
constexpr Color kSkyLight{0.40, 0.46, 0.56};
constexpr Color kSunLight{0.86, 0.80, 0.66};
constexpr Color kGroundLight{0.20, 0.18, 0.15};

double square(double x) {
  return x * x;
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

Color skyColor(const Vec3d& direction) {
  const double height = std::clamp(direction[1], 0.0, 1.0);
  const Color sky = mix(kZenith, kHorizon, square(square(1 - height)));
  const double towards_sun = std::max(0.0, dot(direction, sunDirection()));
  const double glow = square(square(square(square(square(towards_sun)))));
  return mix(sky, kSunGlow, 0.6 * glow);
}

Color lightOn(const Vec3d& normal, bool in_sun) {
  const Color around = mix(kGroundLight, kSkyLight, 0.5 + 0.5 * normal[1]);
  const double towards_sun = std::max(0.0, dot(normal, sunDirection()));
  return in_sun ? around + kSunLight * towards_sun : around;
}

Color throughHaze(const Color& color, const Vec3d& direction, double distance,
                  double view_distance) {
  // The haze has the colour of the sky just above the horizon, so that the ground fades into it.
  const Vec3d level{direction[0], std::max(direction[1], 0.0), direction[2]};
  return mix(color, skyColor(level), square(std::clamp(distance / view_distance, 0.0, 1.0)));
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
