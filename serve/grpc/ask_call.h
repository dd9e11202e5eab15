// SPDX-License-Identifier: Apache-2.0
// A call of Queries on its way through the gate of a server, and the queue if it asks for lines.
#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_set>

#include "absl/status/status.h"

#include "../call.h"
#include "../call_gate.h"
#include "time_limit.h"

namespace fractalray::serve {

class AskCall;

// The calls of a door. Safe from any thread; outlives them.
class ActiveCalls {
 public:
  void add(AskCall* call);
  void remove(AskCall* call);
  std::size_t count() const;
  // Marks them as calls for which nobody waits.
  void cancel();

 private:
  mutable std::mutex mutex_;
  std::unordered_set<AskCall*> calls_;
};

// Receives the message only after it has accepted the caller. Deletes itself once it is done, as
// reactors of gRPC do; until then its functions are called by gRPC, and by the worker that has
// answered the call.
class AskCall : public grpc::ServerGenericBidiReactor {
 public:
  AskCall(CallGate& gate, ActiveCalls& active, grpc::GenericCallbackServerContext& context);
  ~AskCall() override;

  // Receives the call if there is no error and the caller is accepted; else ends it.
  void begin(const absl::Status& error);
  // Makes workers drop the call.
  void cancel() { call_->is_cancelled = true; }

 private:
  void OnReadDone(bool is_read) override;
  void OnCancel() override { cancel(); }
  void OnDone() override { delete this; }

  absl::Status checkCaller();
  // Throw std::bad_alloc.
  void accept();
  void describe();
  void answerAtOnce(std::uint32_t verb);
  absl::Status readMessage(std::uint32_t& verb);
  // Returns the time in which the answer is to be made; 0 for any.
  std::uint64_t microsecondsLeft() const;
  // Sends what the worker has made of the call; is called once, on its thread.
  void finish() noexcept;
  void sendAnswer();
  void send(const grpc::ByteBuffer& answer);
  void fail(const absl::Status& error, std::chrono::microseconds retry = {});

  CallGate& gate_;
  ActiveCalls& active_;
  grpc::GenericCallbackServerContext& context_;
  TimeLimit limit_;  // of receiving, and then of sending
  grpc::ByteBuffer request_;
  grpc::ByteBuffer answer_;
  const std::shared_ptr<Call> call_ = std::make_shared<Call>();
};

}  // namespace fractalray::serve
