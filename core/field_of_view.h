// SPDX-License-Identifier: Apache-2.0
// The field of view on a 2D tile map: all tiles that an eye sees, in one sweep outwards instead of
// a line to each. Stands alone: standard types, nothing to link.
//
//     const auto solidAt = [&](std::int64_t x, std::int64_t y) { return map.isWall(x, y); };
//     const auto mark = [&](std::int64_t x, std::int64_t y) { map.markSeen(x, y); };
//     const auto seen = fieldOfView({9, 4}, 20, solidAt, mark);
//     if (!seen.ok()) complain(seen.message());
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "geometry/octant_sweep.h"
#include "grid_result.h"
#include "vec.h"

namespace fractalray {
namespace internal {

// The sweep of fieldOfView(): ring after ring of the tiles around the eye, a column of each octant
// at a time. `SolidAt` and `Visit` are called with tiles of the map.
template <class SolidAt, class Visit>
class RingSweep {
 public:
  RingSweep(const Vec2i& eye, TilePart part, SolidAt& solid_at, Visit& visit)
      : eye_(eye), part_(part), solid_at_(solid_at), visit_(visit) {}

  std::uint64_t tilesSeen() const { return tiles_seen_; }
  // Returns the number of calls of `solid_at`.
  std::uint64_t tilesAsked() const { return tiles_asked_; }

  // Returns true if nothing farther away is seen. The diagonals need no test: while one is open, so
  // are slopes next to it.
  bool isClosed() const {
    return std::all_of(octants_.begin(), octants_.end(), [](const Octants& octants) {
      return octants[0].isClosed() && octants[1].isClosed();
    });
  }

  // Visits the eye's own tile.
  void sweepEye() { see(eye_); }

  // Visits the tiles `x` columns or rows from the eye. Requires: as OctantSweep::sweepColumn.
  void sweepRing(std::int64_t x) {
    std::array<bool, kSides> corner_is_seen{};
    for (unsigned side = 0; side < kSides; ++side)
      sweepSide(side, x, corner_is_seen);
    for (unsigned side = 0; side < kSides; ++side) {
      const bool is_seen = part_ == TilePart::kAny ? corner_is_seen[side] : sweepDiagonal(side, x);
      if (is_seen) see(tileAt(side, x, x));
    }
  }

 private:
  static constexpr unsigned kSides = 4;
  using Octants = std::array<OctantSweep, 2>;  // of a side: those of positive and of negative y

  // Returns the tile x columns away on a side, y to its left. Sides are +x, +y, -x, -y.
  Vec2i tileAt(unsigned side, std::int64_t x, std::int64_t y) const {
    const std::int64_t sign = side < 2 ? 1 : -1;
    const Vec2i ahead = side % 2 == 0 ? Vec2i{x, y} : Vec2i{-y, x};
    return eye_ + ahead * sign;
  }
  bool isSolid(const Vec2i& tile) {
    ++tiles_asked_;
    return solid_at_(tile[0], tile[1]);
  }
  void see(const Vec2i& tile) {
    ++tiles_seen_;
    visit_(tile[0], tile[1]);
  }

  // Visits the tiles of a side except those that it shares with the next: the corners of the ring.
  // The tile in its middle belongs to both octants.
  void sweepSide(unsigned side, std::int64_t x, std::array<bool, kSides>& corner_is_seen) {
    bool middle_is_seen = false;
    for (const std::int64_t sign : {1, -1}) {
      const unsigned corner = sign > 0 ? side : (side + kSides - 1) % kSides;
      octants_[side][sign > 0 ? 0 : 1].sweepColumn(
          x, part_, [&](std::int64_t y) { return isSolid(tileAt(side, x, sign * y)); },
          [&](std::int64_t y) {
            if (y == 0) {
              middle_is_seen = true;
            } else if (y == x) {
              corner_is_seen[corner] = true;
            } else {
              see(tileAt(side, x, sign * y));
            }
          });
    }
    if (middle_is_seen) see(tileAt(side, x, 0));
  }

  // Returns true if the middle of the ring's corner is seen: no tile touches the diagonal before
  // it. Those that do are the corners of rings, and the two tiles next to each.
  bool sweepDiagonal(unsigned side, std::int64_t x) {
    bool& is_open = diagonal_is_open_[side];
    if (!is_open) return false;
    is_open = !isSolid(tileAt(side, x, x - 1)) && !isSolid(tileAt(side, x - 1, x));
    if (!is_open) return false;
    is_open = !isSolid(tileAt(side, x, x));
    return true;
  }

  Vec2i eye_;
  TilePart part_;
  SolidAt& solid_at_;
  Visit& visit_;
  std::uint64_t tiles_seen_ = 0;
  std::uint64_t tiles_asked_ = 0;
  std::array<Octants, kSides> octants_{};
  std::array<bool, kSides> diagonal_is_open_{true, true, true, true};  // left of each side
};

}  // namespace internal

// Calls visit(x, y) once for each tile that the middle of the tile `eye` sees, up to `radius`
// columns and rows away (a square; for a circle, leave out in `visit` what is too far), and returns
// their number. Tiles come in rings outwards, in the same order on every machine.
//
// With TilePart::kCenter a tile is seen if no solid tile except for itself and the eye's touches
// the line to its middle, corners included: as TileGrid::firstSolid has it under
// CornerPolicy::kBoth between the middles, on tiles of any one size. So sight is symmetric, also of
// and from solid tiles. With kAny it is seen if such a line leads to any point of it: all that one
// would draw; more than kCenter, and not symmetric.
//
// `solid_at(x, y)` returns true if a tile is solid. It must have an answer for every tile within
// the radius, even outside of your map; it is called several times for some tiles, and never for
// the eye's own, which hides nothing. Errors: kTooFar (the eye is beyond 2^42), kBadDistance (a
// negative radius); kTooManyCells after some kMaxGridCells calls of `solid_at`, when visits have
// been made. Cost: O(tiles that open lines touch), at most O(radius^2); allocates O(radius). Safe
// to call from many threads if `solid_at` and `visit` are.
template <class SolidAt, class Visit>
GridResult<std::uint64_t> fieldOfView(const Vec2i& eye, std::int64_t radius, SolidAt&& solid_at,
                                      Visit&& visit, TilePart part = TilePart::kCenter) {
  constexpr auto kLimit = static_cast<std::int64_t>(kMaxGridDistance);
  for (int axis = 0; axis < 2; ++axis) {
    if (eye[axis] < -kLimit || eye[axis] > kLimit) return GridError::kTooFar;
  }
  if (radius < 0) return GridError::kBadDistance;
  internal::RingSweep sweep(eye, part, solid_at, visit);
  sweep.sweepEye();
  // Each ring asks for a tile, so there are no more rings than kMaxGridCells.
  for (std::int64_t x = 1; x <= radius && !sweep.isClosed(); ++x) {
    sweep.sweepRing(x);
    if (sweep.tilesAsked() > kMaxGridCells) return GridError::kTooManyCells;
  }
  return sweep.tilesSeen();
}

}  // namespace fractalray
