// SPDX-License-Identifier: Apache-2.0
#include "entity_frame_move.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "boost/container/static_vector.hpp"

#include "../../core/check.h"
#include "entity_chunks.h"
#include "entity_page.h"
#include "entity_record.h"

namespace fractalray::internal {

absl::StatusOr<EntityStore::Evicted> EntityStore::moveFrame(const FrameMove& move, Commit commit) {
  FRACTALRAY_DCHECK(move.frame() == frame_, move.frame().levels(), frame_.levels());
  const auto prepared = std::make_shared<EntityFrameMove>(*this, move);
  absl::Cleanup undo = [&] { prepared->undo(); };
  prepared->prepare();
  absl::Status status = commit();
  if (!status.ok()) return status;
  std::move(undo).Cancel();
  prepared->finish();
  // It now owns the grids that were replaced.
  return Evicted{prepared->takeEvicted(), prepared};
}

void EntityFrameMove::prepare() {
  sortOut();
  chooseGrids();
  leaveEvicted();
  shiftAreas();
  fillGrids();
  prepareWrites();
  prepareSpheres();
}

void EntityFrameMove::undo() noexcept {
  // Entities return to areas that are not shared.
  for (NextGrid& next : next_)
    next.areas = {};
  for (; !left_.empty(); left_.pop_back())
    store_.undoLeaveChunks(left_.back());
  store_.dropEmptyAreas();
}

void EntityFrameMove::sortOut() {
  grid_levels_.assign(store_.slots(), kFree);
  for (std::uint32_t slot = 0; slot < grid_levels_.size(); ++slot) {
    if (!store_.isOccupied(slot)) continue;
    const Entity& before = store_.entities_[slot];
    OldGrid& old = oldGridOf(before);
    const std::optional<Entity> after = movedEntity(move_, before);
    if (!after.has_value()) {
      grid_levels_[slot] = kEvicted;
      evicted_.push_back(before.id);
      ++old.evicted;
      continue;
    }
    grid_levels_[slot] = after->grid_level;
    ++old.others;
    old.keeps_chunks = old.keeps_chunks && keepsChunks(before, *after);
    if (old.keeps_chunks && !keepsSpheres(before, *after)) rounded_.push_back(slot);
    has_coarser_grids_ = has_coarser_grids_ || after->grid_level != after->index_level;
    NextGrid& next = nextGrid(after->grid_level);
    next.sources |= 1U << static_cast<unsigned>(before.grid_level);
    ++next.level.count_by_own_level[static_cast<std::size_t>(int{after->level})];
  }
  std::sort(evicted_.begin(), evicted_.end());
}

bool EntityFrameMove::isExact(const Entity& before) const {
  if (move_.levels() <= 0) return true;
  std::int64_t bits = 0;
  for (int axis = 0; axis < 3; ++axis)
    bits |= before.position[axis] | before.shape.half_extents[axis];
  return (bits & 15) == 0;
}

bool EntityFrameMove::keepsChunks(const Entity& before, const Entity& after) const {
  if (after.grid_level != move_.levelAfter(before.grid_level)) return false;
  if (isExact(before)) return true;
  const int shift_before = move_.frame().chunkShift(before.grid_level);
  const int shift_after = move_.frame().chunkShift(after.grid_level);
  const EntityChunks chunks = overlappedChunks(before.shape, before.position, shift_before);
  const EntityChunks chunks_after = overlappedChunks(after.shape, after.position, shift_after);
  const Vec3i offset = *move_.chunkOffset(before.grid_level);
  return std::equal(chunks.begin(), chunks.end(), chunks_after.begin(), chunks_after.end(),
                    [&](const ChunkCoord& chunk, const ChunkCoord& chunk_after) {
                      return ChunkCoord{chunk[0] + offset[0], chunk[1] + offset[1],
                                        chunk[2] + offset[2]} == chunk_after;
                    });
}

bool EntityFrameMove::keepsSpheres(const Entity& before, const Entity& after) const {
  if (isExact(before)) return true;
  const int shift_before = move_.frame().chunkShift(before.grid_level);
  const int shift_after = move_.frame().chunkShift(after.grid_level);
  // All chunks of an entity are whole page units apart: one stands for them.
  const ChunkCoord chunk = chunkRange(before.shape, before.position, shift_before).first;
  const ChunkCoord chunk_after = chunkRange(after.shape, after.position, shift_after).first;
  return pageRadius(before.shape, shift_before) == pageRadius(after.shape, shift_after) &&
         pageCenter(before.position, chunk, shift_before) ==
             pageCenter(after.position, chunk_after, shift_after);
}

void EntityFrameMove::chooseGrids() {
  for (NextGrid& next : next_) {
    if (next.sources == 0) continue;
    const int source = std::countr_zero(next.sources);
    OldGrid& old = old_[static_cast<std::size_t>(source)];
    if (std::has_single_bit(next.sources) && old.keeps_chunks && old.evicted <= old.others) {
      next.source = source;
      old.is_kept = true;
    } else {
      has_new_grids_ = true;
      next.level.grid.beginFilling();
    }
  }
}

void EntityFrameMove::leaveEvicted() {
  std::size_t count = 0;
  for (const OldGrid& old : old_)
    count += old.is_kept ? old.evicted : 0;
  if (count == 0) return;
  left_.reserve(count);
  for (std::uint32_t slot = 0; slot < grid_levels_.size(); ++slot) {
    if (grid_levels_[slot] != kEvicted || !oldGridOf(store_.entities_[slot]).is_kept) continue;
    store_.leaveChunks(slot);
    left_.push_back(slot);
  }
}

void EntityFrameMove::shiftAreas() {
  for (NextGrid& next : next_) {
    if (next.source < 0) continue;
    EntityGrid& grid = store_.level_grids_[static_cast<std::size_t>(next.source)].grid;
    next.areas = grid.shiftedAreas(*move_.chunkOffset(next.source));
  }
}

void EntityFrameMove::fillGrids() {
  if (!has_new_grids_) return;
  while (entries_.slots() < store_.entity_slots_.slots())
    entries_.addSlot();
  for (std::uint32_t slot = 0; slot < grid_levels_.size(); ++slot) {
    if (grid_levels_[slot] < 0) continue;
    if (nextGrid(grid_levels_[slot]).source < 0) {
      enter(slot, *movedEntity(move_, store_.entities_[slot]));
      continue;
    }
    const std::span<const EntitySlot> entries = store_.entity_slots_.of(slot);
    entries_.prepare(entries.size());
    entries_.set(slot, entries);
  }
  for (NextGrid& next : next_) {
    if (next.sources != 0 && next.source < 0) next.level.grid.endFilling();
  }
}

void EntityFrameMove::enter(std::uint32_t slot, const Entity& entity) {
  const int shift = move_.frame().chunkShift(entity.grid_level);
  const std::int16_t radius = pageRadius(entity.shape, shift);
  EntityGrid& grid = nextGrid(entity.grid_level).level.grid;
  boost::container::static_vector<EntitySlot, kMaxEntityChunks> entries;
  for (const ChunkCoord& chunk : overlappedChunks(entity.shape, entity.position, shift))
    entries.push_back(grid.enter(chunk, slot, {pageCenter(entity.position, chunk, shift), radius}));
  entries_.prepare(entries.size());
  entries_.set(slot, {entries.data(), entries.size()});
}

void EntityFrameMove::prepareWrites() {
  for (std::uint32_t slot = 0; slot < grid_levels_.size(); ++slot) {
    if (grid_levels_[slot] >= 0) store_.entities_.prepareEdit(slot);
    if (grid_levels_[slot] == kEvicted) store_.living_.prepareEdit(slot);
  }
}

void EntityFrameMove::prepareSpheres() {
  for (const std::uint32_t slot : rounded_) {
    const OldGrid& old = oldGridOf(store_.entities_[slot]);
    if (!old.is_kept) continue;
    const Entity& entity = store_.entities_[slot];
    const EntityChunks chunks = overlappedChunks(entity.shape, entity.position,
                                                 store_.frame_.chunkShift(entity.grid_level));
    const std::span<const EntitySlot> entries = store_.entity_slots_.of(slot);
    EntityGrid& grid = store_.levelGridOf(entity).grid;
    for (std::size_t i = 0; i < chunks.size(); ++i)
      grid.prepareMove(chunks[i], entries[i]);
  }
}

void EntityFrameMove::finish() noexcept {
  FRACTALRAY_DCHECK(grid_levels_.size() == store_.slots(), grid_levels_.size(), store_.slots());
  static_assert(std::is_nothrow_swappable_v<EntityStore::LevelGrid>);
  static_assert(std::is_nothrow_swappable_v<EntitySlots>);
  for (NextGrid& next : next_) {
    if (next.source < 0) continue;
    next.level.grid = std::move(store_.level_grids_[static_cast<std::size_t>(next.source)].grid);
    next.level.grid.adopt(next.areas);
    // Edits would copy whatever these still share with the grid.
    next.areas = {};
  }
  for (std::size_t level = 0; level < kLevels; ++level)
    std::swap(store_.level_grids_[level], next_[level].level);
  if (has_new_grids_) std::swap(store_.entity_slots_, entries_);
  writeRecords();
  writeSpheres();
  store_.has_coarser_grids_ = has_coarser_grids_;
  store_.refined_ = 0;
  store_.edits_.forget();
  store_.version_.advance();
  store_.last_move_.set(store_.version_);
}

void EntityFrameMove::writeRecords() noexcept {
  for (std::uint32_t slot = 0; slot < grid_levels_.size(); ++slot) {
    if (grid_levels_[slot] == kEvicted) vacate(slot);
    if (grid_levels_[slot] < 0) continue;
    Entity& entity = store_.entities_.edit(slot);
    entity = *movedEntity(move_, entity);
  }
}

void EntityFrameMove::writeSpheres() noexcept {
  for (const std::uint32_t slot : rounded_) {
    const Entity& entity = store_.entities_[slot];
    if (nextGrid(entity.grid_level).source < 0) continue;  // it is a new one
    const int shift = move_.frame().chunkShift(entity.grid_level);
    const std::int16_t radius = pageRadius(entity.shape, shift);
    const EntityChunks chunks = overlappedChunks(entity.shape, entity.position, shift);
    const std::span<const EntitySlot> entries = store_.entity_slots_.of(slot);
    EntityGrid& grid = store_.levelGridOf(entity).grid;
    for (std::size_t i = 0; i < chunks.size(); ++i)
      grid.setSphere(entries[i], {pageCenter(entity.position, chunks[i], shift), radius});
  }
}

void EntityFrameMove::vacate(std::uint32_t slot) noexcept {
  if (!has_new_grids_) store_.entity_slots_.set(slot, {});
  store_.living_.edit(slot) = 0;
  store_.slots_in_use_.release(slot);
  store_.ids_.erase(store_.entities_[slot].id, slot);
  --store_.size_;
  store_.free_slots_.vacate(slot);
}

}  // namespace fractalray::internal
