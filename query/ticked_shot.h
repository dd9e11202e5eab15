// SPDX-License-Identifier: Apache-2.0
// A shot along one line that takes several ticks: a bullet in flight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../core/segment.h"
#include "hit.h"
#include "shot_result.h"

namespace fractalray {

namespace internal {
class ServiceState;
}

// The line, the hits so far, and the time up to which all hits are known. Each tick reads the part
// of the line that follows: cut in any way, the line has each hit of the uncut line once, to the
// last bit. Two segments that touch at an edge need not (docs/queries/shoot.md#over-several-ticks).
//
//   TickedShot bullet(*toFixedSegment(whole_flight));
//   each tick: service.advance(bullet, kWholeLine / ticks * tick);
//
// A value type, which belongs to one thread.
class TickedShot {
 public:
  explicit TickedShot(const FixedSegment& line) : line_(line) { shot_.segment = line; }

  // The whole line.
  const FixedSegment& line() const { return line_; }
  // The result of all ticks so far, as if they were one shot; `segment` ends at the last tick, and
  // `stats` are those of the last tick.
  const ShotResult& shot() const { return shot_; }
  // The hits of the last tick.
  std::span<const Hit> newHits() const { return std::span(shot_.hits).subspan(hits_before_); }
  // The time up to which the line has been read, in units of 2^-60: that of the last tick, unless
  // it ended with an error or early (max_hits, unloaded space). The next tick continues from there.
  std::int64_t readUntil() const { return read_until_; }
  // Returns true after a terminal hit, also one whose effect threw an exception, or at the end of
  // the line: further ticks do nothing.
  bool hasEnded() const {
    return shot_.terminated || read_until_ == line_.end_time ||
           (!shot_.hits.empty() && shot_.hits.back().terminal);
  }

 private:
  friend class internal::ServiceState;

  FixedSegment line_;
  ShotResult shot_;
  std::int64_t read_until_ = 0;
  // shot_.unknown_from, unless it was found beyond read_until_: the next tick may end before it.
  std::optional<double> unknown_before_;
  std::size_t hits_before_ = 0;  // the last tick
  // True if an effect of the last hit answered kAgain: what begins where it does is still to come.
  bool looks_again_ = false;
};

}  // namespace fractalray
