// SPDX-License-Identifier: Apache-2.0
// With any limit on memory, the program answers as it does without one, or ends with exit status 1
// and one line that says RESOURCE_EXHAUSTED.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../formats/json_document.h"
#include "program.h"

namespace fractalray::exhausted_memory_test {
namespace {

using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::runOther;
using testing::runProgram;
using ::testing::StartsWith;
using testing::testFolder;

constexpr char kWorld[] = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";
constexpr char kScenario[] = FRACTALRAY_SOURCE_DIR "/tests/scenarios/ties.json";

// Runs the program with an address space of so many KiB.
ProgramRun runWithin(int kilobytes, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"sh", "-c",
                                    absl::StrCat("ulimit -v ", kilobytes, "; exec \"$0\" \"$@\""),
                                    FRACTALRAY_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return runOther(words);
}

bool canBeLimited() {
  // A sanitizer reserves more than any limit.
  return runWithin(1 << 20, {"--version"}).exit_status == 0;
}

// Returns true if the program itself began; before, its libraries are loaded. If there is no memory
// for these, the loader ends it with a status that the program never has.
bool hasBegun(const ProgramRun& run) {
  return run.exit_status != 127;
}

struct Sweep {
  int exhausted = 0;
  int answered = 0;
};

// Runs the command within more and more memory, until it has been enough for three times.
Sweep sweep(const std::vector<std::string>& arguments, int step) {
  const ProgramRun expected = runProgram(arguments);
  EXPECT_EQ(expected.exit_status, 0) << expected.err;
  Sweep found;
  for (int kilobytes = 8 << 10; kilobytes < 256 << 10 && found.answered < 3; kilobytes += step) {
    const ProgramRun run = runWithin(kilobytes, arguments);
    if (!hasBegun(run)) continue;
    if (run.exit_status == 0) {
      EXPECT_EQ(run.out, expected.out) << kilobytes;
      EXPECT_EQ(run.err, expected.err) << kilobytes;
      ++found.answered;
      continue;
    }
    found.answered = 0;
    ++found.exhausted;
    EXPECT_EQ(run.exit_status, 1) << kilobytes << ": " << run.err;
    EXPECT_THAT(run.err, StartsWith("fractalray")) << kilobytes;
    EXPECT_THAT(run.err, HasSubstr(": RESOURCE_EXHAUSTED: ")) << kilobytes;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << kilobytes << ": " << run.err;
  }
  EXPECT_EQ(found.answered, 3);
  return found;
}

TEST(ExhaustedMemoryTest, OpeningAWorldSucceedsOrSaysSo) {
  if (!canBeLimited()) GTEST_SKIP() << "a sanitizer needs more memory than can be limited";
  EXPECT_GT(sweep({"info", "--world", kWorld}, 300).exhausted, 10);
}

TEST(ExhaustedMemoryTest, AnsweringAScenarioSucceedsOrSaysSo) {
  if (!canBeLimited()) GTEST_SKIP() << "a sanitizer needs more memory than can be limited";
  // Large enough to need more than the program does for itself.
  Json scenario = Json::parse(readFile(kScenario).value());
  for (int i = 0; i < 5000; ++i) {
    scenario["entities"].push_back({{"id", 1000 + i},
                                    {"level", 0},
                                    {"shape", "sphere"},
                                    {"radius", 1},
                                    {"center", {900 + i, 0, 0}}});
  }
  const std::string path = testing::writeTestFile("large.json", scenario.dump());
  EXPECT_GT(sweep({"scenario", path}, 200).exhausted, 5);
}

TEST(ExhaustedMemoryTest, RenderingAPictureSucceedsOrSaysSo) {
  if (!canBeLimited()) GTEST_SKIP() << "a sanitizer needs more memory than can be limited";
  const std::string out = testFolder() + "/view.png";
  EXPECT_GT(sweep({"render", "--world", kWorld, "--size", "64x36", "--out", out}, 700).exhausted,
            5);
}

TEST(ExhaustedMemoryTest, ShootingManySegmentsSucceedsOrSaysSo) {
  if (!canBeLimited()) GTEST_SKIP() << "a sanitizer needs more memory than can be limited";
  std::string lines;
  for (int i = 0; i < 3000; ++i) {
    absl::StrAppend(&lines, "{\"from\": [", i % 50, ", 80, 0], \"to\": [0, 60, ", i % 7, "]}\n");
  }
  const std::string path = testing::writeTestFile("segments.jsonl", lines);
  EXPECT_GT(
      sweep({"shoot", "--world", kWorld, "--segments", path, "--json", "--closest"}, 700).exhausted,
      5);
}

}  // namespace
}  // namespace fractalray::exhausted_memory_test
