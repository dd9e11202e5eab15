// SPDX-License-Identifier: Apache-2.0
// Checks that the example in docs/scenario-format.md is a scenario, and answered as the page says.
#include <string>
#include <string_view>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "scenario_check.h"

namespace fractalray::testing {
namespace {

// Returns the first fenced block of that language, without its fences.
std::string_view fencedBlock(std::string_view page, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = page.find(fence);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = page.substr(begin + fence.size());
  return rest.substr(0, rest.find("```"));
}

TEST(ScenarioDocTest, ExampleIsAnsweredAsThePageSays) {
  const absl::StatusOr<std::string> page =
      readFile(FRACTALRAY_SOURCE_DIR "/docs/scenario-format.md");
  ASSERT_TRUE(page.ok()) << page.status();
  const std::string_view scenario = fencedBlock(*page, "json");
  const std::string_view answers = fencedBlock(*page, "jsonl");
  ASSERT_FALSE(scenario.empty());
  ASSERT_FALSE(answers.empty());
  const std::vector<std::string> found = differences(scenario, answers, "the example");
  EXPECT_TRUE(found.empty()) << absl::StrJoin(found, "\n");
}

}  // namespace
}  // namespace fractalray::testing
