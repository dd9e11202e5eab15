// SPDX-License-Identifier: Apache-2.0
#include "thread_executor.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "check.h"

namespace fractalray {

namespace {

// Waits a little for `is_there` before its caller goes to sleep: a wake-up takes many times longer
// than most of these waits. Yields to other threads meanwhile.
template <class IsThere>
void waitAwake(const IsThere& is_there) {
  constexpr std::chrono::microseconds kPatience(100);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!is_there() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
}

}  // namespace

class ThreadExecutor::Pool {
 public:
  explicit Pool(int threads) {
    // Reserves no memory for that many: too large a number is no reason to fail.
    try {
      for (int i = 1; i < threads; ++i)
        workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system starts no more threads: those that run suffice.
    } catch (const std::bad_alloc&) {
      // As above.
    }
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    has_job_.notify_all();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  void run(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
    if (workers_.empty() || tasks <= 1 || is_busy_.test_and_set(std::memory_order_acquire)) {
      return runSerially(tasks, task);
    }
    Job job{.tasks = tasks, .task = task, .failure = nullptr};
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      ++jobs_;
    }
    has_job_.notify_all();
    help(job);
    waitAwake([this] { return helpers_.load(std::memory_order_relaxed) == 0; });
    {
      // No thread joins any more; wait for those that have.
      std::unique_lock lock(mutex_);
      job_ = nullptr;
      is_idle_.wait(lock, [this] { return helpers_ == 0; });
    }
    is_busy_.clear(std::memory_order_release);
    if (job.failure != nullptr) std::rethrow_exception(job.failure);
  }

 private:
  // The tasks of one call.
  struct Job {
    std::size_t tasks;
    absl::FunctionRef<void(std::size_t)> task;
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> has_failed = false;
    std::exception_ptr failure;  // set by the thread that has set has_failed
  };

  static void help(Job& job) {
    while (!job.has_failed.load(std::memory_order_relaxed)) {
      const std::size_t number = job.next.fetch_add(1, std::memory_order_relaxed);
      if (number >= job.tasks) return;
      try {
        job.task(number);
      } catch (...) {
        if (!job.has_failed.exchange(true)) job.failure = std::current_exception();
      }
    }
  }

  // Runs a thread: it waits for a job and helps with it.
  void work() {
    std::unique_lock lock(mutex_, std::defer_lock);
    for (std::size_t helped = 0;;) {
      waitAwake([&] { return jobs_.load(std::memory_order_relaxed) != helped; });
      lock.lock();
      has_job_.wait(lock, [&] { return is_over_ || (job_ != nullptr && jobs_ != helped); });
      if (is_over_) return;
      Job& job = *job_;
      helped = jobs_;
      ++helpers_;
      lock.unlock();
      help(job);
      lock.lock();
      if (--helpers_ == 0) is_idle_.notify_one();
      lock.unlock();
    }
  }

  std::atomic_flag is_busy_;  // with a call
  // The following are changed only under the mutex; the atomic ones are also read without it.
  std::mutex mutex_;
  std::condition_variable has_job_;
  std::condition_variable is_idle_;
  Job* job_ = nullptr;
  std::atomic<std::size_t> jobs_ = 0;     // so far
  std::atomic<std::size_t> helpers_ = 0;  // threads working on job_
  bool is_over_ = false;
  std::vector<std::jthread> workers_;  // last: they end before what they use
};

int ThreadExecutor::threadsOfMachine() {
  // Replaces 0, which means that the machine does not know.
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

ThreadExecutor::ThreadExecutor(int threads) {
  FRACTALRAY_CHECK(threads >= 1, threads);
  pool_ = std::make_unique<Pool>(threads);
}
ThreadExecutor::~ThreadExecutor() = default;

int ThreadExecutor::threads() const {
  return pool_->threads();
}

void ThreadExecutor::operator()(std::size_t tasks,
                                absl::FunctionRef<void(std::size_t)> task) const {
  pool_->run(tasks, task);
}

}  // namespace fractalray
