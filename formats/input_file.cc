// SPDX-License-Identifier: Apache-2.0
#include "input_file.h"

#include <sys/stat.h>

#include <array>
#include <cerrno>

#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "file_error.h"
#include "internal/file_handle.h"
#include "internal/out_of_memory.h"

namespace fractalray {
namespace {

absl::Status readError(std::string_view name, int error) {
  return fileError(error, name, "cannot be read");
}

absl::Status tooLong(std::string_view name, const InputLimits& limits) {
  const absl::Status error = limitError("bytes", "file_bytes", limits.file_bytes);
  return {error.code(), absl::StrCat(printablePath(name), ": ", error.message())};
}

// Returns the size of a regular file, so that its bytes are allocated once; 0 for anything else.
std::uint64_t sizeOf(std::FILE* stream) {
  struct stat present = {};
  if (::fstat(fileno(stream), &present) != 0 || !S_ISREG(present.st_mode)) return 0;
  return static_cast<std::uint64_t>(present.st_size);
}

absl::StatusOr<std::string> readAll(std::FILE* stream, std::string_view name,
                                    const InputLimits& limits) {
  const std::uint64_t size = sizeOf(stream);
  if (size > limits.file_bytes) return tooLong(name, limits);
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(size));
  std::array<char, 16384> buffer;
  while (true) {
    const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream);
    const int error = errno;
    if (count > limits.file_bytes - bytes.size()) return tooLong(name, limits);
    bytes.append(buffer.data(), count);
    if (count == buffer.size()) continue;
    if (std::ferror(stream) != 0) return readError(name, error);
    return bytes;
  }
}

}  // namespace

absl::StatusOr<std::string> readStream(std::FILE* stream, std::string_view name,
                                       const InputLimits& limits) {
  return internal::catchBadAlloc(name, [&] { return readAll(stream, name, limits); });
}

absl::StatusOr<std::string> readFile(const std::string& path, const InputLimits& limits) {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  const int error = errno;
  return internal::catchBadAlloc(path, [&]() -> absl::StatusOr<std::string> {
    if (file == nullptr) return readError(path, error);
    return readAll(file.get(), path, limits);
  });
}

}  // namespace fractalray
