// SPDX-License-Identifier: Apache-2.0
// An upper bound on the cost of a query, before it runs.
#pragma once

#include <cstdint>

namespace fractalray {

// The most steps (QueryStats::steps()) that a query along a line may take, by purpose. The bounds
// follow from the line, the number of loaded chunks and the occupied index chunks, not from their
// content: a line through loaded air is estimated as if every block were present.
struct StepEstimate {
  std::uint64_t blocks = 0;    // finding blocks: cells and skips
  std::uint64_t entities = 0;  // finding entities: skips, index_cells and entities_tested
  std::uint64_t unknown = 0;   // finding unloaded space: skips
  std::uint64_t listed = 0;    // as QueryStats::listed
  std::uint64_t ordered = 0;   // as QueryStats::ordered

  std::uint64_t steps() const { return blocks + entities + unknown + listed + ordered; }

  friend bool operator==(const StepEstimate&, const StepEstimate&) = default;
};

}  // namespace fractalray
