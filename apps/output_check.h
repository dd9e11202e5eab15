// SPDX-License-Identifier: Apache-2.0
// What is wrong with the outputs that a command line names, found before the work.
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

// INVALID_ARGUMENT where an output is another output as well, or an input: the later one would
// overwrite it. Links are followed; devices and pipes may be named twice.
absl::Status checkDistinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs);

// INVALID_ARGUMENT if the file's name ends in that of another type of file that the program or
// picture viewers know: it would not be what its name says. `extension` is one like ".png".
absl::Status checkFileType(const NamedFile& output, std::string_view extension);

// Whether a file can be opened for writing, for one that is opened only later. Changes nothing. The
// error names the path and the system's reason.
absl::Status checkWritable(const std::string& path);

}  // namespace fractalray
