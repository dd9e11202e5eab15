// SPDX-License-Identifier: Apache-2.0
// Sets of segments, with their ends on whole units (1/65536 block).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../core/segment.h"
#include "grid.h"

namespace fractalray::bench {

// The same segments in units, for systems that decide in integers, and in blocks, for the others;
// the doubles are exact.
struct Rays {
  std::vector<FixedSegment> units{};
  std::vector<Segment> blocks{};
  // True if each 16 consecutive rays start at one point and end close to each other, but for the
  // last of a group.
  bool coherent = false;
  // The number of consecutive rays that a game asks for at once; 0 if it asks one by one.
  std::size_t group = 0;

  std::size_t size() const { return units.size(); }
};

// Lengths in blocks, uniformly distributed.
struct Lengths {
  double min = 0;
  double max = 400;
};

// Draws rays from random points in empty blocks of the grid in random directions. With `within`,
// starts are less than that from the middle of the grid along x and z.
Rays randomRays(const Grid& grid, std::size_t count, const Lengths& lengths,
                std::int64_t within = std::int64_t{1} << 40);
// Draws rays likewise, with the ends in the grid too; longer ones are drawn less often.
Rays containedRays(const Grid& grid, std::size_t count, const Lengths& lengths);
// Draws rays as randomRays() does, from empty blocks that have a solid one between them and the top
// of the grid.
Rays caveRays(const Grid& grid, std::size_t count, const Lengths& lengths);
// Draws rays as randomRays() does, of those that cross only empty blocks of the grid.
Rays clearRays(const Grid& grid, std::size_t count, const Lengths& lengths);
// Draws rays of one length, mostly along x and with both ends in the grid, so that a long segment
// lies entirely in loaded chunks. Requires: the grid is longer than that along x.
Rays innerRays(const Grid& grid, std::size_t count, double length);
// Makes the rays of a camera of width x width pixels in the upper part of the grid, looking a
// little down, in an order of tiles of 4 x 4 pixels, which suits packets. Requires: width is a
// multiple of 4.
Rays cameraRays(const Grid& grid, std::int64_t width, double length);
// Draws segments of a length far beyond the grid that pass through it, with their ends anywhere.
Rays passingRays(const Grid& grid, std::size_t count, double length);

// Draw loads of games, in groups, of which there is at least one.
//
// Explosions just above the ground, each the 1,352 rays of cubeFan(16) from one point.
Rays explosionRays(const Grid& grid, std::size_t count, double length);
// The eight lines from the eye of a player to points near the corners of the box of another, who is
// at most `distance` blocks away along each axis.
Rays cornerRays(const Grid& grid, std::size_t count, std::int64_t distance);
// The lines from the eye of a player under the sky to the 110 x 110 tiles around, each to the
// middle of the block above the ground. Requires: the grid is wider than that along x and z.
Rays tileRays(const Grid& grid, std::size_t count);

}  // namespace fractalray::bench
