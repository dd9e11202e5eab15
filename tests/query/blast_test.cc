// SPDX-License-Identifier: Apache-2.0
// Checks blasts by hand, on threads, and their refusals. blast_property_test.cc compares them with
// look-ups.
#include "../../query/blast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::blast_test {
namespace {

using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

constexpr double kUnit = 1.0 / 65536;

// A block of level 0 does not defer to one of level 2.
TEST(BlastTest, AtOneSampleTheFinerBlockComesFirst) {
  World world({.levels = 3, .block_types = oracle::sceneTypes()});
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.loadChunk(2, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.setBlock(0, {0, 0, 0}, kStone).ok());
  ASSERT_TRUE(world.setBlock(2, {1, 1, 1}, kWater).ok());
  std::vector<std::int64_t> resistances(6, 0);
  resistances[BlockTypeTable::index(kStone)] = 10;
  resistances[BlockTypeTable::index(kWater)] = 3;
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = 20}};
  const Blast blast =
      *service.blast({.center = {1.5, 1.5, 1.5}, .rays = rays, .resistances = resistances}, {0, 2});
  EXPECT_EQ(blast.blocks, (std::vector<BrokenBlock>{
                              {.level = 2, .type = kWater, .block = {1, 1, 1}, .power = 17},
                              {.level = 0, .type = kStone, .block = {0, 0, 0}, .power = 7},
                          }));
}

// A world of one chunk, with types of the scenes above.
class BlastChunkTest : public testing::Test {
 protected:
  BlastChunkTest()
      : world_({.block_types = oracle::sceneTypes()}),
        entities_(world_.frame()),
        service_(world_, entities_) {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
    resistances_[BlockTypeTable::index(kStone)] = 10;
    resistances_[BlockTypeTable::index(kWater)] = 3;
  }
  void put(const BlockCoord& block, BlockTypeId type) {
    EXPECT_TRUE(world_.setBlock(0, block, type).ok());
  }
  BlastQuery query(const std::vector<BlastRay>& rays, double radius = 8) const {
    return {.center = {0.5, 0.5, 0.5},
            .radius = radius,
            .rays = rays,
            .resistances = resistances_,
            .falloff = 1};
  }

  World world_;
  EntityIndex entities_;
  RayQueryService service_;
  std::vector<std::int64_t> resistances_ = std::vector<std::int64_t>(6, 1000);
};

TEST_F(BlastChunkTest, ARayLosesPowerAtEachSample) {
  put({2, 0, 0}, kStone);
  put({3, 0, 0}, kWater);
  put({5, 0, 0}, kStone);
  // Two samples in each block, at 0.5, 1, 1.5, ...: three in air cost 3, two in stone 22, so 5 are
  // left for the water: 3, then 1 by falloff. The second sample there has 1, and is not broken by.
  const std::vector<BlastRay> rays{{.step = {32768, 0, 0}, .power = 30}};
  const Blast blast = *service_.blast(query(rays));
  EXPECT_EQ(blast.blocks,
            (std::vector<BrokenBlock>{
                {.type = kStone, .block = {2, 0, 0}, .ray = 0, .steps = 3, .power = 17},
                {.type = kWater, .block = {3, 0, 0}, .ray = 0, .steps = 5, .power = 2},
            }));
  EXPECT_EQ(blast.samples, 7U);
  EXPECT_FALSE(blast.reaches_unknown);
}

TEST_F(BlastChunkTest, ExactlyEnoughIsNotEnough) {
  put({0, 0, 0}, kStone);
  EXPECT_TRUE(service_.blast(query({{.step = {1, 0, 0}, .power = 10}}))->blocks.empty());
  EXPECT_EQ(service_.blast(query({{.step = {1, 0, 0}, .power = 11}}))->blocks.size(), 1U);
}

TEST_F(BlastChunkTest, EachBlockBreaksOnceByTheRayThatComesFirst) {
  put({1, 0, 0}, kWater);
  put({2, 0, 0}, kWater);
  const std::vector<BlastRay> rays{{.step = {20000, 0, 0}, .power = 100},
                                   {.step = {65536, 0, 0}, .power = 50},
                                   {.step = {65536, 0, 0}, .power = 90}};
  const Blast blast = *service_.blast(query(rays));
  ASSERT_EQ(blast.blocks.size(), 2U);
  EXPECT_EQ(blast.blocks[0].block, (BlockCoord{1, 0, 0}));
  EXPECT_EQ(blast.blocks[0].ray, 1U);
  EXPECT_EQ(blast.blocks[0].steps, 1);
  EXPECT_EQ(blast.blocks[1].ray, 1U);
}

TEST_F(BlastChunkTest, TheRadiusIncludesItsEnd) {
  put({3, 0, 0}, kWater);
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = 100}};
  EXPECT_EQ(service_.blast(query(rays, 3))->blocks.size(), 1U);
  EXPECT_EQ(service_.blast(query(rays, 3 - kUnit))->blocks.size(), 0U);
  EXPECT_EQ(service_.blast(query(rays, 0))->samples, 1U);
  // Slanted, 3 (1, 2, 2) long: 9 blocks.
  put({1, 2, 2}, kWater);
  const std::vector<BlastRay> slanted{{.step = {65536, 131072, 131072}, .power = 100}};
  EXPECT_EQ(service_.blast(query(slanted, 9))->samples, 4U);
  EXPECT_EQ(service_.blast(query(slanted, 9 - kUnit))->samples, 3U);
}

TEST_F(BlastChunkTest, TypesWithoutAResistanceAreUnbreakable) {
  put({1, 0, 0}, oracle::kGrate);
  put({2, 0, 0}, kWater);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = kMost}};
  EXPECT_TRUE(service_.blast(query(rays))->blocks.empty());
  put({1, 0, 0}, kAir);
  EXPECT_EQ(service_.blast(query(rays))->blocks.size(), 1U);
}

TEST_F(BlastChunkTest, UnloadedSpaceIsReportedAndPassed) {
  const std::vector<BlastRay> rays{{.step = {-65536, 0, 0}, .power = 100}};
  EXPECT_TRUE(service_.blast(query(rays))->reaches_unknown);
  EXPECT_EQ(service_.blast(query(rays))->samples, 9U);
  EXPECT_FALSE(service_.blast(query(rays, 0.5))->reaches_unknown);
}

TEST_F(BlastChunkTest, TheFilterSelectsTheBlocks) {
  put({1, 0, 0}, kStone);
  put({2, 0, 0}, kWater);
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = 10}};
  BlastOptions options;
  EXPECT_EQ(service_.blast(query(rays), LevelMask::all(), options)->blocks.size(), 0U);
  options.filter.block_filter = [](const BlockHit& hit) { return hit.type != kStone; };
  EXPECT_EQ(service_.blast(query(rays), LevelMask::all(), options)->blocks.size(), 1U);
  options.filter.blocks = false;
  EXPECT_EQ(service_.blast(query(rays), LevelMask::all(), options)->blocks.size(), 0U);
}

TEST_F(BlastChunkTest, OnThreadsTheOutcomeIsTheSame) {
  Rng rng("BlastChunkTest.Threads");
  for (int i = 0; i < 1500; ++i)
    put({rng.in(0, 15), rng.in(0, 15), rng.in(0, 15)}, rng.oneIn(3) ? kStone : kWater);
  std::vector<BlastRay> rays = *cubeFan(16, 0.3, 0);
  for (BlastRay& ray : rays)
    ray.power = rng.in(10, 60);
  BlastQuery query = this->query(rays);
  query.center = {8.1, 7.9, 8};
  const Blast serial = *service_.blast(query);
  EXPECT_GT(serial.blocks.size(), 30U);
  ThreadExecutor threads(4);
  Blast parallel;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(service_.blast(query, LevelMask::all(), {}, parallel, threads).ok());
    ASSERT_EQ(parallel.blocks, serial.blocks);
    ASSERT_EQ(parallel.samples, serial.samples);
  }
}

TEST_F(BlastChunkTest, AFilterThatThrowsLeavesNothing) {
  put({1, 0, 0}, kWater);
  put({2, 0, 0}, kStone);
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = 50}};
  Blast blast;
  ASSERT_TRUE(service_.blast(query(rays), LevelMask::all(), {}, blast).ok());
  EXPECT_EQ(blast.blocks.size(), 2U);
  BlastOptions options;
  options.filter.block_filter = [](const BlockHit& hit) -> bool {
    if (hit.type == kStone) throw std::runtime_error("stone");
    return true;
  };
  EXPECT_THROW((void)service_.blast(query(rays), LevelMask::all(), options, blast),
               std::runtime_error);
  EXPECT_TRUE(blast.blocks.empty());
}

TEST_F(BlastChunkTest, ALimitOfSamplesEndsIt) {
  const std::vector<BlastRay> rays(200, BlastRay{.step = {65536, 0, 0}, .power = 5});
  Blast blast;
  ASSERT_TRUE(service_.blast(query(rays), LevelMask::all(), {.max_samples = 1000}, blast).ok());
  EXPECT_EQ(blast.samples, 1000U);
  put({0, 0, 0}, kWater);
  put({1, 0, 0}, kWater);
  for (const std::uint64_t limit : {0U, 1U, 399U}) {
    const absl::Status status =
        service_.blast(query(rays), LevelMask::all(), {.max_samples = limit}, blast);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << limit;
    EXPECT_TRUE(blast.blocks.empty());
  }
  EXPECT_TRUE(service_.blast(query(rays), LevelMask::all(), {.max_samples = 400}, blast).ok());
}

// 64 rays are a task. All of them together take a million samples, and each task alone 64,000.
TEST_F(BlastChunkTest, ALimitOfSamplesIsForAllTasks) {
  const std::vector<BlastRay> rays(1000, BlastRay{.step = {66, 0, 0}, .power = 5});
  std::uint64_t looked_up = 0;
  BlastOptions options{.max_samples = 70'000};
  put({0, 0, 0}, kWater);  // in which half of the samples are
  resistances_[BlockTypeTable::index(kWater)] = 0;
  options.filter.block_filter = [&](const BlockHit& /*hit*/) {
    ++looked_up;
    return true;
  };
  BlastQuery without_falloff = query(rays, 1);
  without_falloff.falloff = 0;
  Blast blast;
  EXPECT_EQ(service_.blast(without_falloff, LevelMask::all(), options, blast).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_GT(looked_up, 30'000U);
  EXPECT_LT(looked_up, 80'000U);
}

TEST_F(BlastChunkTest, RefusesWrongInput) {
  const std::vector<BlastRay> rays{{.step = {65536, 0, 0}, .power = 5}};
  const auto code = [&](const BlastQuery& query, LevelMask levels = LevelMask::all(),
                        const BlastOptions& options = {}) {
    return service_.blast(query, levels, options).status().code();
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kOutOfRange = absl::StatusCode::kOutOfRange;
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(code(query(rays)), absl::StatusCode::kOk);
  EXPECT_EQ(code(query(rays, -1)), kInvalid);
  EXPECT_EQ(code(query(rays, nan)), kInvalid);
  EXPECT_EQ(code(query(rays, infinity)), kOutOfRange);
  EXPECT_EQ(code(query(rays, kMaxBlastRadius)), absl::StatusCode::kOk);
  EXPECT_EQ(code(query({{.step = {0, 0, 0}, .power = 5}})), kInvalid);
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(code(query({{.step = {0, kLeast, 0}, .power = 5}})), kOutOfRange);
  EXPECT_EQ(code(query({{.step = {0, 0, kMaxCoordinate}, .power = 5}})), absl::StatusCode::kOk);
  BlastQuery bad = query(rays);
  bad.falloff = -1;
  EXPECT_EQ(code(bad), kInvalid);
  bad = query(rays);
  bad.center = {0, nan, 0};
  EXPECT_EQ(code(bad), kInvalid);
  bad.center = {0, 1e300, 0};
  EXPECT_EQ(code(bad), kOutOfRange);
  EXPECT_EQ(code(query(rays), LevelMask{5}), kInvalid);
  EXPECT_EQ(code(query(rays), LevelMask::all(), {.filter = {.channel = ChannelId{9}}}), kInvalid);
  resistances_[2] = -1;
  const auto blast = service_.blast(query(rays));
  EXPECT_EQ(blast.status().message(), "the resistance of block type 2 is -1; it must be 0 or more");
}

// At the end of the frame, where samples leave it.
TEST_F(BlastChunkTest, AtTheEndOfTheFrame) {
  constexpr double kEnd = 0x1p45;
  BlastQuery query = this->query(*cubeFan(4, 1000, 1000), kMaxBlastRadius);
  const std::vector<BlastRay> rays = *cubeFan(4, 1000, 1000);
  query.rays = rays;
  query.center = {kEnd, -kEnd, kEnd};
  const Blast blast = *service_.blast(query);
  EXPECT_TRUE(blast.reaches_unknown);
  EXPECT_GT(blast.samples, 56U * 60U);
}

TEST_F(BlastChunkTest, AWarmBlastAllocatesNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  for (int x = 0; x < 16; ++x)
    put({x, 8, 8}, kWater);
  const std::vector<BlastRay> rays = *cubeFan(16, 0.3, 100);
  BlastQuery query = this->query(rays);
  query.center = {8, 8, 8};
  Blast blast;
  ASSERT_TRUE(service_.blast(query, LevelMask::all(), {}, blast).ok());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(service_.blast(query, LevelMask::all(), {}, blast).ok());
  EXPECT_EQ(oracle::allocationCount(), before);
  EXPECT_FALSE(blast.blocks.empty());
}

TEST(CubeFanTest, HasTheSurfaceOfACube) {
  EXPECT_EQ(cubeFan(2, 1, 7)->size(), 8U);
  const std::vector<BlastRay> rays = *cubeFan(16, 0.3, 7);
  ASSERT_EQ(rays.size(), 1352U);
  std::set<Vec3i> steps;
  for (const BlastRay& ray : rays) {
    steps.insert(ray.step);
    EXPECT_EQ(ray.power, 7);
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis)
      squared += static_cast<double>(ray.step[axis]) * static_cast<double>(ray.step[axis]);
    EXPECT_NEAR(std::sqrt(squared), 0.3 * 65536, 1);
  }
  EXPECT_EQ(steps.size(), 1352U);
  // The first ray is to a corner; each has its opposite.
  EXPECT_EQ(rays.front().step, (Vec3i{-11351, -11351, -11351}));
  for (const BlastRay& ray : rays)
    EXPECT_TRUE(steps.contains(-ray.step));
}

TEST(CubeFanTest, RefusesWrongInput) {
  for (const int n : {-1, 0, 1, 257})
    EXPECT_EQ(cubeFan(n, 1, 1).status().code(), absl::StatusCode::kInvalidArgument) << n;
  for (const double step : {0.0, -1.0, 1e-9, 2000.0, std::nan("")})
    EXPECT_EQ(cubeFan(4, step, 1).status().code(), absl::StatusCode::kInvalidArgument) << step;
}

}  // namespace
}  // namespace fractalray::blast_test
