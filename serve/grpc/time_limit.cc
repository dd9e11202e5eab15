// SPDX-License-Identifier: Apache-2.0
#include "time_limit.h"

#include <mutex>

namespace fractalray::serve {

// The state that an alarm shares with the limit: it may go off while the call ends, or later.
struct TimeLimit::Armed {
  // To cancel a call may end it, and so this limit, on the same thread.
  std::recursive_mutex mutex;
  const grpc::CallbackServerContext* context = nullptr;  // null once it is not to be cancelled
};

TimeLimit::TimeLimit(const grpc::CallbackServerContext& context) : context_(context) {}

void TimeLimit::start(std::chrono::milliseconds time) {
  stop();
  armed_ = std::make_shared<Armed>();
  armed_->context = &context_;
  alarm_ = std::make_unique<grpc::Alarm>();
  alarm_->Set(std::chrono::system_clock::now() + time, [armed = armed_](bool has_gone_off) {
    const std::lock_guard lock(armed->mutex);
    if (has_gone_off && armed->context != nullptr) armed->context->TryCancel();
  });
}

void TimeLimit::stop() {
  if (armed_ == nullptr) return;
  {
    const std::lock_guard lock(armed_->mutex);
    armed_->context = nullptr;
  }
  armed_ = nullptr;
  alarm_ = nullptr;
}

}  // namespace fractalray::serve
