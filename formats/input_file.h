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

// Returns the bytes of a file. Anything that can be read as one will do: a pipe or a device is read
// to its end, within the same limit. NOT_FOUND, PERMISSION_DENIED or another code, with the path
// and the system's reason, where it cannot be read; RESOURCE_EXHAUSTED beyond limits.file_bytes, of
// which no more is read, and where memory runs out.
absl::StatusOr<std::string> readFile(const std::string& path, const InputLimits& limits = {});

// Returns the rest of an open stream, which errors call `name`. Errors as above.
absl::StatusOr<std::string> readStream(std::FILE* stream, std::string_view name,
                                       const InputLimits& limits = {});

}  // namespace fractalray
