// SPDX-License-Identifier: Apache-2.0
// --query: the query of a scenario that a command explains.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../formats/scenario.h"

namespace fractalray {

// The queries from which a command chooses, and how errors call them.
struct ChoosableQueries {
  std::string_view one;   // "shot"
  std::string_view many;  // "shots"
  std::string_view ops;   // "\"shoot\""
  absl::FunctionRef<bool(const ScenarioQuery& query)> accepts;
};

// Returns the index of the query with that id, or of the only one if `id` is empty.
// INVALID_ARGUMENT, with the ids that there are, if there is none, or several.
absl::StatusOr<std::size_t> chooseQuery(const Scenario& scenario, const std::string& file,
                                        const std::string& id, const ChoosableQueries& queries);

}  // namespace fractalray
