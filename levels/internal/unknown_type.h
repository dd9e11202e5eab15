// SPDX-License-Identifier: Apache-2.0
// The words for a block whose type is not in the world's table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../block_type.h"

namespace fractalray::internal {

// Returns INVALID_ARGUMENT for `block`, such as "block [0, 0, 5] of the chunk", of a type beyond
// the end of the table. `remedy` is appended.
inline absl::Status unknownTypeError(std::string_view block, std::size_t type,
                                     const BlockTypeTable& types, std::string_view remedy = "") {
  return absl::InvalidArgumentError(absl::StrCat(std::string(block), " has type ", type,
                                                 "; the table ends at ", types.size() - 1,
                                                 ": add the type first", std::string(remedy)));
}

}  // namespace fractalray::internal
