// SPDX-License-Identifier: Apache-2.0
#include "input_limits.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace fractalray {

absl::Status limitError(std::string_view what, std::string_view name, std::uint64_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("more than ", limit, " ", std::string(what), "; --limit ", std::string(name),
                   "=N (InputLimits::", std::string(name), ") allows more"));
}

}  // namespace fractalray
