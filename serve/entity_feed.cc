// SPDX-License-Identifier: Apache-2.0
#include "entity_feed.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace fractalray::serve {
namespace {

// Doubles have all units up to here.
constexpr std::int64_t kMostUnits = std::int64_t{1} << 53;

absl::StatusOr<Vec3d> blocksFrom(std::span<const std::int64_t, 3> units, std::uint64_t id) {
  Vec3d blocks;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t number = units[static_cast<std::size_t>(axis)];
    if (number > kMostUnits || number < -kMostUnits) {
      return absl::OutOfRangeError(absl::StrCat("a number of entity ", id, " is ", number,
                                                " units; it must be within 2^53"));
    }
    blocks[axis] = static_cast<double>(number) / FR_UNITS_PER_BLOCK;
  }
  return blocks;
}

absl::StatusOr<EntitySpec> specFrom(const frFedEntity& fed) {
  const absl::StatusOr<Vec3d> position = blocksFrom(fed.position, fed.id);
  if (!position.ok()) return position.status();
  const absl::StatusOr<Vec3d> half = blocksFrom(fed.half_extents, fed.id);
  if (!half.ok()) return half.status();
  if (fed.shape != FR_SPHERE && fed.shape != FR_BOX) {
    return absl::InvalidArgumentError(absl::StrCat("the shape of entity ", fed.id, " is ",
                                                   fed.shape, "; it must be FR_SPHERE or FR_BOX"));
  }
  EntitySpec spec;
  spec.id = fed.id;
  spec.level = fed.level;
  spec.entity_class = static_cast<EntityClassId>(fed.entity_class);
  spec.shape = fed.shape == FR_SPHERE ? Shape(Sphere{half->x()}) : Shape(Box{*half});
  spec.position = *position;
  spec.categories = fed.categories == 0 ? 1 : fed.categories;
  return spec;
}

absl::Status add(EntityIndex& index, std::span<const frFedEntity> added) {
  std::vector<EntitySpec> specs;
  specs.reserve(added.size());
  for (const frFedEntity& each : added) {
    absl::StatusOr<EntitySpec> spec = specFrom(each);
    if (!spec.ok()) return spec.status();
    specs.push_back(*std::move(spec));
  }
  return index.addAll(specs).status();
}

absl::Status notFound(std::uint64_t id, const char* what) {
  return absl::NotFoundError(absl::StrCat("entity ", id, " is to be ", what, ", and is not there"));
}

}  // namespace

absl::Status EntityFeed::apply(const EntityTick& tick) {
  const std::lock_guard editing(edits_);
  absl::Status status = checkFollows(tick);
  if (!status.ok()) return status;
  const bool needed_whole = std::exchange(needs_whole_, true);  // until all has succeeded
  bool is_changed = false;
  status = tick.is_whole ? replace(tick) : change(tick, is_changed);
  if (!status.ok()) {
    if (!is_changed) needs_whole_ = needed_whole;
    return {status.code(), absl::StrCat("tick ", tick.number, ": ", status.message(),
                                        needs_whole_ ? "; send a whole tick" : "")};
  }
  State next{.entities = index_.snapshot(), .tick = tick.number, .feeds = state().feeds + 1};
  needs_whole_ = false;
  const std::lock_guard lock(mutex_);
  std::swap(state_, next);
  return status;
}

absl::Status EntityFeed::checkFollows(const EntityTick& tick) const {
  const std::uint64_t last = state().tick;
  if (tick.number == 0)
    return absl::InvalidArgumentError("a tick has the number 0; they begin with 1");
  if (tick.is_whole) return absl::OkStatus();
  if (needs_whole_) {
    return absl::FailedPreconditionError(
        absl::StrCat("tick ", tick.number,
                     " is a change of entities that are not known; send a "
                     "whole tick"));
  }
  if (tick.number == last + 1) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("the feed has a gap: its last tick is ", last,
                                                    ", and tick ", tick.number,
                                                    " does not follow it; send a whole tick"));
}

absl::Status EntityFeed::replace(const EntityTick& tick) {
  if (!tick.removed.empty() || !tick.moved.empty()) {
    return absl::InvalidArgumentError("it is whole, and removes or moves entities");
  }
  EntityIndex index(index_.frame());
  absl::Status status = add(index, tick.added);
  if (status.ok()) index_ = std::move(index);
  return status;
}

absl::Status EntityFeed::change(const EntityTick& tick, bool& is_changed) {
  std::vector<EntityHandle> removed;
  removed.reserve(tick.removed.size());
  for (const std::uint64_t id : tick.removed) {
    const std::optional<EntityHandle> found = index_.findId(id);
    if (!found.has_value()) return notFound(id, "removed");
    removed.push_back(*found);
  }
  std::vector<EntityMove> moves;
  moves.reserve(tick.moved.size());
  absl::flat_hash_set<std::uint64_t> added;
  for (const frFedEntity& each : tick.added)
    added.insert(each.id);
  for (const frFedMove& each : tick.moved) {
    if (!added.contains(each.id) && !index_.findId(each.id).has_value()) {
      return notFound(each.id, "moved");
    }
    const absl::StatusOr<Vec3d> position = blocksFrom(each.position, each.id);
    if (!position.ok()) return position.status();
    moves.push_back({.entity = {}, .position = *position});
  }
  absl::Status status = index_.removeAll(removed);
  if (!status.ok()) return status;
  is_changed = !removed.empty();
  status = add(index_, tick.added);
  if (!status.ok()) return status;
  is_changed = is_changed || !tick.added.empty();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const std::optional<EntityHandle> found = index_.findId(tick.moved[i].id);
    if (!found.has_value()) return notFound(tick.moved[i].id, "moved");
    moves[i].entity = *found;
  }
  return index_.moveAll(moves);
}

}  // namespace fractalray::serve
