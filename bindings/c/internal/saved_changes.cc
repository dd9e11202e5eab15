// SPDX-License-Identifier: Apache-2.0
#include "saved_changes.h"

namespace fractalray::capi {

absl::StatusOr<std::unique_ptr<ChunkChanges>> openSavedChanges(const std::string& path,
                                                               const BlockTypeTable& types,
                                                               const ChangeStoreOptions& options) {
  return ChangeStore::open(path, types, options);
}

absl::Status maintainSavedChanges(ChunkChanges& changes) {
  return static_cast<ChangeStore&>(changes).maintain();
}

}  // namespace fractalray::capi
