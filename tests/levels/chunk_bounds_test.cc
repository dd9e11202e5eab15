// SPDX-License-Identifier: Apache-2.0
#include "../../levels/internal/chunk_bounds.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <tuple>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Bounds, and a set of the same chunks.
class ChunkBoundsTest : public testing::Test {
 protected:
  using Chunk = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  static ChunkCoord coord(const Chunk& chunk) {
    return {std::get<0>(chunk), std::get<1>(chunk), std::get<2>(chunk)};
  }
  void flip(const Chunk& chunk) {
    if (chunks_.erase(chunk) > 0) {
      bounds_.erase(coord(chunk));
    } else {
      bounds_.insert(coord(chunk), bounds_.reserve(coord(chunk)));
      chunks_.insert(chunk);
    }
  }
  void shift(const Vec3i& offset) {
    bounds_.shift(offset);
    std::set<Chunk> shifted;
    for (const auto& [x, y, z] : chunks_)
      shifted.emplace(x + offset[0], y + offset[1], z + offset[2]);
    chunks_.swap(shifted);
  }
  void expectExact() const {
    ASSERT_EQ(bounds_.chunks(), chunks_.size());
    ASSERT_EQ(bounds_.empty(), chunks_.empty());
    std::uint64_t volume = chunks_.empty() ? 0 : 1;
    for (int axis = 0; axis < 3 && !chunks_.empty(); ++axis) {
      std::set<std::int64_t> slices;
      for (const Chunk& chunk : chunks_)
        slices.insert(coord(chunk)[axis]);
      ASSERT_EQ(bounds_.min()[axis], *slices.begin());
      ASSERT_EQ(bounds_.max()[axis], *slices.rbegin());
      volume *= static_cast<std::uint64_t>(*slices.rbegin() - *slices.begin() + 1);
    }
    ASSERT_EQ(bounds_.isFull(), volume > 0 && volume == chunks_.size());
  }

  ChunkBounds bounds_;
  std::set<Chunk> chunks_;
};

TEST_F(ChunkBoundsTest, StayExactWhateverComesAndGoes) {
  Rng rng("ChunkBoundsTest");
  int full = 0;
  int gaps = 0;
  for (int step = 0; step < 5000; ++step) {
    // Small boxes are full often.
    const auto index = [&] { return rng.in(0, 1 + step / 2000); };
    flip({index(), index(), index()});
    ASSERT_NO_FATAL_FAILURE(expectExact()) << step;
    ++(bounds_.isFull() ? full : gaps);
    if (rng.oneIn(20)) {
      const Vec3i offset{rng.in(-9, 9), rng.in(-9, 9), rng.in(-9, 9)};
      shift(offset);
      ASSERT_NO_FATAL_FAILURE(expectExact()) << step;
      shift(offset * -1);
    }
  }
  EXPECT_GT(full, 100);
  EXPECT_GT(gaps, 100);
}

TEST_F(ChunkBoundsTest, AFullBoxWithAChunkFarAwayHasGaps) {
  for (const std::int64_t x : {0, 1, 2})
    flip({x, 5, -7});
  EXPECT_TRUE(bounds_.isFull());
  const std::int64_t far = std::int64_t{1} << 40;
  flip({far, far, far});
  EXPECT_FALSE(bounds_.isFull());
  flip({far, far, far});
  EXPECT_TRUE(bounds_.isFull());
  flip({1, 5, -7});
  EXPECT_FALSE(bounds_.isFull());
}

TEST_F(ChunkBoundsTest, MillionsOfFarShiftsStayExact) {
  // A window of ten levels that moves by 64 chunks of level 0, again and again: on level 9 what
  // leaves it is far away, and other chunks come in.
  const Vec3i far{std::int64_t{1} << 42, -(std::int64_t{1} << 42), 0};
  const ChunkCoord at{5, -6, 7};
  const ChunkCoord left{at[0] + far[0], at[1] + far[1], at[2]};
  bounds_.insert(at, bounds_.reserve(at));
  for (int i = 0; i < 1 << 22; ++i) {
    bounds_.shift(far);
    bounds_.insert(at, bounds_.reserve(at));
    bounds_.erase(left);
    ASSERT_EQ(bounds_.min(), at) << i;
    ASSERT_EQ(bounds_.max(), at) << i;
  }
}

}  // namespace
}  // namespace fractalray::internal
