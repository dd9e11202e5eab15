// SPDX-License-Identifier: Apache-2.0
// What one shot is about: the world and index it is on, its line, its options, and what an engine's
// predicates say of candidates. Passes and dispatch share it.
#pragma once

#include <cstdint>
#include <optional>

#include "fractalray/core/level_mask.h"
#include "fractalray/core/line.h"
#include "fractalray/entities/entity_index.h"
#include "fractalray/levels/world.h"
#include "fractalray/query/callbacks.h"
#include "fractalray/query/candidate.h"
#include "fractalray/query/shot.h"

namespace fractalray::internal {

// What a query wants of all that its line meets.
enum class Goal : std::uint8_t {
  kHits,     // all of it in order, up to the first that is terminal
  kClosest,  // the first of it
  kAny,      // any one of it
};

struct Scene {
  const World& world;
  const EntityIndex& entities;
  const BlockCallbacks* block_callbacks;  // null for queries that call none
  const EntityCallbacks* entity_callbacks;
  const ShotOptions& options;
  LevelMask levels;  // active ones only
  Line line;
  Goal goal = Goal::kHits;

  // Of a block of a loaded chunk, in the shot's channel: what it is to this shot. kEmpty too where
  // it defers to a loaded chunk on the next finer level, and where the options leave its kind out.
  BlockKind kindOf(int level, const Chunk& chunk, int index) const;

  // Whether the options admit the candidate; sets its `terminal`. Asks filters and predicates.
  bool admitBlock(Candidate& candidate, BlockKind kind) const;
  bool admitEntity(Candidate& candidate) const;

  // Whether queries of these options look at the entity at all: level, categories, ignore list.
  bool concerns(const Entity& entity) const;

  // Whether nothing behind the candidate matters.
  bool isLast(const Candidate& candidate) const {
    return candidate.terminal || goal != Goal::kHits;
  }

  BlockHit blockHit(const Candidate& candidate) const;
  EntityHit entityHit(const Candidate& candidate) const;
};

}  // namespace fractalray::internal
