// SPDX-License-Identifier: Apache-2.0
// An entity that comes, goes or moves to other chunks: all of it or nothing, and back.
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

// The chunks that a shape meets at a position, none where its entity is not in the index.
struct ChunkedPosition {
  Vec3i position{};
  EntityChunks chunks;
};

// Moves one entity of a grid from the chunks that it meets at one position to those that it meets
// at another. Those that both have are kept. Usable once.
class EntityTransfer {
 public:
  // The arguments must outlive the transfer.
  EntityTransfer(EntityGrid& grid, EntitySlots& places, std::uint32_t slot, const FixedShape& shape,
                 int chunk_shift, const ChunkedPosition& from, const ChunkedPosition& to);

  // Makes the transfer. Where memory runs out it throws std::bad_alloc and has changed nothing, but
  // for areas that dropEmptyAreas() erases.
  void run();
  // Undoes one that was run, whose `from` and `to` these are. Never throws: transfers are undone in
  // reverse order, with no snapshot or call of dropEmptyAreas() since they were run, so that each
  // step finds the memory that its counterpart has left.
  void undo() noexcept;

 private:
  using Places = boost::container::static_vector<EntitySlot, kMaxEntityChunks>;

  // Returns true if the entity stays in this chunk of `from`, or of `to`.
  bool staysIn(std::size_t from) const { return (stays_ >> from & 1) != 0; }
  bool wasIn(std::size_t to) const { return sources_[to] >= 0; }

  void enterNew();
  void leaveOld();
  // Takes back the steps made, in reverse order.
  void stepBack() noexcept;
  // Moves the entity within the chunks that it stays in.
  void moveStaying(const Vec3i& position) noexcept;
  EntitySlot enter(const ChunkedPosition& at, std::size_t chunk);
  void leave(const ChunkCoord& chunk, EntitySlot place);
  void keepPlaces(const Places& places) noexcept {
    places_.set(slot_, {places.data(), places.size()});
  }

  EntityGrid& grid_;
  EntitySlots& places_;
  std::uint32_t slot_;
  const FixedShape& shape_;
  int chunk_shift_;
  std::int16_t radius_ = 0;  // as pages have it; 0 until it is needed
  const ChunkedPosition& from_;
  const ChunkedPosition& to_;
  // By chunk of `to`: which one of `from` it is, or -1.
  std::array<std::int8_t, kMaxEntityChunks> sources_{};
  std::uint32_t stays_ = 0;  // the chunks of `from` that are in `to`, as bits
  // By chunk; of chunks that the entity is not in at the time, anything.
  Places old_places_;
  Places new_places_;
  // The steps made: how many of the chunks it comes to, and of those it goes from.
  std::size_t entered_ = 0;
  std::size_t left_ = 0;
};

}  // namespace fractalray::internal
