// SPDX-License-Identifier: Apache-2.0
#include "../../core/frame_move.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "../../core/units.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(FrameMoveTest, LevelsAreRenumbered) {
  const Frame frame(3);
  EXPECT_EQ(FrameMove::descend(frame, {1, 2, 3}).levelAfter(0), -1);
  EXPECT_EQ(FrameMove::climb(frame, {1, 2, 3}).levelAfter(2), 3);
  EXPECT_EQ(FrameMove::recenter(frame, {1, 2, 3}).levelAfter(1), 1);
}

TEST(FrameMoveTest, AMoveKnowsItsArgument) {
  const Frame frame(3);
  EXPECT_EQ(FrameMove::descend(frame, {1, -2, 3}).chunk(), (ChunkCoord{1, -2, 3}));
  EXPECT_EQ(FrameMove::climb(frame, {1, 2, 15}).chunk(), (ChunkCoord{1, 2, 15}));
  const ChunkCoord far{kLeast, kMost, 0};
  EXPECT_EQ(FrameMove::recenter(frame, far).chunk(), far) << "also of a move out of the frame";
}

TEST(FrameMoveTest, ChunksMoveByTheFormulasOfTheContract) {
  const Frame frame(3);
  const FrameMove descend = FrameMove::descend(frame, {1, -2, 3});
  EXPECT_EQ(descend.chunkAfter(0, {0, 0, 0}), std::nullopt) << "its level is dropped";
  EXPECT_EQ(descend.chunkAfter(1, {1, -2, 3}), (ChunkCoord{0, 0, 0}));
  EXPECT_EQ(descend.chunkAfter(2, {16, -32, 49}), (ChunkCoord{0, 0, 1}));
  const FrameMove climb = FrameMove::climb(frame, {15, 0, 7});
  EXPECT_EQ(climb.chunkAfter(0, {0, 1, -1}), (ChunkCoord{15, 1, 6}));
  EXPECT_EQ(climb.chunkAfter(1, {3, 4, 5}), (ChunkCoord{243, 4, 117}));
  EXPECT_EQ(climb.chunkAfter(2, {0, 0, 0}), std::nullopt);
  const FrameMove recenter = FrameMove::recenter(frame, {1, -2, 3});
  EXPECT_EQ(recenter.chunkAfter(0, {1, 1, 1}), (ChunkCoord{0, 3, -2}));
  EXPECT_EQ(recenter.chunkAfter(2, {0, 0, 0}), (ChunkCoord{-256, 512, -768}));
}

TEST(FrameMoveTest, BlocksMoveWithTheirChunks) {
  const FrameMove descend = FrameMove::descend(Frame(2), {5, 5, 5});
  EXPECT_EQ(descend.blockAfter(1, {5 * 16 + 3, 5 * 16, 6 * 16}), (BlockCoord{3, 0, 16}));
  EXPECT_EQ(descend.blockAfter(0, {3, 0, 0}), std::nullopt);
}

TEST(FrameMoveTest, AllButOneLevelMovesByWholeAreas) {
  const Frame frame(10);
  const ChunkCoord chunk{3, 5, 7};
  for (int level = 0; level < 10; ++level) {
    const auto is_whole = [&](const FrameMove& move) {
      const std::optional<Vec3i> offset = move.chunkOffset(level);
      return !offset.has_value() || (((*offset)[0] | (*offset)[1] | (*offset)[2]) & 15) == 0;
    };
    EXPECT_EQ(is_whole(FrameMove::descend(frame, chunk)), level != 1) << level;
    EXPECT_EQ(is_whole(FrameMove::climb(frame, chunk)), level != 0) << level;
    EXPECT_EQ(is_whole(FrameMove::recenter(frame, chunk)), level != 0) << level;
  }
}

TEST(FrameMoveTest, PointsAndSizesOfADescentAreSixteenTimesAsLarge) {
  const Frame frame(2);
  const std::int64_t width = frame.chunkWidth(1);
  const FrameMove move = FrameMove::descend(frame, {2, 0, -1});
  EXPECT_EQ(move.pointAfter({2 * width + 1, -3, 0}), (Vec3i{16, -48, 16 * width}));
  EXPECT_EQ(move.sizeAfter(7), 112);
}

TEST(FrameMoveTest, AClimbRoundsToTheNearestUnitHalvesUpwards) {
  const FrameMove move = FrameMove::climb(Frame(2), {0, 0, 0});
  EXPECT_EQ(move.pointAfter({7, 8, 23}), (Vec3i{0, 1, 1}));
  EXPECT_EQ(move.pointAfter({-8, -9, -24}), (Vec3i{0, -1, -1}));
  EXPECT_EQ(move.sizeAfter(7), 0);
  EXPECT_EQ(move.sizeAfter(8), 1);
  EXPECT_EQ(move.sizeAfter(24), 2);
}

TEST(FrameMoveTest, ADescentToWhereAClimbWasRestores) {
  Rng rng("FrameMoveTest.Restores");
  for (int i = 0; i < 5000; ++i) {
    const Frame frame(static_cast<int>(rng.in(1, 10)));
    const ChunkCoord step{rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)};
    const FrameMove climb = FrameMove::climb(frame, step);
    const FrameMove descend = FrameMove::descend(frame, step);
    const std::int64_t reach = std::int64_t{1} << rng.in(0, 61);
    const Vec3i point{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
    const std::optional<Vec3i> above = climb.pointAfter(point);
    ASSERT_TRUE(above.has_value());
    const std::optional<Vec3i> back = descend.pointAfter(*above);
    ASSERT_TRUE(back.has_value());
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_LE((*back)[axis] - point[axis], 8);
      ASSERT_GE((*back)[axis] - point[axis], -7);
    }
    for (int level = 0; level + 1 < frame.levels(); ++level) {
      const ChunkCoord chunk{rng.in(-30, 30), rng.in(-30, 30), rng.in(-30, 30)};
      const std::optional<ChunkCoord> finer = climb.chunkAfter(level, chunk);
      ASSERT_TRUE(finer.has_value());
      ASSERT_EQ(descend.chunkAfter(level + 1, *finer), chunk);
    }
  }
}

TEST(FrameMoveTest, WhatLeavesTheFrameIsNothing) {
  for (const int levels : {1, 2, 10}) {
    const Frame frame(levels);
    const std::int64_t limit = kMaxCoordinate >> frame.chunkShift(0);
    const FrameMove recenter = FrameMove::recenter(frame, {1, 0, 0});
    EXPECT_EQ(recenter.chunkAfter(0, {-limit, 0, 0}), std::nullopt);
    EXPECT_EQ(recenter.chunkAfter(0, {1 - limit, 0, 0}), (ChunkCoord{-limit, 0, 0}));
    EXPECT_EQ(recenter.pointAfter({-kMaxCoordinate, 0, 0}), std::nullopt);
    EXPECT_EQ(recenter.pointAfter({frame.chunkWidth(0) - kMaxCoordinate, 0, 0}),
              (Vec3i{-kMaxCoordinate, 0, 0}));
    const FrameMove across = FrameMove::recenter(frame, {2 * limit, 0, 0});
    EXPECT_EQ(across.pointAfter({kMaxCoordinate, 0, 0}), (Vec3i{-kMaxCoordinate, 0, 0}));
    EXPECT_EQ(across.pointAfter({kMaxCoordinate - 1, 0, 0}), std::nullopt);
    const FrameMove descend = FrameMove::descend(frame, {0, 0, 0});
    EXPECT_EQ(descend.pointAfter({kMaxCoordinate / 16, 0, 0}), (Vec3i{kMaxCoordinate, 0, 0}));
    EXPECT_EQ(descend.pointAfter({kMaxCoordinate / 16 + 1, 0, 0}), std::nullopt);
  }
}

TEST(FrameMoveTest, ChunksFarOutsideOfTheFrameDoNotOverflow) {
  for (const int levels : {1, 2, 10}) {
    const Frame frame(levels);
    const std::int64_t limit = kMaxCoordinate >> frame.chunkShift(0);
    for (const std::int64_t far :
         {kLeast, kMost, kLeast / 2, kMost / 16, 33 * limit, -33 * limit, 17 * limit + 1}) {
      const Vec3i end{kMaxCoordinate, kMaxCoordinate, -kMaxCoordinate};
      for (const FrameMove& move :
           {FrameMove::recenter(frame, {0, far, 0}), FrameMove::descend(frame, {0, far, 0})}) {
        EXPECT_EQ(move.pointAfter({0, 0, 0}), std::nullopt);
        EXPECT_EQ(move.pointAfter(end), std::nullopt);
        for (int level = 0; level < levels; ++level) {
          EXPECT_EQ(move.chunkAfter(level, {0, 0, 0}), std::nullopt);
        }
      }
    }
  }
}

}  // namespace
}  // namespace fractalray
