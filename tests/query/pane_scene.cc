// SPDX-License-Identifier: Apache-2.0
#include "pane_scene.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace fractalray::oracle {

PaneScene::PaneScene(Rng& rng, int levels) : scene_(randomScene(rng, levels, 40, 600)) {
  for (int level = 0; level < levels; ++level) {
    std::vector<ChunkCoord> loaded;
    world().forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
    for (int i = 0; i < 25 && !loaded.empty(); ++i)
      addPane(rng, level,
              loaded[static_cast<std::size_t>(rng.below(static_cast<int>(loaded.size())))]);
  }
}

// Fills a box that begins in a chunk, and ends there in most cases.
void PaneScene::addPane(Rng& rng, int level, const ChunkCoord& at) {
  Pane pane{.level = level, .min = blockOf(at, rng.below(kBlocksPerChunk)), .max = {}};
  const BlockCoord last = blockOf(at, kBlocksPerChunk - 1);
  for (int axis = 0; axis < 3; ++axis) {
    pane.max[axis] = pane.min[axis] + rng.pick<std::int64_t>({0, 2, 4, 9});
    if (!rng.oneIn(6)) pane.max[axis] = std::min(pane.max[axis], last[axis]);
  }
  const BlockTypeId type = rng.pick({kWater, kReeds, kReeds, kMist, kSlab, kStairs});
  if (world().fillBox(level, pane.min, pane.max, type).ok()) panes_.push_back(pane);
}

FixedSegment PaneScene::segment(Rng& rng) const {
  if (panes_.empty() || rng.oneIn(8)) return randomSegment(rng, *scene_);
  const Pane& pane = panes_[static_cast<std::size_t>(rng.below(static_cast<int>(panes_.size())))];
  const std::int64_t width = scene_->world.frame().blockWidth(pane.level);
  const std::int64_t lattice = rng.pick({width, width / 2, width / 4, std::int64_t{1}});
  Vec3i through;
  Vec3i step;
  for (int axis = 0; axis < 3; ++axis) {
    through[axis] = rng.in(pane.min[axis] * width, (pane.max[axis] + 1) * width);
    through[axis] -= through[axis] % lattice;
    step[axis] = rng.in(-2, 2) * width;
  }
  const std::int64_t back = std::min(mostSteps(through, step * -1), rng.in(1, 8));
  const std::int64_t forth = std::min(mostSteps(through, step), rng.in(1, 8));
  return {through - step * back, through + step * forth};
}

}  // namespace fractalray::oracle
