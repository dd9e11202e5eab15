// SPDX-License-Identifier: Apache-2.0
#include "tick_times.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace arena {
namespace {

using Duration = std::chrono::steady_clock::duration;

double milliseconds(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// Returns the time that `percent` of the ticks do not exceed. Requires: there is one.
Duration percentile(std::vector<Duration> ticks, std::size_t percent) {
  const std::size_t rank = (ticks.size() * percent + 99) / 100;
  const auto at = ticks.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(ticks.begin(), at, ticks.end());
  return *at;
}

void printRow(std::ostream& out, const std::string& name, const std::vector<Duration>& ticks) {
  out << std::left << std::setw(9) << name << std::right << std::fixed << std::setprecision(3);
  for (const std::size_t percent : {50U, 99U, 100U})
    out << std::setw(10) << milliseconds(percentile(ticks, percent));
  out << "\n";
}

}  // namespace

void TickTimes::add(const char* phase, Duration time) {
  auto found = std::find_if(phases_.begin(), phases_.end(),
                            [&](const Phase& each) { return each.name == phase; });
  if (found == phases_.end()) found = phases_.insert(found, {.name = phase, .ticks = {}});
  found->ticks.push_back(time);
  tick_ += time;
}

void TickTimes::endTick() {
  wholes_.push_back(tick_);
  tick_ = {};
}

void TickTimes::print(std::ostream& out) const {
  if (wholes_.empty()) return;
  out << "phase        p50 ms    p99 ms    max ms\n";
  for (const Phase& phase : phases_)
    printRow(out, phase.name, phase.ticks);
  printRow(out, "tick", wholes_);
  const auto late =
      std::count_if(wholes_.begin(), wholes_.end(), [](Duration tick) { return tick > kTick; });
  out << late << " of " << wholes_.size() << " ticks took longer than " << milliseconds(kTick)
      << " ms, the time of a tick at 60 per second\n";
}

}  // namespace arena
