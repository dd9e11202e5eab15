// SPDX-License-Identifier: Apache-2.0
// The calls that wait for a worker: bounded, first in, first out.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "call.h"

namespace fractalray::serve {

// Counts the calls that wait and those that run. Safe from any thread.
class CallQueue {
 public:
  struct Depth {
    std::uint64_t calls = 0;
    std::uint64_t lines = 0;
  };

  // Bounds calls and lines; a call alone may have more lines. `workers` take calls.
  CallQueue(std::uint64_t most_calls, std::uint64_t most_lines, int workers)
      : most_calls_(most_calls), most_lines_(most_lines), workers_(workers) {}
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;

  // Takes a call; returns nothing then, or else the time after which there will be space for it: by
  // the time that lines have taken lately, 1 ms to 1 s. A closed queue takes none.
  std::optional<std::chrono::milliseconds> push(std::shared_ptr<Call> call);
  // Waits for a call and returns it; null once the queue is closed and empty.
  std::shared_ptr<Call> pop();
  // Counts a call no longer, which has run or was cancelled.
  void finished(const Call& call);
  // Ends pop() once all calls have been taken.
  void close();

  Depth depth() const;

 private:
  const std::uint64_t most_calls_;
  const std::uint64_t most_lines_;
  const int workers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> waiting_;
  Depth depth_;
  double ns_per_line_ = 1000;  // of one worker, lately
  bool is_closed_ = false;
};

}  // namespace fractalray::serve
