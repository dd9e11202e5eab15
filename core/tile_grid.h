// SPDX-License-Identifier: Apache-2.0
// Beams and lines of sight over a 2D tile map: the exact walk of this library, without its worlds.
// Stands alone: standard types, nothing to link.
//
//     const TileGrid grid = *TileGrid::create({.tile_width = 60, .tile_height = 60});
//     const auto solidAt = [&](std::int64_t x, std::int64_t y) { return map.isWall(x, y); };
//     const TileRay ray{.origin = muzzle, .direction = {1, -0.5}};
//     const auto beam = grid.firstSolid(ray, solidAt);
//     if (beam.ok() && beam->is_solid) drawLine(muzzle, beam->point);
//
// Coordinates are pixels (or whatever the map counts in). They are rounded once to 1/65536 pixel;
// from there on integers decide which tiles are crossed, in which order and through which edges.
#pragma once

#include <cstdint>
#include <limits>
#include <variant>

#include "arithmetic/fixed_point.h"
#include "arithmetic/floor_div.h"
#include "corner_policy.h"
#include "face.h"
#include "geometry/grid_line.h"
#include "geometry/grid_stepper.h"
#include "grid_result.h"
#include "tile_range.h"
#include "vec.h"

namespace fractalray {

// A line from one point to another, in pixels.
struct TileSegment {
  Vec2d from{};
  Vec2d to{};
};

// A line from `origin` along `direction` (any length but zero) for `max_distance` pixels, by
// default without an end. A tile entered at exactly max_distance still counts if the ray is
// parallel to an axis; if it is oblique, the distance is rounded, and the tile may be left out.
struct TileRay {
  Vec2d origin{};
  Vec2d direction{};
  double max_distance = std::numeric_limits<double>::infinity();
};

// Tile (x, y) covers [x, x + 1) * tile_width + origin.x, and y likewise.
struct TileLayout {
  double tile_width = 1;
  double tile_height = 1;
  Vec2d origin{};  // the corner of tile (0, 0), rounded to 1/65536 pixel
};

// The end of a beam.
struct BeamEnd {
  bool is_solid = false;      // ends at a solid tile; else at its own end
  bool start_inside = false;  // the solid tile is the tile of the start
  Vec2i tile{};               // the solid tile, or the last tile on the way
  Face face = Face::none();   // of the solid tile, through which it was entered; none for a start
                              // inside, and for a beam that comes to its own end
  // In pixels. If a solid tile is hit, the point on its edge: the coordinate of the edge exactly
  // (both coordinates at a corner), the other one rounded to a double. If the start is inside, the
  // start. If no tile is solid, the beam's own end, rounded.
  Vec2d point{};
  double distance = 0;  // from the start, in pixels; exact along an axis
};

// A grid of tiles that are all of one size: it knows their positions, not their content. Queries
// call `solidAt(x, y)` for each tile that they visit: any callable that takes two std::int64_t and
// returns true if the tile is solid. It must have an answer for every tile, even outside of your
// map.
//
// A point on an edge belongs to the tile on its positive side. The corner policy decides which
// tiles are visited at an exact corner. A value type; const use is safe from any thread.
class TileGrid {
 public:
  // Makes a grid. Errors: kBadTileSize, kInexactTileSize (not a multiple of 1/65536 pixel: tiles
  // would drift from the map), kNotFinite, kTooFar.
  static GridResult<TileGrid> create(const TileLayout& layout) {
    TileGrid grid;
    const Vec2d size{layout.tile_width, layout.tile_height};
    for (int axis = 0; axis < 2; ++axis) {
      // Written so that NaN fails.
      if (!(size[axis] > 0 && size[axis] <= kMaxGridDistance)) return GridError::kBadTileSize;
      grid.tile_size_[axis] = roundedUnits(size[axis]);
      if (static_cast<double>(grid.tile_size_[axis]) !=
          size[axis] * static_cast<double>(kUnitsPerBlock)) {
        return GridError::kInexactTileSize;
      }
    }
    const GridError error = internal::toGridUnits(layout.origin, grid.origin_);
    if (error != GridError::kNone) return error;
    return grid;
  }

  // Returns the tile that a point belongs to. Errors: kNotFinite, kTooFar.
  GridResult<Vec2i> tileAt(const Vec2d& point) const {
    const GridResult<Vec2i> units = toUnits(point);
    if (!units.ok()) return units.error();
    return Vec2i{floorDiv((*units)[0], tile_size_[0]), floorDiv((*units)[1], tile_size_[1])};
  }

  // Returns the end of a beam: the first solid tile, else its own end. Calls `solid_at` once for
  // each visited tile, in order, beginning with that of the start. Errors: kNotFinite, kTooFar; for
  // a ray also kZeroDirection and kBadDistance; kTooManyCells after kMaxGridCells tiles, as for an
  // infinite ray in a map without walls. A segment of length zero visits one tile. Cost: O(tiles
  // visited), no allocation.
  template <class SolidAt>
  GridResult<BeamEnd> firstSolid(const TileSegment& segment, SolidAt&& solid_at,
                                 CornerPolicy corner = CornerPolicy::kBoth) const {
    const GridResult<Line> line = toLine(segment);
    if (!line.ok()) return line.error();
    return cast(*line, solid_at, corner);
  }
  template <class SolidAt>
  GridResult<BeamEnd> firstSolid(const TileRay& ray, SolidAt&& solid_at,
                                 CornerPolicy corner = CornerPolicy::kBoth) const {
    const GridResult<Vec2i> from = toUnits(ray.origin);
    if (!from.ok()) return from.error();
    const GridResult<Line> line = internal::rayLine<2>(*from, ray.direction, ray.max_distance);
    if (!line.ok()) return line.error();
    return cast(*line, solid_at, corner);
  }

  // Returns the tiles on a segment, in order, whatever their content: those that firstSolid()
  // visits. Errors: kNotFinite, kTooFar.
  //   for (const GridCell<2>& step : *grid.tilesOn({.from = a, .to = b})) visit(step.cell);
  template <CornerPolicy corner = CornerPolicy::kBoth>
  GridResult<TileRange<corner>> tilesOn(const TileSegment& segment) const {
    const GridResult<Line> line = toLine(segment);
    if (!line.ok()) return line.error();
    return TileRange<corner>(line->from, line->to, tile_size_);
  }

 private:
  // A line whose units count from the map's origin.
  using Line = internal::GridLine<2>;

  TileGrid() = default;

  GridResult<Vec2i> toUnits(const Vec2d& point) const {
    Vec2i units;
    const GridError error = internal::toGridUnits(point, units);
    if (error != GridError::kNone) return error;
    return units - origin_;
  }

  GridResult<Line> toLine(const TileSegment& segment) const {
    const GridResult<Vec2i> from = toUnits(segment.from);
    const GridResult<Vec2i> to = toUnits(segment.to);
    if (!from.ok() && (to.ok() || to.error() != GridError::kNotFinite)) return from.error();
    if (!to.ok()) return to.error();
    return Line(*from, *to);
  }

  template <class SolidAt>
  GridResult<BeamEnd> cast(const Line& line, SolidAt& solid_at, CornerPolicy corner) const {
    return std::visit([&](auto stepper) { return castBy(stepper, line, solid_at); },
                      internal::makeGridStepper<2>(line.from, line.to, tile_size_, corner));
  }

  template <class Stepper, class SolidAt>
  GridResult<BeamEnd> castBy(Stepper& stepper, const Line& line, SolidAt& solid_at) const {
    Vec2i last = stepper.cell().cell;
    for (std::uint64_t left = kMaxGridCells; left > 0; --left) {
      const GridCell<2>& step = stepper.cell();
      if (line.isBeyond(step.t)) return openEnd(line, last);
      last = step.cell;
      if (solid_at(last[0], last[1])) return solidEnd(line, step);
      if (!stepper.next()) return openEnd(line, last);
    }
    return GridError::kTooManyCells;
  }

  BeamEnd solidEnd(const Line& line, const GridCell<2>& step) const {
    BeamEnd end{.is_solid = true, .tile = step.cell, .face = step.face};
    end.start_inside = !step.face.exists();
    end.point = pointAt(line, step.t);
    end.distance = line.distanceAt(step.t) / static_cast<double>(kUnitsPerBlock);
    return end;
  }

  BeamEnd openEnd(const Line& line, const Vec2i& tile) const {
    BeamEnd end{.tile = tile};
    if (line.isSegment()) {
      end.point = pointAt(line, Fraction::one());
      end.distance = line.length / static_cast<double>(kUnitsPerBlock);
      return end;
    }
    end.distance = line.reach / static_cast<double>(kUnitsPerBlock);
    end.point = pointAt(line, Fraction::zero());
    for (int axis = 0; axis < 2; ++axis) {
      const double share = static_cast<double>(line.to[axis] - line.from[axis]) / line.length;
      end.point[axis] += share * end.distance;
    }
    return end;
  }

  Vec2d pointAt(const Line& line, const Fraction& t) const {
    return {line.coordinateAt(t, 0, origin_[0]), line.coordinateAt(t, 1, origin_[1])};
  }

  Vec2i origin_{};     // in units
  Vec2i tile_size_{};  // in units
};

}  // namespace fractalray
