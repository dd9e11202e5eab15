// SPDX-License-Identifier: Apache-2.0
#include "world_edit.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../core/check.h"

namespace fractalray::internal {
namespace {

// Returns a level to be changed, after the edit has been announced.
Level& announced(WorldContent& content, int level) {
  content.edits.beginEdit();
  return content.levels[static_cast<std::size_t>(level)].edit();
}

// Counts a version, and logs what has changed. Does not throw: the edit has been announced.
void noteBlocks(WorldContent& content, const Frame& frame, int level,
                const BlockBox& box) noexcept {
  content.version.advance();
  content.level_versions[static_cast<std::size_t>(level)] = content.version.number();
  if (!EditLog::isWatched()) return;
  const std::int64_t width = frame.blockWidth(level);
  Edit edit{.level = level};
  for (int axis = 0; axis < 3; ++axis) {
    edit.min[axis] = box.min[axis] * width;
    edit.max[axis] = (box.max[axis] + 1) * width;
  }
  content.edits.note(edit);
}

}  // namespace

BlockBox blocksOf(const ChunkCoord& at) {
  return {blockOf(at, 0), blockOf(at, kBlocksPerChunk - 1)};
}

WorldEdit::WorldEdit(WorldContent& content, const Frame& frame, int level)
    : content_(content), frame_(frame), level_(level), changed_(announced(content, level)) {}

WorldEdit::~WorldEdit() {
  // Without a commit, regions that were made for chunks are empty.
  for (const Load& load : loads_)
    changed_.dropEmptyRegion(load.slot.at);
}

void WorldEdit::prepare(const OwnChunk& chunk, Chunk content) {
  replacements_.push_back({.chunk = chunk, .content = std::move(content)});
}

void WorldEdit::prepareFill(const OwnChunk& chunk, const Chunk::Box& box, BlockTypeId type,
                            const BlockTypeTable& types) {
  const bool builds_on_last =
      !replacements_.empty() && replacements_.back().chunk.chunk == chunk.chunk;
  const Chunk& before = builds_on_last ? replacements_.back().content : *chunk.chunk;
  replacements_.push_back(
      {.chunk = chunk, .content = before.withBox(box, type, types), .filled = box, .type = type});
}

void WorldEdit::prepareLoad(const ChunkCoord& at, Chunk chunk) {
  collectChildren(at, chunk);
  if (chunk.isBorrowed()) listBorrowed(at);
  prepareParent(at, true);
  Load& load = loads_.emplace_back();
  load.bounds = changed_.reserve(at);
  load.content.emplace(std::move(chunk));
  load.slot.at = at;
  load.slot = changed_.ownSlot(at);
}

void WorldEdit::prepareUnload(const ChunkCoord& at) {
  prepareParent(at, false);
  Load& load = loads_.emplace_back();
  load.slot.at = at;
  load.slot = changed_.ownSlot(at);
}

void WorldEdit::collectChildren(const ChunkCoord& at, Chunk& chunk) const {
  chunk.children_ = {};
  if (level_ + 1 == frame_.levels()) return;
  // The bricks of a chunk are whole regions of the next finer level, their blocks its slots.
  const Level& finer = content_.level(level_ + 1);
  BlockSet::Words children{};
  for (int brick = 0; brick < 64; ++brick) {
    const int corner = ((brick & 3) << 2) | ((brick & 12) << 4) | ((brick & 48) << 6);
    const Region* const region = finer.region(childChunk(blockOf(at, corner)));
    if (region != nullptr) children[static_cast<std::size_t>(brick)] = region->loaded();
  }
  chunk.setChildren(BlockSet(children));
}

void WorldEdit::prepareParent(const ChunkCoord& child, bool loaded) {
  if (level_ == 0) return;
  const BlockCoord block = parentBlock(child);
  const int index = indexInChunk(block);
  CowPtr<Level>& coarser = content_.levels[static_cast<std::size_t>(level_ - 1)];
  const ChunkAt found = std::as_const(*coarser).at(chunkOf(block));
  if (found.chunk == nullptr || found.chunk->hasLoadedChild(index) == loaded) return;
  const auto known = parents_.find(found.at);
  if (known == parents_.end()) {
    Chunk* const chunk = coarser.edit().own(found).chunk;
    parents_.insert({found.at, {chunk, chunk->childrenWith(index, loaded)}});
    return;
  }
  CowPtr<Chunk::Children>& children = known->second.children;
  if (!children) children = CowPtr<Chunk::Children>::make();
  children.edit().blocks.set(index, loaded);
  if (children->blocks.empty()) children = {};
}

void WorldEdit::commit(std::initializer_list<BlockBox> boxes) noexcept {
  for (Replacement& replacement : replacements_) {
    if (replacement.filled.has_value()) {
      replacement.content.writeThrough(*replacement.filled, replacement.type);
    }
    *replacement.chunk.chunk = std::move(replacement.content);
    changed_.refreshMasks(replacement.chunk);
  }
  for (const BlockBox& box : boxes)
    note(box);
}

void WorldEdit::commitLoads() noexcept {
  for (auto& [at, parent] : parents_)
    parent.chunk->children_ = std::move(parent.children);
  for (Load& load : loads_) {
    if (load.content.has_value()) {
      changed_.put(load.slot, *std::move(load.content), std::move(load.bounds));
    } else {
      changed_.remove(load.slot);
      content_.borrowed.erase({level_, load.slot.at});
    }
    note(blocksOf(load.slot.at));
  }
  loads_.clear();
}

void WorldEdit::commit(const OwnChunk& changed, const BlockBox& box) noexcept {
  changed_.refreshMasks(changed);
  note(box);
}

void WorldEdit::note(const BlockBox& box) noexcept {
  noteBlocks(content_, frame_, level_, box);
}

void restoreChunk(WorldContent& content, const Frame& frame, int level, const ChunkCoord& at,
                  Chunk before) noexcept {
  Level& changed = content.levels[static_cast<std::size_t>(level)].edit();
  const ChunkAt found = changed.at(at);
  FRACTALRAY_DCHECK(found.chunk != nullptr, level, at[0], at[1], at[2]);
  // The edits before have made all parts the world's own.
  const OwnChunk own = changed.own(found);
  *own.chunk = std::move(before);
  changed.refreshMasks(own);
  noteBlocks(content, frame, level, blocksOf(at));
}

}  // namespace fractalray::internal
