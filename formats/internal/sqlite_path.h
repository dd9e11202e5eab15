// SPDX-License-Identifier: Apache-2.0
// Checks what is at a path before SQLite opens it, whose words for other files help nobody; and
// opening something like a pipe would wait for ever.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fractalray {

// Check a file that is to be read, with its header; and one that is to be written, or made.
absl::Status checkPathToRead(const std::string& path);
absl::Status checkPathToWrite(const std::string& path);

}  // namespace fractalray
