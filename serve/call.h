// SPDX-License-Identifier: Apache-2.0
// A call on its way from a connection to a worker and back.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "../bindings/c/internal/sockets.h"
#include "memory_budget.h"
#include "request.h"

namespace fractalray::serve {

using wire::Clock;

// Belongs to one thread at a time, but for is_cancelled.
struct Call {
  std::uint64_t connection = 0;  // of the server's loop
  std::uint64_t number = 0;      // the client's
  Clock::time_point received{};  // its first byte: the caller's deadline counts from there
  Reservation memory;            // of the body and the reply
  std::vector<std::byte> body;   // which `request` points into
  CallRequest request;
  // Set if nobody waits for the answer any more.
  std::atomic<bool> is_cancelled = false;
  // Takes the call back from the worker, on its thread; the server's loop does if it is empty.
  // Throws nothing.
  std::function<void()> answered;

  // The outcome, set by the worker.
  std::vector<std::byte> reply;  // the frame to send; empty if it was cancelled
  std::int32_t result = 0;
  std::uint64_t completed = 0;
  std::chrono::nanoseconds worked{};
  // The next one in a list of calls that have been answered, for which no memory is taken.
  std::shared_ptr<Call> next_done;
};

}  // namespace fractalray::serve
