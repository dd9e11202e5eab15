// SPDX-License-Identifier: Apache-2.0
// Measures the door of a served world: its cost, late calls, the lines answered under overload. For
// `./dev bench scale` and tests/serve.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include "../../bindings/c/fractalray_c.h"

namespace fractalray::bench {

// The finest level of the bundled world.
inline constexpr frLevelMask kBundledLevels = 1U << 3;

// Lines of 100 blocks through the generated part of the bundled world, the same on every machine.
class BundledLines {
 public:
  explicit BundledLines(std::size_t count);

  // Returns the lines from number `first` on. They are valid as long as this.
  frLines from(std::size_t first) const;
  frLines all() const { return from(0); }
  std::size_t size() const { return numbers_.size() / 6; }

 private:
  std::vector<double> numbers_;
};

// Finds the first hits of lines.
using AskHits = absl::FunctionRef<frResult(const frLines& lines, frCompactHit* hits)>;

// Returns how many times the processor time of `local` the one of `remote` is, both of all threads
// of this process, in which the server runs: so client and server count together. The least of some
// rounds, since others use the machine as well. An error if a call fails, or if an answer differs.
absl::StatusOr<double> leastCostRatio(const frLines& lines, AskHits local, AskHits remote,
                                      int rounds);

struct LateCalls {
  int calls = 0;
  int late = 0;           // that ended after their deadline, or without any answer
  std::size_t wrong = 0;  // answers

  double share() const { return static_cast<double>(late) / calls; }
};

// Asks for the first hits of lines, with a deadline for each call, and again for those that were
// not answered in time; all from the beginning, until there were that many calls.
absl::StatusOr<LateCalls> countLateCalls(const std::string& address, const BundledLines& lines,
                                         std::span<const frCompactHit> expected,
                                         std::chrono::microseconds deadline, int calls);

struct Goodput {
  double lines_per_second = 0;  // that were answered
  std::uint64_t refused = 0;    // calls
  std::size_t wrong = 0;        // answers
};

// Lets clients, each on a thread, ask for the same lines again and again. Those that are refused
// wait as long as the server says.
absl::StatusOr<Goodput> measureGoodput(const std::string& address, int clients,
                                       std::chrono::milliseconds time, const frLines& lines,
                                       frLevelMask levels, std::span<const frCompactHit> expected);

}  // namespace fractalray::bench
