// SPDX-License-Identifier: Apache-2.0
// The sphere test of the peers: in doubles, which here are rounded in the last bits at most.
#pragma once

#include "../../core/segment.h"
#include "../../core/vec.h"

namespace fractalray::bench {

// A segment against closed spheres.
class SphereTest {
 public:
  explicit SphereTest(const Segment& segment)
      : from_(segment.from),
        delta_(segment.to - segment.from),
        length_squared_(dot(delta_, delta_)) {}

  const Vec3d& from() const { return from_; }
  const Vec3d& delta() const { return delta_; }
  double lengthSquared() const { return length_squared_; }

  bool intersects(const Vec3d& center, double radius) const {
    const Vec3d m = from_ - center;
    const double c = dot(m, m) - radius * radius;
    if (c <= 0) return true;  // starts inside
    const double b = dot(m, delta_);
    if (b >= 0) return false;  // leads away
    const double a = length_squared_;
    if (a + b < 0) return a + 2 * b + c <= 0;  // closest beyond the end
    return b * b >= a * c;
  }

 private:
  static double dot(const Vec3d& a, const Vec3d& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  Vec3d from_;
  Vec3d delta_;
  double length_squared_;
};

}  // namespace fractalray::bench
