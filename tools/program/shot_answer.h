// SPDX-License-Identifier: Apache-2.0
// The answers of `fractalray shoot`, as text or as JSON.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../query/ray_query_service.h"
#include "shot_input.h"

namespace fractalray {

// Says which answer is wanted, and how it is printed.
struct AnswerForm {
  int bounces = 0;
  bool closest = false;
  bool occluded = false;
  bool json = false;
};

// An answer as it is printed.
struct PrintedAnswer {
  std::string text;
  // True for the answer "no": with --occluded, if the line of sight is not clear.
  bool is_no = false;
};

absl::StatusOr<PrintedAnswer> answerShot(const NamedShot& shot, const World& world,
                                         const RayQueryService& service, const AnswerForm& form);

// Returns the answer to a shot that is refused.
std::string formatError(const NamedShot& shot, const absl::Status& error, const AnswerForm& form);

}  // namespace fractalray
