// SPDX-License-Identifier: Apache-2.0
// `fractalray shoot --segments -` answers a pipe line by line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "program.h"

namespace fractalray::testing::shoot_stream_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kWorld = FRACTALRAY_SOURCE_DIR "/examples/worlds/w1";

// A running `fractalray shoot --json` whose standard input and output are pipes.
class Conversation {
 public:
  Conversation() {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    EXPECT_EQ(pipe(in.data()), 0);
    EXPECT_EQ(pipe(out.data()), 0);
    child_ = fork();
    if (child_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int descriptor : {in[0], in[1], out[0], out[1]})
        close(descriptor);
      execl(FRACTALRAY_PROGRAM, FRACTALRAY_PROGRAM, "shoot", "--world", kWorld, "--segments", "-",
            "--json", nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~Conversation() {
    if (child_ > 0) kill(child_, SIGKILL);
    if (child_ > 0) waitpid(child_, nullptr, 0);
    if (to_ >= 0) close(to_);
    close(from_);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void say(const std::string& line) const {
    EXPECT_EQ(::write(to_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  // Returns the next line of the answer; what came of it if there is none within half a minute.
  std::string hear() const {
    std::string line;
    char byte = 0;
    pollfd readable{.fd = from_, .events = POLLIN, .revents = 0};
    while (poll(&readable, 1, 30'000) == 1 && read(from_, &byte, 1) == 1 && byte != '\n')
      line += byte;
    return line;
  }
  // Ends the input; returns the exit status.
  int end() {
    close(to_);
    to_ = -1;
    int status = 0;
    EXPECT_EQ(waitpid(child_, &status, 0), child_);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = -1;
  int to_ = -1;
  int from_ = -1;
};

std::string shot(int id) {
  return "{\"id\": " + std::to_string(id) +
         ", \"from\": [-183.5, 80.5, -25.5], \"to\": [-183.5, 60.5, -25.5]}\n";
}

TEST(ShootStreamTest, EachLineOfAPipeIsAnsweredBeforeTheNextIsSent) {
  Conversation program;
  for (int id = 1; id <= 3; ++id) {
    program.say(id == 2 ? "\n" + shot(id) : shot(id));
    const std::string answer = program.hear();
    EXPECT_THAT(answer, HasSubstr("\"id\":" + std::to_string(id)));
    EXPECT_THAT(answer, HasSubstr("\"hits\":["));
  }
  EXPECT_EQ(program.end(), 0);
}

TEST(ShootStreamTest, ALastLineNeedsNoNewline) {
  Conversation program;
  std::string line = shot(7);
  line.pop_back();
  program.say(line);
  EXPECT_EQ(program.end(), 0);
  EXPECT_THAT(program.hear(), HasSubstr("\"id\":7"));
}

TEST(ShootStreamTest, ABadLineEndsItWithItsNumberAfterTheAnswersBefore) {
  const ProgramRun run =
      runOther({"sh", "-c",
                "printf '%s\\n' '{\"from\": [0, 0, 0], \"to\": [1, 0, 0]}' '{\"from\": 1}' | "
                "\"$0\" shoot --world \"$1\" --segments - --json",
                FRACTALRAY_PROGRAM, kWorld});
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.out, HasSubstr("\"id\":1"));
  EXPECT_THAT(run.err, HasSubstr("standard input:2: "));
}

TEST(ShootStreamTest, AnEndlessPipeIsReadUpToTheLimits) {
  const auto piped = [](const std::string& writer, const std::string& limit) {
    return runOther({"sh", "-c",
                     writer + " | \"$0\" shoot --world \"$1\" --segments - --json --limit " + limit,
                     FRACTALRAY_PROGRAM, kWorld});
  };
  const ProgramRun lines = piped(R"(yes '{"from": [0, 0, 0], "to": [1, 0, 0]}')", "queries=100");
  EXPECT_EQ(lines.exit_status, 1);
  EXPECT_THAT(lines.out, HasSubstr("\"id\":100"));
  EXPECT_THAT(lines.err, HasSubstr("standard input:101: more than 100 queries"));
  const ProgramRun line = piped(R"(yes | tr -d '\n')", "line_bytes=1000");
  EXPECT_EQ(line.exit_status, 1);
  EXPECT_THAT(line.err, HasSubstr("standard input:1: more than 1000 bytes; --limit line_bytes=N"));
}

// The limit of the stack that docs/limits.md promises.
TEST(StackTest, EveryCommandRunsInAQuarterOfAMebibyte) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more of the stack";
#endif
  const std::string scenario = FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json";
  const std::string deep = writeTestFile("deep.json", std::string(20'000, '['));
  const std::string log = testFolder() + "/log";
  const std::string line = " --from -184,80,-60 --to -183,72,-22";
  struct Case {
    std::string command;
    int exit_status = 0;
  };
  const std::vector<Case> cases = {
      {"--version"},
      {"shoot --help"},
      {"info --world $1"},
      {"shoot --world $1" + line + " --bounces 3 --record " + log},
      {"shoot --world $1" + line + " --svg " + log + ".svg --html " + log + ".html"},
      {"replay " + log + " --world $1"},
      {"explain --world $1" + line},
      {"render --world $1 --size 64x36 --out " + log + ".png"},
      {"near " + scenario + " --at 0,0,0"},
      {"scenario " + scenario},
      {"scenario " + deep, 2},
      {"walk --from 0,0 --to 9.5,3"},
  };
  for (const auto& test : cases) {
    const ProgramRun run = runOther(
        {"sh", "-c", "ulimit -s 256 && exec \"$0\" " + test.command, FRACTALRAY_PROGRAM, kWorld});
    EXPECT_EQ(run.exit_status, test.exit_status) << test.command << "\n" << run.err;
  }
}

}  // namespace
}  // namespace fractalray::testing::shoot_stream_test
