// SPDX-License-Identifier: Apache-2.0
#include "level_summary.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "internal/block_type_merge.h"

namespace fractalray {
namespace {

// A kind for each channel of the table.
using ChannelKinds = std::vector<BlockKind>;

// Returns the word for a coarse kind. Permeable describes nothing inside, "mixed" does.
std::string_view coarseWord(BlockKind kind) {
  return kind == BlockKind::kPermeable ? "mixed" : blockKindName(kind);
}

// Determines the kinds that fill a chunk, and keeps the block types for them.
class Summarizer {
 public:
  explicit Summarizer(BlockTypeTable& types) : types_(types), stamps_(types.size(), 0) {}

  // Returns the coarse type for the space of a loaded chunk.
  absl::StatusOr<BlockTypeId> typeOf(const Chunk& chunk) {
    collectTypes(chunk);
    ChannelKinds kinds(types_.channels());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      kinds[i] = commonKind(static_cast<ChannelId>(i));
    }
    return typeOf(std::move(kinds));
  }

  // Returns the coarse type for space of which nothing, or not all, is known.
  absl::StatusOr<BlockTypeId> unknownType() {
    return typeOf(ChannelKinds(types_.channels(), BlockKind::kPermeable));
  }

 private:
  // Puts every type of the chunk into present_, once.
  void collectTypes(const Chunk& chunk) {
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
  BlockKind commonKind(ChannelId channel) const {
    const BlockKind first = types_.kind(present_.front(), channel);
    for (const BlockTypeId type : present_) {
      if (types_.kind(type, channel) != first) return BlockKind::kPermeable;
      if (types_.shape(type, channel) != kWholeCube) return BlockKind::kPermeable;
    }
    return first;
  }

  absl::StatusOr<BlockTypeId> typeOf(ChannelKinds kinds) {
    const auto known = coarse_types_.find(kinds);
    if (known != coarse_types_.end()) return known->second;
    BlockTypeSpec spec{.name = absl::StrCat("coarse:", std::string(coarseWord(kinds.front()))),
                       .kind = kinds.front(),
                       .channel_kinds = {}};
    for (std::size_t i = 1; i < kinds.size(); ++i) {
      if (kinds[i] == spec.kind) continue;
      const auto channel = static_cast<ChannelId>(i);
      absl::StrAppend(&spec.name, ",", types_.channelName(channel), "=",
                      std::string(coarseWord(kinds[i])));
      spec.channel_kinds.emplace_back(channel, kinds[i]);
    }
    absl::StatusOr<BlockTypeId> type = findOrAddBlockType(types_, std::move(spec));
    if (type.ok()) coarse_types_.emplace(std::move(kinds), *type);
    return type;
  }

  BlockTypeTable& types_;
  std::map<ChannelKinds, BlockTypeId> coarse_types_;
  std::vector<BlockTypeId> present_;
  // The last chunk, by number, in which each type has been seen.
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
};

// Makes a level out of the next finer one.
absl::Status summarizeInto(World& world, int level, Summarizer& summarizer) {
  const absl::StatusOr<BlockTypeId> unknown = summarizer.unknownType();
  if (!unknown.ok()) return unknown.status();
  std::unordered_map<ChunkCoord, std::vector<BlockTypeId>, CellHash> chunks;
  absl::Status status;
  world.forEachLoaded(level + 1, [&](const ChunkCoord& at, const Chunk& chunk) {
    const absl::StatusOr<BlockTypeId> type = summarizer.typeOf(chunk);
    status.Update(type.status());
    if (!type.ok()) return;
    const BlockCoord block = parentBlock(at);
    std::vector<BlockTypeId>& blocks = chunks[chunkOf(block)];
    if (blocks.empty()) blocks.assign(kBlocksPerChunk, *unknown);
    blocks[static_cast<std::size_t>(indexInChunk(block))] = *type;
  });
  for (const auto& [at, blocks] : chunks) {
    if (!status.ok()) break;
    absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(blocks), world.blockTypes());
    status.Update(chunk.status());
    if (chunk.ok()) status.Update(world.loadChunk(level, at, *std::move(chunk)));
  }
  return status;
}

}  // namespace

absl::Status summarizeCoarserLevels(World& world) {
  Summarizer summarizer(world.blockTypes());
  for (int level = world.frame().levels() - 2; level >= 0; --level) {
    absl::Status status = summarizeInto(world, level, summarizer);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace fractalray
