// SPDX-License-Identifier: Apache-2.0
// Asks a ray query service and writes a query log of what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../query/ray_query_service.h"
#include "logged_answer.h"
#include "query_log_writer.h"

namespace fractalray {

struct RecordingOptions {
  // Whether the log tells which world it is about, so that a replay on another one is told at once.
  // Reads every block and every entity when the log is opened: see world_fingerprint.h.
  bool fingerprints = true;
};

// The verbs of RayQueryService, each passed on to one and logged with its answer. Callbacks stay
// registered with the service itself. What is asked of the service directly is not logged.
//
// Answers, errors and exceptions are those of the service; a log that cannot be written harms
// nothing and is told by status(). Not logged: segments that are not finite or have no place in
// units, batches that are refused whole, queries out of which an exception has passed. A query that
// an effect asks stands before the one that it was called for; queries of several threads stand in
// the order in which they were answered.
//
// Several threads may query at once, as for the service: they take turns to write. Allocates
// nothing more than the service, once warm. Must not outlive service, world and entities.
class RecordingService {
 public:
  // Begins a log at `path`, of a service that queries this world and these entities. Errors of the
  // system, with the path.
  static absl::StatusOr<std::unique_ptr<RecordingService>> open(
      const std::string& path, const RayQueryService& service, const World& world,
      const EntityIndex& entities, const RecordingOptions& options = {});

  // Hands what is logged to the system: an engine that may crash calls it once a tick.
  absl::Status flush();
  // Ends the log, which says that it is whole. Queries go on unlogged. Without it the destructor
  // does so.
  absl::Status close();
  // What went wrong with the log; it then ends there.
  absl::Status status() const;
  std::uint64_t queries() const;

  absl::StatusOr<ShotResult> shootSegment(const Segment& segment, LevelMask levels,
                                          const ShotOptions& options = {});
  absl::StatusOr<ShotResult> shootUnits(const FixedSegment& segment, LevelMask levels,
                                        const ShotOptions& options = {});
  absl::Status shootUnits(const FixedSegment& segment, LevelMask levels, const ShotOptions& options,
                          ShotResult& result);
  absl::StatusOr<ShotResult> shootRay(const Ray& ray, LevelMask levels,
                                      const ShotOptions& options = {},
                                      const std::optional<Bounds>& bounds = std::nullopt);

  absl::StatusOr<ShotResult> resume(const FixedSegment& segment, const Hit& hit, LevelMask levels,
                                    const ShotOptions& options = {});
  absl::Status resume(ShotResult& shot, LevelMask levels, const ShotOptions& options = {});

  absl::StatusOr<ClosestHit> closestHit(const Segment& segment, LevelMask levels,
                                        const ShotOptions& options = {});
  absl::StatusOr<ClosestHit> closestHitUnits(const FixedSegment& segment, LevelMask levels,
                                             const ShotOptions& options = {});
  absl::Status closestHitUnits(const FixedSegment& segment, LevelMask levels,
                               const ShotOptions& options, ClosestHit& result);

  absl::StatusOr<Occlusion> occluded(const Segment& segment, LevelMask levels,
                                     const OcclusionOptions& options = {});
  absl::StatusOr<Occlusion> occludedUnits(const FixedSegment& segment, LevelMask levels,
                                          const OcclusionOptions& options = {});
  absl::Status occludedUnits(const FixedSegment& segment, LevelMask levels,
                             const OcclusionOptions& options, OcclusionResult& result);

  // Of a batch in which an effect has edited the world, every query is logged as one during which
  // the world changed: where in the batch it did is not known.
  absl::Status shootSegments(std::span<const Query> queries, const ShotOptions& options,
                             ShotBatch& batch, ParallelFor parallel_for = runSerially);
  absl::Status shootSegments(std::span<const UnitQuery> queries, const ShotOptions& options,
                             ShotBatch& batch, ParallelFor parallel_for = runSerially);
  absl::Status closestHitBatch(std::span<const Query> queries, const ShotOptions& options,
                               std::vector<BatchClosest>& answers,
                               ParallelFor parallel_for = runSerially);
  absl::Status closestHitBatch(std::span<const UnitQuery> queries, const ShotOptions& options,
                               std::vector<BatchClosest>& answers,
                               ParallelFor parallel_for = runSerially);
  absl::Status occludedBatch(std::span<const Query> queries, const OcclusionOptions& options,
                             OcclusionBatch& batch, ParallelFor parallel_for = runSerially);
  absl::Status occludedBatch(std::span<const UnitQuery> queries, const OcclusionOptions& options,
                             OcclusionBatch& batch, ParallelFor parallel_for = runSerially);

 private:
  RecordingService(const RayQueryService& service, const World& world, const EntityIndex& entities);

  SceneVersion versions() const { return {world_.version(), entities_.version()}; }
  // Logs a query that was asked at `before`.
  void log(QueryVerb verb, const UnitQuery& query, const ShotOptions& options,
           const SceneVersion& before, const AnswerView& answer,
           const std::optional<CarriedBudgets>& carried = std::nullopt);

  template <class AnyQuery>
  absl::Status shootAll(std::span<const AnyQuery> queries, const ShotOptions& options,
                        ShotBatch& batch, ParallelFor parallel_for);
  template <class AnyQuery>
  absl::Status pickAll(std::span<const AnyQuery> queries, const ShotOptions& options,
                       std::vector<BatchClosest>& answers, ParallelFor parallel_for);
  template <class AnyQuery>
  absl::Status lookAll(std::span<const AnyQuery> queries, const OcclusionOptions& options,
                       OcclusionBatch& batch, ParallelFor parallel_for);

  const RayQueryService& service_;
  const World& world_;
  const EntityIndex& entities_;
  mutable std::mutex mutex_;  // of the log
  std::optional<QueryLogWriter> log_;
};

}  // namespace fractalray
