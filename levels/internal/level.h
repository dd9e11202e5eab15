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

namespace fractalray::internal {

class Level;
class LevelMove;

// An aligned group of 4 x 4 x 4 chunks; slots are numbered as by slotInRegion(). Shared by threads
// as its Level is.
class Region : public RefCounted {
 public:
  // Returns the loaded chunk in a slot, or null.
  const Chunk* chunk(int slot) const {
    return hasBit(loaded_, slot) ? &chunks_[static_cast<std::size_t>(slot)] : nullptr;
  }
  // Returns a word in which bit s is set iff the chunk in slot s is loaded; loaded and not empty in
  // every channel; proto.
  std::uint64_t loaded() const { return loaded_; }
  std::uint64_t occupied() const { return occupied_; }
  std::uint64_t proto() const { return proto_; }

 private:
  friend class Level;
  friend class LevelMove;

  std::array<Chunk, 64> chunks_;  // uniform air if none is loaded
  std::uint64_t loaded_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint64_t proto_ = 0;
};

// An aligned group of 4 x 4 x 4 regions; slots are numbered as by slotInArea(). Shared by threads
// as its Level is.
class Area : public RefCounted {
 public:
  const Region* region(int slot) const { return regions_[static_cast<std::size_t>(slot)].get(); }
  // Returns a word in which bit s is set iff the region in slot s has a loaded chunk; one that is
  // not empty in every channel.
  std::uint64_t loaded() const { return loaded_; }
  std::uint64_t occupied() const { return occupied_; }
  // Returns a word in which bit s is set iff all chunks of the region in slot s are loaded.
  std::uint64_t complete() const { return complete_; }

 private:
  friend class Level;
  friend class LevelMove;

  std::array<CowPtr<Region>, 64> regions_;
  std::uint64_t complete_ = 0;
  std::uint64_t loaded_ = 0;
  std::uint64_t occupied_ = 0;
};

// A chunk of a level and the parts that lead to it, found once for all that reads them; null from
// the first one on that is missing. Valid until the level changes.
struct ChunkAt {
  ChunkCoord at{};
  const Level* level = nullptr;
  const Area* area = nullptr;
  const Region* region = nullptr;
  const Chunk* chunk = nullptr;
};

// The same of a chunk that nothing else holds, to be changed: no snapshot has these parts. `chunk`
// is its memory, whether it is loaded or not.
struct OwnChunk {
  ChunkCoord at{};
  Area* area = nullptr;
  Region* region = nullptr;
  Chunk* chunk = nullptr;
};

// The chunks of one level. Changed only by a WorldEdit, which keeps the levels in step.
// Const use is safe from any thread while nobody changes the world, and for the levels of a
// snapshot always.
class Level : public RefCounted {
 public:
  // Returns the loaded chunk at an index, or null. Cost: at most one hash look-up.
  const Chunk* find(const ChunkCoord& chunk) const {
    const Region* const region = this->region(chunk);
    return region == nullptr ? nullptr : region->chunk(slotInRegion(chunk));
  }
  ChunkState state(const ChunkCoord& chunk) const;
  // Returns the region and the area that `chunk` lies in, null if they have neither loaded nor
  // proto chunks.
  const Region* region(const ChunkCoord& chunk) const;
  const Area* area(const ChunkCoord& chunk) const { return areas_.find(chunk); }
  // Returns all areas, for searches that descend the cubes above them.
  const AreaMap<Area>& areas() const { return areas_; }

  std::size_t loadedChunks() const { return bounds_.cells(); }
  std::size_t protoChunks() const { return proto_count_; }
  // Returns true if every block is empty in every channel.
  bool isEmpty() const { return occupied_regions_ == 0; }
  // Returns the box of the loaded chunks, always exact.
  const ChunkBounds& bounds() const { return bounds_; }

  // Returns log2 of the width, in chunks, of an aligned cube around `chunk` in which nothing is
  // loaded; nothing if that chunk is loaded.
  std::optional<int> emptyCubeLog2(const ChunkCoord& chunk) const;

  // Returns a chunk with the parts that lead to it.
  ChunkAt at(const ChunkCoord& chunk) const;

  // Calls `visit` for every loaded chunk, in the order of their indices (x first). Cost: a sort.
  void forEachLoaded(absl::FunctionRef<void(const ChunkCoord&, const Chunk&)> visit) const;

  // The following are all or nothing if memory runs out: they throw std::bad_alloc, and nothing has
  // changed.

  // Returns a loaded chunk, to be changed; then the caller refreshes the masks above it. Requires:
  // the level has not changed since the chunk was found.
  OwnChunk own(const ChunkAt& found);
  // Returns the memory of any chunk, and makes its region if there is none: the caller then puts
  // the chunk, or drops the empty region.
  OwnChunk ownSlot(const ChunkCoord& chunk);
  // Takes the memory by which the level's bounds grow.
  ChunkBounds::Reservation reserve(const ChunkCoord& chunk) { return bounds_.reserve(chunk); }
  void putProto(const ChunkCoord& chunk);

  // These do not throw. Require, for the first three: the level has not been shared since the chunk
  // became its own.

  // Loads a chunk. Requires: the reservation is of this level, for that chunk; since then chunks
  // have only been put.
  void put(const OwnChunk& slot, Chunk content, ChunkBounds::Reservation reservation) noexcept;
  // Removes a loaded or proto chunk. Requires: it is one of the two.
  void remove(const OwnChunk& slot) noexcept;
  // Makes the masks above a chunk true after the chunk has been loaded, changed or unloaded.
  void refreshMasks(const OwnChunk& chunk) noexcept;
  // Erases the region that a chunk lies in, and the area, if they hold no chunk.
  void dropEmptyRegion(const ChunkCoord& chunk) noexcept;

 private:
  friend class LevelMove;

  AreaMap<Area> areas_;
  ChunkBounds bounds_;
  std::size_t proto_count_ = 0;
  std::size_t occupied_regions_ = 0;
};

}  // namespace fractalray::internal
