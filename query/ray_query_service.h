// SPDX-License-Identifier: Apache-2.0
// The ray query service: an engine registers callbacks, shoots, and is called back for hits in the
// order of distance.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/utility/utility.h"

#include "../core/level_mask.h"
#include "../core/parallel_for.h"
#include "../core/ray.h"
#include "../core/segment.h"
#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "batch.h"
#include "blast.h"
#include "callbacks.h"
#include "hit_cursor.h"
#include "occlusion.h"
#include "query_line.h"
#include "query_observer.h"
#include "query_options.h"
#include "shot_result.h"
#include "sight.h"
#include "sight_table.h"
#include "ticked_shot.h"
#include "visible_blocks.h"

namespace fractalray {

namespace internal {
class ServiceState;
}

// Answers queries along lines in a world and an entity index, which must outlive the service:
//
//   RayQueryService service(world, entities);
//   service.onEntityHit(kMonster, [](const EntityHit& hit) { return damage(hit.entity); });
//   absl::StatusOr<ShotResult> shot = service.shootSegment({.from = muzzle, .to = target});
//
// Each verb takes one line, or an array of lines or queries (a batch), and returns its answer or
// fills one, which does not allocate once it is warm. `levels` are the levels to hit; inactive ones
// are ignored. Ties and corners are decided exactly. Thread-safe for queries while nobody changes
// the world, the index, the callbacks or the observer. docs/queries/ has a page for each verb, with
// its ties, errors and cost.
class RayQueryService {
 public:
  // The maximum nesting of queries in callbacks of one thread, the outermost not counted.
  static constexpr int kMaxNesting = 64;

  // Requires: both have the same frame.
  RayQueryService(const World& world, const EntityIndex& entities);
  ~RayQueryService();
  RayQueryService(RayQueryService&&) noexcept;
  RayQueryService& operator=(RayQueryService&&) noexcept;

  // Registers the callbacks for hits of a block type or an entity class, replacing earlier ones: an
  // effect, and a pure test that decides in advance which hits are terminal. A hit is terminal if
  // the block is solid, the test returns true, a rule (QueryOptions::rules) makes it so, or a
  // response is kStop. A hit without a callback is reported too; the shot continues unless the
  // block is solid or a rule stops it. INVALID_ARGUMENT, and no change, for a block type that is
  // not in the world's table.
  absl::Status onBlockHit(BlockTypeId type, HitEffect effect);
  absl::Status onBlockHit(BlockTypeId type, TerminalTest is_terminal, HitEffect effect);
  void onEntityHit(EntityClassId entity_class, HitEffect effect);
  void onEntityHit(EntityClassId entity_class, TerminalTest is_terminal, HitEffect effect);
  void removeBlockCallback(BlockTypeId type);
  void removeEntityCallback(EntityClassId entity_class);
  // Registers the effect for all block types, or entity classes, without callbacks of their own; an
  // empty effect removes it.
  void onBlockHit(HitEffect effect);
  void onEntityHit(HitEffect effect);

  // Sets the observer of all later queries; null for none. Before an observer is destroyed, destroy
  // the service or set another one.
  void setObserver(QueryObserver* observer);

  // Returns the world that is queried.
  const World& world() const;
  // Returns the current versions of the world and the index.
  SceneVersion version() const;

  // Shoots: calls back in the order of hits until one is terminal.
  //
  // After a change by a callback, for the rest of the shot: a block is judged as it is when it is
  // reported; an entity that died is skipped, one that moved keeps its hit; if the hit that was to
  // end the shot is gone or no longer ends it, the shot resumes after that hit in the world as it
  // is then, without a second hit of the same entity; nothing else that was added is hit. A
  // callback that moves the frame (Window) ends the shot: FAILED_PRECONDITION, no further callback
  // is called, and the hits so far stay in the result that is filled. The shots in which this shot
  // is nested end in the same way.
  template <QueryLine Line = Segment>
  absl::StatusOr<ShotResult> shootSegment(const Line& line, LevelMask levels = LevelMask::all(),
                                          const QueryOptions& options = {}) const {
    return returning<QueryVerb::kShoot, ShotResult>(line, levels, options);
  }
  template <QueryLine Line = Segment>
  absl::Status shootSegment(const Line& line, LevelMask levels, const QueryOptions& options,
                            ShotResult& result) const {
    return filling<QueryVerb::kShoot>(line, levels, options, result);
  }

  // Resumes a whole shot after its last hit, along shot.segment, in the world as it is now: its
  // hits stay, none of their entities is hit again, and new hits are appended. `terminated`,
  // `truncated`, `unknown_from` and the level spans are then those of the shot as a whole; `stats`,
  // options.max_hits and max_steps count only the new part. A shot without hits is shot again. On
  // INVALID_ARGUMENT `shot` is unchanged, as it is on FAILED_PRECONDITION, for a shot with hits
  // that was shot before the frame moved (Window).
  absl::Status resume(ShotResult& shot, LevelMask levels = LevelMask::all(),
                      const QueryOptions& options = {}) const;

  // Advances a shot over several ticks: calls back for, and appends, the hits that follow those of
  // the ticks before, up to `end_time` of its line, inclusive, in units of 2^-60. The world is read
  // as it is now, and only where it was not read before: what moves onto the part that the shot has
  // passed is not hit, and no entity is hit again. options.max_hits and max_steps count for the
  // tick, budgets for the whole shot. A tick that ends with an error or early loses nothing: the
  // next one continues there. Does nothing once the shot has ended. Observers do not see ticks.
  //
  // Errors: those of a shot, and INVALID_ARGUMENT for a time that is not later than
  // shot.readUntil(), and for options.after; FAILED_PRECONDITION if the frame has moved (Window).
  absl::Status advance(TickedShot& shot, std::int64_t end_time, LevelMask levels = LevelMask::all(),
                       const QueryOptions& options = {}) const;

  // Returns the mirror image of a line in the plane of the face through which it entered at a hit,
  // followed from the hit's time on: both ends are mirrored, 2 X - A on the axis of the face, so no
  // point is rounded, and times, distances and the end time remain those of the whole path. Every
  // query accepts the image in place of the line, and the image can be reflected again.
  //
  // At exactly that time: things wholly on the wall's side of the plane, the thing just hit
  // included, are never hit; the image starts inside the block that the path was in before; and
  // things that it enters on other axes, at an edge or a corner, are hit (docs/queries/reflect.md).
  //
  // Errors: INVALID_ARGUMENT if the hit has no face (a sphere, or a hit with start_inside) or is
  // not a hit of the line, and for a line that no query accepts; OUT_OF_RANGE if an end of the
  // image is outside of the frame. Thread safety: as queries. Cost: some divisions, about that of
  // rounding a segment.
  absl::StatusOr<FixedSegment> reflect(const FixedSegment& line, const Hit& hit) const;

  // Returns a cursor that finds the hits of a shot one by one, on request, and calls no effect; see
  // hit_cursor.h. This call checks the line, and finds the first hits. Observers see the cursor
  // when it is destroyed.
  template <QueryLine Line = Segment>
  absl::StatusOr<HitCursor> hitsAlong(const Line& line, LevelMask levels = LevelMask::all(),
                                      const QueryOptions& options = {}) const {
    if constexpr (std::same_as<Line, FixedSegment>) {
      return makeCursor(line, levels, options);
    } else {
      const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
      if (!segment.ok())
        return errorToReport({segment.status(), checkWithoutLine(levels, options)});
      return makeCursor(*segment, levels, options);
    }
  }

  // Finds the first thing in the order of hits that the options accept, including permeable blocks
  // unless filter.solid_only is set. Calls no callbacks, and no terminal tests; options.max_hits,
  // rules and on_hit are ignored, and with options.stop_at_unknown nothing past the unknown is
  // found.
  template <QueryLine Line = Segment>
  absl::StatusOr<ClosestHit> closestHit(const Line& line, LevelMask levels = LevelMask::all(),
                                        const QueryOptions& options = {}) const {
    return returning<QueryVerb::kClosestHit, ClosestHit>(line, levels, options);
  }
  template <QueryLine Line = Segment>
  absl::Status closestHit(const Line& line, LevelMask levels, const QueryOptions& options,
                          ClosestHit& result) const {
    return filling<QueryVerb::kClosestHit>(line, levels, options, result);
  }

  // Returns kBlocked if a solid block (or an entity, if options.entities_block) is hit at any t in
  // [0, 1]. Stops at the first one found, which need not be the nearest. Calls no callbacks. Obeys
  // the filter, the corner policy, `after`, the limits of steps, and the options for lines of sight
  // alone. On an error, a result that is filled has kUnknown, and the work done until then.
  template <QueryLine Line = Segment>
  absl::StatusOr<Occlusion> occluded(const Line& line, LevelMask levels = LevelMask::all(),
                                     const QueryOptions& options = {}) const {
    OcclusionResult result;
    absl::Status status = filling<QueryVerb::kOccluded>(line, levels, options, result);
    if (!status.ok()) return status;
    return result.occlusion;
  }
  template <QueryLine Line = Segment>
  absl::Status occluded(const Line& line, LevelMask levels, const QueryOptions& options,
                        OcclusionResult& result) const {
    return filling<QueryVerb::kOccluded>(line, levels, options, result);
  }

  // Finds the blocks that a blast breaks, and the entities in its reach, with their exposure. Each
  // ray is sampled step by step while it has power and is within the radius: a sample in a block
  // costs the ray the resistance of its type, and the block breaks if power is left; then the
  // sample costs the falloff. Blocks of several levels are charged one after another, the finer
  // level first. Rays do not weaken each other, and nothing changes: the caller sets the blocks to
  // air. `parallel_for` spreads the rays, with the outcome of one after another; it calls filters
  // on any thread.
  //
  // Errors, after which the blast is empty: INVALID_ARGUMENT for a ray with a zero step, a falloff
  // or resistance below 0, a radius that is negative or NaN, a centre that is not finite, a mask
  // without an active level, an unknown channel; OUT_OF_RANGE for a centre or step beyond the frame
  // and a radius beyond kMaxBlastRadius; RESOURCE_EXHAUSTED beyond options.max_samples. Thread
  // safety: as queries along a line. Cost: the samples, and sorting the broken blocks; no
  // allocation once the blast is warm. docs/queries/blast.md.
  absl::Status blast(const BlastQuery& query, LevelMask levels, const BlastOptions& options,
                     Blast& blast, ParallelFor parallel_for = runSerially) const;
  absl::StatusOr<Blast> blast(const BlastQuery& query, LevelMask levels = LevelMask::all(),
                              const BlastOptions& options = {},
                              ParallelFor parallel_for = runSerially) const {
    return filled<Blast>(
        [&](Blast& result) { return blast(query, levels, options, result, parallel_for); });
  }

  // Finds out whether the eye sees any part of the box, exactly, with a witness or, on request, a
  // certificate. Decides by solid angle: no line through an edge or corner counts, a crack of any
  // width does. Calls no callbacks; never loads anything.
  //
  // An eye in the closed box sees it. An eye inside of an occluder sees nothing, unless the filter
  // has skip_start_inside. Occluders count only before the box: a block does not hide itself.
  //
  // Errors: INVALID_ARGUMENT for a box with min > max on an axis or flat on more than one (ask
  // occluded() about a point), a mask without an active level, and an unknown channel; OUT_OF_RANGE
  // for an eye, a box or an occluder beyond the frame; RESOURCE_EXHAUSTED beyond options.max_steps.
  // An answer that is filled then has kUndecided and the work done until then. Thread safety: as
  // queries along a line. Cost: 1.1 to 1.3 rays for a box as large as a player; at most one
  // ray more than there are occluders in the way. Allocates nothing once warm.
  // docs/queries/visible.md.
  absl::StatusOr<SightAnswer> visible(const SightQuery& query, LevelMask levels = LevelMask::all(),
                                      const SightOptions& options = {}) const {
    return filled<SightAnswer>(
        [&](SightAnswer& answer) { return visible(query, levels, options, answer); });
  }
  absl::Status visible(const SightQuery& query, LevelMask levels, const SightOptions& options,
                       SightAnswer& answer) const;

  // Computes the share of the box that the eye sees (ExposureAnswer), for explosions: greater than
  // 0 exactly if visible() says kVisible. options.report_certificate is ignored. Errors and the
  // rest: as for visible(). Cost: that of all occluders between the eye and the box.
  absl::StatusOr<ExposureAnswer> exposure(const SightQuery& query,
                                          LevelMask levels = LevelMask::all(),
                                          const SightOptions& options = {}) const {
    return filled<ExposureAnswer>(
        [&](ExposureAnswer& answer) { return exposure(query, levels, options, answer); });
  }
  absl::Status exposure(const SightQuery& query, LevelMask levels, const SightOptions& options,
                        ExposureAnswer& answer) const;

  // Finds out who sees whom: answers, for each viewer and each box, what visible() does for them,
  // the best answer of the viewer's eyes. `parallel_for` spreads the pairs, with the outcome of one
  // after another; it calls functions of the options on any thread. A pair that takes more than
  // options.each.max_steps is options.if_undecided, and stops no other.
  //
  // Errors, after which the table is empty and the history is as before: INVALID_ARGUMENT for a
  // box with min > max on an axis or flat on more than one, a mask without an active level, an
  // unknown channel, a negative max_distance, and an if_undecided that decides nothing;
  // OUT_OF_RANGE for an eye, a box or an occluder beyond the frame; RESOURCE_EXHAUSTED for too many
  // pairs, and if callbacks are nested deeper than kMaxNesting; FAILED_PRECONDITION, and no change,
  // if a call in progress has the same table or history. Thread safety: as queries along a line.
  // Cost: a comparison for each pair that is skipped, that of visible() for the others, or with a
  // history less. Allocates nothing once warm. docs/queries/visible-boxes.md.
  absl::Status visibleBoxes(std::span<const SightViewer> viewers, std::span<const FixedBox> boxes,
                            LevelMask levels, const SightTableOptions& options, SightTable& table,
                            ParallelFor parallel_for = runSerially) const;
  absl::StatusOr<SightTable> visibleBoxes(std::span<const SightViewer> viewers,
                                          std::span<const FixedBox> boxes,
                                          LevelMask levels = LevelMask::all(),
                                          const SightTableOptions& options = {},
                                          ParallelFor parallel_for = runSerially) const {
    return filled<SightTable>([&](SightTable& table) {
      return visibleBoxes(viewers, boxes, levels, options, table, parallel_for);
    });
  }

  // Finds the blocks within a radius of the eye of which it sees any part: of those that
  // blocksInSphere() finds, for the filter of targets, those whose cube is kVisible to visible(),
  // or kUnknown. If options.sight.max_steps run out, the answers so far stay, and the other blocks
  // are undecided. Calls no callbacks; never loads anything.
  //
  // Errors, after which nothing is found: INVALID_ARGUMENT for an eye that is not finite, a radius
  // that is negative or NaN, a mask without an active level, an unknown channel or type;
  // OUT_OF_RANGE for an eye or an occluder beyond the frame. The radius may be infinite. Thread
  // safety: as queries along a line. Cost: that of blocksInSphere(), up to three look-ups for each
  // target, and that of visible() for those with an uncovered face towards the eye. Allocates
  // nothing once warm. docs/queries/visible-blocks.md.
  absl::StatusOr<VisibleBlocks> visibleBlocks(const Vec3d& eye, double radius,
                                              LevelMask levels = LevelMask::all(),
                                              const VisibleBlocksOptions& options = {}) const {
    return filled<VisibleBlocks>(
        [&](VisibleBlocks& found) { return visibleBlocks(eye, radius, levels, options, found); });
  }
  absl::Status visibleBlocks(const Vec3d& eye, double radius, LevelMask levels,
                             const VisibleBlocksOptions& options, VisibleBlocks& found) const;

  // Does what shootSegment(), closestHit() or occluded() does, for code that is the same for all
  // verbs. Result: what that function fills.
  template <QueryVerb kVerb, class Result>
  absl::Status ask(const FixedSegment& segment, LevelMask levels, const QueryOptions& options,
                   Result& result) const;

  // Batches: many queries with the same options, spread by `parallel_for`. Shots have the outcome,
  // call for call, of the same shots one after another: their effects are called by the thread of
  // the caller, in the order of `queries`; filters and terminal tests by any thread.
  //
  // Replaces the batch. An error of one query is reported with its answer and stops no other.
  // Errors of the whole batch, which is then empty: INVALID_ARGUMENT for an unknown channel;
  // RESOURCE_EXHAUSTED if callbacks are nested deeper than kMaxNesting; FAILED_PRECONDITION, and no
  // change, if the batch is being filled already. The queries must not change while it runs.
  // docs/queries/batches.md.
  absl::Status shootSegment(const BatchQueries& queries, const QueryOptions& options,
                            ShotBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status closestHit(const BatchQueries& queries, const QueryOptions& options,
                          ClosestBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status closestHit(const BatchQueries& queries, const QueryOptions& options,
                          CompactBatch& batch, ParallelFor parallel_for = runSerially) const;
  absl::Status occluded(const BatchQueries& queries, const QueryOptions& options,
                        OcclusionBatch& batch, ParallelFor parallel_for = runSerially) const;
  // Continues a batch whose steps ran out (options.max_batch_steps), with another max_batch_steps:
  // first the shot that was cut, then the shots that were not started. In the end the batch is the
  // same as without a limit, if the queries, all other options and the world are
  // (docs/queries/batches.md). Changes nothing if the batch is complete. Errors, which change
  // nothing: those of a batch, and INVALID_ARGUMENT for a different number of queries.
  absl::Status resume(const BatchQueries& queries, const QueryOptions& options, ShotBatch& batch,
                      ParallelFor parallel_for = runSerially) const;

  // Return the batch that the forms above fill. Their errors are errors of the whole batch.
  // closestHit<CompactBatch>() answers in brief.
  absl::StatusOr<ShotBatch> shootSegment(const BatchQueries& queries,
                                         const QueryOptions& options = {},
                                         ParallelFor parallel_for = runSerially) const {
    return filled<ShotBatch>(
        [&](ShotBatch& batch) { return shootSegment(queries, options, batch, parallel_for); });
  }
  template <ClosestHitBatch Batch = ClosestBatch>
  absl::StatusOr<Batch> closestHit(const BatchQueries& queries, const QueryOptions& options = {},
                                   ParallelFor parallel_for = runSerially) const {
    return filled<Batch>(
        [&](Batch& batch) { return closestHit(queries, options, batch, parallel_for); });
  }
  absl::StatusOr<OcclusionBatch> occluded(const BatchQueries& queries,
                                          const QueryOptions& options = {},
                                          ParallelFor parallel_for = runSerially) const {
    return filled<OcclusionBatch>(
        [&](OcclusionBatch& batch) { return occluded(queries, options, batch, parallel_for); });
  }

  // Returns the hit that a CompactBatch, or OcclusionBatch::blockers, has in brief for a query. The
  // hit of a block is computed from the line alone, so it is the hit that was found, whatever has
  // become of the world; that of an entity is computed from the entity as it is now. Errors:
  // INVALID_ARGUMENT if nothing was hit; NOT_FOUND if the entity is gone; FAILED_PRECONDITION if
  // the line does not hit the entity at that time, since it has moved or the line is not the
  // query's; and those of the line. Cost: a few roundings for a block; for an entity, the exact
  // test of its shape.
  absl::StatusOr<Hit> fullHit(const BatchQuery& query, const CompactHit& compact) const;

 private:
  absl::StatusOr<HitCursor> makeCursor(const FixedSegment& segment, LevelMask levels,
                                       const QueryOptions& options) const;
  // Return the error of a query but for those of its line.
  absl::Status checkWithoutLine(LevelMask levels, const QueryOptions& options) const;

  // Answers a query, given its line.
  template <QueryVerb kVerb, class Line, class Result>
  absl::Status filling(const Line& line, LevelMask levels, const QueryOptions& options,
                       Result& result) const {
    if constexpr (std::same_as<Line, FixedSegment>) {
      return ask<kVerb>(line, levels, options, result);
    } else {
      const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
      if (!segment.ok()) {
        result = Result();
        return errorToReport({segment.status(), checkWithoutLine(levels, options)});
      }
      return ask<kVerb>(*segment, levels, options, result);
    }
  }
  template <QueryVerb kVerb, class Result, class Line>
  absl::StatusOr<Result> returning(const Line& line, LevelMask levels,
                                   const QueryOptions& options) const {
    return filled<Result>(
        [&](Result& result) { return filling<kVerb>(line, levels, options, result); });
  }
  // Returns what fill(result) fills, or its error.
  template <class Result, class Fill>
  static absl::StatusOr<Result> filled(const Fill& fill) {
    // Is filled in place: results are large.
    absl::StatusOr<Result> result{absl::in_place};
    absl::Status status = fill(*result);
    if (!status.ok()) result = std::move(status);
    return result;
  }

  std::unique_ptr<internal::ServiceState> state_;
};

}  // namespace fractalray
