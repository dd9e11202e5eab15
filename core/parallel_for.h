// SPDX-License-Identifier: Apache-2.0
// The interface through which the library receives threads: it has none of its own.
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace fractalray {

// Runs task(0) to task(tasks - 1), each once, in any order and on any threads, possibly several at
// once, and returns when all of them have finished. Tasks do not wait for each other. Refers to the
// function from which it is made, which must live as long.
using ParallelFor =
    absl::FunctionRef<void(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task)>;

// Runs the tasks one after another on the calling thread.
inline void runSerially(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
  for (std::size_t i = 0; i < tasks; ++i)
    task(i);
}

}  // namespace fractalray
