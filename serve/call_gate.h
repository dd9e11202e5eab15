// SPDX-License-Identifier: Apache-2.0
// Lets callers and their calls in, by whichever door they come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

#include "call_queue.h"
#include "memory_budget.h"
#include "metrics.h"
#include "serve_limits.h"
#include "source.h"
#include "tokens.h"

namespace fractalray::serve {

// Why a call is not let in.
struct Refusal {
  absl::Status error;
  std::chrono::milliseconds retry{};  // when to call again; 0 if that would not help
};

// Counts what it refuses. Safe from any thread; all that it refers to outlives it.
class CallGate {
 public:
  // Callers with one of `feeders` may feed entities, too; nobody may if there are none.
  CallGate(const Tokens& tokens, const Tokens& feeders, const ServeLimits& limits,
           AnswerSource& source, MemoryBudget& budget, CallQueue& queue, CallQueue& ticks,
           Metrics& metrics)
      : tokens_(tokens),
        feeders_(feeders),
        limits_(limits),
        source_(source),
        budget_(budget),
        queue_(queue),
        ticks_(ticks),
        metrics_(metrics) {}

  const ServeLimits& limits() const { return limits_; }
  Metrics& metrics() { return metrics_; }

  // Returns FAILED_PRECONDITION if a client has another minor version, whose arrays may differ.
  static absl::Status checkVersion(std::int32_t version);
  // Returns PERMISSION_DENIED for a token that is not accepted.
  absl::Status checkToken(std::string_view token);
  // Returns true if a token gives the right to feed entities.
  bool mayFeed(std::string_view token) const;
  // Returns the name of the world: what a version has before its '@'.
  std::string world() const;
  // Returns FAILED_PRECONDITION if a caller names another world; "" is any.
  absl::Status checkWorld(std::string_view name) const;
  // Returns FAILED_PRECONDITION if a caller has the fingerprint of another table of block types; 0
  // is any.
  absl::Status checkTypes(std::uint64_t fingerprint) const;
  // Returns the frame that answers a hello.
  std::vector<std::byte> hello(std::uint64_t number) const;

  // Applies the tick of a body, which it may change. Errors: decodeTick(), AnswerSource::feed(),
  // and PERMISSION_DENIED for a caller who may not feed.
  absl::Status feed(std::span<std::byte> body, bool may_feed);
  // Lets the tick of a call's body wait for the thread that applies ticks. Requires: the rest of
  // the call is set.
  std::optional<Refusal> acceptTick(const std::shared_ptr<Call>& call, bool may_feed);
  // Sets the frame with the names of the block types, for which it takes memory.
  std::optional<Refusal> answerTypes(std::uint64_t number, Reservation& memory,
                                     std::vector<std::byte>& frame);

  // Takes memory for the body of a call.
  std::optional<Refusal> reserve(Reservation& memory, std::uint64_t bytes);
  // Decodes the body of a call and lets it wait for a worker. The caller has `deadline_us`
  // microseconds, 0 for any, and no more than its body says. Requires: the rest of the call is set,
  // and its verb is one of a call.
  std::optional<Refusal> accept(std::uint32_t verb, const std::shared_ptr<Call>& call,
                                std::uint64_t deadline_us = 0);

  // Returns when a call was last refused for lack of memory.
  Clock::time_point lastShortage() const { return last_shortage_; }

 private:
  Refusal noMemory();

  const Tokens& tokens_;
  const Tokens& feeders_;
  const ServeLimits& limits_;
  AnswerSource& source_;
  MemoryBudget& budget_;
  CallQueue& queue_;
  CallQueue& ticks_;
  Metrics& metrics_;
  std::atomic<Clock::time_point> last_shortage_{};
};

}  // namespace fractalray::serve
