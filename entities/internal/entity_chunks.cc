// SPDX-License-Identifier: Apache-2.0
#include "entity_chunks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "absl/numeric/int128.h"

#include "../../core/check.h"
#include "../../core/units.h"

namespace fractalray::internal {
namespace {

// Does the work of overlappedChunks(). Square holds the sum of three squares of a chunk's width.
template <class Square>
EntityChunks overlapped(const FixedShape& shape, const Vec3i& position, int chunk_shift) {
  FRACTALRAY_DCHECK(shape.radius() < std::int64_t{1} << chunk_shift, shape.radius(), chunk_shift);
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(std::abs(position[axis]) <= kMaxCoordinate - shape.half_extents[axis], axis,
                      position[axis], shape.half_extents[axis]);
  }
  const auto [first, last] = chunkRange(shape, position, chunk_shift);
  const bool is_sphere = shape.kind == FixedShape::Kind::kSphere;
  // The distance of the centre from a chunk along an axis. A shape is at most three chunks wide.
  std::array<std::array<std::int64_t, 3>, 3> gaps{};
  for (int axis = 0; axis < 3; ++axis) {
    for (std::int64_t k = first[axis]; k <= last[axis]; ++k) {
      const std::int64_t min = k << chunk_shift;
      const std::int64_t max = (k + 1) << chunk_shift;
      gaps[static_cast<std::size_t>(axis)][static_cast<std::size_t>(k - first[axis])] =
          std::max({min - position[axis], position[axis] - max, std::int64_t{0}});
    }
  }
  const auto square = [](std::int64_t value) { return Square(value) * value; };
  const Square reach = square(shape.radius());
  EntityChunks chunks;
  for (std::int64_t x = first[0]; x <= last[0]; ++x) {
    const std::int64_t dx = gaps[0][static_cast<std::size_t>(x - first[0])];
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      const std::int64_t dy = gaps[1][static_cast<std::size_t>(y - first[1])];
      for (std::int64_t z = first[2]; z <= last[2]; ++z) {
        const std::int64_t dz = gaps[2][static_cast<std::size_t>(z - first[2])];
        // A chunk displaced along one axis only: the box around a sphere decides.
        const bool is_diagonal = (dx != 0 && dy != 0) || (dz != 0 && (dx != 0 || dy != 0));
        if (is_sphere && is_diagonal && square(dx) + square(dy) + square(dz) > reach) continue;
        chunks.push_back({x, y, z});
      }
    }
  }
  return chunks;
}

}  // namespace

EntityChunks overlappedChunks(const FixedShape& shape, const Vec3i& position, int chunk_shift) {
  // A gap is at most the radius, less than a chunk's width.
  constexpr int kMostShift = 30;
  return chunk_shift <= kMostShift ? overlapped<std::int64_t>(shape, position, chunk_shift)
                                   : overlapped<absl::int128>(shape, position, chunk_shift);
}

}  // namespace fractalray::internal
