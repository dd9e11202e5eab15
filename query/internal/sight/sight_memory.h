// SPDX-License-Identifier: Apache-2.0
// The working memory of a query of sight, which stays for later queries.
#pragma once

#include <vector>

#include "../../../core/fixed_box.h"
#include "../../entity_search.h"
#include "kept_proof.h"
#include "open_zones.h"
#include "sight_scope.h"

namespace fractalray::internal {

struct SightMemory {
  OpenZones zones;
  Occluder occluder;
  std::vector<FixedBox> listed;  // the occluders that are boxes of their own
  std::vector<FoundEntity> entities;
  SightProof proof;  // what the last search without `through` has cut out
};
// Returns such memory, of this thread and queryDepth(), as an earlier query has left it. Requires:
// queryDepth() <= RayQueryService::kMaxNesting.
SightMemory& sightMemory();

}  // namespace fractalray::internal
