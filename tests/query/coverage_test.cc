// SPDX-License-Identifier: Apache-2.0
// Checks which parts of a line are known, law by law (the numbers are those of coverage.h and
// loaded_path.h), in random worlds against the oracle.
#include "../../query/internal/search/coverage.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "../../core/internal/geometry/path_mask.h"
#include "../../query/internal/search/loaded_path.h"
#include "../oracle/exact.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/shot_oracle.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

const QueryOptions kOptions;

QueryContext contextOf(const oracle::RandomScene& scene, const FixedSegment& segment,
                       LevelMask levels) {
  return {.world = scene.world,
          .entities = scene.entities,
          .callbacks = nullptr,
          .options = kOptions,
          .levels = levels,
          .line = Line(segment)};
}

LevelMask someLevels(Rng& rng, int levels) {
  LevelMask mask;
  mask.add(rng.below(levels));
  if (rng.oneIn(2)) mask.add(rng.below(levels));
  return mask;
}

bool isLoadedAt(const World& world, LevelMask levels, const Vec3i& point) {
  for (int level = 0; level < world.frame().levels(); ++level) {
    if (levels.contains(level) &&
        world.chunk(level, world.frame().chunkAt(point, level)) != nullptr) {
      return true;
    }
  }
  return false;
}

class CoverageTest : public testing::Test {
 protected:
  // Calls `check(scene, segment, levels)` for random scenes, segments and masks.
  template <class Check>
  void forAll(std::string_view name, const Check& check) {
    Rng rng(name);
    for (int i = 0; i < 60; ++i) {
      const int levels = 1 + rng.below(3);
      const std::unique_ptr<oracle::RandomScene> scene = oracle::randomScene(rng, levels, 0, 5);
      for (int j = 0; j < 60; ++j)
        check(*scene, oracle::randomSegment(rng, *scene), someLevels(rng, levels), rng);
    }
  }
};

TEST_F(CoverageTest, Law1TheFirstUnknownTimeIsTheOracles) {
  int found = 0;
  forAll("CoverageTest.1", [&](const oracle::RandomScene& scene, const FixedSegment& segment,
                               LevelMask levels, Rng& /*rng*/) {
    QueryStats stats;
    const QueryContext context = contextOf(scene, segment, levels);
    const auto unknown = firstUnknown(context, HitTime(), HitTime(Fraction::one()), stats);
    ASSERT_TRUE(unknown.ok()) << unknown.status();
    const std::optional<oracle::Rational> expected =
        oracle::firstUnknown(scene.world, segment, levels);
    ASSERT_EQ(unknown->has_value(), expected.has_value() && *expected < 1);
    if (!unknown->has_value()) return;
    ++found;
    const Fraction t = (*unknown)->lowerBound();
    ASSERT_EQ(oracle::fraction(t.numerator, t.denominator), *expected);
  });
  EXPECT_GT(found, 500);
}

TEST_F(CoverageTest, Law2NoUnknownIsFoundAtTheEndOrLater) {
  forAll("CoverageTest.2", [&](const oracle::RandomScene& scene, const FixedSegment& segment,
                               LevelMask levels, Rng& rng) {
    const QueryContext context = contextOf(scene, segment, levels);
    const HitTime from(Fraction{rng.in(0, 16), 16});
    const HitTime end(Fraction{rng.in(0, 16), 16});
    QueryStats stats;
    const auto unknown = firstUnknown(context, from, end, stats);
    ASSERT_TRUE(unknown.ok()) << unknown.status();
    if (!unknown->has_value()) return;
    ASSERT_LT(**unknown, end);
    ASSERT_GE(**unknown, from);
  });
}

TEST_F(CoverageTest, Law3NothingOutsideTheBoundsIsLoaded) {
  int outside = 0;
  forAll("CoverageTest.3",
         [&](const oracle::RandomScene& scene, FixedSegment segment, LevelMask levels, Rng& rng) {
           if (rng.oneIn(2)) segment.end_time = rng.in(1, kWholeLine);
           const QueryContext context = contextOf(scene, segment, levels);
           if (!endsOutsideBounds(context)) return;
           ++outside;
           ASSERT_FALSE(isLoadedAt(scene.world, levels, context.line.endPosition()));
           if (context.line.isPoint()) return;
           const auto unknown = oracle::firstUnknown(scene.world, segment, levels);
           ASSERT_TRUE(unknown.has_value());
           ASSERT_LT(*unknown, oracle::fraction(segment.end_time, kWholeLine));
         });
  EXPECT_GT(outside, 100);
}

TEST_F(CoverageTest, Law4ALineThroughLoadedChunksOnlyHasNoUnknownPart) {
  int only_loaded = 0;
  forAll("CoverageTest.4", [&](const oracle::RandomScene& scene, const FixedSegment& segment,
                               LevelMask levels, Rng& /*rng*/) {
    for (int level = 0; level < scene.world.frame().levels(); ++level) {
      if (!levels.contains(level)) continue;
      if (!touchesOnlyLoaded(scene.world, PathMask(segment), level)) continue;
      ++only_loaded;
      const auto unknown = oracle::firstUnknown(scene.world, segment, LevelMask{level});
      ASSERT_TRUE(!unknown.has_value() || *unknown >= 1);
    }
  });
  EXPECT_GT(only_loaded, 50);
}

}  // namespace
}  // namespace fractalray::internal
