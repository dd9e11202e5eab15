// SPDX-License-Identifier: Apache-2.0
#include "query_observer.h"

#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "internal/verb.h"

namespace fractalray {

std::string_view queryVerbName(QueryVerb verb) {
  return internal::withVerb(verb, [](auto of_verb) { return of_verb.kName; });
}

namespace {

template <std::size_t... kVerbs>
constexpr auto namesOf(std::index_sequence<kVerbs...> /*verbs*/) {
  return std::to_array<std::string_view>({std::variant_alternative_t<kVerbs, SightCall>::kName...});
}
constexpr auto kSightVerbNames =
    namesOf(std::make_index_sequence<std::variant_size_v<SightCall>>());
static_assert(kSightVerbNames.back() == BlastCall::kName &&
              kSightVerbNames.size() == static_cast<std::size_t>(SightVerb::kBlast) + 1);

}  // namespace

std::string_view sightVerbName(SightVerb verb) {
  const auto number = static_cast<std::size_t>(verb);
  return number < kSightVerbNames.size() ? kSightVerbNames[number] : std::string_view();
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

ObservedAnswer observed(const absl::Status& status, const SightTable& table) {
  ObservedAnswer observed;
  observed.status = status.code();
  if (status.ok()) observed.sights = table.answers;
  return observed;
}

ObservedAnswer observed(const absl::Status& status, const VisibleBlocks& found) {
  ObservedAnswer observed;
  observed.status = status.code();
  if (status.ok())
    observed.seen_blocks = ObservedBlocks{found.visible, found.unknown, found.undecided};
  return observed;
}

ObservedAnswer observed(const absl::Status& status, const Blast& blast) {
  ObservedAnswer observed;
  observed.status = status.code();
  if (status.ok())
    observed.blast = ObservedBlast{blast.reaches_unknown, blast.blocks, blast.entities};
  return observed;
}

}  // namespace fractalray
