// SPDX-License-Identifier: Apache-2.0
#include "query_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "convert.h"
#include "errors.h"

namespace fractalray::capi {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Sets all that not every query reports.
void clear(frQueryResult& result) {
  result = {};
  result.struct_size = sizeof(frQueryResult);
  result.unknown_from = kNone;
  result.stopped_at = kNone;
}

void writeVersion(const SceneVersion& version, frQueryResult& result) {
  result.blocks_version = version.world;
  result.entities_version = version.entities;
}

void writeBudgets(const Budgets& budgets, double* to) {
  std::copy(budgets.begin(), budgets.end(), to);
}

void writeAnswer(const Answer& answer, frQueryResult& result) {
  writeVersion(answer.version, result);
  write(answer.segment, result.line);
  result.unknown_from = orNan(answer.unknown_from);
  result.stopped_at = orNan(answer.stopped_at);
  write(answer.stats, result.stats);
  result.terminated = answer.terminated ? 1 : 0;
  result.truncated = answer.truncated ? 1 : 0;
  if (!answer.budgets.has_value()) return;
  result.has_budgets = 1;
  writeBudgets(*answer.budgets, result.budgets);
}

std::optional<double> timeFrom(double time) {
  return std::isnan(time) ? std::nullopt : std::optional(time);
}

}  // namespace

void write(const ShotResult& shot, frQueryResult* result) {
  if (result == nullptr) return;
  clear(*result);
  writeAnswer(shot, *result);
  result->hit_count = shot.hits.size();
  if (!shot.budgets.has_value()) return;
  writeBudgets(shot.budgets_at_start, result->budgets_at_start);
  writeBudgets(shot.overdrawn, result->overdrawn);
}

void write(const ShotSummary& shot, frQueryResult& result) {
  clear(result);
  writeAnswer(shot, result);
  result.result = resultOf(shot.status);
  result.hits_begin = shot.hits_begin;
  result.hit_count = shot.hits_end - shot.hits_begin;
  static_assert(static_cast<int>(BatchProgress::kDone) == FR_DONE &&
                static_cast<int>(BatchProgress::kOutOfSteps) == FR_OUT_OF_STEPS &&
                static_cast<int>(BatchProgress::kNotStarted) == FR_NOT_STARTED);
  result.progress = static_cast<std::uint8_t>(shot.progress);
}

void write(const ClosestHit& closest, frQueryResult* result) {
  if (result == nullptr) return;
  clear(*result);
  writeVersion(closest.version, *result);
  write(closest.segment, result->line);
  result->hit_count = closest.hit.has_value() ? 1 : 0;
  result->terminated = closest.hit.has_value() && closest.hit->terminal ? 1 : 0;
  result->unknown_from = orNan(closest.unknown_from);
  write(closest.stats, result->stats);
}

void write(const OcclusionResult& occlusion, const FixedSegment& line, frQueryResult* result) {
  if (result == nullptr) return;
  clear(*result);
  writeVersion(occlusion.version, *result);
  write(line, result->line);
  result->hit_count = occlusion.blocker.has_value() ? 1 : 0;
  write(occlusion.stats, result->stats);
}

absl::Status write(std::span<const Hit> hits, frHit* to, std::size_t capacity) {
  const std::size_t count = std::min(hits.size(), capacity);
  for (std::size_t i = 0; i < count; ++i)
    write(hits[i], to[i]);
  return capacity == 0 || hits.size() <= capacity ? absl::OkStatus()
                                                  : tooShort(hits.size(), capacity);
}

absl::Status readShot(const frQueryResult& result, std::span<const frHit> hits, ShotResult& shot) {
  shot = ShotResult();
  shot.version = {.world = result.blocks_version, .entities = result.entities_version};
  shot.segment = fromC(result.line);
  shot.hits.reserve(hits.size());
  for (const frHit& each : hits) {
    const absl::StatusOr<Hit> hit = fromC(each);
    if (!hit.ok()) return hit.status();
    shot.hits.push_back(*hit);
  }
  shot.terminated = result.terminated != 0;
  shot.truncated = result.truncated != 0;
  shot.stopped_at = timeFrom(result.stopped_at);
  shot.unknown_from = timeFrom(result.unknown_from);
  if (result.has_budgets == 0) return absl::OkStatus();
  shot.budgets.emplace();
  std::copy_n(result.budgets, kMaxBudgets, shot.budgets->begin());
  std::copy_n(result.budgets_at_start, kMaxBudgets, shot.budgets_at_start.begin());
  std::copy_n(result.overdrawn, kMaxBudgets, shot.overdrawn.begin());
  return absl::OkStatus();
}

}  // namespace fractalray::capi
