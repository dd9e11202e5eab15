// SPDX-License-Identifier: Apache-2.0
// Writes a query log of the answers of a ray query service.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/query_observer.h"
#include "../../query/window.h"
#include "query_log_writer.h"

namespace fractalray {

struct RecorderOptions {
  // True if the log has the fingerprints of its world, so that a replay on another one is refused.
  // Reads every block and every entity when the log is opened: see world_fingerprint.h.
  bool fingerprints = true;
};

// An observer (RayQueryService::setObserver) that logs each query with its answer. As an observer
// of the window that moves the world (Window::addObserver) it logs each move, too: a replay can
// then follow; without it, a replay skips everything after the first move.
//
// Answers, errors and exceptions are those of the service; a log that cannot be written affects no
// query, and status() has the error. Does not log what observers do not see
// (QueryObserver::onQuery). If an effect edits the world during a batch, every query of the batch
// is logged as one during which the world changed: it is not known at which query it did.
//
// Several threads may query at once: a mutex orders their writes. Allocates nothing once warm. Must
// not outlive the world and the entities. Before the recorder is destroyed, destroy the service or
// call setObserver(nullptr), and likewise the window or removeObserver().
class QueryRecorder : public QueryObserver, public WindowObserver {
 public:
  // Begins a log at `path` of queries on this world and these entities, and replaces the file if it
  // exists. Errors of the system, with the path.
  static absl::StatusOr<std::unique_ptr<QueryRecorder>> open(const std::string& path,
                                                             const World& world,
                                                             const EntityIndex& entities,
                                                             const RecorderOptions& options = {});

  // Hands the logged queries to the system: an engine that may crash calls it once a tick.
  absl::Status flush();
  // Ends the log and marks it as complete. Later queries are not logged. The destructor does the
  // same.
  absl::Status close();
  // Returns the first error of the log, at which it ends.
  absl::Status status() const;
  std::uint64_t queries() const;

  void onQuery(const ObservedQuery& query, const ObservedAnswer& answer) override;
  void onSight(const ObservedSight& query, const ObservedAnswer& answer) override;
  void afterMove(const FrameMove& move) override;

 private:
  QueryRecorder(const World& world, const EntityIndex& entities, QueryLogWriter log)
      : world_(world), entities_(entities), log_(std::move(log)) {}

  const World& world_;
  const EntityIndex& entities_;
  mutable std::mutex mutex_;  // guards the log
  QueryLogWriter log_;
};

}  // namespace fractalray
