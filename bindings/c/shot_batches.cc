// SPDX-License-Identifier: Apache-2.0
// Batches of shots.
#include <cstddef>
#include <vector>

#include "internal/batch_lines.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"

namespace fractalray::capi {
namespace {

// Sets the last error to the first error of a shot, if there is any.
void describeErrors(const char* function, const ShotBatch& batch) {
  for (std::size_t i = 0; i < batch.shots.size(); ++i) {
    if (batch.shots[i].status.ok()) continue;
    return setElementError(function, "line", i, batch.shots[i].status);
  }
}

// Runs a batch of shots by `run(queries, options, batch)`.
template <class Run>
frResult shoot(const char* function, const frWorld* world, const frLines* lines, frLevelMask levels,
               const frQueryOptions* options, frShotBatch* batch, const Run& run) {
  return reading(function, world, {}, [&](const WorldState& state) -> absl::Status {
    absl::Status status = checkObject(batch, "batch");
    if (!status.ok()) return status;
    Object<frShotBatch>& used = *find(batch);
    if (used.is_busy) return isBusy("batch");
    const absl::StatusOr<BatchLines> read = BatchLines::make(lines, levels);
    if (!read.ok()) return read.status();
    QueryInput input;
    std::vector<Hit> after;
    status = input.read(options, state, after);
    if (!status.ok()) return status;
    const Busy busy(used);
    const EffectScope in_use(&state);
    read->read(0, read->size(), used.queries);
    status = run(state, used.queries, input.options(), used.batch);
    if (status.ok()) describeErrors(function, used.batch);
    return status;
  });
}

// Runs a function that reads a batch.
template <class Body>
frResult readingBatch(const char* function, const frShotBatch* batch, Arguments arguments,
                      const Body& body) {
  return with(function, batch, "batch", arguments,
              [&](const Object<frShotBatch>& used) -> absl::Status {
                return used.is_busy ? isBusy("batch") : body(used.batch);
              });
}

absl::Status checkRange(std::size_t first, std::size_t count, std::size_t size, const char* what) {
  if (first <= size && count <= size - first) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("the batch has ", size, " ", what, ", and no ", count,
                                            " from number ", first, " on"));
}

void summarize(const ShotBatch& batch, frBatchResult& summary) {
  summary = {};
  summary.struct_size = sizeof(frBatchResult);
  QueryStats stats;
  for (const ShotSummary& shot : batch.shots) {
    stats += shot.stats;
    if (!shot.status.ok() && shot.progress != BatchProgress::kNotStarted) ++summary.errors;
  }
  if (!batch.shots.empty()) {
    summary.blocks_version = batch.shots.front().version.world;
    summary.entities_version = batch.shots.front().version.entities;
  }
  summary.completed = batch.completed;
  summary.hits = batch.hits.size();
  write(stats, summary.stats);
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::ShotBatch;

extern "C" {

frResult frCreateShotBatch(frShotBatch** batch) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments({{batch, "batch"}});
    if (status.ok()) NewObject<frShotBatch>().giveTo(batch);
    return status;
  });
}

frResult frDestroyShotBatch(frShotBatch* batch) {
  return destroy(__func__, batch, "batch");
}

frResult frWorld_ShootMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                           const frQueryOptions* options, frShotBatch* batch) {
  return shoot(__func__, world, lines, levels, options, batch,
               [](const WorldState& state, const auto& queries, const auto& query_options,
                  ShotBatch& shots) {
                 return state.service().shootSegment(queries, query_options, shots,
                                                     state.threads());
               });
}

frResult frWorld_ResumeMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                            const frQueryOptions* options, frShotBatch* batch) {
  return shoot(__func__, world, lines, levels, options, batch,
               [](const WorldState& state, const auto& queries, const auto& query_options,
                  ShotBatch& shots) {
                 return state.service().resume(queries, query_options, shots, state.threads());
               });
}

frResult frShotBatch_GetSummary(const frShotBatch* batch, frBatchResult* summary) {
  return readingBatch(__func__, batch, {}, [&](const ShotBatch& shots) {
    absl::Status status = checkStruct(summary, "summary");
    if (status.ok()) summarize(shots, *summary);
    return status;
  });
}

frResult frShotBatch_GetResults(const frShotBatch* batch, size_t first, size_t count,
                                frQueryResult* results) {
  return readingBatch(__func__, batch, {}, [&](const ShotBatch& shots) {
    absl::Status status = checkRange(first, count, shots.shots.size(), "shots");
    if (status.ok()) status = checkStructs(results, count, "results");
    for (std::size_t i = 0; status.ok() && i < count; ++i)
      write(shots.shots[first + i], results[i]);
    return status;
  });
}

frResult frShotBatch_GetHits(const frShotBatch* batch, size_t first, size_t count, frHit* hits) {
  return readingBatch(__func__, batch, {}, [&](const ShotBatch& shots) {
    absl::Status status = checkRange(first, count, shots.hits.size(), "hits");
    if (status.ok()) status = checkArray({hits, "hits"}, count);
    for (std::size_t i = 0; status.ok() && i < count; ++i)
      write(shots.hits[first + i], hits[i]);
    return status;
  });
}

}  // extern "C"
