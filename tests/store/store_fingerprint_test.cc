// SPDX-License-Identifier: Apache-2.0
// A cache whose memory was damaged is found by fingerprints, and so is the chunk.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "gmock/gmock.h"

#include "../../levels/fingerprint.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using ::testing::ElementsAre;

constexpr ChunkBox kMapBox{{-2, -2, -2}, {2, 2, 2}};

// Returns the chunks of a box that differ between two worlds, found by halves.
std::vector<ChunkCoord> findDifferences(const World& a, const World& b, const ChunkBox& box) {
  if (*chunksFingerprint(a, 3, box) == *chunksFingerprint(b, 3, box)) return {};
  int axis = 0;
  for (int each = 1; each < 3; ++each) {
    if (box.max[each] - box.min[each] > box.max[axis] - box.min[axis]) axis = each;
  }
  if (box.min == box.max) return {box.min};
  ChunkBox low = box;
  ChunkBox high = box;
  low.max[axis] = box.min[axis] + (box.max[axis] - box.min[axis]) / 2;
  high.min[axis] = low.max[axis] + 1;
  std::vector<ChunkCoord> found = findDifferences(a, b, low);
  for (const ChunkCoord& each : findDifferences(a, b, high))
    found.push_back(each);
  return found;
}

// Flips a bit of a random block of a world; returns its chunk, nullopt if the block is not loaded
// or if there is no type of the other number.
std::optional<ChunkCoord> flipBit(World& world, oracle::Rng& rng) {
  ChunkCoord at;
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = rng.in(kMapBox.min[axis], kMapBox.max[axis]);
  const BlockCoord block = blockOf(at, rng.below(kBlocksPerChunk));
  const absl::StatusOr<BlockTypeId> type = world.block(3, block);
  if (!type.ok()) return std::nullopt;
  const auto flipped = static_cast<BlockTypeId>(static_cast<unsigned>(*type) ^
                                                (1U << static_cast<unsigned>(rng.below(3))));
  if (!world.blockTypes().contains(flipped)) return std::nullopt;
  if (!world.setBlock(3, block, flipped).ok()) return std::nullopt;
  return at;
}

TEST_F(StoreTest, AFlippedBitInACachedChunkIsFound) {
  init();
  oracle::Rng rng("flipped bits");
  MapModel map;
  map.fill(rng, kMapBox, writer_.get());
  map.put({0, 0, 0}, mapblockOf("default:glass"), writer_.get());
  const std::uint64_t stored = init().fingerprint;
  CachedWorldOptions listed = options();
  listed.listed_types = true;
  const auto sound = open(listed);
  ASSERT_TRUE(sound->load(3, kMapBox).ok());
  EXPECT_EQ(*chunksFingerprint(sound->world(), 3, kMapBox), stored);
  int flips = 0;
  for (int round = 0; round < 200; ++round) {
    const auto damaged = open(listed);
    ASSERT_TRUE(damaged->load(3, kMapBox).ok());
    // NOLINTNEXTLINE: as a fault of the memory does
    auto& world = const_cast<World&>(damaged->world());
    const std::optional<ChunkCoord> at = flipBit(world, rng);
    if (!at.has_value()) continue;
    ++flips;
    EXPECT_NE(*chunksFingerprint(damaged->world(), 3, kMapBox), stored);
    EXPECT_THAT(findDifferences(sound->world(), damaged->world(), kMapBox), ElementsAre(*at));
  }
  EXPECT_GT(flips, 20);
}

}  // namespace
}  // namespace fractalray::store_fixture
