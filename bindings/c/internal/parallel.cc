// SPDX-License-Identifier: Apache-2.0
#include "parallel.h"

#include <atomic>
#include <exception>
#include <vector>

#include "../../../core/parallel_for.h"

namespace fractalray::capi {
namespace {

// The tasks of one call.
class Tasks {
 public:
  Tasks(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task)
      : tasks_(tasks), task_(task), taken_(tasks) {}

  void run(std::size_t i) noexcept {
    if (i >= tasks_ || taken_[i].exchange(true)) return;
    try {
      task_(i);
    } catch (...) {
      if (!has_failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  // Runs the tasks that are left, and throws what a task has thrown.
  void finish() {
    for (std::size_t i = 0; i < tasks_; ++i)
      run(i);
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

 private:
  std::size_t tasks_;
  absl::FunctionRef<void(std::size_t)> task_;
  std::vector<std::atomic<bool>> taken_;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr error_;
};

void runTask(void* tasks, std::size_t i) {
  static_cast<Tasks*>(tasks)->run(i);
}

}  // namespace

void CallerThreads::operator()(std::size_t count, absl::FunctionRef<void(std::size_t)> task) const {
  if (parallel_for_ == nullptr || count < 2) return runSerially(count, task);
  Tasks tasks(count, task);
  parallel_for_(context_, count, runTask, &tasks);
  tasks.finish();
}

}  // namespace fractalray::capi
