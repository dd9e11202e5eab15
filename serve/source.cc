// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include "absl/strings/str_cat.h"

#include "../core/printable.h"

namespace fractalray::serve {

std::string_view worldOf(std::string_view version) {
  return version.substr(0, version.rfind('@'));
}

absl::Status checkUnchanging(std::string_view version, std::string_view at_least) {
  if (at_least.empty() || at_least == version) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("at_least is ", quotedText(at_least), ", and the server has ",
                   quotedText(version), ", which does not change; ask the server that named it"));
}

}  // namespace fractalray::serve
