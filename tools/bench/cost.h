// SPDX-License-Identifier: Apache-2.0
// The cost of a work: processor time of this thread, and its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "instruction_count.h"
#include "measurement.h"

namespace fractalray::bench {

struct Cost {
  double ns = 0;
  double instructions = 0;  // 0 if they cannot be counted

  Cost& operator+=(const Cost& other) {
    ns += other.ns;
    instructions += other.instructions;
    return *this;
  }
};

// Runs an action, and returns its cost for each of `count`.
template <class Action>
Cost costEach(std::size_t count, Action&& action) {
  const InstructionCounter& counter = InstructionCounter::ofThread();
  const std::uint64_t first = counter.count();
  const double begin = threadMillis();
  action();
  const double millis = threadMillis() - begin;
  const std::uint64_t last = counter.count();
  const double each = 1 / static_cast<double>(count);
  return {.ns = millis * 1e6 * each,
          .instructions = last > first ? static_cast<double>(last - first) * each : 0};
}

// Returns the medians of both. Requires: there are costs.
inline Cost median(const std::vector<Cost>& costs) {
  const auto of = [&](double Cost::*member) {
    std::vector<double> values;
    for (const Cost& cost : costs)
      values.push_back(cost.*member);
    return median(std::move(values));
  };
  return {.ns = of(&Cost::ns), .instructions = of(&Cost::instructions)};
}

}  // namespace fractalray::bench
