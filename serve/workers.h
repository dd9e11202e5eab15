// SPDX-License-Identifier: Apache-2.0
// The threads that answer calls.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"

#include "call_queue.h"
#include "metrics.h"
#include "serve_limits.h"
#include "source.h"
#include "wake_pipe.h"

namespace fractalray::serve {

class Workers {
 public:
  // Its threads answer the calls of a queue and then wake a loop. All must outlive this.
  Workers(CallQueue& queue, AnswerSource& source, const ServeLimits& limits, Metrics& metrics,
          WakePipe& done)
      : queue_(queue), source_(source), limits_(limits), metrics_(metrics), wake_(done) {}
  // Closes the queue and waits for the threads, which first end its calls. If none was started, its
  // calls are cancelled.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Starts threads; UNAVAILABLE if the system has not so many. Call it once.
  absl::Status start(int threads);

  // Returns the calls of the loop that have been answered since the last time, linked by next_done;
  // null if there are none. Safe from any thread. Throws nothing.
  std::shared_ptr<Call> takeDone() noexcept;

 private:
  void work();
  void answer(std::shared_ptr<Call> call);

  CallQueue& queue_;
  AnswerSource& source_;
  const ServeLimits& limits_;
  Metrics& metrics_;
  WakePipe& wake_;
  std::mutex mutex_;
  std::shared_ptr<Call> done_;  // linked, the last one first
  std::vector<std::thread> threads_;
};

}  // namespace fractalray::serve
