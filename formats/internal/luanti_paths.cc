// SPDX-License-Identifier: Apache-2.0
#include "luanti_paths.h"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

#include "../../core/printable.h"
#include "../file_error.h"
#include "../input_file.h"

namespace fractalray {
namespace {

constexpr const char* kMapName = "map.sqlite";
constexpr const char* kSettingsName = "world.mt";
constexpr std::int64_t kMapWidth = 2 * kHalfMap;

// Returns a setting of a world.mt, which has lines of "name = value", the last of them if there are
// several; nullopt if it is missing.
std::optional<std::string> findSetting(const std::string& text, const std::string& name) {
  std::optional<std::string> value;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    if (absl::StripAsciiWhitespace(parts.first) == name)
      value = std::string(absl::StripAsciiWhitespace(parts.second));
  }
  return value;
}

// Refuses worlds whose map is elsewhere, or made of mapblocks of another size.
absl::Status checkSettings(const std::filesystem::path& directory, const InputLimits& limits) {
  const std::string file = (directory / kSettingsName).string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return absl::OkStatus();
  const absl::StatusOr<std::string> text = readFile(file, limits);
  if (!text.ok()) return text.status();
  const std::string backend = findSetting(*text, "backend").value_or("sqlite3");
  if (backend != "sqlite3") {
    return absl::InvalidArgumentError(absl::StrCat(
        printablePath(file), ": the world keeps its map in the backend '", printable(backend),
        "', and only sqlite3 can be read; let Luanti migrate it first "
        "(luanti --server --world DIR --migrate sqlite3)"));
  }
  if (findSetting(*text, "readonly_backend").has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        printablePath(file),
        ": the world takes what its map lacks from a second one (readonly_backend), which is not "
        "read; give a copy of the world with both in one: sqlite3 map.sqlite \"ATTACH "
        "'readonly/map.sqlite' AS seed; INSERT OR IGNORE INTO blocks SELECT * FROM "
        "seed.blocks\", and without that setting"));
  }
  const std::string size = findSetting(*text, "blocksize").value_or("16");
  if (size != "16") {
    return absl::InvalidArgumentError(absl::StrCat(printablePath(file),
                                                   ": the world has mapblocks of ", printable(size),
                                                   " nodes; expected 16"));
  }
  return absl::OkStatus();
}

}  // namespace

bool isMapblock(const ChunkCoord& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < -kHalfMap || at[axis] >= kHalfMap) return false;
  }
  return true;
}

std::optional<ChunkCoord> mapblockFromKey(std::int64_t key) {
  // The largest mapblock's key; numbers beyond it could overflow below.
  constexpr std::int64_t kEnd = kHalfMap * kMapWidth * kMapWidth;
  if (key < -2 * kEnd || key > 2 * kEnd) return std::nullopt;
  ChunkCoord at;
  std::int64_t rest = key;
  for (int axis = 0; axis < 3; ++axis) {
    // Subtracts the part's signed remainder, so that the rest is a multiple of the width.
    at[axis] = ((rest + kHalfMap) & (kMapWidth - 1)) - kHalfMap;
    rest = (rest - at[axis]) / kMapWidth;
  }
  return rest == 0 ? std::optional(at) : std::nullopt;
}

std::int64_t keyOfMapblock(const ChunkCoord& at) {
  return (at[2] * kMapWidth + at[1]) * kMapWidth + at[0];
}

bool isLuantiWorld(std::string_view head, const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return std::filesystem::exists(path / kMapName, error) ||
           std::filesystem::exists(path / kSettingsName, error);
  }
  return head.starts_with("SQLite format ") || path.filename() == kMapName;
}

absl::StatusOr<std::string> findLuantiMap(const std::string& path, const InputLimits& limits) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (found.type() == std::filesystem::file_type::not_found) return fileError(ENOENT, path, "");
  if (error) return fileError(error.value(), path, "");
  if (!std::filesystem::is_directory(found)) return path;
  absl::Status status = checkSettings(path, limits);
  if (!status.ok()) return status;
  std::filesystem::path map = std::filesystem::path(path) / kMapName;
  if (!std::filesystem::exists(map, error)) {
    return absl::NotFoundError(
        absl::StrCat(printablePath(path),
                     ": no map.sqlite in this directory; a Luanti world's directory has one"));
  }
  return map.string();
}

}  // namespace fractalray
