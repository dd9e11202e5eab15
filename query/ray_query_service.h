// SPDX-License-Identifier: Apache-2.0
// The ray query service: an engine registers callbacks, shoots, and is called in the order of
// distance.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/parallel_for.h"
#include "../core/segment.h"
#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "batch.h"
#include "callbacks.h"
#include "shot.h"

namespace fractalray {
namespace internal {
class BatchScheduler;
struct QueryContext;
}  // namespace internal

// Answers segment queries on a world and an entity index, which must live as long as the service.
//
// Several threads may query at once while nobody changes the world, the index or the callbacks;
// callbacks run on the thread that shoots. Callbacks may change all three in between two hits of
// their own shot. On a World::snapshot() threads may query while the world that it was taken of
// changes: what callbacks then change in that world, their shot does not see.
class RayQueryService {
 public:
  // How deep shots may be nested in callbacks of one thread, the outermost not counted.
  static constexpr int kMaxNesting = 64;

  // Requires: both have the same frame.
  RayQueryService(const World& world, const EntityIndex& entities);

  // Registers what is called for hits of a block type or an entity class, in place of what was
  // there: one callback that does all, or a pure predicate that says whether a hit is terminal and
  // an effect. A hit is terminal if the block is solid, the predicate says so or the response is
  // kStop. INVALID_ARGUMENT, and no change, for a block type that is not in the world's table.
  absl::Status onBlockHit(BlockTypeId type, BlockEffect callback);
  absl::Status onBlockHit(BlockTypeId type, BlockTerminalTest is_terminal, BlockEffect effect);
  void onEntityHit(EntityClassId entity_class, EntityEffect callback);
  void onEntityHit(EntityClassId entity_class, EntityTerminalTest is_terminal, EntityEffect effect);
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
  // end the shot is gone or no longer does, collector goes on behind it in the world as it then is,
  // without a second hit of the same entity; nothing else that was added is hit.
  //
  // Errors: INVALID_ARGUMENT for a mask without an active level, an unknown channel, a segment that
  // is not finite and options.budgets that are negative; OUT_OF_RANGE for one that leaves the
  // frame; RESOURCE_EXHAUSTED past options.max_steps (the callbacks called so far stay called) and
  // for shots nested deeper than kMaxNesting.
  //
  // Cost: grows with the loaded chunks and occupied index chunks on the way; stretches where
  // nothing is cost next to nothing. shootUnits into a result to be filled again does not allocate
  // once warm.
  absl::StatusOr<ShotResult> shootSegment(const Segment& segment, LevelMask levels,
                                          const ShotOptions& options = {}) const;

  // The same for a segment in units, and into a result to be filled again.
  absl::StatusOr<ShotResult> shootUnits(const FixedSegment& segment, LevelMask levels,
                                        const ShotOptions& options = {}) const;
  absl::Status shootUnits(const FixedSegment& segment, LevelMask levels, const ShotOptions& options,
                          ShotResult& result) const;

  // The same for a ray: shoots the segment that toSegment(ray, bounds) makes of it.
  absl::StatusOr<ShotResult> shootRay(const Ray& ray, LevelMask levels,
                                      const ShotOptions& options = {},
                                      const std::optional<Bounds>& bounds = std::nullopt) const;

  // Goes on behind a hit: shoots along the same segment at what is later, in the order of hits,
  // than `hit`, with no epsilon and no second hit on the same thing. The hit is one of this segment
  // under the same corner policy; what was hit may be gone, changed or moved by now. The same as a
  // shot with ShotOptions::after; entities of options.after are not met again either.
  //
  // Errors beside those of a shot: INVALID_ARGUMENT for a hit that the segment does not have under
  // this corner policy, and for one on a level that is not active; then nothing was called.
  absl::StatusOr<ShotResult> resume(const FixedSegment& segment, const Hit& hit, LevelMask levels,
                                    const ShotOptions& options = {}) const;

  // Goes on with a whole shot behind its last hit, along shot.segment, in the world as it is now:
  // its hits stay, none of their entities is met again, and what is met is appended. `terminated`,
  // `truncated`, `unknown_from` and the level parts are then those of the shot as a whole, `stats`
  // and options.max_hits and max_steps count what is new. A shot without hits is shot anew. On
  // INVALID_ARGUMENT `shot` stays as it is.
  absl::Status resume(ShotResult& shot, LevelMask levels, const ShotOptions& options = {}) const;

  // Picking: the first thing in the order of hits that the options admit, permeable blocks too
  // unless options.solid_only. Calls no callbacks, predicates neither; options.max_hits does not
  // matter, and options.stop_at_unknown finds nothing behind the unknown. Errors, thread safety and
  // ties as for shootSegment; allocates nothing once warm.
  absl::StatusOr<ClosestHit> closestHit(const Segment& segment, LevelMask levels,
                                        const ShotOptions& options = {}) const;
  absl::StatusOr<ClosestHit> closestHitUnits(const FixedSegment& segment, LevelMask levels,
                                             const ShotOptions& options = {}) const;
  absl::Status closestHitUnits(const FixedSegment& segment, LevelMask levels,
                               const ShotOptions& options, ClosestHit& result) const;

  // The versions of the world and the index as they now are: what occluded() answers for.
  SceneVersion version() const {
    return {.world = world_.version(), .entities = entities_.version()};
  }

  // Line of sight: whether a solid block (or an entity of options.categories) is met at any t in
  // [0, 1]. Stops at the first one found, which need not be the nearest. Calls no callbacks. Errors
  // and thread safety as for shootSegment; allocates nothing once warm.
  absl::StatusOr<Occlusion> occluded(const Segment& segment, LevelMask levels,
                                     const OcclusionOptions& options = {}) const;
  absl::StatusOr<Occlusion> occludedUnits(const FixedSegment& segment, LevelMask levels,
                                          const OcclusionOptions& options = {}) const;
  // The same, with the versions it was computed on and its cost. On an error the occlusion is
  // kUnknown; after RESOURCE_EXHAUSTED `stats` holds the work done until then.
  absl::Status occludedUnits(const FixedSegment& segment, LevelMask levels,
                             const OcclusionOptions& options, OcclusionResult& result) const;

  // Many shots with the same options. The outcome, call for call, is that of the same shots one
  // after another, in the order of `queries`: collector is spread by `parallel_for`, effects are
  // called by the caller's thread in order, and what an effect has changed under a shot yet to be
  // told is gathered again.
  //
  // Filters and predicates may be asked by any thread of `parallel_for`, several at once, and may
  // look at their hit, the world, the index and the block types: not at anything else that effects
  // change. QueryStats count the work that led to the answer, and where an effect has changed the
  // surroundings of a shot they may differ from those of the single shot.
  //
  // `batch` is filled anew; what fails for one query is told in its ShotSummary::status and stops
  // no other. Errors of the whole batch, which is then empty: INVALID_ARGUMENT for an unknown
  // channel, RESOURCE_EXHAUSTED where callbacks are nested deeper than kMaxNesting,
  // FAILED_PRECONDITION where `batch` is being filled already, by a batch whose effect calls this.
  // An exception of a callback passes through: batch.shots then has the queries completed before;
  // what the one that was under way has told is not in the batch, what its effects did stays.
  //
  // Cost: that of the shots, some copying, and one shot more for each that is gathered again. Once
  // warm it does not allocate. The queries must not change while the batch runs.
  //
  // Of any batch: INVALID_ARGUMENT, and nothing is asked or changed, where a query's `after` lies
  // in what the batch is to fill; keep two and fill them in turn.
  absl::Status shootSegments(std::span<const Query> queries, const ShotOptions& options,
                             ShotBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status shootSegments(std::span<const UnitQuery> queries, const ShotOptions& options,
                             ShotBatch& batch, ParallelFor parallel_for = runSerially) const;

  // closestHit and occluded for many, with the same options, spread by `parallel_for`: answers in
  // the order of queries, in place of what was there. Errors of one query are told beside its
  // answer; of the whole batch as for shootSegments. Filters may be asked by several threads at
  // once; an exception of one passes through, and there are no answers. No allocation once warm.
  absl::Status closestHitBatch(std::span<const Query> queries, const ShotOptions& options,
                               std::vector<BatchClosest>& answers,
                               ParallelFor parallel_for = runSerially) const;
  absl::Status closestHitBatch(std::span<const UnitQuery> queries, const ShotOptions& options,
                               std::vector<BatchClosest>& answers,
                               ParallelFor parallel_for = runSerially) const;
  absl::Status occludedBatch(std::span<const Query> queries, const OcclusionOptions& options,
                             OcclusionBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status occludedBatch(std::span<const UnitQuery> queries, const OcclusionOptions& options,
                             OcclusionBatch& batch, ParallelFor parallel_for = runSerially) const;

 private:
  friend class internal::BatchScheduler;

  // What every query checks before it begins.
  absl::Status check(const FixedSegment& segment, LevelMask levels, ChannelId channel) const;
  // What a batch checks before any query.
  absl::Status checkBatch(ChannelId channel) const;
  absl::Status shootOf(const UnitQuery& query, const ShotOptions& options,
                       ShotResult& result) const;
  // What a shot is about. Requires: the query has been checked.
  internal::QueryContext shotContext(const UnitQuery& query, const ShotOptions& options) const;
  absl::Status closestHitOf(const UnitQuery& query, const ShotOptions& options,
                            ClosestHit& result) const;
  absl::StatusOr<Occlusion> occlusionOf(const UnitQuery& query, const OcclusionOptions& options,
                                        QueryStats& stats) const;

  // shootSegments, closestHitBatch and occludedBatch, of queries of either kind.
  template <class AnyQuery>
  absl::Status shootAll(std::span<const AnyQuery> queries, const ShotOptions& options,
                        ShotBatch& batch, ParallelFor parallel_for) const;
  template <class AnyQuery>
  absl::Status pickAll(std::span<const AnyQuery> queries, const ShotOptions& options,
                       std::vector<BatchClosest>& answers, ParallelFor parallel_for) const;
  template <class AnyQuery>
  absl::Status lookAll(std::span<const AnyQuery> queries, const OcclusionOptions& options,
                       OcclusionBatch& batch, ParallelFor parallel_for) const;

  const World& world_;
  const EntityIndex& entities_;
  BlockCallbacks block_callbacks_;
  EntityCallbacks entity_callbacks_;
};

}  // namespace fractalray
