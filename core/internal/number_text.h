// SPDX-License-Identifier: Apache-2.0
// Numbers and axes in the texts of errors.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace fractalray::internal {

// Returns the shortest text that reads back as exactly this number. absl::StrCat rounds to six
// digits, so that a number just beyond a limit would appear to be within it.
std::string numberText(double value);
// Appends the same.
void appendNumberText(std::string& text, double value);

// The same as numberText(), found by trying: for standard libraries without std::to_chars of
// numbers, such as that of Debian's emscripten.
std::string numberTextByTrying(double value);

// Returns "x", "y" or "z". Requires: 0 <= axis <= 2.
absl::string_view axisName(int axis);

}  // namespace fractalray::internal
