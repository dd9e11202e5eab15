// SPDX-License-Identifier: Apache-2.0
// What the program writes: whole or with an error that says what could not be written, and why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray {

// A file that is written whole or not at all, by way of a temporary one next to it. Opened before
// the work whose result it takes, so that a file that cannot be written ends the program at once;
// where nothing is written, the file stays what it was and the temporary one is removed.
//
// A symbolic link stays one, also where it leads to nothing yet: the file that it names is written.
// A device or a pipe is written as it is. Permissions are those of the file that is replaced.
// Errors name the path and the system's reason.
class OutputFile {
 public:
  static absl::StatusOr<OutputFile> open(const std::string& path);
  // Opens nothing where `path` is empty, as an option that is not given is.
  static absl::StatusOr<std::optional<OutputFile>> openIfNamed(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  // Writes all of the file and puts it in place. Requires: called once at most.
  absl::Status write(std::string_view bytes);

 private:
  OutputFile(std::string path, std::string target)
      : path_(std::move(path)), target_(std::move(target)) {}

  absl::Status openDirectly();
  absl::Status openTemporary();
  absl::Status writeAll(std::string_view bytes);
  absl::Status error(std::string_view what) const;

  std::string path_;       // as it was given
  std::string target_;     // the file at the end of symbolic links
  std::string temporary_;  // empty where the target itself is open, and when it is in place
  int descriptor_ = -1;
};

// Opens a file and writes it.
absl::Status writeFileAtomically(const std::string& path, std::string_view bytes);

// Appends to standard output, through its buffer. Once it has failed, it fails. What no terminal
// should be sent is written as escapes, see printable.h; the colours of color.h are let through to
// one.
absl::Status writeStdout(std::string_view text);
// Empties the buffer. Output counts as written only when this is OK.
absl::Status flushStdout();

// Prints a line on standard error, made printable and cut where it is long; on a terminal what
// comes before its first colon, who says it, is in colour.
void writeErrorLine(std::string_view line);

}  // namespace fractalray
