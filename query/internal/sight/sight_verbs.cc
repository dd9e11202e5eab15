// SPDX-License-Identifier: Apache-2.0
#include "sight_verbs.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"

#include "../../../core/internal/geometry/unit_box.h"
#include "../query_scope.h"
#include "sight_checks.h"
#include "sight_memory.h"
#include "sight_scope.h"
#include "sight_search.h"
#include "sight_steps.h"
#include "visible_share.h"

namespace fractalray::internal {
namespace {

// The same as findSight() for the share of the box.
absl::Status search(SightSearch& search, const SightQuery& query, const SightOptions& options,
                    ExposureAnswer& answer) {
  const bool reports = options.unloaded == UnloadedSpace::kReport && search.mayCrossUnloaded();
  const bool is_opaque = reports || options.unloaded == UnloadedSpace::kOpaque;
  absl::Status status = search.cutAll(is_opaque, nullptr);
  if (!status.ok()) return status;
  ShareBounds seen = visibleShare(search.zones(), query.box);
  if (reports) {
    status = search.cutAll(false, nullptr);
    if (!status.ok()) return status;
    seen.to = visibleShare(search.zones(), query.box).to;
  }
  answer.from = seen.from;
  answer.to = seen.to;
  return absl::OkStatus();
}

void begin(const ServiceState& state, SightAnswer& answer) {
  answer.version = state.version();
  answer.sight = Sight::kUndecided;
  answer.witness.reset();
  answer.certificate.clear();
  answer.stats = {};
}

}  // namespace

absl::Status findSight(SightSearch& search, const SightOptions& options,
                       std::vector<FixedBox>* proof, SightAnswer& answer, const SightHint& hint) {
  const bool reports = options.unloaded == UnloadedSpace::kReport && search.mayCrossUnloaded();
  const bool is_opaque = reports || options.unloaded == UnloadedSpace::kOpaque;
  absl::StatusOr<std::optional<SightWitness>> witness = search.findWitness(is_opaque, proof, hint);
  if (!witness.ok()) return witness.status();
  answer.sight = witness->has_value() ? Sight::kVisible : Sight::kHidden;
  answer.witness = *witness;
  if (answer.witness.has_value() && proof != nullptr) proof->clear();
  if (!reports || answer.witness.has_value() || !search.mayHaveCutUnloaded())
    return absl::OkStatus();
  if (proof != nullptr) proof->clear();
  answer.sight = Sight::kUndecided;
  witness = search.findWitness(false, proof, hint);
  if (!witness.ok()) return witness.status();
  answer.sight = witness->has_value() ? Sight::kUnknown : Sight::kHidden;
  if (witness->has_value() && proof != nullptr) proof->clear();
  return absl::OkStatus();
}

absl::Status findSight(const ServiceState& state, const SightQuery& query, LevelMask levels,
                       const SightOptions& options, std::uint64_t max_steps,
                       std::vector<FixedBox>* proof, SightAnswer& answer) {
  begin(state, answer);
  if (contains(query.box, query.eye)) {
    answer.sight = Sight::kVisible;
    answer.witness.emplace();
    return absl::OkStatus();
  }
  SightMemory& memory = sightMemory();
  const QueryScope depth;
  const SightScope scope(state, query, levels, options);
  SightSteps steps(answer.stats, max_steps);
  SightSearch searching(scope, depth.shot(), memory, steps);
  // Also if block_filter throws, or memory runs out.
  absl::Cleanup clear = [&answer] { answer.certificate.clear(); };
  absl::Status status = findSight(searching, options, proof, answer);
  if (status.ok()) std::move(clear).Cancel();
  return status;
}

absl::Status visible(const ServiceState& state, const SightQuery& query, LevelMask levels,
                     const SightOptions& options, SightAnswer& answer) {
  begin(state, answer);
  absl::Status status = checkSight(state, query, levels, options);
  if (!status.ok()) return status;
  return findSight(state, query, levels, options, options.max_steps,
                   options.report_certificate ? &answer.certificate : nullptr, answer);
}

absl::Status exposure(const ServiceState& state, const SightQuery& query, LevelMask levels,
                      const SightOptions& options, ExposureAnswer& answer) {
  answer = ExposureAnswer();
  answer.version = state.version();
  absl::Status status = checkSight(state, query, levels, options);
  if (!status.ok()) return status;
  if (contains(query.box, query.eye)) {
    answer.from = answer.to = 1;
    return status;
  }
  SightMemory& memory = sightMemory();
  const QueryScope depth;
  const SightScope scope(state, query, levels, options);
  SightSteps steps(answer.stats, options.max_steps);
  SightSearch searching(scope, depth.shot(), memory, steps);
  return search(searching, query, options, answer);
}

}  // namespace fractalray::internal
