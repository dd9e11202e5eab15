// SPDX-License-Identifier: Apache-2.0
// Checks the filter that a batch tests edits by, law by law (the numbers are those of
// segment_box_filter.h).
#include "../../query/internal/search/segment_box_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/line.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

Vec3i anyPoint(Rng& rng, std::int64_t extent) {
  return {rng.in(-extent, extent), rng.in(-extent, extent), rng.in(-extent, extent)};
}

struct Boxed {
  Vec3i min;
  Vec3i max;
};

// A box that has, as a corner, an edge, a face or inside, a point of the line rounded to units:
// many of these are touched at a single point, or missed by less than a unit.
Boxed boxNear(Rng& rng, const Line& line, std::int64_t extent) {
  const std::int64_t parts = rng.in(0, 1000);
  Boxed box;
  for (int axis = 0; axis < 3; ++axis) {
    const absl::int128 way = absl::int128(line.delta()[axis]) * parts / 1000;
    const std::int64_t at = line.from()[axis] + static_cast<std::int64_t>(way) + rng.in(-1, 1);
    const std::int64_t width = rng.oneIn(3) ? 0 : rng.in(0, extent / 4);
    box.min[axis] = std::clamp(rng.oneIn(2) ? at : at - width, -kMaxCoordinate, kMaxCoordinate);
    box.max[axis] = std::clamp(box.min[axis] + width, box.min[axis], kMaxCoordinate);
  }
  return box;
}

void checkConservative(Rng& rng, std::int64_t extent) {
  FixedSegment segment{.from = anyPoint(rng, extent),
                       .to = rng.oneIn(5) ? Vec3i{} : anyPoint(rng, extent)};
  if (rng.oneIn(3)) segment = oracle::randomReflection(rng, segment, Frame(2));
  const Line line(segment);
  const double reach = rng.oneIn(3) ? 1 : static_cast<double>(rng.in(0, 1024)) / 1024;
  const HitTime end(Fraction{static_cast<std::int64_t>(reach * 1024), 1024});
  const HitTime begin(line.begin());
  const SegmentBoxFilter filter(segment, reach);
  for (int i = 0; i < 50; ++i) {
    const Boxed box = boxNear(rng, line, extent);
    const std::optional<TimeSpan> span = line.clip(box.min, box.max);
    const bool is_before = span.has_value() && span->to < line.begin();
    if (span.has_value() && !is_before && HitTime(span->from) <= end && end >= begin) {
      ASSERT_TRUE(filter.mayMeet(box.min, box.max));
    }
  }
}

TEST(SegmentBoxFilterTest, Law1NeverLeavesOutABoxThatIsTouched) {
  Rng rng("SegmentBoxFilterTest.1");
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t extent = rng.pick<std::int64_t>({4, 100'000, 1LL << 30, 1LL << 61});
    ASSERT_NO_FATAL_FAILURE(checkConservative(rng, extent));
  }
}

TEST(SegmentBoxFilterTest, Law2LeavesOutBoxesFarAway) {
  Rng rng("SegmentBoxFilterTest.2");
  int left_out = 0;
  int missed = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t extent = 1 << 24;
    const FixedSegment segment{.from = anyPoint(rng, extent), .to = anyPoint(rng, extent)};
    const Vec3i min = anyPoint(rng, extent);
    const Vec3i max = min + Vec3i{65536, 65536, 65536};
    if (Line(segment).clip(min, max).has_value()) continue;
    ++missed;
    if (!SegmentBoxFilter(segment, 1).mayMeet(min, max)) ++left_out;
  }
  EXPECT_GT(left_out, missed * 99 / 100) << "of " << missed;
}

TEST(SegmentBoxFilterTest, Law3LooksAtNothingBeforeAReflectedLineBegins) {
  // Back from the plane x = 500,000 towards -x: the line comes from 1,000,000 on the other side.
  const FixedSegment segment{
      .from = {1'000'000, 0, 0}, .to = {0, 500'000, 0}, .begin = {.plane = 500'000, .axes = 1}};
  const SegmentBoxFilter filter(segment, 1);
  EXPECT_FALSE(filter.mayMeet({600'000, 0, 0}, {700'000, 500'000, 0}));
  EXPECT_TRUE(filter.mayMeet({500'000, 250'000, 0}, {600'000, 500'000, 0}));
}

TEST(SegmentBoxFilterTest, Law3HasNoGreaterReachThanItsOwn) {
  const FixedSegment segment{.from = {0, 0, 0}, .to = {1'000'000, 500'000, 0}};
  const Vec3i min{600'000, 0, 0};
  const Vec3i max{700'000, 500'000, 0};
  EXPECT_TRUE(SegmentBoxFilter(segment, 0.61).mayMeet(min, max));
  EXPECT_FALSE(SegmentBoxFilter(segment, 0.59).mayMeet(min, max));
}

}  // namespace
}  // namespace fractalray::internal
