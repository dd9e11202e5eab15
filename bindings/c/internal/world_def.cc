// SPDX-License-Identifier: Apache-2.0
#include "world_def.h"

#include <utility>

#include "objects.h"

namespace fractalray::capi {
namespace {

absl::Status checkVersion(std::int32_t version) {
  constexpr bool kMinorsMayDiffer = FR_VERSION_MAJOR > 0;
  const bool is_right = version / 1000000 == FR_VERSION_MAJOR &&
                        (kMinorsMayDiffer || version / 1000 % 1000 == FR_VERSION_MINOR);
  if (version > 0 && is_right) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("def->version is ", version, ", the library has version ", FR_VERSION,
                   "; set it to FR_VERSION, and compile with the header of this library"));
}

// Returns the table of block types of another world, or a new one.
absl::StatusOr<std::shared_ptr<BlockTypeTable>> tableOf(const frWorld* other) {
  if (other == nullptr) return std::make_shared<BlockTypeTable>();
  absl::Status status = checkObject(other, "def->block_types_of");
  if (!status.ok()) return status;
  const WorldState& state = *find(other)->state;
  if (state.isSnapshot()) return isSnapshot();
  return state.blockTypes();
}

}  // namespace

absl::StatusOr<WorldPlan> readWorldDef(const frWorldDef* def) {
  absl::Status status = checkStruct(def, "def");
  if (status.ok()) status = checkVersion(def->version);
  if (!status.ok()) return status;
  if (def->levels < 0 || def->levels > kMaxLevels) {
    return absl::InvalidArgumentError(
        absl::StrCat("def->levels is ", def->levels, "; a world has 1 to ", kMaxLevels));
  }
  absl::StatusOr<ChunkPath> anchor = ChunkPath::parse(def->anchor == nullptr ? "" : def->anchor);
  if (!anchor.ok()) return anchor.status();
  absl::StatusOr<std::shared_ptr<BlockTypeTable>> types = tableOf(def->block_types_of);
  if (!types.ok()) return types.status();
  return WorldPlan{.levels = def->levels,
                   .anchor = *std::move(anchor),
                   .block_types = *std::move(types),
                   .threads = {def->parallel_for, def->parallel_context}};
}

std::shared_ptr<WorldState> makeState(WorldPlan plan, World blocks) {
  auto state = std::make_shared<WorldState>(std::move(blocks), std::move(plan.anchor),
                                            std::move(plan.block_types));
  state->setThreads(plan.threads);
  return state;
}

}  // namespace fractalray::capi
