// SPDX-License-Identifier: Apache-2.0
// The results of tile maps (tile_grid.h) and of the plain ray cast (raycast.h): a value or an
// error. Standard types only, so that the headers stay light.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "check.h"

namespace fractalray {

// The errors of a query.
enum class GridError : std::uint8_t {
  kNone,
  kNotFinite,
  kTooFar,
  kZeroDirection,
  kBadDistance,
  kBadTileSize,
  kInexactTileSize,
  kBadBounds,
  kUnbounded,
  kTooManyCells,
};

// The largest absolute coordinate, tile size and distance, in pixels or cell widths (2^42).
inline constexpr double kMaxGridDistance = 0x1p42;
// The most cells that one query visits before it fails.
inline constexpr std::uint64_t kMaxGridCells = std::uint64_t{1} << 24;

// Returns one sentence on the error and its remedy; "fine" for kNone.
constexpr std::string_view message(GridError error) {
  switch (error) {
    case GridError::kNone:
      return "fine";
    case GridError::kNotFinite:
      return "a coordinate or a component of the direction is NaN or infinite; give finite numbers";
    case GridError::kTooFar:
      return "a coordinate is more than 2^42 from zero; move the map's origin nearer";
    case GridError::kZeroDirection:
      return "the direction is zero; give it any other length";
    case GridError::kBadDistance:
      return "the maximum distance is negative or NaN; give zero, a positive number or infinity";
    case GridError::kBadTileSize:
      return "a tile's width or height is not in (0, 2^42]";
    case GridError::kInexactTileSize:
      return "a tile's width or height is not a multiple of 1/65536; use one, such as 60 or "
             "12.5, or scale all coordinates";
    case GridError::kBadBounds:
      return "the bounds are not ordered or reach beyond 2^42; give min <= max on each axis";
    case GridError::kUnbounded:
      return "the maximum distance is infinite without bounds; give one of the two";
    case GridError::kTooManyCells:
      return "2^24 cells were visited without an end; give a smaller maximum distance or "
             "radius, or bounds";
  }
  return "unknown error";
}

// A value or an error. Small, never throws; reading the value of an error ends the program with a
// message. A value type; const use is safe from any thread.
template <class T>
class [[nodiscard]] GridResult {
 public:
  GridResult(T value) : value_(std::in_place_index<0>, std::move(value)) {}
  // Requires: not kNone.
  GridResult(GridError error) : value_(std::in_place_index<1>, error) {
    FRACTALRAY_CHECK(error != GridError::kNone);
  }

  bool ok() const { return value_.index() == 0; }
  // Returns the error, kNone if ok().
  GridError error() const { return ok() ? GridError::kNone : *std::get_if<1>(&value_); }
  // Returns the message of the error.
  std::string_view message() const { return fractalray::message(error()); }

  // Returns the value. Requires: ok(). A temporary returns a copy, so that `for (auto& x : *f())`
  // is safe.
  const T& operator*() const& {
    FRACTALRAY_CHECK(ok(), message());
    return *std::get_if<0>(&value_);
  }
  T operator*() && {
    FRACTALRAY_CHECK(ok(), message());
    return std::move(*std::get_if<0>(&value_));
  }
  const T* operator->() const {
    FRACTALRAY_CHECK(ok(), message());
    return std::get_if<0>(&value_);
  }

 private:
  std::variant<T, GridError> value_;
};

}  // namespace fractalray
