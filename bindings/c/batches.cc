// SPDX-License-Identifier: Apache-2.0
// Batches of closest hits, full or in brief, and lines of sight. They are answered in parts, so
// that their memory does not grow with the number of lines; no answer depends on it, since the
// queries of such a batch do not depend on each other.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "internal/batch_lines.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"

namespace fractalray::capi {
namespace {

constexpr std::size_t kLinesInPart = 8192;
constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

// Collects what all queries of a batch report together.
class BatchReport {
 public:
  BatchReport(const char* function, const WorldState& state, frResult* results,
              frBatchResult* batch)
      : function_(function), state_(state), results_(results), batch_(batch) {}

  absl::Status check(std::size_t count) const {
    absl::Status status = checkBatchResult(batch_, "batch");
    return status.ok() && results_ != nullptr ? checkArray({results_, "results"}, count) : status;
  }

  // Adds a part of the batch, which begins at line `first` and has `size` lines. Returns false if
  // its steps ran out.
  template <class Batch>
  bool add(const Batch& part, std::size_t first, std::size_t size) {
    stats_ += part.stats;
    completed_ += part.completed;
    if (results_ != nullptr) {
      std::fill_n(results_ + first, part.completed, FR_OK);
      std::fill(results_ + first + part.completed, results_ + first + size, FR_RESOURCE_EXHAUSTED);
    }
    for (const BatchError& error : part.errors) {
      if (results_ != nullptr) results_[first + error.query] = resultOf(error.status);
      if (errors_++ == 0) setElementError(function_, "line", first + error.query, error.status);
    }
    return part.completed == size;
  }
  void addHits(std::size_t hits) { hits_ += hits; }
  // Marks lines that are not started.
  void skip(std::size_t first, std::size_t count) {
    if (results_ != nullptr) std::fill_n(results_ + first, count, FR_RESOURCE_EXHAUSTED);
  }
  std::uint64_t steps() const { return stats_.steps(); }

  void finish() const {
    if (batch_ == nullptr) return;
    *batch_ = {};
    batch_->struct_size = sizeof(frBatchResult);
    batch_->blocks_version = state_.world().version();
    batch_->entities_version = state_.entities().version();
    batch_->completed = completed_;
    batch_->errors = errors_;
    batch_->hits = hits_;
    write(stats_, batch_->stats);
  }

 private:
  const char* function_;
  const WorldState& state_;
  frResult* results_;
  frBatchResult* batch_;
  QueryStats stats_;
  std::size_t completed_ = 0;
  std::size_t errors_ = 0;
  std::size_t hits_ = 0;
};

// Answers a batch part by part: `answer(first, size)` answers the queries that have been read, and
// returns false if the steps ran out; `skip(first, count)` clears the answers of those left.
template <class Answer, class Skip>
absl::Status answerParts(const BatchLines& lines, Scratch& scratch, const Answer& answer,
                         const Skip& skip) {
  for (std::size_t first = 0; first < lines.size(); first += kLinesInPart) {
    const std::size_t size = std::min(kLinesInPart, lines.size() - first);
    lines.read(first, size, scratch.queries);
    const absl::StatusOr<bool> is_complete = answer(first, size);
    if (!is_complete.ok()) return is_complete.status();
    if (*is_complete) continue;
    skip(first + size, lines.size() - first - size);
    break;
  }
  return absl::OkStatus();
}

// Returns what is left of a limit of steps.
std::uint64_t stepsLeft(std::uint64_t limit, std::uint64_t steps) {
  constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  return limit == kNoLimit ? limit : limit - std::min(limit, steps);
}

void writeBlocker(const CompactHit& blocker, frBlocker& to) {
  to = {};
  to.t = blocker.t;
  store(blocker.block, to.block);
  to.entity = toC(blocker.entity);
  to.id = blocker.id;
  to.level = int{blocker.level};
  to.type = toC(blocker.type);
  to.kind = static_cast<std::uint8_t>(blocker.kind);
}

// The arrays for first hits, full or in brief.
template <class CHit>
struct ClosestArrays {
  CHit* hits;
  double* unknown_from;
};

// Writes the answers of a part; returns the number of hits.
template <class Batch, class CHit>
std::size_t writeClosest(const Batch& part, std::size_t first, const ClosestArrays<CHit>& to) {
  std::size_t hits = 0;
  for (std::size_t i = 0; i < part.answers.size(); ++i) {
    write(part.answers[i], to.hits[first + i]);
    if (part.answers[i].kind != Hit::Kind::kNone) ++hits;
  }
  if (to.unknown_from == nullptr) return hits;
  for (std::size_t i = 0; i < part.answers.size(); ++i)
    to.unknown_from[first + i] = part.unknown_from.empty() ? kNoTime : orNan(part.unknown_from[i]);
  return hits;
}

template <class AnyHit, class CHit>
void clearClosest(std::size_t first, std::size_t count, const ClosestArrays<CHit>& to) {
  for (std::size_t i = first; i < first + count; ++i) {
    write(AnyHit(), to.hits[i]);
    if (to.unknown_from != nullptr) to.unknown_from[i] = kNoTime;
  }
}

struct OcclusionArrays {
  std::uint8_t* answers;
  frBlocker* blockers;
};

std::size_t writeOcclusion(const OcclusionBatch& part, std::size_t first,
                           const OcclusionArrays& to) {
  std::size_t blocked = 0;
  for (std::size_t i = 0; i < part.answers.size(); ++i) {
    to.answers[first + i] = static_cast<std::uint8_t>(part.answers[i]);
    if (part.answers[i] == Occlusion::kBlocked) ++blocked;
    if (to.blockers != nullptr) writeBlocker(part.blockers[i], to.blockers[first + i]);
  }
  return blocked;
}

void clearOcclusion(std::size_t first, std::size_t count, const OcclusionArrays& to) {
  std::fill_n(to.answers + first, count, std::uint8_t{FR_UNKNOWN});
  if (to.blockers != nullptr) std::fill_n(to.blockers + first, count, frBlocker{});
}

ClosestBatch& batchFor(Scratch& scratch, const frHit* /*hits*/) {
  return scratch.closest;
}
CompactBatch& batchFor(Scratch& scratch, const frCompactHit* /*hits*/) {
  return scratch.compact;
}

template <class CHit>
absl::Status closestHit(const WorldState& state, const BatchLines& lines, QueryOptions& options,
                        const ClosestArrays<CHit>& to, BatchReport& report) {
  const ScratchPool::Lease scratch(state.scratch());
  auto& part = batchFor(*scratch, to.hits);
  using AnyHit = typename std::remove_cvref_t<decltype(part.answers)>::value_type;
  const std::uint64_t limit = options.max_batch_steps;
  const auto answer = [&](std::size_t first, std::size_t size) -> absl::StatusOr<bool> {
    options.max_batch_steps = stepsLeft(limit, report.steps());
    absl::Status status =
        state.service().closestHit(scratch->queries, options, part, state.threads());
    if (!status.ok()) return status;
    report.addHits(writeClosest(part, first, to));
    return report.add(part, first, size);
  };
  return answerParts(lines, *scratch, answer, [&](std::size_t first, std::size_t count) {
    clearClosest<AnyHit>(first, count, to);
    report.skip(first, count);
  });
}

absl::Status occluded(const WorldState& state, const BatchLines& lines, QueryOptions& options,
                      const OcclusionArrays& to, BatchReport& report) {
  const ScratchPool::Lease scratch(state.scratch());
  const std::uint64_t limit = options.max_batch_steps;
  const auto answer = [&](std::size_t first, std::size_t size) -> absl::StatusOr<bool> {
    options.max_batch_steps = stepsLeft(limit, report.steps());
    OcclusionBatch& part = scratch->occlusion;
    absl::Status status =
        state.service().occluded(scratch->queries, options, part, state.threads());
    if (!status.ok()) return status;
    report.addHits(writeOcclusion(part, first, to));
    return report.add(part, first, size);
  };
  return answerParts(lines, *scratch, answer, [&](std::size_t first, std::size_t count) {
    clearOcclusion(first, count, to);
    report.skip(first, count);
  });
}

// Answers a batch of queries for the closest hit, with its arguments to be checked.
template <class CHit>
absl::Status answerClosest(const WorldState& state, const frLines* lines, frLevelMask levels,
                           const frQueryOptions* options, const ClosestArrays<CHit>& to,
                           BatchReport& report) {
  const absl::StatusOr<BatchLines> read = BatchLines::make(lines, levels);
  if (!read.ok()) return read.status();
  absl::Status status = report.check(read->size());
  if (status.ok()) status = checkArray({to.hits, "hits"}, read->size());
  if (status.ok()) status = checkOptional({to.unknown_from, "unknown_from"});
  QueryInput input;
  std::vector<Hit> after;
  if (status.ok()) status = input.read(options, state, after);
  if (!status.ok()) return status;
  const EffectScope in_use(&state);
  status = closestHit(state, *read, input.edit(), to, report);
  if (status.ok()) report.finish();
  return status;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frWorld_ClosestHits(const frWorld* world, const frLines* lines, frLevelMask levels,
                             const frQueryOptions* options, frHit* hits, double* unknown_from,
                             frResult* results, frBatchResult* batch) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    BatchReport report("frWorld_ClosestHits", state, results, batch);
    return answerClosest(state, lines, levels, options, ClosestArrays<frHit>{hits, unknown_from},
                         report);
  });
}

frResult frWorld_CompactHits(const frWorld* world, const frLines* lines, frLevelMask levels,
                             const frQueryOptions* options, frCompactHit* hits,
                             double* unknown_from, frResult* results, frBatchResult* batch) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    BatchReport report("frWorld_CompactHits", state, results, batch);
    return answerClosest(state, lines, levels, options,
                         ClosestArrays<frCompactHit>{hits, unknown_from}, report);
  });
}

frResult frWorld_GetFullHit(const frWorld* world, const frLine* line, const frCompactHit* compact,
                            frHit* hit) {
  return reading(__func__, world, {{line, "line"}, {compact, "compact"}, {hit, "hit"}},
                 [&](const WorldState& state) -> absl::Status {
                   const absl::StatusOr<fractalray::CompactHit> brief = fromC(*compact);
                   if (!brief.ok()) return brief.status();
                   const absl::StatusOr<fractalray::Hit> full =
                       state.service().fullHit({.line = fromC(*line)}, *brief);
                   if (!full.ok()) return full.status();
                   write(*full, *hit);
                   return absl::OkStatus();
                 });
}

frResult frWorld_OccludedMany(const frWorld* world, const frLines* lines, frLevelMask levels,
                              const frQueryOptions* options, uint8_t* answers, frBlocker* blockers,
                              frResult* results, frBatchResult* batch) {
  return reading(__func__, world, {}, [&](const WorldState& state) -> absl::Status {
    const absl::StatusOr<BatchLines> read = BatchLines::make(lines, levels);
    if (!read.ok()) return read.status();
    BatchReport report("frWorld_OccludedMany", state, results, batch);
    absl::Status status = report.check(read->size());
    if (status.ok()) status = checkArray({answers, "answers"}, read->size());
    if (status.ok()) status = checkOptional({blockers, "blockers"});
    QueryInput input;
    std::vector<fractalray::Hit> after;
    if (status.ok()) status = input.read(options, state, after);
    if (!status.ok()) return status;
    input.edit().report_blocker = blockers != nullptr;
    const EffectScope in_use(&state);
    status = occluded(state, *read, input.edit(), {answers, blockers}, report);
    if (status.ok()) report.finish();
    return status;
  });
}

}  // extern "C"
