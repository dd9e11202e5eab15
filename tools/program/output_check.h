// SPDX-License-Identifier: Apache-2.0
// Checks the outputs that a command line names, before the work.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace fractalray {

// A file and the option that names it. An empty path is an option that is not given.
struct NamedFile {
  std::string_view option;
  std::string path;
};

// Returns INVALID_ARGUMENT if an output is also another output or an input, since one would
// overwrite the other. Follows links; devices and pipes may be named twice.
absl::Status checkDistinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs);

// Returns INVALID_ARGUMENT if the file's name has the extension of another type of file that the
// program or picture viewers know. `extension` is one like ".png".
absl::Status checkFileType(const NamedFile& output, std::string_view extension);

// Checks that a file can be opened for writing, for one that is opened later. Changes nothing. The
// error names the path and the system's reason.
absl::Status checkWritable(const std::string& path);

}  // namespace fractalray
