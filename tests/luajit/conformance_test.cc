// SPDX-License-Identifier: Apache-2.0
// Checks that the LuaJIT module answers every scenario of the conformance tests as expected, and as
// the library does.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "../conformance/answers.h"
#include "../conformance/library_answers.h"
#include "../conformance/scenario_files.h"
#include "../program/program.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kSource(FRACTALRAY_SOURCE_DIR);
const fs::path kTests = kSource / "tests" / "luajit";

// Returns a JSON value as an expression of Lua. Integers that a Lua number may not hold are 64-bit
// integers of LuaJIT.
std::string toLua(const Json& value) {
  if (value.is_null()) return "nil";
  constexpr std::int64_t kMost = 1LL << 53U;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMost}) {
    return value.dump() + "ULL";
  }
  if (value.is_number_integer() && value.get<std::int64_t>() < -kMost) return value.dump() + "LL";
  if (!value.is_structured()) return value.dump();
  std::string out = "{";
  for (const auto& [name, member] : value.items()) {
    if (value.is_object()) absl::StrAppend(&out, "[", Json(name).dump(), "]=");
    absl::StrAppend(&out, toLua(member), ",");
  }
  return out + "}";
}

// Returns a scenario as a Lua program that returns it as a table, with the ids of queries as text.
std::string luaOf(Json scenario) {
  for (Json& query : scenario["queries"])
    query["id"] = query["id"].dump();
  return "return " + toLua(scenario) + "\n";
}

class LuajitConformanceTest : public ::testing::TestWithParam<fs::path> {};

TEST_P(LuajitConformanceTest, AnswersAsExpected) {
  if (runOther({"sh", "-c", "command -v luajit"}).exit_status != 0) {
    GTEST_SKIP() << "NOT RUN: luajit is not installed; as root: apt-get install luajit "
                    "(./dev test does so)";
  }
  absl::StatusOr<std::string> text = readFile(GetParam().string());
  ASSERT_TRUE(text.ok()) << text.status();
  absl::StatusOr<JsonDocument> scenario = parseJson(*text, GetParam().filename().string());
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  const std::string input = writeTestFile("scenario.lua", luaOf(scenario->root()));
  const ProgramRun run =
      runOther({"env",
                absl::StrCat("LUA_PATH=", (kSource / "bindings" / "luajit" / "?.lua;").string(),
                             (kTests / "?.lua").string()),
                "FRACTALRAY_LIBRARY=" FRACTALRAY_C_LIBRARY, "luajit",
                (kTests / "answer_scenario.lua").string(), input});
  ASSERT_EQ(run.exit_status, 0) << run.err;
  const std::string by_library = answersByLibrary(*text, GetParam().filename().string());
  // Each with the other, as members that are not expected are ignored.
  for (const std::vector<std::string>& found :
       {differencesOfAnswers(run.out, contentOf(answersOf(GetParam()))),
        differencesOfAnswers(run.out, by_library), differencesOfAnswers(by_library, run.out)}) {
    EXPECT_TRUE(found.empty()) << found.size() << " answers differ:\n"
                               << absl::StrJoin(found, "\n");
  }
}

INSTANTIATE_TEST_SUITE_P(All, LuajitConformanceTest, ::testing::ValuesIn(allScenarios()),
                         scenarioTestName);

}  // namespace
}  // namespace fractalray::testing
