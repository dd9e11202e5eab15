// SPDX-License-Identifier: Apache-2.0
// Directions that cover a cone, or all of the sphere, more evenly than random ones would.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../../core/check.h"
#include "../../core/vec.h"

namespace fractalray::internal {

// A cone as a frame of unit vectors. Computed with divisions and square roots alone, which every
// machine rounds alike.
class DirectionCone {
 public:
  // Requires: `axis` is finite and not zero; -1 <= cos_half_angle <= 1.
  DirectionCone(const Vec3d& axis, double cos_half_angle) : half_height_((1 - cos_half_angle) / 2) {
    for (int i = 0; i < 3; ++i)
      FRACTALRAY_DCHECK(std::isfinite(axis[i]), i, axis[i]);
    // Scaled first: the squares of components may overflow, or vanish.
    const double scale = std::max({std::abs(axis[0]), std::abs(axis[1]), std::abs(axis[2])});
    FRACTALRAY_DCHECK(scale > 0, scale);
    FRACTALRAY_DCHECK(cos_half_angle >= -1 && cos_half_angle <= 1, cos_half_angle);
    const Vec3d scaled = axis / scale;
    z_ = scaled / length(scaled);
    // An orthonormal basis (Duff et al., "Building an Orthonormal Basis, Revisited", 2017).
    const double sign = std::copysign(1.0, z_[2]);
    const double a = -1 / (sign + z_[2]);
    const double b = z_[0] * z_[1] * a;
    x_ = {1 + sign * z_[0] * z_[0] * a, sign * b, -sign * z_[0]};
    y_ = {b, sign + z_[1] * z_[1] * a, -z_[1]};
  }

  // Returns the direction of a point of the unit disc, so that areas of the disc become areas of
  // the cap in proportion (Marsaglia's map of the disc to the sphere). Requires: |point| < 1.
  Vec3d direction(double x, double y) const {
    FRACTALRAY_DCHECK(x * x + y * y < 1, x, y);
    const double s = (x * x + y * y) * half_height_;
    const double radius = 2 * std::sqrt(1 - s) * std::sqrt(half_height_);
    return x_ * (x * radius) + y_ * (y * radius) + z_ * (1 - 2 * s);
  }

 private:
  double half_height_;  // of the cap that the cone cuts out of the unit sphere
  Vec3d x_;
  Vec3d y_;
  Vec3d z_;
};

// Points of a disc: those of Roberts' sequence R2, a low-discrepancy sequence in the square, that
// lie in the disc. In integers, so that it never loses precision; repeats after 2^64 points.
class DirectionSequence {
 public:
  // Returns the next direction of a cone.
  Vec3d next(const DirectionCone& cone) {
    while (true) {
      ++index_;
      // The fractional parts of multiples of 1/g and 1/g^2, g being the real root of x^3 = x + 1.
      const double x = fromBits(index_ * 0xc13fa9a902a6328fU);
      const double y = fromBits(index_ * 0x91e10da5c79e7b1dU);
      if (x * x + y * y < 1) return cone.direction(x, y);
    }
  }

 private:
  // Returns a number in [-1, 1).
  static double fromBits(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  }

  std::uint64_t index_ = 0;
};

}  // namespace fractalray::internal
