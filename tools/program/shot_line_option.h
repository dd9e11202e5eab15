// SPDX-License-Identifier: Apache-2.0
// The line of a shot on the command line: a segment by --from and --to, or a ray by --origin,
// --direction and --max-distance.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"

#include "../../core/ray.h"
#include "../../core/segment.h"
#include "command_line.h"

namespace fractalray {

struct ShotLineArguments {
  std::string from;
  std::string to;
  std::string origin;
  std::string direction;
  std::optional<double> max_distance;

  // Returns true if any of the options was given.
  bool wanted() const {
    return !from.empty() || !to.empty() || !origin.empty() || !direction.empty() ||
           max_distance.has_value();
  }
};

// Adds the options; `arguments` are filled in when the command line is parsed.
void addShotLineOptions(CommandOptions& options, ShotLineArguments& arguments);

// Returns the requested line. INVALID_ARGUMENT, with the option's name, for text that is not a
// number, for a missing end, and for a mixture of both kinds.
absl::StatusOr<std::variant<Segment, Ray>> readShotLine(const ShotLineArguments& arguments);

}  // namespace fractalray
