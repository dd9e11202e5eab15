// SPDX-License-Identifier: Apache-2.0
// Answers the scenarios of the conformance tests through the C interface, and compares each answer
// with the expected one and with that of the C++ library.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "../conformance/answers.h"
#include "../conformance/library_answers.h"
#include "../conformance/scenario_files.h"
#include "scenario_player.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& path) {
  const absl::StatusOr<std::string> text = readFile(path.string());
  return text.ok() ? *text : "";
}

void compare(const Json& expected, const Json& mine, const std::string& name) {
  const std::optional<std::string> different = difference(expected, mine);
  EXPECT_FALSE(different.has_value())
      << name << ", query " << mine["id"].dump() << ": " << different.value_or("");
}

TEST(CapiScenarioTest, AnswersAsTheProgramDoes) {
  const std::vector<fs::path> files = allScenarios();
  EXPECT_GE(files.size(), 10U);
  std::size_t answers = 0;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const std::string text = contentOf(file);
    const std::vector<Json> expected =
        parseLines(contentOf(answersOf(file)), name).value_or(std::vector<Json>());
    const std::vector<Json> by_library =
        parseLines(answersByLibrary(text, name), name).value_or(std::vector<Json>());
    const Json scenario = Json::parse(text);
    const Json& queries = scenario["queries"];
    ASSERT_EQ(queries.size(), expected.size()) << name;
    ASSERT_EQ(queries.size(), by_library.size()) << name;
    ScenarioPlayer player(scenario);
    for (std::size_t i = 0; i < queries.size(); ++i, ++answers) {
      const Json mine = player.answer(queries[i]);
      compare(expected[i], mine, name);
      compare(by_library[i], mine, name);
      compare(mine, by_library[i], name);
    }
  }
  EXPECT_GE(answers, 400U);
}

}  // namespace
}  // namespace fractalray::testing
