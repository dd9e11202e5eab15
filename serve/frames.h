// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of the frames of connections.
#pragma once

#include "absl/status/status.h"

#include "call_gate.h"
#include "connection.h"

namespace fractalray::serve {

// Belongs to the thread that runs the server's loop; the gate outlives it.
class FrameHandler {
 public:
  explicit FrameHandler(CallGate& gate) : gate_(gate) {}

  // Checks the head of a frame before memory is taken for its body. Returns false if the connection
  // is to be closed at once. Requires: Event::kHead.
  bool acceptHead(Connection& connection, Clock::time_point now);
  // Answers a hello and a request for types, and queues a tick or a call. Requires: Event::kBody.
  void acceptBody(Connection& connection, Clock::time_point now);

 private:
  void acceptHello(Connection& connection, Clock::time_point now);
  void acceptTypes(Connection& connection, Clock::time_point now);
  void acceptTick(Connection& connection, Clock::time_point now);
  void acceptCall(Connection& connection, Clock::time_point now);
  absl::Status checkHead(const Connection& connection) const;

  CallGate& gate_;
};

}  // namespace fractalray::serve
