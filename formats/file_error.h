// SPDX-License-Identifier: Apache-2.0
// Errors of the file system: what an errno means for the caller of the library.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace fractalray {

// Returns "<path>: <what>: <the system's reason>", with the code for an errno:
//
//   NOT_FOUND           there is no such file or directory, or a part of the path is a file
//   INVALID_ARGUMENT    the path is too long, goes in circles of links, or names a directory
//   PERMISSION_DENIED   the permissions, or a file system that cannot be written
//   RESOURCE_EXHAUSTED  a full disk, a quota, a file that would be too large, too many open files,
//                       no memory
//   UNAVAILABLE         another program uses it
//   DATA_LOSS           the device cannot be read
//
// and that of absl::ErrnoToStatusCode for others. `what` is like "cannot be read", or empty.
absl::Status fileError(int error, std::string_view path, std::string_view what);

}  // namespace fractalray
