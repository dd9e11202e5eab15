// SPDX-License-Identifier: Apache-2.0
// --limit: what is beyond it is refused by an error that says how to raise it, and raising it
// helps.
#include "../../tools/program/limit_option.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray::limit_option_test {
namespace {

using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::runProgram;
using ::testing::StartsWith;
using testing::writeTestFile;

const std::string kScenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";
const std::string kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

// The command is refused with `limit` and runs without.
void expectLimited(std::vector<std::string> arguments, const std::string& limit,
                   const std::string& what) {
  EXPECT_EQ(runProgram(arguments).exit_status, 0) << what;
  arguments.insert(arguments.end(), {"--limit", limit});
  const ProgramRun run = runProgram(arguments);
  EXPECT_EQ(run.exit_status, 1) << what;
  const std::string name = limit.substr(0, limit.find('='));
  EXPECT_THAT(run.err, StartsWith("fractalray " + arguments.front() + ": RESOURCE_EXHAUSTED: "));
  EXPECT_THAT(run.err, HasSubstr(what));
  EXPECT_THAT(run.err, HasSubstr("--limit " + name + "=N"));
}

TEST(LimitOptionTest, LimitsTheContentOfAScenario) {
  expectLimited({"scenario", kScenario}, "file_bytes=100", "more than 100 bytes");
  expectLimited({"scenario", kScenario}, "values=5", "more than 5 values");
  expectLimited({"scenario", kScenario}, "entities=1", "more than 1 entities");
  expectLimited({"scenario", kScenario}, "queries=1", "more than 1 queries");
  expectLimited({"near", kScenario, "--at", "0,0,0"}, "file_bytes=100", "more than 100 bytes");
}

TEST(LimitOptionTest, TextThatNestsTooDeepIsWrongInput) {
  const ProgramRun run = runProgram({"scenario", kScenario, "--limit", "depth=2"});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.err, HasSubstr("more than 2 arrays and objects within each other; --limit "
                                 "depth=N"));
}

TEST(LimitOptionTest, LimitsTheContentOfAWorld) {
  expectLimited({"info", "--world", kWorld}, "mapblocks=1000", "more than 1000 mapblocks");
  // One that is too large counts as damaged, and says the same.
  const ProgramRun run = runProgram({"info", "--world", kWorld, "--limit", "mapblock_bytes=16000"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.err, HasSubstr("unpacks to more than 16000 bytes; --limit mapblock_bytes=N"));
}

TEST(LimitOptionTest, LimitsSegmentsAndTheirLines) {
  const std::string segments = writeTestFile("segments.jsonl",
                                             "{\"from\": [0, 0, 0], \"to\": [1, 0, 0]}\n\n"
                                             "{\"from\": [0, 0, 0], \"to\": [2, 0, 0]}\n");
  const std::vector<std::string> shoot = {"shoot", "--world", kWorld, "--segments", segments};
  expectLimited(shoot, "line_bytes=30", segments + ":1: more than 30 bytes");
  expectLimited(shoot, "queries=1", segments + ":3: more than 1 queries");
  expectLimited(shoot, "file_bytes=50", segments + ": more than 50 bytes");
}

TEST(LimitOptionTest, LimitsAWalk) {
  expectLimited({"walk", "--from", "0,0", "--to", "9.5,0"}, "cells=5", "at most 5 are listed");
}

TEST(LimitOptionTest, EndlessInputIsReadUpToTheLimit) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"scenario", "/dev/zero"},
        {"info", "--world", kWorld, "--types", "/dev/zero"},
        {"shoot", "--world", kWorld, "--segments", "/dev/zero"}}) {
    const ProgramRun run = runProgram(arguments);
    EXPECT_EQ(run.exit_status, 1);
    EXPECT_THAT(run.err, HasSubstr("/dev/zero: more than 67108864 bytes; --limit file_bytes=N"));
  }
  EXPECT_NE(runProgram({"scenario", kWorld}).exit_status, 0) << "a directory";
}

TEST(LimitOptionTest, RefusesBadLimits) {
  for (const char* limit : {"chunk=5", "chunks", "chunks=", "chunks=0", "chunks=-1", "chunks=1e3",
                            "kMaxDepth=5", "=5", ""}) {
    const ProgramRun run = runProgram({"scenario", kScenario, "--limit", limit});
    EXPECT_EQ(run.exit_status, 2) << limit;
    EXPECT_THAT(run.err, HasSubstr("--limit")) << limit;
    // CLI11 has an error of its own for an empty one.
    const bool is_empty = *limit == '\0';
    EXPECT_THAT(run.err, HasSubstr(is_empty ? "--limit" : "chunks=100000")) << limit;
  }
}

TEST(LimitOptionTest, EachCommandTakesAllLimits) {
  for (const std::string_view name : Fields<InputLimits>::kNames) {
    const std::string limit = std::string(name) + "=1000000";
    EXPECT_EQ(runProgram({"scenario", kScenario, "--limit", limit}).exit_status, 0) << limit;
    EXPECT_EQ(runProgram({"walk", "--from", "0,0", "--to", "1,0", "--limit", limit}).exit_status, 0)
        << limit;
  }
}

TEST(LimitOptionTest, TheLastOfSeveralCounts) {
  const ProgramRun run = runProgram(
      {"scenario", kScenario, "--limit", "chunks=1", "--limit", "depth=50", "--limit", "chunks=9"});
  EXPECT_EQ(run.exit_status, 0) << run.err;
}

}  // namespace
}  // namespace fractalray::limit_option_test
