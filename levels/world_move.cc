// SPDX-License-Identifier: Apache-2.0
// How a world follows its frame: each level gets another number, and its chunks other indices.
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../core/check.h"
#include "internal/level_move.h"
#include "internal/world_content.h"
#include "world.h"

namespace fractalray {

using internal::CowPtr;
using internal::Level;
using internal::LevelChange;
using internal::LevelMove;

namespace {

using Places = std::set<std::pair<int, ChunkCoord>>;

// Returns the places afterwards of those that stay in the frame; the others are dropped.
Places placesAfter(const FrameMove& move, Places before) noexcept {
  Places after;
  while (!before.empty()) {
    Places::node_type place = before.extract(before.begin());
    const auto [level, at] = place.value();
    const std::optional<ChunkCoord> chunk = move.chunkAfter(level, at);
    if (!chunk.has_value()) continue;
    place.value() = {move.levelAfter(level), *chunk};
    after.insert(std::move(place));
  }
  return after;
}

}  // namespace

World::Dropped World::moveFrame(const FrameMove& move) {
  FRACTALRAY_DCHECK(move.frame() == frame_, move.frame().levels(), frame_.levels());
  const auto levels = static_cast<std::size_t>(frame_.levels());
  std::vector<CowPtr<Level>> after(levels);
  for (CowPtr<Level>& level : after)
    level = CowPtr<Level>::make();
  std::vector<std::optional<LevelMove>> moves(levels);  // by the number of the level before
  const auto left = std::make_shared<std::vector<CowPtr<Level>>>();
  left->reserve(levels);
  Dropped dropped{.chunks = 0, .content = left};
  for (std::size_t number = 0; number < levels; ++number) {
    const CowPtr<Level>& before = content_->levels[number];
    const int level = static_cast<int>(number);
    const int to = move.levelAfter(level);
    if (const std::optional<Vec3i> offset = move.chunkOffset(level); offset.has_value()) {
      const bool loses_finer = move.levels() > 0 && to + 1 == frame_.levels();
      const LevelChange change{.offset = *offset, .level = to, .forgets_children = loses_finer};
      dropped.chunks += moves[number].emplace(before, frame_, change).dropped();
    } else {
      dropped.chunks += before->loadedChunks() + before->protoChunks();
    }
  }
  // Nothing throws any more. Queries in progress on this world end, and so read no more of it.
  for (std::size_t number = 0; number < levels; ++number) {
    if (!moves[number].has_value()) {
      left->push_back(std::move(content_->levels[number]));
      continue;
    }
    const auto to = static_cast<std::size_t>(move.levelAfter(static_cast<int>(number)));
    after[to] = moves[number]->finish(std::move(content_->levels[number]));
  }
  content_->levels.swap(after);
  content_->borrowed = placesAfter(move, std::move(content_->borrowed));
  content_->edits.forget();
  content_->version.advance();
  content_->last_move.set(content_->version);
  return dropped;
}

}  // namespace fractalray
