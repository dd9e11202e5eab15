// SPDX-License-Identifier: Apache-2.0
// One level of a world: its chunks by region and area, and the box of those that are loaded.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"

#include "../../core/cow_ptr.h"
#include "../../core/internal/tree64/area_map.h"
#include "../../core/vec.h"
#include "../chunk.h"
#include "chunk_bounds.h"

namespace fractalray {
class World;
}

namespace fractalray::internal {

class LevelMove;

// The 4 x 4 x 4 chunks around one place; slots as slotInRegion counts them. Shared by threads as
// its Level is.
class Region : public RefCounted {
 public:
  // The loaded chunk in a slot, or null.
  const Chunk* chunk(int slot) const {
    return hasBit(loaded_, slot) ? &chunks_[static_cast<std::size_t>(slot)] : nullptr;
  }
  // Bit s is set iff the chunk in slot s is loaded; loaded and not empty in every channel; proto.
  std::uint64_t loaded() const { return loaded_; }
  std::uint64_t occupied() const { return occupied_; }
  std::uint64_t proto() const { return proto_; }

 private:
  friend class Level;
  friend class LevelMove;

  std::array<Chunk, 64> chunks_;  // uniform air where none is loaded
  std::uint64_t loaded_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint64_t proto_ = 0;
};

// The 4 x 4 x 4 regions around one place; slots as slotInArea counts them. Shared by threads as its
// Level is.
class Area : public RefCounted {
 public:
  const Region* region(int slot) const { return regions_[static_cast<std::size_t>(slot)].get(); }
  // Bit s is set iff the region in slot s has a loaded chunk; one that is not empty in every
  // channel.
  std::uint64_t loaded() const { return loaded_; }
  std::uint64_t occupied() const { return occupied_; }
  // Bit s is set iff all chunks of the region in slot s are loaded.
  std::uint64_t complete() const { return complete_; }

 private:
  friend class Level;
  friend class LevelMove;

  std::array<CowPtr<Region>, 64> regions_;
  std::uint64_t complete_ = 0;
  std::uint64_t loaded_ = 0;
  std::uint64_t occupied_ = 0;
};

// The chunks of one level. Changed only by the World that owns it, which keeps the levels in step.
// Const use is safe from any thread while nobody changes the world, and for the levels of a
// snapshot always.
class Level : public RefCounted {
 public:
  // The loaded chunk there, or null. Cost: one hash look-up.
  const Chunk* find(const ChunkCoord& chunk) const {
    const Region* const region = this->region(chunk);
    return region == nullptr ? nullptr : region->chunk(slotInRegion(chunk));
  }
  ChunkState state(const ChunkCoord& chunk) const;
  // The region and the area that `chunk` lies in, null where they have neither loaded nor proto
  // chunks.
  const Region* region(const ChunkCoord& chunk) const;
  const Area* area(const ChunkCoord& chunk) const { return areas_.find(chunk); }
  // All areas, for searches that descend the cubes above them.
  const AreaMap<Area>& areas() const { return areas_; }

  std::size_t loadedChunks() const { return loaded_count_; }
  std::size_t protoChunks() const { return proto_count_; }
  // The box of the loaded chunks, always exact.
  const ChunkBounds& bounds() const { return bounds_; }

  // log2 of the width, in chunks, of an aligned cube around `chunk` in which nothing is loaded;
  // nothing where that chunk is loaded.
  std::optional<int> emptyCubeLog2(const ChunkCoord& chunk) const;

  // Calls `visit` for every loaded chunk, in the order of their indices (x first). Cost: a sort.
  void forEachLoaded(absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const;

 private:
  friend class ::fractalray::World;
  friend class LevelMove;

  // These are all or nothing where memory runs out: they throw std::bad_alloc, and nothing has
  // changed.

  // The loaded chunk there, to be changed, or null. The masks above it are then to be refreshed.
  Chunk* edit(const ChunkCoord& chunk);
  // The region that a chunk lies in, to be changed, made where there is none: then it is to get a
  // chunk, with nothing that may throw before.
  Region& editRegion(const ChunkCoord& chunk);
  void put(const ChunkCoord& chunk, Chunk content);
  void putProto(const ChunkCoord& chunk);
  // Removes a loaded or proto chunk; nothing where there is none.
  void remove(const ChunkCoord& chunk);

  // Makes the masks above a chunk true after its content, or itself, has come, changed or gone.
  // Requires: its region has been edited since the level was last shared.
  void refreshMasks(const ChunkCoord& chunk) noexcept;

  AreaMap<Area> areas_;
  ChunkBounds bounds_;
  std::size_t loaded_count_ = 0;
  std::size_t proto_count_ = 0;
};

}  // namespace fractalray::internal
