// SPDX-License-Identifier: Apache-2.0
// Decides how many lines of a call are answered between two looks at the clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace fractalray::serve {

struct PaceOptions {
  using TimePoint = std::chrono::steady_clock::time_point;

  TimePoint begin{};
  TimePoint limit{};                    // no lines begin then
  std::optional<TimePoint> deadline{};  // the caller has the answer by then
  std::size_t lines = 0;                // of the call
  std::size_t bytes_per_line = 0;       // of the answer
  std::size_t first = 16;               // the most lines before the clock is read again
  std::size_t most = 1024;              // the most lines at once; at least `first`
};

// Lines are not interrupted: a deadline is kept by few lines at a time, as many as there is time
// for if they take as long as those before. Time is kept back for the way of the answer, by its
// bytes. Bounds in steps would be wrong by whatever a step takes on this machine.
class Pace {
 public:
  using TimePoint = PaceOptions::TimePoint;

  explicit Pace(const PaceOptions& options);

  // Returns how many lines to answer next if `done` are done; nothing if there is no time for any.
  // The first lines always have time. Requires: done <= lines.
  std::optional<std::size_t> next(std::size_t done, TimePoint now);
  // Begins with the first line again.
  void restart(TimePoint now);

  // Returns the time by which all lines are to be done.
  TimePoint end() const { return end_; }

 private:
  PaceOptions options_;
  TimePoint end_;
  std::size_t slice_;
  TimePoint last_;  // the begin of the last lines
};

}  // namespace fractalray::serve
