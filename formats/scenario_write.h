// SPDX-License-Identifier: Apache-2.0
// Writes a part of a world, with entities and queries, as a scenario, so that a finding in a big
// world is a file that anyone can run again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario.h"

namespace fractalray {

// The content of a scenario.
struct ScenarioPart {
  const World& world;
  const EntityIndex& entities;
  // The chunks, loaded and proto, each once; those that are absent are left out.
  std::vector<ChunkOfLevel> chunks;
  std::vector<EntityHandle> entities_kept;
  // Returns the name of a type in the answers. If two types that occur share a name, the later one
  // gets a '.
  std::function<std::string_view(BlockTypeId)> name;
  // The types whose callbacks stop a shot.
  std::vector<BlockTypeId> stopping_types;
  std::vector<EntityClassId> stopping_classes;
  std::vector<ScenarioQuery> queries;
  std::string about;   // a note for people; none if empty
  ChunkPath anchor{};  // of the level-0 chunk (0, 0, 0)
};

// Returns the scenario as text, in lines for people: each chunk whole, with the fewest boxes that a
// simple search finds. parseScenario reads back the same blocks, entities and queries, and so gives
// the same answers as long as the parts left out do not matter. Cost: O(blocks of the chunks).
std::string formatScenario(const ScenarioPart& part);

}  // namespace fractalray
