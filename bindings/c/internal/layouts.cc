// SPDX-License-Identifier: Apache-2.0
#include "layouts.h"

#include <cstdint>

#include "objects.h"

namespace fractalray::capi {

absl::StatusOr<IdLayout> layoutFrom(const frIdLayout* layout, const void* ids) {
  if (layout != nullptr) {
    absl::Status status = checkObject(layout, "layout");
    if (!status.ok()) return status;
    return find(layout)->layout;
  }
  // The library reads its own layout as an array, which has to be aligned.
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(ids) % alignof(BlockTypeId) == 0;
  if (ids != nullptr && is_aligned) return IdLayout();
  return IdLayout::make({});
}

}  // namespace fractalray::capi
