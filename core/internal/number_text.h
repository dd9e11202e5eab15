// SPDX-License-Identifier: Apache-2.0
// Numbers in the texts of errors.
#pragma once

#include <string>

namespace fractalray::internal {

// Returns the shortest text that reads back as exactly this number. absl::StrCat rounds to six
// digits, so that a number just beyond a limit would appear to be within it.
std::string numberText(double value);

}  // namespace fractalray::internal
