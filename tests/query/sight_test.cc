// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: named cases of what an eye sees.
#include "../../query/sight.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "sight_fixture.h"

namespace fractalray::sight_test {
namespace {

TEST_F(SightTest, AnOpenWayIsSeenWhole) {
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kVisible);
  ASSERT_TRUE(answer.witness.has_value());
  EXPECT_TRUE(answer.witness->unit);
  EXPECT_EQ(answer.stats.rays, 1U);
  EXPECT_EQ(answer.version, service_.version());
  EXPECT_EQ(exposure().from, 1);
  EXPECT_EQ(exposure().to, 1);
}

TEST_F(SightTest, AWallHidesWithACertificateOfOneBox) {
  wall(4);
  options_.report_certificate = true;
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kHidden);
  EXPECT_FALSE(answer.witness.has_value());
  ASSERT_EQ(answer.certificate.size(), 1U);
  EXPECT_EQ(answer.certificate[0].min[0], 4 * kW);
  EXPECT_TRUE(*hides(answer.certificate, query_));
  // It hides the box also from an eye that has moved a little, and not from one on the other side.
  SightQuery moved = query_;
  moved.eye[1] += 20;
  EXPECT_TRUE(*hides(answer.certificate, moved));
  moved.eye[0] = 6 * kW;
  EXPECT_FALSE(*hides(answer.certificate, moved));
  EXPECT_EQ(exposure().to, 0);
}

// The hole of the wall, block (4, 1, 1), shows the directions up to a slope of 1/2 to 7/2 blocks:
// of the box, 13/2 to 15/2 blocks from the eye, the points with y < x / 7.
TEST_F(SightTest, AHoleShowsAShare) {
  wall(4, 1, 1);
  const auto expect_share = [&](double share) {
    EXPECT_EQ(sight(), Sight::kVisible);
    const ExposureAnswer answer = exposure();
    EXPECT_LE(answer.from, share);
    EXPECT_GE(answer.to, share);
    EXPECT_LT(answer.to - answer.from, 0x1p-20);
  };
  query_.box = blockBox(8, 2, 1);  // y from 1/2 to 3/2, relative to the eye
  expect_share(1.0 / 2);
  query_.box = blockBox(8, 2, 2);  // and z
  expect_share(37.0 / 147);
  query_.box.max[0] = query_.box.min[0];  // its near face
  expect_share(9.0 / 49);
}

TEST_F(SightTest, AnEyeInTheClosedBoxSeesIt) {
  query_.box = blockBox(1, 1, 1);
  set({1, 1, 1});
  EXPECT_EQ(sight(), Sight::kVisible);
  query_.eye = query_.box.max;
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kVisible);
  EXPECT_EQ(answer.witness, SightWitness());
  EXPECT_EQ(exposure().from, 1);
}

TEST_F(SightTest, AnEyeInABlockSeesNothingUnlessItIsLeftOut) {
  set({1, 1, 1});
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.skip_start_inside = true;
  EXPECT_EQ(sight(), Sight::kVisible);
  set({1, 1, 1}, kAir);
  // The eye on the face between two blocks is in neither.
  query_.eye = {2 * kW, kW * 3 / 2, kW * 3 / 2};
  set({1, 1, 1});
  set({2, 1, 1});
  EXPECT_EQ(sight(), Sight::kHidden);
}

TEST_F(SightTest, AnEyeOnAFaceIsBlockedOnlyIntoTheBlock) {
  query_.eye = {2 * kW, kW * 3 / 2, kW * 3 / 2};
  set({1, 1, 1});  // the eye looks away from it
  EXPECT_EQ(sight(), Sight::kVisible);
  set({1, 1, 1}, kAir);
  set({2, 1, 1});  // before it
  EXPECT_EQ(sight(), Sight::kHidden);
  // On the edge of a floor that floor() names.
  set({2, 1, 1}, kAir);
  query_.eye = {2 * kW, kW, 2 * kW};
  set({2, 0, 2});
  set({2, 1, 2});
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, ABlockDoesNotHideItself) {
  set({8, 1, 1});
  EXPECT_EQ(sight(), Sight::kVisible);
  // Nor what of a box stands out of a wall.
  wall(9);
  query_.box.max[0] = 12 * kW;
  EXPECT_EQ(sight(), Sight::kVisible);
  wall(8);
  query_.box.min[0] = 9 * kW;
  EXPECT_EQ(sight(), Sight::kHidden);
}

//      y
//      ^  +---+---+
//      2  | # | B |     The ways from the eye E to the box B lead through the edge that the blocks
//         +---+---+     at # share: none of them has solid angle.
//      1  | E | # |
//         +---+---+ > x
TEST_F(SightTest, BlocksThatTouchAtAnEdgeHide) {
  query_.box = {.min = {9 * kW / 4, 9 * kW / 4, kW}, .max = {11 * kW / 4, 11 * kW / 4, 2 * kW}};
  for (std::int64_t z = 0; z < 16; ++z) {
    set({1, 2, z});
    set({2, 1, z});
  }
  EXPECT_EQ(sight(), Sight::kHidden);
  set({2, 1, 1}, kAir);
  EXPECT_EQ(sight(), Sight::kVisible);
}

//      y
//      ^      +---+---+     The eye E is a unit below and before the edges of the row of blocks
//      that 2  # # | # | B |     ends at the box B. The line to B's nearest corner touches the
//      blocks at
//         E   +---+---+     its faces, #, in that corner only, and all lines near it cross one.
//      1          | # |
//                 +---+ > x
TEST_F(SightTest, BlocksAtThreeFacesHideACorner) {
  query_ = {.eye = {3 * kW, 2 * kW - 1, kW - 1}, .box = blockBox(5, 2, 1)};
  set({4, 2, 1});
  set({5, 1, 1});
  set({5, 2, 0});
  set({5, 2, 1});
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_EQ(exposure().to, 0);
  // And the same for an edge, of two faces.
  query_.eye[2] = kW * 3 / 2;
  set({5, 2, 0}, kAir);
  EXPECT_EQ(sight(), Sight::kHidden);
  set({5, 1, 1}, kAir);
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, AFlatBoxIsHiddenFromItsPlane) {
  query_.box.max[0] = query_.box.min[0];
  EXPECT_EQ(sight(), Sight::kVisible);
  query_.box = {.min = {8 * kW, kW * 3 / 2, kW}, .max = {9 * kW, kW * 3 / 2, 2 * kW}};
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_EQ(exposure().to, 0);
}

// The door ends at the plane of the eye, and the box a unit beyond.
TEST_F(SightTest, ASliverOfOneUnitAtThePlaneOfTheEyeIsSeen) {
  options_.unloaded = UnloadedSpace::kTransparent;
  for (const bool is_above : {true, false}) {
    for (const std::int64_t width : {1, 0}) {
      query_ = {.eye = {0, 0, 0}, .box = {.min = {100, -width, -5}, .max = {200, 50, 5}}};
      FixedBox door{.min = {50, 0, -100}, .max = {60, 100, 100}};
      if (is_above) {
        query_.box = {.min = {100, -50, -5}, .max = {200, width, 5}};
        door = {.min = {50, -100, -100}, .max = {60, 0, 100}};
      }
      options_.occluders = {&door, 1};
      EXPECT_EQ(sight(), width > 0 ? Sight::kVisible : Sight::kHidden) << is_above;
    }
  }
}

// Past the block before the eye the box is seen; with the eye's own block that one would hide it.
TEST_F(SightTest, TheEyesOwnBlockDoesNotGrowAnother) {
  options_.filter.skip_start_inside = true;
  set({1, 1, 1});
  set({2, 1, 1});
  EXPECT_EQ(sight(), Sight::kHidden);
  query_.box.max[1] = 12 * kW;
  EXPECT_EQ(sight(), Sight::kVisible);
}

// Blocks are united to boxes across the borders of chunks, but not over a hole beyond one.
TEST_F(SightTest, AHoleInAWallOfFourChunksIsSeen) {
  for (const ChunkCoord& at : {ChunkCoord{0, 1, 0}, {0, 0, 1}, {0, 1, 1}})
    EXPECT_TRUE(world_.loadChunk(0, at, Chunk()).ok());
  EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 31, 31}, oracle::kStone).ok());
  query_ = {.eye = {5 * kW / 2, 153 * kW / 10, 156 * kW / 10},
            .box = {.min = {12 * kW, 10 * kW, 10 * kW}, .max = {13 * kW, 21 * kW, 21 * kW}}};
  EXPECT_EQ(sight(), Sight::kHidden);
  for (std::int64_t y = 13; y < 19; ++y) {
    for (std::int64_t z = 13; z < 19; ++z) {
      set({8, y, z}, kAir);
      EXPECT_EQ(sight(), Sight::kVisible) << y << " " << z;
      set({8, y, z});
    }
  }
  options_.report_certificate = true;
  int across = 0;
  for (const FixedBox& box : ask().certificate)
    across += box.min[1] < 16 * kW && box.max[1] > 16 * kW ? 1 : 0;
  EXPECT_GT(across, 0) << "boxes across a border";
}

}  // namespace
}  // namespace fractalray::sight_test
