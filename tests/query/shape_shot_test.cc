// SPDX-License-Identifier: Apache-2.0
// Shots through blocks that do not fill their cube: what random scenes do not show by themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../../query/block_search.h"
#include "../../query/hit_spans.h"
#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"
#include "../oracle/shaped_type.h"

namespace fractalray {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One level with the chunk (0, 0, 0): blocks 0 to 15, one block wide.
class ShapeShotTest : public testing::Test {
 protected:
  ShapeShotTest()
      : slab_(
            add("slab", BlockKind::kPermeable, {{.min = {0, 0, 0}, .max = {65536, 32768, 65536}}})),
        bars_(add("bars", BlockKind::kPermeable,
                  {{.min = {0, 0, 0}, .max = {16384, 65536, 65536}},
                   {.min = {49152, 0, 0}, .max = {65536, 65536, 65536}}})),
        wall_(
            add("wall", BlockKind::kSolid, {{.min = {32768, 0, 0}, .max = {65536, 65536, 65536}}})),
        service_(world_, entities_) {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
  }

  BlockTypeId add(const char* name, BlockKind kind, const std::vector<ShapeBox>& boxes) {
    return oracle::addShapedType(world_.blockTypes(), name, kind, boxes);
  }
  void put(std::int64_t x, BlockTypeId type, std::int64_t y = 5) {
    ASSERT_TRUE(world_.setBlock(0, {x, y, 5}, type).ok());
  }
  ShotResult shoot(const Vec3d& from, const Vec3d& to, const QueryOptions& options = {}) {
    return service_.shootSegment({.from = from, .to = to}, LevelMask::all(), options).value();
  }

  World world_{{.levels = 1}};
  EntityIndex entities_{world_.frame()};
  BlockTypeId slab_;
  BlockTypeId bars_;
  BlockTypeId wall_;
  RayQueryService service_;
};

TEST_F(ShapeShotTest, AHitHasTheFaceAndThePlaneOfItsBox) {
  put(5, wall_);
  const ShotResult shot = shoot({0.5, 5.25, 5.25}, {10.5, 5.25, 5.25});
  ASSERT_EQ(shot.hits.size(), 1U);
  const Hit& hit = shot.hits[0];
  EXPECT_EQ(hit.t, 0.5);
  EXPECT_EQ(hit.t_exit, 0.55);
  EXPECT_EQ(faceName(hit.face), "-x");
  EXPECT_EQ(hit.plane, 32768U);
  EXPECT_EQ(hit.step, 0);  // later than its cell is entered
  EXPECT_FALSE(hit.start_inside);
  EXPECT_TRUE(shot.terminated);
  // From the other side the cell and its box are entered at once.
  const Hit back = shoot({10.5, 5.25, 5.25}, {0.5, 5.25, 5.25}).hits.at(0);
  EXPECT_EQ(back.step, 1);
  EXPECT_EQ(back.plane, 65536U);
}

TEST_F(ShapeShotTest, AMissedSolidShapeEndsNothing) {
  put(5, wall_);
  put(7, slab_);
  const ShotResult shot = shoot({5.25, 6.75, 5.5}, {5.25, 0.5, 5.5});
  EXPECT_TRUE(shot.hits.empty());
  EXPECT_EQ(*service_.occluded({.from = {5.25, 6.75, 5.5}, .to = {5.25, 0.5, 5.5}}),
            Occlusion::kClear);
  EXPECT_EQ(*service_.occluded({.from = {5.75, 6.75, 5.5}, .to = {5.75, 0.5, 5.5}}),
            Occlusion::kBlocked);
}

TEST_F(ShapeShotTest, ABlockIsHitOnceAndItsSpansAreThePartsInside) {
  put(5, bars_);
  const ShotResult shot = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5});
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].t, 0.5);
  EXPECT_EQ(shot.hits[0].t_exit, 0.6);
  std::vector<HitSpan> spans;
  ASSERT_TRUE(hitSpans(world_, shot.segment, shot.hits[0], {}, spans).ok());
  EXPECT_THAT(spans, ElementsAre(HitSpan{0.5, 0.525}, HitSpan{0.575, 0.6}));
  EXPECT_FALSE(
      hitSpans(world_, {.from = {0, 0, 0}, .to = {1, 1, 1}}, shot.hits[0], {}, spans).ok());
  EXPECT_TRUE(spans.empty());
}

TEST_F(ShapeShotTest, RulesChargeTheSpansAndStopInsideThem) {
  put(5, bars_);
  TerminalRules rules;
  const BudgetId budget = rules.addBudget(0.25).value();
  ASSERT_TRUE(rules.setBlock(bars_, TerminalRule::costPerBlock(budget, 1)).ok());
  ShotResult shot = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5}, {.rules = &rules});
  // 0.25 blocks last to the end of the first bar, 0.375 to the middle of the second.
  EXPECT_NEAR(shot.stopped_at.value(), 0.525, 1e-12);
  Budgets more{};
  more[0] = 0.375;
  shot = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5}, {.rules = &rules, .budgets = &more});
  EXPECT_NEAR(shot.stopped_at.value(), 0.5875, 1e-12);
  more[0] = 0.5;
  shot = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5}, {.rules = &rules, .budgets = &more});
  EXPECT_FALSE(shot.terminated);
  EXPECT_NEAR(shot.left(budget), 0, 1e-9);
}

TEST_F(ShapeShotTest, ResumesAfterAShapeThatIsHitAsItsCellIsLeft) {
  // The line leaves block 5 through the corner of its wall, where it enters block 6.
  put(5,
      add("post", BlockKind::kPermeable, {{.min = {65535, 0, 0}, .max = {65536, 65536, 65536}}}));
  put(6, slab_);
  QueryOptions options;
  const ShotResult all = shoot({0, 5.25, 5.5}, {10, 5.25, 5.5});
  ASSERT_EQ(all.hits.size(), 2U);
  EXPECT_LT(all.hits[0].t, all.hits[1].t);
  options.after = {all.hits.data(), 1};
  const ShotResult rest = shoot({0, 5.25, 5.5}, {10, 5.25, 5.5}, options);
  ASSERT_EQ(rest.hits.size(), 1U);
  EXPECT_EQ(rest.hits[0].block[0], 6);
}

TEST_F(ShapeShotTest, ReflectsAtThePlaneOfABoxAndMayHitAnotherBoxOfTheBlock) {
  // An L: a floor and a wall, both half a block thick. The line comes down, and continues to the
  // wall.
  put(5, add("corner", BlockKind::kSolid,
             {{.min = {0, 0, 0}, .max = {65536, 16384, 65536}},
              {.min = {49152, 16384, 0}, .max = {65536, 65536, 65536}}}));
  const ShotResult down = shoot({5.125, 5.75, 5.5}, {6.125, 4.75, 5.5});
  ASSERT_EQ(down.hits.size(), 1U);
  EXPECT_EQ(faceName(down.hits[0].face), "+y");
  EXPECT_EQ(down.hits[0].plane, 16384U);
  const FixedSegment up = service_.reflect(down.segment, down.hits[0]).value();
  const ClosestHit next = service_.closestHit(up).value();
  ASSERT_TRUE(next.hit.has_value());
  EXPECT_EQ(next.hit->block, down.hits[0].block);
  EXPECT_EQ(faceName(next.hit->face), "-x");
  EXPECT_EQ(next.hit->plane, 49152U);
}

TEST_F(ShapeShotTest, AShotGoesOnWithTheShapeThatAnEffectPutsThere) {
  put(5, slab_);
  put(6, slab_);
  // The effect at block 5 replaces block 6: by a wall in its second half.
  ASSERT_TRUE(service_
                  .onBlockHit(slab_,
                              [&](const BlockHit& hit) {
                                if (hit.block[0] == 5) put(6, wall_);
                                return HitResponse::kContinue;
                              })
                  .ok());
  const ShotResult shot = shoot({0, 5.25, 5.5}, {10, 5.25, 5.5});
  ASSERT_EQ(shot.hits.size(), 2U);
  EXPECT_EQ(shot.hits[1].type, wall_);
  EXPECT_EQ(shot.hits[1].t, 0.65);
  EXPECT_TRUE(shot.terminated);
}

TEST_F(ShapeShotTest, AShapeThatAnEffectPutsAheadIsHitWhereTheLineEntersIt) {
  put(5, slab_);
  put(6, wall_);
  const BlockTypeId stone =
      world_.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid}).value();
  // The effect at block 5 fills the cube of block 6, whose shape the line would enter later.
  ASSERT_TRUE(service_
                  .onBlockHit(slab_,
                              [&](const BlockHit&) {
                                put(6, stone);
                                return HitResponse::kContinue;
                              })
                  .ok());
  const ShotResult shot = shoot({0, 5.25, 5.5}, {10, 5.25, 5.5});
  ASSERT_EQ(shot.hits.size(), 2U);
  EXPECT_EQ(shot.hits[1].type, stone);
  EXPECT_EQ(shot.hits[1].t, 0.6);
  EXPECT_TRUE(shot.terminated);
}

TEST_F(ShapeShotTest, ASolidShapeThatFillsItsCubeStillEndsTheShot) {
  put(5, wall_);
  const BlockTypeId stone =
      world_.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid}).value();
  ASSERT_TRUE(service_
                  .onBlockHit(wall_,
                              [&](const BlockHit&) {
                                put(5, stone);
                                return HitResponse::kAgain;
                              })
                  .ok());
  const ShotResult shot = shoot({0, 5.25, 5.5}, {10, 5.25, 5.5});
  ASSERT_EQ(shot.hits.size(), 1U);
  EXPECT_EQ(shot.hits[0].type, wall_);
  EXPECT_TRUE(shot.terminated);
}

TEST_F(ShapeShotTest, ACursorEndsAtASolidShapeThatFillsItsCube) {
  put(5, wall_);
  const BlockTypeId stone =
      world_.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid}).value();
  HitCursor cursor = *service_.hitsAlong(Segment{.from = {0, 5.25, 5.5}, .to = {10, 5.25, 5.5}});
  ASSERT_NE(*cursor.next(), nullptr);
  put(5, stone);
  EXPECT_EQ(*cursor.next(), nullptr);
}

TEST_F(ShapeShotTest, SpansBeginAndEndWithTheHit) {
  put(5, bars_);
  oracle::Rng rng("ShapeShotTest.Spans");
  std::vector<HitSpan> spans;
  const auto in = [&] { return 5 + static_cast<double>(rng.below(65537)) / 65536; };
  for (int i = 0; i < 2000; ++i) {
    const ShotResult shot = shoot({0, in(), in()}, {10, in(), in()});
    ASSERT_EQ(shot.hits.size(), 1U);
    ASSERT_TRUE(hitSpans(world_, shot.segment, shot.hits[0], {}, spans).ok());
    ASSERT_EQ(spans.front().t0, shot.hits[0].t);
    ASSERT_EQ(spans.back().t1, shot.hits[0].t_exit);
  }
}

TEST_F(ShapeShotTest, RefusesToResumeAfterAFaceThatPointsNowhere) {
  put(5, wall_);
  ShotResult shot = shoot({0.5, 5.25, 5.25}, {10.5, 5.25, 5.25});
  ASSERT_EQ(shot.hits.size(), 1U);
  shot.hits[0].face.sign = 0;
  EXPECT_EQ(service_.resume(shot).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ShapeShotTest, CompactHitsKeepThePlane) {
  put(5, wall_);
  const std::array lines = {Segment{.from = {0.5, 5.25, 5.25}, .to = {10.5, 5.25, 5.25}}};
  const CompactBatch batch = service_.closestHit<CompactBatch>(lines).value();
  ASSERT_EQ(batch.answers.size(), 1U);
  EXPECT_EQ(batch.answers[0].plane, 32768U);
  const Hit full = service_.fullHit({.line = lines[0]}, batch.answers[0]).value();
  const Hit single = service_.closestHit(lines[0])->hit.value();
  EXPECT_EQ(full.plane, single.plane);
  EXPECT_EQ(full.t_exit, single.t_exit);
  EXPECT_EQ(full.step, single.step);
}

TEST_F(ShapeShotTest, SearchesFindABlockByItsNearestBox) {
  put(5, bars_);
  const auto found = [&](const Vec3d& center, double radius) {
    return blocksInSphere(world_, center, radius).value();
  };
  EXPECT_TRUE(found({5.5, 5.5, 5.5}, 0.2).empty());
  const std::vector<FoundBlock> touching = found({5.5, 5.5, 5.5}, 0.25);
  ASSERT_EQ(touching.size(), 1U);
  EXPECT_EQ(touching[0].distance, 0.25);
  EXPECT_TRUE(blocksInBox(world_, {5.3, 5, 5}, {5.7, 6, 6})->empty());
  EXPECT_EQ(blocksInBox(world_, {5.3, 5, 5}, {5.75, 6, 6})->size(), 1U);
}

TEST_F(ShapeShotTest, AStartInTheEmptyPartOfACellIsOutside) {
  put(5, wall_);
  QueryOptions options;
  options.filter.skip_start_inside = true;
  const ShotResult from_gap = shoot({5.25, 5.5, 5.5}, {6.5, 5.5, 5.5}, options);
  ASSERT_EQ(from_gap.hits.size(), 1U);
  EXPECT_FALSE(from_gap.hits[0].start_inside);
  const ShotResult from_box = shoot({5.75, 5.5, 5.5}, {6.5, 5.5, 5.5});
  ASSERT_EQ(from_box.hits.size(), 1U);
  EXPECT_TRUE(from_box.hits[0].start_inside);
  EXPECT_TRUE(shoot({5.75, 5.5, 5.5}, {6.5, 5.5, 5.5}, options).hits.empty());
}

TEST_F(ShapeShotTest, ATestOfABigShapeCountsAStepForEach8Boxes) {
  std::vector<ShapeBox> boxes;
  for (std::uint32_t i = 0; i < 64; ++i)
    boxes.push_back({.min = {i * 1024, 0, 0}, .max = {i * 1024 + 512, 512, 512}});
  put(5, add("comb", BlockKind::kPermeable, boxes));
  const QueryStats with = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5}).stats;
  put(5, add("pin", BlockKind::kPermeable, {boxes[0]}));
  const QueryStats without = shoot({0, 5.5, 5.5}, {10, 5.5, 5.5}).stats;
  EXPECT_EQ(with.steps(), without.steps() + 8);
}

// Shapes of many boxes, which cost more steps than the first slice of a shot has.
class BigShapeStepsTest : public ShapeShotTest, public testing::WithParamInterface<int> {
 protected:
  BigShapeStepsTest() {
    std::vector<ShapeBox> boxes;
    for (std::uint32_t i = 0; i < 255; ++i)
      boxes.push_back({.min = {i * 256, 0, 0}, .max = {i * 256 + 128, 65536, 65536}});
    comb_ = add("comb", BlockKind::kPermeable, boxes);
    for (int i = 0; i < GetParam(); ++i)
      put(1 + i, comb_);
    put(14, stone_);
  }

  BlockTypeId comb_;
  BlockTypeId stone_ =
      world_.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid}).value();
};

TEST_P(BigShapeStepsTest, LimitedStepsLoseNoHit) {
  const Vec3d from{0, 5.5, 5.5};
  const Vec3d to{15, 5.5, 5.5};
  for (const bool has_entity : {false, true}) {
    if (has_entity) {
      ASSERT_TRUE(entities_.add({.id = 1, .position = {14.5, 5.5, 5.5}}).ok());
    }
    const ShotResult whole = shoot(from, to);
    ASSERT_TRUE(whole.terminated);
    ASSERT_EQ(whole.hits.back().type, stone_);
    const ShotResult limited = shoot(from, to, {.max_steps = 100'000});
    EXPECT_EQ(limited.hits.size(), whole.hits.size());
    EXPECT_TRUE(limited.terminated);
    // Each test of a shape counts once.
    EXPECT_LT(whole.stats.steps(), static_cast<std::uint64_t>(GetParam()) * 32 + 60);
    EXPECT_LT(limited.stats.steps(), static_cast<std::uint64_t>(GetParam()) * 32 + 60);
    EXPECT_TRUE(service_
                    .shootSegment({.from = from, .to = to}, LevelMask::all(),
                                  {.max_steps = whole.stats.steps()})
                    .ok());
  }
}
INSTANTIATE_TEST_SUITE_P(Blocks, BigShapeStepsTest, testing::Values(1, 2, 4, 12));

}  // namespace
}  // namespace fractalray
