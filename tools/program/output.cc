// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../formats/file_error.h"
#include "color.h"
#include "command.h"
#include "temporary_file.h"

namespace fractalray {
namespace {

namespace fs = std::filesystem;

// Returns the path of the file: the end of a chain of symbolic links, which need not exist.
absl::StatusOr<std::string> resolved(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as many as Linux follows
  fs::path target = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target.string();  // no link
    target = target.parent_path() / next;
  }
  return fileError(ELOOP, path, "cannot be written");
}

// Returns the permissions of a new file, or those of the file that it replaces.
mode_t permissionsFor(const struct stat* replaced) {
  if (replaced != nullptr) return replaced->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

absl::StatusOr<OutputFile> OutputFile::open(const std::string& path) {
  struct stat present = {};
  const bool replaces = ::stat(path.c_str(), &present) == 0;
  if (replaces && !S_ISREG(present.st_mode)) {
    OutputFile device(path, path);
    absl::Status status = device.openDirectly();
    if (!status.ok()) return status;
    return device;
  }
  absl::StatusOr<std::string> target = resolved(path);
  if (!target.ok()) return target.status();
  OutputFile file(path, *std::move(target));
  absl::Status status = file.openTemporary();
  if (!status.ok()) return status;
  if (::fchmod(file.descriptor_, permissionsFor(replaces ? &present : nullptr)) != 0) {
    return file.error("cannot set the permissions");
  }
  return file;
}

absl::StatusOr<std::optional<OutputFile>> OutputFile::openIfNamed(const std::string& path) {
  if (path.empty()) return std::optional<OutputFile>();
  absl::StatusOr<OutputFile> file = open(path);
  if (!file.ok()) return file.status();
  return std::optional<OutputFile>(*std::move(file));
}

absl::Status OutputFile::openDirectly() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  return descriptor_ >= 0 ? absl::OkStatus() : error("cannot be opened for writing");
}

absl::Status OutputFile::openTemporary() {
  // Renaming would replace a file that is protected against writing.
  if (::access(target_.c_str(), W_OK) != 0 && errno != ENOENT) {
    return error("cannot be opened for writing");
  }
  std::string name = target_ + ".XXXXXX";
  descriptor_ = makeTemporaryFile(name);
  if (descriptor_ < 0) return error("cannot make a temporary file next to it");
  temporary_ = std::move(name);
  return absl::OkStatus();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(target_, other.target_);
  std::swap(temporary_, other.temporary_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) removeTemporaryFile(temporary_);
}

absl::Status OutputFile::error(std::string_view what) const {
  return fileError(errno, path_, what);
}

absl::Status OutputFile::writeAll(std::string_view bytes) {
  absl::Status status;
  while (!bytes.empty() && status.ok()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      status = error("cannot be written");
    }
  }
  // Some file systems report only here that the disk is full.
  if (::close(std::exchange(descriptor_, -1)) != 0 && status.ok()) {
    status = error("cannot be written");
  }
  return status;
}

absl::Status OutputFile::write(std::string_view bytes) {
  absl::Status status = writeAll(bytes);
  if (!status.ok() || temporary_.empty()) return status;
  if (renameTemporaryFile(temporary_, target_) != 0) return error("cannot be replaced");
  temporary_.clear();
  return absl::OkStatus();
}

absl::Status writeFileAtomically(const std::string& path, std::string_view bytes) {
  absl::StatusOr<OutputFile> file = OutputFile::open(path);
  return file.ok() ? file->write(bytes) : file.status();
}

absl::Status writeStdout(std::string_view text) {
  std::string clean;
  if (!isPrintable(text)) {
    clean = Colors::of(stdout).areOn() ? printableInColor(text) : printableLines(text);
    text = clean;
  }
  if (std::ferror(stdout) == 0 && std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) {
    return absl::OkStatus();
  }
  return fileError(errno, "standard output cannot be written", "");
}

absl::Status flushStdout() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return absl::OkStatus();
  return fileError(errno, "standard output cannot be written", "");
}

void writeErrorLine(std::string_view line) {
  const std::string text = printable(line, kMaxMessageBytes);
  const std::size_t colon = std::min(text.find(": "), text.size());
  const std::string who = Colors::of(stderr)(Ink::kError, std::string_view(text).substr(0, colon));
  std::fprintf(stderr, "%s%s\n", who.c_str(), text.c_str() + colon);
}

int reportError(std::string_view command, const absl::Status& error, ExitStatus exit_status) {
  const bool is_exhausted = absl::IsResourceExhausted(error);
  writeErrorLine(absl::StrCat("fractalray", command.empty() ? "" : " ", std::string(command), ": ",
                              is_exhausted ? "RESOURCE_EXHAUSTED: " : "",
                              error.message().empty() ? "out of memory" : error.message()));
  return is_exhausted ? kExitFailed : exit_status;
}

}  // namespace fractalray
