// SPDX-License-Identifier: Apache-2.0
// A plain model of an entity index: its entities as the contract requires them, and in which chunks
// each is. Tests compare an index with it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "../../entities/entity_index.h"

namespace fractalray {

// All expectations are fatal.
class EntityIndexModel {
 public:
  struct Living {
    EntityHandle handle;
    Entity entity;
  };
  // The entities of each chunk that has any, by index level and position.
  using Occupants = std::map<std::pair<int, ChunkCoord>, std::set<EntityHandle>>;

  explicit EntityIndexModel(const Frame& frame) : frame_(frame) {}

  const std::map<EntityId, Living>& living() const { return living_; }
  // Returns the handles of the entities that were removed last.
  const std::vector<EntityHandle>& dead() const { return dead_; }
  const Occupants& occupants() const { return occupants_; }

  // Each follows a call that the index has not refused. Expects that the handle is a new one.
  void add(const EntitySpec& spec, EntityHandle handle);
  void move(EntityId id, const Vec3d& position);
  void update(EntityId id, const EntityUpdate& update);
  void remove(EntityId id);

  // Compares an entity and the chunks that it is in.
  void expectEntityEqual(const EntityIndex& index, const Living& one) const;
  // Compares the entities of a chunk, and expects that no entity is in the cube that the index
  // reports as empty there.
  void expectChunkEqual(const EntityIndex& index, int level, const ChunkCoord& at) const;
  // Compares all of it, also with an index that never held anything but the living entities.
  void expectEqual(const EntityIndex& index) const;

 private:
  void expectEqualToOneFromScratch(const EntityIndex& index) const;
  std::vector<ChunkCoord> chunksOf(const Entity& entity) const;
  void enter(const Living& one);
  void leave(const Living& one);

  Frame frame_;
  std::map<EntityId, Living> living_;
  std::vector<EntityHandle> dead_;
  Occupants occupants_;
};

}  // namespace fractalray
