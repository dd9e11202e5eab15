// SPDX-License-Identifier: Apache-2.0
// Checks the library's answers to a scenario.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fractalray::testing {

// Reads the scenario `text`, answers it, and returns how the answers differ from the expected
// lines, as differencesOfAnswers() does, and which witnesses of queries of sight are wrong; or one
// entry with the reason if it cannot be answered.
std::vector<std::string> differences(std::string_view text, std::string_view expected_lines,
                                     std::string_view name);

}  // namespace fractalray::testing
