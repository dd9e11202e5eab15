// SPDX-License-Identifier: Apache-2.0
#include "entity_transfer.h"

#include <optional>
#include <span>
#include <utility>

#include "absl/cleanup/cleanup.h"

namespace fractalray::internal {

EntityTransfer::EntityTransfer(EntityGrid& grid, EntitySlots& entries, std::uint32_t slot,
                               const FixedShape& shape, int chunk_shift,
                               const ChunkedPosition& from, const ChunkedPosition& to)
    : grid_(grid),
      entries_(entries),
      slot_(slot),
      shape_(shape),
      chunk_shift_(chunk_shift),
      from_(from),
      to_(to),
      old_entries_(from.chunks.size()),
      new_entries_(to.chunks.size()) {
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
  const std::span<const EntitySlot> entries = entries_.of(slot_);
  old_entries_.assign(entries.begin(), entries.end());
  entries_.prepare(to_.chunks.size());
  absl::Cleanup undo_steps = [this] {
    stepBack();
    keepEntries(old_entries_);
  };
  enterNew();
  leaveOld();
  std::move(undo_steps).Cancel();
  moveStaying(to_.position);
  keepEntries(new_entries_);
}

void EntityTransfer::undo() noexcept {
  const std::span<const EntitySlot> entries = entries_.of(slot_);
  new_entries_.assign(entries.begin(), entries.end());
  for (std::size_t i = 0; i < to_.chunks.size(); ++i) {
    if (wasIn(i)) old_entries_[static_cast<std::size_t>(sources_[i])] = new_entries_[i];
  }
  entered_ = to_.chunks.size();
  left_ = from_.chunks.size();
  stepBack();
  moveStaying(from_.position);
  keepEntries(old_entries_);
}

// Enters before it leaves: if memory runs out, only entering has to be undone.
void EntityTransfer::enterNew() {
  for (; entered_ < to_.chunks.size(); ++entered_) {
    EntitySlot& entry = new_entries_[entered_];
    if (wasIn(entered_)) {
      entry = old_entries_[static_cast<std::size_t>(sources_[entered_])];
      grid_.prepareMove(to_.chunks[entered_], entry);
    } else {
      entry = enter(to_, entered_);
    }
  }
}

void EntityTransfer::leaveOld() {
  for (; left_ < from_.chunks.size(); ++left_) {
    if (!staysIn(left_)) leave(from_.chunks[left_], old_entries_[left_]);
  }
}

void EntityTransfer::stepBack() noexcept {
  while (left_ > 0) {
    --left_;
    if (!staysIn(left_)) old_entries_[left_] = enter(from_, left_);
  }
  while (entered_ > 0) {
    --entered_;
    if (!wasIn(entered_)) leave(to_.chunks[entered_], new_entries_[entered_]);
  }
}

void EntityTransfer::moveStaying(const Vec3i& position) noexcept {
  for (std::size_t i = 0; i < to_.chunks.size(); ++i) {
    if (!wasIn(i)) continue;
    grid_.moveCenter(to_.chunks[i], new_entries_[i],
                     pageCenter(position, to_.chunks[i], chunk_shift_));
  }
}

EntitySlot EntityTransfer::enter(const ChunkedPosition& at, std::size_t chunk) {
  if (radius_ == 0) radius_ = pageRadius(shape_, chunk_shift_);
  const ChunkCoord& at_chunk = at.chunks[chunk];
  return grid_.enter(at_chunk, slot_, {pageCenter(at.position, at_chunk, chunk_shift_), radius_});
}

void EntityTransfer::leave(const ChunkCoord& chunk, EntitySlot entry) {
  const std::optional<PagePool::Moved> moved = grid_.leave(chunk, entry);
  if (moved.has_value()) entries_.relocate(*moved);
}

}  // namespace fractalray::internal
