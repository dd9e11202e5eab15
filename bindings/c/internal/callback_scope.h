// SPDX-License-Identifier: Apache-2.0
// The callbacks of the caller that are running on a thread. Callbacks that must be pure may not
// edit anything, and effects and parallel_for may not destroy the world that called them: both are
// refused.
#pragma once

#include "absl/status/status.h"

namespace fractalray::capi {

class WorldState;

// Marks a pure callback as running.
class PureScope {
 public:
  PureScope() { ++depth(); }
  ~PureScope() { --depth(); }
  PureScope(const PureScope&) = delete;
  PureScope& operator=(const PureScope&) = delete;

  // Returns true if one is running on this thread.
  static bool isRunning() { return depth() > 0; }

 private:
  static int& depth();
};

// Marks an effect of a world as running, or a batch, which calls the world's parallel_for.
class EffectScope {
 public:
  explicit EffectScope(const WorldState* world) : world_(world), outer_(innermost()) {
    innermost() = this;
  }
  ~EffectScope() { innermost() = outer_; }
  EffectScope(const EffectScope&) = delete;
  EffectScope& operator=(const EffectScope&) = delete;

  // Returns true if an effect or a batch of the world is running on this thread.
  static bool isRunning(const WorldState* world);

 private:
  static const EffectScope*& innermost();

  const WorldState* world_;
  const EffectScope* outer_;
};

// Returns FAILED_PRECONDITION in a callback that must be pure.
inline absl::Status checkEditsAllowed() {
  if (!PureScope::isRunning()) [[likely]]
    return absl::OkStatus();
  return absl::FailedPreconditionError(
      "a filter, a terminal test or another callback that must be pure cannot change anything; "
      "do it in an effect, or after the call");
}

}  // namespace fractalray::capi
