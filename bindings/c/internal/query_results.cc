// SPDX-License-Identifier: Apache-2.0
#include "query_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"

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

frBrokenBlock brokenOf(const BrokenBlock& broken) {
  frBrokenBlock to{};
  store(broken.block, to.block);
  to.steps = broken.steps;
  to.power = broken.power;
  to.level = broken.level;
  to.ray = broken.ray;
  to.type = toC(broken.type);
  return to;
}

frExposedEntity exposedOf(const ExposedEntity& exposed) {
  return {.distance = exposed.distance,
          .from = exposed.from,
          .to = exposed.to,
          .entity = toC(exposed.entity),
          .id = exposed.id};
}

frBlastResult blastResultOf(const Blast& blast) {
  frBlastResult to{};
  to.struct_size = sizeof(frBlastResult);
  to.reaches_unknown = blast.reaches_unknown ? 1 : 0;
  to.blocks_version = blast.version.world;
  to.entities_version = blast.version.entities;
  to.samples = blast.samples;
  to.block_count = blast.blocks.size();
  to.entity_count = blast.entities.size();
  return to;
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

frFoundBlock toC(const FoundBlock& found) {
  frFoundBlock block{};
  block.distance = found.distance;
  store(found.block, block.block);
  block.level = found.level;
  block.type = toC(found.type);
  block.kind = static_cast<std::uint8_t>(toC(found.kind));
  return block;
}

absl::Status write(const VisibleBlocks& seen, frFoundBlock* found, std::size_t capacity,
                   std::size_t* count) {
  const std::size_t known = seen.visible.size() + seen.unknown.size();
  const auto block_at = [&](std::size_t i) {
    const bool is_visible = i < seen.visible.size();
    const bool is_unknown = !is_visible && i < known;
    frFoundBlock block = toC(is_visible   ? seen.visible[i]
                             : is_unknown ? seen.unknown[i - seen.visible.size()]
                                          : seen.undecided[i - known]);
    const Sight sight = is_visible   ? Sight::kVisible
                        : is_unknown ? Sight::kUnknown
                                     : Sight::kUndecided;
    block.sight = static_cast<std::uint8_t>(sight);
    return block;
  };
  return copyOut(known + seen.undecided.size(), found, capacity, count, block_at);
}

absl::Status BlastArrays::check() const {
  absl::Status status = checkArray({blocks, "blocks"}, block_capacity);
  return status.ok() ? checkArray({entities, "entities"}, entity_capacity) : status;
}

absl::Status write(const Blast& blast, const BlastArrays& to, frBlastResult& result) {
  std::size_t count = 0;
  absl::Status blocks = copyOut(blast.blocks.size(), to.blocks, to.block_capacity, &count,
                                [&](std::size_t i) { return brokenOf(blast.blocks[i]); });
  absl::Status entities = copyOut(blast.entities.size(), to.entities, to.entity_capacity, &count,
                                  [&](std::size_t i) { return exposedOf(blast.entities[i]); });
  result = blastResultOf(blast);
  if (!blocks.ok()) return absl::OutOfRangeError(absl::StrCat("blocks: ", blocks.message()));
  if (!entities.ok()) return absl::OutOfRangeError(absl::StrCat("entities: ", entities.message()));
  return blocks;
}

}  // namespace fractalray::capi
