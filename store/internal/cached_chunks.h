// SPDX-License-Identifier: Apache-2.0
// The knowledge that a cache has of a map: chunks that are loaded in a world, and chunks known to
// be absent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"

#include "../../core/frame.h"
#include "../../core/internal/tree64/sparse_cell_set.h"
#include "../../core/vec.h"
#include "../../formats/luanti_map.h"
#include "../../levels/world.h"

namespace fractalray {

// How much is known of a chunk, and so for which queries it can answer.
enum class Knowledge : std::uint8_t {
  kNone,
  // Loaded, of a coarser level, with blocks that say no more than that it exists: enough for
  // queries for which all blocks that the map has more of defer to the next finer level.
  kOutline,
  kWhole,  // loaded
  kAbsent,
};

// A chunk that a query needs.
struct NeededChunk {
  ChunkOfLevel at;
  bool outline = false;  // true if its outline is enough

  // NOLINTNEXTLINE(readability-implicit-bool-conversion): there is none in a default
  friend constexpr auto operator<=>(const NeededChunk&, const NeededChunk&) = default;
};

// Keeps the account of a world's chunks, and drops the oldest ones when memory is short. Not
// thread-safe while it changes; const use is safe from any thread.
class CachedChunks {
 public:
  // The world must outlive it, and be changed by it alone.
  explicit CachedChunks(World& world) : world_(world) {}

  Knowledge find(int level, const ChunkCoord& at) const {
    const Entries& entries = entries_[static_cast<std::size_t>(level)];
    const auto found = entries.find(at);
    return found == entries.end() ? Knowledge::kNone : found->second.known;
  }
  bool has(const NeededChunk& needed) const {
    const Knowledge known = find(needed.at.level, needed.at.chunk);
    return known == Knowledge::kWhole || known == Knowledge::kAbsent ||
           (known == Knowledge::kOutline && needed.outline);
  }
  // Returns the chunks of a level that has() names, whole or with outlines, as a set that whole
  // cubes of them are looked up in.
  const SparseCellSet& known(int level, bool outline) const {
    return known_[static_cast<std::size_t>(level)][outline ? 1 : 0];
  }

  // Load a whole chunk, or an outline, with a mapblock that the chunk contains; or replace it.
  // Errors: those of World.
  absl::Status load(int level, const ChunkCoord& at, Chunk chunk);
  absl::Status loadOutline(int level, const ChunkCoord& at, Chunk chunk, const ChunkCoord& witness);
  // Returns the mapblock that an outline was loaded with; null if no outline is loaded there.
  const ChunkCoord* witness(int level, const ChunkCoord& at) const;
  // Unloads a chunk that is loaded: it is known to be absent.
  void setAbsent(int level, const ChunkCoord& at);
  // Forgets a chunk, and unloads it. Returns false if nothing was known.
  bool forget(int level, const ChunkCoord& at);
  // Forgets and unloads all. If memory runs out, throws std::bad_alloc, and nothing is known that
  // is not loaded.
  void forgetAll();

  // Forgets those that were loaded first until the others take at most so many bytes. The chunks of
  // levels 0 and 1 stay, of which a map has at most 4104.
  void shrink(std::size_t max_bytes);
  // Counts what others keep for these chunks as bytes, which nothing here can drop.
  void countOthers(std::size_t bytes) { other_bytes_ = bytes; }
  // Returns the bytes of all chunks, those that others keep, and about those of this account.
  std::size_t bytes() const { return bytes_ + other_bytes_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Entry {
    Knowledge known = Knowledge::kNone;
    std::uint32_t bytes = 0;
    std::uint64_t turn = 0;  // the number of the change that made it
  };
  using Entries = absl::flat_hash_map<ChunkCoord, Entry>;
  struct Turn {
    int level = 0;
    ChunkCoord at{};
    std::uint64_t turn = 0;
  };

  using Witnesses = absl::flat_hash_map<ChunkCoord, ChunkCoord>;

  void set(int level, const ChunkCoord& at, Knowledge known, std::size_t bytes);
  void setKnown(int level, const ChunkCoord& at, Knowledge known);
  bool isCurrent(const Turn& turn) const;
  void unload(int level, const ChunkCoord& at);

  World& world_;
  std::array<Entries, kLuantiLevels> entries_;      // by level
  std::array<Witnesses, kLuantiLevels> witnesses_;  // of all outlines, by level
  // By level: those that are whole or absent; those, and outlines. If memory runs out, some of
  // entries_ may not be in them.
  std::array<std::array<SparseCellSet, 2>, kLuantiLevels> known_;
  std::deque<Turn> order_;  // the oldest first, with some that are no longer current
  std::uint64_t turn_ = 0;
  std::size_t bytes_ = 0;
  std::size_t other_bytes_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace fractalray
