// SPDX-License-Identifier: Apache-2.0
// --limit: how much of an input a command reads.
#pragma once

#include <initializer_list>
#include <string_view>

#include "../formats/input_limits.h"

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
}  // namespace CLI

namespace fractalray {

// Adds `--limit NAME=N` to a command, for the limits that it has a use for; may be given several
// times. A name that is not among them and an N that is no number above 0 are refused.
// Requires: `limits` outlives the command; each name is that of a member of InputLimits.
void addLimitOption(CLI::App& command, InputLimits& limits,
                    std::initializer_list<std::string_view> names);

}  // namespace fractalray
