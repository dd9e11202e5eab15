// SPDX-License-Identifier: Apache-2.0
#include "query_observer.h"

#include "internal/verb.h"

namespace fractalray {

std::string_view queryVerbName(QueryVerb verb) {
  return internal::withVerb(verb, [](auto of_verb) { return of_verb.kName; });
}

std::string_view sightVerbName(SightVerb verb) {
  switch (verb) {
    case SightVerb::kVisible:
      return "visible";
    case SightVerb::kExposure:
      return "exposure";
  }
  return {};
}

ObservedAnswer observed(const absl::Status& status, const Answer& answer, std::span<const Hit> hits,
                        std::span<const LevelSpan> level_spans) {
  return {.status = status.code(), .answer = answer, .hits = hits, .level_spans = level_spans};
}

ObservedAnswer observed(const absl::Status& status, const ShotResult& result) {
  return observed(status, result, result.hits, result.level_spans);
}

ObservedAnswer observed(const absl::Status& status, const ClosestHit& result) {
  ObservedAnswer answer;
  answer.status = status.code();
  if (!status.ok()) return answer;
  answer.answer.unknown_from = result.unknown_from;
  if (result.hit.has_value()) answer.hits = {&*result.hit, 1};
  return answer;
}

ObservedAnswer observed(const absl::Status& status, Occlusion occlusion) {
  ObservedAnswer answer;
  answer.status = status.code();
  if (status.ok()) answer.occlusion = occlusion;
  return answer;
}

ObservedAnswer observed(const absl::Status& status, const SightAnswer& answer) {
  ObservedAnswer observed;
  observed.status = status.code();
  if (status.ok()) observed.sight = answer.sight;
  return observed;
}

ObservedAnswer observed(const absl::Status& status, const ExposureAnswer& answer) {
  ObservedAnswer observed;
  observed.status = status.code();
  if (status.ok()) observed.exposure = {answer.from, answer.to};
  return observed;
}

}  // namespace fractalray
