// SPDX-License-Identifier: Apache-2.0
#include "level_summary.h"

#include <array>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/block_type_merge.h"
#include "internal/coarse_types.h"

namespace fractalray {
namespace {

// Makes a level out of the next finer one.
absl::Status summarizeInto(World& world, int level, ChunkSummarizer& summarizer) {
  // In order, so that new types get the same numbers in every run.
  std::map<ChunkCoord, std::vector<FinerChunk>> finer;
  world.forEachLoaded(level + 1, [&](const ChunkCoord& at, const Chunk& chunk) {
    const BlockCoord block = parentBlock(at);
    finer[chunkOf(block)].push_back({.block = indexInChunk(block), .chunk = &chunk});
  });
  std::vector<ChunkChange> coarser;
  for (const auto& [at, chunks] : finer) {
    absl::StatusOr<Chunk> chunk = summarizer.summarize(chunks);
    if (!chunk.ok()) return chunk.status();
    coarser.push_back({.at = at, .chunk = *std::move(chunk)});
  }
  return world.replaceChunks(level, std::move(coarser));
}

}  // namespace

absl::StatusOr<BlockTypeId> ChunkSummarizer::summaryOf(const Chunk* chunk) {
  // Permeable in every channel: nothing, or not all, is known.
  ChannelKinds kinds(types_.channels(), BlockKind::kPermeable);
  if (chunk != nullptr) {
    collectTypes(*chunk);
    for (std::size_t i = 0; i < kinds.size(); ++i)
      kinds[i] = commonKind(static_cast<ChannelId>(i));
  }
  return typeOf(std::move(kinds));
}

absl::StatusOr<Chunk> ChunkSummarizer::summarize(std::span<const FinerChunk> finer) {
  const absl::StatusOr<BlockTypeId> unknown = summaryOf(nullptr);
  if (!unknown.ok()) return unknown.status();
  std::array<BlockTypeId, kBlocksPerChunk> blocks{};
  blocks.fill(*unknown);
  for (const FinerChunk& each : finer) {
    if (each.block < 0 || each.block >= kBlocksPerChunk) {
      return absl::InvalidArgumentError(absl::StrCat("a finer chunk fills block ", each.block,
                                                     "; a chunk has blocks 0 to ",
                                                     kBlocksPerChunk - 1));
    }
    const absl::StatusOr<BlockTypeId> type = summaryOf(each.chunk);
    if (!type.ok()) return type.status();
    blocks[static_cast<std::size_t>(each.block)] = *type;
  }
  return Chunk::copied(Chunk::Ids(blocks), types_);
}

// Puts every type of the chunk into present_, once.
void ChunkSummarizer::collectTypes(const Chunk& chunk) {
  present_.clear();
  if (chunk.isUniform()) {
    present_.push_back(types_.orAir(chunk.block(0)));
    return;
  }
  ++stamp_;
  stamps_.resize(types_.size(), 0);
  for (int index = 0; index < kBlocksPerChunk; ++index) {
    const BlockTypeId type = types_.orAir(chunk.block(index));
    std::uint64_t& stamp = stamps_[BlockTypeTable::index(type)];
    if (stamp == stamp_) continue;
    stamp = stamp_;
    present_.push_back(type);
  }
}

// Returns the kind of all present types in one channel; permeable if they differ, and if one of
// them does not fill its cube.
BlockKind ChunkSummarizer::commonKind(ChannelId channel) const {
  const BlockKind first = types_.kind(present_.front(), channel);
  for (const BlockTypeId type : present_) {
    if (types_.kind(type, channel) != first) return BlockKind::kPermeable;
    if (types_.shape(type, channel) != kWholeCube) return BlockKind::kPermeable;
  }
  return first;
}

absl::StatusOr<BlockTypeId> ChunkSummarizer::typeOf(ChannelKinds kinds) {
  const auto known = coarse_types_.find(kinds);
  if (known != coarse_types_.end()) return known->second;
  absl::StatusOr<BlockTypeId> type = findOrAddBlockType(types_, coarseType(kinds, types_));
  if (type.ok()) coarse_types_.emplace(std::move(kinds), *type);
  return type;
}

absl::Status summarizeCoarserLevels(World& world) {
  ChunkSummarizer summarizer(world.blockTypes());
  for (int level = world.frame().levels() - 2; level >= 0; --level) {
    absl::Status status = summarizeInto(world, level, summarizer);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fractalray
