// SPDX-License-Identifier: Apache-2.0
// Colours: on terminals, not in pipes, and not where NO_COLOR is set.
#include "../../tools/program/color.h"

#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "program.h"

namespace fractalray::color_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";

// Sets environment variables, for the programs that are run too; null removes one.
class Environment {
 public:
  Environment(std::string name, const char* value) : name_(std::move(name)) {
    const char* const before = std::getenv(name_.c_str());
    had_ = before != nullptr;
    if (had_) before_ = before;
    set(value);
  }
  ~Environment() { set(had_ ? before_.c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_.c_str());
    } else {
      ::setenv(name_.c_str(), value, 1);
    }
  }

  std::string name_;
  std::string before_;
  bool had_ = false;
};

// Runs the program with a terminal as its standard output; returns what it wrote there.
std::string onATerminal(const std::vector<std::string>& arguments) {
  int terminal = -1;
  int program = -1;
  EXPECT_EQ(::openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  const testing::ProgramRun run = testing::runProgramInto(program, arguments);
  EXPECT_EQ(run.exit_status, 0) << run.err;
  ::close(program);
  std::string text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t count = ::read(terminal, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(terminal);
  return text;
}

const std::vector<std::string> kNear = {"near", kScenario, "--at", "8,2.5,3.5", "--count", "2"};

TEST(ColorTest, OnATerminal) {
  const Environment no_color("NO_COLOR", nullptr);
  const Environment terminal("TERM", "xterm");
  EXPECT_THAT(onATerminal(kNear), AllOf(HasSubstr("  \x1b[4mdistance"), HasSubstr("\x1b[0m")));
}

TEST(ColorTest, NotWhereNoColorIsSet) {
  const Environment terminal("TERM", "xterm");
  const Environment no_color("NO_COLOR", "1");
  EXPECT_THAT(onATerminal(kNear), AllOf(HasSubstr("  distance"), Not(HasSubstr("\x1b"))));
  const Environment empty("NO_COLOR", "");
  EXPECT_THAT(onATerminal(kNear), HasSubstr("\x1b[4m")) << "an empty NO_COLOR says nothing";
}

TEST(ColorTest, NotOnADumbTerminal) {
  const Environment no_color("NO_COLOR", nullptr);
  const Environment terminal("TERM", "dumb");
  EXPECT_THAT(onATerminal(kNear), Not(HasSubstr("\x1b")));
}

TEST(ColorTest, NotInAPipe) {
  const Environment no_color("NO_COLOR", nullptr);
  const Environment terminal("TERM", "xterm");
  const testing::ProgramRun run = testing::runProgram(kNear);
  EXPECT_THAT(run.out, AllOf(HasSubstr("  distance"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(testing::runProgram({"near"}).err, Not(HasSubstr("\x1b")));
}

// JSON is for programs.
TEST(ColorTest, NeverInJson) {
  const Environment no_color("NO_COLOR", nullptr);
  const Environment terminal("TERM", "xterm");
  std::vector<std::string> words = kNear;
  words.emplace_back("--json");
  EXPECT_THAT(onATerminal(words), AllOf(HasSubstr("{\"found\":"), Not(HasSubstr("\x1b"))));
}

// Files are the same whatever the program's output is.
TEST(ColorTest, NeverInFiles) {
  const Environment no_color("NO_COLOR", nullptr);
  const Environment terminal("TERM", "xterm");
  const std::string path = testing::testFolder() + "/shot.html";
  const std::string text = onATerminal(
      {"explain", "--scenario", FRACTALRAY_SOURCE_DIR "/docs/figures/shot.json", "--html", path});
  EXPECT_THAT(text, HasSubstr("\x1b[1mLevel 1\x1b[0m, blocks 1 wide"));
  EXPECT_THAT(testing::contentOf(path), AllOf(HasSubstr("Level 1, blocks 1 wide"),
                                              Not(HasSubstr("\x1b")), Not(HasSubstr("u001b"))));
}

TEST(PrintableInColorTest, LetsOurOwnSequencesThroughAndNoOther) {
  const std::string red = Colors::all()(Ink::kEnding, "red");
  EXPECT_EQ(printableInColor(red + " plain"), red + " plain");
  EXPECT_EQ(printableInColor("a\x1b[2Jb"), "a\\u001b[2Jb");
  EXPECT_EQ(printableInColor("\x1b\x1b[0m\x1b"), "\\u001b\x1b[0m\\u001b");
  EXPECT_EQ(printableInColor(std::string("\xff\n", 2)), "\\xff\n");
}

TEST(ColorsTest, OffWritesNothing) {
  EXPECT_EQ(Colors()(Ink::kTitle, "text"), "text");
  EXPECT_EQ(Colors::all()(Ink::kTitle, ""), "");
}

}  // namespace
}  // namespace fractalray::color_test
