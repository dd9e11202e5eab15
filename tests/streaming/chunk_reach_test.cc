// SPDX-License-Identifier: Apache-2.0
// Tests the pieces of a reach against plain loops: the tree of viewers, and the balls of chunks.
#include "../../streaming/internal/chunk_reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Returns the square of the distance of a chunk, as the reach defines it.
std::int64_t distanceOf(const Vec3i& viewer, int chunk_shift, const ChunkCoord& chunk) {
  const std::int64_t width = std::int64_t{1} << chunk_shift;
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t min = chunk[axis] * width;
    const std::int64_t gap =
        std::max({std::int64_t{0}, min - viewer[axis], viewer[axis] - min - width});
    sum += (gap / (width / 65536)) * (gap / (width / 65536));
  }
  return sum;
}

// Returns a point up to some chunks from the origin; often on a border of chunks, or next to one.
Vec3i pointNear(Rng& rng, int chunk_shift, int chunks) {
  const std::int64_t width = std::int64_t{1} << chunk_shift;
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis) {
    point[axis] = rng.oneIn(3) ? rng.in(-chunks, chunks) * width + rng.in(-1, 1)
                               : rng.in(-chunks * width, chunks * width);
  }
  return point;
}

TEST(ViewerTreeTest, FindsTheNearestOfAllViewers) {
  Rng rng("ViewerTreeTest");
  EXPECT_EQ(ViewerTree().distance({{}, {}}, 4), ViewerTree::kNone);
  EXPECT_FALSE(ViewerTree().isWithin({{}, {}}, 4, 1000));
  for (int round = 0; round < 300; ++round) {
    std::vector<Vec3i> viewers;
    for (int count = 1 + rng.below(40); count > 0; --count) {
      const bool is_repeated = !viewers.empty() && rng.oneIn(4);
      viewers.push_back(is_repeated ? viewers.front() : pointNear(rng, 20, 5));
    }
    const ViewerTree tree(viewers);
    for (int i = 0; i < 30; ++i) {
      const ChunkCoord chunk{rng.in(-7, 7), rng.in(-7, 7), rng.in(-7, 7)};
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const Vec3i& viewer : viewers)
        least = std::min(least, distanceOf(viewer, 20, chunk));
      UnitBox box;
      for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = chunk[axis] * (1 << 20);
        box.max[axis] = box.min[axis] + (1 << 20);
      }
      ASSERT_EQ(tree.distance(box, 4), least);
      EXPECT_TRUE(tree.isWithin(box, 4, least));
      EXPECT_FALSE(tree.isWithin(box, 4, least - 1));
    }
  }
}

struct Ball {
  int shift;
  Vec3i viewer;
  std::int64_t radius;  // in fractions

  ChunkBall chunks() const { return {shift, viewer, radius}; }
  static Ball random(Rng& rng) {
    const int shift = rng.pick({20, 24, 56});
    const std::int64_t radius = rng.oneIn(3) ? 65536 * rng.below(5) : rng.in(0, 5 * 65536);
    return {shift, pointNear(rng, shift, 3), radius};
  }
};

TEST(ChunkBallTest, ContainsTheChunksWithinItsRadius) {
  Rng rng("ChunkBallTest.Contains");
  for (int round = 0; round < 200; ++round) {
    const Ball ball = Ball::random(rng);
    const ChunkBall chunks = ball.chunks();
    std::size_t inside = 0;
    for (std::int64_t z = -10; z <= 10; ++z) {
      for (std::int64_t y = -10; y <= 10; ++y) {
        const ChunkRow row = chunks.row(y, z);
        for (std::int64_t x = -10; x <= 10; ++x) {
          const bool is_near =
              distanceOf(ball.viewer, ball.shift, {x, y, z}) <= ball.radius * ball.radius;
          ASSERT_EQ(row.min <= x && x <= row.max, is_near) << x << " " << y << " " << z;
          inside += is_near ? 1 : 0;
        }
      }
    }
    std::size_t visited = 0;
    chunks.forEachRow(
        [&](const ChunkRow& row) { visited += static_cast<std::size_t>(row.max - row.min + 1); });
    EXPECT_EQ(visited, inside);
  }
}

TEST(ChunkBallTest, StaysTheSameWithinItsSlack) {
  Rng rng("ChunkBallTest.Slack");
  int moved = 0;
  for (int round = 0; round < 2000; ++round) {
    Ball ball = Ball::random(rng);
    const ChunkBall before = ball.chunks();
    const std::int64_t slack = before.slack();
    if (slack < 1) continue;
    // A step along one axis, as far as allowed.
    const int axis = rng.below(3);
    ball.viewer[axis] += rng.pick({-1, 1}) * (slack << (ball.shift - kFractionBits));
    const ChunkBall after = ball.chunks();
    const auto fail = [](const ChunkRow& row) { ADD_FAILURE() << row.min << " to " << row.max; };
    before.forEachRowOutside(after, fail);
    after.forEachRowOutside(before, fail);
    if (HasFailure()) FAIL() << "in round " << round;
    ++moved;
  }
  EXPECT_GT(moved, 100);
}

}  // namespace
}  // namespace fractalray::internal
