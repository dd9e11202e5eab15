// SPDX-License-Identifier: Apache-2.0
#include "objects.h"

#include "convert.h"

namespace fractalray::capi {

absl::Status wrongObject(const void* handle, const char* name) {
  if (handle == nullptr) return badArgument({handle, name});
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is an object of another kind, or has been destroyed"));
}

absl::Status isSnapshot() {
  return absl::FailedPreconditionError(
      "the world is a snapshot, which never changes; change its original");
}

absl::Status checkLevel(const WorldState& state, std::int32_t level) {
  const Frame& frame = state.world().frame();
  if (frame.isActive(level)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "level ", level, " is not active; the world has levels 0 to ", frame.levels() - 1));
}

absl::Status checkChannel(const WorldState& state, frChannel channel) {
  const std::size_t channels = state.world().blockTypes().channels();
  if (channel < channels) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there is no channel ", channel, "; the world has ", channels));
}

absl::Status checkBlockType(const WorldState& state, frBlockType type) {
  const BlockTypeTable& types = state.world().blockTypes();
  if (types.contains(typeFromC(type))) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there is no block type ", type, "; the world has ", types.size()));
}

absl::Status isBusy(const char* name) {
  return absl::FailedPreconditionError(
      absl::StrCat(name,
                   " is in use by a call that has not returned; use it, or destroy it, "
                   "outside of its callbacks"));
}

}  // namespace fractalray::capi
