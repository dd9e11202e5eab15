// SPDX-License-Identifier: Apache-2.0
// Finds the map file of a Luanti world, and the mapblocks of a map.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "../../core/vec.h"
#include "../input_limits.h"

namespace fractalray {

// Mapblocks from the middle of a map to either end.
inline constexpr std::int64_t kHalfMap = 2048;

// Returns true if a Luanti map can have this mapblock: each index is a signed number of 12 bits, so
// that the largest map is 16^4 nodes wide.
bool isMapblock(const ChunkCoord& at);

// Returns the mapblock of a key, which is z * 2^24 + y * 2^12 + x with signed parts; nullopt for
// other numbers.
std::optional<ChunkCoord> mapblockFromKey(std::int64_t key);
// Returns the key. Requires: isMapblock(at).
std::int64_t keyOfMapblock(const ChunkCoord& at);

// Returns true for a folder with a world.mt or a map.sqlite, for an SQLite database, and for a file
// of that name, which may be damaged. `head` is the begin of the file.
bool isLuantiWorld(std::string_view head, const std::filesystem::path& path);

// Returns the map file of a world: the path itself, or map.sqlite in it if it is a directory, whose
// world.mt, if there is one, must not say that the map is elsewhere or has mapblocks of another
// size. Errors: NOT_FOUND, INVALID_ARGUMENT and errors of the system, with the path and the remedy.
// Does not open the map.
absl::StatusOr<std::string> findLuantiMap(const std::string& path, const InputLimits& limits = {});

}  // namespace fractalray
