// SPDX-License-Identifier: Apache-2.0
#include "entity_transfer.h"

#include <optional>
#include <span>
#include <utility>

#include "absl/cleanup/cleanup.h"

namespace fractalray::internal {

EntityTransfer::EntityTransfer(EntityGrid& grid, EntitySlots& places, std::uint32_t slot,
                               const FixedShape& shape, int chunk_shift,
                               const ChunkedPosition& from, const ChunkedPosition& to)
    : grid_(grid),
      places_(places),
      slot_(slot),
      shape_(shape),
      chunk_shift_(chunk_shift),
      from_(from),
      to_(to),
      old_places_(from.chunks.size()),
      new_places_(to.chunks.size()) {
  // Both lists are sorted.
  std::size_t source = 0;
  for (std::size_t i = 0; i < to.chunks.size(); ++i) {
    while (source < from.chunks.size() && from.chunks[source] < to.chunks[i])
      ++source;
    const bool is_kept = source < from.chunks.size() && from.chunks[source] == to.chunks[i];
    sources_[i] = is_kept ? static_cast<std::int8_t>(source) : std::int8_t{-1};
    if (is_kept) stays_ |= 1U << source;
  }
}

void EntityTransfer::run() {
  const std::span<const EntitySlot> places = places_.of(slot_);
  old_places_.assign(places.begin(), places.end());
  places_.prepare(to_.chunks.size());
  absl::Cleanup undo_steps = [this] {
    stepBack();
    keepPlaces(old_places_);
  };
  enterNew();
  leaveOld();
  std::move(undo_steps).Cancel();
  moveStaying(to_.position);
  keepPlaces(new_places_);
}

void EntityTransfer::undo() noexcept {
  const std::span<const EntitySlot> places = places_.of(slot_);
  new_places_.assign(places.begin(), places.end());
  for (std::size_t i = 0; i < to_.chunks.size(); ++i) {
    if (wasIn(i)) old_places_[static_cast<std::size_t>(sources_[i])] = new_places_[i];
  }
  entered_ = to_.chunks.size();
  left_ = from_.chunks.size();
  stepBack();
  moveStaying(from_.position);
  keepPlaces(old_places_);
}

// Enters before it leaves: where memory runs out, that is what has to be undone.
void EntityTransfer::enterNew() {
  for (; entered_ < to_.chunks.size(); ++entered_) {
    EntitySlot& place = new_places_[entered_];
    if (wasIn(entered_)) {
      place = old_places_[static_cast<std::size_t>(sources_[entered_])];
      grid_.prepareMove(place);
    } else {
      place = enter(to_, entered_);
    }
  }
}

void EntityTransfer::leaveOld() {
  for (; left_ < from_.chunks.size(); ++left_) {
    if (!staysIn(left_)) leave(from_.chunks[left_], old_places_[left_]);
  }
}

void EntityTransfer::stepBack() noexcept {
  while (left_ > 0) {
    --left_;
    if (!staysIn(left_)) old_places_[left_] = enter(from_, left_);
  }
  while (entered_ > 0) {
    --entered_;
    if (!wasIn(entered_)) leave(to_.chunks[entered_], new_places_[entered_]);
  }
}

void EntityTransfer::moveStaying(const Vec3i& position) noexcept {
  for (std::size_t i = 0; i < to_.chunks.size(); ++i) {
    if (!wasIn(i)) continue;
    grid_.moveCenter(new_places_[i], pageCenter(position, to_.chunks[i], chunk_shift_));
  }
}

EntitySlot EntityTransfer::enter(const ChunkedPosition& at, std::size_t chunk) {
  if (radius_ == 0) radius_ = pageRadius(shape_, chunk_shift_);
  const ChunkCoord& at_chunk = at.chunks[chunk];
  return grid_.enter(at_chunk, slot_, {pageCenter(at.position, at_chunk, chunk_shift_), radius_});
}

void EntityTransfer::leave(const ChunkCoord& chunk, EntitySlot place) {
  const std::optional<PagePool::Moved> moved = grid_.leave(chunk, place);
  if (moved.has_value()) places_.relocate(*moved);
}

}  // namespace fractalray::internal
