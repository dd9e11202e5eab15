// SPDX-License-Identifier: Apache-2.0
// The context of one query: the world and index that it runs on, its line, its options, and the
// engine's callbacks. Preparation and dispatch share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "../../../core/internal/geometry/line.h"
#include "../../../core/level_mask.h"
#include "../../../entities/entity_index.h"
#include "../../../levels/internal/shape_crossing.h"
#include "../../../levels/world.h"
#include "../../query_options.h"
#include "../../query_stats.h"
#include "callback_table.h"
#include "candidate.h"

namespace fractalray::internal {

// The hits that a query wants.
enum class HitMode : std::uint8_t {
  kAll,      // everything in order, up to the first terminal hit
  kClosest,  // the first one
  kAny,      // any one
};

// Returns true if permeable blocks are no hits: they never occlude.
inline bool isSolidOnly(const QueryOptions& options, HitMode mode) {
  return options.filter.solid_only || mode == HitMode::kAny;
}
// Returns true if the options let a query hit entities: they occlude only on request. Not inline:
// most queries find out first that there are none.
bool acceptsEntities(const QueryOptions& options, HitMode mode);

struct QueryContext {
  const World& world;
  const EntityIndex& entities;
  const Callbacks* callbacks;  // null for queries that call none
  const QueryOptions& options;
  LevelMask levels;  // active ones only
  Line line;
  HitMode mode = HitMode::kAll;
  bool solid_only = isSolidOnly(options, mode);
  // Entities that are not hit, by id, in addition to options.filter.ignore.
  std::span<const EntityId> ignore{};
  // The hits after which the query resumes, see QueryOptions::after: those of the options, or of
  // the query itself.
  std::span<const Hit> after{};
  // The amounts with which a shot with rules starts, of the options or of the query itself; null
  // for those of the rules.
  const Budgets* budgets = nullptr;
  // The number of candidates that each pass of the first slice finds (CandidateStream), if user
  // code or a budget may end the shot at any of them: most lines have no more than a few, and a
  // second slice costs more than a few candidates.
  std::size_t few = 2;
  // False if neither effects nor the options' on_hit are called for hits.
  bool calls_effects = true;
  // Set when a filter or a terminal test runs. Its answer may depend on state away from the line,
  // so a batch must redo this query after any edit.
  bool* ran_user_code = nullptr;

  // Returns the current versions of the world and the index.
  SceneVersion version() const {
    return {.world = world.version(), .entities = entities.version()};
  }

  // Returns a number that differs after each move of the frame, which ends queries in progress.
  std::uint64_t frameMoves() const;

  // Returns true if a block of a loaded chunk is not empty in every channel and does not defer to a
  // loaded chunk on the next finer level.
  bool isPresent(int level, const Chunk& chunk, int index) const {
    return chunk.isOccupied(index) && !(chunk.hasLoadedChild(index) && levels.contains(level + 1));
  }
  // Returns the kind of a block type for this query: that in its channel, or kEmpty if the options
  // exclude that kind. Every id from memory passes through here: kEmpty for an id that is
  // not in the table.
  BlockKind kindOf(BlockTypeId type) const {
    const BlockKind kind = world.blockTypes().kind(type, options.filter.channel);
    return solid_only && kind != BlockKind::kSolid ? BlockKind::kEmpty : kind;
  }
  // Returns the same for a block of a loaded chunk; kEmpty also if the block is not present.
  BlockKind kindOf(int level, const Chunk& chunk, int index) const {
    return isPresent(level, chunk, index) ? kindOf(chunk.block(index)) : BlockKind::kEmpty;
  }

  // Returns the shape of a block type in the query's channel.
  ShapeId shapeOf(BlockTypeId type) const {
    return world.blockTypes().shape(type, options.filter.channel);
  }
  // Returns true if any block type has a shape in the query's channel.
  bool hasShapes() const { return !world.blockTypes().shapes(options.filter.channel).empty(); }
  // Returns the crossing of a block of a type that does not fill its cube; nothing if the line
  // misses the shape, though it visits the cell. Cost: a test of each of its boxes.
  std::optional<ShapeCrossing> crossShaped(int level, BlockTypeId type,
                                           const BlockCoord& block) const;
  // Sets when and how the line enters the shape of a candidate, a block that does not fill its
  // cube; `step` is that of its cell. Returns false if the line misses the shape.
  bool enterShape(Candidate& candidate, std::uint8_t step) const;
  // Return the steps that a test of a shape counts, by its number of boxes, or by its type: one for
  // each 8 boxes.
  static std::uint64_t shapeSteps(std::size_t boxes) {
    constexpr std::size_t kBoxesPerStep = 8;
    return boxes / kBoxesPerStep;
  }
  std::uint64_t shapeSteps(BlockTypeId type) const {
    return shapeSteps(world.blockTypes().boxes(shapeOf(type)).size());
  }
  // Returns true if the options' rules apply: queries for the first hit report no end.
  bool hasRules() const { return options.rules != nullptr && mode == HitMode::kAll; }
  // Returns true if the query may call an effect. Requires: it has callbacks.
  bool mayCallEffects() const {
    return calls_effects && (options.on_hit || callbacks->hasEffects());
  }
  // Returns true if the steps are limited, of this query or of the batch that it is in.
  bool limitsSteps() const {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    return options.max_steps != kNoLimit || options.max_batch_steps != kNoLimit;
  }
  // Returns true if the query stops at unloaded space, or reports it.
  bool needsUnknown() const {
    return mode != HitMode::kAny && (options.report_unknown || options.stop_at_unknown);
  }
  // Returns true if the line starts inside the candidate: in the first cell of the walk, or in an
  // entity's closed shape.
  bool startsInside(const Candidate& candidate) const;
  // Returns true if the options accept the candidate; sets its `terminal`. Runs filters and
  // terminal tests.
  bool classifyBlock(Candidate& candidate, BlockKind kind) const;
  bool classifyEntity(Candidate& candidate) const;

  // Returns true if the query accepts the entity's level and categories. Requires: it accepts
  // entities at all.
  bool matches(const Entity& entity) const {
    return levels.contains(entity.level) && options.filter.acceptsCategories(entity.categories);
  }
  // Returns true if the query accepts the entity, which is on no ignore list. Cost: a linear search
  // of the lists, for tools.
  bool matchesFilter(const Entity& entity) const;

  // Returns true if nothing after the candidate matters.
  bool endsQuery(const Candidate& candidate) const {
    return candidate.terminal || mode != HitMode::kAll;
  }

  // Builds the hit as which a candidate is reported.
  Hit hitOf(const Candidate& candidate) const {
    return candidate.isBlock() ? blockHit(candidate) : entityHit(candidate);
  }

 private:
  Hit blockHit(const Candidate& candidate) const;
  // Sets what a hit has of the shape of its block: t_exit and plane.
  void setShaped(Hit& hit) const;
  Hit entityHit(const Candidate& candidate) const;
};

}  // namespace fractalray::internal
