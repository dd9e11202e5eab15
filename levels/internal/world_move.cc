// SPDX-License-Identifier: Apache-2.0
#include "world_move.h"

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "level_move.h"
#include "world_content.h"

namespace fractalray::internal {
namespace {

using ChunkIndices = std::set<std::pair<int, ChunkCoord>>;  // by level

// Returns the indices after a move, without those that leave the frame.
ChunkIndices indicesAfter(const FrameMove& move, ChunkIndices before) noexcept {
  ChunkIndices after;
  while (!before.empty()) {
    ChunkIndices::node_type node = before.extract(before.begin());
    const auto [level, at] = node.value();
    const std::optional<ChunkCoord> chunk = move.chunkAfter(level, at);
    if (!chunk.has_value()) continue;
    node.value() = {move.levelAfter(level), *chunk};
    after.insert(std::move(node));
  }
  return after;
}

// The prepared parts of a move, by the numbers that the levels have before it.
struct PreparedMove {
  std::vector<std::optional<LevelMove>> moves;  // nothing for a level that is dropped whole
  std::vector<CowPtr<Level>> after;             // empty levels, by their numbers after the move
  std::vector<std::uint64_t> versions;          // of the levels after the move
  std::shared_ptr<std::vector<CowPtr<Level>>> left =
      std::make_shared<std::vector<CowPtr<Level>>>();  // reserved for all
  std::size_t dropped = 0;
};

PreparedMove prepareMove(const WorldContent& content, const FrameMove& move) {
  const std::size_t levels = content.levels.size();
  PreparedMove prepared;
  prepared.moves.resize(levels);
  prepared.after.resize(levels);
  prepared.versions.assign(levels, content.version.number() + 1);
  prepared.left->reserve(levels);
  for (std::size_t number = 0; number < levels; ++number) {
    prepared.after[number] = CowPtr<Level>::make();
    const CowPtr<Level>& before = content.levels[number];
    const int to = move.levelAfter(static_cast<int>(number));
    const std::optional<Vec3i> offset = move.chunkOffset(static_cast<int>(number));
    if (!offset.has_value()) {
      prepared.dropped += before->loadedChunks() + before->protoChunks();
      continue;
    }
    const bool loses_finer = move.levels() > 0 && to + 1 == move.frame().levels();
    const LevelChange change{.offset = *offset, .level = to, .forgets_children = loses_finer};
    const std::size_t dropped =
        prepared.moves[number].emplace(before, move.frame(), change).dropped();
    prepared.dropped += dropped;
    if (!loses_finer && dropped == 0) {
      prepared.versions[static_cast<std::size_t>(to)] = content.level_versions[number];
    }
  }
  return prepared;
}

}  // namespace

DroppedChunks moveFrame(WorldContent& content, const FrameMove& move) {
  FRACTALRAY_DCHECK(move.frame().levels() == std::ssize(content.levels), move.frame().levels(),
                    content.levels.size());
  PreparedMove prepared = prepareMove(content, move);
  // Nothing throws from here on. Queries in progress on this world end, so they need not read the
  // rest first.
  for (std::size_t number = 0; number < prepared.moves.size(); ++number) {
    CowPtr<Level>& before = content.levels[number];
    if (prepared.moves[number].has_value()) {
      const auto to = static_cast<std::size_t>(move.levelAfter(static_cast<int>(number)));
      prepared.after[to] = prepared.moves[number]->finish(std::move(before));
    } else {
      prepared.left->push_back(std::move(before));
    }
  }
  content.levels.swap(prepared.after);
  content.level_versions.swap(prepared.versions);
  content.borrowed = indicesAfter(move, std::move(content.borrowed));
  content.edits.forget();
  content.version.advance();
  content.last_move.set(content.version);
  return {.chunks = prepared.dropped, .content = std::move(prepared.left)};
}

}  // namespace fractalray::internal
