// SPDX-License-Identifier: Apache-2.0
// Threads for engines that have none: a small pool that runs batches. An engine with a job system
// of its own hands that in instead, as a ParallelFor.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"

#include "../core/parallel_for.h"

namespace fractalray {

// A fixed number of threads, the caller's own among them: with 1 it starts none. Any thread may
// call it; the threads serve one call at a time, and a caller that comes meanwhile, from another
// thread or out of a task, runs its tasks itself. After a call its threads stay awake for 100 us,
// since a wake-up takes half of that; then they sleep.
class ThreadExecutor {
 public:
  // Starts threads - 1 threads, by default for as many as the machine runs at once. If the system
  // starts fewer (its limits on threads or memory), those do the work, or the caller's alone: the
  // outcome of a call is the same, and threads() returns how many there are. Requires: threads >=
  // 1.
  explicit ThreadExecutor(int threads = threadsOfMachine());
  // Joins the threads. Requires: no call is running.
  ~ThreadExecutor();
  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;

  // Returns the number of threads that a call runs on, the caller's among them.
  int threads() const;
  static int threadsOfMachine();

  // Runs task(0) to task(tasks - 1), each once, and returns when all have run: a ParallelFor, as in
  // `service.shootSegment(queries, options, batch, executor)`. If a task throws, tasks that have
  // not started are left out and the first exception passes. Does not allocate.
  void operator()(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) const;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace fractalray
