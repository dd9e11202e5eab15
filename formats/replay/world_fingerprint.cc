// SPDX-License-Identifier: Apache-2.0
#include "world_fingerprint.h"

#include <string_view>
#include <vector>

#include "logged_answer.h"

namespace fractalray {
namespace {

// A hash of numbers in their order: multiply and shift, as in SplitMix64.
class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) + 0x9e3779b97f4a7c15U;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9U;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebU;
    state_ ^= state_ >> 31;
  }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::string_view text) { add(answerHash(text)); }
  template <class Tag>
  void add(const Vec<std::int64_t, 3, Tag>& vector) {
    for (const std::int64_t component : vector.values)
      add(component);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

// Returns a kind, or a hash of a kind and the boxes of a shape.
std::uint64_t lookHash(const BlockTypeTable& types, BlockTypeId type, ChannelId channel) {
  const auto kind = static_cast<std::uint64_t>(types.kind(type, channel));
  const ShapeId shape = types.shape(type, channel);
  if (shape == kWholeCube) return kind;
  Hash hash;
  hash.add(kind);
  for (const ShapeBox& box : types.boxes(shape)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      hash.add(std::uint64_t{box.min[axis]});
      hash.add(std::uint64_t{box.max[axis]});
    }
  }
  return hash.value();
}

// Hashes a type by its name, its kinds and its shapes. A channel in which a type is as in the
// default one counts as little as one that the table lacks; sums do not depend on the channels'
// order.
std::uint64_t typeHash(const BlockTypeTable& types, BlockTypeId type) {
  const std::uint64_t look = lookHash(types, type, kDefaultChannel);
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < types.channels(); ++i) {
    const ChannelId channel{static_cast<std::uint16_t>(i)};
    if (lookHash(types, type, channel) == look) continue;
    Hash hash;
    hash.add(types.channelName(channel));
    hash.add(lookHash(types, type, channel));
    others += hash.value();
  }
  Hash hash;
  hash.add(types.name(type));
  hash.add(look);
  hash.add(others);
  return hash.value();
}

// Hashes runs of blocks of one type; a uniform chunk without ids is one run.
void addBlocks(Hash& hash, const Chunk& chunk, const std::vector<std::uint64_t>& type_hashes) {
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
  Hash hash;
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
    Hash hash;
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
