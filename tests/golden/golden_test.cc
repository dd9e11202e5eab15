// SPDX-License-Identifier: Apache-2.0
// Checks that the answers are those that were recorded: the same for every compiler, machine and
// optimisation level, to the last bit. If an answer changes on purpose, `golden_test --record`
// rewrites golden.txt; that is a commit of its own, which says why.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "answers.h"

namespace fractalray::golden {
namespace {

constexpr const char* kFile = FRACTALRAY_SOURCE_DIR "/tests/golden/golden.txt";

std::string recorded() {
  std::ifstream file(kFile);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(GoldenTest, AnswersAreAsRecorded) {
  EXPECT_EQ(answersAsText(), recorded()) << "see " << kFile;
}

TEST(GoldenTest, BothPassesGiveTheSameShots) {
  EXPECT_EQ(hashOfShots(SearchPass::kPlain), hashOfShots(SearchPass::kFast));
}

int record() {
  std::ofstream file(kFile);
  file << answersAsText();
  file.close();
  if (!file) {
    std::fprintf(stderr, "cannot write %s\n", kFile);
    return 1;
  }
  std::printf("recorded in %s\n", kFile);
  return 0;
}

}  // namespace
}  // namespace fractalray::golden

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::string(argv[1]) == "--record") return fractalray::golden::record();
  return RUN_ALL_TESTS();
}
