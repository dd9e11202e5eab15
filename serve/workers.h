// SPDX-License-Identifier: Apache-2.0
// The threads that answer calls.
#pragma once

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "call_queue.h"
#include "limits.h"
#include "metrics.h"
#include "source.h"
#include "wake_pipe.h"

namespace fractalray::serve {

class Workers {
 public:
  // Starts threads, which answer the calls of a queue and then wake a loop. All must outlive this.
  Workers(int threads, CallQueue& queue, AnswerSource& source, const ServeLimits& limits,
          Metrics& metrics, WakePipe& done);
  // Closes the queue and waits for the threads, which first end its calls.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Returns the calls that have been answered since the last time. Safe from any thread.
  std::vector<std::shared_ptr<Call>> takeDone();

 private:
  void work();

  CallQueue& queue_;
  AnswerSource& source_;
  const ServeLimits& limits_;
  Metrics& metrics_;
  WakePipe& wake_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Call>> done_;
  std::vector<std::thread> threads_;
};

}  // namespace fractalray::serve
