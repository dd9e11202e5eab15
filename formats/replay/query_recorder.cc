// SPDX-License-Identifier: Apache-2.0
#include "query_recorder.h"

#include "../../core/check.h"
#include "../../entities/entity_fingerprint.h"
#include "../internal/out_of_memory.h"
#include "world_fingerprint.h"

namespace fractalray {

absl::StatusOr<std::unique_ptr<QueryRecorder>> QueryRecorder::open(const std::string& path,
                                                                   const World& world,
                                                                   const EntityIndex& entities,
                                                                   const RecorderOptions& options) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
  QueryLogHeader header{.levels = world.frame().levels(),
                        .versions = {.world = world.version(), .entities = entities.version()}};
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<std::unique_ptr<QueryRecorder>> {
    if (options.fingerprints) {
      header.fingerprints = {worldFingerprint(world), entitiesFingerprint(entities)};
    }
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(path, header);
    if (!log.ok()) return log.status();
    return std::unique_ptr<QueryRecorder>(new QueryRecorder(world, entities, *std::move(log)));
  });
}

absl::Status QueryRecorder::flush() {
  const std::scoped_lock lock(mutex_);
  return log_.flush();
}

absl::Status QueryRecorder::close() {
  const std::scoped_lock lock(mutex_);
  return log_.close();
}

absl::Status QueryRecorder::status() const {
  const std::scoped_lock lock(mutex_);
  return log_.status();
}

std::uint64_t QueryRecorder::queries() const {
  const std::scoped_lock lock(mutex_);
  return log_.queries();
}

void QueryRecorder::onQuery(const ObservedQuery& query, const ObservedAnswer& answer) {
  const std::scoped_lock lock(mutex_);
  log_.append(query, answer, world_.blockTypes());
}

void QueryRecorder::onSight(const ObservedSight& query, const ObservedAnswer& answer) {
  const std::scoped_lock lock(mutex_);
  log_.append(query, answer, world_.blockTypes());
}

void QueryRecorder::afterMove(const FrameMove& move) {
  const std::scoped_lock lock(mutex_);
  log_.append(move, {.world = world_.version(), .entities = entities_.version()});
}

}  // namespace fractalray
