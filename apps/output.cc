// SPDX-License-Identifier: Apache-2.0
#include "fractalray/apps/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "absl/strings/str_cat.h"
#include "fractalray/apps/command.h"

namespace fractalray {
namespace {

absl::Status systemError(const std::string& what) {
  const int error = errno;
  return absl::ErrnoToStatus(error, what);
}

// Takes over the descriptor and closes it.
absl::Status writeAll(int descriptor, std::string_view bytes, const std::string& path) {
  const std::string what = absl::StrCat(path, ": cannot be written");
  absl::Status status;
  while (!bytes.empty() && status.ok()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      status = systemError(what);
    }
  }
  // Some file systems tell only here that the disk is full.
  if (::close(descriptor) != 0 && status.ok()) status = systemError(what);
  return status;
}

// Where the file really is: the end of a chain of symbolic links, or the path itself where nothing
// is.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real == nullptr ? path : real.get();
}

// The permissions of a new file, or those of the one that is replaced.
mode_t permissionsFor(const struct stat* replaced) {
  if (replaced != nullptr) return replaced->st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

absl::Status writeFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string target = resolved(path);
  struct stat present = {};
  const bool replaces = ::stat(target.c_str(), &present) == 0;
  if (replaces && !S_ISREG(present.st_mode)) {
    std::FILE* const file = std::fopen(target.c_str(), "wb");
    if (file == nullptr) return systemError(absl::StrCat(path, ": cannot be opened for writing"));
    const int descriptor = ::dup(fileno(file));
    static_cast<void>(std::fclose(file));
    return writeAll(descriptor, bytes, path);
  }
  std::string temporary = target + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0) {
    return systemError(absl::StrCat(path, ": cannot make a temporary file beside it"));
  }
  absl::Status status;
  if (::fchmod(descriptor, permissionsFor(replaces ? &present : nullptr)) != 0) {
    status = systemError(absl::StrCat(path, ": cannot set the permissions"));
  }
  const absl::Status written = writeAll(descriptor, bytes, path);
  if (status.ok()) status = written;
  if (status.ok() && std::rename(temporary.c_str(), target.c_str()) != 0) {
    status = systemError(absl::StrCat(path, ": cannot be replaced"));
  }
  if (!status.ok()) ::unlink(temporary.c_str());
  return status;
}

absl::Status writeStdout(std::string_view text) {
  if (std::ferror(stdout) == 0 && std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) {
    return absl::OkStatus();
  }
  return systemError("standard output cannot be written");
}

absl::Status flushStdout() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return absl::OkStatus();
  return systemError("standard output cannot be written");
}

int reportError(std::string_view command, const absl::Status& error, ExitStatus exit_status) {
  std::string line = absl::StrCat("fractalray", command.empty() ? "" : " ", std::string(command),
                                  ": ", error.message());
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  std::fprintf(stderr, "%s\n", line.c_str());
  return exit_status;
}

}  // namespace fractalray
