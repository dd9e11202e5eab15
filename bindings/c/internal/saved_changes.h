// SPDX-License-Identifier: Apache-2.0
// Keeps changes in a file, by the module formats. A library without it has no_formats.cc in place
// of saved_changes.cc.
#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../formats/change_store.h"
#include "../../../levels/block_type.h"
#include "../../../streaming/chunk_changes.h"

namespace fractalray::capi {

// Opens or makes a ChangeStore. `types` must outlive it. Errors: those of ChangeStore::open();
// UNIMPLEMENTED in a library without the module formats.
absl::StatusOr<std::unique_ptr<ChunkChanges>> openSavedChanges(const std::string& path,
                                                               const BlockTypeTable& types,
                                                               const ChangeStoreOptions& options);

// Calls ChangeStore::maintain(). Requires: `changes` are from openSavedChanges().
absl::Status maintainSavedChanges(ChunkChanges& changes);

}  // namespace fractalray::capi
