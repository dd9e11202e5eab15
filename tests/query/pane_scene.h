// SPDX-License-Identifier: Apache-2.0
// Random scenes with panes, runs of touching permeable blocks of a type, and segments through them.
#pragma once

#include <memory>
#include <vector>

#include "../../core/segment.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {

class PaneScene {
 public:
  // Makes a scene of that many levels with some 25 sheets, beams and boxes on each level that has
  // loaded chunks. The same scene for the same state of `rng`.
  PaneScene(Rng& rng, int levels);

  World& world() { return scene_->world; }
  EntityIndex& entities() { return scene_->entities; }

  // Returns a segment through a pane, in seven of eight cases; else one of the kinds of
  // randomSegment().
  FixedSegment segment(Rng& rng) const;

 private:
  // The blocks from `min` to `max`, inclusive.
  struct Pane {
    int level = 0;
    BlockCoord min{};
    BlockCoord max{};
  };

  void addPane(Rng& rng, int level, const ChunkCoord& at);

  std::unique_ptr<RandomScene> scene_;
  std::vector<Pane> panes_;
};

}  // namespace fractalray::oracle
