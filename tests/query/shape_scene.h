// SPDX-License-Identifier: Apache-2.0
// Makes worlds full of blocks with random shapes, on several levels, and short lines through them.
#pragma once

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/query_options.h"
#include "../oracle/rng.h"

namespace fractalray::oracle {

class ShapeScene {
 public:
  // The channel in which some types have another shape or kind than in the default one.
  static constexpr ChannelId kPick{1};

  // The same scene for the same state of `rng`. Blocks are within 3 of the centre, a corner of
  // chunks on every level; finer ones are nested in coarser ones there.
  ShapeScene(Rng& rng, int levels);

  World& world() { return world_; }
  const World& world() const { return world_; }
  EntityIndex& entities() { return entities_; }
  const EntityIndex& entities() const { return entities_; }
  // Returns the center, in units.
  const Vec3i& center() const { return center_; }

  // Returns a line from near one block of a level to near another.
  FixedSegment segment(Rng& rng) const;
  // Returns all levels, or some.
  LevelMask levels(Rng& rng) const;

 private:
  BlockTypeId someType(Rng& rng) const;
  void fill(Rng& rng, int level);
  BlockCoord someBlock(Rng& rng, int level) const;

  World world_;
  EntityIndex entities_;
  Vec3i center_{};
};

// Returns options of a shot at such a scene, without callbacks and limits.
QueryOptions shapeOptions(Rng& rng);

}  // namespace fractalray::oracle
