// SPDX-License-Identifier: Apache-2.0
#include "../../../core/tree64.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

namespace fractalray::internal {
namespace {

TEST(Tree64Test, SlotsCountXThenYThenZ) {
  EXPECT_EQ(slotInRegion({0, 0, 0}), 0);
  EXPECT_EQ(slotInRegion({1, 2, 3}), 1 + 4 * 2 + 16 * 3);
  EXPECT_EQ(slotInRegion({4, 5, 6}), 4 * 1 + 16 * 2);
  EXPECT_EQ(slotInRegion({-1, -1, -1}), 63);
  EXPECT_EQ(slotInArea({3, 3, 3}), 0);
  EXPECT_EQ(slotInArea({4, 8, 12}), 1 + 4 * 2 + 16 * 3);
  EXPECT_EQ(slotInArea({-1, -1, -1}), 63);
  EXPECT_EQ(slotInArea({16, 17, 18}), 0);
  EXPECT_EQ(areaOf({15, 16, -1}), (Vec3i{0, 1, -1}));
  EXPECT_EQ(areaOf({-16, -17, 31}), (Vec3i{-1, -2, 1}));
}

TEST(Tree64Test, SlotsGiveTheChunkBack) {
  std::set<ChunkCoord> chunks;
  for (std::int64_t x = -20; x < 20; ++x) {
    for (std::int64_t y = -20; y < 20; ++y) {
      for (const std::int64_t z : {-17, -16, -1, 0, 5, 15, 16}) {
        const ChunkCoord chunk{x, y, z};
        ASSERT_EQ(chunkAt(areaOf(chunk), slotInArea(chunk), slotInRegion(chunk)), chunk);
      }
    }
  }
  for (int area_slot = 0; area_slot < 64; ++area_slot) {
    for (int slot = 0; slot < 64; ++slot) {
      const ChunkCoord chunk = chunkAt({-1, 0, 7}, area_slot, slot);
      EXPECT_EQ(areaOf(chunk), (Vec3i{-1, 0, 7}));
      EXPECT_EQ(slotInArea(chunk), area_slot);
      EXPECT_EQ(slotInRegion(chunk), slot);
      chunks.insert(chunk);
    }
  }
  EXPECT_EQ(chunks.size(), 4096U);
}

TEST(Tree64Test, SlotsAndOffsetsAreInverse) {
  for (int slot = 0; slot < 64; ++slot) {
    EXPECT_EQ(slotOf(offsetOf(slot)), slot);
    EXPECT_EQ(slotOf(offsetOf(slot) + Vec3i{-4, 400, -40}), slot)
        << "by the cell in its cube alone";
  }
}

TEST(Tree64Test, CubesAreAlignedBelowZeroToo) {
  EXPECT_EQ(shiftedDown(Vec3i{-1, -16, 17}, 4), (Vec3i{-1, -1, 1}));
  EXPECT_EQ(shiftedUp(Vec3i{-1, 0, 3}, 4), (Vec3i{-16, 0, 48}));
}

TEST(Tree64Test, WordsAreVisitedSlotBySlot) {
  std::uint64_t word = 0;
  for (const int slot : {63, 0, 17}) {
    EXPECT_FALSE(hasBit(word, slot));
    setBit(word, slot, true);
    EXPECT_TRUE(hasBit(word, slot));
  }
  EXPECT_EQ(word, bitOf(0) | bitOf(17) | bitOf(63));
  EXPECT_EQ(firstSlotOf(word & ~bitOf(0)), 17);
  std::vector<int> visited;
  forEachSlot(word, [&](int slot) { visited.push_back(slot); });
  EXPECT_EQ(visited, (std::vector<int>{0, 17, 63}));
  visited.clear();
  for (const int slot : Slots(word)) {
    if (slot == 63) break;
    visited.push_back(slot);
  }
  for (const int slot : Slots(std::uint32_t{0x80000001}))
    visited.push_back(slot);
  for (const int slot : Slots(std::uint64_t{0}))
    visited.push_back(slot);
  EXPECT_EQ(visited, (std::vector<int>{0, 17, 0, 31}));
  setBit(word, 17, false);
  EXPECT_EQ(word, bitOf(0) | bitOf(63));
}

}  // namespace
}  // namespace fractalray::internal
