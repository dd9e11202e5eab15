// SPDX-License-Identifier: Apache-2.0
// Reads a Luanti (Minetest) world, a map.sqlite, as a World of levels 0 to 3, with a report of what
// could not be read.
#pragma once

#include <string>

#include "absl/status/statusor.h"

#include "open_world.h"

namespace fractalray {

// Levels of a Luanti world: nodes are blocks of the finest, mapblocks its chunks.
inline constexpr int kLuantiLevels = 4;

// Opens a world directory, or its map.sqlite. Node (x, y, z) is block [x, y, z] of level 3, from x
// to x + 1: as Luanti centres nodes on integers, its position p is our p + 0.5. Mapblocks that are
// absent, not generated, unsupported or damaged are not loaded; the coarser levels are made by
// summarizeCoarserLevels. Writes nothing. Mapblocks that are damaged, or of a
// version that is not read, are no error: they are in the report.
//
// Errors, which begin with the path: NOT_FOUND; INVALID_ARGUMENT for a file that is no Luanti map,
// or one in a backend or with a mapblock size that is not supported; DATA_LOSS for a damaged or
// truncated database; UNAVAILABLE for one that stays locked; RESOURCE_EXHAUSTED for more mapblocks
// than the limit, more node names than a table of types holds, and if memory runs out; and others
// of the system.
// Cost: O(mapblocks), at most 9 KB of memory each; of a part that the map's index finds, those of
// the part and a search for each line of them. Safe from several threads, each with its own types.
absl::StatusOr<OpenedWorld> openLuantiWorld(const std::string& path,
                                            const OpenOptions& options = {});

}  // namespace fractalray
