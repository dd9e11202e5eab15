// SPDX-License-Identifier: Apache-2.0
// The shots that a command answers: one by its options, or many by JSON lines.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"

#include "../formats/input_limits.h"
#include "../formats/query_json.h"

namespace fractalray {

// A shot with the name that its answer has, and the source of its channel (an option, or a member
// with file and line), for errors.
struct NamedShot {
  Json id;
  std::string channel_source;
  ShotQuery query;
};

// The defaults of members that a line of JSON may leave out.
struct ShotDefaults {
  LevelMask levels;
  std::string channel = "default";
  std::string corner = "both";
  bool unknown = false;
};

// Returns the shot along a line, named "shot".
absl::StatusOr<NamedShot> namedShot(const std::variant<Segment, Ray>& line,
                                    const ShotDefaults& defaults);

// Reads JSON lines, each a shot as a scenario has it; blank lines are skipped. `name` is that of
// their file. INVALID_ARGUMENT with file, line and member; OUT_OF_RANGE past a limit.
absl::StatusOr<std::vector<NamedShot>> readShotLines(std::string_view text, const std::string& name,
                                                     const ShotDefaults& defaults,
                                                     const InputLimits& limits);

}  // namespace fractalray
