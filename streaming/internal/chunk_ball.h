// SPDX-License-Identifier: Apache-2.0
// The chunks of a level within a radius of one viewer, as rows along x.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../core/vec.h"
#include "../../levels/world.h"
#include "../stream_options.h"

namespace fractalray::internal {

// Chunks from `min` to `max` along x, both inclusive; none if min > max.
struct ChunkRow {
  std::int64_t min = 0;
  std::int64_t max = -1;
  std::int64_t y = 0;
  std::int64_t z = 0;
};

// A value, which says of each chunk exactly what its distance says (ChunkReach).
class ChunkBall {
 public:
  // Makes the ball of a radius, in fractions of a chunk width, from 0 to StreamRadii::kMax chunks.
  ChunkBall(int chunk_shift, const Vec3i& viewer, std::int64_t radius);

  // Returns its chunks with that y and z.
  ChunkRow row(std::int64_t y, std::int64_t z) const;
  // Calls `visit(row)` for its chunks; for those that another ball does not contain.
  template <class Visit>
  void forEachRow(const Visit& visit) const {
    for (std::int64_t z = box_.min[2]; z <= box_.max[2]; ++z) {
      for (std::int64_t y = box_.min[1]; y <= box_.max[1]; ++y)
        visitRow(row(y, z), visit);
    }
  }
  template <class Visit>
  void forEachRowOutside(const ChunkBall& other, const Visit& visit) const {
    forEachRow([&](const ChunkRow& row) {
      const ChunkRow cut = other.row(row.y, row.z);
      if (cut.min > cut.max) return visit(row);
      visitRow({row.min, std::min(row.max, cut.min - 1), row.y, row.z}, visit);
      visitRow({std::max(row.min, cut.max + 1), row.max, row.y, row.z}, visit);
    });
  }
  // Returns how far the viewer may move, in fractions, without a change of the ball; less than 1 if
  // that is not known to be possible. Cost: that of a visit of all rows.
  std::int64_t slack() const;

 private:
  // The chunks of an axis within a radius, and one more at either end.
  static constexpr std::size_t kMostChunks = 2 * static_cast<std::size_t>(StreamRadii::kMax) + 6;

  template <class Visit>
  static void visitRow(const ChunkRow& row, const Visit& visit) {
    if (row.min <= row.max) visit(row);
  }
  // Returns the square of the distance of a chunk along an axis.
  std::int64_t squareOf(int axis, std::int64_t chunk) const;
  // The same for y and z, from the tables, up to one chunk beyond the box.
  std::int64_t squareOf(std::int64_t y, std::int64_t z) const {
    return squares_y_[static_cast<std::size_t>(y - box_.min[1] + 1)] +
           squares_z_[static_cast<std::size_t>(z - box_.min[2] + 1)];
  }
  // Returns the first and the last chunk of an axis up to a distance along it.
  ChunkRow rowUpTo(int axis, std::int64_t distance) const;

  int shift_;
  Vec3i viewer_;
  std::int64_t radius_;
  ChunkBox box_;
  std::array<std::int64_t, kMostChunks> squares_y_;
  std::array<std::int64_t, kMostChunks> squares_z_;
};

}  // namespace fractalray::internal
