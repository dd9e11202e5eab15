// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/tree64/sparse_cell_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "../../oracle/rng.h"

namespace fractalray {
namespace {

bool holdsAny(const std::set<Vec3i>& cells, const Vec3i& around, int log2) {
  for (const Vec3i& cell : cells) {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      inside = inside && cell[axis] >= cubeMin(around[axis], log2) &&
               cell[axis] <= cubeMax(around[axis], log2);
    }
    if (inside) return true;
  }
  return false;
}

TEST(SparseCellSetTest, AnEmptySetIsEmptyEverywhere) {
  const SparseCellSet tree;
  EXPECT_TRUE(tree.empty());
  EXPECT_FALSE(tree.contains({0, 0, 0}));
  EXPECT_EQ(tree.emptyCubeLog2({-1, 5, 0}), 42);
}

TEST(SparseCellSetTest, CubesAreAlignedToTheFrameNotToTheCell) {
  SparseCellSet tree;
  tree.insert({-1, 0, 0});
  EXPECT_EQ(tree.emptyCubeLog2({-1, 0, 0}), std::nullopt);
  EXPECT_EQ(tree.emptyCubeLog2({-2, 0, 0}), 0);  // in the same 4 x 4 x 4
  EXPECT_EQ(tree.emptyCubeLog2({-5, 0, 0}), 2);  // in the next one, same 16
  EXPECT_EQ(tree.emptyCubeLog2({-17, 0, 0}), 4);
  EXPECT_EQ(cubeMin(-1, 2), -4);
  EXPECT_EQ(cubeMax(-1, 2), -1);
  EXPECT_EQ(cubeMin(5, 0), 5);
}

TEST(SparseCellSetTest, EqualsASetAfterRandomChanges) {
  oracle::Rng rng("CellTreeTest.EqualsASet");
  for (const std::int64_t reach :
       {std::int64_t{3}, std::int64_t{40}, std::int64_t{1} << 20, std::int64_t{1} << 41}) {
    SparseCellSet tree;
    std::set<Vec3i> model;
    std::vector<Vec3i> known;
    const auto randomCell = [&] {
      Vec3i cell{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
      if (!known.empty() && rng.oneIn(2)) {  // near an earlier one
        cell = known[static_cast<std::size_t>(rng.below(static_cast<int>(known.size())))];
        cell[rng.below(3)] += rng.in(-1, 1);
      }
      return cell;
    };
    for (int i = 0; i < 1500; ++i) {
      const Vec3i cell = randomCell();
      if (rng.below(100) < (i % 500 < 250 ? 70 : 25)) {
        tree.insert(cell);
        model.insert(cell);
        known.push_back(cell);
      } else {
        const Vec3i gone = !model.empty() && rng.oneIn(2) ? *model.begin() : cell;
        tree.erase(gone);
        model.erase(gone);
      }
      ASSERT_EQ(tree.empty(), model.empty());
      const Vec3i probe = randomCell();
      ASSERT_EQ(tree.contains(probe), model.contains(probe));
      const std::optional<int> empty = tree.emptyCubeLog2(probe);
      ASSERT_EQ(empty.has_value(), !model.contains(probe));
      if (!empty.has_value()) continue;
      ASSERT_EQ(*empty % 2, 0);
      ASSERT_FALSE(holdsAny(model, probe, *empty));
      if (model.empty()) {
        ASSERT_EQ(*empty, 42);
      } else if (*empty < 42) {
        ASSERT_TRUE(holdsAny(model, probe, *empty + 2)) << "a larger cube is empty";
      }
    }
    for (const Vec3i& cell : std::set<Vec3i>(model)) {
      tree.erase(cell);
      tree.erase(cell);
    }
    EXPECT_TRUE(tree.empty());
    EXPECT_EQ(tree.emptyCubeLog2({0, 0, 0}), 42);
  }
}

}  // namespace
}  // namespace fractalray
