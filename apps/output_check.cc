// SPDX-License-Identifier: Apache-2.0
#include "output_check.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

namespace fs = std::filesystem;

bool isSameFile(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  const fs::file_status status = fs::status(a, error);
  if (fs::exists(status)) return fs::is_regular_file(status) && fs::equivalent(a, b, error);
  return fs::weakly_canonical(fs::absolute(a, error), error) ==
         fs::weakly_canonical(fs::absolute(b, error), error);
}

}  // namespace

absl::Status checkDistinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    const auto refuse = [&](const NamedFile& other, const char* what) {
      return absl::InvalidArgumentError(absl::StrCat(
          std::string(output.option), ": ", output.path, " is also what ",
          std::string(other.option), " ", what, " and would be overwritten; name another file"));
    };
    for (const NamedFile& other : outputs.first(i)) {
      if (isSameFile(output.path, other.path)) return refuse(other, "writes");
    }
    for (const NamedFile& input : inputs) {
      if (isSameFile(output.path, input.path)) return refuse(input, "reads");
    }
  }
  return absl::OkStatus();
}

absl::Status checkWritable(const std::string& path) {
  const auto failed = [&] {
    const int error = errno;
    return absl::ErrnoToStatus(error, absl::StrCat(path, ": cannot be opened for writing"));
  };
  std::error_code error;
  if (fs::is_directory(path, error)) {
    errno = EISDIR;
    return failed();
  }
  if (::access(path.c_str(), W_OK) == 0) return absl::OkStatus();
  if (errno != ENOENT) return failed();
  // A file that is yet to be made, perhaps at the end of a symbolic link.
  const fs::path target = fs::is_symlink(path, error)
                              ? fs::path(path).parent_path() / fs::read_symlink(path, error)
                              : fs::path(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? absl::OkStatus() : failed();
}

}  // namespace fractalray
