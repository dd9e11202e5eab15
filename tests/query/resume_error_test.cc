// SPDX-License-Identifier: Apache-2.0
// Checks which hits a shot does not resume after: those that its line does not have.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"

#include "../oracle/shot_compare.h"
#include "resume_fixture.h"

namespace fractalray {
namespace {

using testing::HasSubstr;

class ResumeErrorTest : public ResumeTest {
 protected:
  ResumeErrorTest() {
    put(3, kWater);
    addEntity(1, 5);
    put(9, kStone);
    EXPECT_EQ(shoot(), "water@3 e1@5 stone@9!");
    block_ = result_.hits.back();
    entity_ = result_.hits[1];
  }

  void expectRefused(const Hit& hit, const std::string& part, const QueryOptions& options = {}) {
    const auto shot = shotAfter(result_.segment, hit, options);
    EXPECT_EQ(shot.status().code(), absl::StatusCode::kInvalidArgument) << part;
    EXPECT_THAT(std::string(shot.status().message()), HasSubstr(part));
  }

  BlockHit block_;
  EntityHit entity_;
};

TEST_F(ResumeErrorTest, RefusesABlockThatTheSegmentDoesNotEnterThere) {
  const std::string part = "the segment does not come into it there";
  BlockHit hit = block_;
  hit.block[1] = 1;
  expectRefused(hit, part);
  hit = block_;
  hit.block[0] = std::numeric_limits<std::int64_t>::max();
  expectRefused(hit, part);
  hit.block[0] = std::numeric_limits<std::int64_t>::min();
  expectRefused(hit, part);
  hit = block_;
  hit.t = std::nextafter(hit.t, 1);
  expectRefused(hit, part);
  hit = block_;
  hit.face = {1, 1};
  expectRefused(hit, part);
  hit = block_;
  hit.step = 0;
  expectRefused(hit, part);
  hit = block_;
  hit.level = 0;
  expectRefused(hit, part);
  const absl::Status status = service_
                                  .shootSegment(FixedSegment{{0, 0, 0}, {1, 1, 1}},
                                                world_.allLevels(), {.after = {result_.hits}})
                                  .status();
  EXPECT_EQ(status.message(),
            "cannot resume after the hit of block [9, 0, 0] of level 1 at t 0.141667: under this "
            "corner policy the segment does not come into it there; give the segment, in units, "
            "that was shot (ShotResult::segment) and its corner policy");
}

TEST_F(ResumeErrorTest, RefusesAnEntityThatTheSegmentDoesNotHitThere) {
  const std::string part = "the segment does not intersect its shape there";
  EntityHit hit = entity_;
  hit.position[1] += 65536;
  expectRefused(hit, part);
  hit = entity_;
  hit.position[0] += 1;
  expectRefused(hit, part);
  hit = entity_;
  hit.position[2] = std::numeric_limits<std::int64_t>::min();
  expectRefused(hit, part);
  hit = entity_;
  hit.shape.half_extents[0] = -1;
  expectRefused(hit, part);
  hit.shape.half_extents[0] = std::numeric_limits<std::int64_t>::max();
  expectRefused(hit, part);
  EntityHit nobody;
  nobody.kind = Hit::Kind::kEntity;
  expectRefused(nobody, part);
}

TEST_F(ResumeErrorTest, RefusesALevelThatIsNotActive) {
  block_.level = 2;
  expectRefused(block_, "that level is not active; levels are 0 to 1");
  entity_.level = -1;
  expectRefused(entity_, "entity 1 of level -1");
}

TEST_F(ResumeErrorTest, RefusesAnotherCornerPolicy) {
  put(3, kAir);
  ASSERT_TRUE(world_.setBlock(1, {20, 1, 0}, kStone).ok());
  // Into the block over an edge, in three ways.
  const FixedSegment segment = toUnits({{19.5, 0.5, 0.5}, {20.5, 1.5, 0.5}}).value();
  for (const CornerPolicy corner :
       {CornerPolicy::kNeither, CornerPolicy::kBoth, CornerPolicy::kStaircase}) {
    const auto shot = service_.shootSegment(segment, world_.allLevels(), {.corner = corner});
    ASSERT_TRUE(shot.ok());
    ASSERT_EQ(shot->hits.size(), 1U);
    for (const CornerPolicy other :
         {CornerPolicy::kNeither, CornerPolicy::kBoth, CornerPolicy::kStaircase}) {
      const auto resumed = shotAfter(segment, shot->hits[0], {.corner = other});
      EXPECT_EQ(resumed.ok(), corner == other) << static_cast<int>(corner);
    }
  }
}

TEST_F(ResumeErrorTest, ARefusalChangesNothing) {
  onBlock(kWater);
  onBlock(kStone);
  block_.t = 0.5;
  result_.hits.back() = block_;
  const ShotResult before = result_;
  EXPECT_EQ(service_.resume(result_, world_.allLevels()).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(result_.hits.size(), before.hits.size());
  EXPECT_EQ(result_.terminated, before.terminated);
  EXPECT_EQ(result_.stats.steps(), before.stats.steps());
  EXPECT_EQ(calls(), "");
}

TEST_F(ResumeErrorTest, RefusesAHitOfNothing) {
  const Hit nothing;
  const absl::StatusOr<ShotResult> shot = shotAfter(result_.segment, nothing);
  EXPECT_EQ(shot.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(shot.status().message()), HasSubstr("kNone"));
}

// Resumes from hit to hit, into the result that has the earlier hits.
TEST_F(ResumeErrorTest, AcceptsHitsInTheResultToBeFilled) {
  const std::vector<Hit> all = result_.hits;
  ASSERT_EQ(all.size(), 3U);
  ShotResult shot =
      service_.shootSegment(result_.segment, world_.allLevels(), {.max_hits = 1}).value();
  for (std::size_t i = 1; i < all.size(); ++i) {
    const QueryOptions options{.after = shot.hits, .max_hits = 1};
    ASSERT_TRUE(service_.shootSegment(shot.segment, world_.allLevels(), options, shot).ok());
    ASSERT_EQ(shot.hits.size(), 1U);
    EXPECT_TRUE(oracle::isSame(shot.hits[0], all[i]));
  }
  shot.hits = {all[0]};
  ASSERT_TRUE(service_.resume(shot, world_.allLevels(), {.after = shot.hits}).ok());
  EXPECT_EQ(shot.hits.size(), all.size());

  std::vector<BatchQuery> queries = {{.line = shot.segment, .levels = world_.allLevels()}};
  ShotBatch batch;
  ASSERT_TRUE(service_.shootSegment(queries, {.max_hits = 1}, batch).ok());
  for (std::size_t i = 1; i < all.size(); ++i) {
    queries[0].after = batch.hitsOf(0);
    ASSERT_TRUE(service_.shootSegment(queries, {.max_hits = 1}, batch).ok());
    ASSERT_EQ(batch.hits.size(), 1U);
    EXPECT_TRUE(oracle::isSame(batch.hits[0], all[i]));
  }
  queries[0].after = {};
  ClosestBatch closest;
  ASSERT_TRUE(service_.closestHit(queries, {}, closest).ok());
  for (std::size_t i = 1; i < all.size(); ++i) {
    ASSERT_TRUE(service_.closestHit(queries, {.after = closest.answers}, closest).ok());
    EXPECT_TRUE(oracle::isSame(closest.answers[0], all[i]));
  }
}

}  // namespace
}  // namespace fractalray
