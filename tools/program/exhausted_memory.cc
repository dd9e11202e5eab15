// SPDX-License-Identifier: Apache-2.0
#include "exhausted_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "command.h"
#include "temporary_file.h"

namespace fractalray {
namespace {

// More than any command needs: 256 KiB do for inputs within the limits of docs/limits.md; deep JSON
// needs most.
constexpr std::size_t kStackBytes = std::size_t{1} << 20;

constinit std::atomic<bool> has_run_out = false;

void noteAndThrow() {
  has_run_out = true;
  throw std::bad_alloc();
}

[[noreturn]] void terminate() {
  if (has_run_out) endOutOfMemory();
  std::abort();
}

// Returns how much of the stack to touch: of a smaller one (ulimit -s) half, as arguments and
// environment may have a part of it.
std::size_t bytesToTouch() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) return 0;
  return static_cast<std::size_t>(std::min<rlim_t>(kStackBytes, limit.rlim_cur / 2));
}

// Touches the pages of the stack: if the system could not grow it later, it would send SIGSEGV.
__attribute__((noinline)) void growStack(std::size_t bytes) {
  constexpr std::size_t kPageBytes = 4096;
  volatile char* const pages = static_cast<volatile char*>(__builtin_alloca(bytes));
  // From the top down: the system grows a stack page by page.
  for (std::size_t i = bytes; i >= kPageBytes; i -= kPageBytes)
    pages[i - 1] = 0;
}

// Runs before all other initialisation: some of CLI11's objects allocate.
__attribute__((constructor(101))) void prepare() {
  std::set_new_handler(noteAndThrow);
  std::set_terminate(terminate);
  // It cannot be known whether the stack can grow, so try to allocate as much elsewhere.
  void* const as_much = std::malloc(kStackBytes + (kStackBytes >> 2));
  if (as_much == nullptr) endOutOfMemory();
  std::free(as_much);
  growStack(bytesToTouch());
}

}  // namespace

void endOutOfMemory() noexcept {
  removeTemporaryFiles();
  constexpr std::string_view kLine = "fractalray: RESOURCE_EXHAUSTED: out of memory\n";
  const ssize_t written = ::write(STDERR_FILENO, kLine.data(), kLine.size());
  static_cast<void>(written);
  ::_exit(kExitFailed);
}

}  // namespace fractalray
