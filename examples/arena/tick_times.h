// SPDX-License-Identifier: Apache-2.0
// How long the phases of a tick take.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace arena {

// The length of a tick at 60 ticks per second.
inline constexpr std::chrono::nanoseconds kTick{1'000'000'000 / 60};

// The times of each phase, tick after tick. Phases are listed in the order of their first run.
class TickTimes {
 public:
  // Runs a phase of the present tick and measures it; then ends the tick.
  template <class Run>
  void measure(const char* phase, Run&& run) {
    const auto begin = std::chrono::steady_clock::now();
    std::forward<Run>(run)();
    add(phase, std::chrono::steady_clock::now() - begin);
  }
  void endTick();

  // Prints a table of the median, the 99th percentile and the maximum by phase.
  void print(std::ostream& out) const;

 private:
  using Duration = std::chrono::steady_clock::duration;
  struct Phase {
    std::string name;
    std::vector<Duration> ticks;
  };

  void add(const char* phase, Duration time);

  std::vector<Phase> phases_;
  std::vector<Duration> wholes_;  // all phases of a tick together
  Duration tick_{};               // those of the present tick so far
};

}  // namespace arena
