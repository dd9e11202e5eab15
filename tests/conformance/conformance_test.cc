// SPDX-License-Identifier: Apache-2.0
// Checks every scenario with exact answers: our own in tests/scenarios, and, if they lie next to
// the checkout, those of ../shared/conformance*, which come with the contract.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "scenario_check.h"
#include "scenario_files.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kOwn = fs::path(FRACTALRAY_SOURCE_DIR) / "tests" / "scenarios";
const fs::path kShared = fs::path(FRACTALRAY_SOURCE_DIR) / ".." / "shared" / "conformance";
const fs::path kSharedRays = fs::path(FRACTALRAY_SOURCE_DIR) / ".." / "shared" / "conformance-rays";
const fs::path kSharedWindow =
    fs::path(FRACTALRAY_SOURCE_DIR) / ".." / "shared" / "conformance-window";
const fs::path kSharedShapes =
    fs::path(FRACTALRAY_SOURCE_DIR) / ".." / "shared" / "conformance-shapes";
const fs::path kSharedSight =
    fs::path(FRACTALRAY_SOURCE_DIR) / ".." / "shared" / "conformance-sight";

class ConformanceTest : public ::testing::TestWithParam<fs::path> {};

TEST_P(ConformanceTest, AnswersAsExpected) {
  const absl::StatusOr<std::string> scenario = readFile(GetParam().string());
  const absl::StatusOr<std::string> expected = readFile(answersOf(GetParam()));
  ASSERT_TRUE(scenario.ok()) << scenario.status();
  ASSERT_TRUE(expected.ok()) << expected.status();
  const std::vector<std::string> found =
      differences(*scenario, *expected, GetParam().filename().string());
  constexpr std::size_t kShown = 10;
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kShown));
  EXPECT_TRUE(found.empty()) << GetParam().filename() << ": " << found.size()
                             << " answers differ, the first:\n"
                             << absl::StrJoin(found.begin(), end, "\n");
}

INSTANTIATE_TEST_SUITE_P(Own, ConformanceTest, ::testing::ValuesIn(scenariosIn(kOwn)),
                         scenarioTestName);
INSTANTIATE_TEST_SUITE_P(Shared, ConformanceTest, ::testing::ValuesIn(scenariosIn(kShared)),
                         scenarioTestName);
INSTANTIATE_TEST_SUITE_P(SharedRays, ConformanceTest, ::testing::ValuesIn(scenariosIn(kSharedRays)),
                         scenarioTestName);
INSTANTIATE_TEST_SUITE_P(SharedWindow, ConformanceTest,
                         ::testing::ValuesIn(scenariosIn(kSharedWindow)), scenarioTestName);
INSTANTIATE_TEST_SUITE_P(SharedShapes, ConformanceTest,
                         ::testing::ValuesIn(scenariosIn(kSharedShapes)), scenarioTestName);
INSTANTIATE_TEST_SUITE_P(SharedSight, ConformanceTest,
                         ::testing::ValuesIn(scenariosIn(kSharedSight)), scenarioTestName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConformanceTest);

// Says so if nothing but our own scenarios was checked.
TEST(ConformanceFilesTest, TheScenariosOfTheContractAreChecked) {
  for (const fs::path& folder :
       {kShared, kSharedRays, kSharedWindow, kSharedShapes, kSharedSight}) {
    if (!fs::exists(folder)) GTEST_SKIP() << "NOT RUN: there is no " << folder.lexically_normal();
    EXPECT_FALSE(scenariosIn(folder).empty()) << folder;
  }
}

TEST(ConformanceFilesTest, EveryScenarioHasAnswersAndTheReverse) {
  const std::vector<fs::path> files = scenariosIn(kOwn);
  EXPECT_GE(files.size(), 10U) << "in " << kOwn;
  std::size_t expected = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kOwn)) {
    expected += entry.path().extension() == ".jsonl" ? 1U : 0U;
  }
  EXPECT_EQ(expected, files.size());
}

}  // namespace
}  // namespace fractalray::testing
