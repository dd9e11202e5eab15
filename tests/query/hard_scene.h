// SPDX-License-Identifier: Apache-2.0
// Makes worlds to hurt a pass that skips by occupancy, and segments through them: chunks near and
// far from each other, uniform ones, single blocks and dense ones, many children, ends and corners
// on the edges of blocks, bricks, chunks, regions and areas.
#pragma once

#include <vector>

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../levels/world.h"
#include "../../query/query_options.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {

class HardScene {
 public:
  // Makes chunks on all of `levels` levels, or on some. The same scene for the same state of `rng`.
  HardScene(Rng& rng, int levels);

  World& world() { return scene_.world; }
  const World& world() const { return scene_.world; }
  EntityIndex& entities() { return scene_.entities; }
  const EntityIndex& entities() const { return scene_.entities; }

  FixedSegment segment(Rng& rng) const;
  // Returns all levels, one, or some with gaps.
  LevelMask levels(Rng& rng) const;
  // A block in or next to a chunk of the scene, for edits.
  struct Spot {
    int level = 0;
    BlockCoord block{};
  };
  Spot spot(Rng& rng) const;

 private:
  struct Loaded {
    int level = 0;
    ChunkCoord at{};
  };

  void loadLevel(Rng& rng, int level);
  void load(Rng& rng, int level, const ChunkCoord& at);
  void fill(Rng& rng, int level, const ChunkCoord& at);
  void expandSome(Rng& rng, int level, const ChunkCoord& at);
  void addEntity(Rng& rng, EntityId id);
  const Loaded& someChunk(Rng& rng) const;
  Vec3i pointNear(Rng& rng, const Loaded& chunk) const;

  RandomScene scene_;
  std::vector<Loaded> chunks_;
};

// Returns a line from the same start in the same direction, or almost, up to as long as the frame
// allows, as those of infinite rays are. Mostly it ends where the segment does.
FixedSegment stretched(Rng& rng, const FixedSegment& segment);

// Returns options that the direct search (direct_search.h) accepts, of all kinds.
QueryOptions directOptions(Rng& rng);

// Returns options of all kinds but callbacks and max_steps; `ignore` must outlive them.
QueryOptions hardOptions(Rng& rng, const std::vector<EntityId>& ignore);

}  // namespace fractalray::oracle
