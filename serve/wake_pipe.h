// SPDX-License-Identifier: Apache-2.0
// Wakes a loop that waits in poll(), from any thread and from signal handlers.
#pragma once

#include <array>
#include <atomic>

#include "absl/status/statusor.h"

#include "../bindings/c/internal/sockets.h"

namespace fractalray::serve {

class WakePipe {
 public:
  // Makes the pipe; UNAVAILABLE if the system has no descriptors left.
  absl::Status open();

  // Returns the descriptor that can be read once wake() has been called.
  int socket() const { return ends_[0].number(); }
  // Requires: open. Safe from any thread, and from a signal handler.
  void wake() noexcept;
  // Forgets all earlier calls of wake().
  void clear();

 private:
  std::array<wire::Descriptor, 2> ends_;
  std::atomic<bool> is_awake_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

}  // namespace fractalray::serve
