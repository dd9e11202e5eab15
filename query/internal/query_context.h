// SPDX-License-Identifier: Apache-2.0
// What one shot is about: the world and index it is on, its line, its options, and what an engine's
// predicates say of candidates. Passes and dispatch share it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "../../core/internal/geometry/line.h"
#include "../../core/level_mask.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../callbacks.h"
#include "../shot.h"
#include "candidate.h"

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
  // Entities that are not met, by id, beside those of the options.
  std::span<const EntityId> ignore{};
  // What the query goes on behind, and what is not met again; see ShotOptions::after. That of the
  // options, or the query's own.
  std::span<const Hit> after{};
  // Set once a filter or a predicate is asked, which may look at more than is on the line.
  bool* has_asked = nullptr;

  // What the query is computed on, as it now is.
  SceneVersion version() const {
    return {.world = world.version(), .entities = entities.version()};
  }

  // Whether a block of a loaded chunk is something in any channel and does not defer to a loaded
  // chunk on the next finer level.
  bool isPresent(int level, const Chunk& chunk, int index) const {
    return chunk.isOccupied(index) && !(chunk.hasLoadedChild(index) && levels.contains(level + 1));
  }
  // What blocks of a type are to this shot: in its channel, kEmpty where the options leave their
  // kind out. Every id from memory comes through here: kEmpty for one that is not in the table.
  BlockKind kindOf(BlockTypeId type) const {
    const BlockKind kind = world.blockTypes().kind(type, options.channel);
    return options.solid_only && kind != BlockKind::kSolid ? BlockKind::kEmpty : kind;
  }
  // What a block of a loaded chunk is to this shot; kEmpty too where it is not present.
  BlockKind kindOf(int level, const Chunk& chunk, int index) const {
    return isPresent(level, chunk, index) ? kindOf(chunk.block(index)) : BlockKind::kEmpty;
  }

  // Whether the options' rules count; queries for the first thing met have no end to be told.
  bool hasRules() const { return options.rules != nullptr && goal == Goal::kHits; }
  // Whether the options admit the candidate; sets its `terminal`. Asks filters and predicates.
  bool admitBlock(Candidate& candidate, BlockKind kind) const;
  bool admitEntity(Candidate& candidate) const;

  // Returns true if the entity's level and categories are among those asked for.
  bool matches(const Entity& entity) const {
    return levels.contains(entity.level) && (entity.categories & options.categories) != 0;
  }
  // The same, and it is on no ignore list. Cost: a linear search of the lists, for tools.
  bool concerns(const Entity& entity) const;

  // Whether nothing behind the candidate matters.
  bool isLast(const Candidate& candidate) const {
    return candidate.terminal || goal != Goal::kHits;
  }

  BlockHit blockHit(const Candidate& candidate) const;
  EntityHit entityHit(const Candidate& candidate) const;
};

}  // namespace fractalray::internal
