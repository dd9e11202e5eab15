// SPDX-License-Identifier: Apache-2.0
// ThreadExecutor where there are no threads: the caller's runs all tasks, in order.
#include "check.h"
#include "thread_executor.h"

namespace fractalray {

class ThreadExecutor::Pool {};

int ThreadExecutor::threadsOfMachine() {
  return 1;
}

ThreadExecutor::ThreadExecutor(int threads) {
  FRACTALRAY_CHECK(threads >= 1, threads);
}
ThreadExecutor::~ThreadExecutor() = default;

// NOLINTNEXTLINE(readability-convert-member-functions-to-static)
int ThreadExecutor::threads() const {
  return 1;
}

void ThreadExecutor::operator()(std::size_t tasks,
                                absl::FunctionRef<void(std::size_t)> task) const {
  for (std::size_t i = 0; i < tasks; ++i)
    task(i);
}

}  // namespace fractalray
