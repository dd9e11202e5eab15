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
                         std::shared_ptr<const EntityIndex> entities)
    : version_(absl::StrCat(absl::Hex(worldFingerprint(*world), absl::kZeroPad16), "@",
                            absl::Hex(entitiesFingerprint(*entities), absl::kZeroPad16))),
      block_types_(blockTypesFingerprint(world->blockTypes())),
      type_names_(namesOf(world->blockTypes())) {
  world_ = capi::viewOf(std::move(world), std::move(entities));
}

WorldSource::~WorldSource() {
  frDestroyWorld(world_);
}

absl::StatusOr<SourceView> WorldSource::view(const Question& /*question*/, const Freshness& fresh) {
  absl::Status status = checkUnchanging(version_, fresh.at_least);
  if (!status.ok()) return status;
  return SourceView{.world = world_, .version = version_, .hold = nullptr};
}

}  // namespace fractalray::serve
