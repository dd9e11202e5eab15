// SPDX-License-Identifier: Apache-2.0
// Checks that the filter of pages refuses no entity that the line hits, whatever the line, the
// shape and the position; that it refuses most others; and that it is the same on all machines.
#include "../../entities/internal/entity_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "../../core/frame.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/internal/geometry/path_mask.h"
#include "../../core/internal/tree64/area_map.h"
#include "../../entities/internal/entity_chunks.h"
#include "../../entities/internal/shape_geometry.h"
#include "../../entities/shape.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::mostSteps;
using oracle::Rng;

// How often the tests are repeated: more if FRACTALRAY_LONG_TESTS is set.
int scaled(int count) {
  return oracle::isLongRun() ? 30 * count : count;
}

struct Thing {
  FixedShape shape;
  Vec3i position{};
};

std::string describe(const FixedSegment& segment, const Thing& thing, const ChunkCoord& chunk,
                     int shift) {
  std::string text = thing.shape.kind == FixedShape::Kind::kSphere ? "sphere" : "box";
  const auto append = [&](const char* name, const auto& v) {
    text += std::string(" ") + name;
    for (int axis = 0; axis < 3; ++axis)
      text += " " + std::to_string(v[axis]);
  };
  append("half extents", thing.shape.half_extents);
  append("at", thing.position);
  append("from", segment.from);
  append("to", segment.to);
  append("chunk", chunk);
  return text + " of 2^" + std::to_string(shift) + " units";
}

// A line, and the data that a page needs of it in a chunk.
class Filtered {
 public:
  Filtered(const FixedSegment& segment, int shift)
      : line_(segment), path_(segment), pages_(path_, shift), shift_(shift) {}

  const Line& line() const { return line_; }

  // Returns true if the line is in the closed region of a chunk, for which the filter may be used.
  bool isInRegionOf(const ChunkCoord& chunk) const {
    const std::int64_t width = std::int64_t{4} << shift_;
    const Vec3i min = Vec3i{chunk[0] >> 2, chunk[1] >> 2, chunk[2] >> 2} * width;
    return line_.clip(min, min + Vec3i{width, width, width}).has_value();
  }
  std::uint32_t near(const EntityPage& page, const ChunkCoord& chunk) const {
    const Vec3i region = path_.mirrored(Vec3i{chunk[0] >> 2, chunk[1] >> 2, chunk[2] >> 2});
    const Vec3i corner = region * (std::int64_t{4} << shift_) - path_.start();
    const int slot = slotInRegion(chunk) ^ static_cast<int>(path_.flip());
    return pages_.near(page, pages_.inChunk(pages_.inRegion(corner), slot));
  }

 private:
  Line line_;
  PathMask path_;
  PageLineFilter pages_;
  int shift_;
};

PageSphere sphereOf(const Thing& thing, const ChunkCoord& chunk, int shift) {
  return {pageCenter(thing.position, chunk, shift), pageRadius(thing.shape, shift)};
}

// Makes things that look for trouble with pages of chunks of one width, and lines that look for
// them.
class Trouble {
 public:
  Trouble(Rng& rng, int shift) : rng_(rng), shift_(shift) {}

  Thing thing() {
    const std::int64_t width = std::int64_t{1} << shift_;
    Thing thing;
    const auto half = [&] {
      return rng_.pick({std::int64_t{0}, std::int64_t{1}, width / 16, width / 2, width - 1,
                        rng_.in(0, 1000), rng_.in(0, width / 8), rng_.in(0, width - 1)});
    };
    thing.shape.half_extents = {half(), half(), half()};
    if (rng_.oneIn(2)) {
      thing.shape.kind = FixedShape::Kind::kBox;
      if (rng_.oneIn(4)) thing.shape.half_extents = {width - 1, width - 1, width - 1};
    } else {
      const std::int64_t radius = thing.shape.half_extents[0];
      thing.shape.half_extents = {radius, radius, radius};
    }
    const int where = rng_.below(4);
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t limit = kMaxCoordinate - thing.shape.half_extents[axis];
      std::int64_t at = rng_.in(-4 * width, 4 * width);
      if (where == 1) at = rng_.pick({limit, -limit, limit / 3, -limit / 7}) + rng_.in(0, width);
      if (where == 2) at = rng_.in(-limit, limit);
      // On a corner of chunks, or close to one; in the middle of one.
      if (rng_.oneIn(3)) at = at >> shift_ << shift_;
      if (rng_.oneIn(6)) at = (at >> shift_ << shift_) + width / 2;
      if (rng_.oneIn(4)) at += rng_.pick<std::int64_t>({-1, 1, 127, -128});
      thing.position[axis] = std::clamp(at, -limit, limit);
    }
    return thing;
  }

  // Returns a line that is as long as possible and touches the thing at one point.
  FixedSegment touchingFromAfar(Thing& thing) {
    const auto [touch, along] = tangent(thing);
    return {touch - along * mostSteps(touch, along * -1), touch + along * mostSteps(touch, along)};
  }
  // Returns a line that hits the thing, mostly just so; may make the radius a little smaller for
  // it.
  FixedSegment hitting(Thing& thing) {
    const auto [touch, along] = rng_.oneIn(3) ? tangent(thing) : through(thing);
    const std::int64_t back = mostSteps(touch, along * -1);
    const std::int64_t forth = mostSteps(touch, along);
    const auto steps = [&](std::int64_t most) {
      return std::min(most, rng_.pick({std::int64_t{0}, std::int64_t{1}, most, most / 2,
                                       rng_.in(0, 100), std::int64_t{1} << rng_.in(0, 61)}));
    };
    return {touch - along * steps(back), touch + along * steps(forth)};
  }

 private:
  struct Way {
    Vec3i point;
    Vec3i along;
  };

  // Takes a point of the surface or of the inside.
  Way through(const Thing& thing) {
    Way way{thing.position, {}};
    const Vec3i& half = thing.shape.half_extents;
    const bool is_box = thing.shape.kind == FixedShape::Kind::kBox;
    if (is_box) {  // a corner, an edge, a face or any point
      for (int axis = 0; axis < 3; ++axis) {
        way.point[axis] +=
            rng_.oneIn(3) ? rng_.in(-half[axis], half[axis]) : rng_.pick({half[axis], -half[axis]});
      }
    } else if (!rng_.oneIn(4)) {  // where the sphere touches its box
      const int axis = rng_.below(3);
      way.point[axis] += rng_.pick({half[axis], -half[axis]});
    }
    const int kind = rng_.below(6);
    for (int axis = 0; axis < 3; ++axis) {
      if (kind == 0) way.along[axis] = rng_.in(-1, 1);
      if (kind == 1) way.along[axis] = rng_.pick<std::int64_t>({-1, 1});
      if (kind == 2) way.along[axis] = rng_.in(-9, 9);
      if (kind == 3) way.along[axis] = rng_.in(-1'000'000, 1'000'000);
      if (kind == 4) way.along[axis] = rng_.pick<std::int64_t>({-1, 1}) << rng_.in(0, 40);
    }
    if (kind == 5) way.along[rng_.below(3)] = rng_.pick<std::int64_t>({-1, 1});
    return way;
  }

  // Touches a sphere at one point, by a Pythagorean triple, or a box at a corner.
  Way tangent(Thing& thing) {
    Way way{thing.position, {}};
    const int x = rng_.below(3);
    const int y = (x + 1 + rng_.below(2)) % 3;
    const std::int64_t u = rng_.in(2, 60);
    const std::int64_t v = rng_.in(1, u - 1);
    Vec3i legs{};
    legs[x] = (u * u - v * v) * rng_.pick<std::int64_t>({-1, 1});
    legs[y] = 2 * u * v * rng_.pick<std::int64_t>({-1, 1});
    way.along[x] = legs[y];
    way.along[y] = -legs[x];
    if (thing.shape.kind == FixedShape::Kind::kBox) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t half = thing.shape.half_extents[axis];
        way.point[axis] += legs[axis] < 0 ? -half : half;
      }
      return way;
    }
    const std::int64_t hypotenuse = u * u + v * v;
    const std::int64_t times = thing.shape.radius() / hypotenuse;
    const std::int64_t radius = times * hypotenuse;
    thing.shape.half_extents = {radius, radius, radius};
    way.point = way.point + legs * times;
    return way;
  }

  Rng& rng_;
  int shift_;
};

TEST(EntityPageTest, TheFilterRefusesNothingThatIsHit) {
  Rng rng("EntityPageTest.Refuses");
  int hit = 0;
  int tested = 0;
  for (int levels = 1; levels <= kMaxLevels; ++levels) {
    for (int level = 0; level < levels; ++level) {
      const int shift = Frame(levels).chunkShift(level);
      Trouble trouble(rng, shift);
      for (int i = 0; i < scaled(4000); ++i) {
        Thing thing = trouble.thing();
        const Filtered filtered(trouble.hitting(thing), shift);
        if (!internal::intersect(filtered.line(), thing.shape, thing.position).has_value())
          continue;
        ++hit;
        for (const ChunkCoord& chunk : overlappedChunks(thing.shape, thing.position, shift)) {
          if (!filtered.isInRegionOf(chunk)) continue;
          EntityPage page;
          const auto lane = static_cast<std::uint32_t>(rng.below(EntityPage::kLanes));
          page.set(lane, sphereOf(thing, chunk, shift));
          ASSERT_EQ(filtered.near(page, chunk), 1U << lane)
              << describe(filtered.line().segment(), thing, chunk, shift);
          ++tested;
        }
      }
    }
  }
  EXPECT_GT(hit, scaled(55 * 4000) * 9 / 10) << "too few of the lines hit what they look for";
  EXPECT_GT(tested, 2 * hit);
}

// The errors of doubles are largest here.
TEST(EntityPageTest, TheFilterRefusesNothingOnTheLongestLines) {
  Rng rng("EntityPageTest.Longest");
  const int shift = Frame(1).chunkShift(0);
  Trouble trouble(rng, shift);
  int far = 0;
  for (int i = 0; i < scaled(100000); ++i) {
    Thing thing = trouble.thing();
    const Filtered filtered(trouble.touchingFromAfar(thing), shift);
    ASSERT_TRUE(internal::intersect(filtered.line(), thing.shape, thing.position).has_value());
    for (const ChunkCoord& chunk : overlappedChunks(thing.shape, thing.position, shift)) {
      if (!filtered.isInRegionOf(chunk)) continue;
      EntityPage page;
      page.set(0, sphereOf(thing, chunk, shift));
      ASSERT_EQ(filtered.near(page, chunk), 1U)
          << describe(filtered.line().segment(), thing, chunk, shift);
    }
    const Vec3i to_start = filtered.line().from() - thing.position;
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(to_start[axis]) <= kMaxCoordinate / 2) continue;
      ++far;
      break;
    }
  }
  EXPECT_GT(far, scaled(100000) / 3);
}

// Tests a whole page of things at a time, on lines made without regard to them.
TEST(EntityPageTest, TheFilterRefusesNoHitOfAWholePage) {
  Rng rng("EntityPageTest.Page");
  int hit = 0;
  for (int round = 0; round < scaled(40000); ++round) {
    const int shift = Frame(kMaxLevels).chunkShift(rng.below(kMaxLevels));
    const std::int64_t width = std::int64_t{1} << shift;
    const std::int64_t far = (kMaxCoordinate >> shift) - 4;
    ChunkCoord chunk;
    FixedSegment segment;
    for (int axis = 0; axis < 3; ++axis) {
      chunk[axis] = rng.pick({std::int64_t{0}, std::int64_t{-1}, far, -far, rng.in(-far, far)});
      segment.from[axis] = chunk[axis] * width + rng.in(-2 * width, 3 * width);
      segment.to[axis] = chunk[axis] * width + rng.in(-2 * width, 3 * width);
    }
    const Filtered filtered(segment, shift);
    if (!filtered.isInRegionOf(chunk)) continue;
    EntityPage page;
    std::array<Thing, EntityPage::kLanes> things;
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i) {
      Thing& thing = things[i];
      thing.shape.kind = rng.oneIn(2) ? FixedShape::Kind::kBox : FixedShape::Kind::kSphere;
      const std::int64_t half = rng.in(0, width - 1) / rng.pick<std::int64_t>({1, 4, 16, 64});
      thing.shape.half_extents = {half, half, half};
      for (int axis = 0; axis < 3; ++axis)
        thing.position[axis] = chunk[axis] * width + rng.in(0, width);
      page.set(i, sphereOf(thing, chunk, shift));
      if (internal::intersect(filtered.line(), thing.shape, thing.position).has_value())
        expected |= 1U << i;
    }
    const std::uint32_t near = filtered.near(page, chunk);
    ASSERT_EQ(near & expected, expected) << "round " << round;
    hit += expected != 0 ? 1 : 0;
  }
  EXPECT_GT(hit, scaled(40000) / 10);
}

// Counts, for lines through a chunk from side to side and things that are small for it, how many
// more are near than are hit.
struct Selectivity {
  int tested = 0;
  int near = 0;
  int hit = 0;
};
Selectivity selectivity(std::string_view name, int shift, FixedShape::Kind kind, int part,
                        std::int64_t chunks_long) {
  Rng rng(name);
  Selectivity seen;
  const std::int64_t width = std::int64_t{1} << shift;
  for (int round = 0; round < 20000; ++round) {
    const Vec3i inside{rng.in(0, width - 1), rng.in(0, width - 1), rng.in(0, width - 1)};
    Vec3i along{rng.in(-99, 99), rng.in(-99, 99), rng.in(-99, 99)};
    if (along == Vec3i{}) along[0] = 1;
    const std::int64_t steps = std::min(
        {chunks_long * (width / 40), mostSteps(inside, along), mostSteps(inside, along * -1)});
    const Filtered filtered({inside - along * steps, inside + along * steps}, shift);
    EntityPage page;
    const std::int64_t half = width / part;
    for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i) {
      Thing thing;
      thing.shape.kind = kind;
      thing.shape.half_extents = {half, half, half};
      thing.position = {rng.in(0, width - 1), rng.in(0, width - 1), rng.in(0, width - 1)};
      page.set(i, sphereOf(thing, {0, 0, 0}, shift));
      const bool is_hit =
          internal::intersect(filtered.line(), thing.shape, thing.position).has_value();
      const bool is_near = (filtered.near(page, {0, 0, 0}) >> i & 1) != 0;
      EXPECT_TRUE(is_near || !is_hit);
      ++seen.tested;
      seen.near += is_near ? 1 : 0;
      seen.hit += is_hit ? 1 : 0;
    }
  }
  return seen;
}

TEST(EntityPageTest, TheFilterRefusesMostThatIsNotHit) {
  for (const int shift : {20, 28, 56}) {
    // Seen as squares around spheres, of a side up to sqrt(2) as wide on a slanted line.
    const Selectivity spheres =
        selectivity("EntityPageTest.Spheres", shift, FixedShape::Kind::kSphere, 32, 2);
    EXPECT_GT(spheres.hit, spheres.tested / 500);
    EXPECT_LT(spheres.near, 2 * spheres.hit) << "chunks of 2^" << shift;
    // Seen as the spheres around them.
    const Selectivity boxes =
        selectivity("EntityPageTest.Boxes", shift, FixedShape::Kind::kBox, 32, 2);
    EXPECT_GT(boxes.hit, boxes.tested / 500);
    EXPECT_LT(boxes.near, 4 * boxes.hit) << "chunks of 2^" << shift;
    // For points, only the margin for rounding makes any of them near.
    const Selectivity points =
        selectivity("EntityPageTest.Points", shift, FixedShape::Kind::kSphere, 1 << 20, 2);
    EXPECT_LT(points.near, points.tested / 1000) << "chunks of 2^" << shift;
  }
  // Lines that are as long as can be.
  const Selectivity far =
      selectivity("EntityPageTest.Long", 20, FixedShape::Kind::kSphere, 32, std::int64_t{1} << 41);
  EXPECT_LT(far.near, 2 * far.hit);
}

TEST(EntityPageTest, AFreeLaneIsNeverNear) {
  Rng rng("EntityPageTest.Free");
  for (int round = 0; round < scaled(40000); ++round) {
    const int shift = Frame(kMaxLevels).chunkShift(rng.below(kMaxLevels));
    Trouble trouble(rng, shift);
    Thing thing = trouble.thing();
    const Filtered filtered(trouble.hitting(thing), shift);
    for (const ChunkCoord& chunk : overlappedChunks(thing.shape, thing.position, shift)) {
      if (!filtered.isInRegionOf(chunk)) continue;
      EntityPage page;
      ASSERT_EQ(filtered.near(page, chunk), 0U);
      for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i)
        page.set(i, sphereOf(thing, chunk, shift));
      const auto lane = static_cast<std::uint32_t>(rng.below(EntityPage::kLanes));
      page.clear(lane);
      ASSERT_EQ(filtered.near(page, chunk) >> lane & 1, 0U)
          << describe(filtered.line().segment(), thing, chunk, shift);
    }
  }
}

TEST(EntityPageTest, ALaneHoldsTheSphereThatWasSet) {
  EntityPage page;
  page.set(3, {{1, -2, 3}, 40});
  page.set(7, {{-4096, 4095, 0}, 8000});
  page.setCenter(3, {9, 8, -7});
  EXPECT_EQ(page.get(3).center, (std::array<std::int16_t, 3>{9, 8, -7}));
  EXPECT_EQ(page.get(3).radius, 40);
  EXPECT_EQ(page.get(7).center, (std::array<std::int16_t, 3>{-4096, 4095, 0}));
  EXPECT_EQ(page.get(7).radius, 8000);
  for (const std::uint32_t lane : {0U, 1U, 2U, 4U, 5U, 6U})
    EXPECT_EQ(page.get(lane).radius, EntityPage::kFree);
}

TEST(EntityPageTest, ACentreIsRoundedDownAndARadiusUp) {
  // In chunks 2^20 units wide a page unit is 2^7 units, and the centre is at 2^19.
  EXPECT_EQ(pageCenter({1 << 19, (1 << 19) + 127, (1 << 19) - 1}, {0, 0, 0}, 20),
            (std::array<std::int16_t, 3>{0, 0, -1}));
  EXPECT_EQ(pageCenter({-(1 << 20), 0, 1 << 20}, {-1, -1, 0}, 20),
            (std::array<std::int16_t, 3>{-4096, 4096, 4096}));
  const auto radius = [](FixedShape::Kind kind, std::int64_t half) {
    return int{pageRadius({kind, {half, half, half}}, 20)};
  };
  for (const std::int64_t half : {0, 1, 127, 128, 129, 1 << 19, (1 << 20) - 1}) {
    EXPECT_GE(radius(FixedShape::Kind::kSphere, half) * 128, half);
    EXPECT_LE(radius(FixedShape::Kind::kSphere, half) * 128, half + 8 * 128);
    const double diagonal = static_cast<double>(half) * std::sqrt(3.0);
    EXPECT_GE(radius(FixedShape::Kind::kBox, half) * 128, diagonal);
    EXPECT_LE(radius(FixedShape::Kind::kBox, half) * 128, diagonal + 8 * 128);
  }
}

TEST(EntityPageTest, TheFilterOfTheMachineAgreesWithThePortableOne) {
  if (std::is_same_v<PageFilter, PortablePageFilter>) GTEST_SKIP() << "it is portable";
  Rng rng("EntityPageTest.Machines");
  const auto number = [&] {
    const std::int64_t min = std::numeric_limits<std::int16_t>::min();
    const std::int64_t max = std::numeric_limits<std::int16_t>::max();
    const std::int64_t any = rng.in(min, max);
    return static_cast<std::int16_t>(
        rng.pick({any, any >> rng.below(16), any, min, min + 1, max, max - 1, std::int64_t{0},
                  std::int64_t{1}, std::int64_t{-1}, std::int64_t{-16384}, std::int64_t{16384}}));
  };
  std::array<int, 9> counts{};
  for (int round = 0; round < scaled(200000); ++round) {
    EntityPage page;
    for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i)
      page.set(i, {{number(), number(), number()}, number()});
    Projections projections;
    const bool as_lines_are = rng.oneIn(2);
    for (Projection& projection : projections) {
      const std::int16_t slope = number();
      const std::int16_t spread = number();
      for (int i = 0; i < 8; ++i) {
        projection.slope[i] = as_lines_are ? slope : number();
        projection.spread[i] = as_lines_are ? spread : number();
        projection.slack[i] = as_lines_are ? std::int16_t{1} : number();
      }
    }
    const auto offset = [&] {
      const std::int64_t any = rng.in(-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1);
      return static_cast<std::int32_t>(any >> rng.below(32));
    };
    const PageOffsets offsets{offset(), offset(), offset(), offset()};
    const std::size_t along = static_cast<std::size_t>(rng.below(3));
    const PageLanes lanes{page.center[along],
                          {&page.center[(along + 1) % 3], &page.center[(along + 2) % 3]},
                          page.radius};
    const std::uint32_t near = PortablePageFilter::near(lanes, projections, offsets);
    ASSERT_EQ(PageFilter::near(lanes, projections, offsets), near) << "round " << round;
    ++counts[static_cast<std::size_t>(std::popcount(near))];
  }
  for (int lanes = 0; lanes <= 6; ++lanes)
    EXPECT_GT(counts[static_cast<std::size_t>(lanes)], 100) << lanes << " near";
}

}  // namespace
}  // namespace fractalray::internal
