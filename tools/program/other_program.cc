// SPDX-License-Identifier: Apache-2.0
#include "other_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#define BOOST_DLL_USE_STD_FS
#include "absl/strings/str_cat.h"
#include "boost/dll/runtime_symbol_info.hpp"

namespace fractalray {
namespace {

// Returns the folder of this program, with links followed; empty if the system does not say.
std::filesystem::path ownFolder() {
  std::error_code error;
  const std::filesystem::path program = boost::dll::program_location(error);
  return error ? std::filesystem::path() : program.parent_path();
}

// Returns its path next to this program, or its name alone, which is searched for on the PATH.
std::string findProgram(const OtherProgram& program) {
  const std::string neighbor = (ownFolder() / program.name).string();
  return ::access(neighbor.c_str(), X_OK) == 0 ? neighbor : std::string(program.name);
}

// Returns the words as execvp() takes them: the path, the arguments, and null.
std::vector<char*> wordsFor(std::string& path, std::span<const char* const> arguments) {
  std::vector<char*> words = {path.data()};
  for (const char* const argument : arguments)
    words.push_back(const_cast<char*>(argument));  // execvp() changes none, as POSIX promises
  words.push_back(nullptr);
  return words;
}

absl::Status startError(const OtherProgram& program, const std::string& path, int error) {
  if (error != ENOENT) {
    return absl::UnavailableError(absl::StrCat(path, " cannot start: ", std::strerror(error)));
  }
  return absl::NotFoundError(absl::StrCat("this command is run by the program ", program.name,
                                          ", which is neither in ", ownFolder().string(),
                                          " nor on the PATH; ", program.absent));
}

// Starts it once, for its version: after execvp() nobody could say what to do about a library that
// the loader misses.
absl::Status checkStarts(const OtherProgram& program, std::string& path) {
  constexpr int kLoaderFailed = 127;
  constexpr const char* kVersion = "--version";
  posix_spawn_file_actions_t actions;
  if (const int error = ::posix_spawn_file_actions_init(&actions); error != 0) {
    return startError(program, path, error);
  }
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, path.c_str(), &actions, nullptr,
                                   wordsFor(path, {&kVersion, 1}).data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return startError(program, path, error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kLoaderFailed) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(path, " cannot start; ", program.unable));
}

}  // namespace

absl::Status runInstead(const OtherProgram& program, std::span<const char* const> arguments) {
  std::string path = findProgram(program);
  absl::Status status = checkStarts(program, path);
  if (!status.ok()) return status;
  ::execvp(path.c_str(), wordsFor(path, arguments).data());
  return startError(program, path, errno);
}

}  // namespace fractalray
