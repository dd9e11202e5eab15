// SPDX-License-Identifier: Apache-2.0
// Threads for engines without a job system: a small pool that runs batches. An engine with a job
// system of its own passes an adapter to it instead, as a ParallelFor.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"

#include "parallel_for.h"

namespace fractalray {

// A fixed number of threads, including the caller's: with 1 it starts none. Any thread may call it.
// The threads serve one call at a time; a call made meanwhile, by another thread or by a task, runs
// its tasks on its own thread. After a call the threads stay awake for 100 us, since waking up
// takes half of that; then they sleep.
class ThreadExecutor {
 public:
  // Starts threads - 1 threads; by default `threads` is the number that the machine runs at once.
  // If the system starts fewer (because of limits on threads or memory), it uses those, or the
  // caller's alone: the outcome of a call is the same, and threads() returns their number.
  // Requires: threads >= 1.
  explicit ThreadExecutor(int threads = threadsOfMachine());
  // Joins the threads. Requires: no call is running.
  ~ThreadExecutor();
  ThreadExecutor(const ThreadExecutor&) = delete;
  ThreadExecutor& operator=(const ThreadExecutor&) = delete;

  // Returns the number of threads that a call runs on, including the caller's.
  int threads() const;
  static int threadsOfMachine();

  // Runs task(0) to task(tasks - 1), each once, and returns when all have run: a ParallelFor, as in
  // `service.shootSegment(queries, options, batch, executor)`. If a task throws, tasks that have
  // not started are left out and the first exception passes through. Does not allocate.
  void operator()(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) const;

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace fractalray
