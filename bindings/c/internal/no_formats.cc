// SPDX-License-Identifier: Apache-2.0
// Answers in place of the module formats, in a library without it.
#include "absl/strings/str_cat.h"

#include "query_logs.h"
#include "saved_changes.h"
#include "saved_world.h"

namespace fractalray::capi {
namespace {

absl::Status builtWithout(const char* what) {
  return absl::UnimplementedError(
      absl::StrCat("this library was built without ", what,
                   "; build it with -DFRACTALRAY_BUILD_FORMATS=ON -DFRACTALRAY_C_FORMATS=ON"));
}

}  // namespace

absl::StatusOr<SavedWorld> readSavedWorld(const std::string&, const frOpenOptions&,
                                          const std::shared_ptr<BlockTypeTable>&) {
  return builtWithout("the readers of saved worlds");
}

absl::StatusOr<std::unique_ptr<ChunkChanges>> openSavedChanges(const std::string&,
                                                               const BlockTypeTable&,
                                                               const ChangeStoreOptions&) {
  return builtWithout("files of changes");
}

absl::Status maintainSavedChanges(ChunkChanges&) {
  return builtWithout("files of changes");
}

absl::StatusOr<std::unique_ptr<QueryLog>> beginQueryLog(WorldState&, const std::string&, bool) {
  return builtWithout("query logs");
}

absl::StatusOr<std::unique_ptr<LogReplay>> openLogReplay(WorldState&, const std::string&,
                                                         const ReplayOptions&) {
  return builtWithout("query logs");
}

}  // namespace fractalray::capi
