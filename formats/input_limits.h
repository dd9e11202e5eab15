// SPDX-License-Identifier: Apache-2.0
// Limits how much of an input is read before it is refused: a file from outside may be of any size,
// and may ask for far more memory than it has bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"

#include "../core/fields.h"

namespace fractalray {

// Limits on input. Exceeding one is RESOURCE_EXHAUSTED, with the limit's name and value in the
// message; nothing of the input is kept. (JSON nested deeper than `depth` is INVALID_ARGUMENT.) The
// program sets them by `--limit NAME=N`.
struct InputLimits {
  // Bytes of a file, a pipe or standard input that is read whole: scenarios, tables of node kinds,
  // segments, world.mt. Maps and query logs are read piece by piece and have no such limit.
  std::uint64_t file_bytes = std::uint64_t{64} << 20;
  // Bytes of one line of a file of segments.
  std::uint64_t line_bytes = std::uint64_t{1} << 20;
  // JSON arrays and objects within each other. At most kMaxDepth counts.
  std::uint64_t depth = 100;
  // JSON values held in memory at the same time, up to about 130 bytes each. A scenario's chunks,
  // entities and queries are held one at a time.
  std::uint64_t values = 4'000'000;
  // Contents of a scenario. A chunk takes up to 9 KB.
  std::uint64_t chunks = 100'000;
  std::uint64_t entities = 1'000'000;
  // Queries of a scenario, lines of a file of segments.
  std::uint64_t queries = 1'000'000;
  // Hits in the answer to one query of a scenario, about 400 bytes each when written.
  std::uint64_t hits = 1'000'000;
  // Planes that a walk crosses, one for each cell that it lists; samples of a blast of a scenario.
  std::uint64_t cells = 10'000'000;
  // Mapblocks of a Luanti map, up to 9 KB each.
  std::uint64_t mapblocks = 1'000'000;
  // Bytes that one mapblock unpacks to. A mapblock beyond it counts as damaged.
  std::uint64_t mapblock_bytes = std::uint64_t{64} << 20;

  // The JSON parser's use of the stack does not depend on the depth; code that walks through the
  // values does.
  static constexpr std::uint64_t kMaxDepth = 10'000;
};

template <>
struct Fields<InputLimits> {
  static constexpr std::array<std::string_view, 11> kNames = {
      "file_bytes", "line_bytes", "depth", "values",    "chunks",        "entities",
      "queries",    "hits",       "cells", "mapblocks", "mapblock_bytes"};
  static constexpr auto tie(auto& limits) {
    auto& [file_bytes, line_bytes, depth, values, chunks, entities, queries, hits, cells, mapblocks,
           mapblock_bytes] = limits;
    return std::tie(file_bytes, line_bytes, depth, values, chunks, entities, queries, hits, cells,
                    mapblocks, mapblock_bytes);
  }
};

// Returns RESOURCE_EXHAUSTED "more than 100 <what>; --limit <name>=N (InputLimits::<name>) allows
// more".
absl::Status limitError(std::string_view what, std::string_view name, std::uint64_t limit);

}  // namespace fractalray
