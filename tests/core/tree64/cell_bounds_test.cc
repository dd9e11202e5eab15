// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/tree64/cell_bounds.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>

#include "../../oracle/allocations.h"
#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Bounds, and a set of the same cells.
class CellBoundsTest : public testing::Test {
 protected:
  using Cell = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  static Vec3i coord(const Cell& cell) {
    return {std::get<0>(cell), std::get<1>(cell), std::get<2>(cell)};
  }
  void flip(const Cell& cell) {
    if (cells_.erase(cell) > 0) {
      bounds_.erase(coord(cell));
    } else {
      bounds_.insert(coord(cell), bounds_.reserve(coord(cell)));
      cells_.insert(cell);
    }
  }
  void shift(const Vec3i& offset) {
    bounds_.shift(offset);
    std::set<Cell> shifted;
    for (const auto& [x, y, z] : cells_)
      shifted.emplace(x + offset[0], y + offset[1], z + offset[2]);
    cells_.swap(shifted);
  }
  void expectExact() const {
    ASSERT_EQ(bounds_.cells(), cells_.size());
    ASSERT_EQ(bounds_.empty(), cells_.empty());
    std::uint64_t volume = cells_.empty() ? 0 : 1;
    for (int axis = 0; axis < 3 && !cells_.empty(); ++axis) {
      std::set<std::int64_t> slices;
      for (const Cell& cell : cells_)
        slices.insert(coord(cell)[axis]);
      ASSERT_EQ(bounds_.min()[axis], *slices.begin());
      ASSERT_EQ(bounds_.max()[axis], *slices.rbegin());
      volume *= static_cast<std::uint64_t>(*slices.rbegin() - *slices.begin() + 1);
    }
    ASSERT_EQ(bounds_.isFull(), volume > 0 && volume == cells_.size());
  }

  CellBounds<Vec3i> bounds_;
  std::set<Cell> cells_;
};

TEST_F(CellBoundsTest, StayExactWhateverComesAndGoes) {
  Rng rng("CellBoundsTest");
  int full = 0;
  int gaps = 0;
  for (int step = 0; step < 5000; ++step) {
    // Small boxes are full often.
    const auto index = [&] { return rng.in(0, 1 + step / 2000); };
    flip({index(), index(), index()});
    ASSERT_NO_FATAL_FAILURE(expectExact()) << step;
    ++(bounds_.isFull() ? full : gaps);
    if (rng.oneIn(20)) {
      const Vec3i offset{rng.in(-9, 9), rng.in(-9, 9), rng.in(-9, 9)};
      shift(offset);
      ASSERT_NO_FATAL_FAILURE(expectExact()) << step;
      shift(offset * -1);
    }
  }
  EXPECT_GT(full, 100);
  EXPECT_GT(gaps, 100);
}

// Their box is always that of a slab, a row or a plane: all cells are at its sides.
TEST_F(CellBoundsTest, SlicesOfFlatSetsStayExactAndAreReused) {
  Rng rng("CellBoundsTest.Flat");
  for (const Vec3i& width : {Vec3i{40, 1, 40}, {300, 1, 1}, {1, 300, 1}, {20, 2, 20}}) {
    for (int step = 0; step < 1000; ++step)
      flip({rng.below(static_cast<int>(width[0])), rng.below(static_cast<int>(width[1])),
            rng.below(static_cast<int>(width[2]))});
    ASSERT_NO_FATAL_FAILURE(expectExact());
    const std::set<Cell> cells = cells_;
    for (const Cell& cell : cells)
      flip(cell);
    EXPECT_TRUE(bounds_.empty());
    const std::size_t before = oracle::allocationCount();
    for (const Cell& cell : cells)
      bounds_.insert(coord(cell), bounds_.reserve(coord(cell)));
    for (const Cell& cell : cells)
      bounds_.erase(coord(cell));
    EXPECT_EQ(oracle::allocationCount(), before);
  }
}

TEST_F(CellBoundsTest, ACopyIsExactToo) {
  for (const std::int64_t x : {5, 7, 9})
    flip({x, x, x});
  flip({9, 9, 9});
  CellBounds<Vec3i> copy = bounds_;
  copy.insert({20, 1, 1}, copy.reserve({20, 1, 1}));
  copy.erase({5, 5, 5});
  EXPECT_EQ(copy.min(), (Vec3i{7, 1, 1}));
  EXPECT_EQ(copy.max(), (Vec3i{20, 7, 7}));
  ASSERT_NO_FATAL_FAILURE(expectExact());
}

TEST_F(CellBoundsTest, AFullBoxWithACellFarAwayHasGaps) {
  for (const std::int64_t x : {0, 1, 2})
    flip({x, 5, -7});
  EXPECT_TRUE(bounds_.isFull());
  const std::int64_t far = std::int64_t{1} << 40;
  flip({far, far, far});
  EXPECT_FALSE(bounds_.isFull());
  flip({far, far, far});
  EXPECT_TRUE(bounds_.isFull());
  flip({1, 5, -7});
  EXPECT_FALSE(bounds_.isFull());
}

TEST_F(CellBoundsTest, MillionsOfFarShiftsStayExact) {
  // A window of ten levels that moves by 64 chunks of level 0, again and again: on level 9 what
  // leaves it is far away, and other chunks come in.
  const Vec3i far{std::int64_t{1} << 42, -(std::int64_t{1} << 42), 0};
  const Vec3i at{5, -6, 7};
  const Vec3i left{at[0] + far[0], at[1] + far[1], at[2]};
  bounds_.insert(at, bounds_.reserve(at));
  for (int i = 0; i < 1 << 22; ++i) {
    bounds_.shift(far);
    bounds_.insert(at, bounds_.reserve(at));
    bounds_.erase(left);
    ASSERT_EQ(bounds_.min(), at) << i;
    ASSERT_EQ(bounds_.max(), at) << i;
  }
}

}  // namespace
}  // namespace fractalray::internal
