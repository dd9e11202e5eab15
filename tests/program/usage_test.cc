// SPDX-License-Identifier: Apache-2.0
// Checks what all commands share: help, version, wrong command lines, output that cannot be
// written.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Returns the commands that the program's own help lists.
std::vector<std::string> commands() {
  std::istringstream help(runProgram({"--help"}).out);
  std::vector<std::string> names;
  bool listing = false;
  for (std::string line; std::getline(help, line);) {
    if (listing && !line.starts_with("  ")) listing = false;
    // A name, then the purpose; continued lines of the purpose begin further to the right.
    if (listing && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Subcommands:") listing = true;
  }
  return names;
}

// Returns those that this build can run.
std::vector<std::string> commandsOfThisBuild() {
  std::vector<std::string> names = commands();
  if (!hasStoreProgram()) std::erase(names, "store");
  return names;
}

TEST(UsageTest, HelpListsTheCommands) {
  const ProgramRun run = runProgram({"--help"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_THAT(commands(), ::testing::UnorderedElementsAre(
                              "demo", "shoot", "render", "info", "scenario", "walk", "compare",
                              "explain", "near", "replay", "serve", "store", "visible"));
}

TEST(UsageTest, EveryCommandHasHelpWithAPurposeAndAnExample) {
  for (const std::string& command : commandsOfThisBuild()) {
    const ProgramRun run = runProgram({command, "--help"});
    EXPECT_EQ(run.exit_status, 0) << command;
    EXPECT_THAT(run.out, HasSubstr("Usage: fractalray " + command));
    ASSERT_THAT(run.out, HasSubstr("\nExample"));
    // An example may begin with another command, such as `timeout` before one that does not end.
    EXPECT_THAT(run.out.substr(run.out.find("\nExample")), HasSubstr(" fractalray " + command));
    const std::string purpose = run.out.substr(0, run.out.find('\n'));
    EXPECT_GE(purpose.size(), 20U) << purpose;
    EXPECT_LE(purpose.size(), 120U) << purpose;
    EXPECT_THAT(run.err, IsEmpty());
  }
}

TEST(UsageTest, HelpIsAWordToo) {
  const ProgramRun all = runProgram({"help"});
  EXPECT_EQ(all.exit_status, 0);
  EXPECT_EQ(all.out, runProgram({"--help"}).out);
  const ProgramRun walk = runProgram({"help", "walk"});
  EXPECT_EQ(walk.exit_status, 0);
  EXPECT_EQ(walk.out, runProgram({"walk", "--help"}).out);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"help", "shot"}, {"shot", "--help"}}) {
    const ProgramRun run = runProgram(words);
    EXPECT_EQ(run.exit_status, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith("fractalray: there is no command \"shot\"; did you mean "
                                    "\"shoot\"? There are demo, "));
  }
}

TEST(UsageTest, HelpFitsATerminal) {
  std::vector<std::string> helps = {runProgram({"--help"}).out};
  for (const std::string& command : commandsOfThisBuild())
    helps.push_back(runProgram({command, "--help"}).out);
  for (const std::string& help : helps) {
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 120U) << line;
  }
}

// Lengths are in blocks of the finest level, whatever its number in a world.
TEST(UsageTest, NoHelpNamesALevelByItsNumber) {
  for (const std::string& command : commandsOfThisBuild())
    EXPECT_THAT(runProgram({command, "--help"}).out, ::testing::Not(HasSubstr("level-3")));
}

TEST(UsageTest, VersionIsOneLine) {
  const ProgramRun run = runProgram({"--version"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_TRUE(std::regex_match(run.out, std::regex("fractalray \\d+\\.\\d+\\.\\d+\n"))) << run.out;
}

TEST(UsageTest, NoCommandPrintsTheHelpAsAnError) {
  const ProgramRun run = runProgram({});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("Usage: fractalray"));
  EXPECT_THAT(run.err, HasSubstr("scenario"));
}

TEST(UsageTest, WrongCommandLinesExitWith2AndSayWhy) {
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
    std::string help;
  };
  const std::vector<Case> cases = {
      {{"fly"}, "fractalray: there is no command \"fly\"; there are demo, ", "fractalray --help"},
      {{"shot"},
       "fractalray: there is no command \"shot\"; did you mean \"shoot\"? There are ",
       "fractalray --help"},
      {{"--fly"}, "fractalray: there is no option \"--fly\"", "fractalray --help"},
      {{"--fly", "info"},
       "fractalray info: there is no option \"--fly\" before the command; ",
       "--help"},
      {{"shoot", "--wrld", "X"},
       "fractalray shoot: there is no option \"--wrld\"; did you mean \"--world\"? There are "
       "--help, ",
       "fractalray shoot --help"},
      {{"shoot", "--wrld=X"},
       "fractalray shoot: there is no option \"--wrld\"; did you mean \"--world\"?",
       "fractalray shoot --help"},
      {{"scenario", "--recrd", "x", "y"},
       "fractalray scenario: there is no option \"--recrd\"; did you mean \"--record\"?",
       "fractalray scenario --help"},
      {{"info", "-x"}, "fractalray info: there is no option \"-x\"; there are --help, ", "--help"},
      {{"info", "--world", ""}, "fractalray info: --world: the value is empty", "--help"},
      {{"walk", "--from", "0,0", "--to", "1,1", "--svg", ""},
       "fractalray walk: --svg: the value is empty",
       "--help"},
      {{"walk", "--from", "0,0", "--to", "1,1", "--svg", "x.png"},
       "fractalray walk: --svg: x.png would hold a SVG file; ",
       "name it x.svg"},
      {{"walk"}, "fractalray walk: --from is required", "fractalray walk --help"},
      {{"walk", "--from", "0,0"}, "fractalray walk: --to is required", "fractalray walk --help"},
      {{"walk", "--from"}, "fractalray walk: --from", "fractalray walk --help"},
      {{"scenario"}, "fractalray scenario: FILE is required", "fractalray scenario --help"},
      {{"scenario", "a", "b"},
       "fractalray scenario: The following argument was not expected: b",
       "fractalray scenario --help"},
  };
  for (const Case& each : cases) {
    const ProgramRun run = runProgram(each.arguments);
    EXPECT_EQ(run.exit_status, 2) << each.reason;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, StartsWith(each.reason));
    EXPECT_THAT(run.err, HasSubstr(each.help));
  }
}

TEST(UsageTest, OutputThatCannotBeWrittenExitsWith1) {
  const std::string scenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";
  const std::vector<std::vector<std::string>> command_lines = {
      {"--help"},
      {"--version"},
      {"walk", "--help"},
      {"walk", "--from", "0,0", "--to", "3,3"},
      {"walk", "--from", "0,0", "--to", "3,3", "--json"},
      {"walk", "--from", "0,0", "--to", "300000,3", "--json"},
      {"scenario", scenario}};
  for (const std::vector<std::string>& arguments : command_lines) {
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    const ProgramRun run = runProgramInto(full, arguments);
    ::close(full);
    EXPECT_EQ(run.exit_status, 1) << arguments[0];
    EXPECT_THAT(run.err, HasSubstr("standard output cannot be written: No space left on device"));
  }
}

TEST(UsageTest, AReaderThatHasGoneExitsWith1) {
  std::array<int, 2> pipe_ends;
  ASSERT_EQ(::pipe2(pipe_ends.data(), O_CLOEXEC), 0);
  ::close(pipe_ends[0]);
  const ProgramRun run =
      runProgramInto(pipe_ends[1], {"walk", "--from", "0,0", "--to", "100000,3", "--json"});
  ::close(pipe_ends[1]);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_EQ(run.err, "fractalray walk: standard output cannot be written: Broken pipe\n");
}

}  // namespace
}  // namespace fractalray::testing
