// SPDX-License-Identifier: Apache-2.0
// The limits of a server: whatever a caller names or withholds has one.
#pragma once

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"

namespace fractalray::serve {

struct ServeLimits {
  std::uint64_t batch_lines = 65'536;                   // lines of a call
  std::uint64_t frame_bytes = std::uint64_t{32} << 20;  // of the body of a call
  // The calls that wait or run, and their lines. A call beyond them is refused with a delay.
  std::uint64_t queue_calls = 256;
  std::uint64_t queue_lines = 262'144;
  // The calls that are being received, wait, run, or whose answers are being sent.
  std::uint64_t memory_bytes = std::uint64_t{256} << 20;
  std::uint64_t connections = 256;
  // The steps of a query, where callers give no lower limit; 0 for none. Limits turn packets of
  // rays off.
  std::uint64_t max_steps = 0;
  // The times after which a connection is closed: from the first byte of a frame to the last, and
  // from the beginning to the hello; while the client takes no byte of an answer; for a whole
  // answer; without a call.
  std::chrono::milliseconds frame_time{10'000};
  std::chrono::milliseconds stall_time{5'000};
  std::chrono::milliseconds answer_time{60'000};
  std::chrono::milliseconds idle_time{600'000};
  // The most time of a call once it runs. Its leading lines are answered, as with a deadline.
  std::chrono::milliseconds call_time{10'000};
  // The time that calls have to end after the server is to stop.
  std::chrono::milliseconds drain_time{10'000};
};

// Returns INVALID_ARGUMENT for limits of 0, and if the memory does not suffice for one call.
absl::Status checkLimits(const ServeLimits& limits);

}  // namespace fractalray::serve
