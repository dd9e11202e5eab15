// SPDX-License-Identifier: Apache-2.0
#include "random_shape.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "../../core/units.h"

namespace fractalray::oracle {
namespace {

// Returns a point in or around a block, often exactly in planes of its boxes.
Vec3i randomPoint(Rng& rng, const ShapeAt& shape) {
  Vec3i point;
  const std::int64_t width = std::int64_t{1} << shape.shift;
  const auto some_box = [&] {
    const int count = static_cast<int>(shape.boxes.size());
    return count == 0 ? ShapeBox() : shape.boxes[static_cast<std::size_t>(rng.below(count))];
  };
  const bool is_at_one_box = rng.oneIn(2);  // else each axis may have the plane of another one
  ShapeBox box = some_box();
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    if (!is_at_one_box) box = some_box();
    std::int64_t offset = 0;
    switch (rng.below(7)) {
      case 0:
      case 1:
        offset = std::int64_t{box.min[i]} << (shape.shift - 16);
        break;
      case 2:
      case 3:
        offset = std::int64_t{box.max[i]} << (shape.shift - 16);
        break;
      case 4:
        offset = rng.in(-1, 2) * width;
        break;
      case 5:
        offset = rng.in(-4, 8) * (width / 4) + rng.in(-1, 1);
        break;
      default:
        offset = rng.in(-width, 2 * width);
    }
    point[axis] = std::clamp(shape.corner[axis] + offset, -kMaxCoordinate, kMaxCoordinate);
  }
  return point;
}

}  // namespace

std::vector<ShapeBox> randomBoxes(Rng& rng) {
  return randomBoxes(rng, rng.pick<std::int64_t>({2, 4, 16, kShapeUnits}));
}

std::vector<ShapeBox> randomBoxes(Rng& rng, std::int64_t grid) {
  std::vector<ShapeBox> boxes(static_cast<std::size_t>(rng.in(1, 5)));
  for (ShapeBox& box : boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t a = rng.in(0, grid - 1);
      const std::int64_t b = rng.in(a + 1, grid);
      box.min[axis] = static_cast<std::uint32_t>(a * (kShapeUnits / grid));
      box.max[axis] = static_cast<std::uint32_t>(b * (kShapeUnits / grid));
    }
    if (!rng.oneIn(5)) continue;
    const auto thin = static_cast<std::size_t>(rng.below(3));
    box.max[thin] = box.min[thin] + 1;
  }
  return boxes;
}

FixedSegment randomLine(Rng& rng, const ShapeAt& from, const ShapeAt& to) {
  FixedSegment line{.from = randomPoint(rng, from), .to = randomPoint(rng, to)};
  for (int axis = 0; axis < 3; ++axis) {
    if (rng.oneIn(6)) line.to[axis] = line.from[axis];
  }
  if (rng.oneIn(2)) {  // as far again: through the corner at which it would end
    const Vec3i end = line.to + (line.to - line.from);
    const auto is_in_frame = [](std::int64_t at) {
      return -kMaxCoordinate <= at && at <= kMaxCoordinate;
    };
    if (std::all_of(end.values.begin(), end.values.end(), is_in_frame)) line.to = end;
  }
  return line;
}

std::string describe(std::span<const ShapeBox> boxes) {
  std::ostringstream text;
  for (const ShapeBox& box : boxes) {
    text << " [" << box.min[0] << " " << box.min[1] << " " << box.min[2] << " - " << box.max[0]
         << " " << box.max[1] << " " << box.max[2] << "]";
  }
  return text.str();
}

}  // namespace fractalray::oracle
