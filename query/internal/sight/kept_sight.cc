// SPDX-License-Identifier: Apache-2.0
#include "kept_sight.h"

#include <memory>

namespace fractalray::internal {

void KeptScene::set(const ServiceState& state, LevelMask levels_asked,
                    const SightOptions& options_asked) {
  service = state.number;
  frame_levels = state.world.frame().levels();
  version = state.version();
  levels = levels_asked.activeIn(state.world.frame());
  const QueryFilter& filter = options_asked.filter;
  options.filter.blocks = filter.blocks;
  options.filter.channel = filter.channel;
  options.filter.entities = filter.entities;
  options.filter.categories = filter.categories;
  options.filter.skip_start_inside = filter.skip_start_inside;
  options.boxes_block = options_asked.boxes_block;
  options.unloaded = options_asked.unloaded;
  options.through = options_asked.through;
  has_block_filter = static_cast<bool>(filter.block_filter);
  has_entity_filter = static_cast<bool>(filter.entity_filter);
  occluders.assign(options_asked.occluders.begin(), options_asked.occluders.end());
  ignored.assign(filter.ignore.begin(), filter.ignore.end());
}

bool KeptScene::hasSameBlocks(const KeptScene& other) const {
  return service == other.service && version.world == other.version.world &&
         levels == other.levels && options.filter.blocks == other.options.filter.blocks &&
         options.filter.channel == other.options.filter.channel && !has_block_filter &&
         !other.has_block_filter;
}

bool KeptScene::isSame(const KeptScene& other) const {
  const auto has_same_boxes = [&] {
    if (options.boxes_block != other.options.boxes_block) return false;
    if (!options.boxes_block) return true;
    return version.entities == other.version.entities &&
           options.filter.entities == other.options.filter.entities &&
           options.filter.categories == other.options.filter.categories &&
           ignored == other.ignored && !has_entity_filter && !other.has_entity_filter;
  };
  return hasSameBlocks(other) && has_same_boxes() &&
         options.filter.skip_start_inside == other.options.filter.skip_start_inside &&
         options.unloaded == other.options.unloaded && options.through == other.options.through &&
         occluders == other.occluders;
}

void KeptCall::set(const ServiceState& state, std::span<const SightViewer> viewers,
                   std::span<const FixedBox> boxes_asked, LevelMask levels,
                   const SightOptions& options) {
  scene.set(state, levels, options);
  boxes.assign(boxes_asked.begin(), boxes_asked.end());
  eyes.clear();
  eyes_begin.assign(1, 0);
  for (const SightViewer& viewer : viewers) {
    eyes.insert(eyes.end(), viewer.eyes.begin(), viewer.eyes.end());
    eyes_begin.push_back(eyes.size());
  }
  columns = (boxes.size() + KeptSight::kBoxesInRun - 1) / KeptSight::kBoxesInRun;
  runs.resize(viewers.size() * columns);
}

KeptSight& KeptSight::of(SightHistory& history) {
  if (history.kept_ == nullptr) history.kept_ = std::make_unique<KeptSight>();
  return *history.kept_;
}

std::size_t KeptSight::size() const {
  std::size_t size = 0;
  for (const KeptRun& run : last.runs)
    size += run.pairs.size();
  return size;
}

}  // namespace fractalray::internal
