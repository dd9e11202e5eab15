// SPDX-License-Identifier: Apache-2.0
// Updates of an EntityStore: entities that become something else in place, one or many; the check
// that it has pages for what may enter chunks; and what changes the grids but no entity.
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "entity_record.h"
#include "entity_store.h"

namespace fractalray::internal {

absl::Status EntityStore::checkPages(int level) const {
  const PagePool& pool = grid(level).pool();
  if (pool.canAddPages(kMaxEntityChunks)) [[likely]]
    return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("index level ", level, " has fewer than ",
                                                   kMaxEntityChunks, " pages left of ",
                                                   pool.pageLimit(), "; remove entities first"));
}

absl::Status EntityStore::checkPages(const Entity& before, const Entity& after) const {
  if (after.shape == before.shape) {
    const int shift = frame_.chunkShift(before.grid_level);
    const ChunkRange range = chunkRange(before.shape, before.position, shift);
    const bool is_within = range == chunkRange(after.shape, after.position, shift) &&
                           (range.chunks() <= 2 || after.position == before.position);
    if (is_within) return absl::OkStatus();
  }
  return checkPages(after.index_level);
}

absl::Status EntityStore::update(EntityHandle entity, const EntityUpdate& update) {
  if (!isAlive(entity)) return stale(entity);
  const std::uint32_t slot = entity.slot;
  const Entity before = entities_[slot];
  const absl::StatusOr<Entity> after = updatedEntity(frame_, before, update);
  if (!after.ok()) return after.status();
  if (*after == before) return absl::OkStatus();
  absl::Status enough = checkPages(before, *after);
  if (!enough.ok()) return enough;
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  edits_.beginEdit();
  become(slot, *after);
  note(before, before.position);
  note(entities_[slot], entities_[slot].position);
  version_.advance();
  return absl::OkStatus();
}

absl::Status EntityStore::updateAll(std::span<const EntityChange> changes) {
  edits_.beginEdit();
  std::vector<Entity> before;
  before.reserve(changes.size());
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  absl::Cleanup undo = [&] {
    for (; !before.empty(); before.pop_back())
      undoBecome(changes[before.size() - 1].entity.slot, before.back());
  };
  constexpr std::size_t kAhead = 16;
  const auto slot_of = [&](std::size_t i) { return changes[i].entity.slot; };
  bool has_changed = false;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i + kAhead < changes.size() && isAlive(changes[i + kAhead].entity))
      prefetch(slot_of(i + kAhead));
    if (!isAlive(changes[i].entity))
      return numbered(stale(changes[i].entity), "update", i, changes.size());
    const Entity entity = entities_[slot_of(i)];
    const absl::StatusOr<Entity> after = updatedEntity(frame_, entity, changes[i].update);
    if (!after.ok()) return numbered(after.status(), "update", i, changes.size());
    if (*after != entity) {
      const absl::Status enough = checkPages(entity, *after);
      if (!enough.ok()) return numbered(enough, "update", i, changes.size());
      become(slot_of(i), *after);
      has_changed = true;
    }
    before.push_back(entity);
  }
  std::move(undo).Cancel();
  if (!has_changed) return absl::OkStatus();
  for (std::size_t i = 0; i < changes.size() && EditLog::isWatched(); ++i) {
    const Entity& entity = entities_[slot_of(i)];
    note(before[i], before[i].position);
    note(entity, entity.position);
  }
  version_.advance();
  return absl::OkStatus();
}

bool EntityStore::refine(std::size_t most) {
  if (!has_coarser_grids_) return true;
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  // Queries in progress read the rest first.
  edits_.beginEdit();
  // A call that finds little to move ends, too: there may be millions of slots.
  constexpr std::size_t kLooksPerMove = 64;
  std::size_t looks = most < slots() ? kLooksPerMove * (most + 1) : slots();
  for (; refined_ < slots(); ++refined_) {
    const Entity& entity = entities_[refined_];
    if (!isOccupied(refined_) || entity.grid_level == entity.index_level) {
      if (looks-- == 0) return false;
      continue;
    }
    if (most == 0) return false;
    --most;
    Entity& refined = entities_.edit(refined_);
    enterIndexLevel(refined_, refined, refined.position);
    ++refinements_;
  }
  has_coarser_grids_ = false;
  return true;
}

std::size_t EntityStore::optimize(ParallelFor parallel_for) {
  // Queries in progress read the rest first.
  edits_.beginEdit();
  std::size_t chunks = 0;
  for (int level = 0; level < frame_.levels(); ++level) {
    EntityGrid& grid = level_grids_[static_cast<std::size_t>(level)].grid;
    chunks += grid.order(entity_slots_, parallel_for);
  }
  return chunks;
}

void EntityStore::enterIndexLevel(std::uint32_t slot, Entity& entity, const Vec3i& position) {
  Entity moved = entity;
  moved.position = position;
  moved.grid_level = entity.index_level;
  changeChunks(slot, moved);
  --countOf(entity);
  entity = moved;
  ++countOf(entity);
}

void EntityStore::become(std::uint32_t slot, const Entity& after) {
  Entity& entity = entities_.edit(slot);
  const Entity before = entity;
  std::int8_t grid_level = after.grid_level;
  if (after.shape != before.shape) {
    changeChunks(slot, after);
  } else if (after.position != before.position && !moveWithin(slot, entity, after.position)) {
    moveAcross(slot, entity, after.position);
    grid_level = entity.grid_level;
  }
  // Nothing throws from here on.
  --countOf(entity);
  entity = after;
  entity.grid_level = grid_level;
  ++countOf(entity);
}

void EntityStore::undoBecome(std::uint32_t slot, const Entity& before) noexcept {
  if (entities_[slot] == before) return;
  Entity& entity = entities_.edit(slot);
  const Entity after = entity;
  if (after.shape != before.shape || after.grid_level != before.grid_level) {
    transfer(slot, after, {}, chunkedAt(after, after.position)).undo();
    entity = before;
    undoLeaveChunks(slot);
  } else if (after.position != before.position) {
    undoMove(slot, before.position);
    entity = before;
  } else {
    entity = before;
  }
  --countOf(after);
  ++countOf(before);
}

void EntityStore::changeChunks(std::uint32_t slot, const Entity& changed) {
  leaveChunks(slot);
  absl::Cleanup undo = [this, slot] { undoLeaveChunks(slot); };
  const ChunkedPosition to = chunkedAt(changed, changed.position);
  transfer(slot, changed, {}, to).run();
  std::move(undo).Cancel();
}

}  // namespace fractalray::internal
