// SPDX-License-Identifier: Apache-2.0
// Queries along a line that has been reflected: everything that takes a line takes this one.
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "../../query/line_chunks.h"
#include "../oracle/walk_oracle.h"
#include "reflect_fixture.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kWater;

class ReflectedQueriesTest : public ReflectTest {
 protected:
  // Into a corner of two walls at one time, reflected in the first of them: the next hit is the
  // wall y at the time of the bounce.
  const FixedSegment line_ = bounced(ray({8, 8, 8.5}, {1, 1, 0}));
  const double begin_ = oracle::toDouble(oracle::beginOf(line_).t);
};

TEST_F(ReflectedQueriesTest, OccludedAndClosest) {
  EXPECT_EQ(service_.occluded(line_).value(), Occlusion::kBlocked);
  const FixedSegment back = bounced(line_);
  EXPECT_EQ(service_.occluded(back).value(), Occlusion::kBlocked);
  FixedSegment shorter = back;
  shorter.end_time = back.end_time / 5;  // to the middle of the hall again
  EXPECT_EQ(service_.occluded(shorter).value(), Occlusion::kClear);
}

TEST_F(ReflectedQueriesTest, BatchesAndHitsOneByOne) {
  const ShotResult expected = shoot(line_);
  ASSERT_EQ(expected.hits.size(), 1U);
  const std::vector<BatchQuery> queries(3, BatchQuery{.line = line_, .levels = LevelMask::all()});
  const ShotBatch batch = service_.shootSegment(queries).value();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(batch.shots[i].segment, line_);
    ASSERT_EQ(batch.hitsOf(i).size(), 1U);
    EXPECT_TRUE(oracle::isSame(batch.hitsOf(i)[0], expected.hits[0]));
  }
  HitCursor cursor = service_.hitsAlong(line_).value();
  const Hit* const hit = cursor.next().value();
  ASSERT_NE(hit, nullptr);
  EXPECT_TRUE(oracle::isSame(*hit, expected.hits[0]));
  EXPECT_EQ(cursor.next().value(), nullptr);
}

// A wall that an effect opens at the time of the bounce lets the path through, and the one that it
// was reflected in is not hit for that.
TEST_F(ReflectedQueriesTest, AgainAndResumeAtTheTimeOfTheBounce) {
  load({0, 1, 0});
  fill({0, 16, 0}, {15, 31, 15}, kAir);
  put({12, 18, 8}, kStone);
  fill({1, 15, 8}, {13, 15, 8}, kAir);
  const Hit wall = firstHit(line_);
  ASSERT_EQ(wall.t, begin_);
  QueryOptions options;
  options.on_hit = [&](const Hit& hit) {
    if (hit.t > begin_) return HitResponse::kContinue;
    put({hit.block[0], hit.block[1], hit.block[2]}, kAir);
    return HitResponse::kAgain;
  };
  const ShotResult shot = service_.shootSegment(line_, LevelMask::all(), options).value();
  ASSERT_EQ(shot.hits.size(), 2U);
  EXPECT_EQ(shot.hits[0].block, wall.block);
  EXPECT_EQ(shot.hits[1].block, (BlockCoord{12, 18, 8}));
  const ShotResult resumed =
      service_.shootSegment(line_, LevelMask::all(), {.after = {&wall, 1}}).value();
  ASSERT_EQ(resumed.hits.size(), 1U);
  EXPECT_TRUE(oracle::isSame(resumed.hits[0], shot.hits[1]));
}

TEST_F(ReflectedQueriesTest, TheUnknownAndLevelSpansBeginWithThePath) {
  fill({13, 15, 8}, {14, 15, 8}, kAir);  // a hole: to the chunk above, which is not loaded
  const ShotResult shot = shoot(line_, {.report_unknown = true, .report_level_spans = true});
  EXPECT_TRUE(shot.hits.empty());
  ASSERT_EQ(shot.level_spans.size(), 1U);
  EXPECT_EQ(shot.level_spans[0].t0, begin_);
  ASSERT_TRUE(shot.unknown_from.has_value());
  EXPECT_EQ(*shot.unknown_from, shot.level_spans[0].t1);
  // Chunks that are not loaded on the other side of the mirror do not matter.
  const FixedSegment back = ray({8.5, 8.5, 8.5}, {1, 0, 0}, 14);
  EXPECT_FALSE(shoot(bounced(back), {.report_unknown = true}).unknown_from.has_value());
}

TEST_F(ReflectedQueriesTest, ChunksOnTheLine) {
  std::vector<ChunkCoord> chunks;
  const LineChunks range = chunksOn(world_, line_).value();
  for (const LineChunk& on_line : range) {
    EXPECT_GE(on_line.t_enter, begin_);
    chunks.push_back(on_line.chunk);
  }
  ASSERT_GE(chunks.size(), 2U);
  EXPECT_EQ(chunks[0], (ChunkCoord{0, 0, 0}));
  EXPECT_EQ(chunks[1], (ChunkCoord{0, 1, 0}));
}

TEST_F(ReflectedQueriesTest, BudgetsByLengthGoOnFromBounceToBounce) {
  fill({1, 8, 8}, {14, 8, 8}, kWater);
  TerminalRules rules;
  const BudgetId water = rules.addBudget(30).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerBlock(water, 1)).ok());
  FixedSegment line = ray({8, 8.5, 8.5}, {1, 0, 0});
  std::optional<Budgets> left;
  std::vector<double> stops;
  for (int bounce = 0; bounce < 3; ++bounce) {
    QueryOptions options{.rules = &rules};
    if (left.has_value()) options.budgets = &*left;
    const ShotResult shot = shoot(line, options);
    left = shot.budgets;
    if (shot.stopped_at.has_value()) {
      stops.push_back(*shot.stopped_at * line.lengthBlocks());
      break;
    }
    line = service_.reflect(line, shot.hits.back()).value();
  }
  // 7, 14, and then 9 of 14 blocks of water.
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_NEAR(stops[0], 30, 1e-9);
}

}  // namespace
}  // namespace fractalray
