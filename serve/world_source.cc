// SPDX-License-Identifier: Apache-2.0
#include "world_source.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "../bindings/c/internal/world_view.h"
#include "../entities/entity_fingerprint.h"
#include "../formats/replay/world_fingerprint.h"
#include "../levels/fingerprint.h"

namespace fractalray::serve {

WorldSource::WorldSource(std::shared_ptr<const World> world,
                         const std::shared_ptr<const EntityIndex>& entities)
    : blocks_(std::move(world)),
      feed_(entities),
      version_(absl::StrCat(absl::Hex(worldFingerprint(*blocks_), absl::kZeroPad16), "@",
                            absl::Hex(entitiesFingerprint(*entities), absl::kZeroPad16))),
      block_types_(blockTypesFingerprint(blocks_->blockTypes())),
      type_names_(namesOf(blocks_->blockTypes())) {}

absl::StatusOr<SourceView> WorldSource::view(const Question& /*question*/, const Freshness& fresh) {
  absl::Status status = checkUnchanging(version_, fresh.at_least);
  if (!status.ok()) return status;
  EntityFeed::State state = feed_.state();
  const std::lock_guard lock(mutex_);
  if (shown_ != state.entities) {
    world_ = std::shared_ptr<frWorld>(capi::viewOf(blocks_, state.entities), frDestroyWorld);
    shown_ = std::move(state.entities);
  }
  return SourceView{.world = world_.get(),
                    .version = version_,
                    .tick = state.tick,
                    .feeds = state.feeds,
                    .hold = world_};
}

}  // namespace fractalray::serve
