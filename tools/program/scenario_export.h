// SPDX-License-Identifier: Apache-2.0
// Exports a shot as a scenario of its own, with the chunks and entities that its answer depends on.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

#include "../../formats/scenario.h"
#include "../../query/explain/explanation.h"

namespace fractalray {

// Returns the shot as the text of a scenario: every chunk, loaded or proto, that the segment
// touches on the shot's levels up to where something ends the shot, and the entities stored in
// index chunks along it. If the query requests level_parts, also the outermost chunks. `query` is
// the shot of `explanation`.
std::string saveShot(const Explanation& explanation, const ScenarioQuery& query,
                     const StoppingCallbacks& stopping,
                     const std::function<std::string_view(BlockTypeId)>& name);

// Checks that the text is a scenario with one query whose answer is the line `answer`; INTERNAL,
// with both answers, if it is not.
absl::Status checkSaved(std::string_view text, const std::string& answer);

}  // namespace fractalray
