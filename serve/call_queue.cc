// SPDX-License-Identifier: Apache-2.0
#include "call_queue.h"

#include <algorithm>
#include <utility>

namespace fractalray::serve {

std::optional<std::chrono::milliseconds> CallQueue::push(std::shared_ptr<Call> call) {
  const std::uint64_t lines = call->request.lines.count;
  {
    const std::lock_guard lock(mutex_);
    const bool is_full = is_closed_ || depth_.calls >= most_calls_ ||
                         (depth_.calls > 0 && depth_.lines + lines > most_lines_);
    if (is_full) {
      const double wait_ms = static_cast<double>(depth_.lines) * ns_per_line_ / workers_ / 1e6 + 1;
      return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(wait_ms, 1000.0)));
    }
    waiting_.push_back(std::move(call));
    ++depth_.calls;
    depth_.lines += lines;
  }
  changed_.notify_one();
  return std::nullopt;
}

std::shared_ptr<Call> CallQueue::pop() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  std::shared_ptr<Call> call = std::move(waiting_.front());
  waiting_.pop_front();
  return call;
}

void CallQueue::finished(const Call& call) {
  const std::lock_guard lock(mutex_);
  --depth_.calls;
  depth_.lines -= call.request.lines.count;
  if (call.completed == 0) return;
  const double ns = static_cast<double>(call.worked.count()) / static_cast<double>(call.completed);
  constexpr double kShare = 0.1;  // of the newest call: some ten calls count
  ns_per_line_ += kShare * (ns - ns_per_line_);
}

void CallQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_all();
}

CallQueue::Depth CallQueue::depth() const {
  const std::lock_guard lock(mutex_);
  return depth_;
}

}  // namespace fractalray::serve
