// SPDX-License-Identifier: Apache-2.0
#include "../../store/internal/cached_chunks.h"

#include <memory>

#include "gtest/gtest.h"

#include "../oracle/allocations.h"

namespace fractalray {
namespace {

constexpr int kOutlineLevel = 2;

class CachedChunksTest : public ::testing::Test {
 protected:
  void loadOutline(const ChunkCoord& at, const ChunkCoord& witness) {
    ASSERT_TRUE(cached_.loadOutline(kOutlineLevel, at, Chunk(), witness).ok());
  }

  World world_{WorldOptions{.levels = kLuantiLevels}};
  CachedChunks cached_{world_};
};

TEST_F(CachedChunksTest, OutlinesHaveTheirWitnessUntilTheyAreForgottenOrReplaced) {
  const ChunkCoord at{1, 2, 3};
  const ChunkCoord witness{17, 33, 49};
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr);
  const auto expect_witness = [&] {
    loadOutline(at, witness);
    ASSERT_NE(cached_.witness(kOutlineLevel, at), nullptr);
    EXPECT_EQ(*cached_.witness(kOutlineLevel, at), witness);
    EXPECT_EQ(cached_.find(kOutlineLevel, at), Knowledge::kOutline);
  };
  expect_witness();
  ASSERT_TRUE(cached_.load(kOutlineLevel, at, Chunk()).ok());
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr) << "a whole chunk needs none";
  expect_witness();
  cached_.setAbsent(kOutlineLevel, at);
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr);
  expect_witness();
  EXPECT_TRUE(cached_.forget(kOutlineLevel, at));
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr);
  expect_witness();
  cached_.shrink(0);
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr);
  EXPECT_EQ(cached_.dropped(), 1U);
  expect_witness();
  cached_.forgetAll();
  EXPECT_EQ(cached_.witness(kOutlineLevel, at), nullptr);
  EXPECT_EQ(cached_.bytes(), 0U);
}

// To unload chunks takes memory while a snapshot shares them.
TEST_F(CachedChunksTest, WithoutMemoryNothingIsKnownThatIsNotLoaded) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "not with this sanitizer";
  constexpr int kCount = 40;
  std::shared_ptr<const World> snapshot;
  const auto load_all = [&] {
    for (int i = 0; i < kCount; ++i)
      loadOutline({i, 0, 0}, {16 * i, 0, 0});
    snapshot = world_.snapshot();
  };
  load_all();
  const std::size_t failures = oracle::failEachAllocation(
      [&] { cached_.forgetAll(); },
      [&](std::size_t n) {
        for (int i = 0; i < kCount; ++i) {
          const bool is_loaded = world_.chunk(kOutlineLevel, {i, 0, 0}) != nullptr;
          const Knowledge known = cached_.find(kOutlineLevel, {i, 0, 0});
          EXPECT_TRUE(is_loaded || known == Knowledge::kNone) << "chunk " << i << ", " << n;
        }
        load_all();
      });
  EXPECT_GT(failures, 1U);
  EXPECT_EQ(cached_.bytes(), 0U);
  for (int i = 0; i < kCount; ++i)
    EXPECT_EQ(world_.chunk(kOutlineLevel, {i, 0, 0}), nullptr) << i;
}

TEST_F(CachedChunksTest, WitnessesAndWhatOthersKeepAreCounted) {
  constexpr int kCount = 1000;
  for (int i = 0; i < kCount; ++i)
    ASSERT_TRUE(cached_.load(kOutlineLevel, {i, 0, 0}, Chunk()).ok());
  const std::size_t whole = cached_.bytes();
  for (int i = 0; i < kCount; ++i)
    loadOutline({i, 0, 0}, {16 * i, 0, 0});
  EXPECT_GE(cached_.bytes(), whole + kCount * 2 * sizeof(ChunkCoord));
  cached_.shrink(whole);
  EXPECT_LE(cached_.bytes(), whole);
  EXPECT_GT(cached_.dropped(), 0U);
  cached_.countOthers(whole);
  EXPECT_GT(cached_.bytes(), whole);
  cached_.shrink(whole);
  EXPECT_EQ(cached_.bytes(), whole) << "of the others alone";
  cached_.countOthers(0);
  EXPECT_EQ(cached_.bytes(), 0U);
}

}  // namespace
}  // namespace fractalray
