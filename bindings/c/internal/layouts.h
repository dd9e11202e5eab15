// SPDX-License-Identifier: Apache-2.0
// Layouts of ids, as functions receive them.
#pragma once

#include "absl/status/statusor.h"

#include "../../../levels/id_layout.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// Returns the layout of ids at an address, null if there are several; no layout stands for that of
// Chunk::Ids.
absl::StatusOr<IdLayout> layoutFrom(const frIdLayout* layout, const void* ids);

}  // namespace fractalray::capi
