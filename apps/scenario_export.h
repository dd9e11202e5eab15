// SPDX-License-Identifier: Apache-2.0
// A shot as a scenario of its own: with the part of the world that it saw, whole chunks, and the
// entities on its way.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

#include "../explain/explanation.h"
#include "../formats/scenario.h"

namespace fractalray {

// The shot as the text of a scenario: every chunk, loaded or proto, of the levels asked for that
// the segment touches up to where something ends the shot, and the entities that are kept on the
// way. Where the query asks for level_parts, also the chunks that these are due to. `query` is the
// shot of `explanation`.
std::string saveShot(const Explanation& explanation, const ScenarioQuery& query,
                     const ShotRules& rules,
                     const std::function<std::string_view(BlockTypeId)>& name);

// Whether the text is a scenario with one query whose answer is `answer`, a line; INTERNAL with
// both where it is another.
absl::Status checkSaved(std::string_view text, const std::string& answer);

}  // namespace fractalray
