// SPDX-License-Identifier: Apache-2.0
// The options of `fractalray visible` that say what is asked: the eye, the box, the levels, and the
// options of the query.
#pragma once

#include <string>

#include "absl/status/statusor.h"

#include "../../formats/view_json.h"
#include "command_line.h"

namespace fractalray {

struct SightArguments {
  std::string eye;
  std::string box;
  std::string levels = "3";
  ViewQuery query{};  // of the options that are plain; the rest is read by readSightQuery()
};

// Adds the options; `arguments` are filled in when the command line is parsed.
void addSightOptions(CommandOptions& options, SightArguments& arguments);
// Refuses all of them together with `other`, which has been added.
void excludeSightOptions(CommandOptions& options, const std::string& other);

// Returns the query. INVALID_ARGUMENT, with the option and the value, for one that is missing or
// wrong, and for a box that is not in order or flat on more than one axis.
absl::StatusOr<ViewQuery> readSightQuery(const SightArguments& arguments);

}  // namespace fractalray
