// SPDX-License-Identifier: Apache-2.0
#include "open_world.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../core/printable.h"
#include "file_error.h"
#include "internal/file_handle.h"
#include "internal/luanti_paths.h"
#include "internal/out_of_memory.h"
#include "luanti_map.h"
#include "world_format.h"

namespace fractalray {
namespace {

constexpr std::array<WorldFormat, 1> kWorldFormats = {{
    {.name = "Luanti",
     .paths = "its folder, or its map.sqlite",
     .recognizes = isLuantiWorld,
     .open = openLuantiWorld,
     .find_file = findLuantiMap},
}};

// Returns the begin of a file; empty for what is not a file, such as a folder or a pipe.
absl::StatusOr<std::string> readHead(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (found.type() == std::filesystem::file_type::not_found) return fileError(ENOENT, path, "");
  if (error) return fileError(error.value(), path, "");
  if (!std::filesystem::is_regular_file(found)) return std::string();
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return fileError(errno, path, "cannot be read");
  std::string head(WorldFormat::kHeadBytes, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get()) != 0) return fileError(errno, path, "cannot be read");
  return head;
}

absl::StatusOr<const WorldFormat*> findFormat(const std::string& path) {
  const absl::StatusOr<std::string> head = readHead(path);
  if (!head.ok()) return head.status();
  for (const WorldFormat& format : kWorldFormats) {
    if (format.recognizes(*head, path)) return &format;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      printablePath(path), ": not a saved world that can be read; give ", worldFormatPaths()));
}

template <class Describe>
std::string joined(const Describe& describe) {
  return absl::StrJoin(kWorldFormats, " or ", [&](std::string* text, const WorldFormat& format) {
    absl::StrAppend(text, describe(format));
  });
}

}  // namespace

std::span<const WorldFormat> worldFormats() {
  return kWorldFormats;
}

std::string worldFormatNames() {
  return joined([](const WorldFormat& format) { return std::string(format.name); });
}

std::string worldFormatPaths() {
  return joined([](const WorldFormat& format) {
    return absl::StrCat("a ", std::string(format.name), " world: ", std::string(format.paths));
  });
}

absl::StatusOr<OpenedWorld> openWorld(const std::string& path, const OpenOptions& options) {
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<OpenedWorld> {
    const absl::StatusOr<const WorldFormat*> format = findFormat(path);
    if (!format.ok()) return format.status();
    return (*format)->open(path, options);
  });
}

absl::StatusOr<std::string> findWorldFile(const std::string& path, const InputLimits& limits) {
  const absl::StatusOr<const WorldFormat*> format = findFormat(path);
  if (!format.ok()) return format.status();
  return (*format)->find_file(path, limits);
}

}  // namespace fractalray
