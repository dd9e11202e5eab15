// SPDX-License-Identifier: Apache-2.0
// Checks path masks against exact intervals in wide integers: no part that a line touches is left
// out, and hardly any other part is included.
#include "../../../core/internal/geometry/path_mask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>

#include "../../../core/units.h"
#include "../../oracle/rng.h"
#include "../walk_compare.h"

namespace fractalray::internal::path_mask_test {
namespace {

using oracle::Rng;
using Wide = boost::multiprecision::checked_int256_t;

// Parts in excess miss a line that is at least kLongLine units long on an axis by less than one
// kMargin-th of their width. Lengths are kept to 12 bits: with D the longest one, this cuts off D /
// 256 in each plane. Two slices that the line should be in at once, of lengths d and e, are then
// apart by no more than D / 256 / (d + e) widths a side, and, as both intersect the slice of D, by
// no more than (d + e) / D / 4 + 1 / 256.
constexpr int kMargin = 30;
constexpr std::int64_t kLongLine = 1 << 11;

// Returns true if the line, continued beyond its ends, touches the closed cube from `corner` on,
// grown on all sides by one `margin`-th of its width; 0 does not grow it.
bool touchesCube(const FixedSegment& line, const Vec3i& corner, std::int64_t width, int margin) {
  const Wide scale = margin == 0 ? 1 : margin;
  const Wide grown = margin == 0 ? 0 : width;
  // The latest entry and the earliest exit so far, as fractions with positive denominators.
  Wide enter[2];
  Wide leave[2];
  bool bounded = false;
  for (int axis = 0; axis < 3; ++axis) {
    Wide low = (Wide(corner[axis]) - line.from[axis]) * scale - grown;
    Wide high = (Wide(corner[axis]) + width - line.from[axis]) * scale + grown;
    Wide d = line.delta()[axis];
    if (d == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    if (d < 0) {
      std::swap(low, high);
      low = -low, high = -high, d = -d;
    }
    if (!bounded || low * enter[1] > enter[0] * d) enter[0] = low, enter[1] = d;
    if (!bounded || high * leave[1] < leave[0] * d) leave[0] = high, leave[1] = d;
    bounded = true;
  }
  return !bounded || enter[0] * leave[1] <= leave[0] * enter[1];
}

// A cube whose parts are tested: `index` counts cubes of its own width, 4 parts wide.
struct Cube {
  Vec3i index;
  int part_shift = 0;
};

Cube partOf(const Cube& cube, int slot) {
  return {{cube.index[0] * 4 + (slot & 3), cube.index[1] * 4 + ((slot >> 2) & 3),
           cube.index[2] * 4 + (slot >> 4)},
          cube.part_shift - 2};
}

// Returns true if it is a cube that a level can have: the frame ends at half of 2^62.
bool isNearFrame(const Cube& cube) {
  const std::int64_t end = std::int64_t{1} << (62 - (cube.part_shift + 2));
  return std::all_of(cube.index.values.begin(), cube.index.values.end(),
                     [&](std::int64_t index) { return index >= -end && index < end; });
}

std::string describe(const FixedSegment& line, const Cube& cube) {
  return "line from " + oracle::describe<3>(line.from) + " to " + oracle::describe<3>(line.to) +
         ", cube " + oracle::describe<3>(cube.index) + " of parts 2^" +
         std::to_string(cube.part_shift) + " units wide";
}

// Returns the mirrored corner of a cube, counted from the mirrored start.
Vec3i cornerAhead(const PathMask& path, const Cube& cube) {
  return path.mirrored(cube.index) * (std::int64_t{1} << (cube.part_shift + 2)) - path.start();
}

std::uint64_t touchedByOracle(const FixedSegment& line, const Cube& cube, int margin) {
  std::uint64_t mask = 0;
  const std::int64_t width = std::int64_t{1} << cube.part_shift;
  for (int slot = 0; slot < 64; ++slot) {
    const Vec3i corner = partOf(cube, slot).index * width;
    if (touchesCube(line, corner, width, margin)) mask |= std::uint64_t{1} << slot;
  }
  return mask;
}

// Counts the cases that the tests have covered; each must have occurred.
struct Seen {
  int cubes = 0;
  int narrow = 0;   // masks for which 64 bits were enough
  int touched = 0;  // parts
  int excess = 0;
};

bool isLong(const FixedSegment& line) {
  for (const std::int64_t d : line.delta().values) {
    if (d >= kLongLine || d <= -kLongLine) return true;
  }
  return false;
}

// Checks a cube that the line touches, or a part that touched() gave, and then some of its parts.
// Returns the first fault, or "".
std::string checkCube(Rng& rng, const FixedSegment& line, const PathMask& path, const Cube& cube,
                      int depth, Seen& seen) {
  const Vec3i corner = cornerAhead(path, cube);
  const std::uint64_t mask = path.touched<absl::int128>(corner, cube.part_shift);
  ++seen.cubes;
  if (path.fits64(cube.part_shift + 2)) {
    ++seen.narrow;
    if (path.touched<std::int64_t>(corner, cube.part_shift) != mask) {
      return "64 bits give another mask: " + describe(line, cube);
    }
  }
  const std::uint64_t exact = touchedByOracle(line, cube, 0);
  if ((exact & ~mask) != 0) {
    return "part " + std::to_string(std::countr_zero(exact & ~mask)) +
           " is left out: " + describe(line, cube);
  }
  const std::uint64_t excess = mask & ~exact;
  if (isLong(line)) {
    const std::uint64_t far = excess == 0 ? 0 : excess & ~touchedByOracle(line, cube, kMargin);
    if (far != 0) {
      return "part " + std::to_string(std::countr_zero(far)) +
             " is too far: " + describe(line, cube);
    }
    seen.touched += std::popcount(exact);
    seen.excess += std::popcount(excess);
  }
  for (int i = 0; i < 2 && mask != 0 && depth > 0 && cube.part_shift >= 2; ++i) {
    const std::uint64_t among = rng.oneIn(2) && excess != 0 ? excess : mask;
    int slot = rng.below(64);
    while (((among >> slot) & 1) == 0)
      slot = (slot + 1) % 64;
    std::string text = checkCube(rng, line, path, partOf(cube, slot), depth - 1, seen);
    if (!text.empty()) return text;
  }
  return "";
}

// Returns a line with ends on the lattice of 2^log2 units, or anywhere, `reach` from `around`.
FixedSegment randomLine(Rng& rng, int log2, std::int64_t reach, const Vec3i& around) {
  const std::int64_t lattice =
      rng.oneIn(2) ? std::int64_t{1} << log2 : std::int64_t{1} << (log2 / 2);
  FixedSegment line;
  const auto inFrame = [](std::int64_t at) {
    return std::clamp(at, -kMaxCoordinate, kMaxCoordinate);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const auto coordinate = [&] {
      std::int64_t at = inFrame(around[axis] + rng.in(-reach, reach));
      if (!rng.oneIn(3)) at = at / lattice * lattice;
      return inFrame(at + (rng.oneIn(8) ? rng.in(-1, 1) : 0));
    };
    line.from[axis] = coordinate();
    line.to[axis] = rng.oneIn(5) ? line.from[axis] : coordinate();
  }
  const int kind = rng.below(8);
  if (kind == 0) {  // diagonal in two or three axes
    const std::int64_t d = line.delta()[0];
    for (int axis = 1; axis < 3; ++axis) {
      if (!rng.oneIn(3)) line.to[axis] = inFrame(line.from[axis] + (rng.oneIn(2) ? d : -d));
    }
  }
  if (kind == 1) line.to = line.from;
  if (kind == 2 || kind == 3) {  // a step or two on some axes
    for (int axis = 0; axis < 3; ++axis)
      line.to[axis] = inFrame(line.from[axis] + rng.in(-2, 2) * rng.in(0, 1));
  }
  if (kind == 4) line.to[rng.below(3)] = line.from[0];
  return line;
}

TEST(PathMaskTest, NoTouchedPartIsLeftOutAndHardlyAnyOtherIsIncluded) {
  Rng rng("PathMaskTest.Touched");
  Seen seen;
  int lines = 0;
  for (int i = 0; i < 4000; ++i) {
    const int log2 = rng.below(61);
    const std::int64_t width = std::int64_t{1} << log2;
    Vec3i around{};
    for (int axis = 0; axis < 3; ++axis) {
      around[axis] = rng.pick<std::int64_t>(
          {0, 0, kMaxCoordinate, -kMaxCoordinate, rng.in(-kMaxCoordinate, kMaxCoordinate)});
    }
    const std::int64_t reach = rng.oneIn(4)                  ? kMaxCoordinate
                               : width > kMaxCoordinate / 12 ? kMaxCoordinate
                                                             : width * 12;
    const FixedSegment line = randomLine(rng, log2, reach, around);
    const PathMask path(line);
    ++lines;
    // The cubes at the start, at the end and between.
    for (const int eighths : {0, 8, rng.below(9)}) {
      Cube cube{{}, log2};
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t at = line.from[axis] + line.delta()[axis] / 8 * eighths;
        cube.index[axis] = ((eighths == 8 ? line.to[axis] : at) >> log2 >> 2) - rng.in(0, 1);
      }
      if (!isNearFrame(cube)) continue;
      if (!touchesCube(line, cube.index * (width * 4), width * 4, 0)) continue;
      ASSERT_EQ(checkCube(rng, line, path, cube, 3, seen), "") << i;
    }
  }
  EXPECT_GT(seen.cubes, 3 * lines);
  EXPECT_GT(seen.narrow, seen.cubes / 8);
  EXPECT_GT(seen.cubes - seen.narrow, seen.cubes / 8);
  EXPECT_GT(seen.excess, 0);
  EXPECT_LT(seen.excess, seen.touched / 20) << "too many parts in excess to be of use";
}

// Up to 4 areas on an axis are treated as the parts of one cube, whichever the first one is.
TEST(PathMaskTest, ACubeMayBeginAtAnyPart) {
  Rng rng("PathMaskTest.Window");
  for (int i = 0; i < 4000; ++i) {
    const int log2 = static_cast<int>(rng.in(0, 58));
    const std::int64_t width = std::int64_t{1} << log2;
    const std::int64_t parts = kMaxCoordinate / width - 4;
    const FixedSegment line =
        randomLine(rng, log2, std::min(kMaxCoordinate, width * 3), {width, width, width});
    const PathMask path(line);
    const std::int64_t reach = std::min<std::int64_t>(parts, 4);
    Vec3i first{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
    if (!touchesCube(line, first * width, 4 * width, 0)) continue;
    std::uint64_t exact = 0;
    for (int slot = 0; slot < 64; ++slot) {
      const Vec3i part = first + Vec3i{slot & 3, (slot >> 2) & 3, slot >> 4};
      if (touchesCube(line, part * width, width, 0)) exact |= std::uint64_t{1} << slot;
    }
    // Mirrored, the last part on an axis becomes the first.
    Vec3i corner = first;
    for (int axis = 0; axis < 3; ++axis) {
      if (path.isMirrored(axis)) corner[axis] = ~(first[axis] + 3);
    }
    corner = corner * width - path.start();
    const std::uint64_t mask = path.touched<absl::int128>(corner, log2);
    ASSERT_EQ(exact & ~mask, 0U) << describe(line, {first, log2});
    if (path.fits64(log2 + 2)) {
      ASSERT_EQ(path.touched<std::int64_t>(corner, log2), mask);
    }
  }
}

TEST(PathMaskTest, ALineAlongAxesTouchesARow) {
  const std::int64_t w = kUnitsPerBlock;
  // The parts of row y = 1, z = 2 are slots 4 + 32 to 7 + 32.
  const PathMask forth({{w / 2, w + w / 2, 2 * w + w / 2}, {9 * w, w + w / 2, 2 * w + w / 2}});
  EXPECT_EQ(forth.touched<std::int64_t>(Vec3i{} - forth.start(), 16), 0xfULL << 36);
  EXPECT_EQ(forth.flip(), 0U);
  const PathMask back({{9 * w, w + w / 2, 2 * w + w / 2}, {w / 2, w + w / 2, 2 * w + w / 2}});
  EXPECT_EQ(back.flip(), 3U);
  const Vec3i corner{-4 * w, 0, 0};
  EXPECT_EQ(back.touched<std::int64_t>(corner - back.start(), 16), 0xfULL << 36);
  // In the plane between two rows it touches both, and at an edge four.
  const PathMask plane({{w / 2, 2 * w, 2 * w + w / 2}, {9 * w, 2 * w, 2 * w + w / 2}});
  EXPECT_EQ(plane.touched<std::int64_t>(Vec3i{} - plane.start(), 16), 0xffULL << 36);
  const PathMask edge({{w / 2, 2 * w, 2 * w}, {9 * w, 2 * w, 2 * w}});
  EXPECT_EQ(edge.touched<std::int64_t>(Vec3i{} - edge.start(), 16),
            (0xffULL << 36) | (0xffULL << 20));
}

TEST(PathMaskTest, MirroringTwiceGivesTheSameCells) {
  Rng rng("PathMaskTest.Mirrored");
  for (unsigned octant = 0; octant < 8; ++octant) {
    FixedSegment line;
    for (int axis = 0; axis < 3; ++axis) {
      line.from[axis] = rng.in(-1000, 1000);
      line.to[axis] = line.from[axis] + (((octant >> axis) & 1) != 0 ? -7 : 7);
    }
    const PathMask path(line);
    for (int axis = 0; axis < 3; ++axis) {
      const bool mirrored = ((octant >> axis) & 1) != 0;
      EXPECT_EQ(path.isMirrored(axis), mirrored);
      EXPECT_EQ(path.start()[axis], mirrored ? -line.from[axis] : line.from[axis]);
      EXPECT_EQ(path.end()[axis], path.start()[axis] + 7);
      EXPECT_EQ(path.length()[axis], 7);
    }
    for (int i = 0; i < 100; ++i) {
      const Vec3i cell{rng.in(-kMaxCoordinate, kMaxCoordinate), rng.in(-9, 9), rng.in(-1, 0)};
      const Vec3i mirrored = path.mirrored(cell);
      EXPECT_EQ(path.mirrored(mirrored), cell);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(mirrored[axis], path.isMirrored(axis) ? -1 - cell[axis] : cell[axis]);
    }
    for (unsigned slot = 0; slot < 64; ++slot) {
      EXPECT_EQ(path.mirrored(std::uint64_t{1} << slot), std::uint64_t{1} << (slot ^ path.flip()));
    }
    const std::uint64_t mask = rng.next();
    EXPECT_EQ(path.mirrored(path.mirrored(mask)), mask);
    std::uint64_t expected = 0;
    for (unsigned slot = 0; slot < 64; ++slot)
      expected |= ((mask >> slot) & 1) << (slot ^ path.flip());
    EXPECT_EQ(path.mirrored(mask), expected);
  }
}

TEST(PathMaskTest, TheLongestLineIsMirroredWithoutOverflow) {
  const std::int64_t end = kMaxCoordinate;
  const PathMask path({{end, -end, end}, {-end, end, end}});
  EXPECT_EQ(path.length(), (Vec3i{2 * end, 2 * end, 0}));
  EXPECT_EQ(path.start(), (Vec3i{-end, -end, end}));
  EXPECT_EQ(path.end(), (Vec3i{end, end, end}));
  EXPECT_FALSE(path.fits64(0));
  EXPECT_TRUE(PathMask({{0, 0, 0}, {(1 << 20) - 1, 0, 0}}).fits64(41));
  EXPECT_FALSE(PathMask({{0, 0, 0}, {(1 << 20) - 1, 0, 0}}).fits64(42));
}

TEST(LanesTest, VectorInstructionsAgreeWithTheLoop) {
  Rng rng("LanesTest");
  std::uint64_t seen = 0;
  std::uint64_t seen_outside = 0;
  constexpr std::int64_t kReach = 1 << 14;  // of floors, and just not of widths
  for (int i = 0; i < 20000; ++i) {
    Lanes floor;
    const std::int64_t reach = rng.pick<std::int64_t>({2, 100, kReach});
    for (int lane = 0; lane < 8; ++lane) {
      floor.low[lane] = static_cast<std::uint16_t>(rng.in(-reach, reach));
      floor.high[lane] = static_cast<std::uint16_t>(rng.in(-reach, reach));
    }
    const std::int64_t width = rng.pick<std::int64_t>({0, rng.in(0, reach - 1), reach - 1});
    const Lanes::Half widths = Lanes::all(width);
    const std::int64_t far = rng.pick<std::int64_t>({reach, 32767});
    const std::int64_t value = rng.pick<std::int64_t>({-far, rng.in(-far, far), far});
    const std::uint64_t mask = PortableLanes::inside(floor, widths, value);
    const std::uint64_t fours = PortableLanes::insideByFours(floor, widths, value);
    ASSERT_EQ(mask >> 16, 0U);
    for (int lane = 0; lane < 16; ++lane) {
      const auto low = static_cast<std::int16_t>(lane < 8 ? floor.low[lane] : floor.high[lane - 8]);
      const bool inside = value >= low && value <= low + width;
      ASSERT_EQ((mask >> lane) & 1, inside ? 1U : 0U);
      ASSERT_EQ((fours >> (4 * lane)) & 0xf, inside ? 0xfU : 0U);
    }
    ASSERT_EQ(MachineLanes::inside(floor, widths, value), mask);
    ASSERT_EQ(MachineLanes::insideByFours(floor, widths, value), fours);
    seen |= mask;
    seen_outside |= ~mask & 0xffff;
  }
  EXPECT_EQ(seen, 0xffffU);
  EXPECT_EQ(seen_outside, 0xffffU);
}

}  // namespace
}  // namespace fractalray::internal::path_mask_test
