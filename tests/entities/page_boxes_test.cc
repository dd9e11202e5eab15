// SPDX-License-Identifier: Apache-2.0
// Checks that the filter of boxes refuses no page that a line needs, that it refuses most others,
// and that it is the same on all machines.
#include "../../entities/internal/page_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../../core/internal/geometry/path_mask.h"
#include "../../core/internal/tree64/area_map.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

constexpr int kBoxShift = 20;  // of the chunks here, log2 of units
constexpr std::int64_t kBoxStep = std::int64_t{1} << (kBoxShift - 8);

// A chunk, a point in its closed cube, and a line through that point, which may be its end.
struct LineInChunk {
  ChunkCoord chunk;
  std::array<std::int64_t, 3> from_corner{};  // of the point, in units
  FixedSegment segment;
};

LineInChunk randomLine(Rng& rng) {
  constexpr std::int64_t kWidth = std::int64_t{1} << kBoxShift;
  LineInChunk line;
  const std::int64_t reach = rng.pick<std::int64_t>({3, 1000, std::int64_t{1} << 39});
  const int kind = rng.below(4);
  Vec3i along;
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis) {
    line.chunk[axis] = rng.in(-reach, reach);
    const std::int64_t step = kBoxStep * rng.in(0, 256);
    const std::int64_t at =
        rng.pick({std::int64_t{0}, kWidth, kWidth - 1, rng.in(0, kWidth), step, step + 1});
    line.from_corner[static_cast<std::size_t>(axis)] = std::min(at, kWidth);
    point[axis] = line.chunk[axis] * kWidth + std::min(at, kWidth);
    if (kind == 0) along[axis] = rng.in(-1, 1);
    if (kind == 1) along[axis] = rng.in(-9, 9);
    if (kind > 1) along[axis] = rng.in(-1'000'000, 1'000'000);
  }
  const auto steps = [&] { return rng.pick<std::int64_t>({0, 1, 50, std::int64_t{1} << 30}); };
  line.segment = {point - along * steps(), point + along * steps()};
  return line;
}

// Returns the filter's offsets from a chunk.
PageOffsets offsetsIn(const PageLineFilter& filter, const PathMask& path, const ChunkCoord& chunk) {
  const Vec3i region = path.mirrored(Vec3i{chunk[0] >> 2, chunk[1] >> 2, chunk[2] >> 2});
  const Vec3i corner = region * (std::int64_t{4} << kBoxShift) - path.start();
  return filter.inChunk(filter.inRegion(corner),
                        slotInRegion(chunk) ^ static_cast<int>(path.flip()));
}

std::uint8_t byte(std::int64_t value) {
  return static_cast<std::uint8_t>(std::clamp(value, std::int64_t{0}, std::int64_t{255}));
}

TEST(PageBoxesTest, NoBoxWithAPointOfTheLineIsRefused) {
  Rng rng("PageBoxesTest.Points");
  for (int round = 0; round < 200000; ++round) {
    const LineInChunk line = randomLine(rng);
    PageBoxes boxes;
    for (std::uint32_t lane = 0; lane < PageBoxes::kLanes; ++lane) {
      const std::int64_t most = rng.pick<std::int64_t>({0, 3, 60, 255});
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t step = line.from_corner[axis] / kBoxStep;
        boxes.min[axis][lane] = byte(std::min(step, std::int64_t{255}) - rng.in(0, most));
        boxes.max[axis][lane] = byte(step + rng.in(0, most));
      }
    }
    const PathMask path(line.segment);
    const PageLineFilter filter(path, kBoxShift);
    ASSERT_EQ(filter.nearBoxes(boxes, offsetsIn(filter, path, line.chunk)), 0xffU)
        << "round " << round;
  }
}

TEST(PageBoxesTest, MostBoxesNextToTheLineAreRefused) {
  Rng rng("PageBoxesTest.NextTo");
  int near = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    const LineInChunk line = randomLine(rng);
    PageBoxes boxes;
    for (std::uint32_t lane = 0; lane < PageBoxes::kLanes; ++lane) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        boxes.max[axis][lane] = boxes.min[axis][lane] = byte(rng.in(0, 255));
    }
    const PathMask path(line.segment);
    const PageLineFilter filter(path, kBoxShift);
    near += std::popcount(filter.nearBoxes(boxes, offsetsIn(filter, path, line.chunk)));
  }
  EXPECT_LT(near, kRounds * 8 / 20);
}

// Returns the steps that hold what of a sphere is in the chunk, by the definition.
std::array<int, 2> stepsOf(int center, int radius) {
  std::array<int, 2> steps{256, -1};
  for (int step = 0; step < 256; ++step) {
    const int low = -4096 + 32 * step;
    const bool is_last = step == 255;
    const bool touches = center - radius < low + 32 + (is_last ? 1 : 0) && center + radius >= low;
    if (!touches) continue;
    steps[0] = std::min(steps[0], step);
    steps[1] = std::max(steps[1], step);
  }
  return steps;
}

TEST(PageBoxesTest, ABoxHoldsThePartsInTheChunkOfAllItsEntities) {
  Rng rng("PageBoxesTest.Set");
  for (int round = 0; round < 5000; ++round) {
    EntityPage page;
    const auto count = static_cast<std::uint32_t>(rng.in(1, 8));
    std::array<std::array<int, 2>, 3> expected;
    expected.fill({256, -1});
    for (std::uint32_t i = 0; i < count; ++i) {
      PageSphere sphere{.center = {}, .radius = static_cast<std::int16_t>(rng.in(7, 3000))};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const int reach = 4096 + sphere.radius;
        sphere.center[axis] = static_cast<std::int16_t>(
            rng.pick<std::int64_t>({-reach, reach, rng.in(-reach, reach), rng.in(-99, 99)}));
        const std::array<int, 2> steps = stepsOf(sphere.center[axis], sphere.radius);
        expected[axis][0] = std::min(expected[axis][0], steps[0]);
        expected[axis][1] = std::max(expected[axis][1], steps[1]);
      }
      page.put(i, i, sphere);
    }
    PageBoxes boxes;
    const std::uint32_t sides = boxes.set(5, page, count);
    std::array<int, 3> width{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_EQ(int{boxes.min[axis][5]}, expected[axis][0]) << "round " << round;
      ASSERT_EQ(int{boxes.max[axis][5]}, expected[axis][1]) << "round " << round;
      ASSERT_EQ(int{boxes.min[axis][4]}, 0) << "another page's";
      ASSERT_EQ(int{boxes.max[axis][4]}, 255);
      width[axis] = expected[axis][1] - expected[axis][0] + 1;
    }
    ASSERT_EQ(static_cast<int>(sides),
              width[0] * width[1] + width[1] * width[2] + width[2] * width[0]);
    boxes.setWhole(5);
    ASSERT_EQ(int{boxes.min[1][5]}, 0);
    ASSERT_EQ(int{boxes.max[2][5]}, 255);
  }
}

TEST(PageBoxesTest, TheFilterOfTheMachineAgreesWithThePortableOne) {
  if (std::is_same_v<BoxFilter, PortableBoxFilter>) GTEST_SKIP() << "it is portable";
  Rng rng("PageBoxesTest.Machines");
  const auto number = [&] {
    const std::int64_t min = std::numeric_limits<std::int16_t>::min();
    const std::int64_t max = std::numeric_limits<std::int16_t>::max();
    const std::int64_t any = rng.in(min, max);
    return static_cast<std::int16_t>(rng.pick({any, any >> rng.below(16), min, max}));
  };
  std::array<int, 9> counts{};
  for (int round = 0; round < 200000; ++round) {
    PageBoxes boxes;
    for (std::uint32_t lane = 0; lane < PageBoxes::kLanes; ++lane) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t min = rng.pick({std::int64_t{0}, std::int64_t{255}, rng.in(0, 255)});
        boxes.min[axis][lane] = byte(min);
        boxes.max[axis][lane] = byte(rng.pick({min, std::int64_t{255}, min + rng.in(0, 40)}));
      }
    }
    Projections projections;
    for (Projection& projection : projections) {
      const std::int16_t slope = number();
      for (int i = 0; i < 8; ++i) {
        projection.slope[i] = slope;
        projection.slack[i] = static_cast<std::int16_t>(rng.pick<std::int64_t>({1, 2, 32767}));
      }
    }
    const auto offset = [&] {
      const std::int64_t any = rng.in(-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1);
      return static_cast<std::int32_t>(any >> rng.below(32));
    };
    const PageOffsets offsets{offset(), offset(), offset(), offset()};
    const auto span = [&](std::size_t axis) {
      return BoxLanes::Span{boxes.min[axis], boxes.max[axis]};
    };
    const BoxLanes lanes{span(1), {span(0), span(2)}};
    const std::uint32_t near = PortableBoxFilter::near(lanes, projections, offsets);
    ASSERT_EQ(BoxFilter::near(lanes, projections, offsets), near) << "round " << round;
    ++counts[static_cast<std::size_t>(std::popcount(near))];
  }
  for (int lanes = 0; lanes <= 8; ++lanes)
    EXPECT_GT(counts[static_cast<std::size_t>(lanes)], 20) << lanes << " near";
}

}  // namespace
}  // namespace fractalray::internal
