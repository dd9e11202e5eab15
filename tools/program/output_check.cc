// SPDX-License-Identifier: Apache-2.0
#include "output_check.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include "../../formats/file_error.h"

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

absl::Status checkFileType(const NamedFile& output, std::string_view extension) {
  static constexpr std::array<std::string_view, 14> kKnown = {
      ".png",  ".jpg", ".jpeg", ".gif",  ".bmp",  ".webp",  ".tif",
      ".tiff", ".svg", ".pdf",  ".json", ".html", ".jsonl", ".txt"};
  fs::path name = output.path;
  const std::string given = absl::AsciiStrToLower(name.extension().string());
  const bool is_known = std::find(kKnown.begin(), kKnown.end(), given) != kKnown.end();
  if (!is_known || given == extension) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      std::string(output.option), ": ", output.path, " would hold a ",
      absl::AsciiStrToUpper(std::string(extension.substr(1))), " file; name it ",
      name.replace_extension(extension).string(), " and convert it if you need another type"));
}

absl::Status checkWritable(const std::string& path) {
  const auto failed = [&] {
    const int error = errno;
    return fileError(error, path, "cannot be opened for writing");
  };
  std::error_code error;
  if (fs::is_directory(path, error)) {
    errno = EISDIR;
    return failed();
  }
  if (::access(path.c_str(), W_OK) == 0) return absl::OkStatus();
  if (errno != ENOENT) return failed();
  // A file that does not exist yet, perhaps the target of a symbolic link.
  const fs::path target = fs::is_symlink(path, error)
                              ? fs::path(path).parent_path() / fs::read_symlink(path, error)
                              : fs::path(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? absl::OkStatus() : failed();
}

}  // namespace fractalray
