// SPDX-License-Identifier: Apache-2.0
#include "../../levels/internal/shape_crossing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "../../core/units.h"
#include "../oracle/exact.h"
#include "../oracle/random_shape.h"
#include "../oracle/rng.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/shot_compare.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::internal {
namespace {

using oracle::kPolicies;
using oracle::Rational;
using oracle::Rng;

std::string textOf(const FixedSegment& segment, const std::vector<ShapeBox>& boxes) {
  return oracle::describe(segment) + "; boxes:" + oracle::describe(boxes);
}

Rational rationalOf(const Fraction& time) {
  return oracle::fraction(time.numerator, time.denominator);
}

// Compares a crossing and its spans with those of the definition.
void expectAsDefined(const FixedSegment& segment, CornerPolicy policy,
                     const std::vector<ShapeBox>& boxes, const Vec3i& block, int shift) {
  const PlacedShape shape{.boxes = boxes, .block = block, .shift = shift};
  const Line line(segment);
  const std::optional<ShapeCrossing> crossing = crossShape(line, policy, shape);
  const Vec3i corner{block[0] << shift, block[1] << shift, block[2] << shift};
  const std::optional<oracle::ShapeVisit> expected =
      oracle::visitShape(segment, policy, boxes, corner, std::int64_t{1} << shift);
  SCOPED_TRACE(textOf(segment, boxes) + " policy " + std::to_string(static_cast<int>(policy)));
  ASSERT_EQ(crossing.has_value(), expected.has_value());
  TimeIntervals spans;
  shapeSpans(line, policy, shape, spans);
  if (!crossing.has_value()) {
    EXPECT_TRUE(spans.empty());
    return;
  }
  EXPECT_EQ(rationalOf(crossing->enter), expected->t);
  EXPECT_EQ(rationalOf(crossing->leave), expected->t_exit);
  EXPECT_EQ(crossing->start_inside, expected->start_inside);
  EXPECT_EQ(crossing->face, expected->face);
  ASSERT_EQ(spans.size(), expected->spans.size());
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(rationalOf(spans[i].from), expected->spans[i].first);
    EXPECT_EQ(rationalOf(spans[i].to), expected->spans[i].second);
  }
  if (crossing->start_inside) return;
  // The plane is where the line is at that time.
  const int axis = crossing->face.axis;
  const Rational at =
      Rational(segment.from[axis]) + expected->t * Rational(segment.to[axis] - segment.from[axis]);
  EXPECT_EQ(at, Rational(corner[axis] + (std::int64_t{crossing->plane} << (shift - 16))));
}

TEST(ShapeCrossingTest, AnswersAsTheDividedBlockDoes) {
  Rng rng("ShapeCrossingTest");
  int visited = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::vector<ShapeBox> boxes = oracle::randomBoxes(rng);
    const int shift = rng.pick({16, 20, 52});
    const Vec3i block{rng.in(-2, 2), rng.in(-2, 2), rng.in(-2, 2)};
    const Vec3i corner{block[0] << shift, block[1] << shift, block[2] << shift};
    const oracle::ShapeAt at{.boxes = boxes, .corner = corner, .shift = shift};
    const FixedSegment segment = oracle::randomLine(rng, at, at);
    for (const CornerPolicy policy : kPolicies) {
      expectAsDefined(segment, policy, boxes, block, shift);
      if (HasFatalFailure()) return;
    }
    visited += crossShape(Line(segment), CornerPolicy::kBoth,
                          {.boxes = boxes, .block = block, .shift = shift})
                       .has_value()
                   ? 1
                   : 0;
  }
  EXPECT_GT(visited, 1200);
}

TEST(ShapeCrossingTest, AnswersReflectedLinesAsTheDividedBlockDoes) {
  Rng rng("ReflectedShapeCrossingTest");
  int reflections = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::vector<ShapeBox> boxes = oracle::randomBoxes(rng);
    constexpr int kShift = 16;
    FixedSegment segment = oracle::randomLine(rng, {.boxes = boxes}, {.boxes = boxes});
    for (int times = 0; times < 2; ++times) {
      const int axis = rng.below(3);
      const auto i_axis = static_cast<std::size_t>(axis);
      const std::int64_t plane = rng.oneIn(2) ? boxes[0].min[i_axis] : boxes[0].max[i_axis];
      const auto image = oracle::reflectedIn(segment, axis, plane);
      if (!image.has_value()) continue;
      segment = *image;
      ++reflections;
    }
    for (const CornerPolicy policy : kPolicies) {
      expectAsDefined(segment, policy, boxes, {}, kShift);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(reflections, 1000);
}

TEST(ShapeCrossingTest, ALineAlongTheTopOfASlabIsClearAndOneAlongItsUndersideIsNot) {
  const std::array slab = {ShapeBox{.min = {0, 16384, 0}, .max = {65536, 32768, 65536}}};
  const auto crosses = [&](std::int64_t y) {
    const FixedSegment segment{.from = {-100, y, 50}, .to = {70000, y, 50}};
    return crossShape(Line(segment), CornerPolicy::kBoth, {.boxes = slab, .shift = 16}).has_value();
  };
  EXPECT_FALSE(crosses(32768));
  EXPECT_TRUE(crosses(32767));
  EXPECT_TRUE(crosses(16384));
  EXPECT_FALSE(crosses(16383));
}

}  // namespace
}  // namespace fractalray::internal
