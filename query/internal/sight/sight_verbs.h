// SPDX-License-Identifier: Apache-2.0
// The queries of sight of a service: RayQueryService::visible() and exposure().
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

#include "../../../core/level_mask.h"
#include "../../sight.h"
#include "../service_state.h"
#include "sight_search.h"

namespace fractalray::internal {

// Check and answer a query. An answer has `version` and `stats` also after an error.
absl::Status visible(const ServiceState& state, const SightQuery& query, LevelMask levels,
                     const SightOptions& options, SightAnswer& answer);
absl::Status exposure(const ServiceState& state, const SightQuery& query, LevelMask levels,
                      const SightOptions& options, ExposureAnswer& answer);

// Finds out what is seen, with unloaded space as the options say: once if that is air or solid, or
// if there is none in the way, else as both. Sets the sight and the witness of an answer; fills the
// certificate `proof`, unless that is null, if the box is hidden. Requires: proof is empty.
absl::Status findSight(SightSearch& search, const SightOptions& options,
                       std::vector<FixedBox>* proof, SightAnswer& answer,
                       const SightHint& hint = {});

// Answers a query that has been checked, within `max_steps` in place of those of its options.
// `proof` is where a certificate goes, answer.certificate or null.
absl::Status findSight(const ServiceState& state, const SightQuery& query, LevelMask levels,
                       const SightOptions& options, std::uint64_t max_steps,
                       std::vector<FixedBox>* proof, SightAnswer& answer);

}  // namespace fractalray::internal
