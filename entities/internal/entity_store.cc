// SPDX-License-Identifier: Apache-2.0
#include "entity_store.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "../../core/internal/number_text.h"
#include "entity_record.h"

namespace fractalray::internal {
namespace {

// Moves of so many entities at once need no memory for their old positions: they have it ready.
constexpr std::size_t kReadyMoves = 4096;

// Returns true if a position is so far inside the frame that no shape that an index holds reaches
// out of the frame there. False for NaN.
bool isWellInside(const Vec3d& position) {
  constexpr double kLimit = 0x1p44;
  return std::abs(position[0]) <= kLimit && std::abs(position[1]) <= kLimit &&
         std::abs(position[2]) <= kLimit;
}

Vec3i roundedUnits(const Vec3d& position) {
  return {fractalray::roundedUnits(position[0]), fractalray::roundedUnits(position[1]),
          fractalray::roundedUnits(position[2])};
}

absl::Status outOfSlots() {
  return absl::ResourceExhaustedError(
      absl::StrCat("the index has no slot left of ", kMaxEntitySlots, "; remove entities first"));
}

}  // namespace

EntityStore::EntityStore(const Frame& frame, VersionCounter version, LastMove last_move)
    : frame_(frame), version_(version), last_move_(last_move) {}

std::unique_ptr<EntityStore> EntityStore::share() {
  std::unique_ptr<EntityStore> shared(new EntityStore(frame_, version_, last_move_));
  shared->entities_ = entities_.share(slots_in_use_);
  shared->living_ = living_.share(shared->entities_.size());
  shared->size_ = size_;
  for (std::size_t level = 0; level < static_cast<std::size_t>(frame_.levels()); ++level) {
    LevelGrid& from = level_grids_[level];
    shared->level_grids_[level] = {from.grid.share(), from.count_by_own_level};
  }
  shared->has_coarser_grids_ = has_coarser_grids_;
  shared->is_snapshot_ = true;
  return shared;
}

absl::StatusOr<EntityHandle> EntityStore::add(const EntitySpec& spec) {
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  edits_.beginEdit();
  absl::StatusOr<EntityHandle> handle = addOne(spec);
  if (!handle.ok()) return handle;
  note(entities_[handle->slot], entities_[handle->slot].position);
  version_.advance();
  return handle;
}

absl::StatusOr<std::vector<EntityHandle>> EntityStore::addAll(std::span<const EntitySpec> specs) {
  std::vector<EntityHandle> handles;
  handles.reserve(specs.size());
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  absl::Cleanup undo = [&] {
    for (; !handles.empty(); handles.pop_back())
      undoAdd(handles.back().slot);
  };
  edits_.beginEdit();
  ids_.reserve(ids_.size() + specs.size());
  for (const EntitySpec& spec : specs) {
    const absl::StatusOr<EntityHandle> handle = addOne(spec);
    if (!handle.ok()) return numbered(handle.status(), "entity", handles.size(), specs.size());
    handles.push_back(*handle);
  }
  std::move(undo).Cancel();
  for (const EntityHandle& added : handles)
    note(entities_[added.slot], entities_[added.slot].position);
  version_.advance();
  return handles;
}

absl::StatusOr<EntityHandle> EntityStore::addOne(const EntitySpec& spec) {
  if (findId(spec.id).has_value()) {
    return absl::AlreadyExistsError(absl::StrCat("entity ", spec.id, " is in the index already"));
  }
  const absl::StatusOr<Entity> entity = entityFrom(frame_, spec);
  if (!entity.ok()) return entity.status();
  if (free_slots_.empty() && living_.size() >= kMaxEntitySlots) return outOfSlots();
  absl::Status status = checkPages(entity->grid_level);
  if (!status.ok()) return status;
  ids_.reserve(ids_.size() + 1);
  prepareSlot();
  const std::uint32_t slot = free_slots_.next();
  occupy(slot, *entity);
  return handle(slot);
}

void EntityStore::prepareSlot() {
  if (!free_slots_.empty()) return;
  const std::size_t slot = living_.size();
  free_slots_.prepareSlot();
  // A slot that an earlier call added before it ran out of memory is used again.
  slots_in_use_.reserve(slot + 1);
  if (entities_.size() == slot) entities_.add();
  if (entity_slots_.slots() == slot) entity_slots_.addSlot();
  old_positions_.ensureCapacity(std::min(slot + 1, kReadyMoves));
  living_.add();
  free_slots_.addSlot();
}

void EntityStore::occupy(std::uint32_t slot, const Entity& entity) {
  entities_.edit(slot) = entity;
  living_.prepareEdit(slot);
  const ChunkedPosition at = chunkedAt(entity, entity.position);
  transfer(slot, {}, at).run();
  // Nothing throws from here on.
  living_.edit(slot) = free_slots_.occupy();
  slots_in_use_.use(slot);
  ids_.insert(entity.id, slot);
  ++size_;
  ++countOf(entity);
}

void EntityStore::undoAdd(std::uint32_t slot) noexcept {
  const Entity& entity = entities_[slot];
  const ChunkedPosition at = chunkedAt(entity, entity.position);
  transfer(slot, {}, at).undo();
  free_slots_.undoOccupy(slot);
  living_.edit(slot) = 0;
  slots_in_use_.release(slot);
  ids_.erase(entity.id, slot);
  --size_;
  --countOf(entity);
}

absl::Status EntityStore::checkMove(EntityHandle entity, const Vec3d& position) const {
  if (!isAlive(entity)) return stale(entity);
  const absl::StatusOr<Vec3i> units = toUnits(position, "the entity's position");
  if (!units.ok()) return units.status();
  return checkReach(*units, entities_[entity.slot].shape);
}

absl::Status EntityStore::move(EntityHandle entity, const Vec3d& position) {
  if (!isAlive(entity) || !isWellInside(position)) {
    absl::Status status = checkMove(entity, position);
    if (!status.ok()) return status;
  }
  edits_.beginEdit();
  Entity& moved = entities_.edit(entity.slot);
  const Vec3i from = moved.position;
  const Vec3i to = roundedUnits(position);
  if (!moveWithin(entity.slot, moved, to)) {
    absl::Status status = checkPages(moved.index_level);
    if (!status.ok()) return status;
    const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
    moveAcross(entity.slot, moved, to);
  }
  noteMove(moved, from, to);
  version_.advance();
  return absl::OkStatus();
}

absl::Status EntityStore::moveAll(std::span<const EntityMove> moves) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const EntityMove& move = moves[i];
    if (isAlive(move.entity) && isWellInside(move.position)) continue;
    const absl::Status status = checkMove(move.entity, move.position);
    if (!status.ok()) return numbered(status, "move", i, moves.size());
  }
  return moveEach(
      moves.size(), [&](std::size_t i) { return moves[i].entity.slot; },
      [&](std::size_t i) { return roundedUnits(moves[i].position); },
      [] { return absl::OkStatus(); });
}

absl::Status EntityStore::checkShift(std::span<const EntityHandle> entities,
                                     const Vec3i& offset) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (offset[axis] >= -2 * kMaxCoordinate && offset[axis] <= 2 * kMaxCoordinate) continue;
    return absl::OutOfRangeError(absl::StrCat("the offset ", axisName(axis), " = ",
                                              toBlocks(offset[axis]),
                                              " finest-block widths is wider than the frame"));
  }
  for (std::size_t i = 0; i < entities.size(); ++i) {
    const Entity* const entity = find(entities[i]);
    const absl::Status status = entity == nullptr
                                    ? stale(entities[i])
                                    : checkReach(entity->position + offset, entity->shape);
    if (!status.ok()) return numbered(status, "entity", i, entities.size());
  }
  return absl::OkStatus();
}

absl::Status EntityStore::shiftAll(std::span<const EntityHandle> entities, const Vec3i& offset,
                                   Commit commit) {
  absl::Status status = checkShift(entities, offset);
  if (!status.ok()) return status;
  return moveEach(
      entities.size(), [&](std::size_t i) { return entities[i].slot; },
      [&](std::size_t i) { return entities_[entities[i].slot].position + offset; }, commit);
}

template <class SlotOf, class PositionOf>
absl::Status EntityStore::moveEach(std::size_t count, const SlotOf& slot_of,
                                   const PositionOf& position_of, Commit commit) {
  edits_.beginEdit();
  old_positions_.ensureCapacity(count);
  std::size_t done = 0;
  std::vector<std::pair<std::size_t, std::int8_t>> old_grids;  // of moves that changed the grid
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  absl::Cleanup undo = [&] {
    while (done > 0) {
      --done;
      const std::uint32_t slot = slot_of(done);
      if (old_grids.empty() || old_grids.back().first != done) {
        undoMove(slot, old_positions_[done]);
        continue;
      }
      Entity before = entities_[slot];
      before.position = old_positions_[done];
      before.grid_level = old_grids.back().second;
      old_grids.pop_back();
      undoBecome(slot, before);
    }
  };
  for (; done < count; ++done) {
    fetchAhead(count, slot_of, position_of, done);
    const std::uint32_t slot = slot_of(done);
    const Vec3i to = position_of(done);
    Entity& entity = entities_.edit(slot);
    old_positions_.edit(done) = entity.position;
    if (moveWithin(slot, entity, to)) continue;
    const absl::Status enough = checkPages(entity.index_level);
    if (!enough.ok()) return numbered(enough, "move", done, count);
    const std::int8_t old_grid = entity.grid_level;
    if (old_grid != entity.index_level) [[unlikely]]
      ensureCapacity(old_grids, old_grids.size() + 1);
    moveAcross(slot, entity, to);
    if (entity.grid_level != old_grid) [[unlikely]]
      old_grids.emplace_back(done, old_grid);
  }
  absl::Status status = commit();
  if (!status.ok()) return status;
  std::move(undo).Cancel();
  for (std::size_t i = 0; i < count && EditLog::isWatched(); ++i) {
    const Entity& entity = entities_[slot_of(i)];
    noteMove(entity, old_positions_[i], entity.position);
  }
  version_.advance();
  return status;
}

template <class Visit>
void EntityStore::forEachChange(std::uint32_t slot, const Vec3i& to, const Visit& visit) const {
  const Entity& entity = entities_[slot];
  const int shift = frame_.chunkShift(entity.grid_level);
  const ChunkRange before = chunkRange(entity.shape, entity.position, shift);
  const ChunkRange after = chunkRange(entity.shape, to, shift);
  if (before == after) return;
  before.forEachNotIn(after, visit);
  after.forEachNotIn(before, visit);
}

// Prefetches the entity of a move that is still to come and, nearer to that move, its pages and the
// chunks that it leaves and enters.
template <class SlotOf, class PositionOf>
void EntityStore::fetchAhead(std::size_t count, const SlotOf& slot_of,
                             const PositionOf& position_of, std::size_t next) {
  constexpr std::size_t kEntityAhead = 24;
  constexpr std::size_t kAreasAhead = 16;
  constexpr std::size_t kPagesAhead = 8;
  if (next + kEntityAhead < count) {
    const std::uint32_t slot = slot_of(next + kEntityAhead);
    prefetch(slot);
    entity_slots_.prefetch(slot);
  }
  if (next + kAreasAhead < count) {
    const std::uint32_t slot = slot_of(next + kAreasAhead);
    const EntityGrid& to = grid(entities_[slot].grid_level);
    forEachChange(slot, position_of(next + kAreasAhead),
                  [&](const ChunkCoord& chunk) { to.prefetchArea(chunk); });
  }
  if (next + kPagesAhead < count) {
    const std::uint32_t slot = slot_of(next + kPagesAhead);
    const EntityGrid& to = grid(entities_[slot].grid_level);
    for (const EntitySlot entry : entity_slots_.of(slot))
      to.pool().prefetch(entry);
    forEachChange(slot, position_of(next + kPagesAhead),
                  [&](const ChunkCoord& chunk) { to.prefetchRegion(chunk); });
  }
}

void EntityStore::moveAcross(std::uint32_t slot, Entity& entity, const Vec3i& position) {
  if (entity.grid_level != entity.index_level) [[unlikely]]
    return enterIndexLevel(slot, entity, position);
  const ChunkedPosition from = chunkedAt(entity, entity.position);
  const ChunkedPosition to = chunkedAt(entity, position);
  transfer(slot, from, to).run();
  entity.position = position;
}

void EntityStore::undoMove(std::uint32_t slot, const Vec3i& position) noexcept {
  Entity& entity = entities_.edit(slot);
  if (moveWithin(slot, entity, position)) return;
  const ChunkedPosition from = chunkedAt(entity, position);
  const ChunkedPosition to = chunkedAt(entity, entity.position);
  transfer(slot, from, to).undo();
  entity.position = position;
}

bool EntityStore::moveWithin(std::uint32_t slot, Entity& entity, const Vec3i& position) {
  const int shift = frame_.chunkShift(entity.grid_level);
  const ChunkRange before = chunkRange(entity.shape, entity.position, shift);
  const ChunkRange after = chunkRange(entity.shape, position, shift);
  // One chunk, or two side by side, of which a shape that reaches both along an axis touches both.
  if (before != after || after.chunks() > 2) return false;
  EntityGrid& grid = levelGridOf(entity).grid;
  const std::span<const EntitySlot> entries = entity_slots_.of(slot);
  if (entries.size() > 1) {
    grid.prepareMove(after.first, entries.front());
    grid.moveCenter(after.last, entries.back(), pageCenter(position, after.last, shift));
  }
  grid.moveCenter(after.first, entries.front(), pageCenter(position, after.first, shift));
  entity.position = position;
  return true;
}

absl::Status EntityStore::remove(EntityHandle entity) {
  if (!isAlive(entity)) return stale(entity);
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  edits_.beginEdit();
  living_.prepareEdit(entity.slot);
  leaveChunks(entity.slot);
  vacate(entity.slot);
  version_.advance();
  return absl::OkStatus();
}

absl::Status EntityStore::removeAll(std::span<const EntityHandle> entities) {
  return removeAll(entities, [] { return absl::OkStatus(); });
}

absl::Status EntityStore::removeAll(std::span<const EntityHandle> entities, Commit commit) {
  edits_.beginEdit();
  std::size_t marked = 0;
  std::size_t left = 0;
  const absl::Cleanup drop_empty = [this] { dropEmptyAreas(); };
  absl::Cleanup undo = [&] {
    while (left > 0)
      undoLeaveChunks(entities[--left].slot);
    for (const EntityHandle& entity : entities.first(marked))
      living_.edit(entity.slot) = entity.generation;
  };
  // Marked as dead at once, so that one that comes twice is found.
  for (; marked < entities.size(); ++marked) {
    const EntityHandle entity = entities[marked];
    if (!isAlive(entity)) return numbered(stale(entity), "removal", marked, entities.size());
    living_.edit(entity.slot) = 0;
  }
  for (; left < entities.size(); ++left)
    leaveChunks(entities[left].slot);
  absl::Status status = commit();
  if (!status.ok()) return status;
  std::move(undo).Cancel();
  for (const EntityHandle& entity : entities)
    vacate(entity.slot);
  version_.advance();
  return status;
}

void EntityStore::leaveChunks(std::uint32_t slot) {
  const ChunkedPosition at = chunkedAt(entities_[slot], entities_[slot].position);
  transfer(slot, at, {}).run();
}

void EntityStore::undoLeaveChunks(std::uint32_t slot) noexcept {
  const ChunkedPosition at = chunkedAt(entities_[slot], entities_[slot].position);
  transfer(slot, at, {}).undo();
}

void EntityStore::vacate(std::uint32_t slot) noexcept {
  const Entity& entity = entities_[slot];
  note(entity, entity.position);
  living_.edit(slot) = 0;
  slots_in_use_.release(slot);
  ids_.erase(entity.id, slot);
  --size_;
  --countOf(entity);
  free_slots_.vacate(slot);
}

ChunkedPosition EntityStore::chunkedAt(const Entity& entity, const Vec3i& position) const {
  return {position, overlappedChunks(entity.shape, position, frame_.chunkShift(entity.grid_level))};
}

EntityTransfer EntityStore::transfer(std::uint32_t slot, const Entity& entity,
                                     const ChunkedPosition& from, const ChunkedPosition& to) {
  return {levelGridOf(entity).grid,
          entity_slots_,
          slot,
          entity.shape,
          frame_.chunkShift(entity.grid_level),
          from,
          to};
}

void EntityStore::dropEmptyAreas() noexcept {
  for (int level = 0; level < frame_.levels(); ++level)
    level_grids_[static_cast<std::size_t>(level)].grid.dropEmptyAreas();
}

void EntityStore::note(const Entity& entity, const Vec3i& position) noexcept {
  if (!EditLog::isWatched()) return;
  edits_.note({.level = entity.level,
               .min = position - entity.shape.half_extents,
               .max = position + entity.shape.half_extents});
}

void EntityStore::noteMove(const Entity& entity, const Vec3i& from, const Vec3i& to) noexcept {
  if (!EditLog::isWatched()) [[likely]]
    return;
  note(entity, from);
  note(entity, to);
}

std::optional<EntityHandle> EntityStore::findId(EntityId id) const {
  if (is_snapshot_) {
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
      if (living_[slot] != 0 && entities_[slot].id == id) return handle(slot);
    }
    return std::nullopt;
  }
  const auto slot = ids_.find(id, [this](std::uint32_t other) { return entities_[other].id; });
  if (!slot.has_value()) return std::nullopt;
  return handle(*slot);
}

LevelMask EntityStore::gridLevels(LevelMask own_levels) const {
  LevelMask mask;
  for (int level = 0; level < frame_.levels(); ++level) {
    const auto& counts = level_grids_[static_cast<std::size_t>(level)].count_by_own_level;
    for (int own = 0; own < frame_.levels(); ++own) {
      if (own_levels.contains(own) && counts[static_cast<std::size_t>(own)] > 0) mask.add(level);
    }
  }
  return mask;
}

absl::Status EntityStore::stale(EntityHandle entity) const {
  if (entity == EntityHandle{}) {
    return absl::NotFoundError(
        "this is a default entity handle, which no add() has returned; keep the one that add() "
        "returns");
  }
  return absl::NotFoundError(absl::StrCat("entity handle ", entity.slot, "/", entity.generation,
                                          entity.slot < slots()
                                              ? " is stale: that entity has been removed"
                                              : " was never given by this index"));
}

}  // namespace fractalray::internal
