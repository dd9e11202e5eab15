// SPDX-License-Identifier: Apache-2.0
// A file of the C library that closes itself.
#pragma once

#include <cstdio>
#include <memory>

namespace fractalray {

struct FileCloser {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};
// For files that are read, whose closing cannot lose anything.
using FileHandle = std::unique_ptr<std::FILE, FileCloser>;

}  // namespace fractalray
