// SPDX-License-Identifier: Apache-2.0
#include "server_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace fractalray::testing {

std::vector<std::string> ServerProcess::firstSteps() {
  return {"--scenario", FRACTALRAY_SOURCE_DIR "/tests/scenarios/first-steps.json"};
}

ServerProcess::ServerProcess(const std::string& path, std::vector<std::string> world,
                             std::vector<std::string> more) {
#ifdef FRACTALRAY_PROGRAM
  std::vector<std::string> words = {FRACTALRAY_PROGRAM, "serve", "--listen", "unix:" + path};
  words.insert(words.end(), world.begin(), world.end());
  words.insert(words.end(), more.begin(), more.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int spawned = posix_spawn(&process_, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output_ = ends[0];
  if (spawned != 0) {
    process_ = -1;
    return;
  }
  std::string text;
  char byte = 0;
  while (text.find("listening at") == std::string::npos && ::read(output_, &byte, 1) == 1)
    text += byte;
  is_ready_ = text.find("listening at") != std::string::npos;
#else
  static_cast<void>(path);
  static_cast<void>(world);
  static_cast<void>(more);
#endif
}

ServerProcess::~ServerProcess() {
  if (process_ > 0) {
    signal(SIGKILL);
    static_cast<void>(wait());
  }
  if (output_ >= 0) ::close(output_);
}

void ServerProcess::signal(int number) const {
  if (process_ > 0) ::kill(process_, number);
}

int ServerProcess::wait() {
  int status = 0;
  if (process_ <= 0 || ::waitpid(process_, &status, 0) != process_) return -1;
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace fractalray::testing
