// SPDX-License-Identifier: Apache-2.0
// Makes random shapes of blocks, and lines that look for trouble at them, for property tests.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "../../core/segment.h"
#include "../../levels/block_shape.h"
#include "rng.h"

namespace fractalray::oracle {

// Returns 1 to 5 boxes. Their planes are few, so that faces of boxes touch each other and those of
// the cube; some boxes are as thin as a box can be.
std::vector<ShapeBox> randomBoxes(Rng& rng);

// A block's boxes in the world.
struct ShapeAt {
  std::span<const ShapeBox> boxes;
  Vec3i corner{};  // the block's lower corner, in units
  int shift = 16;  // log2 of the block's width in units, at least 16
};

// Returns a point in or around a block, often exactly in planes of its boxes.
Vec3i randomPoint(Rng& rng, const ShapeAt& shape);
// Returns a line from a point near one block to a point near another, which may be the same: often
// along an axis, in a plane, or through a corner of a box.
FixedSegment randomLine(Rng& rng, const ShapeAt& from, const ShapeAt& to);

std::string describe(std::span<const ShapeBox> boxes);

}  // namespace fractalray::oracle
