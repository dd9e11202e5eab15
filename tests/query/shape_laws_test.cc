// SPDX-License-Identifier: Apache-2.0
// Laws of shapes, S1 to S6, S10, S11 and S15, on random shapes of a block and lines through their
// corners and planes. S7 is in shape_expansion_test.cc, S8 and S9 are in shape_image_laws_test.cc,
// the others in shape_scene_laws_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../oracle/exact.h"
#include "../oracle/shape_oracle.h"
#include "shaped_block.h"
#include "shaped_world.h"

namespace fractalray::shape_laws_test {
namespace {

using oracle::Rng;
using Boxes = std::vector<ShapeBox>;
using Crossing = std::optional<ShapedBlock::Crossing>;

constexpr int kShapes = 1000;
constexpr int kLines = 20;  // for each shape

// Divides a box at a random plane; nothing if it is too thin.
std::optional<std::pair<ShapeBox, ShapeBox>> divided(Rng& rng, const ShapeBox& box) {
  const auto axis = static_cast<std::size_t>(rng.below(3));
  const std::uint32_t middle = (box.min[axis] + box.max[axis]) / 2;
  if (middle == box.min[axis]) return std::nullopt;
  ShapeBox lower = box;
  ShapeBox upper = box;
  lower.max[axis] = middle;
  upper.min[axis] = middle;
  return std::pair(lower, upper);
}

// Returns the same set of points as other boxes: some divided, one added inside another, all in
// another order.
Boxes rearranged(Rng& rng, const Boxes& boxes) {
  Boxes result;
  for (const ShapeBox& box : boxes) {
    const auto parts = divided(rng, box);
    if (!parts.has_value()) {
      result.push_back(box);
      continue;
    }
    result.insert(result.begin(), parts->second);
    result.push_back(parts->first);
    if (rng.oneIn(3)) result.push_back(rng.oneIn(2) ? box : parts->second);
  }
  std::rotate(result.begin(), result.begin() + rng.below(static_cast<int>(result.size())),
              result.end());
  return result;
}

// Calls `check` with lines near random shapes, until it fails.
template <class Check>
void forLines(const char* name, Check check) {
  Rng rng(name);
  for (int i = 0; i < kShapes; ++i) {
    const Boxes boxes = oracle::randomBoxes(rng);
    check(rng, boxes);
    if (testing::Test::HasFailure()) {
      FAIL() << "shape " << i << ":" << oracle::describe(boxes);
    }
  }
}

// Checks that two blocks are crossed alike.
void expectAlike(Rng& rng, const Boxes& near, const ShapedBlock& block, const ShapedBlock& other) {
  for (int i = 0; i < kLines; ++i) {
    const FixedSegment line = ShapedBlock::line(rng, near);
    for (const CornerPolicy policy : oracle::kPolicies) {
      const Crossing crossing = block.cross(line, policy);
      const Crossing expected = other.cross(line, policy);
      ASSERT_TRUE(isSame(crossing, expected))
          << textOf(crossing) << "\ninstead of " << textOf(expected) << "\n"
          << oracle::describe(line);
    }
  }
}

TEST(ShapeLawsTest, S1BoxesThatCoverTheCubeAnswerAsNoShape) {
  const ShapedBlock whole(std::nullopt);
  forLines("S1", [&](Rng& rng, const Boxes& boxes) {
    Boxes cover = {ShapeBox()};
    for (int times = rng.below(4); times >= 0; --times)
      cover = rearranged(rng, cover);
    cover.insert(cover.end(), boxes.begin(), boxes.end());
    expectAlike(rng, boxes, ShapedBlock(cover), whole);
  });
}

TEST(ShapeLawsTest, S2TheSamePointsInOtherBoxesAnswerAlike) {
  forLines("S2", [](Rng& rng, const Boxes& boxes) {
    expectAlike(rng, boxes, ShapedBlock(rearranged(rng, boxes)), ShapedBlock(boxes));
  });
}

TEST(ShapeLawsTest, S3AnEmptyShapeIsTheKindEmpty) {
  constexpr int kWorlds = 100;
  Rng rng("S3");
  int hits = 0;
  int passed = 0;  // lines that nothing ends any more
  for (int number = 0; number < kWorlds; ++number) {
    const std::vector<shaped_world::Block> blocks = shaped_world::randomBlocks(rng, 5, 7);
    std::vector<shaped_world::Block> without_boxes = blocks;
    std::vector<shaped_world::Block> of_kind_empty = blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (rng.oneIn(2)) continue;
      without_boxes[i].boxes.clear();
      of_kind_empty[i].kind = BlockKind::kEmpty;
    }
    shaped_world::ShapedWorld full(1);
    shaped_world::ShapedWorld shaped(1);
    shaped_world::ShapedWorld empty(1);
    for (shaped_world::ShapedWorld* const scene : {&full, &shaped, &empty})
      scene->load(0, {0, 0, 0});
    full.put(0, blocks);
    shaped.put(0, without_boxes);
    empty.put(0, of_kind_empty);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = shaped_world::lineAmong(rng, blocks, 16);
      for (const CornerPolicy policy : oracle::kPolicies) {
        const ShotResult shot = shaped.shoot(line, policy);
        ASSERT_EQ(oracle::difference(shot, empty.shoot(line, policy)), "") << number;
        ASSERT_EQ(shaped.sight(line, policy), empty.sight(line, policy)) << number;
        hits += shot.hits.empty() ? 0 : 1;
        passed += full.shoot(line, policy).terminated && !shot.terminated ? 1 : 0;
      }
    }
  }
  EXPECT_GT(hits, kWorlds * kLines / 2);
  EXPECT_GT(passed, kWorlds * kLines / 20);
}

TEST(ShapeLawsTest, S4AHitLiesWithinTheVisitOfTheCell) {
  const ShapedBlock whole(std::nullopt);
  int hits = 0;
  forLines("S4", [&](Rng& rng, const Boxes& boxes) {
    const ShapedBlock block(boxes);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = ShapedBlock::line(rng, boxes);
      for (const CornerPolicy policy : oracle::kPolicies) {
        const Crossing crossing = block.cross(line, policy);
        if (!crossing.has_value()) continue;
        ++hits;
        const Crossing cell = whole.cross(line, policy);
        ASSERT_TRUE(cell.has_value()) << oracle::describe(line);
        EXPECT_LE(cell->hit.t, crossing->hit.t) << oracle::describe(line);
        EXPECT_LE(crossing->hit.t, crossing->hit.t_exit) << oracle::describe(line);
        EXPECT_LE(crossing->hit.t_exit, cell->hit.t_exit) << oracle::describe(line);
      }
    }
  });
  EXPECT_GT(hits, kShapes * kLines / 3);
}

TEST(ShapeLawsTest, S5WhatHitsAShapeHitsAnyAroundItNoLater) {
  int hits = 0;
  forLines("S5", [&](Rng& rng, const Boxes& boxes) {
    Boxes inner = rearranged(rng, boxes);
    inner.resize(1 + static_cast<std::size_t>(rng.below(static_cast<int>(inner.size()))));
    const ShapedBlock inside(inner);
    const ShapedBlock around(boxes);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = ShapedBlock::line(rng, boxes);
      for (const CornerPolicy policy : oracle::kPolicies) {
        const Crossing crossing = inside.cross(line, policy);
        if (!crossing.has_value()) continue;
        ++hits;
        const Crossing outer = around.cross(line, policy);
        ASSERT_TRUE(outer.has_value()) << oracle::describe(line);
        EXPECT_LE(outer->hit.t, crossing->hit.t) << oracle::describe(line);
        EXPECT_GE(outer->hit.t_exit, crossing->hit.t_exit) << oracle::describe(line);
      }
    }
  });
  EXPECT_GT(hits, kShapes * kLines / 3);
}

// Returns the union of two lists of spans.
std::vector<HitSpan> merged(std::vector<HitSpan> spans, const std::vector<HitSpan>& others) {
  spans.insert(spans.end(), others.begin(), others.end());
  std::sort(spans.begin(), spans.end(),
            [](const HitSpan& a, const HitSpan& b) { return a.t0 < b.t0; });
  std::vector<HitSpan> result;
  for (const HitSpan& span : spans) {
    if (result.empty() || result.back().t1 < span.t0) {
      result.push_back(span);
    } else {
      result.back().t1 = std::max(result.back().t1, span.t1);
    }
  }
  return result;
}

TEST(ShapeLawsTest, S6AUnionIsHitWhereOneOfItsPartsIs) {
  int both = 0;
  forLines("S6", [&](Rng& rng, const Boxes& boxes) {
    const Boxes others = oracle::randomBoxes(rng);
    Boxes all = boxes;
    all.insert(all.end(), others.begin(), others.end());
    const ShapedBlock a(boxes);
    const ShapedBlock b(others);
    const ShapedBlock ab(all);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = ShapedBlock::line(rng, all);
      for (const CornerPolicy policy : oracle::kPolicies) {
        const Crossing of_a = a.cross(line, policy);
        const Crossing of_b = b.cross(line, policy);
        const Crossing of_ab = ab.cross(line, policy);
        ASSERT_EQ(of_ab.has_value(), of_a.has_value() || of_b.has_value())
            << oracle::describe(line);
        if (!of_a.has_value() || !of_b.has_value()) continue;
        ++both;
        EXPECT_EQ(of_ab->hit.t, std::min(of_a->hit.t, of_b->hit.t)) << oracle::describe(line);
        EXPECT_EQ(of_ab->spans, merged(of_a->spans, of_b->spans)) << oracle::describe(line);
      }
    }
  });
  EXPECT_GT(both, kShapes * kLines / 5);
}

TEST(ShapeLawsTest, S10PoliciesThatVisitMoreHitNoLater) {
  int only_both = 0;
  forLines("S10", [&](Rng& rng, const Boxes& boxes) {
    const ShapedBlock block(boxes);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = ShapedBlock::line(rng, boxes);
      // The policies are in this order.
      Crossing less;
      for (const CornerPolicy policy : oracle::kPolicies) {
        const Crossing more = block.cross(line, policy);
        ASSERT_TRUE(more.has_value() || !less.has_value()) << oracle::describe(line);
        if (less.has_value()) {
          EXPECT_LE(more->hit.t, less->hit.t) << oracle::describe(line);
        }
        const bool is_new = more.has_value() && !less.has_value();
        only_both += is_new && policy == CornerPolicy::kBoth ? 1 : 0;
        less = more;
      }
    }
  });
  EXPECT_GT(only_both, kShapes * kLines / 150);
}

// Returns the part of a line in the closed box of a shape.
std::optional<oracle::BoxPart> partIn(const FixedSegment& line, const ShapeBox& box) {
  Vec3i min;
  Vec3i max;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    min[axis] = ShapedBlock::kCorner[axis] + box.min[i];
    max[axis] = ShapedBlock::kCorner[axis] + box.max[i];
  }
  return oracle::partInBox(line, min, max);
}

// Returns true if a line has a part in the interior of a box.
bool goesThroughInterior(const FixedSegment& line, const ShapeBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int64_t at = line.from[axis] - ShapedBlock::kCorner[axis];
    const bool is_in_face = at == box.min[i] || at == box.max[i];
    if (line.to[axis] == line.from[axis] && is_in_face) return false;
  }
  const auto part = partIn(line, box);
  return part.has_value() && part->enter < part->exit;
}

TEST(ShapeLawsTest, S11ClosedBoxesBoundAShape) {
  int through = 0;
  forLines("S11", [&](Rng& rng, const Boxes& boxes) {
    const ShapedBlock block(boxes);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = ShapedBlock::line(rng, boxes);
      const bool must_hit = std::any_of(boxes.begin(), boxes.end(), [&](const ShapeBox& box) {
        return goesThroughInterior(line, box);
      });
      through += must_hit ? 1 : 0;
      for (const CornerPolicy policy : oracle::kPolicies) {
        const Crossing crossing = block.cross(line, policy);
        ASSERT_TRUE(crossing.has_value() || !must_hit) << oracle::describe(line);
        if (!crossing.has_value()) continue;
        const bool touches = std::any_of(boxes.begin(), boxes.end(), [&](const ShapeBox& box) {
          const auto part = partIn(line, box);
          return part.has_value() && oracle::toDouble(part->enter) <= crossing->hit.t + 1e-15 &&
                 crossing->hit.t <= oracle::toDouble(part->exit) + 1e-15;
        });
        EXPECT_TRUE(touches) << oracle::describe(line);
      }
    }
  });
  EXPECT_GT(through, kShapes * kLines / 12);
}

// Returns a line that starts on the upper face of a box, on an axis, and leaves it or runs along.
FixedSegment lineFromTop(Rng& rng, const ShapeBox& box, int axis) {
  FixedSegment line{.from = ShapedBlock::kCorner, .to = ShapedBlock::kCorner};
  for (int other = 0; other < 3; ++other) {
    const auto i = static_cast<std::size_t>(other);
    if (other == axis) {
      line.from[other] += box.max[i];
      line.to[other] = line.from[other] + rng.pick<std::int64_t>({0, 1, 20'000, 100'000});
    } else {
      line.from[other] += rng.oneIn(3) ? box.min[i] : rng.in(box.min[i], box.max[i] - 1);
      line.to[other] = line.from[other] + rng.pick<std::int64_t>({-100'000, -1, 0, 1, 70'000});
    }
  }
  return line;
}

// Returns true if one of the boxes owns a point.
bool owns(const Boxes& boxes, const Vec3i& point) {
  return std::any_of(boxes.begin(), boxes.end(), [&](const ShapeBox& box) {
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      const std::int64_t at = point[axis] - ShapedBlock::kCorner[axis];
      is_inside = is_inside && box.min[i] <= at && at < box.max[i];
    }
    return is_inside;
  });
}

// The box is not there, for such a line: alone it is not hit, and among others it changes nothing.
TEST(ShapeLawsTest, S15LinesFromAnUpperFaceNeitherStartInsideNorHitIt) {
  int owned = 0;
  int hits = 0;  // of other boxes, from starts that none of them owns
  forLines("S15", [&](Rng& rng, const Boxes& boxes) {
    const ShapeBox& box = boxes.front();
    const Boxes others(boxes.begin() + 1, boxes.end());
    const ShapedBlock alone(Boxes{box});
    const ShapedBlock among_others(boxes);
    const ShapedBlock without_it(others);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineFromTop(rng, box, rng.below(3));
      const bool is_owned = owns(others, line.from);
      owned += is_owned ? 1 : 0;
      for (const CornerPolicy policy : oracle::kPolicies) {
        EXPECT_FALSE(alone.cross(line, policy).has_value()) << oracle::describe(line);
        const Crossing crossing = among_others.cross(line, policy);
        const Crossing expected = without_it.cross(line, policy);
        EXPECT_TRUE(isSame(crossing, expected))
            << textOf(crossing) << "\ninstead of " << textOf(expected) << "\n"
            << oracle::describe(line);
        const bool starts_inside = crossing.has_value() && crossing->hit.start_inside;
        EXPECT_EQ(starts_inside, is_owned) << oracle::describe(line);
        hits += crossing.has_value() && !is_owned ? 1 : 0;
      }
    }
  });
  EXPECT_GT(owned, kShapes * kLines / 20);
  EXPECT_GT(hits, kShapes * kLines / 10);
}

}  // namespace
}  // namespace fractalray::shape_laws_test
