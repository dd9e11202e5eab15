// SPDX-License-Identifier: Apache-2.0
// Adds an entity to the grid, removes it or moves it to other chunks: all or nothing, and undoable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "boost/container/static_vector.hpp"

#include "../../core/vec.h"
#include "../shape.h"
#include "entity_chunks.h"
#include "entity_grid.h"
#include "entity_slots.h"

namespace fractalray::internal {

// The chunks that a shape touches at a position; none if its entity is not in the index.
struct ChunkedPosition {
  Vec3i position{};
  EntityChunks chunks;
};

// Moves one entity of a grid from the chunks that it touches at one position to those that it
// touches at another. Chunks in both sets are kept, unless the entity has another entry there: then
// it enters the chunk again, and leaves it. Usable once.
class EntityTransfer {
 public:
  // The arguments must outlive the transfer.
  EntityTransfer(EntityGrid& grid, EntitySlots& entries, std::uint32_t slot,
                 const FixedShape& shape, int chunk_shift, const ChunkedPosition& from,
                 const ChunkedPosition& to);

  // Makes the transfer. If memory runs out it throws std::bad_alloc and has changed nothing except
  // for areas that tidy() erases.
  void run();
  // Undoes a transfer that was run, whose `from` and `to` these are. Never throws: transfers are
  // undone in reverse order, with no snapshot or call of tidy() since they were run, so
  // that each step finds the memory that its counterpart has left.
  void undo() noexcept;

 private:
  using Entries = boost::container::static_vector<EntitySlot, kMaxEntityChunks>;

  // Returns true if the entity stays in this chunk of `from`, or of `to`.
  bool staysIn(std::size_t from) const { return (stays_ >> from & 1) != 0; }
  bool wasIn(std::size_t to) const { return sources_[to] >= 0; }
  // Finds the chunks that the entity stays in. `entries` are its entries, in the chunks of `to` if
  // it has been moved, else of `from`.
  void match(const Entries& entries, bool is_moved);

  void enterNew();
  void leaveOld();
  // Undoes the steps made, in reverse order.
  void stepBack() noexcept;
  // Moves the entity within the chunks that it stays in.
  void moveStaying(const Vec3i& position) noexcept;
  EntitySlot enter(const ChunkedPosition& at, std::size_t chunk);
  void leave(const ChunkCoord& chunk, EntitySlot entry);
  void keepEntries(const Entries& entries) noexcept {
    entries_.set(slot_, {entries.data(), entries.size()});
  }

  EntityGrid& grid_;
  EntitySlots& entries_;
  std::uint32_t slot_;
  const FixedShape& shape_;
  int chunk_shift_;
  std::int16_t radius_ = 0;  // as pages have it; 0 until it is needed
  const ChunkedPosition& from_;
  const ChunkedPosition& to_;
  // By chunk of `to`: its index in `from`, or -1.
  std::array<std::int8_t, kMaxEntityChunks> sources_{};
  std::uint32_t stays_ = 0;  // the chunks of `from` that are in `to`, as bits
  // By chunk; undefined for chunks that the entity is not in at the time.
  Entries old_entries_;
  Entries new_entries_;
  // The steps made: how many chunks have been entered, and how many left.
  std::size_t entered_ = 0;
  std::size_t left_ = 0;
};

}  // namespace fractalray::internal
