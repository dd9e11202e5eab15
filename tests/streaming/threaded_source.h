// SPDX-License-Identifier: Apache-2.0
// A source with threads of its own, which answer requests whenever they get to them, in any order.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../streaming/chunk_source.h"

namespace fractalray {

// Thread-safe, as request() must be.
class ThreadedSource : public ChunkSource {
 public:
  // Returns the answer to the request for a path. Called on all threads, several at once.
  using Answer = std::function<absl::StatusOr<Chunk>(const std::string& path)>;

  ThreadedSource(int threads, Answer answer) : answer_(std::move(answer)) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] { work(); });
  }
  // Drops the requests that wait.
  ~ThreadedSource() override {
    {
      const std::scoped_lock lock(mutex_);
      is_closed_ = true;
    }
    waiting_.notify_all();
    threads_.clear();
  }
  ThreadedSource(const ThreadedSource&) = delete;
  ThreadedSource& operator=(const ThreadedSource&) = delete;

  void request(ChunkRequest request) override {
    {
      const std::scoped_lock lock(mutex_);
      queue_.push_back(std::move(request));
    }
    waiting_.notify_one();
  }

 private:
  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      waiting_.wait(lock, [this] { return is_closed_ || !queue_.empty(); });
      if (is_closed_) return;
      // The newest and the oldest alternately.
      takes_newest_ = !takes_newest_;
      ChunkRequest request = std::move(takes_newest_ ? queue_.back() : queue_.front());
      if (takes_newest_) {
        queue_.pop_back();
      } else {
        queue_.pop_front();
      }
      lock.unlock();
      if (request.isWanted()) request.answer(answer_(request.path().text())).IgnoreError();
    }
  }

  Answer answer_;
  std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<ChunkRequest> queue_;
  bool takes_newest_ = false;
  bool is_closed_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace fractalray
