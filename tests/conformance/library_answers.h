// SPDX-License-Identifier: Apache-2.0
// The library's own answers to scenarios, for comparison with those of a binding: they have what
// the expected answers leave open, as witnesses and certificates of sight.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

#include "../../formats/scenario.h"

namespace fractalray::testing {

// Returns the answers to the scenario `text`, one a line; none if it is refused.
inline std::string answersByLibrary(std::string_view text, std::string_view name) {
  absl::StatusOr<Scenario> scenario = parseScenario(text, name);
  EXPECT_TRUE(scenario.ok()) << scenario.status();
  if (!scenario.ok()) return "";
  std::string lines;
  const absl::Status status = answerScenario(*scenario, [&](std::string_view piece) {
    lines += piece;
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return lines;
}

}  // namespace fractalray::testing
