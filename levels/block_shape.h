// SPDX-License-Identifier: Apache-2.0
// Shapes of blocks that do not fill their cube: slabs, stairs, panes, carpets. docs/shapes.md.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/face.h"
#include "../core/vec.h"

namespace fractalray {

// The width of a block in the units of its shape's boxes, on every level.
inline constexpr std::uint32_t kShapeUnits = 65536;
// The most boxes of a shape.
inline constexpr std::size_t kMaxShapeBoxes = 255;

// A box inside a block's cube, in 1/65,536 of the block's width from its lower corner: min < max <=
// kShapeUnits on every axis. It owns its lower faces and not its upper ones, as a block does.
struct ShapeBox {
  std::array<std::uint32_t, 3> min{};
  std::array<std::uint32_t, 3> max{kShapeUnits, kShapeUnits, kShapeUnits};

  friend constexpr auto operator<=>(const ShapeBox&, const ShapeBox&) = default;
};

// The number of a shape in its table of block types.
enum class ShapeId : std::uint16_t {};
// The shape of a block that fills its cube: shape 0 of every table.
inline constexpr ShapeId kWholeCube{};

// Returns the plane of a face of a whole cube, in these units; 0 for no face.
constexpr std::uint32_t planeOfCube(Face face) {
  return face.sign > 0 ? kShapeUnits : 0;
}

// Returns the box between two corners, in fractions of the block's width, each rounded to 1/65,536,
// halves up. INVALID_ARGUMENT for one that is not in the cube, is flat after rounding, or has a
// corner that is no number.
absl::StatusOr<ShapeBox> shapeBox(const Vec3d& min, const Vec3d& max);
// Return INVALID_ARGUMENT for a box that is flat or not inside the cube, and for more boxes than a
// shape may have.
absl::Status checkShapeBox(const ShapeBox& box);
absl::Status checkBoxCount(std::size_t count);

// One of the 24 turns of a cube onto itself: what lay along axis i lies along axis `axis[i]`, in
// the opposite direction if `flip[i]`.
struct CubeTurn {
  std::array<std::uint8_t, 3> axis{0, 1, 2};
  std::array<bool, 3> flip{};

  // Returns the turn by so many quarters about an axis, counterclockwise as seen from its positive
  // end: one quarter about y turns +z to +x.
  static CubeTurn about(int axis, int quarters);
  // Returns the turn that does this one first, and then the other.
  CubeTurn then(const CubeTurn& next) const;

  friend bool operator==(const CubeTurn&, const CubeTurn&) = default;
};
// Returns a box of a block that has been turned about its centre.
ShapeBox turned(const ShapeBox& box, const CubeTurn& turn);

// Boxes that were cut at the faces of a block's cube: those inside, and those of the neighbours, by
// the offset of the neighbour (each coordinate -1, 0 or 1), in the neighbour's own coordinates.
struct CutShape {
  std::vector<ShapeBox> inside;
  std::vector<std::pair<Vec3i, ShapeBox>> beyond;
};
// A box given in fractions of the block's width, which may reach into the neighbours: between -1
// and 2.
struct Boxd {
  Vec3d min;
  Vec3d max;
};
// Cuts boxes that may reach beyond the cube, since only the part inside is the shape of the block.
// The rest is for the caller: to drop, to give to types of their own in the neighbouring cells, or
// to add as box entities. Leaves out parts that are flat after rounding. INVALID_ARGUMENT for a box
// that is flat, reaches farther than the neighbours, or has a corner that is no number.
absl::StatusOr<CutShape> splitAtCube(std::span<const Boxd> boxes);

}  // namespace fractalray
