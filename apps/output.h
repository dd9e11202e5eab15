// SPDX-License-Identifier: Apache-2.0
// What the program writes: whole or with an error that says what could not be written, and why.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fractalray {

// Writes a file by way of a temporary one beside it, so that `path` has either all of it or what it
// had before. A symbolic link stays one; a device or a pipe is written as it is. The error names
// the path and the system's reason.
absl::Status writeFileAtomically(const std::string& path, std::string_view bytes);

// Appends to standard output, through its buffer. Once it has failed, it fails.
absl::Status writeStdout(std::string_view text);
// Empties the buffer. Output counts as written only when this is OK.
absl::Status flushStdout();

}  // namespace fractalray
