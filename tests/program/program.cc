// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "gtest/gtest.h"

namespace fractalray::testing {
namespace {

namespace fs = std::filesystem;

int openForWriting(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

// Runs a program, the first of the words, with these files as its standard output and error;
// returns its exit status or -1.
int spawnAndWait(std::vector<std::string> words, int out, int err) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (spawned != 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// Runs a program with `out` as standard output; returns its standard error.
ProgramRun runInto(int out, std::vector<std::string> words) {
  const std::string err_path = testFolder() + "/.stderr";
  const int err = openForWriting(err_path);
  ProgramRun run;
  run.exit_status = spawnAndWait(std::move(words), out, err);
  ::close(err);
  run.err = contentOf(err_path);
  return run;
}

}  // namespace

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ProgramRun runOther(std::vector<std::string> words) {
  const std::string out_path = testFolder() + "/.stdout";
  const int out = openForWriting(out_path);
  ProgramRun run = runInto(out, std::move(words));
  ::close(out);
  run.out = contentOf(out_path);
  return run;
}

ProgramRun runProgramInto(int descriptor, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {FRACTALRAY_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return runInto(descriptor, std::move(words));
}

ProgramRun runProgram(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {FRACTALRAY_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return runOther(std::move(words));
}

bool hasStoreProgram() {
  return fs::exists(fs::path(FRACTALRAY_PROGRAM).replace_filename("fractalray-store"));
}

std::string testFolder() {
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  // Tests of one program may run at the same time, each in a process of its own.
  static const std::string kRoot =
      (fs::temp_directory_path() / ("fractalray-test-" + std::to_string(::getpid()))).string();
  struct Remover {
    ~Remover() {
      std::error_code ignored;
      fs::remove_all(kRoot, ignored);
    }
  };
  static const Remover kRemover;
  std::string name = std::string(test.test_suite_name()) + "." + test.name();
  std::replace(name.begin(), name.end(), '/', '_');
  std::string folder = kRoot + "/" + name;
  fs::create_directories(folder);
  return folder;
}

std::string writeTestFile(const std::string& name, const std::string& content) {
  std::string path = testFolder() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

}  // namespace fractalray::testing
