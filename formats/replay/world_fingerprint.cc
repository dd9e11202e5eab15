// SPDX-License-Identifier: Apache-2.0
#include "world_fingerprint.h"

#include <vector>

#include "../../core/internal/stable_hash.h"
#include "../../levels/internal/chunk_hash.h"
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
      internal::addBlocks(hash, chunk, types, [&](BlockTypeId type) {
        return type_hashes[BlockTypeTable::index(type)];
      });
    });
  }
  return hash.value();
}

}  // namespace fractalray
