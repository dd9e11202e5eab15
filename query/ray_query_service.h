// SPDX-License-Identifier: Apache-2.0
// The ray query service: an engine registers callbacks, shoots, and is called in the order of
// distance.
#pragma once

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fractalray/core/level_mask.h"
#include "fractalray/core/segment.h"
#include "fractalray/entities/entity_index.h"
#include "fractalray/levels/world.h"
#include "fractalray/query/callbacks.h"
#include "fractalray/query/shot.h"

namespace fractalray {

// Answers segment queries on a world and an entity index, which must live as long as the service.
//
// Several threads may query at once while nobody changes the world, the index or the callbacks;
// callbacks run on the thread that shoots. Callbacks may change all three in between two hits of
// their own shot.
class RayQueryService {
 public:
  // How deep shots may be nested in callbacks of one thread, the outermost not counted.
  static constexpr int kMaxNesting = 64;

  // Requires: both have the same frame.
  RayQueryService(const World& world, const EntityIndex& entities);

  // Registers what is called for hits of a block type or an entity class, in place of what was
  // there: one callback that does all, or a pure predicate that says whether a hit is terminal and
  // an effect. A hit is terminal if the block is solid, the predicate says so or the response is
  // kStop.
  void onBlockHit(BlockTypeId type, BlockEffect callback);
  void onBlockHit(BlockTypeId type, BlockPredicate is_terminal, BlockEffect effect);
  void onEntityHit(EntityClassId entity_class, EntityEffect callback);
  void onEntityHit(EntityClassId entity_class, EntityPredicate is_terminal, EntityEffect effect);
  void removeBlockCallback(BlockTypeId type) { block_callbacks_.remove(type); }
  void removeEntityCallback(EntityClassId entity_class) { entity_callbacks_.remove(entity_class); }

  // Shoots along the segment through the levels of the mask (inactive bits are ignored) and calls
  // back in the order of hits until one is terminal. Hits without a callback are reported, and the
  // shot goes on.
  //
  // Ties and corners: decided exactly, by the order given at ShotResult::hits and the corner
  // policy. A start inside is a hit at t = 0, unless options.skip_start_inside. A segment of length
  // zero meets what contains it. What is not loaded is passed through and told as unknown_from
  // where asked for.
  //
  // After a change by a callback, the rest of the shot: a block is judged as it is when its turn
  // comes; an entity that died is skipped, one that moved keeps its hit; where the hit that was to
  // end the shot is gone or no longer does, gathering goes on behind it in the world as it then is,
  // without a second hit of the same entity; nothing else that was added is hit.
  //
  // Errors: INVALID_ARGUMENT for a mask without an active level, an unknown channel and a segment
  // that is not finite; OUT_OF_RANGE for one that leaves the frame; RESOURCE_EXHAUSTED past
  // options.max_steps (the callbacks called so far stay called) and for shots nested deeper than
  // kMaxNesting.
  //
  // Cost: grows with the loaded chunks and occupied index chunks on the way; stretches where
  // nothing is cost next to nothing. shootUnits into a result to be filled again does not allocate
  // once warm.
  absl::StatusOr<ShotResult> shootSegment(const Segment& segment, LevelMask levels,
                                          const ShotOptions& options = {}) const;

  // The same for a segment in units, and into a result to be filled again.
  absl::StatusOr<ShotResult> shootUnits(const UnitSegment& segment, LevelMask levels,
                                        const ShotOptions& options = {}) const;
  absl::Status shootUnits(const UnitSegment& segment, LevelMask levels, const ShotOptions& options,
                          ShotResult& result) const;

  // The same for a ray: shoots the segment that toSegment(ray, bounds) makes of it.
  absl::StatusOr<ShotResult> shootRay(const Ray& ray, LevelMask levels,
                                      const ShotOptions& options = {},
                                      const std::optional<Bounds>& bounds = std::nullopt) const;

  // Picking: the first thing in the order of hits that the options admit, permeable blocks too
  // unless options.solid_only. Calls no callbacks, predicates neither; options.max_hits does not
  // matter, and options.stop_at_unknown finds nothing behind the unknown. Errors, thread safety and
  // ties as for shootSegment; allocates nothing once warm.
  absl::StatusOr<ClosestHit> closestHit(const Segment& segment, LevelMask levels,
                                        const ShotOptions& options = {}) const;
  absl::StatusOr<ClosestHit> closestHitUnits(const UnitSegment& segment, LevelMask levels,
                                             const ShotOptions& options = {}) const;
  absl::Status closestHitUnits(const UnitSegment& segment, LevelMask levels,
                               const ShotOptions& options, ClosestHit& result) const;

  // Line of sight: whether a solid block (or an entity of options.categories) is met at any t in
  // [0, 1]. Stops at the first one found, which need not be the nearest. Calls no callbacks. Errors
  // and thread safety as for shootSegment; allocates nothing once warm.
  absl::StatusOr<Occlusion> occluded(const Segment& segment, LevelMask levels,
                                     const OcclusionOptions& options = {}) const;
  absl::StatusOr<Occlusion> occludedUnits(const UnitSegment& segment, LevelMask levels,
                                          const OcclusionOptions& options = {}) const;

 private:
  // What every query checks before it begins.
  absl::Status check(const UnitSegment& segment, LevelMask levels, ChannelId channel) const;

  const World& world_;
  const EntityIndex& entities_;
  BlockCallbacks block_callbacks_;
  EntityCallbacks entity_callbacks_;
};

}  // namespace fractalray
