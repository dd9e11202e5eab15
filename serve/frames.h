// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of the frames of connections.
#pragma once

#include "call_queue.h"
#include "connection.h"
#include "memory_budget.h"
#include "metrics.h"
#include "serve_limits.h"
#include "source.h"
#include "tokens.h"

namespace fractalray::serve {

// Belongs to the thread that runs the server's loop; all that it refers to outlives it.
class FrameHandler {
 public:
  // Clients with one of `feeders` may feed entities, too; nobody may if there are none.
  FrameHandler(const Tokens& tokens, const Tokens& feeders, const ServeLimits& limits,
               AnswerSource& source, MemoryBudget& budget, CallQueue& queue, Metrics& metrics)
      : tokens_(tokens),
        feeders_(feeders),
        limits_(limits),
        source_(source),
        budget_(budget),
        queue_(queue),
        metrics_(metrics) {}

  // Checks the head of a frame before memory is taken for its body. Returns false if the connection
  // is to be closed at once. Requires: Event::kHead.
  bool acceptHead(Connection& connection, Clock::time_point now);
  // Answers a hello, a tick and a request for types, and queues a call. Requires: Event::kBody.
  void acceptBody(Connection& connection, Clock::time_point now);

  // Returns when a call was last refused for lack of memory.
  Clock::time_point lastShortage() const { return last_shortage_; }

 private:
  void acceptHello(Connection& connection, Clock::time_point now);
  void acceptTypes(Connection& connection, Clock::time_point now);
  void acceptTick(Connection& connection, Clock::time_point now);
  void acceptCall(Connection& connection, Clock::time_point now);
  absl::Status checkHead(const Connection& connection) const;
  static std::vector<std::byte> busyReply(const wire::FrameHead& head, const char* what,
                                          std::chrono::milliseconds wait);
  std::vector<std::byte> noMemoryReply(const wire::FrameHead& head, Clock::time_point now);

  const Tokens& tokens_;
  const Tokens& feeders_;
  const ServeLimits& limits_;
  AnswerSource& source_;
  MemoryBudget& budget_;
  CallQueue& queue_;
  Metrics& metrics_;
  Clock::time_point last_shortage_{};
};

}  // namespace fractalray::serve
