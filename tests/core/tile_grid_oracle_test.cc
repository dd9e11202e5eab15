// SPDX-License-Identifier: Apache-2.0
// Checks that beams over random maps end at the oracle's exact fractions: the tile, the face, the
// point to the last bit, at corners and edges, on tiles that are not square, near and far.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "../../core/tile_grid.h"
#include "walk_compare.h"

namespace fractalray::oracle {
namespace {

constexpr std::int64_t kUnit = 65536;

double pixels(std::int64_t units) {
  return static_cast<double>(units) / kUnit;
}
Vec2d pixels(const Vec2i& units) {
  return {pixels(units[0]), pixels(units[1])};
}

// A map and a beam, all in units. Every coordinate is exact in a double of pixels.
struct BeamInput {
  Vec2i tile_size{};
  Vec2i origin{};
  Vec2i from{};
  Vec2i to{};  // of a segment; of a ray: from + direction
  CornerPolicy corner = CornerPolicy::kBoth;
  std::uint64_t seed = 0;
  int one_in = 8;  // tiles are solid

  bool isSolid(std::int64_t x, std::int64_t y) const {
    Rng rng(seed + static_cast<std::uint64_t>(x) * 7919 + static_cast<std::uint64_t>(y) * 104729);
    return rng.oneIn(one_in);
  }
  TileGrid grid() const {
    return *TileGrid::create({.tile_width = pixels(tile_size[0]),
                              .tile_height = pixels(tile_size[1]),
                              .origin = pixels(origin)});
  }
};

std::string textOf(const BeamInput& in) {
  return "tiles " + describe<2>(in.tile_size) + " origin " + describe<2>(in.origin) + " from " +
         describe<2>(in.from) + " to " + describe<2>(in.to) + " policy " +
         std::to_string(static_cast<int>(in.corner)) + " seed " + std::to_string(in.seed);
}

// Returns true if a value in pixels is an exact number of units to two units in the last place, and
// exactly if that number is whole.
bool isNearest(double value, const Rational& units) {
  const Rational exact = units / kUnit;
  const Rational error = abs(Rational(value) - exact);
  if (denominator(units) == 1) return error == 0;
  const double ulp = std::nextafter(std::abs(value), 1e300) - std::abs(value);
  return error <= 2 * Rational(ulp);
}

// Returns what is wrong with a beam that should end in `expected` (nullopt: at its own end), or "".
std::string endDifference(const BeamInput& in, const GridResult<BeamEnd>& beam,
                          const std::optional<WalkCell<2>>& expected) {
  std::ostringstream out;
  if (!beam.ok()) return std::string(beam.message());
  if (beam->is_solid != expected.has_value()) {
    out << "is_solid is " << beam->is_solid;
  } else if (expected.has_value()) {
    if (beam->tile != expected->cell || beam->face != expected->face) {
      out << "ends at " << describe<2>(beam->tile) << " " << faceName(beam->face) << ", oracle "
          << describe<2>(expected->cell) << " " << faceName(expected->face) << "; ";
    }
    if (beam->start_inside != (expected->step == 0)) out << "start_inside is wrong; ";
    Rational squares = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const Rational along = (Integer(in.to[axis]) - in.from[axis]) * expected->t;
      squares += along * along;
      if (!isNearest(beam->point[axis], in.from[axis] + along)) {
        out << "point[" << axis << "] is " << beam->point[axis] << "; ";
      }
    }
    const double distance = std::sqrt(toDouble(squares)) / kUnit;
    if (std::abs(beam->distance - distance) > 1e-14 * distance) {
      out << "distance is " << beam->distance << ", oracle " << distance;
    }
  }
  const std::string text = out.str();
  return text.empty() ? text : textOf(in) + ": " + text;
}

// Returns the first solid cell of an oracle's walk.
std::optional<WalkCell<2>> firstSolidOf(const BeamInput& in,
                                        const std::vector<WalkCell<2>>& cells) {
  for (const WalkCell<2>& cell : cells) {
    if (in.isSolid(cell.cell[0], cell.cell[1])) return cell;
  }
  return std::nullopt;
}

std::vector<WalkCell<2>> oracleCells(const BeamInput& in) {
  return walkCells<2>(in.from - in.origin, in.to - in.origin, in.tile_size, in.corner);
}

// Returns a map with a beam of up to some 30 tiles an axis, often through corners and along edges.
BeamInput randomBeam(Rng& rng) {
  BeamInput in;
  in.corner = kPolicies[rng.below(3)];
  in.seed = rng.next();
  in.one_in = rng.pick({2, 6, 30});
  const bool square = rng.oneIn(2);
  const std::int64_t size =
      rng.pick<std::int64_t>({60 * kUnit, 16 * kUnit, kUnit, 12 * kUnit + 32768, 1, 3});
  // Up to 2^33 pixels from zero, so that a double holds every unit.
  const std::int64_t middle =
      rng.pick<std::int64_t>({0, 0, 1 << 20, -(1 << 24), std::int64_t{1} << 30});
  const int kind = rng.below(4);
  for (int axis = 0; axis < 2; ++axis) {
    in.tile_size[axis] =
        square || axis == 0 ? size : std::max<std::int64_t>(1, size * rng.in(1, 3) / 2);
    const std::int64_t width = in.tile_size[axis];
    in.origin[axis] = rng.oneIn(2) ? 0 : rng.in(-1000 * kUnit, 1000 * kUnit);
    const std::int64_t center = std::min(middle, (std::int64_t{1} << 48) / width);
    const auto coordinate = [&] {
      const std::int64_t plane = (center + rng.in(-30, 30)) * width;
      return in.origin[axis] + plane +
             rng.pick<std::int64_t>({0, 0, width / 2, 1, -1, rng.in(0, width - 1)});
    };
    in.from[axis] = coordinate();
    in.to[axis] = coordinate();
    if (rng.oneIn(8)) in.to[axis] = in.from[axis];
  }
  if (kind == 0) {  // exactly diagonal, through corners where the start is on the diagonal of one
    const std::int64_t d = in.to[0] - in.from[0];
    in.to[1] = in.from[1] + (rng.oneIn(2) ? d : -d);
    if (rng.oneIn(2)) in.from[1] = in.from[0] - in.origin[0] + in.origin[1];
    in.to[1] = in.from[1] + (rng.oneIn(2) ? d : -d);
  }
  return in;
}

TEST(TileGridOracleTest, SegmentsEndAtTheExactFractions) {
  Rng rng("TileGridOracleTest.Segments");
  int solid = 0;
  int corners = 0;
  for (int i = 0; i < 20000; ++i) {
    const BeamInput in = randomBeam(rng);
    const std::vector<WalkCell<2>> cells = oracleCells(in);
    const std::optional<WalkCell<2>> expected = firstSolidOf(in, cells);
    const auto beam = in.grid().firstSolid(
        {.from = pixels(in.from), .to = pixels(in.to)},
        [&](std::int64_t x, std::int64_t y) { return in.isSolid(x, y); }, in.corner);
    ASSERT_EQ(endDifference(in, beam, expected), "");
    if (!expected.has_value()) {
      ASSERT_EQ(beam->tile, cells.back().cell) << textOf(in);
      ASSERT_EQ(beam->point, pixels(in.to)) << textOf(in);
      ASSERT_EQ(beam->face, Face::none());
    }
    solid += expected.has_value() ? 1 : 0;
    corners += expected.has_value() && expected->step > 1 ? 1 : 0;
  }
  EXPECT_GT(solid, 5000);
  EXPECT_GT(corners, 200);
}

TEST(TileGridOracleTest, TheRangeIsTheWalk) {
  Rng rng("TileGridOracleTest.Range");
  const auto check = [](const BeamInput& in, const auto& tiles) {
    const std::vector<WalkCell<2>> expected = oracleCells(in);
    std::size_t i = 0;
    for (const GridCell<2>& step : tiles) {
      ASSERT_LT(i, expected.size()) << textOf(in);
      ASSERT_TRUE(sameCell<2>(step, expected[i])) << textOf(in) << " tile " << i;
      ++i;
    }
    ASSERT_EQ(i, expected.size()) << textOf(in);
    if constexpr (requires { tiles.size(); }) {
      ASSERT_EQ(tiles.size(), expected.size());
    }
  };
  for (int i = 0; i < 6000; ++i) {
    BeamInput in = randomBeam(rng);
    const TileSegment segment{.from = pixels(in.from), .to = pixels(in.to)};
    if (in.corner == CornerPolicy::kBoth) {
      check(in, *in.grid().tilesOn<CornerPolicy::kBoth>(segment));
    } else if (in.corner == CornerPolicy::kNeither) {
      check(in, *in.grid().tilesOn<CornerPolicy::kNeither>(segment));
    } else {
      check(in, *in.grid().tilesOn<CornerPolicy::kStaircase>(segment));
    }
    if (HasFatalFailure()) return;
  }
}

// Directions of few digits are exact, however long the ray.
TEST(TileGridOracleTest, RaysEndAtTheExactFractions) {
  Rng rng("TileGridOracleTest.Rays");
  int solid = 0;
  int cut = 0;
  for (int i = 0; i < 3000; ++i) {
    BeamInput in = randomBeam(rng);
    const Vec2i direction{rng.in(-9, 9), rng.in(-9, 9)};
    if (direction == Vec2i{}) continue;
    // The oracle's segment ends after the cut by at least a tile; rational lengths of directions
    // are exact in the oracle.
    const std::int64_t widest = std::max(in.tile_size[0], in.tile_size[1]);
    const std::int64_t reach = rng.in(1, 20 * std::min(in.tile_size[0], in.tile_size[1]));
    in.to = in.from + direction * (reach + widest);
    std::vector<WalkCell<2>> cells = oracleCells(in);
    const Vec2i d = in.to - in.from;
    const Integer length_squared = Integer(d[0]) * d[0] + Integer(d[1]) * d[1];
    std::erase_if(cells, [&](const WalkCell<2>& cell) {
      return cell.t * cell.t * length_squared > Integer(reach) * reach;
    });
    const std::optional<WalkCell<2>> expected = firstSolidOf(in, cells);
    const double scale = std::ldexp(1.0, static_cast<int>(rng.in(-900, 900)));
    const auto beam = in.grid().firstSolid(
        TileRay{.origin = pixels(in.from),
                .direction = {static_cast<double>(direction[0]) * scale,
                              static_cast<double>(direction[1]) * scale},
                .max_distance = pixels(reach)},
        [&](std::int64_t x, std::int64_t y) { return in.isSolid(x, y); }, in.corner);
    ASSERT_EQ(endDifference(in, beam, expected), "") << "reach " << reach;
    if (!expected.has_value()) {
      ASSERT_EQ(beam->tile, cells.back().cell) << textOf(in) << " reach " << reach;
      ASSERT_EQ(beam->distance, pixels(reach));
      ++cut;
    } else {
      ++solid;
    }
  }
  EXPECT_GT(solid, 1000);
  EXPECT_GT(cut, 200);
}

// Any other direction is as good as a unit allows.
TEST(TileGridOracleTest, RaysOfAnyDirectionStayWithinAUnit) {
  Rng rng("TileGridOracleTest.AnyDirection");
  const TileGrid grid = *TileGrid::create({.tile_width = 60, .tile_height = 60});
  for (int i = 0; i < 4000; ++i) {
    const double angle = static_cast<double>(rng.in(0, 6283185)) * 1e-6;
    const Vec2d direction{std::cos(angle), std::sin(angle)};
    const std::uint64_t seed = rng.next();
    const auto beam = grid.firstSolid(
        TileRay{.origin = {30, 30}, .direction = direction}, [&](std::int64_t x, std::int64_t y) {
          return Rng(seed + static_cast<std::uint64_t>(x * 7919 + y)).oneIn(2000);
        });
    ASSERT_TRUE(beam->is_solid);
    // The distance of the end from the line, in pixels.
    const double across =
        (beam->point[0] - 30) * direction[1] - (beam->point[1] - 30) * direction[0];
    EXPECT_LT(std::abs(across), 1e-9 + beam->distance * 1e-15) << angle;
  }
}

}  // namespace
}  // namespace fractalray::oracle
