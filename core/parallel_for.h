// SPDX-License-Identifier: Apache-2.0
// How the library is given threads: it has none of its own.
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace fractalray {

// Runs task(0) to task(tasks - 1), each once, in any order and on any threads, several at once if
// it likes, and returns when all of them have. Tasks do not wait for each other. Refers to the
// function that it is made of, which must live as long.
using ParallelFor =
    absl::FunctionRef<void(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task)>;

// The one without threads: one after another, by the caller.
inline void runSerially(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
  for (std::size_t i = 0; i < tasks; ++i)
    task(i);
}

}  // namespace fractalray
