// SPDX-License-Identifier: Apache-2.0
// Writes a part of a world, with entities and queries, as a scenario: what one finds in a big world
// as a file that anyone can answer again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario.h"

namespace fractalray {

// The place of a chunk.
struct ChunkPlace {
  int level = 0;
  ChunkCoord at{};

  friend auto operator<=>(const ChunkPlace&, const ChunkPlace&) = default;
};

// What goes into a scenario.
struct ScenarioPart {
  const World& world;
  const EntityIndex& entities;
  // The chunks, loaded and proto, each once; those that are absent are left out.
  std::vector<ChunkPlace> chunks;
  std::vector<EntityHandle> entities_kept;
  // What the answers call a type. Where two that occur share a name, the later one gets a '.
  std::function<std::string_view(BlockTypeId)> name;
  // Whose callbacks stop a shot.
  std::vector<BlockTypeId> stopping_types;
  std::vector<EntityClassId> stopping_classes;
  std::vector<ScenarioQuery> queries;
  std::string about;   // a note for people; none where it is empty
  ChunkPath anchor{};  // of the level-0 chunk (0, 0, 0)
};

// The scenario as text, in lines for people: each chunk whole, with the fewest boxes that a simple
// search finds. parseScenario reads back the same blocks, entities and queries, and so gives the
// same answers wherever nothing matters that was left out. Cost: O(blocks of the chunks).
std::string formatScenario(const ScenarioPart& part);

}  // namespace fractalray
