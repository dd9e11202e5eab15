// SPDX-License-Identifier: Apache-2.0
// The light of pictures: a sun, the sky and the haze. Computed by sums, products, quotients and
// square roots only, which every machine rounds alike.
#pragma once

#include "../../core/vec.h"
#include "../../formats/image.h"

namespace fractalray {

// Red, green and blue from 0 to 1.
using Color = Vec3d;

Color toColor(Rgb rgb);
// Converts to eight bits; cuts components below 0 and above 1.
Rgb toRgb(const Color& color);
Color mix(const Color& a, const Color& b, double part_of_b);

// Returns about e^-x, the part of light that comes through; 1 for 0. Requires: x >= 0.
double fade(double x);

// Returns the direction to the sun, of length 1.
Vec3d sunDirection();

// A sky; by default that of a clear day.
struct Sky {
  Color zenith{0.27, 0.50, 0.86};
  Color horizon{0.80, 0.87, 0.94};
  double brightness = 1;  // of its light on surfaces, compared with that of a clear day
  double stars = 0;       // their brightness: 0 for none, 1 for those of space
};

// Returns a sky between two.
Sky mix(const Sky& a, const Sky& b, double part_of_b);

// Returns the sky in a direction of length 1: from the haze at the horizon and below it to the
// colour of the zenith, with stars, and brighter around the sun.
Color skyColor(const Vec3d& direction, const Sky& look = {});

// Returns the brightness of a surface with this normal: in the light of the sky, and of the sun if
// it reaches the surface. Colours of surfaces are multiplied by it.
Color lightOn(const Vec3d& normal, bool in_sun, const Sky& sky = {});

// Returns a colour as it is seen through the haze: all of it at distance 0, none at
// `view_distance`.
Color throughHaze(const Color& color, const Vec3d& direction, double distance, double view_distance,
                  const Sky& sky = {});

// Returns the part of light that a smooth surface reflects, from 0 to 1: little from straight
// above, all of it at a grazing angle. Requires: vectors of length 1.
double reflectedPart(const Vec3d& direction, const Vec3d& normal);
// Returns the direction in which it is reflected.
Vec3d reflected(const Vec3d& direction, const Vec3d& normal);

}  // namespace fractalray
