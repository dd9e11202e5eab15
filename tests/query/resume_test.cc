// SPDX-License-Identifier: Apache-2.0
// Checks resuming after a hit: what has changed meanwhile, and what is not hit again.
// resume_error_test.cc has what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "resume_fixture.h"

namespace fractalray {
namespace {

TEST_F(ResumeTest, ABulletGoesThroughWallAfterWall) {
  put(3, kWater);
  put(9, kStone);
  put(10, kStone);
  put(20, kReeds);
  addEntity(1, 30);
  EXPECT_EQ(shoot(), "water@3 stone@9!");
  EXPECT_EQ(resume(), "stone@10!");
  const Hit second = shotAfter(result_.segment, result_.hits.back()).value().hits.back();
  EXPECT_EQ(resume(second), "reeds@20 e1@30");
  EXPECT_EQ(resumed(), "water@3 stone@9! stone@10!");
  EXPECT_TRUE(result_.terminated);
  EXPECT_EQ(resumed(), "water@3 stone@9! stone@10! reeds@20 e1@30");
  EXPECT_FALSE(result_.terminated);
  EXPECT_EQ(resumed(), "water@3 stone@9! stone@10! reeds@20 e1@30") << "nothing is left";
}

TEST_F(ResumeTest, TheWallMayHaveBeenRemovedOrReplaced) {
  put(9, kStone);
  put(20, kStone);
  for (const BlockTypeId type : {kAir, kWater, kStone}) {
    put(9, kStone);
    EXPECT_EQ(shoot(), "stone@9!");
    put(9, type);
    EXPECT_EQ(resume(), "stone@20!") << "no second hit on the same block";
  }
  put(9, kStone);
  EXPECT_EQ(shoot(), "stone@9!");
  unload(0);
  EXPECT_EQ(resume(), "stone@20!");
}

TEST_F(ResumeTest, AWallThatAnEffectRemovedIsNotHit) {
  put(9, kStone);
  put(20, kStone);
  put(30, kStone);
  onBlock(kStone, HitResponse::kContinue, [&](const BlockHit& hit) { put(hit.block[0], kAir); });
  EXPECT_EQ(shoot(), "stone@9!");
  EXPECT_EQ(resumed(), "stone@9! stone@20!");
  EXPECT_EQ(resumed(), "stone@9! stone@20! stone@30!");
  EXPECT_EQ(calls(), "stone@9! stone@20! stone@30!");
  EXPECT_EQ(shoot(), "");
}

TEST_F(ResumeTest, AnEntityIsNotHitAgainWhereverItMoves) {
  const EntityHandle one = addEntity(1, 6, 1);
  addEntity(2, 20);
  onEntity(1, HitResponse::kStop);
  EXPECT_EQ(shoot(), "e1@6!");
  moveEntity(one, 30);
  EXPECT_EQ(resume(), "e2@20");
  ASSERT_TRUE(entities_.remove(one).ok());
  EXPECT_EQ(resume(), "e2@20") << "its hit counts though it is removed";
  addEntity(1, 30, 1);
  EXPECT_EQ(resume(), "e2@20 e1@30!") << "another one of the same id";
}

TEST_F(ResumeTest, NoEarlierHitIsRepeated) {
  const EntityHandle one = addEntity(1, 6);
  put(9, kStone);
  addEntity(2, 30);
  EXPECT_EQ(shoot(), "e1@6 stone@9!");
  moveEntity(one, 40);
  EXPECT_EQ(resume(), "e2@30 e1@40") << "all that is known of is the wall";
  EXPECT_EQ(
      textOf(service_.shootSegment(result_.segment, world_.allLevels(), {.after = result_.hits})),
      "e2@30");
  EXPECT_EQ(resumed(), "e1@6 stone@9! e2@30");
}

TEST_F(ResumeTest, AdditionsBeforeTheHitAreNotHitAndThoseAfterItAre) {
  put(9, kStone);
  EXPECT_EQ(shoot(), "stone@9!");
  put(5, kWater);
  addEntity(1, 7);
  put(12, kWater);
  addEntity(2, 14);
  EXPECT_EQ(resume(), "water@12 e2@14");
}

TEST_F(ResumeTest, TiesComeInTheirOrder) {
  // Boxes with a face in that of the wall.
  put(9, kStone);
  for (const int id : {3, 1, 2})
    addEntity(static_cast<EntityId>(id), 8.75);
  EXPECT_EQ(shoot({.max_hits = 2}), "e1@9 e2@9");
  EXPECT_EQ(resume(), "e3@9 stone@9!");
  EXPECT_EQ(resume(result_.hits.front()), "e2@9 e3@9 stone@9!");
  const EntityHandle two = result_.hits.back().entity;
  ASSERT_TRUE(entities_.remove(two).ok());
  addEntity(2, 8.75);
  EXPECT_EQ(resume(), "e3@9 stone@9!") << "ordered before the earlier hit, it is not later";
}

TEST_F(ResumeTest, MaxHitsAndStepsCountOnlyNewHits) {
  for (std::int64_t x = 2; x < 60; x += 4)
    put(x, kWater);
  EXPECT_EQ(shoot({.max_hits = 2}), "water@2 water@6");
  const std::uint64_t steps = result_.stats.steps();
  EXPECT_EQ(resumed({.max_hits = 1}), "water@2 water@6 water@10");
  EXPECT_TRUE(result_.truncated);
  EXPECT_LE(result_.stats.steps(), steps);
  EXPECT_EQ(service_.resume(result_, world_.allLevels(), {.max_steps = 2}).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(result_.hits.size(), 3U);
}

TEST_F(ResumeTest, AShotWithoutHitsIsShotAgain) {
  EXPECT_EQ(shoot(), "");
  EXPECT_EQ(resumed(), "");
  put(9, kStone);
  EXPECT_EQ(resumed(), "stone@9!");
}

TEST_F(ResumeTest, AShotWithoutHitsIsUnchangedIfItsAfterIsWrong) {
  unload(3);
  QueryOptions options{.report_unknown = true, .report_level_spans = true};
  ASSERT_EQ(shoot(options), "");
  const ShotResult before = result_;
  ASSERT_TRUE(before.unknown_from.has_value());
  Hit wrong;
  wrong.kind = Hit::Kind::kBlock;
  wrong.block = {3, 3, 3};
  wrong.t = 0.25;
  options.after = {&wrong, 1};
  options.report_level_spans = false;
  EXPECT_EQ(service_.resume(result_, world_.allLevels(), options).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(result_.unknown_from, before.unknown_from);
  EXPECT_EQ(result_.level_spans.size(), 1U);
  EXPECT_EQ(result_.stats.steps(), before.stats.steps());
}

TEST_F(ResumeTest, TheUnknownIsSearchedFromTheHitOn) {
  unload(1);
  put(9, kStone);
  put(40, kStone);
  EXPECT_EQ(shoot({.report_unknown = true}), "stone@9!");
  EXPECT_FALSE(result_.unknown_from.has_value());
  const Hit wall = result_.hits.back();
  const auto shot = shotAfter(result_.segment, wall, {.report_unknown = true});
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(textOf(*shot), "stone@40!");
  EXPECT_EQ(shot->unknown_from, 15.5 / 60);
  EXPECT_EQ(resume(wall, {.stop_at_unknown = true}), "");
  // After the unknown there is no other unknown.
  const auto after_unknown =
      shotAfter(result_.segment, shot->hits.back(), {.report_unknown = true});
  ASSERT_TRUE(after_unknown.ok());
  EXPECT_FALSE(after_unknown->unknown_from.has_value());
  // The unknown of a resumed shot is that of the whole shot.
  EXPECT_EQ(resumed({.report_unknown = true}), "stone@9! stone@40!");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
  EXPECT_EQ(resumed({.report_unknown = true}), "stone@9! stone@40!");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
}

// A ball that is hit in unknown space, at a time that is no fraction.
TEST_F(ResumeTest, TheUnknownMayBeginAtATimeThatIsNoFraction) {
  unload(1);
  const EntitySpec ball{.id = 1, .level = 1, .shape = Sphere{2}, .position = {24, 1.5, 0.5}};
  ASSERT_TRUE(entities_.add(ball).ok());
  const QueryOptions options{.report_unknown = true};
  EXPECT_EQ(shoot(options), "e1@22");
  EXPECT_EQ(result_.unknown_from, 15.5 / 60);
  const Hit hit = result_.hits.back();
  ASSERT_DOUBLE_EQ(hit.t, (23.5 - std::sqrt(3)) / 60);
  const auto shot = shotAfter(result_.segment, hit, options);
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(shot->unknown_from, hit.t);
  // A hit at the same time still counts if the shot is to stop there.
  EntitySpec twin = ball;
  twin.id = 2;
  ASSERT_TRUE(entities_.add(twin).ok());
  EXPECT_EQ(resume(hit, {.stop_at_unknown = true}), "e2@22");
  // The unknown is not before the closest hit.
  ClosestHit closest;
  ASSERT_TRUE(service_
                  .closestHit(result_.segment, world_.allLevels(),
                              {.after = {&hit, 1}, .stop_at_unknown = true}, closest)
                  .ok());
  EXPECT_FALSE(closest.unknown_from.has_value());
  ASSERT_TRUE(closest.hit.has_value());
  EXPECT_EQ(closest.hit->id, 2U);
}

// On a line of 2^60 units the known part may begin between a time and the next lower fraction.
TEST_F(ResumeTest, SpaceKnownFromJustBeforeATimeThatIsNoFractionIsKnown) {
  const std::int64_t chunk = (std::int64_t{1} << 39) + 1;  // not the first in its coarse one
  const auto start = static_cast<double>(16 * chunk);
  ASSERT_TRUE(world_.loadChunk(1, {chunk, 0, 0}, Chunk()).ok());
  // It is hit some hundredths of a block after the chunk's face.
  ASSERT_TRUE(
      entities_.add({.id = 1, .level = 1, .shape = Sphere{2}, .position = {start + 1.75, 1.5, 0.5}})
          .ok());
  const FixedSegment segment = toUnits({{-start, 0.5, 0.5}, {start + 100, 0.5, 0.5}}).value();
  const auto hit = service_.shootSegment(segment, world_.allLevels());
  ASSERT_TRUE(hit.ok());
  ASSERT_EQ(hit->hits.size(), 1U);
  const auto shot = shotAfter(segment, hit->hits[0], {.report_unknown = true});
  ASSERT_TRUE(shot.ok());
  EXPECT_EQ(shot->unknown_from, (2 * start + 16) / (2 * start + 100));
}

TEST_F(ResumeTest, ClosestAndOccludedResumeToo) {
  put(9, kStone);
  put(20, kStone);
  ClosestHit closest;
  const FixedSegment segment = toUnits({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}).value();
  ASSERT_TRUE(service_.closestHit(segment, world_.allLevels(), {}, closest).ok());
  EXPECT_EQ(closest.hit->block[0], 9);
  const Hit nine = *closest.hit;
  EXPECT_EQ(service_.occluded(segment, world_.allLevels(), {.after = {&nine, 1}}).value(),
            Occlusion::kBlocked);
  ASSERT_TRUE(
      service_.closestHit(segment, world_.allLevels(), {.after = {&*closest.hit, 1}}, closest)
          .ok());
  EXPECT_EQ(closest.hit->block[0], 20);
  EXPECT_EQ(service_.occluded(segment, world_.allLevels(), {.after = {&*closest.hit, 1}}).value(),
            Occlusion::kClear);
}

TEST_F(ResumeTest, NothingIsUnknownAfterAHitAtTheEnd) {
  const FixedSegment segment = toUnits({{0.5, 0.5, 0.5}, {99.75, 0.5, 0.5}}).value();
  addEntity(1, 99.5);
  const auto shot = service_.shootSegment(segment, world_.allLevels());
  ASSERT_TRUE(shot.ok());
  ASSERT_EQ(shot->hits.size(), 1U);
  EXPECT_EQ(shot->hits[0].t, 1);
  EXPECT_EQ(service_.occluded(segment, world_.allLevels(), {.after = {shot->hits}}).value(),
            Occlusion::kClear);
}

TEST_F(ResumeTest, EachQueryOfABatchResumesAfterItsOwnHits) {
  put(9, kStone);
  put(20, kStone);
  EXPECT_EQ(shoot(), "stone@9!");
  const BatchQuery plain{.line = result_.segment, .levels = world_.allLevels()};
  BatchQuery later = plain;
  later.after = result_.hits;
  const std::vector<BatchQuery> queries = {plain, later};
  ClosestBatch closest;
  ASSERT_TRUE(service_.closestHit(queries, {}, closest).ok());
  EXPECT_EQ(closest.answers[0].block[0], 9);
  EXPECT_EQ(closest.answers[1].block[0], 20);
  ShotBatch batch;
  ASSERT_TRUE(service_.shootSegment(queries, {}, batch).ok());
  EXPECT_EQ(batch.hitsOf(1)[0].block[0], 20);
  OcclusionBatch sight;
  const Hit last = batch.hitsOf(1)[0];
  const std::vector<BatchQuery> both = {
      later, {.line = plain.line, .levels = plain.levels, .after = {&last, 1}}};
  ASSERT_TRUE(service_.occluded(both, {}, sight).ok());
  EXPECT_EQ(sight.answers, (std::vector{Occlusion::kBlocked, Occlusion::kClear}));
  // The hits of the options are for all queries that have none.
  ASSERT_TRUE(service_.closestHit(queries, {.after = {&last, 1}}, closest).ok());
  EXPECT_EQ(closest.answers[0].kind, Hit::Kind::kNone);
  EXPECT_EQ(closest.answers[1].block[0], 20);
}

TEST_F(ResumeTest, ABatchSearchesTheUnknownFromTheHitOnToo) {
  put(20, kStone);
  EXPECT_EQ(shoot(), "stone@20!");
  unload(0);  // now unknown, but before the hit
  put(25, kWater);
  put(30, kStone);
  put(35, kWater);
  put(40, kWater);
  atBlock(kWater, 25, [&] { put(30, kAir); });
  ShotBatch batch;
  const std::vector<BatchQuery> queries = {{result_.segment, world_.allLevels(), {}, result_.hits}};
  ASSERT_TRUE(service_.shootSegment(queries, {.max_hits = 2, .report_unknown = true}, batch).ok());
  EXPECT_EQ(batch.hits.back().block[0], 35);
  EXPECT_TRUE(batch.shots[0].truncated);
  EXPECT_FALSE(batch.shots[0].unknown_from.has_value());
}

}  // namespace
}  // namespace fractalray
