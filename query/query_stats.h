// SPDX-License-Identifier: Apache-2.0
// The cost of a query, and the versions on which it was computed.
#pragma once

#include <cstdint>

namespace fractalray {

// The work of a query. All counters but `chunks` and `direct` are steps, which max_steps bounds;
// see docs/cost.md.
struct QueryStats {
  std::uint64_t cells = 0;   // blocks examined
  std::uint64_t chunks = 0;  // loaded chunks entered
  // Index chunks examined for entities, and pages of eight entities past the first two of a chunk.
  std::uint64_t index_cells = 0;
  // Entities examined: level, categories, lists, and the exact test of their shape.
  std::uint64_t entities_tested = 0;
  // Steps over stretches where nothing is loaded, and tests of cubes of many blocks at once.
  std::uint64_t skips = 0;
  // Entries of ignore lists and of earlier hits, once an entity is looked up among them; lists of
  // at most 8 entries are not counted.
  std::uint64_t listed = 0;
  // Candidates to be sorted in the order of hits; a single one is not counted.
  std::uint64_t ordered = 0;
  // Queries whose blocks were found by the direct search for a first hit (docs/overview.md). Not a
  // step.
  std::uint64_t direct = 0;

  std::uint64_t steps() const {
    return cells + index_cells + entities_tested + skips + listed + ordered;
  }
  QueryStats& operator+=(const QueryStats& other) {
    cells += other.cells;
    chunks += other.chunks;
    index_cells += other.index_cells;
    entities_tested += other.entities_tested;
    skips += other.skips;
    listed += other.listed;
    ordered += other.ordered;
    direct += other.direct;
    return *this;
  }
};

// The versions of the world and the index on which an answer was computed (World::version(),
// EntityIndex::version()).
struct SceneVersion {
  std::uint64_t world = 0;
  std::uint64_t entities = 0;

  friend bool operator==(const SceneVersion&, const SceneVersion&) = default;
};

}  // namespace fractalray
