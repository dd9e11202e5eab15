// SPDX-License-Identifier: Apache-2.0
// The caller's threads as a ParallelFor.
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"

#include "../fractalray_c.h"

namespace fractalray::capi {

// Runs tasks by the caller's function, on the calling thread if there is none. Tasks that the
// function leaves out are run afterwards, those that it repeats are run once, and an exception of a
// task does not pass through it.
class CallerThreads {
 public:
  CallerThreads() = default;
  CallerThreads(frParallelForFcn* parallel_for, void* context)
      : parallel_for_(parallel_for), context_(context) {}

  void operator()(std::size_t count, absl::FunctionRef<void(std::size_t)> task) const;

 private:
  frParallelForFcn* parallel_for_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace fractalray::capi
