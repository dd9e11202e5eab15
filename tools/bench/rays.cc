// SPDX-License-Identifier: Apache-2.0
#include "rays.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "../../core/grid_walk.h"
#include "../../query/blast.h"
#include "random.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 21;

std::int64_t toUnit(double blocks) {
  return std::llround(blocks * static_cast<double>(kUnitsPerBlock));
}

void append(Rays& rays, const FixedSegment& segment) {
  rays.units.push_back(segment);
  rays.blocks.push_back(toBlocks(segment));
}

FixedSegment segmentFrom(const Vec3i& from, const Vec3d& direction, double length) {
  FixedSegment segment{from, from};
  for (int axis = 0; axis < 3; ++axis)
    segment.to[axis] += toUnit(direction[axis] * length);
  return segment;
}

// Draws a direction, uniformly distributed on the sphere: a point of the ball, drawn from the cube.
Vec3d randomDirection(Random& random) {
  while (true) {
    Vec3d direction;
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      direction[axis] = 2 * random.real() - 1;
      square += direction[axis] * direction[axis];
    }
    if (square > 1 || square < 0.01) continue;
    return direction * (1 / std::sqrt(square));
  }
}

// Draws a point of the grid, on whole units.
Vec3i randomPoint(Random& random, const Grid& grid) {
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = random.between(grid.origin()[axis] * kUnitsPerBlock,
                                 (grid.origin()[axis] + grid.size()[axis]) * kUnitsPerBlock - 1);
  return point;
}

BlockCoord blockAt(const Vec3i& point) {
  return {point[0] >> 16, point[1] >> 16, point[2] >> 16};
}

bool isClear(const Grid& grid, const FixedSegment& segment) {
  constexpr Vec3i kWidths{kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock};
  bool is_clear = true;
  GridWalk<3>(segment.from, segment.to, kWidths, CornerPolicy::kBoth)
      .forEach([&](const GridCell<3>& cell) {
        is_clear = !grid.occupied({cell.cell[0], cell.cell[1], cell.cell[2]});
        return is_clear ? Visit::kContinue : Visit::kStop;
      });
  return is_clear;
}

bool isUnderSolid(const Grid& grid, BlockCoord block) {
  while (grid.contains(block)) {
    if (grid.kind(block) == BlockKind::kSolid) return true;
    ++block[1];
  }
  return false;
}

// Draws a point of the grid in an empty block for which `admits(point)` holds.
template <class Predicate>
Vec3i emptyPoint(Random& random, const Grid& grid, Predicate&& admits) {
  while (true) {
    const Vec3i point = randomPoint(random, grid);
    if (!grid.occupied(blockAt(point)) && admits(point)) return point;
  }
}

double randomLength(Random& random, const Lengths& lengths) {
  return lengths.min + (lengths.max - lengths.min) * random.real();
}

template <class Predicate>
Rays raysFrom(const Grid& grid, std::size_t count, const Lengths& lengths, Predicate&& admits) {
  Rays rays;
  Random random(kSeed);
  while (rays.size() < count) {
    const Vec3i from = emptyPoint(random, grid, admits);
    const Vec3d direction = randomDirection(random);
    append(rays, segmentFrom(from, direction, randomLength(random, lengths)));
  }
  return rays;
}

// Draws segments from random points in empty blocks, in random directions, until there are `count`
// that `admits` accepts.
template <class Predicate>
Rays segmentsThat(const Grid& grid, std::size_t count, const Lengths& lengths,
                  const Predicate& admits) {
  Rays rays;
  Random random(kSeed);
  while (rays.size() < count) {
    const Vec3i from = emptyPoint(random, grid, [](const Vec3i&) { return true; });
    const Vec3d direction = randomDirection(random);
    const FixedSegment segment = segmentFrom(from, direction, randomLength(random, lengths));
    if (admits(segment)) append(rays, segment);
  }
  return rays;
}

// Half of a player's size, and the height of the eye, in blocks.
constexpr Vec3d kHalfPlayer{0.3, 0.9, 0.3};
constexpr double kEyeHeight = 1.62;
// Lines end a little inside of the corners of the box.
constexpr double kCornerShare = 0.9;
constexpr std::int64_t kTilesAcross = 110;

// Returns the number of groups for about `count` rays.
std::size_t groupsOf(std::size_t count, std::size_t group) {
  return std::max<std::size_t>(count / group, 1);
}

// Returns the point at an offset, in blocks, from the lowest corner of a block.
Vec3i pointIn(const BlockCoord& block, const Vec3d& offset) {
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = block[axis] * kUnitsPerBlock + toUnit(offset[axis]);
  return point;
}

// Returns true if a player can stand with the feet in the block.
bool isStandingSpace(const Grid& grid, const BlockCoord& block) {
  return grid.contains(block) && !grid.occupied(block) &&
         !grid.occupied(block + BlockCoord{0, 1, 0}) && grid.occupied(block - BlockCoord{0, 1, 0});
}

// Draws the position of a player's feet in a block: not in the middle, whose diagonals run through
// corners.
Vec3d randomFeet(Random& random) {
  return {0.35 + 0.3 * random.real(), 0, 0.35 + 0.3 * random.real()};
}

// Returns the lowest block under the sky of a column.
BlockCoord openBlock(const Grid& grid, std::int64_t x, std::int64_t z) {
  BlockCoord block{x, grid.origin()[1] + grid.size()[1], z};
  while (block[1] > grid.origin()[1] && !grid.occupied(block - BlockCoord{0, 1, 0}))
    --block[1];
  return block;
}

}  // namespace

Rays randomRays(const Grid& grid, std::size_t count, const Lengths& lengths, std::int64_t within) {
  return raysFrom(grid, count, lengths, [&](const Vec3i& point) {
    const BlockCoord block = blockAt(point);
    return std::abs(2 * (block[0] - grid.origin()[0]) - grid.size()[0]) < 2 * within &&
           std::abs(2 * (block[2] - grid.origin()[2]) - grid.size()[2]) < 2 * within;
  });
}

Rays containedRays(const Grid& grid, std::size_t count, const Lengths& lengths) {
  return segmentsThat(grid, count, lengths, [&](const FixedSegment& segment) {
    return grid.contains(blockAt(segment.to));
  });
}

Rays caveRays(const Grid& grid, std::size_t count, const Lengths& lengths) {
  return raysFrom(grid, count, lengths,
                  [&](const Vec3i& point) { return isUnderSolid(grid, blockAt(point)); });
}

Rays clearRays(const Grid& grid, std::size_t count, const Lengths& lengths) {
  return segmentsThat(grid, count, lengths,
                      [&](const FixedSegment& segment) { return isClear(grid, segment); });
}

Rays innerRays(const Grid& grid, std::size_t count, double length) {
  Rays rays;
  Random random(kSeed + 1);
  while (rays.size() < count) {
    FixedSegment segment;
    segment.from = emptyPoint(random, grid, [](const Vec3i&) { return true; });
    segment.to = randomPoint(random, grid);
    // Mostly along x, to have the requested length and end in the grid.
    const double sign = segment.to[0] < segment.from[0] ? -1 : 1;
    segment.to[0] = segment.from[0];
    const Vec3d across = toBlocks(segment.to) - toBlocks(segment.from);
    const double shrink = std::min(1.0, 0.5 * length / std::hypot(across[1], across[2]));
    for (int axis = 1; axis < 3; ++axis)
      segment.to[axis] = segment.from[axis] + toUnit(across[axis] * shrink);
    const double rest = shrink * std::hypot(across[1], across[2]);
    segment.to[0] += toUnit(sign * std::sqrt(length * length - rest * rest));
    if (grid.contains(blockAt(segment.to))) append(rays, segment);
  }
  return rays;
}

Rays cameraRays(const Grid& grid, std::int64_t width, double length) {
  Rays rays{.coherent = true};
  Random random(kSeed + 2);
  const Vec3d size = {static_cast<double>(grid.size()[0]), static_cast<double>(grid.size()[1]),
                      static_cast<double>(grid.size()[2])};
  // An empty block near one side of the grid, at four fifths of its height, looking across it.
  Vec3i eye;
  do {
    const Vec3d share{0.5 + 0.02 * random.real(), 0.8 + 0.02 * random.real(),
                      0.03 + 0.02 * random.real()};
    for (int axis = 0; axis < 3; ++axis)
      eye[axis] = grid.origin()[axis] * kUnitsPerBlock + toUnit(share[axis] * size[axis]);
  } while (grid.occupied(blockAt(eye)));
  const double pixel = 2 / static_cast<double>(width);  // 90 degrees from side to side
  for (std::int64_t tile = 0; tile < width * width / 16; ++tile) {
    for (std::int64_t i = 0; i < 16; ++i) {
      const std::int64_t x = tile % (width / 4) * 4 + i % 4;
      const std::int64_t y = tile / (width / 4) * 4 + i / 4;
      const double right = (static_cast<double>(x) + 0.5) * pixel - 1;
      const double up = 1 - (static_cast<double>(y) + 0.5) * pixel - 0.35;
      const Vec3d direction{right, up, 1};
      append(rays, segmentFrom(eye, direction * (1 / std::hypot(right, up, 1.0)), length));
    }
  }
  return rays;
}

Rays passingRays(const Grid& grid, std::size_t count, double length) {
  Rays rays;
  Random random(kSeed + 3);
  while (rays.size() < count) {
    const Vec3i through = randomPoint(random, grid);
    const Vec3d direction = randomDirection(random);
    const double before = random.real() * length;
    const Vec3i from = segmentFrom(through, direction, -before).to;
    append(rays, segmentFrom(from, direction, length));
  }
  return rays;
}

Rays explosionRays(const Grid& grid, std::size_t count, double length) {
  const std::vector<BlastRay> fan = unwrap(cubeFan(16, length, 1));
  Rays rays{.group = fan.size()};
  Random random(kSeed + 4);
  for (std::size_t group = 0; group < groupsOf(count, fan.size()); ++group) {
    const Vec3i center = emptyPoint(random, grid, [&](const Vec3i& point) {
      return grid.occupied(blockAt(point) - BlockCoord{0, 1, 0});
    });
    for (const BlastRay& ray : fan) {
      FixedSegment line{center, center + ray.step};
      // Not on the border of a block: a Ray may miss what is at exactly its maximum distance.
      for (int axis = 0; axis < 3; ++axis)
        line.to[axis] |= 1;
      append(rays, line);
    }
  }
  return rays;
}

Rays cornerRays(const Grid& grid, std::size_t count, std::int64_t distance) {
  constexpr unsigned kCorners = 8;
  Rays rays{.group = kCorners};
  Random random(kSeed + 5);
  for (std::size_t group = 0; group < groupsOf(count, kCorners); ++group) {
    const BlockCoord viewer = blockAt(emptyPoint(
        random, grid, [&](const Vec3i& point) { return isStandingSpace(grid, blockAt(point)); }));
    BlockCoord target;
    do {
      for (int axis = 0; axis < 3; ++axis)
        target[axis] = viewer[axis] + random.between(-distance, distance);
    } while (target == viewer || !isStandingSpace(grid, target));
    const Vec3d eye = randomFeet(random) + Vec3d{0, kEyeHeight, 0};
    const Vec3d middle = randomFeet(random) + Vec3d{0, kHalfPlayer[1], 0};
    for (unsigned corner = 0; corner < kCorners; ++corner) {
      Vec3d to = middle;
      for (int axis = 0; axis < 3; ++axis)
        to[axis] += ((corner >> axis & 1U) != 0 ? kCornerShare : -kCornerShare) * kHalfPlayer[axis];
      append(rays, {pointIn(viewer, eye), pointIn(target, to)});
    }
  }
  return rays;
}

Rays tileRays(const Grid& grid, std::size_t count) {
  constexpr std::int64_t kHalf = kTilesAcross / 2;
  Rays rays{.coherent = true, .group = kTilesAcross * kTilesAcross};
  Random random(kSeed + 6);
  for (std::size_t group = 0; group < groupsOf(count, rays.group); ++group) {
    const auto middle = [&](int axis) {
      return grid.origin()[axis] + random.between(kHalf, grid.size()[axis] - kHalf);
    };
    const std::int64_t first_x = middle(0) - kHalf;
    const std::int64_t first_z = middle(2) - kHalf;
    const Vec3i eye = pointIn(openBlock(grid, first_x + kHalf, first_z + kHalf),
                              randomFeet(random) + Vec3d{0, kEyeHeight, 0});
    for (std::int64_t z = first_z; z < first_z + kTilesAcross; ++z) {
      for (std::int64_t x = first_x; x < first_x + kTilesAcross; ++x)
        append(rays, {eye, pointIn(openBlock(grid, x, z), {0.5, 0.5, 0.5})});
    }
  }
  return rays;
}

}  // namespace fractalray::bench
