// SPDX-License-Identifier: Apache-2.0
// The times at which a whole line crosses planes.
#pragma once

#include <cstdint>

#include "../../core/arithmetic/fraction.h"
#include "../../core/internal/geometry/line.h"

namespace fractalray::internal {

// Returns the time at which the line, however long, crosses the plane `coordinate` of an axis that
// it moves along.
inline Fraction crossingTime(const Line& line, int axis, std::int64_t coordinate) {
  const std::int64_t d = line.delta()[axis];
  const std::int64_t way = coordinate - line.from()[axis];
  return d > 0 ? Fraction{way, d} : Fraction{-way, -d};
}

}  // namespace fractalray::internal
