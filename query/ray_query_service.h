// SPDX-License-Identifier: Apache-2.0
// The ray query service: an engine registers callbacks, shoots, and is called for hits in the order
// of distance.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/parallel_for.h"
#include "../core/ray.h"
#include "../core/segment.h"
#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "batch.h"
#include "callbacks.h"
#include "hit_cursor.h"
#include "occlusion.h"
#include "query_line.h"
#include "query_observer.h"
#include "shot_options.h"
#include "shot_result.h"

namespace fractalray {

namespace internal {
class ServiceState;
}

// Answers segment and ray queries on a world and an entity index, which must outlive the service.
//
//   RayQueryService service(world, entities);
//   service.onEntityHit(kMonster, [](const EntityHit& hit) { return damage(hit.entity); });
//   absl::StatusOr<ShotResult> shot = service.shootSegment({.from = muzzle, .to = target});
//
// There are three verbs: shootSegment() reports hits in order, to callbacks and in its result;
// closestHit() finds the first hit (picking); occluded() reports if anything is in the way (line
// of sight). Each takes one line, or a span of queries (a batch), and either returns its answer or
// fills one, which does not allocate once it is warm. `levels` are the levels to hit, all by
// default; inactive ones are ignored.
//
// Ties and corners are decided exactly, by the order given at ShotResult::hits and by the corner
// policy. If the start is inside, the hit is at t = 0, unless filter.skip_start_inside. A segment
// of length zero hits what contains it. What is not loaded is passed through, and reported as
// unknown_from if asked for. A ray keeps its direction whatever its length: see toFixedSegment().
//
// Errors of all queries: INVALID_ARGUMENT for a mask without an active level, an unknown channel, a
// line that is not finite, budgets that are negative, and options.after that is not of the line;
// OUT_OF_RANGE for a line that leaves the frame; RESOURCE_EXHAUSTED past options.max_steps
// (callbacks that were called stay called) and for queries nested deeper than kMaxNesting.
//
// Thread safety: several threads may query at once while nobody changes the world, the index, the
// callbacks or the observer; callbacks run on the thread that queries. On a World::snapshot()
// threads may query while the world that it was taken of changes: what callbacks then change in
// that world, their shot does not see.
//
// Cost: grows with the loaded chunks and occupied index chunks along the line; stretches where
// nothing is cost next to nothing. docs/performance.md has figures.
class RayQueryService {
 public:
  // How deep queries may be nested in callbacks of one thread, the outermost not counted.
  static constexpr int kMaxNesting = 64;

  // Requires: both have the same frame.
  RayQueryService(const World& world, const EntityIndex& entities);
  ~RayQueryService();
  RayQueryService(RayQueryService&&) noexcept;
  RayQueryService& operator=(RayQueryService&&) noexcept;

  // Registers what is called for hits of a block type or an entity class, in place of what was
  // there: an effect, and a pure test that says in advance which hits are terminal. A hit is
  // terminal if the block is solid, the test says so, or a response is kStop. Hits without a
  // callback are reported, and the shot continues. INVALID_ARGUMENT, and no change, for a block
  // type that is not in the world's table.
  absl::Status onBlockHit(BlockTypeId type, HitEffect effect);
  absl::Status onBlockHit(BlockTypeId type, TerminalTest is_terminal, HitEffect effect);
  void onEntityHit(EntityClassId entity_class, HitEffect effect);
  void onEntityHit(EntityClassId entity_class, TerminalTest is_terminal, HitEffect effect);
  void removeBlockCallback(BlockTypeId type);
  void removeEntityCallback(EntityClassId entity_class);
  // Registers what is called for all block types, or entity classes, that have nothing registered;
  // an empty effect removes it.
  void onBlockHit(HitEffect effect);
  void onEntityHit(HitEffect effect);

  // Sets what sees every query from now on; null for nothing. Must outlive the service, or be
  // replaced before.
  void setObserver(QueryObserver* observer);

  // The versions of the world and the index as they are now.
  SceneVersion version() const;

  // Shoots: calls back in the order of hits until one is terminal.
  //
  // After a change by a callback, for the rest of the shot: a block is judged as it is when it is
  // reported; an entity that died is skipped, one that moved keeps its hit; if the hit that was to
  // end the shot is gone or no longer does, the shot resumes after it in the world as it is then,
  // without a second hit of the same entity; nothing else that was added is hit. A callback that
  // moves the frame (Window) ends the shot: FAILED_PRECONDITION, no further callback is called, and
  // the hits so far stay in the result that is filled. So do the shots that its own is nested in.
  template <QueryLine Line = Segment>
  absl::StatusOr<ShotResult> shootSegment(const Line& line, LevelMask levels = LevelMask::all(),
                                          const ShotOptions& options = {}) const {
    return returning<ShotResult>(&RayQueryService::shoot, line, levels, options);
  }
  template <QueryLine Line = Segment>
  absl::Status shootSegment(const Line& line, LevelMask levels, const ShotOptions& options,
                            ShotResult& result) const {
    return filling(&RayQueryService::shoot, line, levels, options, result);
  }

  // Resumes after a hit: hits what follows `hit` in the order of hits, with no epsilon and no
  // second hit of the same thing. The hit is one of this line under the same corner policy; what
  // was hit may be gone, changed or moved by now. The same as a shot with ShotOptions::after.
  template <QueryLine Line = Segment>
  absl::StatusOr<ShotResult> resume(const Line& line, const Hit& hit,
                                    LevelMask levels = LevelMask::all(),
                                    const ShotOptions& options = {}) const {
    return returning<ShotResult>(
        [&hit](const RayQueryService& service, const FixedSegment& segment, LevelMask mask,
               const ShotOptions& shot_options, ShotResult& result) {
          return service.shootAfter(segment, hit, mask, shot_options, result);
        },
        line, levels, options);
  }
  // Resumes a whole shot after its last hit, along shot.segment, in the world as it is now: its
  // hits stay, none of their entities is hit again, and what is hit is appended. `terminated`,
  // `truncated`, `unknown_from` and the level parts are then those of the shot as a whole; `stats`,
  // options.max_hits and max_steps count what is new. A shot without hits is shot again. On
  // INVALID_ARGUMENT `shot` stays as it is, and so it does on FAILED_PRECONDITION, for a shot with
  // hits that was shot before the frame moved (Window).
  absl::Status resume(ShotResult& shot, LevelMask levels = LevelMask::all(),
                      const ShotOptions& options = {}) const;

  // Returns a cursor that finds the hits of a shot one by one, when it is asked for them, and calls
  // no effect; see hit_cursor.h. Observers do not see it. The line is checked here, and the first
  // hits are looked for.
  template <QueryLine Line = Segment>
  absl::StatusOr<HitCursor> hitsAlong(const Line& line, LevelMask levels = LevelMask::all(),
                                      const ShotOptions& options = {}) const {
    if constexpr (std::same_as<Line, FixedSegment>) {
      return makeCursor(line, levels, options);
    } else {
      const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
      if (!segment.ok()) return segment.status();
      return makeCursor(*segment, levels, options);
    }
  }

  // Finds the first thing in the order of hits that the options accept, permeable blocks too unless
  // filter.solid_only. Calls no callbacks, and no terminal tests; options.max_hits, rules and
  // on_hit do not matter, and with options.stop_at_unknown nothing after the unknown is found.
  template <QueryLine Line = Segment>
  absl::StatusOr<ClosestHit> closestHit(const Line& line, LevelMask levels = LevelMask::all(),
                                        const ShotOptions& options = {}) const {
    return returning<ClosestHit>(&RayQueryService::findClosest, line, levels, options);
  }
  template <QueryLine Line = Segment>
  absl::Status closestHit(const Line& line, LevelMask levels, const ShotOptions& options,
                          ClosestHit& result) const {
    return filling(&RayQueryService::findClosest, line, levels, options, result);
  }

  // Tells whether a solid block (or an entity, if options.entities_block) is hit at any t in [0,
  // 1]. Stops at the first one found, which need not be the nearest. Calls no callbacks. The result
  // that is filled has kUnknown on an error, and the work done until then.
  template <QueryLine Line = Segment>
  absl::StatusOr<Occlusion> occluded(const Line& line, LevelMask levels = LevelMask::all(),
                                     const OcclusionOptions& options = {}) const {
    OcclusionResult result;
    absl::Status status = filling(&RayQueryService::findOcclusion, line, levels, options, result);
    if (!status.ok()) return status;
    return result.occlusion;
  }
  template <QueryLine Line = Segment>
  absl::Status occluded(const Line& line, LevelMask levels, const OcclusionOptions& options,
                        OcclusionResult& result) const {
    return filling(&RayQueryService::findOcclusion, line, levels, options, result);
  }

  // Batches: many queries with the same options, spread by `parallel_for`; see batch.h. Shots have
  // the outcome, call for call, of the same shots one after another: their effects are called by
  // the caller's thread, in the order of `queries`.
  //
  // Filters and terminal tests may be called by any thread of `parallel_for`, several at once, and
  // may read their hit, the world, the index and the block types: nothing else that effects change.
  // QueryStats count the work that led to the answer; if an effect has changed the surroundings of
  // a shot they may differ from those of the single shot.
  //
  // Replaces the batch. What fails for one query is reported with its answer and stops no
  // other. Errors of the whole batch, which is then empty: INVALID_ARGUMENT for an unknown channel;
  // RESOURCE_EXHAUSTED if callbacks are nested deeper than kMaxNesting; FAILED_PRECONDITION, and no
  // change, if the batch is being filled already, by a batch whose effect calls this. An exception
  // of a callback passes through: a ShotBatch then has the queries completed before, the others
  // nothing.
  //
  // Cost: that of the queries, some copying, and one shot more for each that had to be run again
  // because of an effect. Once warm, does not allocate. The queries must not change meanwhile.
  absl::Status shootSegment(std::span<const BatchQuery> queries, const ShotOptions& options,
                            ShotBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status closestHit(std::span<const BatchQuery> queries, const ShotOptions& options,
                          ClosestBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status occluded(std::span<const BatchQuery> queries, const OcclusionOptions& options,
                        OcclusionBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::StatusOr<ShotBatch> shootSegment(std::span<const BatchQuery> queries,
                                         const ShotOptions& options = {},
                                         ParallelFor parallel_for = runSerially) const;
  absl::StatusOr<ClosestBatch> closestHit(std::span<const BatchQuery> queries,
                                          const ShotOptions& options = {},
                                          ParallelFor parallel_for = runSerially) const;
  absl::StatusOr<OcclusionBatch> occluded(std::span<const BatchQuery> queries,
                                          const OcclusionOptions& options = {},
                                          ParallelFor parallel_for = runSerially) const;

 private:
  absl::Status shoot(const FixedSegment& segment, LevelMask levels, const ShotOptions& options,
                     ShotResult& result) const;
  absl::Status shootAfter(const FixedSegment& segment, const Hit& hit, LevelMask levels,
                          const ShotOptions& options, ShotResult& result) const;
  absl::Status findClosest(const FixedSegment& segment, LevelMask levels,
                           const ShotOptions& options, ClosestHit& result) const;
  absl::Status findOcclusion(const FixedSegment& segment, LevelMask levels,
                             const OcclusionOptions& options, OcclusionResult& result) const;
  absl::StatusOr<HitCursor> makeCursor(const FixedSegment& segment, LevelMask levels,
                                       const ShotOptions& options) const;

  // Calls a query with the line in units.
  template <class Query, class Line, class Options, class Result>
  absl::Status filling(Query query, const Line& line, LevelMask levels, const Options& options,
                       Result& result) const {
    if constexpr (std::same_as<Line, FixedSegment>) {
      return std::invoke(query, *this, line, levels, options, result);
    } else {
      const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
      if (!segment.ok()) {
        result = Result();
        return segment.status();
      }
      return std::invoke(query, *this, *segment, levels, options, result);
    }
  }
  template <class Result, class Query, class Line, class Options>
  absl::StatusOr<Result> returning(Query query, const Line& line, LevelMask levels,
                                   const Options& options) const {
    Result result;
    absl::Status status = filling(query, line, levels, options, result);
    if (!status.ok()) return status;
    return result;
  }

  std::unique_ptr<internal::ServiceState> state_;
};

}  // namespace fractalray
