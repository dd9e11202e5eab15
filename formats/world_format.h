// SPDX-License-Identifier: Apache-2.0
// The formats of saved worlds that openWorld() recognises: each is a row of the table in
// open_world.cc, from which help texts and errors take their names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "input_limits.h"
#include "open_world.h"

namespace fractalray {

struct WorldFormat {
  std::string_view name;   // "Luanti"
  std::string_view paths;  // what a user gives: "its folder, or its map.sqlite"
  // Returns true if a path is a world of this format, whole or damaged. `head` is the begin of the
  // file, kHeadBytes of it at most; empty for a folder.
  bool (*recognizes)(std::string_view head, const std::filesystem::path& path);
  // The functions of open_world.h, for a path that is recognised.
  absl::StatusOr<OpenedWorld> (*open)(const std::string& path, const OpenOptions& options);
  absl::StatusOr<std::string> (*find_file)(const std::string& path, const InputLimits& limits);

  static constexpr std::size_t kHeadBytes = 64;
};

// Returns all formats, in the order in which they are tried.
std::span<const WorldFormat> worldFormats();

// Returns their names, "Luanti"; and what a user may give, "a Luanti world: its folder, or its
// map.sqlite". Several are joined by "or".
std::string worldFormatNames();
std::string worldFormatPaths();

}  // namespace fractalray
