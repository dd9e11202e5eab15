// SPDX-License-Identifier: Apache-2.0
#include "source.h"

#include "absl/strings/str_cat.h"

#include "../core/printable.h"

namespace fractalray::serve {

std::string_view worldOf(std::string_view version) {
  return version.substr(0, version.rfind('@'));
}

std::string namesOf(const BlockTypeTable& types) {
  std::string names;
  for (std::size_t number = 0; number < types.size(); ++number) {
    names += types.name(static_cast<BlockTypeId>(number));
    names += '\0';
  }
  return names;
}

absl::Status checkUnchanging(std::string_view version, std::string_view at_least) {
  if (at_least.empty() || at_least == version) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("at_least is ", quotedText(at_least), ", and the server has ",
                   quotedText(version), ", which does not change; ask the server that named it"));
}

}  // namespace fractalray::serve
