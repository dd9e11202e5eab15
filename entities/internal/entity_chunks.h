// SPDX-License-Identifier: Apache-2.0
// The chunks in which an entity is indexed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "boost/container/static_vector.hpp"

#include "../../core/vec.h"
#include "../shape.h"

namespace fractalray::internal {

// An entity overlaps at most this many chunks of its index level, which are wider than its radius.
inline constexpr std::size_t kMaxEntityChunks = 27;
using EntityChunks = boost::container::static_vector<ChunkCoord, kMaxEntityChunks>;

// Returns the chunks, 2^chunk_shift units wide, whose closed cube touches the closed shape around
// `position`, sorted by x, then y, then z. Exact. Requires: the shape's radius is below a chunk's
// width, and its reach within kMaxCoordinate. Does not allocate.
EntityChunks overlappedChunks(const FixedShape& shape, const Vec3i& position, int chunk_shift);

// The same chunks for a box, and never fewer for a sphere: from `first` to `last` on each axis.
struct ChunkRange {
  ChunkCoord first;
  ChunkCoord last;

  bool isOne() const { return first == last; }
  bool contains(const ChunkCoord& chunk) const {
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis)
      is_inside = is_inside && chunk[axis] >= first[axis] && chunk[axis] <= last[axis];
    return is_inside;
  }
  std::int64_t chunks() const {
    return (last[0] - first[0] + 1) * (last[1] - first[1] + 1) * (last[2] - first[2] + 1);
  }

  // Calls `visit(chunk)` for the chunks that are not in another range.
  template <class Visit>
  void forEachNotIn(const ChunkRange& other, const Visit& visit) const {
    for (std::int64_t x = first[0]; x <= last[0]; ++x) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t z = first[2]; z <= last[2]; ++z) {
          const ChunkCoord chunk{x, y, z};
          if (!other.contains(chunk)) visit(chunk);
        }
      }
    }
  }

  friend bool operator==(const ChunkRange&, const ChunkRange&) = default;
};
inline ChunkRange chunkRange(const FixedShape& shape, const Vec3i& position, int chunk_shift) {
  ChunkRange range;
  for (int axis = 0; axis < 3; ++axis) {
    // A closed chunk that ends where the shape begins, or begins where it ends, touches it.
    range.first[axis] = (position[axis] - shape.half_extents[axis] - 1) >> chunk_shift;
    range.last[axis] = (position[axis] + shape.half_extents[axis]) >> chunk_shift;
  }
  return range;
}

}  // namespace fractalray::internal
