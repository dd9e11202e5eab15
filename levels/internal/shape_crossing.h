// SPDX-License-Identifier: Apache-2.0
// The visit of a line to a block that has a shape: to the union of its boxes.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "../../core/arithmetic/fraction.h"
#include "../../core/corner_policy.h"
#include "../../core/face.h"
#include "../../core/internal/geometry/box_crossing.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/vec.h"
#include "../block_shape.h"

namespace fractalray::internal {

struct ShapeCrossing {
  Fraction enter;
  Fraction leave;  // the last time in a box that the line visits
  Face face = Face::none();
  // The coordinate of the face on its axis, in 1/65,536 of the block from its lower corner.
  std::uint32_t plane = 0;
  // True if the line starts in a box that owns the start. It then has no face.
  bool start_inside = false;
};

// A block's boxes in the world.
struct PlacedShape {
  std::span<const ShapeBox> boxes;
  Vec3i block{};
  int shift = 0;  // log2 of the block's width in units, at least 16
};

// Returns the coordinate, in units, of a plane of a block: on that axis, in 1/65,536 of the block.
// Requires: shift >= 16.
constexpr std::int64_t placedPlane(std::int64_t block, std::uint32_t plane, int shift) {
  return (block << shift) + (std::int64_t{plane} << (shift - 16));
}

// Returns a box of a block's shape in units. Requires: as above.
UnitBox placedBox(const ShapeBox& box, const Vec3i& block, int shift);

// Returns the crossing of a shape; nothing if the line visits none of its boxes. Decides the face
// as the contract has it: of the boxes that are entered first, also of those that are only touched,
// that which is entered through the fewest planes. Cost: crossBox() for each box.
std::optional<ShapeCrossing> crossShape(const Line& line, CornerPolicy policy,
                                        const PlacedShape& shape);

// A closed interval of times.
struct TimeInterval {
  Fraction from;
  Fraction to;
};
// Most shapes are visited in so few intervals that none is allocated.
using TimeIntervals = boost::container::small_vector<TimeInterval, 8>;
// Replaces `spans` by the intervals in which the line visits the shape, in order, merged where they
// touch.
void shapeSpans(const Line& line, CornerPolicy policy, const PlacedShape& shape,
                TimeIntervals& spans);

}  // namespace fractalray::internal
