// SPDX-License-Identifier: Apache-2.0
#include "chunk_reach.h"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "../../core/check.h"

namespace fractalray::internal {
namespace {

std::int64_t fixed(double chunks) {
  return std::llround(chunks * static_cast<double>(kChunkFractions));
}

}  // namespace

ChunkReach::ChunkReach(const Frame& frame, const StreamOptions& options) : frame_(frame) {
  FRACTALRAY_DCHECK(checkStreamOptions(options, frame).ok(), checkStreamOptions(options, frame));
  load_.fill(-1);
  keep_.fill(-1);
  for (std::size_t level = 0; level < options.radii.size(); ++level) {
    if (!options.radii[level].has_value()) continue;
    load_radius_[level] = fixed(options.radii[level]->load);
    keep_radius_[level] = fixed(options.radii[level]->keep);
    load_[level] = load_radius_[level] * load_radius_[level];
    keep_[level] = keep_radius_[level] * keep_radius_[level];
  }
}

void ChunkReach::setViewers(std::span<const Vec3i> viewers) {
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      FRACTALRAY_DCHECK(std::abs(viewers[i][axis]) <= kMaxCoordinate, i, axis, viewers[i][axis]);
  }
  std::vector<Vec3i> copy(viewers.begin(), viewers.end());
  tree_ = ViewerTree(viewers);
  viewers_ = std::move(copy);
}

UnitBox ChunkReach::unitsOf(int level, const ChunkBox& box) const {
  const std::int64_t width = frame_.chunkWidth(level);
  UnitBox units;
  for (int axis = 0; axis < 3; ++axis) {
    units.min[axis] = box.min[axis] * width;
    units.max[axis] = box.max[axis] * width + width;
  }
  return units;
}

}  // namespace fractalray::internal
