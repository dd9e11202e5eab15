// SPDX-License-Identifier: Apache-2.0
// Compares the program's answers to scenarios with the expected ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

#include "../../formats/json_document.h"

namespace fractalray::testing {

// Returns how `actual` differs from the expected answer, nullopt if they agree: times (t, t_exit,
// t0, t1, unknown_from) agree to 1e-9, positions, normals and distances to 1e-9 of their size,
// errors by their code, all else exactly. Members that are not expected are ignored. An
// exposure is expected as `seen`, the exact share ["numerator", "denominator"], and
// `seen_or_unknown`, the same if it is left out: from <= seen, seen_or_unknown <= to, at most 2^-20
// from them, and equal if all, or nothing, is seen.
std::optional<std::string> difference(const Json& expected, const Json& actual);

// Returns the JSON documents of a text with one a line; `name` is for errors.
absl::StatusOr<std::vector<Json>> parseLines(std::string_view text, std::string_view name);

// Returns how answers, one a line, differ from the expected ones: one entry for each that does,
// with the id of its query; or one entry with the reason if they cannot be compared.
std::vector<std::string> differencesOfAnswers(std::string_view answer_lines,
                                              std::string_view expected_lines);

}  // namespace fractalray::testing
