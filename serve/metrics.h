// SPDX-License-Identifier: Apache-2.0
// Counts what a server does, and writes it as Prometheus reads it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "call.h"
#include "source.h"

namespace fractalray::serve {

// Safe from any thread.
class Metrics {
 public:
  // The reasons for which calls are refused and connections closed.
  enum Reason { kQueueFull, kMemoryFull, kWrongToken, kWrongFrame, kTooSlow, kTooMany, kReasons };

  void countCall(const Call& call);
  void countReason(Reason reason) { ++reasons_[reason]; }
  void countConnection() { ++connections_; }
  void countBytes(std::uint64_t received, std::uint64_t sent) {
    received_ += received;
    sent_ += sent;
  }
  std::uint64_t reason(Reason reason) const { return reasons_[reason]; }

  // The state of the server at one moment.
  struct Gauges {
    std::uint64_t connections = 0;
    std::uint64_t queue_calls = 0;
    std::uint64_t queue_lines = 0;
    std::uint64_t memory_bytes = 0;
    std::string version;  // of the world
    std::vector<SourceMetric> source;
  };
  // Returns all as text in the exposition format of Prometheus, version 0.0.4.
  std::string text(const Gauges& gauges) const;

 private:
  static constexpr std::size_t kVerbs = 3;
  static constexpr std::size_t kResults = 17;  // the numbers of absl::StatusCode
  using Counter = std::atomic<std::uint64_t>;

  std::array<std::array<Counter, kResults>, kVerbs> calls_{};
  std::array<Counter, kVerbs> lines_{};
  std::array<Counter, kReasons> reasons_{};
  Counter connections_ = 0;
  Counter received_ = 0;
  Counter sent_ = 0;
  Counter worked_ns_ = 0;
};

}  // namespace fractalray::serve
