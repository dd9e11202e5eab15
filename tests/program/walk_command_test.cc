// SPDX-License-Identifier: Apache-2.0
// `fractalray walk`: its table, its JSON and what it refuses.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(WalkCommandTest, PrintsATable) {
  const ProgramRun run = runProgram({"walk", "--from", "0.5,0.5", "--to", "2.5,1.5"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_EQ(run.out,
            "       #  t                       face  cell\n"
            "       1  0                       -     0,0\n"
            "       2  0.25                    -x    1,0\n"
            "       3  0.5                     -y    1,1\n"
            "       4  0.75                    -x    2,1\n"
            "4 cells, 3 crossings\n");
}

TEST(WalkCommandTest, PrintsJson) {
  const ProgramRun run = runProgram(
      {"walk", "--from", "-0.5,0.5,0.5", "--to", "0.5,1.5,0.5", "--corner", "neither", "--json"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_EQ(run.out,
            "{\"id\":\"walk\",\"cells\":[{\"cell\":[-1,0,0],\"t\":0,\"face\":null},"
            "{\"cell\":[0,1,0],\"t\":0.5,\"face\":\"-x\"}]}\n");
}

TEST(WalkCommandTest, TakesACellWidthForAllAxesOrEach) {
  EXPECT_EQ(runProgram({"walk", "--from", "0,0", "--to", "3,3", "--cell", "2", "--json"}).out,
            runProgram({"walk", "--from", "0,0", "--to", "3,3", "--cell", "2,2", "--json"}).out);
  const ProgramRun run =
      runProgram({"walk", "--from=-1,0", "--to=-1,5", "--cell", "1,2.5", "--json"});
  EXPECT_EQ(
      run.out,
      "{\"id\":\"walk\",\"cells\":[{\"cell\":[-1,0],\"t\":0,\"face\":null},"
      "{\"cell\":[-1,1],\"t\":0.5,\"face\":\"-y\"},{\"cell\":[-1,2],\"t\":1,\"face\":\"-y\"}]}\n");
}

TEST(WalkCommandTest, OneCellIsSingular) {
  EXPECT_THAT(runProgram({"walk", "--from", "1,1", "--to", "1,1"}).out,
              ::testing::EndsWith("\n1 cell, 0 crossings\n"));
}

TEST(WalkCommandTest, ListsNoMoreCellsThanTheLimit) {
  const ProgramRun run = runProgram({"walk", "--from", "0,0", "--to", "1e12,0"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, StartsWith("fractalray walk: RESOURCE_EXHAUSTED: the walk crosses into "
                                  "1000000000000 cells; at most 10000000 are listed"));
}

TEST(WalkCommandTest, RefusesWithTheReason) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--from", "0,0", "--to", "1,x"},
       R"(--to: "x" in "1,x" is not a number; write 2 or 3 numbers like 1.5,2,-3)"},
      {{"--from", "0,0", "--to", "1,,2"}, R"(--to: "" in "1,,2" is not a number)"},
      {{"--from", "0", "--to", "1"}, "--from: \"0\" has 1 number; write 2 or 3"},
      {{"--from", "0,0,0,0", "--to", "1"}, "--from: \"0,0,0,0\" has 4 numbers"},
      {{"--from", "0,0", "--to", "1,1,1"}, "--from has 2 numbers and --to has 3"},
      {{"--from", "0,0", "--to", "1e300,1"}, "the walk's to.x is 1e+300"},
      {{"--from", "0,nan", "--to", "1,1"}, "the walk's from.y is NaN"},
      {{"--from", "0,0", "--to", "1,inf"}, "the walk's to.y is infinite"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "0"}, "--cell: the cell's width is 0"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "1,-1"}, "--cell: the cell's width is -1"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "1,1,1"}, "--cell: \"1,1,1\" has 3 numbers"},
      {{"--from", "0,0,0", "--to", "1,1,1", "--cell", "1,1"}, "--cell: \"1,1\" has 2 widths"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "0.1"},
       "--cell: the cell's width is 0.1, which is not a multiple of 1/65536; divide the "
       "coordinates by it and leave it out, or give 0.100006103515625\n"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "1,0.30000001"},
       "--cell: the cell's width is 0.30000001, which is not a multiple of 1/65536"},
      {{"--from", "0,0", "--to", "1,1", "--cell", "nan"}, "--cell: the cell's width is NaN"},
      {{"--from", "0,0", "--to", "1,1e999"}, "--to: \"1e999\" in \"1,1e999\" is beyond the range"},
      {{"--from", "0,0", "--to", "1,1", "--corner", "some"}, "--corner: \"some\" is not a policy"},
  };
  for (const auto& [arguments, reason] : cases) {
    std::vector<std::string> words = {"walk"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2) << reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray walk: " + reason));
    words.emplace_back("--json");
    EXPECT_EQ(runProgram(words).err, run.err) << "the same with --json";
  }
}

}  // namespace
}  // namespace fractalray::testing
