// SPDX-License-Identifier: Apache-2.0
// Files and streams read whole, up to a limit.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

#include "input_limits.h"

namespace fractalray {

// Returns the bytes of a file. A pipe or a device works too: it is read to its end, within the same
// limit. Errors: NOT_FOUND, PERMISSION_DENIED or another code, with the path and the system's
// reason, if the file cannot be read; RESOURCE_EXHAUSTED if it exceeds limits.file_bytes, beyond
// which nothing is read, and if memory runs out.
absl::StatusOr<std::string> readFile(const std::string& path, const InputLimits& limits = {});

// Returns the rest of an open stream, which errors call `name`. Errors as above.
absl::StatusOr<std::string> readStream(std::FILE* stream, std::string_view name,
                                       const InputLimits& limits = {});

}  // namespace fractalray
