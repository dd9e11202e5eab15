// SPDX-License-Identifier: Apache-2.0
// Expected answers of scenarios against the program's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../formats/json.h"

namespace fractalray::testing {

// What keeps `actual` from being the expected answer: times (t, t_exit, t0, t1, unknown_from) agree
// to 1e-9, positions, normals and distances to 1e-9 of their size, errors by their code, all else
// exactly. Members that are not expected do no harm. Nothing where they agree.
std::optional<std::string> difference(const Json& expected, const Json& actual);

// The JSON documents of a text with one a line; `name` is for errors.
absl::StatusOr<std::vector<Json>> parseLines(std::string_view text, std::string_view name);

// Reads the scenario `text`, answers it, and tells how the answers differ from the expected lines:
// one entry for each query that does, with its id. An entry of another kind where it cannot be
// answered.
std::vector<std::string> differences(std::string_view text, std::string_view expected_lines,
                                     std::string_view name);

}  // namespace fractalray::testing
