// SPDX-License-Identifier: Apache-2.0
#include "world_fingerprint.h"

#include <vector>

#include "../../core/internal/stable_hash.h"
#include "../../levels/internal/look_hash.h"

namespace fractalray {
namespace {

using internal::lookHash;
using internal::StableHash;

// Hashes a type by its name, its kinds and its shapes. A channel in which a type is as in the
// default one counts as little as one that the table lacks; sums do not depend on the channels'
// order.
std::uint64_t typeHash(const BlockTypeTable& types, BlockTypeId type) {
  const std::uint64_t look = lookHash(types, type, kDefaultChannel);
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < types.channels(); ++i) {
    const ChannelId channel{static_cast<std::uint16_t>(i)};
    if (lookHash(types, type, channel) == look) continue;
    StableHash hash;
    hash.add(types.channelName(channel));
    hash.add(lookHash(types, type, channel));
    others += hash.value();
  }
  StableHash hash;
  hash.add(types.name(type));
  hash.add(look);
  hash.add(others);
  return hash.value();
}

// Hashes runs of blocks of one type; a uniform chunk without ids is one run.
void addBlocks(StableHash& hash, const Chunk& chunk,
               const std::vector<std::uint64_t>& type_hashes) {
  const auto add_run = [&](BlockTypeId type, int count) {
    // An id that the engine has written without a refresh is air to every query.
    const std::size_t index = BlockTypeTable::index(type);
    hash.add(type_hashes[index < type_hashes.size() ? index : 0]);
    hash.add(static_cast<std::uint64_t>(count));
  };
  BlockTypeId type = chunk.block(0);
  int begin = 0;
  if (!chunk.isUniform()) {
    for (int i = 1; i < kBlocksPerChunk; ++i) {
      if (chunk.block(i) == type) continue;
      add_run(type, i - begin);
      type = chunk.block(i);
      begin = i;
    }
  }
  add_run(type, kBlocksPerChunk - begin);
}

}  // namespace

std::uint64_t worldFingerprint(const World& world) {
  const BlockTypeTable& types = world.blockTypes();
  std::vector<std::uint64_t> type_hashes;
  for (std::size_t i = 0; i < types.size(); ++i)
    type_hashes.push_back(typeHash(types, BlockTypeId(static_cast<std::uint16_t>(i))));
  StableHash hash;
  hash.add(std::int64_t{world.frame().levels()});
  for (int level = 0; level < world.frame().levels(); ++level) {
    hash.add(std::uint64_t{world.loadedChunks(level)});
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      hash.add(at);
      addBlocks(hash, chunk, type_hashes);
    });
  }
  return hash.value();
}

std::uint64_t entitiesFingerprint(const EntityIndex& entities) {
  // A sum, since the order of slots depends on the history.
  std::uint64_t sum = 0;
  for (const EntityHandle handle : entities.all()) {
    const Entity& entity = *entities.find(handle);
    StableHash hash;
    hash.add(entity.id);
    hash.add(std::int64_t{entity.level});
    hash.add(static_cast<std::uint64_t>(entity.entity_class));
    hash.add(entity.categories);
    hash.add(static_cast<std::uint64_t>(entity.shape.kind));
    hash.add(entity.shape.half_extents);
    hash.add(entity.position);
    sum += hash.value();
  }
  return sum;
}

}  // namespace fractalray
