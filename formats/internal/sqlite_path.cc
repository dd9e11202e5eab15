// SPDX-License-Identifier: Apache-2.0
#include "sqlite_path.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "../file_error.h"
#include "file_handle.h"
#include "sqlite_error.h"

namespace fractalray {
namespace {

using enum absl::StatusCode;

// Every database begins with these bytes, and with the rest of its header has 100 bytes at least.
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
// In the header, 16 bits: the size of a page, or 1 for 65536. A database is whole pages.
constexpr std::size_t kPageSizeAt = 16;

// Returns 0 if the header has no valid size; SQLite then refuses the file.
std::uintmax_t pageSize(const std::array<char, kHeaderBytes>& header) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(header[at]); };
  const std::uintmax_t size =
      static_cast<std::uintmax_t>(byte(kPageSizeAt) << 8) | byte(kPageSizeAt + 1);
  return size == 1 ? 65536 : size;
}

absl::Status checkHeader(const std::string& path) {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return fileError(errno, path, "cannot be read");
  std::array<char, kHeaderBytes> header;
  const std::size_t count = std::fread(header.data(), 1, header.size(), file.get());
  if (std::ferror(file.get()) != 0) return fileError(errno, path, "cannot be read");
  if (count == 0) {
    return sqliteError(path, kInvalidArgument, "the file is empty; expected a database");
  }
  if (!std::string_view(header.data(), count).starts_with(kMagic.substr(0, count))) {
    return sqliteError(path, kInvalidArgument, "not an SQLite database, as map.sqlite is");
  }
  if (count < header.size()) return sqliteError(path, kDataLoss, "the database is cut off");
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const std::uintmax_t page = pageSize(header);
  // SQLite would fill the last page up with zeros.
  if (!error && page != 0 && size % page != 0) {
    return sqliteError(path, kDataLoss, "the database is cut off within a page");
  }
  return absl::OkStatus();
}

// Checks a path that exists, unless `missing` is the error of one that does not.
absl::Status checkFile(const std::string& path, const absl::Status& if_missing) {
  std::error_code error;
  const std::filesystem::file_status found = std::filesystem::status(path, error);
  if (found.type() == std::filesystem::file_type::not_found) return if_missing;
  if (error) return fileError(error.value(), path, "");
  if (!std::filesystem::is_regular_file(found)) {
    return sqliteError(path, kInvalidArgument, "not a file");
  }
  return absl::OkStatus();
}

// Returns the error of a file that is to be made, if it has no directory.
absl::Status checkFolder(const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  if (std::filesystem::is_directory(folder, error)) return absl::OkStatus();
  return sqliteError(path, kNotFound, "its directory does not exist; create it");
}

}  // namespace

absl::Status checkPathToRead(const std::string& path) {
  absl::Status status = checkFile(path, sqliteError(path, kNotFound, "no such file"));
  return status.ok() ? checkHeader(path) : status;
}

absl::Status checkPathToWrite(const std::string& path) {
  if (path.empty()) return absl::InvalidArgumentError("the path of the database is empty");
  if (path.find('\0') != std::string::npos) {
    return sqliteError(path, kInvalidArgument, "a path cannot contain a zero byte");
  }
  return checkFile(path, checkFolder(path));
}

}  // namespace fractalray
