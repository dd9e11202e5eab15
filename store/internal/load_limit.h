// SPDX-License-Identifier: Apache-2.0
// When a call is to load no more.
#pragma once

#include <atomic>

#include "absl/status/status.h"

#include "connection.h"

namespace fractalray {

// Bounds the time of a load. Checked between chunks: those loaded by then stay known, so that the
// next call continues from there.
struct LoadLimit {
  StoreTime until = StoreTime::max();
  const std::atomic<bool>* is_cancelled = nullptr;  // null for none

  // Returns CANCELLED or DEADLINE_EXCEEDED once that is so.
  absl::Status check() const {
    if (is_cancelled != nullptr && *is_cancelled)
      return absl::CancelledError("nobody waits for the answer");
    if (StoreClock::now() < until) return absl::OkStatus();
    return absl::DeadlineExceededError(
        "not all that the lines need was loaded in time; the next call continues from there");
  }
};

}  // namespace fractalray
