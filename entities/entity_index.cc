// SPDX-License-Identifier: Apache-2.0
#include "entity_index.h"

#include <utility>

#include "internal/entity_chunks.h"
#include "internal/entity_store.h"

namespace fractalray {
EntityIndex::EntityIndex(const Frame& frame)
    : store_(std::make_unique<internal::EntityStore>(frame)) {}
EntityIndex::EntityIndex(std::unique_ptr<internal::EntityStore> store) : store_(std::move(store)) {}
EntityIndex::~EntityIndex() = default;
EntityIndex::EntityIndex(EntityIndex&& other) noexcept
    : store_(std::move(internal::LazyReader::readAllBeforeMove(other).store_)) {}
EntityIndex& EntityIndex::operator=(EntityIndex&& other) noexcept {
  store_ = std::move(internal::LazyReader::readAllBeforeMove(other).store_);
  return *this;
}

const Frame& EntityIndex::frame() const {
  return store_->frame();
}

absl::StatusOr<EntityHandle> EntityIndex::add(const EntitySpec& spec) {
  return store_->add(spec);
}
absl::Status EntityIndex::move(EntityHandle entity, const Vec3d& position) {
  return store_->move(entity, position);
}
absl::Status EntityIndex::update(EntityHandle entity, const EntityUpdate& update) {
  return store_->update(entity, update);
}
absl::Status EntityIndex::remove(EntityHandle entity) {
  return store_->remove(entity);
}
absl::StatusOr<std::vector<EntityHandle>> EntityIndex::addAll(std::span<const EntitySpec> specs) {
  if (specs.empty()) return std::vector<EntityHandle>();
  return store_->addAll(specs);
}
absl::Status EntityIndex::moveAll(std::span<const EntityMove> moves) {
  if (moves.empty()) return absl::OkStatus();
  return store_->moveAll(moves);
}
absl::Status EntityIndex::updateAll(std::span<const EntityChange> changes) {
  return store_->updateAll(changes);
}
absl::Status EntityIndex::removeAll(std::span<const EntityHandle> entities) {
  if (entities.empty()) return absl::OkStatus();
  return store_->removeAll(entities);
}

bool EntityIndex::refine(std::size_t most) {
  return store_->refine(most);
}

std::size_t EntityIndex::optimize(ParallelFor parallel_for) {
  return store_->optimize(parallel_for);
}

std::shared_ptr<const EntityIndex> EntityIndex::snapshot() {
  return std::shared_ptr<const EntityIndex>(new EntityIndex(store_->share()));
}

const Entity* EntityIndex::find(EntityHandle entity) const {
  return store_->find(entity);
}
std::optional<EntityHandle> EntityIndex::findId(EntityId id) const {
  return store_->findId(id);
}
std::size_t EntityIndex::size() const {
  return store_->size();
}

std::vector<EntityHandle> EntityIndex::all() const {
  std::vector<EntityHandle> handles;
  handles.reserve(size());
  for (std::uint32_t slot = 0; slot < store_->slots(); ++slot) {
    if (store_->isOccupied(slot)) handles.push_back(store_->handle(slot));
  }
  return handles;
}

std::vector<ChunkCoord> EntityIndex::chunks(EntityHandle entity) const {
  const Entity* const found = find(entity);
  if (found == nullptr) return {};
  const internal::EntityChunks chunks = internal::overlappedChunks(
      found->shape, found->position, frame().chunkShift(found->index_level));
  return {chunks.begin(), chunks.end()};
}

std::uint64_t EntityIndex::version() const {
  return store_->version();
}

}  // namespace fractalray
