// SPDX-License-Identifier: Apache-2.0
#include "recording_service.h"

#include "../core/check.h"
#include "world_fingerprint.h"

namespace fractalray {
namespace {

absl::StatusOr<FixedSegment> unitsOf(const UnitQuery& query) {
  return query.segment;
}
absl::StatusOr<FixedSegment> unitsOf(const Query& query) {
  return toUnits(query.segment);
}

// As the log keeps what occluded is asked with.
ShotOptions asShotOptions(const OcclusionOptions& options) {
  return {.corner = options.corner,
          .channel = options.channel,
          .categories = options.categories,
          .ignore = options.ignore,
          .after = options.after,
          .skip_start_inside = options.skip_start_inside,
          .max_steps = options.max_steps,
          .pass = options.pass};
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordingService>> RecordingService::open(
    const std::string& path, const RayQueryService& service, const World& world,
    const EntityIndex& entities, const RecordingOptions& options) {
  std::unique_ptr<RecordingService> recording(new RecordingService(service, world, entities));
  QueryLogHeader header{.levels = world.frame().levels(), .versions = recording->versions()};
  if (options.fingerprints) {
    header.fingerprints = {worldFingerprint(world), entitiesFingerprint(entities)};
  }
  absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(path, header);
  if (!log.ok()) return log.status();
  recording->log_.emplace(*std::move(log));
  return recording;
}

RecordingService::RecordingService(const RayQueryService& service, const World& world,
                                   const EntityIndex& entities)
    : service_(service), world_(world), entities_(entities) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
}

absl::Status RecordingService::flush() {
  const std::scoped_lock lock(mutex_);
  return log_->flush();
}

absl::Status RecordingService::close() {
  const std::scoped_lock lock(mutex_);
  return log_->close();
}

absl::Status RecordingService::status() const {
  const std::scoped_lock lock(mutex_);
  return log_->status();
}

std::uint64_t RecordingService::queries() const {
  const std::scoped_lock lock(mutex_);
  return log_->queries();
}

void RecordingService::log(QueryVerb verb, const UnitQuery& query, const ShotOptions& options,
                           const SceneVersion& before, const AnswerView& answer,
                           const std::optional<CarriedBudgets>& carried) {
  const QueryNote note{.verb = verb,
                       .segment = query.segment,
                       .levels = query.levels,
                       .options = options,
                       .ignore = query.ignore,
                       .after = query.after,
                       .carried = carried,
                       .versions = before,
                       .world_changed_meanwhile = before != versions()};
  const std::scoped_lock lock(mutex_);
  log_->append(note, answer, world_.blockTypes());
}

absl::Status RecordingService::shootUnits(const FixedSegment& segment, LevelMask levels,
                                          const ShotOptions& options, ShotResult& result) {
  const SceneVersion before = versions();
  absl::Status status = service_.shootUnits(segment, levels, options, result);
  log(QueryVerb::kShoot, {.segment = segment, .levels = levels}, options, before,
      viewOf(status, result));
  return status;
}

absl::StatusOr<ShotResult> RecordingService::shootUnits(const FixedSegment& segment,
                                                        LevelMask levels,
                                                        const ShotOptions& options) {
  ShotResult result;
  absl::Status status = shootUnits(segment, levels, options, result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<ShotResult> RecordingService::shootSegment(const Segment& segment, LevelMask levels,
                                                          const ShotOptions& options) {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return shootUnits(*units, levels, options);
}

absl::StatusOr<ShotResult> RecordingService::shootRay(const Ray& ray, LevelMask levels,
                                                      const ShotOptions& options,
                                                      const std::optional<Bounds>& bounds) {
  const absl::StatusOr<FixedSegment> segment = toSegment(ray, bounds);
  if (!segment.ok()) return segment.status();
  return shootUnits(*segment, levels, options);
}

absl::StatusOr<ShotResult> RecordingService::resume(const FixedSegment& segment, const Hit& hit,
                                                    LevelMask levels, const ShotOptions& options) {
  const SceneVersion before = versions();
  absl::StatusOr<ShotResult> result = service_.resume(segment, hit, levels, options);
  log(QueryVerb::kShoot, {.segment = segment, .levels = levels, .after = {&hit, 1}}, options,
      before,
      result.ok() ? viewOf(result.status(), *result)
                  : AnswerView{.status = result.status().code()});
  return result;
}

absl::Status RecordingService::resume(ShotResult& shot, LevelMask levels,
                                      const ShotOptions& options) {
  const SceneVersion before = versions();
  const std::size_t hits_before = shot.hits.size();
  std::optional<CarriedBudgets> carried;
  if (hits_before > 0 && shot.budgets.has_value()) {
    carried = {
        .at_start = shot.budgets_at_start, .left = *shot.budgets, .overdrawn = shot.overdrawn};
  }
  absl::Status status = service_.resume(shot, levels, options);
  // The hits that were there have stayed.
  const std::span<const Hit> own = std::span<const Hit>(shot.hits).first(hits_before);
  // One without hits was shot anew.
  log(own.empty() ? QueryVerb::kShoot : QueryVerb::kResume,
      {.segment = shot.segment, .levels = levels, .after = own}, options, before,
      viewOf(status, shot), carried);
  return status;
}

absl::Status RecordingService::closestHitUnits(const FixedSegment& segment, LevelMask levels,
                                               const ShotOptions& options, ClosestHit& result) {
  // The result may be the hit that the query goes on behind.
  if (result.hit.has_value() && options.after.data() == &*result.hit) {
    const Hit after = *result.hit;
    ShotOptions own_options = options;
    own_options.after = {&after, 1};
    return closestHitUnits(segment, levels, own_options, result);
  }
  const SceneVersion before = versions();
  absl::Status status = service_.closestHitUnits(segment, levels, options, result);
  log(QueryVerb::kClosestHit, {.segment = segment, .levels = levels}, options, before,
      viewOf(status, result));
  return status;
}

absl::StatusOr<ClosestHit> RecordingService::closestHitUnits(const FixedSegment& segment,
                                                             LevelMask levels,
                                                             const ShotOptions& options) {
  ClosestHit result;
  absl::Status status = closestHitUnits(segment, levels, options, result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<ClosestHit> RecordingService::closestHit(const Segment& segment, LevelMask levels,
                                                        const ShotOptions& options) {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return closestHitUnits(*units, levels, options);
}

absl::StatusOr<Occlusion> RecordingService::occludedUnits(const FixedSegment& segment,
                                                          LevelMask levels,
                                                          const OcclusionOptions& options) {
  OcclusionResult result;
  absl::Status status = occludedUnits(segment, levels, options, result);
  if (!status.ok()) return status;
  return result.occlusion;
}

absl::Status RecordingService::occludedUnits(const FixedSegment& segment, LevelMask levels,
                                             const OcclusionOptions& options,
                                             OcclusionResult& result) {
  const SceneVersion before = versions();
  absl::Status status = service_.occludedUnits(segment, levels, options, result);
  const AnswerView answer =
      status.ok() ? viewOf(result.occlusion) : viewOf(absl::StatusOr<Occlusion>(status));
  log(QueryVerb::kOccluded, {.segment = segment, .levels = levels}, asShotOptions(options), before,
      answer);
  return status;
}

absl::StatusOr<Occlusion> RecordingService::occluded(const Segment& segment, LevelMask levels,
                                                     const OcclusionOptions& options) {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return occludedUnits(*units, levels, options);
}

template <class AnyQuery>
absl::Status RecordingService::shootAll(std::span<const AnyQuery> queries,
                                        const ShotOptions& options, ShotBatch& batch,
                                        ParallelFor parallel_for) {
  const SceneVersion before = versions();
  absl::Status status = service_.shootSegments(queries, options, batch, parallel_for);
  if (!status.ok()) return status;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const absl::StatusOr<FixedSegment> segment = unitsOf(queries[i]);
    if (!segment.ok()) continue;
    log(QueryVerb::kShoot,
        {.segment = *segment,
         .levels = queries[i].levels,
         .ignore = queries[i].ignore,
         .after = queries[i].after},
        options, before, viewOf(batch, i));
  }
  return status;
}

template <class AnyQuery>
absl::Status RecordingService::pickAll(std::span<const AnyQuery> queries,
                                       const ShotOptions& options,
                                       std::vector<BatchClosest>& answers,
                                       ParallelFor parallel_for) {
  const SceneVersion before = versions();
  absl::Status status = service_.closestHitBatch(queries, options, answers, parallel_for);
  if (!status.ok()) return status;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const absl::StatusOr<FixedSegment> segment = unitsOf(queries[i]);
    if (!segment.ok()) continue;
    log(QueryVerb::kClosestHit,
        {.segment = *segment,
         .levels = queries[i].levels,
         .ignore = queries[i].ignore,
         .after = queries[i].after},
        options, before, viewOf(answers[i].status, answers[i].closest));
  }
  return status;
}

template <class AnyQuery>
absl::Status RecordingService::lookAll(std::span<const AnyQuery> queries,
                                       const OcclusionOptions& options, OcclusionBatch& batch,
                                       ParallelFor parallel_for) {
  const SceneVersion before = versions();
  absl::Status status = service_.occludedBatch(queries, options, batch, parallel_for);
  if (!status.ok()) return status;
  auto error = batch.errors.begin();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool failed = error != batch.errors.end() && error->query == i;
    const AnswerView answer =
        failed ? viewOf(absl::StatusOr<Occlusion>((error++)->status)) : viewOf(batch.answers[i]);
    const absl::StatusOr<FixedSegment> segment = unitsOf(queries[i]);
    if (!segment.ok()) continue;
    log(QueryVerb::kOccluded,
        {.segment = *segment,
         .levels = queries[i].levels,
         .ignore = queries[i].ignore,
         .after = queries[i].after},
        asShotOptions(options), before, answer);
  }
  return status;
}

absl::Status RecordingService::shootSegments(std::span<const Query> queries,
                                             const ShotOptions& options, ShotBatch& batch,
                                             ParallelFor parallel_for) {
  return shootAll(queries, options, batch, parallel_for);
}
absl::Status RecordingService::shootSegments(std::span<const UnitQuery> queries,
                                             const ShotOptions& options, ShotBatch& batch,
                                             ParallelFor parallel_for) {
  return shootAll(queries, options, batch, parallel_for);
}

absl::Status RecordingService::closestHitBatch(std::span<const Query> queries,
                                               const ShotOptions& options,
                                               std::vector<BatchClosest>& answers,
                                               ParallelFor parallel_for) {
  return pickAll(queries, options, answers, parallel_for);
}
absl::Status RecordingService::closestHitBatch(std::span<const UnitQuery> queries,
                                               const ShotOptions& options,
                                               std::vector<BatchClosest>& answers,
                                               ParallelFor parallel_for) {
  return pickAll(queries, options, answers, parallel_for);
}

absl::Status RecordingService::occludedBatch(std::span<const Query> queries,
                                             const OcclusionOptions& options, OcclusionBatch& batch,
                                             ParallelFor parallel_for) {
  return lookAll(queries, options, batch, parallel_for);
}
absl::Status RecordingService::occludedBatch(std::span<const UnitQuery> queries,
                                             const OcclusionOptions& options, OcclusionBatch& batch,
                                             ParallelFor parallel_for) {
  return lookAll(queries, options, batch, parallel_for);
}

}  // namespace fractalray
