// SPDX-License-Identifier: Apache-2.0
#include "coarse_chunks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fractalray {
namespace {

// The mapblocks that a search for one that can be decoded reads at first, and at most, at once.
constexpr std::size_t kFirstSearch = 1;
constexpr std::size_t kLastSearch = 256;

}  // namespace

absl::Status CoarseChunks::learn(const NeededChunk& needed) {
  if (cached_.has(needed)) return absl::OkStatus();
  const auto& [level, at] = needed.at;
  return needed.outline ? outline(level, at) : summarize(level, at);
}

bool CoarseChunks::forgetAround(const ChunkCoord& mapblock) {
  bool was_known = false;
  for (int level = 0; level < kMapblockLevel; ++level) {
    const ChunkCoord at = chunkAround(mapblock, level);
    const auto i = static_cast<std::size_t>(level);
    // An outline says no more than that the chunk exists, for which one mapblock of it is enough.
    const ChunkCoord* const witness = cached_.witness(level, at);
    if (witness == nullptr || *witness == mapblock) was_known |= cached_.forget(level, at);
    if (i >= summaries_.size()) continue;
    const auto summary = summaries_[i].find(at);
    if (summary == summaries_[i].end()) continue;
    const ChunkCoord finer = chunkAround(mapblock, level + 1);
    summary->second.changed.set(static_cast<std::size_t>(indexInChunk(parentBlock(finer))));
  }
  return was_known;
}

void CoarseChunks::forgetAll() {
  for (auto& of_level : summaries_)
    of_level = absl::flat_hash_map<ChunkCoord, Summary>();  // frees what clear() might keep
  countSummaries();
}

void CoarseChunks::countSummaries() {
  std::size_t bytes = 0;
  for (const auto& of_level : summaries_)
    bytes += of_level.capacity() * sizeof(std::pair<const ChunkCoord, Summary>);
  cached_.countOthers(bytes);
}

absl::Status CoarseChunks::outline(int level, const ChunkCoord& at) {
  const ChunkBox box = mapblocksOf(level, at);
  std::optional<ChunkCoord> witness;
  std::optional<ChunkCoord> last;
  for (std::size_t limit = kFirstSearch; !witness.has_value();
       limit = std::min(16 * limit, kLastSearch)) {
    if (absl::Status status = limit_.check(); last.has_value() && !status.ok()) return status;
    const absl::StatusOr<std::vector<ChunkCoord>> stored = reader_.stored(box, limit, last);
    if (!stored.ok()) return stored.status();
    absl::Status status =
        reader_.read(*stored, [&](const ChunkCoord& mapblock, const std::optional<Chunk>& chunk) {
          if (chunk.has_value() && !witness.has_value()) witness = mapblock;
          return absl::OkStatus();
        });
    if (!status.ok()) return status;
    if (stored->size() < limit) break;
    last = stored->back();
  }
  if (!witness.has_value()) {
    cached_.setAbsent(level, at);
    return absl::OkStatus();
  }
  const absl::StatusOr<BlockTypeId> unknown = summarizer_.summaryOf(nullptr);
  if (!unknown.ok()) return unknown.status();
  return cached_.loadOutline(level, at, Chunk::uniform(*unknown, world_.blockTypes()), *witness);
}

absl::Status CoarseChunks::summarize(int level, const ChunkCoord& at) {
  return level + 1 == kMapblockLevel ? summarizeMapblocks(at) : summarizeChunks(level, at);
}

absl::Status CoarseChunks::summarizeMapblocks(const ChunkCoord& at) {
  constexpr int kLevel = kMapblockLevel - 1;
  const absl::StatusOr<std::vector<ChunkCoord>> stored =
      reader_.stored(mapblocksOf(kLevel, at), kBlocksPerChunk);
  if (!stored.ok()) return stored.status();
  const absl::StatusOr<BlockTypeId> unknown = summarizer_.summaryOf(nullptr);
  if (!unknown.ok()) return unknown.status();
  std::array<BlockTypeId, kBlocksPerChunk> types{};
  types.fill(*unknown);
  bool is_there = false;
  absl::Status status =
      reader_.read(*stored, [&](const ChunkCoord& mapblock, const std::optional<Chunk>& chunk) {
        if (!chunk.has_value()) return absl::OkStatus();
        const absl::StatusOr<BlockTypeId> type = summarizer_.summaryOf(&*chunk);
        if (!type.ok()) return type.status();
        is_there = true;
        types[static_cast<std::size_t>(indexInChunk(parentBlock(mapblock)))] = *type;
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  if (!is_there) {
    cached_.setAbsent(kLevel, at);
    return absl::OkStatus();
  }
  absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(types), world_.blockTypes());
  if (!chunk.ok()) return chunk.status();
  return cached_.load(kLevel, at, *std::move(chunk));
}

absl::StatusOr<CoarseChunks::Summary> CoarseChunks::beginSummary(int level, const ChunkCoord& at) {
  const absl::StatusOr<std::vector<ChunkCoord>> finer =
      reader_.storedChunks(mapblocksOf(level, at), level + 1);
  if (!finer.ok()) return finer.status();
  const absl::StatusOr<BlockTypeId> unknown = summarizer_.summaryOf(nullptr);
  if (!unknown.ok()) return unknown.status();
  Summary summary;
  summary.types.fill(*unknown);
  for (const ChunkCoord& each : *finer)
    summary.changed.set(static_cast<std::size_t>(indexInChunk(parentBlock(each))));
  return summary;
}

absl::Status CoarseChunks::summarizeChunks(int level, const ChunkCoord& at) {
  auto& of_level = summaries_[static_cast<std::size_t>(level)];
  if (!of_level.contains(at)) {
    const absl::StatusOr<Summary> begun = beginSummary(level, at);
    if (!begun.ok()) return begun.status();
    of_level.emplace(at, *begun);
    countSummaries();
  }
  Summary& summary = of_level.at(at);
  for (std::size_t i = 0; i < kBlocksPerChunk; ++i) {
    if (!summary.changed[i]) continue;
    if (absl::Status status = limit_.check(); !status.ok()) return status;
    const absl::StatusOr<std::optional<BlockTypeId>> type =
        summaryOf(level + 1, childChunk(blockOf(at, static_cast<int>(i))));
    if (!type.ok()) return type.status();
    const absl::StatusOr<BlockTypeId> unknown = summarizer_.summaryOf(nullptr);
    if (!unknown.ok()) return unknown.status();
    summary.types[i] = type->value_or(*unknown);
    summary.is_there[i] = type->has_value();
    summary.changed.reset(i);
  }
  if (summary.is_there.none()) {
    of_level.erase(at);
    cached_.setAbsent(level, at);
    return absl::OkStatus();
  }
  absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(summary.types), world_.blockTypes());
  if (!chunk.ok()) return chunk.status();
  return cached_.load(level, at, *std::move(chunk));
}

absl::StatusOr<std::optional<BlockTypeId>> CoarseChunks::summaryOf(int level,
                                                                   const ChunkCoord& at) {
  const Knowledge before = cached_.find(level, at);
  absl::Status status = learn({.at = {.level = level, .chunk = at}});
  if (!status.ok()) return status;
  std::optional<BlockTypeId> summary;
  if (cached_.find(level, at) != Knowledge::kAbsent) {
    const absl::StatusOr<BlockTypeId> type = summarizer_.summaryOf(world_.chunk(level, at));
    if (!type.ok()) return type.status();
    summary = *type;
  }
  // Keeps no more of level 2 than queries need.
  if (level + 1 == kMapblockLevel && before == Knowledge::kNone) cached_.forget(level, at);
  return summary;
}

}  // namespace fractalray
