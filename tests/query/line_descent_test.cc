// SPDX-License-Identifier: Apache-2.0
// Checks the descent down the tree, law by law (the numbers are those of line_descent.h), with
// every part of every cube present.
#include "../../query/internal/search/line_descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../../core/grid_walk.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using Descent = LineDescent<absl::int128>;
using oracle::Rng;

constexpr int kShift = 4;  // blocks 16 units wide

// Adds the blocks below a node, mirrored, in the order of the descent.
void collect(const Descent& descent, const PathNode& node, int log2, std::vector<Vec3i>& blocks) {
  if (log2 == 0) {
    blocks.push_back(shiftedDown(node.corner + descent.path().start(), kShift));
    return;
  }
  std::uint64_t slots = descent.parts(node, log2, ~std::uint64_t{0});
  for (; slots != 0; slots &= slots - 1)
    collect(descent, descent.part(node, log2, firstSlotOf(slots)), log2 - 2, blocks);
}

std::vector<Vec3i> descend(const Descent& descent) {
  std::vector<Vec3i> blocks;
  const int log2 = commonCubeLog2(descent.first(), descent.last());
  if (log2 <= kAreaLog2) {
    collect(descent, descent.nodeAround(log2), log2, blocks);
    return blocks;
  }
  for (std::uint64_t slots = descent.window(); slots != 0; slots &= slots - 1)
    collect(descent, descent.nodeInWindow(firstSlotOf(slots)), kAreaLog2, blocks);
  return blocks;
}

FixedSegment someSegment(Rng& rng) {
  const std::int64_t extent = rng.pick<std::int64_t>({64, 1000, 6000});
  const std::int64_t step = rng.pick<std::int64_t>({1, 8, 16, 64});  // corners and planes
  FixedSegment segment;
  for (int axis = 0; axis < 3; ++axis) {
    segment.from[axis] = rng.in(-extent, extent) / step * step;
    segment.to[axis] = rng.oneIn(6) ? segment.from[axis] : rng.in(-extent, extent) / step * step;
  }
  return segment;
}

class LineDescentTest : public testing::Test {
 protected:
  template <class Check>
  void forAll(std::string_view name, const Check& check) {
    Rng rng(name);
    for (int i = 0; i < 3000; ++i) {
      const FixedSegment segment = someSegment(rng);
      const PathMask path(segment);
      const Vec3i first = path.firstCell(kShift);
      const Vec3i last = path.lastCell(kShift);
      if (commonCubeLog2(first, last) > kWindowLog2) continue;
      check(segment, Descent(path, kShift, first, last));
    }
  }
};

TEST_F(LineDescentTest, Law1ReachesEveryBlockOfTheWalk) {
  forAll("LineDescentTest.1", [](const FixedSegment& segment, const Descent& descent) {
    const std::vector<Vec3i> blocks = descend(descent);
    const std::set<Vec3i> reached(blocks.begin(), blocks.end());
    GridWalk<3> walk(segment.from, segment.to, {1 << kShift, 1 << kShift, 1 << kShift},
                     CornerPolicy::kBoth);
    do {
      ASSERT_TRUE(reached.contains(descent.path().mirrored(walk.cell().cell)));
    } while (walk.next());
  });
}

// Returns true if `a` is not beyond `b` on any axis.
bool isNowhereBeyond(const Vec3i& a, const Vec3i& b) {
  return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

TEST_F(LineDescentTest, Law2BeginsWithTheFirstBlockAndEndsWithTheLast) {
  forAll("LineDescentTest.2", [](const FixedSegment& /*segment*/, const Descent& descent) {
    for (const Vec3i& block : descend(descent)) {
      ASSERT_TRUE(!isNowhereBeyond(block, descent.first()) || block == descent.first());
      ASSERT_TRUE(!isNowhereBeyond(descent.last(), block) || block == descent.last());
    }
  });
}

TEST_F(LineDescentTest, Law3VisitsEachBlockOnceAndNoneAfterOneBeyondIt) {
  forAll("LineDescentTest.3", [](const FixedSegment& /*segment*/, const Descent& descent) {
    const std::vector<Vec3i> blocks = descend(descent);
    ASSERT_EQ(std::set<Vec3i>(blocks.begin(), blocks.end()).size(), blocks.size());
    // A block that is not less on any axis and greater on some is entered later, so it must be
    // visited later too.
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      ASSERT_FALSE(isNowhereBeyond(blocks[i], blocks[i - 1]));
    }
  });
}

}  // namespace
}  // namespace fractalray::internal
