// SPDX-License-Identifier: Apache-2.0
#include "wake_pipe.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace fractalray::serve {

absl::Status WakePipe::open() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return wire::systemError("pipe", errno);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends_[i] = wire::Descriptor(ends[i]);
    absl::Status status = wire::makeNonBlocking(ends[i]);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void WakePipe::wake() noexcept {
  if (is_awake_.exchange(true)) return;
  const int error = errno;  // a handler must leave it as it was
  const char byte = 0;
  // Fails only if the pipe is full, which wakes the loop as well.
  [[maybe_unused]] const ssize_t written = ::write(ends_[1].number(), &byte, 1);
  errno = error;
}

void WakePipe::clear() {
  std::array<char, 64> bytes{};
  while (::read(socket(), bytes.data(), bytes.size()) > 0) {
  }
  // Last, or the byte of a wake() in between would be read here while the flag keeps later ones
  // from writing. The caller looks for its reasons after this.
  is_awake_.store(false);
}

}  // namespace fractalray::serve
