// SPDX-License-Identifier: Apache-2.0
#include "temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fractalray {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

// Names where a signal handler can read them: it may neither allocate nor lock.
struct Slot {
  std::atomic<bool> is_used = false;
  std::array<char, 4096> name{};  // as long as a path can be
};
static_assert(std::atomic<bool>::is_always_lock_free);

// More files than any command writes at the same time. A file beyond that is written as well, but
// not removed if a signal ends the program.
constinit std::array<Slot, 8> slots;

// Holds the signals back, so that none comes between a change of a file and that of its slot.
class SignalHold {
 public:
  SignalHold() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kSignals)
      sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalHold() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

 private:
  sigset_t before_;
};

void keepName(std::string_view name) {
  auto* const free = std::ranges::find_if(slots, [](const Slot& slot) { return !slot.is_used; });
  if (free == slots.end() || name.size() >= free->name.size()) return;
  std::ranges::copy(name, free->name.begin());
  free->name[name.size()] = '\0';
  free->is_used = true;
}

void forgetName(std::string_view name) {
  for (Slot& slot : slots) {
    if (slot.is_used && name == slot.name.data()) slot.is_used = false;
  }
}

extern "C" void removeFilesAndEnd(int signal) {
  removeTemporaryFiles();
  // The handler has been removed by now (SA_RESETHAND), so when this returns, the signal is
  // delivered again and ends the program.
  static_cast<void>(std::raise(signal));
}

}  // namespace

int makeTemporaryFile(std::string& name) {
  const SignalHold hold;
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) keepName(name);
  return descriptor;
}

void keepTemporaryFile(const std::string& name) {
  const SignalHold hold;
  keepName(name);
}

int renameTemporaryFile(const std::string& name, const std::string& target) {
  const SignalHold hold;
  const int failed = std::rename(name.c_str(), target.c_str());
  if (failed == 0) forgetName(name);
  return failed;
}

void removeTemporaryFile(const std::string& name) {
  const SignalHold hold;
  ::unlink(name.c_str());
  forgetName(name);
}

void removeTemporaryFiles() noexcept {
  for (Slot& slot : slots) {
    if (slot.is_used.exchange(false)) ::unlink(slot.name.data());
  }
}

void removeTemporaryFilesOnSignals() {
  for (const int signal : kSignals) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = removeFilesAndEnd;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace fractalray
