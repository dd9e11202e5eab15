// SPDX-License-Identifier: Apache-2.0
// The entity index: which entities are in which chunks, kept while they move.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "boost/container/small_vector.hpp"
#include "boost/container/static_vector.hpp"
#include "fractalray/core/cell_tree.h"
#include "fractalray/core/frame.h"
#include "fractalray/core/level_mask.h"
#include "fractalray/entities/entity.h"

namespace fractalray {

// Entities of all levels. Each is kept on its index level, the finest active level with
// radius < C(level), in exactly those chunks of it whose closed cube meets its closed shape (never
// more than 27), whether or not these chunks are loaded; its own level only says who may hit it.
//
// Chunks are by index level, not by anything that is loaded: the index knows no world. Not
// thread-safe while it changes; const use is safe from any thread.
class EntityIndex {
 public:
  static constexpr std::size_t kMaxChunks = 27;
  using ChunkSet = boost::container::static_vector<ChunkCoord, kMaxChunks>;

  explicit EntityIndex(const Frame& frame) : frame_(frame) {}

  const Frame& frame() const { return frame_; }

  // Adds an entity. ALREADY_EXISTS for an id that lives; INVALID_ARGUMENT for an inactive level, a
  // non-finite position, a negative or non-finite size or a radius that is not below C(0);
  // OUT_OF_RANGE for a position, or a shape that reaches, beyond the frame. Then nothing has
  // changed.
  absl::StatusOr<EntityHandle> add(const EntitySpec& spec);
  // Moves an entity to another position, in finest-block widths. NOT_FOUND for a stale handle,
  // INVALID_ARGUMENT and OUT_OF_RANGE as above. Cost: no table is touched where the chunks stay the
  // same.
  absl::Status move(EntityHandle entity, const Vec3d& position);
  // Removes an entity; its handle is stale from then on. NOT_FOUND for a stale handle.
  absl::Status remove(EntityHandle entity);

  // The entity, null for a stale handle. Valid until the index changes.
  const Entity* find(EntityHandle entity) const;
  // The living entity of that id.
  std::optional<EntityHandle> findId(EntityId id) const;
  std::size_t size() const { return by_id_.size(); }
  // The number of slots; every handle's slot is below it.
  std::size_t slots() const { return slots_.size(); }
  // Every living entity, in the order of slots.
  std::vector<EntityHandle> all() const;

  // The chunks that an entity is indexed in, sorted by x, then y, then z; empty for a stale handle.
  // Valid until the index changes.
  std::span<const ChunkCoord> chunks(EntityHandle entity) const;
  // The entities in a chunk of an index level, in no particular order. Valid until the index
  // changes.
  std::span<const EntityHandle> inChunk(int index_level, const ChunkCoord& chunk) const;
  // log2 of the width, in chunks, of an aligned cube around `chunk` that holds no entity; nothing
  // where that chunk holds one.
  std::optional<int> emptyCubeLog2(int index_level, const ChunkCoord& chunk) const;
  // The index levels on which any entity is kept whose own level is in the mask.
  LevelMask indexLevels(LevelMask own_levels) const;

 private:
  struct Slot {
    Entity entity;
    ChunkSet chunks;
    std::uint32_t generation = 1;
    bool alive = false;
  };
  using Tenants = boost::container::small_vector<EntityHandle, 4>;
  struct IndexLevel {
    absl::flat_hash_map<ChunkCoord, Tenants, CellHash> chunks;
    CellTree occupied;
    std::array<std::size_t, kMaxLevels> count_by_own_level{};
  };

  ChunkSet chunksOf(const Entity& entity) const;
  IndexLevel& indexLevel(int level) { return index_levels_[static_cast<std::size_t>(level)]; }
  const IndexLevel& indexLevel(int level) const {
    return index_levels_[static_cast<std::size_t>(level)];
  }
  void enter(int index_level, const ChunkCoord& chunk, EntityHandle entity);
  void leave(int index_level, const ChunkCoord& chunk, EntityHandle entity);
  absl::Status stale(EntityHandle entity) const;

  Frame frame_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  absl::flat_hash_map<EntityId, EntityHandle> by_id_;
  std::array<IndexLevel, kMaxLevels> index_levels_;
};

}  // namespace fractalray
