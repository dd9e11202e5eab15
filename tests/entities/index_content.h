// SPDX-License-Identifier: Apache-2.0
// The content of an entity index as text, to compare indices and snapshots.
#pragma once

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "../../entities/entity_index.h"
#include "../../entities/internal/index_inspection.h"

namespace fractalray {

// Returns the whole observable content of the index as text; `with_handles` leaves out what may
// differ between two indices of equal content.
inline std::string contentOf(const EntityIndex& index, bool with_handles) {
  std::ostringstream text;
  std::set<std::pair<int, ChunkCoord>> chunks;
  std::set<std::tuple<EntityId, std::string>> entities;
  for (const EntityHandle& handle : index.all()) {
    const Entity& entity = *index.find(handle);
    std::ostringstream one;
    if (with_handles) one << handle.slot << '/' << handle.generation << ' ';
    one << int{entity.level} << ' ' << int{entity.index_level} << ' ' << entity.categories;
    for (int axis = 0; axis < 3; ++axis)
      one << ' ' << entity.position[axis] << ' ' << entity.shape.half_extents[axis];
    one << (index.findId(entity.id) == handle ? "" : " not found by its id") << " in";
    for (const ChunkCoord& chunk : index.chunks(handle)) {
      one << ' ' << chunk[0] << ',' << chunk[1] << ',' << chunk[2];
      chunks.emplace(int{entity.index_level}, chunk);
    }
    entities.emplace(entity.id, one.str());
  }
  text << index.size() << " entities\n";
  for (const auto& [id, one] : entities)
    text << id << ": " << one << '\n';
  for (int level = 0; level < index.frame().levels(); ++level)
    text << formatLevelMask(internal::indexLevels(index, LevelMask{level})) << '\n';
  for (const auto& [level, chunk] : chunks) {
    std::multiset<EntityId> ids;
    for (const EntityHandle& handle : internal::inChunk(index, level, chunk))
      ids.insert(index.find(handle)->id);
    text << level << ' ' << chunk[0] << ',' << chunk[1] << ',' << chunk[2] << ':';
    for (const EntityId id : ids)
      text << ' ' << id;
    for (const std::int64_t aside : {1, 5, 70, 5000}) {
      const ChunkCoord other{chunk[0], chunk[1] + aside, chunk[2]};
      text << ' ' << internal::emptyCubeLog2(index, level, other).value_or(-1);
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace fractalray
