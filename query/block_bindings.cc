// SPDX-License-Identifier: Apache-2.0
#include "block_bindings.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/internal/access.h"
#include "../entities/internal/entity_store.h"

namespace fractalray {
namespace {

constexpr EntityHandle kFirstSlot{.slot = 0};
constexpr EntityHandle kLastSlot{.slot = std::numeric_limits<std::uint32_t>::max()};

std::string nameOf(EntityHandle entity) {
  return absl::StrCat("entity handle ", entity.slot, "/", entity.generation);
}

absl::Status stale(EntityHandle entity) {
  return absl::NotFoundError(
      absl::StrCat(nameOf(entity), " is stale: no such entity is in the index"));
}

}  // namespace

BlockBindings::BlockBindings(World& world, EntityIndex& entities)
    : world_(world), entities_(entities) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
}

absl::Status BlockBindings::bind(EntityHandle entity, int level, const BlockCoord& at) {
  if (entities_.find(entity) == nullptr) return stale(entity);
  if (const auto type = world_.block(level, at); !type.ok()) return type.status();
  const Binding binding = bindingTo(entity, level, at);
  // Also replaces the binding of a removed entity that had the slot before.
  if (const auto slot = by_slot_.find(entity.slot); slot != by_slot_.end()) {
    replace(slot, binding);
    return absl::OkStatus();
  }
  const auto added = bindings_.insert(binding).first;
  absl::Cleanup undo = [&] { bindings_.erase(added); };
  by_slot_.emplace(entity.slot, added);
  std::move(undo).Cancel();
  return absl::OkStatus();
}

absl::Status BlockBindings::unbind(EntityHandle entity) {
  if (entities_.find(entity) == nullptr) return stale(entity);
  const auto slot = by_slot_.find(entity.slot);
  if (slot == by_slot_.end() || slot->second->entity != entity) {
    return absl::NotFoundError(absl::StrCat(nameOf(entity), " is bound to no block"));
  }
  bindings_.erase(slot->second);
  by_slot_.erase(slot);
  return absl::OkStatus();
}

void BlockBindings::clear() noexcept {
  by_slot_.clear();
  bindings_.clear();
}

std::optional<BlockOfLevel> BlockBindings::blockOf(EntityHandle entity) const {
  const auto slot = by_slot_.find(entity.slot);
  if (slot == by_slot_.end() || slot->second->entity != entity) return std::nullopt;
  if (entities_.find(entity) == nullptr) return std::nullopt;
  const Binding& binding = *slot->second;
  return BlockOfLevel{binding.level, fractalray::blockOf(binding.chunk, binding.index)};
}

std::vector<EntityHandle> BlockBindings::boundTo(int level, const BlockCoord& at) const {
  return living(ofBlock(level, at));
}
std::vector<EntityHandle> BlockBindings::boundInChunk(int level, const ChunkCoord& at) const {
  return living(ofChunk(level, at));
}

absl::Status BlockBindings::moveBlock(int level, const BlockCoord& from, const BlockCoord& to) {
  for (const BlockCoord& at : {from, to}) {
    if (const auto type = world_.block(level, at); !type.ok()) return type.status();
  }
  const auto move = [&] { return world_.moveBlock(level, from, to); };
  if (from == to) return move();
  const std::vector<EntityHandle> moved = living(ofBlock(level, from));
  if (const auto others = living(ofBlock(level, to)); !others.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "block [", to[0], ", ", to[1], ", ", to[2], "] of level ", level,
        " has entities bound to it (", others.size(), "); unbind them, or call removeBlock first"));
  }
  Vec3i offset;
  for (int axis = 0; axis < 3; ++axis)
    offset[axis] = (to[axis] - from[axis]) * world_.frame().blockWidth(level);
  absl::Status status =
      moved.empty() ? move() : internal::Access::editStore(entities_).shiftAll(moved, offset, move);
  if (!status.ok()) return status;
  for (const EntityHandle& entity : moved)
    replace(by_slot_.find(entity.slot), bindingTo(entity, level, to));
  drop(ofBlock(level, from));
  return status;
}

absl::Status BlockBindings::removeBlock(int level, const BlockCoord& at) {
  return removeWith(ofBlock(level, at), [&] { return world_.setBlock(level, at, kAir); });
}

absl::Status BlockBindings::unloadChunk(int level, const ChunkCoord& at) {
  return removeWith(ofChunk(level, at), [&] { return world_.unloadChunk(level, at); });
}

absl::Status BlockBindings::removeWith(const Range& range, absl::FunctionRef<absl::Status()> edit) {
  const std::vector<EntityHandle> removed = living(range);
  absl::Status status =
      removed.empty() ? edit() : internal::Access::editStore(entities_).removeAll(removed, edit);
  if (status.ok()) drop(range);
  return status;
}

std::size_t BlockBindings::removeUnloaded() {
  std::vector<Range> unloaded;
  std::vector<EntityHandle> removed;
  for (auto binding = bindings_.begin(); binding != bindings_.end();) {
    const Range range = ofChunk(binding->level, binding->chunk);
    if (world_.chunk(binding->level, binding->chunk) == nullptr) {
      unloaded.push_back(range);
      const std::vector<EntityHandle> bound = living(range);
      removed.insert(removed.end(), bound.begin(), bound.end());
    }
    binding = range.end;
  }
  if (!removed.empty()) FRACTALRAY_CHECK_OK(entities_.removeAll(removed));
  for (const Range& range : unloaded)
    drop(range);
  return removed.size();
}

std::vector<EntityHandle> BlockBindings::follow(const FrameMove& move) {
  std::vector<EntityHandle> unbound;
  unbound.reserve(bindings_.size());
  // Nothing throws from here on.
  Bindings before;
  before.swap(bindings_);
  while (!before.empty()) {
    Bindings::node_type node = before.extract(before.begin());
    Binding& binding = node.value();
    const auto slot = by_slot_.find(binding.entity.slot);
    const std::optional<ChunkCoord> chunk = move.chunkAfter(binding.level, binding.chunk);
    const bool is_alive = entities_.find(binding.entity) != nullptr;
    if (chunk.has_value() && is_alive) {
      binding.level = move.levelAfter(binding.level);
      binding.chunk = *chunk;
      slot->second = bindings_.insert(std::move(node)).position;
      continue;
    }
    if (is_alive) unbound.push_back(binding.entity);
    by_slot_.erase(slot);
  }
  return unbound;
}

BlockBindings::Range BlockBindings::ofBlock(int level, const BlockCoord& at) const {
  return {bindings_.lower_bound(bindingTo(kFirstSlot, level, at)),
          bindings_.upper_bound(bindingTo(kLastSlot, level, at))};
}

BlockBindings::Range BlockBindings::ofChunk(int level, const ChunkCoord& at) const {
  return {bindings_.lower_bound({level, at, 0, kFirstSlot}),
          bindings_.upper_bound({level, at, kBlocksPerChunk, kLastSlot})};
}

std::vector<EntityHandle> BlockBindings::living(const Range& range) const {
  std::vector<EntityHandle> entities;
  for (auto binding = range.begin; binding != range.end; ++binding) {
    if (entities_.find(binding->entity) != nullptr) entities.push_back(binding->entity);
  }
  return entities;
}

void BlockBindings::drop(const Range& range) noexcept {
  for (auto binding = range.begin; binding != range.end;) {
    by_slot_.erase(binding->entity.slot);
    binding = bindings_.erase(binding);
  }
}

void BlockBindings::replace(BySlot::iterator slot, const Binding& binding) noexcept {
  Bindings::node_type node = bindings_.extract(slot->second);
  node.value() = binding;
  slot->second = bindings_.insert(std::move(node)).position;
}

}  // namespace fractalray
