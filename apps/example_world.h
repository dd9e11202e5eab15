// SPDX-License-Identifier: Apache-2.0
// The world that comes with the program.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fractalray {

// Returns the folder of the example world, found from where the program itself is: both an
// installation and a build have it in share/fractalray next to the program's bin. NOT_FOUND, with
// where it should be and what to do, if it is not there.
absl::StatusOr<std::string> findExampleWorld();

}  // namespace fractalray
