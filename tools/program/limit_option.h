// SPDX-License-Identifier: Apache-2.0
// --limit: the limits on a command's input.
#pragma once

#include "../../formats/input_limits.h"
#include "command_line.h"

namespace fractalray {

// Adds `--limit NAME=N`, for every member of InputLimits; may be repeated. Refuses
// other names, and an N that is not a number above 0. Requires: `limits` outlives the command.
void addLimitOption(CommandOptions& options, InputLimits& limits);

}  // namespace fractalray
