// SPDX-License-Identifier: Apache-2.0
// Reports queries of sight to the observer of a service.
#pragma once

#include <utility>

#include "absl/status/status.h"

#include "../../../core/level_mask.h"
#include "../../query_observer.h"
#include "../service_state.h"

namespace fractalray::internal {

// Reports the call of a verb (observed_sight.h) with its answer to the observer, if there is one.
// Returns the status.
template <class Call, class Answer>
absl::Status observeSight(const ServiceState& state, const Call& call, LevelMask levels,
                          absl::Status status, const Answer& answer) {
  if (state.observer == nullptr) return status;
  state.observer->onSight({.call = call, .levels = levels, .version = answer.version},
                          observed(status, answer));
  return status;
}

}  // namespace fractalray::internal
