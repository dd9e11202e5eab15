// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: named cases.
#include "../../query/sight.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray::sight_test {
namespace {

constexpr std::int64_t kW = kUnitsPerBlock;

// A world of one level with one chunk of air, an eye in the middle of block (1, 1, 1), and the
// block (8, 1, 1) as the box.
class SightTest : public testing::Test {
 protected:
  SightTest() { EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok()); }

  static FixedBox blockBox(std::int64_t x, std::int64_t y, std::int64_t z) {
    return {.min = {x * kW, y * kW, z * kW}, .max = {(x + 1) * kW, (y + 1) * kW, (z + 1) * kW}};
  }
  void set(const BlockCoord& at, BlockTypeId type = oracle::kStone) {
    EXPECT_TRUE(world_.setBlock(0, at, type).ok());
  }
  // Sets the blocks of a wall between eye and box that fills the chunk, but for a hole.
  void wall(std::int64_t x, std::int64_t hole_y = -1, std::int64_t hole_z = -1) {
    EXPECT_TRUE(world_.fillBox(0, {x, 0, 0}, {x, 15, 15}, oracle::kStone).ok());
    if (hole_y >= 0) set({x, hole_y, hole_z}, kAir);
  }
  SightAnswer ask() const {
    const absl::StatusOr<SightAnswer> answer = service_.visible(query_, levels_, options_);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : SightAnswer();
  }
  Sight sight() const { return ask().sight; }
  ExposureAnswer exposure() const {
    const absl::StatusOr<ExposureAnswer> answer = service_.exposure(query_, levels_, options_);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : ExposureAnswer();
  }
  absl::Status error() const { return service_.visible(query_, levels_, options_).status(); }

  World world_{{.block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  SightQuery query_{.eye = {kW * 3 / 2, kW * 3 / 2, kW * 3 / 2}, .box = blockBox(8, 1, 1)};
  LevelMask levels_ = LevelMask::all();
  SightOptions options_;
};

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

TEST_F(SightTest, KindsAreThoseOfTheChannelAndPermeableBlocksDoNotOcclude) {
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, oracle::kGlass).ok());
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.channel = oracle::kVisible;
  EXPECT_EQ(sight(), Sight::kVisible);
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, oracle::kWater).ok());
  options_.filter.channel = kDefaultChannel;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, TheFilterDecidesWhichBlocksOcclude) {
  wall(4);
  options_.filter.blocks = false;
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.blocks = true;
  options_.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] != 1; };
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] < 16; };
  EXPECT_EQ(sight(), Sight::kHidden);
}

TEST_F(SightTest, BoxEntitiesOccludeOnRequestAndSpheresNever) {
  const auto add = [&](EntityId id, const Shape& shape) {
    EXPECT_TRUE(entities_.add({.id = id, .shape = shape, .position = {4.5, 1.5, 1.5}}).ok());
  };
  add(1, Box{{0.5, 4, 4}});
  add(2, Sphere{4});
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.boxes_block = true;
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.filter.ignore = {1};
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.filter.ignore = {};
  options_.filter.categories = 2;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, ThroughCountsABlockOnceHoweverManyBoxesItHas) {
  const std::array<ShapeBox, 2> slats = {ShapeBox{{0, 0, 0}, {1000, 65536, 65536}},
                                         ShapeBox{{30000, 0, 0}, {40000, 65536, 65536}}};
  const ShapeId shape = *world_.blockTypes().addShape(slats);
  const BlockTypeId type =
      *world_.blockTypes().add({.name = "slats", .kind = BlockKind::kSolid, .shape = shape});
  EXPECT_TRUE(world_.fillBox(0, {4, 0, 0}, {4, 15, 15}, type).ok());
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.through = 1;
  EXPECT_EQ(sight(), Sight::kVisible);
  wall(5);
  EXPECT_EQ(sight(), Sight::kHidden);
  options_.through = 2;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, UnloadedSpaceIsReportedOrAirOrSolid) {
  query_.box = blockBox(20, 1, 1);
  EXPECT_EQ(sight(), Sight::kUnknown);
  EXPECT_EQ(exposure().from, 0);
  EXPECT_EQ(exposure().to, 1);
  options_.unloaded = UnloadedSpace::kTransparent;
  EXPECT_EQ(sight(), Sight::kVisible);
  options_.unloaded = UnloadedSpace::kOpaque;
  options_.report_certificate = true;
  const SightAnswer answer = ask();
  EXPECT_EQ(answer.sight, Sight::kHidden);
  EXPECT_FALSE(answer.certificate.empty());
  options_.unloaded = UnloadedSpace::kReport;
  wall(4);
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_EQ(world_.loadedChunks(0), 1U) << "a query has loaded a chunk";
}

TEST_F(SightTest, OccludersOfTheOptionsAreSolid) {
  const std::vector<FixedBox> door = {{.min = {3 * kW, 0, 0}, .max = {3 * kW + 1, 9 * kW, 9 * kW}}};
  options_.occluders = door;
  EXPECT_EQ(sight(), Sight::kHidden);
  const std::vector<FixedBox> flat = {{.min = {3 * kW, 0, 0}, .max = {3 * kW, 9 * kW, 9 * kW}}};
  options_.occluders = flat;
  EXPECT_EQ(sight(), Sight::kVisible);
}

TEST_F(SightTest, ErrorsNameTheValueAndChangeNothing) {
  const SightQuery right = query_;
  query_.box.max = query_.box.min;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  query_ = right;
  query_.box.max[2] = query_.box.min[2];
  EXPECT_TRUE(error().ok());
  query_.box.max[1] = query_.box.min[1];
  EXPECT_NE(error().message().find("yz"), std::string::npos) << error();
  query_ = right;
  std::swap(query_.box.min[0], query_.box.max[0]);
  EXPECT_NE(error().message().find("min.x"), std::string::npos) << error();
  query_.eye[2] = kMaxCoordinate + 1;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument) << "wins over OUT_OF_RANGE";
  query_ = right;
  query_.eye[2] = kMaxCoordinate + 1;
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  EXPECT_NE(error().message().find("the eye.z"), std::string::npos) << error();
  query_.eye[2] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  query_ = right;
  levels_ = LevelMask{7};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  levels_ = LevelMask::all();
  options_.filter.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_.filter.channel = kDefaultChannel;
  const std::vector<FixedBox> wrong = {right.box, {.min = {5, 0, 0}, .max = {4, 1, 1}}};
  options_.occluders = wrong;
  EXPECT_NE(error().message().find("occluders[1]"), std::string::npos) << error();
  SightAnswer answer;
  answer.certificate.resize(3);
  EXPECT_FALSE(service_.visible(query_, levels_, options_, answer).ok());
  EXPECT_EQ(answer.sight, Sight::kUndecided);
  EXPECT_TRUE(answer.certificate.empty());
}

TEST_F(SightTest, DoublesAreRoundedAndCheckedAtTheDoor) {
  const absl::StatusOr<SightQuery> query =
      toSightQuery({1.5, 1.5, 1.5}, {.min = {8, 1, 1}, .max = {9, 2, 2}});
  ASSERT_TRUE(query.ok());
  EXPECT_EQ(query->eye, query_.eye);
  EXPECT_EQ(query->box, query_.box);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(toSightQuery({1, 1, 1}, {.min = {nan, 1, 1}, .max = {9, 2, 2}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toSightQuery({0x1p46, 1, 1}, {.min = {1, 1, 1}, .max = {9, 2, 2}}).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST_F(SightTest, ASnapshotAnswersAsTheWorldDidThen) {
  wall(4);
  const std::shared_ptr<const World> before = world_.snapshot();
  wall(4, 1, 1);
  EXPECT_EQ(sight(), Sight::kVisible);
  const RayQueryService service(*before, entities_);
  EXPECT_EQ(service.visible(query_)->sight, Sight::kHidden);
}

// A box that is hidden, and one of which a part is seen.
TEST_F(SightTest, WarmQueriesDoNotAllocate) {
  wall(4, 1, 1);
  set({5, 1, 1});
  options_.report_certificate = true;
  set({2, 2, 1});
  const SightQuery part{.eye = query_.eye, .box = blockBox(3, 2, 1)};
  SightAnswer answer;
  ExposureAnswer share;
  const auto ask_all = [&] {
    bool is_right = true;
    for (const SightQuery& query : {query_, part}) {
      is_right = is_right && service_.visible(query, levels_, options_, answer).ok() &&
                 service_.exposure(query, levels_, options_, share).ok();
    }
    return is_right;
  };
  ASSERT_TRUE(ask_all());
  EXPECT_GT(share.from, 0);
  EXPECT_LT(share.to, 1);
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(ask_all());
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST_F(SightTest, AFilterMayAskAnotherQuery) {
  wall(4, 1, 1);
  wall(6);
  const SightQuery other{.eye = query_.eye, .box = blockBox(5, 1, 1)};
  int asked = 0;
  options_.filter.block_filter = [&](const BlockHit& hit) {
    ++asked;
    EXPECT_EQ(service_.visible(other)->sight, Sight::kVisible);
    EXPECT_GT(service_.exposure(other)->from, 0.5);
    return hit.block[0] == 4;
  };
  EXPECT_EQ(sight(), Sight::kVisible);
  EXPECT_GT(asked, 0);
  options_.filter.block_filter = [&](const BlockHit&) {
    return service_.visible(other)->sight == Sight::kVisible;
  };
  EXPECT_EQ(sight(), Sight::kHidden);
}

TEST_F(SightTest, ABlockFilterGetsNoGeometry) {
  wall(4);
  int calls = 0;
  options_.filter.block_filter = [&](const BlockHit& hit) {
    ++calls;
    EXPECT_EQ(hit.t, 0);
    EXPECT_EQ(hit.distance, 0);
    EXPECT_EQ(hit.point, Vec3d{});
    EXPECT_EQ(hit.type, oracle::kStone);
    EXPECT_TRUE(hit.terminal);
    return true;
  };
  EXPECT_EQ(sight(), Sight::kHidden);
  EXPECT_GT(calls, 0);
}

TEST_F(SightTest, AnExposureThatAFilterThrowsOutOfIsFrom0To1) {
  wall(4);
  query_.box = blockBox(20, 1, 1);  // in space that is not loaded
  int calls = 0;
  int throws_at = -1;
  options_.filter.block_filter = [&](const BlockHit& /*hit*/) {
    if (++calls == throws_at) throw calls;
    return true;
  };
  ASSERT_EQ(exposure().to, 0);
  for (throws_at = 1; throws_at <= calls; ++throws_at) {
    const int most = calls;
    calls = 0;
    ExposureAnswer share;
    EXPECT_THROW(service_.exposure(query_, levels_, options_, share).IgnoreError(), int);
    EXPECT_EQ(share.from, 0);
    EXPECT_EQ(share.to, 1) << "call " << throws_at;
    calls = most;
  }
}

TEST_F(SightTest, ExhaustedMemoryLeavesLaterAnswersRight) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  wall(4, 1, 1);
  set({5, 1, 1});
  set({2, 2, 1});
  options_.report_certificate = true;
  const SightAnswer expected = ask();
  const SightQuery part{.eye = query_.eye, .box = blockBox(3, 2, 1)};
  std::size_t failures = 0;
  // The memory of a new thread is yet to be allocated.
  std::thread([&] {
    failures = oracle::failEachAllocation(
        [&] {
          SightAnswer answer;
          ExposureAnswer share;
          EXPECT_TRUE(service_.visible(query_, levels_, options_, answer).ok());
          EXPECT_EQ(answer.sight, expected.sight);
          EXPECT_TRUE(service_.exposure(part, levels_, options_, share).ok());
          EXPECT_GT(share.from, 0);
          EXPECT_LT(share.to, 1);
        },
        [&](std::size_t /*n*/) { EXPECT_EQ(ask().sight, expected.sight); },
        oracle::AllocationFailure::Extent::kOne);
  }).join();
  EXPECT_GT(failures, 0U);
}

}  // namespace
}  // namespace fractalray::sight_test
