// SPDX-License-Identifier: Apache-2.0
// Makes random shapes of blocks, and lines that look for trouble at them, for property tests.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../core/segment.h"
#include "../../levels/block_shape.h"
#include "rng.h"

namespace fractalray::oracle {

// Returns 1 to 5 boxes, some of them as thin as a box can be. Other coordinates are multiples of
// 1 / grid of the block: where these are few, faces of boxes touch each other and those of the
// cube.
std::vector<ShapeBox> randomBoxes(Rng& rng, std::int64_t grid);
// Returns such boxes in a grid of 2, 4, 16 or all units.
std::vector<ShapeBox> randomBoxes(Rng& rng);

// A block's boxes in the world.
struct ShapeAt {
  std::span<const ShapeBox> boxes;
  Vec3i corner{};  // the block's lower corner, in units
  int shift = 16;  // log2 of the block's width in units, at least 16
};

// Returns a line from a point in or around one block to a point at another, which may be the same:
// often along an axis, in a plane, or through a corner of a box.
FixedSegment randomLine(Rng& rng, const ShapeAt& from, const ShapeAt& to);

std::string describe(std::span<const ShapeBox> boxes);

}  // namespace fractalray::oracle
