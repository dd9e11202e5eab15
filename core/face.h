// SPDX-License-Identifier: Apache-2.0
// The faces of a cell, named by their outward normal.
#pragma once

#include <cstdint>
#include <string_view>

#include "vec.h"

namespace fractalray {

// One of the six faces of a block (four of a 2D cell), or none if the cell was not entered through
// a face.
struct Face {
  std::int8_t axis = -1;  // 0, 1, 2 for x, y, z; -1 for no face
  std::int8_t sign = 0;   // the direction of the outward normal along the axis; 0 for no face

  static constexpr Face none() { return {}; }
  constexpr bool exists() const { return axis >= 0; }
  constexpr Vec3d normal() const {
    Vec3d normal{};
    if (exists()) normal[axis] = sign;
    return normal;
  }
  friend constexpr bool operator==(const Face&, const Face&) = default;
};

// Returns "-x" ... "+z", or "none".
constexpr std::string_view faceName(Face face) {
  constexpr std::string_view kNames = "-x+x-y+y-z+z";
  if (!face.exists()) return "none";
  return kNames.substr(
      std::size_t{4} * static_cast<std::size_t>(face.axis) + (face.sign > 0 ? 2 : 0), 2);
}

}  // namespace fractalray
