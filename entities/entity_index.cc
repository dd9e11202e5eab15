// SPDX-License-Identifier: Apache-2.0
#include "fractalray/entities/entity_index.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "fractalray/core/check.h"

namespace fractalray {
namespace {

// The finest level whose chunks are wider than `radius`, or -1.
int indexLevelFor(const Frame& frame, std::int64_t radius) {
  int level = frame.levels() - 1;
  while (level >= 0 && radius >= frame.chunkWidth(level))
    --level;
  return level;
}

// OUT_OF_RANGE where the shape around a position leaves the frame.
absl::Status checkReach(const Vec3i& position, const UnitShape& shape) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t distance = position[axis] < 0 ? -position[axis] : position[axis];
    if (distance > kMaxCoordinate - shape.half_extents[axis]) {
      return absl::OutOfRangeError(
          absl::StrCat("the entity's shape around ", std::string(1, "xyz"[axis]), " = ",
                       blocksFromUnits(position[axis]), " reaches beyond the frame, which ends at ",
                       kMaxCoordinate / kUnitsPerBlock, " finest-block widths (2^45)"));
    }
  }
  return absl::OkStatus();
}

// Whether any shape that an index holds is sure to be within the frame at that position, which is
// so far inside that no radius reaches out. False for NaN.
bool isWellInside(const Vec3d& position) {
  constexpr double kLimit = 0x1p44;
  return std::abs(position[0]) <= kLimit && std::abs(position[1]) <= kLimit &&
         std::abs(position[2]) <= kLimit;
}

Vec3i roundedUnits(const Vec3d& position) {
  return {fractalray::roundedUnits(position[0]), fractalray::roundedUnits(position[1]),
          fractalray::roundedUnits(position[2])};
}

// The error of one of many.
absl::Status numbered(const absl::Status& status, std::string_view what, std::size_t number,
                      std::size_t count) {
  return {status.code(), absl::StrCat(std::string(what), " ", number + 1, " of ", count, ": ",
                                      status.message(), "; nothing has been changed")};
}

}  // namespace

EntityIndex::EntityIndex(const Frame& frame, internal::VersionCount version)
    : frame_(frame),
      records_(std::make_unique<Records>()),
      version_(std::move(version)),
      by_id_(0, IdHash{records_.get()}, IdEqual{records_.get()}) {}

std::shared_ptr<const EntityIndex> EntityIndex::snapshot() {
  const std::shared_ptr<EntityIndex> snapshot(new EntityIndex(frame_, version_));
  *snapshot->records_ = records_->share();
  snapshot->living_ = living_.share();
  snapshot->size_ = size_;
  for (std::size_t level = 0; level < static_cast<std::size_t>(frame_.levels()); ++level) {
    IndexLevel& from = index_levels_[level];
    snapshot->index_levels_[level] = {from.grid.share(), from.count_by_own_level};
  }
  snapshot->is_snapshot_ = true;
  return snapshot;
}

absl::StatusOr<EntityHandle> EntityIndex::add(const EntitySpec& spec) {
  absl::StatusOr<EntityHandle> handle = addOne(spec);
  if (handle.ok()) version_.advance();
  return handle;
}

absl::StatusOr<EntityHandle> EntityIndex::addOne(const EntitySpec& spec) {
  if (by_id_.contains(spec.id)) {
    return absl::AlreadyExistsError(absl::StrCat("entity ", spec.id, " is in the index already"));
  }
  if (!frame_.isActive(spec.level)) {
    return absl::InvalidArgumentError(absl::StrCat("entity ", spec.id, " is of level ", spec.level,
                                                   ", which is not active; levels are 0 to ",
                                                   frame_.levels() - 1));
  }
  const absl::StatusOr<UnitShape> shape = toUnits(spec.shape);
  if (!shape.ok() && !absl::IsOutOfRange(shape.status())) return shape.status();
  const int index_level = shape.ok() ? indexLevelFor(frame_, shape->radius()) : -1;
  if (index_level < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entity ", spec.id, " is too large: its radius must be below a level-0 chunk, ",
        blocksFromUnits(frame_.chunkWidth(0)), " finest-block widths"));
  }
  const absl::StatusOr<Vec3i> position = unitsFromBlocks(spec.position, "the entity's position");
  if (!position.ok()) return position.status();
  absl::Status status = checkReach(*position, *shape);
  if (!status.ok()) return status;

  const std::uint32_t slot = takeSlot();
  Record& record = editRecord(slot);
  record.entity = {.id = spec.id,
                   .categories = spec.categories,
                   .position = *position,
                   .shape = *shape,
                   .entity_class = spec.entity_class,
                   .level = static_cast<std::int8_t>(spec.level),
                   .index_level = static_cast<std::int8_t>(index_level)};
  note(record.entity, *position);
  living_.edit(slot) = record.generation;
  by_id_.insert(Slot{slot});
  ++size_;
  IndexLevel& level = indexLevelOf(record.entity);
  const int shift = frame_.chunkShift(index_level);
  const std::int16_t radius = internal::pageRadius(*shape, shift);
  boost::container::static_vector<EntityPlace, kMaxEntityChunks> places;
  for (const ChunkCoord& chunk : chunksMet(*shape, *position, shift)) {
    places.push_back(
        level.grid.enter(chunk, slot, {internal::pageCenter(*position, chunk, shift), radius}));
  }
  setPlaces(record, {places.data(), places.size()});
  ++level.count_by_own_level[static_cast<std::size_t>(spec.level)];
  return handle(slot);
}

absl::StatusOr<std::vector<EntityHandle>> EntityIndex::addAll(std::span<const EntitySpec> specs) {
  std::vector<EntityHandle> handles;
  handles.reserve(specs.size());
  by_id_.reserve(by_id_.size() + specs.size());
  for (const EntitySpec& spec : specs) {
    absl::StatusOr<EntityHandle> handle = addOne(spec);
    if (handle.ok()) {
      handles.push_back(*handle);
      continue;
    }
    absl::Status status = numbered(handle.status(), "entity", handles.size(), specs.size());
    for (const EntityHandle& added : handles)
      removeOne(added.slot);
    return status;
  }
  version_.advance();
  return handles;
}

absl::Status EntityIndex::checkMove(EntityHandle entity, const Vec3d& position) const {
  if (!isAlive(entity)) return stale(entity);
  const absl::StatusOr<Vec3i> units = unitsFromBlocks(position, "the entity's position");
  if (!units.ok()) return units.status();
  return checkReach(*units, record(entity.slot).entity.shape);
}

absl::Status EntityIndex::move(EntityHandle entity, const Vec3d& position) {
  if (!isAlive(entity) || !isWellInside(position)) {
    absl::Status status = checkMove(entity, position);
    if (!status.ok()) return status;
  }
  moveTo(entity.slot, roundedUnits(position));
  version_.advance();
  return absl::OkStatus();
}

absl::Status EntityIndex::moveAll(std::span<const EntityMove> moves) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const EntityMove& move = moves[i];
    if (isAlive(move.entity) && isWellInside(move.position)) continue;
    const absl::Status status = checkMove(move.entity, move.position);
    if (!status.ok()) return numbered(status, "move", i, moves.size());
  }
  // How many moves ahead a record is asked for, and then, by its places, pages.
  constexpr std::size_t kRecordAhead = 16;
  constexpr std::size_t kPagesAhead = 8;
  const Records::Reader records(*records_);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i + kRecordAhead < moves.size()) {
      const Record& ahead = records[moves[i + kRecordAhead].entity.slot];
      __builtin_prefetch(&ahead, 1);
      __builtin_prefetch(&ahead.place, 1);
    }
    if (i + kPagesAhead < moves.size()) {
      const Record& ahead = records[moves[i + kPagesAhead].entity.slot];
      for (const EntityPlace place : placesOf(ahead))
        grid(ahead.entity.index_level).pool().prefetch(place);
    }
    moveTo(moves[i].entity.slot, roundedUnits(moves[i].position));
  }
  version_.advance();
  return absl::OkStatus();
}

void EntityIndex::moveTo(std::uint32_t slot, const Vec3i& position) {
  Record& record = editRecord(slot);
  Entity& entity = record.entity;
  if (edits_.isWatched()) [[unlikely]] {
    note(entity, entity.position);
    note(entity, position);
  }
  const int shift = frame_.chunkShift(entity.index_level);
  const internal::ChunkRange before = internal::chunkRange(entity.shape, entity.position, shift);
  const internal::ChunkRange after = internal::chunkRange(entity.shape, position, shift);
  // One chunk, or two side by side, of which a shape that reaches both along an axis meets both.
  if (before != after || after.chunks() > 2) return moveAcross(record, slot, position);
  entity.position = position;
  internal::EntityGrid& grid = indexLevelOf(entity).grid;
  const std::span<const EntityPlace> places = placesOf(record);
  grid.moveCenter(places.front(), internal::pageCenter(position, after.first, shift));
  if (places.size() > 1) {
    grid.moveCenter(places.back(), internal::pageCenter(position, after.last, shift));
  }
}

void EntityIndex::moveAcross(Record& record, std::uint32_t slot, const Vec3i& position) {
  Entity& entity = record.entity;
  internal::EntityGrid& grid = indexLevelOf(entity).grid;
  const int shift = frame_.chunkShift(entity.index_level);
  const EntityChunks old_chunks = chunksMet(entity.shape, entity.position, shift);
  const EntityChunks new_chunks = chunksMet(entity.shape, position, shift);
  const std::span<const EntityPlace> old_places = placesOf(record);
  entity.position = position;
  // Both sets are sorted.
  for (std::size_t i = 0; i < old_chunks.size(); ++i) {
    if (std::binary_search(new_chunks.begin(), new_chunks.end(), old_chunks[i])) continue;
    relocate(grid.leave(old_chunks[i], old_places[i]));
  }
  boost::container::static_vector<EntityPlace, kMaxEntityChunks> places;
  for (const ChunkCoord& chunk : new_chunks) {
    const std::array<std::int16_t, 3> center = internal::pageCenter(position, chunk, shift);
    const auto old = std::lower_bound(old_chunks.begin(), old_chunks.end(), chunk);
    if (old != old_chunks.end() && *old == chunk) {
      places.push_back(old_places[static_cast<std::size_t>(old - old_chunks.begin())]);
      grid.moveCenter(places.back(), center);
    } else {
      const std::int16_t radius = internal::pageRadius(entity.shape, shift);
      places.push_back(grid.enter(chunk, slot, {center, radius}));
    }
  }
  setPlaces(record, {places.data(), places.size()});
}

absl::Status EntityIndex::remove(EntityHandle entity) {
  if (!isAlive(entity)) return stale(entity);
  removeOne(entity.slot);
  version_.advance();
  return absl::OkStatus();
}

absl::Status EntityIndex::removeAll(std::span<const EntityHandle> entities) {
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (isAlive(entities[i])) {
      living_.edit(entities[i].slot) = 0;
      continue;
    }
    const absl::Status status = stale(entities[i]);
    for (const EntityHandle& undone : entities.first(i))
      living_.edit(undone.slot) = undone.generation;
    return numbered(status, "removal", i, entities.size());
  }
  for (const EntityHandle& entity : entities)
    vacate(entity.slot);
  version_.advance();
  return absl::OkStatus();
}

void EntityIndex::removeOne(std::uint32_t slot) {
  living_.edit(slot) = 0;
  vacate(slot);
}

void EntityIndex::vacate(std::uint32_t slot) {
  Record& record = editRecord(slot);
  const Entity& entity = record.entity;
  note(entity, entity.position);
  IndexLevel& level = indexLevelOf(entity);
  const EntityChunks chunks =
      chunksMet(entity.shape, entity.position, frame_.chunkShift(entity.index_level));
  const std::span<const EntityPlace> places = placesOf(record);
  for (std::size_t i = 0; i < chunks.size(); ++i)
    relocate(level.grid.leave(chunks[i], places[i]));
  freePlaces(record);
  --level.count_by_own_level[static_cast<std::size_t>(int{entity.level})];
  by_id_.erase(entity.id);
  --size_;
  // A slot whose generations are used up is never let again, so that no stale handle can come true.
  if (++record.generation != 0) free_slots_.push_back(slot);
}

std::optional<EntityHandle> EntityIndex::findId(EntityId id) const {
  if (is_snapshot_) {
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
      if (living_[slot] != 0 && record(slot).entity.id == id) return handle(slot);
    }
    return std::nullopt;
  }
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return handle(static_cast<std::uint32_t>(*found));
}

std::vector<EntityHandle> EntityIndex::all() const {
  std::vector<EntityHandle> handles;
  handles.reserve(size());
  for (std::uint32_t slot = 0; slot < slots(); ++slot) {
    if (living_[slot] != 0) handles.push_back(handle(slot));
  }
  return handles;
}

EntityChunks EntityIndex::chunks(EntityHandle entity) const {
  const Entity* const found = find(entity);
  if (found == nullptr) return {};
  return chunksMet(found->shape, found->position, frame_.chunkShift(found->index_level));
}

std::vector<EntityHandle> EntityIndex::inChunk(int index_level, const ChunkCoord& chunk) const {
  std::vector<EntityHandle> handles;
  if (!frame_.isActive(index_level)) return handles;
  const internal::EntityGrid& grid = this->grid(index_level);
  const internal::PageList* const pages = grid.chunk(chunk);
  if (pages == nullptr) return handles;
  handles.reserve(pages->count);
  for (std::uint32_t i = 0; i < pages->count; ++i)
    handles.push_back(handle(grid.pool().slot(grid.pool().placeOf(*pages, i))));
  return handles;
}

LevelMask EntityIndex::indexLevels(LevelMask own_levels) const {
  LevelMask mask;
  for (int level = 0; level < frame_.levels(); ++level) {
    const auto& counts = index_levels_[static_cast<std::size_t>(level)].count_by_own_level;
    for (int own = 0; own < frame_.levels(); ++own) {
      if (own_levels.contains(own) && counts[static_cast<std::size_t>(own)] > 0) mask.add(level);
    }
  }
  return mask;
}

std::uint32_t EntityIndex::takeSlot() {
  if (free_slots_.empty()) {
    records_->add();
    living_.add();
    return static_cast<std::uint32_t>(living_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

std::span<EntityIndex::EntityPlace> EntityIndex::placesOf(Record& record) {
  if ((record.place & kSpread) == 0) return {&record.place, 1};
  Spread& spread = spreads_[record.place & ~kSpread];
  return {spread.data(), spread.size()};
}

std::span<const EntityIndex::EntityPlace> EntityIndex::placesOf(const Record& record) const {
  if ((record.place & kSpread) == 0) return {&record.place, 1};
  const Spread& spread = spreads_[record.place & ~kSpread];
  return {spread.data(), spread.size()};
}

void EntityIndex::setPlaces(Record& record, std::span<const EntityPlace> places) {
  if (places.size() == 1) {
    freePlaces(record);
    record.place = places[0];
    return;
  }
  const std::size_t size = spreadSize(places.size());
  if ((record.place & kSpread) != 0 &&
      spreadSize(spreads_[record.place & ~kSpread].capacity()) != size) {
    freePlaces(record);
  }
  if ((record.place & kSpread) == 0) {
    std::vector<std::uint32_t>& free = free_spreads_[size];
    if (free.empty()) {
      free.push_back(static_cast<std::uint32_t>(spreads_.size()));
      spreads_.emplace_back().reserve(kSpreadSizes[size]);
    }
    record.place = free.back() | kSpread;
    free.pop_back();
  }
  spreads_[record.place & ~kSpread].assign(places.begin(), places.end());
}

void EntityIndex::freePlaces(Record& record) {
  if ((record.place & kSpread) != 0) {
    const std::uint32_t number = record.place & ~kSpread;
    free_spreads_[spreadSize(spreads_[number].capacity())].push_back(number);
  }
  record.place = 0;
}

void EntityIndex::relocate(const std::optional<internal::PagePool::Moved>& moved) {
  if (!moved.has_value()) return;
  for (EntityPlace& place : placesOf(editRecord(moved->slot))) {
    if (place == moved->from) place = moved->to;
  }
}

absl::Status EntityIndex::stale(EntityHandle entity) const {
  return absl::NotFoundError(absl::StrCat("entity handle ", entity.slot, "/", entity.generation,
                                          entity.slot < slots()
                                              ? " is stale: that entity has been removed"
                                              : " was never given by this index"));
}

}  // namespace fractalray
