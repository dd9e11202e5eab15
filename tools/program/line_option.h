// SPDX-License-Identifier: Apache-2.0
// The options of the commands for one line over a grid: --from, --to and --cell.
#pragma once

#include <string>

#include "absl/status/statusor.h"

#include "../../core/corner_policy.h"
#include "../../formats/query_json.h"
#include "command_line.h"

namespace fractalray {

struct LineArguments {
  std::string from;
  std::string to;
  std::string cell = "1";
};

// Adds the three options; `arguments` are filled in when the command line is parsed.
void addLineOptions(CommandOptions& options, LineArguments& arguments);

// Returns the requested line, in 2 or 3 dimensions. INVALID_ARGUMENT with the option's name.
absl::StatusOr<WalkQuery> readLine(const LineArguments& arguments, CornerPolicy corner);

}  // namespace fractalray
