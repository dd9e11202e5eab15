// SPDX-License-Identifier: Apache-2.0
// The blocks that a viewer sees, rule by rule; and the directions of its rays.
#include "../../streaming/visibility_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../streaming/internal/direction_sequence.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kStone;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kBlock = kUnitsPerBlock;

TEST(DirectionSequenceTest, CoversTheSphereEvenly) {
  const internal::DirectionCone sphere({0.3, -2, 1}, -1);
  internal::DirectionSequence sequence;
  constexpr int kCount = 8000;
  std::array<int, 8> octants{};
  Vec3d sum{};
  for (int i = 0; i < kCount; ++i) {
    const Vec3d d = sequence.next(sphere);
    EXPECT_NEAR(length(d), 1, 1e-12);
    ++octants[(d[0] < 0 ? 1U : 0U) + (d[1] < 0 ? 2U : 0U) + (d[2] < 0 ? 4U : 0U)];
    sum += d;
  }
  // Random directions would differ from 1000 by some 30, and add up to some 90.
  for (const int count : octants)
    EXPECT_NEAR(count, kCount / 8, 15);
  EXPECT_LT(length(sum), 15);
}

TEST(DirectionSequenceTest, StaysInTheConeAndFillsIt) {
  for (const Vec3d& axis : {Vec3d{0, 0, 1}, Vec3d{0, 0, -1}, Vec3d{1e300, 1e300, 0},
                            Vec3d{-1e-300, 0, 0}, Vec3d{3, -4, 0.5}}) {
    const double scale = std::max({std::abs(axis[0]), std::abs(axis[1]), std::abs(axis[2])});
    const Vec3d unit = axis / scale / length(axis / scale);
    for (const double cosine : {-1.0, -0.5, 0.0, 0.5, 0.99, 1.0}) {
      const internal::DirectionCone cone(axis, cosine);
      internal::DirectionSequence sequence;
      double least = 1;
      double sum = 0;
      for (int i = 0; i < 4000; ++i) {
        const double along = dot(sequence.next(cone), unit);
        EXPECT_GE(along, cosine - 1e-12);
        least = std::min(least, along);
        sum += along;
      }
      EXPECT_LT(least, cosine + 0.01);
      EXPECT_NEAR(sum / 4000, (1 + cosine) / 2, 0.005) << "even by area, which is even by height";
    }
  }
}

// One level: a cave of 4 x 4 x 4 blocks of air in a chunk of stone.
class VisibilityTest : public testing::Test {
 protected:
  VisibilityTest() {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kStone, world_.blockTypes())).ok());
    EXPECT_TRUE(world_.fillBox(0, {6, 6, 6}, {9, 9, 9}, kAir).ok());
  }

  void watch(const VisibilityOptions& options) {
    stream_.emplace(VisibilityStream::create(window_, options).value());
  }
  void tick(const ViewCone& view = {.from = kEye}) {
    const absl::Status status = stream_->tick(service_, view);
    ASSERT_TRUE(status.ok()) << status;
  }
  void ticks(int count, const ViewCone& view = {.from = kEye}) {
    for (int i = 0; i < count; ++i)
      tick(view);
  }

  static constexpr Vec3i kEye{8 * kBlock + 7, 8 * kBlock + 5, 8 * kBlock + 3};
  World world_{{.block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("888_888").value()};
  RayQueryService service_{world_, entities_};
  std::optional<VisibilityStream> stream_;
};

TEST_F(VisibilityTest, SeesTheWallsAndNothingElse) {
  watch({.rays = 4000});
  tick();
  EXPECT_EQ(stream_->blocks(), 6U * 16U);
  EXPECT_EQ(stream_->chunks(), 1U);
  EXPECT_THAT(stream_->changes().blocks_in, SizeIs(96));
  EXPECT_THAT(stream_->unknown(), IsEmpty());
  stream_->forEachBlock([&](const SeenBlock& seen) {
    int outside = 0;
    for (int axis = 0; axis < 3; ++axis)
      outside += seen.block[axis] == 5 || seen.block[axis] == 10 ? 1 : 0;
    EXPECT_EQ(outside, 1) << "next to the cave, by a face";
    EXPECT_EQ(seen.type, kStone);
  });
  EXPECT_TRUE(stream_->seenBlock(0, {5, 7, 7}).has_value());
  EXPECT_FALSE(stream_->seenBlock(0, {4, 7, 7}).has_value());
  EXPECT_FALSE(stream_->seenBlock(1, {5, 7, 7}).has_value());
}

TEST_F(VisibilityTest, ConesSeeWhatTheyPointAt) {
  watch({.rays = 2000});
  tick({.from = kEye, .direction = {0, 0, -5}, .cos_half_angle = 0.9});
  EXPECT_GT(stream_->blocks(), 3U);
  stream_->forEachBlock([](const SeenBlock& seen) { EXPECT_EQ(seen.block[2], 5); });
}

TEST_F(VisibilityTest, AgesCountTicks) {
  watch({.rays = 4000, .forget_ticks = 3});
  ticks(2);
  EXPECT_EQ(stream_->seenBlock(0, {5, 7, 7})->since, 1U);
  EXPECT_EQ(stream_->seenBlock(0, {5, 7, 7})->last, 2U);
  EXPECT_THAT(stream_->changes().blocks_in, IsEmpty());
  ASSERT_TRUE(world_.setBlock(0, {8, 8, 9}, kStone).ok());
  tick();
  EXPECT_THAT(stream_->changes().blocks_in, SizeIs(1));
  EXPECT_EQ(stream_->changes().blocks_in[0].since, 3U);
  EXPECT_EQ(stream_->seenBlock(0, {8, 8, 10})->last, 2U) << "hidden";
  tick();
  EXPECT_THAT(stream_->changes().blocks_out, IsEmpty());
  tick();
  ASSERT_FALSE(stream_->changes().blocks_out.empty());
  EXPECT_EQ(stream_->changes().blocks_out[0].last, 2U);
  EXPECT_FALSE(stream_->seenBlock(0, {8, 8, 10}).has_value());
  EXPECT_THAT(stream_->changes().chunks_out, IsEmpty());
}

TEST_F(VisibilityTest, AChunkGoesOutOfSightWithItsLastBlock) {
  watch({.rays = 1000, .forget_ticks = 2});
  tick();
  const std::size_t blocks = stream_->blocks();
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {15, 15, 15}, kAir).ok());
  tick();
  EXPECT_THAT(stream_->changes().blocks_out, IsEmpty());
  tick();
  EXPECT_THAT(stream_->changes().blocks_out, SizeIs(blocks));
  EXPECT_THAT(stream_->changes().chunks_out, ElementsAre(SeenChunk{0, {0, 0, 0}, 1, 1}));
  EXPECT_EQ(stream_->blocks() + stream_->chunks(), 0U);
}

TEST_F(VisibilityTest, UnknownChunksAreListedTheMostLookedIntoFirst) {
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {15, 15, 15}, kAir).ok());
  watch({.rays = 3000});
  tick({.from = {8 * kBlock, 8 * kBlock, 14 * kBlock}});
  std::vector<ChunkOfLevel> unknown(stream_->unknown().begin(), stream_->unknown().end());
  EXPECT_EQ(unknown.front(), (ChunkOfLevel{0, {0, 0, 1}})) << "near, so half of the view";
  std::set<ChunkCoord> faces;
  for (const ChunkOfLevel& chunk : unknown)
    faces.insert(chunk.chunk);
  EXPECT_EQ(faces, (std::set<ChunkCoord>{
                       {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}));
  tick({.from = {-8 * kBlock, 8 * kBlock, 8 * kBlock}});
  EXPECT_THAT(stream_->unknown(), ElementsAre(ChunkOfLevel{0, {-1, 0, 0}})) << "the viewer's own";
}

// As if another thread had loaded it after the snapshot.
TEST_F(VisibilityTest, UnknownChunksAreThoseOfTheWorldThatIsQueried) {
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {15, 15, 15}, kAir).ok());
  const std::shared_ptr<const World> snapshot = world_.snapshot();
  const RayQueryService service(*snapshot, entities_);
  const ViewCone up{
      .from = {8 * kBlock, 8 * kBlock, 8 * kBlock}, .direction = {0, 0, 1}, .cos_half_angle = 0.99};
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 1}, Chunk()).ok());
  watch({.rays = 100});
  ASSERT_TRUE(stream_->tick(service, up).ok());
  EXPECT_THAT(stream_->unknown(), ElementsAre(ChunkOfLevel{0, {0, 0, 1}}));
  tick(up);
  EXPECT_THAT(stream_->unknown(), ElementsAre(ChunkOfLevel{0, {0, 0, 2}}));
}

TEST_F(VisibilityTest, ATickOnASnapshotRunsWhileTheWorldIsEdited) {
  ASSERT_TRUE(world_.fillBox(0, {0, 0, 0}, {15, 15, 15}, kAir).ok());
  const std::shared_ptr<const World> snapshot = world_.snapshot();
  const RayQueryService service(*snapshot, entities_);
  watch({.rays = 200});
  const ViewCone view{.from = kEye};
  std::thread editor([this] {
    for (std::int64_t i = 1; i < 200; ++i)
      EXPECT_TRUE(world_.loadChunk(0, {i % 20, i / 20, 1}, Chunk()).ok());
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(stream_->tick(service, view).ok());
    EXPECT_THAT(stream_->unknown(), SizeIs(6)) << i;
  }
  editor.join();
}

TEST_F(VisibilityTest, TheChannelAndEntitiesAreThoseOfTheFilter) {
  ASSERT_TRUE(world_.fillBox(0, {6, 6, 9}, {9, 9, 9}, oracle::kGlass).ok());
  ASSERT_TRUE(
      entities_.add({.id = 1, .level = 0, .shape = Sphere{0.5}, .position = {8.5, 8.5, 7}}).ok());
  const ViewCone down{.from = kEye, .direction = {0, 0, -1}, .cos_half_angle = 0.99};
  const ViewCone up{.from = kEye, .direction = {0, 0, 1}, .cos_half_angle = 0.99};
  watch({.rays = 100});
  tick(up);
  EXPECT_EQ(stream_->changes().blocks_in.at(0).type, oracle::kGlass);
  watch({.rays = 100, .filter = {.channel = oracle::kVisible, .entities = false}});
  tick(up);
  EXPECT_EQ(stream_->changes().blocks_in.at(0).type, kStone);
  tick(down);
  EXPECT_THAT(stream_->changes().blocks_in, SizeIs(testing::Ge(1)));
  ASSERT_TRUE(
      entities_.add({.id = 2, .level = 0, .shape = Sphere{1.5}, .position = {8, 8, 6.2}}).ok());
  watch({.rays = 100, .filter = {.entities = true}});
  tick(down);
  EXPECT_THAT(stream_->changes().blocks_in, IsEmpty()) << "the entity hides all";
}

TEST_F(VisibilityTest, ChunksThatAnEntityHidesAreNotEntered) {
  for (std::int64_t x = 0; x < 16; ++x)
    ASSERT_TRUE(world_.loadChunk(0, {x, 0, 0}, Chunk()).ok());
  watch({.rays = 64, .distance = 200, .filter = {.entities = true}});
  const ViewCone along_x{
      .from = {kBlock / 2, kEye[1], kEye[2]}, .direction = {1, 0, 0}, .cos_half_angle = 1};
  tick(along_x);
  EXPECT_THAT(stream_->entered(), SizeIs(13)) << "those up to x = 200.5";
  ASSERT_TRUE(world_.setBlock(0, {10, 8, 8}, kStone).ok());
  tick(along_x);
  EXPECT_THAT(stream_->entered(), ElementsAre(ChunkOfLevel{0, {0, 0, 0}}));
  ASSERT_TRUE(world_.setBlock(0, {10, 8, 8}, kAir).ok());
  ASSERT_TRUE(entities_.add({.id = 1, .shape = Box{{1, 8, 8}}, .position = {11, 8.5, 8.5}}).ok());
  tick(along_x);
  EXPECT_THAT(stream_->entered(), ElementsAre(ChunkOfLevel{0, {0, 0, 0}}));
}

TEST_F(VisibilityTest, FollowsTheWindow) {
  watch({.rays = 4000});
  tick();
  ASSERT_TRUE(window_.recenter({2, 0, 0}).ok());
  EXPECT_TRUE(stream_->seenBlock(0, {5 - 32, 7, 7}).has_value());
  EXPECT_FALSE(stream_->seenBlock(0, {5, 7, 7}).has_value());
  tick({.from = {kEye[0] - 32 * kBlock, kEye[1], kEye[2]}});
  EXPECT_THAT(stream_->changes().blocks_in, IsEmpty()) << "still the same blocks";
  EXPECT_EQ(stream_->seenChunk(0, {-2, 0, 0})->since, 1U);
  ASSERT_TRUE(window_.climb().ok());  // the only level is gone
  EXPECT_EQ(stream_->blocks() + stream_->chunks(), 0U);
  tick({.from = {0, 0, 0}});
  EXPECT_THAT(stream_->changes().blocks_out, IsEmpty());
}

TEST_F(VisibilityTest, ClearForgetsWithoutReporting) {
  watch({.rays = 1000});
  tick();
  stream_->clear();
  EXPECT_EQ(stream_->blocks(), 0U);
  tick();
  EXPECT_FALSE(stream_->changes().blocks_in.empty());
  EXPECT_EQ(stream_->ticks(), 2U);
}

TEST_F(VisibilityTest, EveryTickHasOtherDirections) {
  ASSERT_TRUE(world_.fillBox(0, {1, 1, 1}, {14, 14, 14}, kAir).ok());
  watch({.rays = 60});
  std::size_t blocks = 0;
  for (int i = 0; i < 20; ++i) {
    tick();
    EXPECT_GT(stream_->blocks(), blocks) << "more of the 1176 blocks of the walls";
    blocks = stream_->blocks();
  }
  EXPECT_GT(blocks, 500U);
}

TEST_F(VisibilityTest, ViewersAtTheEdgeOfTheFrameSeeUpToIt) {
  watch({.rays = 500, .distance = 35184372088832.0});
  for (const std::int64_t at : {kMaxCoordinate, -kMaxCoordinate, std::int64_t{0}}) {
    tick({.from = {at, -at, at}});
    EXPECT_LE(stream_->unknown().size(), 1U);
  }
}

TEST_F(VisibilityTest, RefusesBadInput) {
  const auto refused = [&](const VisibilityOptions& options) {
    const absl::Status status = VisibilityStream::create(window_, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refused({.rays = 0}), HasSubstr("rays is 0"));
  EXPECT_THAT(refused({.rays = VisibilityOptions::kMaxRays + 1}), HasSubstr("rays is 1048577"));
  EXPECT_THAT(refused({.forget_ticks = 0}), HasSubstr("forget_ticks is 0"));
  for (const double distance : {0.0, -1.0, kNan, kInf, 4e13})
    EXPECT_THAT(refused({.distance = distance}), HasSubstr("distance is"));
  EXPECT_THAT(refused({.levels = LevelMask{1}}), HasSubstr("no active level"));

  watch({.rays = 100});
  tick();
  const std::size_t before = stream_->blocks();
  const std::vector<ViewCone> views = {{.from = kEye, .direction = {0, 0, 0}},
                                       {.from = kEye, .direction = {0, kNan, 0}},
                                       {.from = kEye, .direction = {kInf, 0, 0}},
                                       {.from = kEye, .cos_half_angle = -1.1},
                                       {.from = kEye, .cos_half_angle = kNan}};
  for (const ViewCone& view : views)
    EXPECT_EQ(stream_->tick(service_, view).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(stream_->tick(service_, {.from = {0, kMaxCoordinate + 1, 0}}).code(),
            absl::StatusCode::kOutOfRange);
  watch({.rays = 100, .filter = {.channel = ChannelId{9}}});
  EXPECT_EQ(stream_->tick(service_, {.from = kEye}).code(), absl::StatusCode::kInvalidArgument);
  watch({.rays = 100});
  tick();
  EXPECT_EQ(stream_->blocks(), before) << "the same rays as at first";
}

TEST_F(VisibilityTest, TheOutcomeDoesNotDependOnThreads) {
  const ThreadExecutor threads(3);
  VisibilityStream serial = VisibilityStream::create(window_, {.rays = 500}).value();
  VisibilityStream parallel = VisibilityStream::create(window_, {.rays = 500}).value();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(serial.tick(service_, {.from = kEye}).ok());
    ASSERT_TRUE(parallel.tick(service_, {.from = kEye}, threads).ok());
    EXPECT_EQ(serial.changes().blocks_in, parallel.changes().blocks_in);
    EXPECT_EQ(serial.changes().blocks_out, parallel.changes().blocks_out);
  }
}

TEST_F(VisibilityTest, ATickDoesNotAllocateOnceWarm) {
  ASSERT_TRUE(world_.fillBox(0, {1, 1, 1}, {14, 14, 14}, kAir).ok());
  ASSERT_TRUE(world_.fillBox(0, {0, 5, 5}, {0, 10, 10}, kAir).ok());  // an opening
  watch({.rays = 1000, .forget_ticks = 2});
  ticks(30);
  const std::size_t before = oracle::allocationCount();
  ticks(10);
  EXPECT_EQ(oracle::allocationCount(), before);
  EXPECT_THAT(stream_->unknown(), SizeIs(1));
}

TEST_F(VisibilityTest, AMoveOfTheWindowReusesTheMemory) {
  watch({.rays = 2000});
  ticks(10);
  ASSERT_TRUE(window_.recenter({2, 0, 0}).ok());
  const std::size_t before = oracle::allocatedBytes();
  EXPECT_NE(stream_->seenChunk(0, {-2, 0, 0}), std::nullopt);
  EXPECT_LT(oracle::allocatedBytes() - before, 1000U) << "the anchor's path";
}

TEST_F(VisibilityTest, MemoryThatRunsOutChangesNothing) {
  using oracle::AllocationFailure;
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  watch({.rays = 300});
  tick();
  ASSERT_TRUE(window_.recenter({1, 0, 0}).ok());
  watch({.rays = 300});
  const ViewCone view{.from = {kEye[0] - 16 * kBlock, kEye[1], kEye[2]}};
  const std::size_t failures =
      oracle::failEachAllocation([&] { EXPECT_TRUE(stream_->tick(service_, view).ok()); },
                                 [&](std::size_t n) {
                                   EXPECT_EQ(stream_->ticks(), 0U) << n;
                                   EXPECT_EQ(stream_->blocks() + stream_->chunks(), 0U) << n;
                                 });
  EXPECT_GE(failures, 5U);
  VisibilityStream whole = VisibilityStream::create(window_, {.rays = 300}).value();
  ASSERT_TRUE(whole.tick(service_, view).ok());
  EXPECT_EQ(whole.changes().blocks_in, stream_->changes().blocks_in);
}

}  // namespace
}  // namespace fractalray
