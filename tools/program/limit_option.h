// SPDX-License-Identifier: Apache-2.0
// --limit: the limits on a command's input.
#pragma once

#include <initializer_list>
#include <string_view>

#include "../../formats/input_limits.h"

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
}  // namespace CLI

namespace fractalray {

// Adds `--limit NAME=N` to a command, for the limits that apply to it; may be repeated. Refuses
// other names, and an N that is not a number above 0. Requires: `limits` outlives the command; each
// name is that of a member of InputLimits.
void addLimitOption(CLI::App& command, InputLimits& limits,
                    std::initializer_list<std::string_view> names);

}  // namespace fractalray
