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
#include "../oracle/rng.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::internal {
namespace {

using oracle::Rational;
using oracle::Rng;

constexpr std::array kPolicies = {CornerPolicy::kNeither, CornerPolicy::kBoth,
                                  CornerPolicy::kStaircase};

std::vector<ShapeBox> randomBoxes(Rng& rng) {
  // Few coordinates, so that faces of boxes touch each other and those of the cube.
  const std::int64_t grid = rng.pick<std::int64_t>({2, 4, 16, 65536});
  std::vector<ShapeBox> boxes(static_cast<std::size_t>(rng.in(1, 5)));
  for (ShapeBox& box : boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t a = rng.in(0, grid - 1);
      const std::int64_t b = rng.in(a + 1, grid);
      box.min[axis] = static_cast<std::uint32_t>(a * (65536 / grid));
      box.max[axis] = static_cast<std::uint32_t>(b * (65536 / grid));
    }
  }
  return boxes;
}

// Returns a point in or around the block, often exactly in a plane of a box.
Vec3i randomPoint(Rng& rng, const std::vector<ShapeBox>& boxes, const Vec3i& corner, int shift) {
  Vec3i point;
  const std::int64_t width = std::int64_t{1} << shift;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const ShapeBox& box =
        boxes[static_cast<std::size_t>(rng.below(static_cast<int>(boxes.size())))];
    switch (rng.below(5)) {
      case 0:
        point[axis] = corner[axis] + (std::int64_t{box.min[i]} << (shift - 16));
        break;
      case 1:
        point[axis] = corner[axis] + (std::int64_t{box.max[i]} << (shift - 16));
        break;
      case 2:
        point[axis] = corner[axis] + rng.in(-1, 2) * width;
        break;
      case 3:
        point[axis] = corner[axis] + rng.in(-4, 8) * (width / 4) + rng.in(-1, 1);
        break;
      default:
        point[axis] = corner[axis] + rng.in(-width, 2 * width);
    }
  }
  return point;
}

FixedSegment randomLine(Rng& rng, const std::vector<ShapeBox>& boxes, const Vec3i& corner,
                        int shift) {
  FixedSegment segment{.from = randomPoint(rng, boxes, corner, shift),
                       .to = randomPoint(rng, boxes, corner, shift)};
  if (rng.oneIn(4)) {  // through a corner of a box, with whole steps to both sides
    const Vec3i through = segment.to;
    const Vec3i step = through - segment.from;
    segment.to = through + step;
  }
  return segment;
}

std::string textOf(const FixedSegment& segment, const std::vector<ShapeBox>& boxes) {
  std::ostringstream text;
  for (const Vec3i& point : {segment.from, segment.to})
    text << point[0] << " " << point[1] << " " << point[2] << "; ";
  text << "begin " << int{segment.begin.axes} << " at " << segment.begin.plane << "; boxes:";
  for (const ShapeBox& box : boxes) {
    text << " [" << box.min[0] << " " << box.min[1] << " " << box.min[2] << " - " << box.max[0]
         << " " << box.max[1] << " " << box.max[2] << "]";
  }
  return text.str();
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
    const std::vector<ShapeBox> boxes = randomBoxes(rng);
    const int shift = rng.pick({16, 20, 52});
    const Vec3i block{rng.in(-2, 2), rng.in(-2, 2), rng.in(-2, 2)};
    const Vec3i corner{block[0] << shift, block[1] << shift, block[2] << shift};
    const FixedSegment segment = randomLine(rng, boxes, corner, shift);
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
    const std::vector<ShapeBox> boxes = randomBoxes(rng);
    constexpr int kShift = 16;
    FixedSegment segment = randomLine(rng, boxes, {}, kShift);
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

TEST(ShapeCrossingTest, NeitherOrderNorSplitNorInnerBoxesMatter) {
  Rng rng("ShapeCrossingTest.split");
  for (int i = 0; i < 3000; ++i) {
    std::vector<ShapeBox> boxes = randomBoxes(rng);
    const FixedSegment segment = randomLine(rng, boxes, {}, 16);
    std::vector<ShapeBox> split;
    for (const ShapeBox& box : boxes) {
      const auto axis = static_cast<std::size_t>(rng.below(3));
      ShapeBox lower = box;
      ShapeBox upper = box;
      const std::uint32_t middle = (box.min[axis] + box.max[axis]) / 2;
      if (middle == box.min[axis]) continue;
      lower.max[axis] = middle;
      upper.min[axis] = middle;
      split.insert(split.begin(), upper);
      split.push_back(lower);
    }
    if (split.size() != 2 * boxes.size()) continue;
    split.push_back(boxes.front());
    for (const CornerPolicy policy : kPolicies) {
      SCOPED_TRACE(textOf(segment, boxes));
      const auto whole = crossShape(Line(segment), policy, {.boxes = boxes, .shift = 16});
      const auto parts = crossShape(Line(segment), policy, {.boxes = split, .shift = 16});
      ASSERT_EQ(whole.has_value(), parts.has_value());
      if (!whole.has_value()) continue;
      EXPECT_EQ(whole->enter, parts->enter);
      EXPECT_EQ(whole->leave, parts->leave);
      EXPECT_EQ(whole->face, parts->face);
      EXPECT_EQ(whole->start_inside, parts->start_inside);
    }
  }
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
