// SPDX-License-Identifier: Apache-2.0
#include "entity_index.h"

#include <algorithm>
#include <utility>

#include "internal/entity_chunks.h"
#include "internal/entity_store.h"

namespace fractalray {
namespace {

// Returns the chunk that holds another one, `levels` levels coarser.
ChunkCoord ancestor(const ChunkCoord& chunk, int levels) {
  const int shift = 4 * levels;
  return {chunk[0] >> shift, chunk[1] >> shift, chunk[2] >> shift};
}

}  // namespace

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

std::vector<EntityHandle> EntityIndex::inChunk(int index_level, const ChunkCoord& chunk) const {
  std::vector<EntityHandle> handles;
  if (!frame().isActive(index_level)) return handles;
  for (int level = coarsestGrid(index_level); level <= index_level; ++level) {
    const internal::EntityGrid& grid = store_->grid(level);
    const internal::PageList* const pages = grid.chunk(ancestor(chunk, index_level - level));
    if (pages == nullptr) continue;
    for (std::uint32_t i = 0; i < pages->count; ++i) {
      const EntityHandle handle = store_->handle(grid.pool().slot(grid.pool().entryOf(*pages, i)));
      if (level < index_level || store_->hasCoarserGrids()) {
        const Entity& entity = *find(handle);
        const bool is_here =
            entity.index_level == index_level && (level == index_level || touches(entity, chunk));
        if (!is_here) continue;
      }
      handles.push_back(handle);
    }
  }
  return handles;
}

std::optional<int> EntityIndex::emptyCubeLog2(int index_level, const ChunkCoord& chunk) const {
  std::optional<int> empty = store_->grid(index_level).emptyCubeLog2(chunk);
  if (!store_->hasCoarserGrids()) return empty;
  if (!inChunk(index_level, chunk).empty()) return std::nullopt;
  for (int level = 0; level < index_level && empty.has_value(); ++level) {
    const int levels = index_level - level;
    const std::optional<int> around = store_->grid(level).emptyCubeLog2(ancestor(chunk, levels));
    empty = around.has_value() ? std::min(*empty, *around + 4 * levels) : 0;
  }
  return empty.value_or(0);
}

LevelMask EntityIndex::indexLevels(LevelMask own_levels) const {
  if (!store_->hasCoarserGrids()) return store_->gridLevels(own_levels);
  LevelMask levels;
  for (const EntityHandle handle : all()) {
    const Entity& entity = *find(handle);
    if (own_levels.contains(entity.level)) levels.add(entity.index_level);
  }
  return levels;
}

int EntityIndex::coarsestGrid(int index_level) const {
  return store_->hasCoarserGrids() ? 0 : index_level;
}

bool EntityIndex::touches(const Entity& entity, const ChunkCoord& chunk) const {
  const internal::EntityChunks chunks = internal::overlappedChunks(
      entity.shape, entity.position, frame().chunkShift(entity.index_level));
  return std::find(chunks.begin(), chunks.end(), chunk) != chunks.end();
}

std::uint64_t EntityIndex::version() const {
  return store_->version();
}

}  // namespace fractalray
