// SPDX-License-Identifier: Apache-2.0
#include "out_of_memory.h"

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"

namespace fractalray::internal {

absl::Status outOfMemory(std::string_view name) {
  try {
    return absl::ResourceExhaustedError(absl::StrCat(printablePath(name), ": out of memory"));
  } catch (const std::bad_alloc&) {
    return {absl::StatusCode::kResourceExhausted, ""};
  }
}

}  // namespace fractalray::internal
