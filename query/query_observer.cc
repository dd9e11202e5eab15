// SPDX-License-Identifier: Apache-2.0
#include "query_observer.h"

#include <array>

namespace fractalray {

std::string_view queryVerbName(QueryVerb verb) {
  constexpr std::array<std::string_view, 4> kNames = {"shoot", "closestHit", "occluded", "resume"};
  return kNames[static_cast<std::size_t>(verb)];
}

ObservedAnswer observed(const absl::Status& status, const ShotResult& result) {
  if (!status.ok()) return {.status = status.code()};
  return {.hits = result.hits,
          .terminated = result.terminated,
          .truncated = result.truncated,
          .unknown_from = result.unknown_from,
          .level_spans = result.level_spans,
          .budgets = result.budgets,
          .stopped_at = result.stopped_at};
}

ObservedAnswer observed(const absl::Status& status, const ClosestHit& result) {
  if (!status.ok()) return {.status = status.code()};
  ObservedAnswer answer{.unknown_from = result.unknown_from};
  if (result.hit.has_value()) answer.hits = {&*result.hit, 1};
  return answer;
}

ObservedAnswer observed(const absl::Status& status, Occlusion occlusion) {
  if (!status.ok()) return {.status = status.code()};
  return {.occlusion = occlusion};
}

}  // namespace fractalray
