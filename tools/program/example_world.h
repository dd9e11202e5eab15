// SPDX-License-Identifier: Apache-2.0
// The world that is installed with the program.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fractalray {

// Returns the folder of the example world, relative to the running program: both an installation
// and a build have it in share/fractalray next to the program's bin. NOT_FOUND, with the expected
// path and the remedy, if it is not there.
absl::StatusOr<std::string> findExampleWorld();

}  // namespace fractalray
