// SPDX-License-Identifier: Apache-2.0
// --limit: the limits on a command's input.
#pragma once

#include "../../formats/input_limits.h"

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
}  // namespace CLI

namespace fractalray {

// Adds `--limit NAME=N` to a command, for every member of InputLimits; may be repeated. Refuses
// other names, and an N that is not a number above 0. Requires: `limits` outlives the command.
void addLimitOption(CLI::App& command, InputLimits& limits);

}  // namespace fractalray
