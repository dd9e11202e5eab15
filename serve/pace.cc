// SPDX-License-Identifier: Apache-2.0
#include "pace.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace fractalray::serve {
namespace {

using std::chrono::nanoseconds;

// The time between the last line and the return of the caller's function: two threads wake up,
// which takes some 50 us each on a machine that is busy.
constexpr nanoseconds kWayBack{250'000};
// Per byte of the answers: they are copied into the socket and out of it. And of those that there
// is no time for, which the client clears.
constexpr double kNsPerByte = 1;
constexpr double kNsPerClearedByte = 0.15;
// The most of the time that is kept back, whatever the bytes.
constexpr double kMostKept = 0.5;

double nsOf(std::chrono::steady_clock::duration time) {
  return static_cast<double>(std::chrono::duration_cast<nanoseconds>(time).count());
}

}  // namespace

Pace::Pace(const PaceOptions& options)
    : options_(options),
      end_(options.limit),
      slice_(options.deadline.has_value() ? options.first : options.most),
      last_(options.begin) {
  if (!options.deadline.has_value()) return;
  const double all_ns = std::max(nsOf(*options.deadline - options.begin), 0.0);
  const double bytes =
      static_cast<double>(options.lines) * static_cast<double>(options.bytes_per_line);
  const double kept_ns = std::min(nsOf(kWayBack) + kNsPerClearedByte * bytes, kMostKept * all_ns);
  end_ = std::min(end_, *options.deadline - nanoseconds(static_cast<std::int64_t>(kept_ns)));
}

std::optional<std::size_t> Pace::next(std::size_t done, TimePoint now) {
  const std::size_t left = options_.lines - done;
  const auto of_last = now - std::exchange(last_, now);
  const std::size_t slice = slice_;
  slice_ = std::min(2 * slice_, options_.most);
  if (done == 0) return std::min(left, slice);
  if (now >= end_) return std::nullopt;
  if (!options_.deadline.has_value()) return std::min(left, slice);
  const double way_ns = kNsPerByte * static_cast<double>(options_.bytes_per_line);
  const double line_ns =
      std::max(nsOf(now - options_.begin), 1.0) / static_cast<double>(done) + way_ns;
  const double lines = (nsOf(end_ - now) - way_ns * static_cast<double>(done)) / line_ns;
  if (lines < static_cast<double>(std::min(left, options_.first))) return std::nullopt;
  // Lines may cost little compared with what is done once for all that are answered at a time.
  if (now + of_last > end_) return std::nullopt;
  // Half of them: the next ones may take longer.
  const std::size_t in_time = static_cast<std::size_t>(std::min(lines, 1e9)) / 2;
  return std::min(left, std::clamp(in_time, options_.first, slice));
}

void Pace::restart(TimePoint now) {
  options_.begin = now;
  last_ = now;
  slice_ = options_.deadline.has_value() ? options_.first : options_.most;
}

}  // namespace fractalray::serve
