// SPDX-License-Identifier: Apache-2.0
// Luanti (Minetest) worlds: a map.sqlite read as a World of levels 0 to 3, and told what could not
// be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../levels/world.h"
#include "input_limits.h"
#include "node_kinds.h"

namespace fractalray {

// Levels of a Luanti world: nodes are blocks of the finest, mapblocks its chunks.
inline constexpr int kLuantiLevels = 4;

struct LuantiOptions {
  // What each node is to a shot; null for the built-in table. Not kept.
  const NodeKinds* node_kinds = nullptr;
  // A table shared with other worlds; a new one where none is given.
  std::shared_ptr<BlockTypeTable> block_types = nullptr;
  // Called now and then, and at the end, with the mapblocks read so far and all there are.
  std::function<void(std::size_t done, std::size_t total)> progress;
  // At most this many damaged mapblocks are named; all are counted.
  std::size_t max_named_damages = 20;
  InputLimits limits;
};

struct DamagedMapblock {
  std::string place;   // "(12, -1, 3)", in mapblocks, or what stands in the file instead
  std::string reason;  // "the zstd data is cut off"
};

// What became of the mapblocks of a map: every one is loaded, not generated or damaged.
struct LoadReport {
  std::size_t mapblocks = 0;
  std::size_t loaded = 0;
  // Absent from the world: the map generator has not finished them.
  std::size_t not_generated = 0;
  // Absent from the world: they could not be decoded, have no place in a Luanti map, or are there
  // twice (then the first one counts).
  std::size_t damaged = 0;
  std::vector<DamagedMapblock> named_damages;
  std::uint64_t bytes = 0;  // of all mapblocks, as stored
  // The node names, sorted, that the table of kinds does not list: its default holds for them.
  std::vector<std::string> defaulted_names;
};

struct LuantiWorld {
  World world;
  LoadReport report;
};

// Opens a world directory, or its map.sqlite. Node (x, y, z) is block [x, y, z] of level 3, which
// reaches from x to x + 1: as Luanti centres nodes on integers, its position p is our p + 0.5.
// Mapblocks that are absent, not generated or damaged are not loaded; the coarser levels are made
// as summarizeCoarserLevels says. Nothing is written, and what is told to be damaged is no error:
// see the report.
//
// Errors, which begin with the path: NOT_FOUND; INVALID_ARGUMENT for what is no Luanti map, or one
// in a backend or with a mapblock size that is not read; DATA_LOSS for a damaged or truncated
// database; UNAVAILABLE for one that stays locked; RESOURCE_EXHAUSTED for more mapblocks than the
// limit, more node names than a table of types holds, and where memory runs out; and others of the
// system.
// Cost: O(mapblocks), at most 9 KB of memory each. Safe from several threads, each with its own
// types.
absl::StatusOr<LuantiWorld> openLuantiWorld(const std::string& path,
                                            const LuantiOptions& options = {});

}  // namespace fractalray
