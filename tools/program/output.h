// SPDX-License-Identifier: Apache-2.0
// Output of the program: written whole, or an error says what could not be written, and why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fractalray {

// A file that is written whole or not at all, by way of a temporary file next to it. It is opened
// before the work whose result it gets, so that a file that cannot be written ends the program at
// once. If nothing is written, the file is unchanged and the temporary file is removed.
//
// A symbolic link stays one, even if its target does not exist yet: the target is written. A device
// or a pipe is written directly. The file keeps the permissions of the one that it replaces. Errors
// name the path and the system's reason.
class OutputFile {
 public:
  static absl::StatusOr<OutputFile> open(const std::string& path);
  // Opens nothing if `path` is empty, like that of an option that is not given.
  static absl::StatusOr<std::optional<OutputFile>> openIfNamed(const std::string& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  // Writes all of the file and renames it to its target. Requires: called at most once.
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
  std::string temporary_;  // empty if the target itself is open, and after the renaming
  int descriptor_ = -1;
};

// Opens a file and writes it.
absl::Status writeFileAtomically(const std::string& path, std::string_view bytes);

// Appends to standard output, through its buffer; after an error it always returns an error.
// Unprintable characters are written as escapes, see printable.h; the colours of color.h are kept
// on a terminal.
absl::Status writeStdout(std::string_view text);
// Flushes the buffer. Output counts as written only if this is OK.
absl::Status flushStdout();

// Prints a line on standard error, made printable and cut if it is long; on a terminal the part
// before its first colon is in colour.
void writeErrorLine(std::string_view line);

}  // namespace fractalray
