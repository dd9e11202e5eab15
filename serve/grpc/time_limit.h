// SPDX-License-Identifier: Apache-2.0
// Ends a call of gRPC whose client makes no progress.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>

#include <chrono>
#include <memory>

namespace fractalray::serve {

// Belongs to a call, and is destroyed with it at the latest. Its members are called by one thread
// at a time.
class TimeLimit {
 public:
  explicit TimeLimit(const grpc::CallbackServerContext& context);
  ~TimeLimit() { stop(); }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // Cancels the call after that time, in place of the time that was set before.
  void start(std::chrono::milliseconds time);
  // Cancels it no more.
  void stop();

 private:
  struct Armed;

  const grpc::CallbackServerContext& context_;
  std::shared_ptr<Armed> armed_;
  std::unique_ptr<grpc::Alarm> alarm_;
};

}  // namespace fractalray::serve
