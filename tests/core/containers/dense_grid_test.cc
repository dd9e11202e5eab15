// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/containers/dense_grid.h"

#include <gtest/gtest.h>

#include <map>

#include "../../../core/units.h"
#include "../../oracle/allocations.h"
#include "../../oracle/rng.h"

namespace fractalray {
namespace {

using Numbers = std::map<Vec3i, int>;

// The values in a grid are ten times those of the map.
int tenfold(int number) {
  return 10 * number;
}

TEST(DenseGridTest, AnEmptyGridIsCompleteAndHoldsNothing) {
  DenseGrid<int> grid;
  EXPECT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({0, 0, 0}), 0);
  grid.rebuild(Numbers{}, tenfold);
  EXPECT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({0, 0, 0}), 0);
  EXPECT_EQ(grid.find({-1, 1, kMaxCoordinate}), 0);
}

TEST(DenseGridTest, OneCellIsFoundAndNoneOfItsNeighbours) {
  DenseGrid<int> grid;
  const Vec3i there{5, -7, 9};
  grid.rebuild(Numbers{{there, 3}}, tenfold);
  ASSERT_TRUE(grid.isComplete());
  for (std::int64_t x = 4; x <= 6; ++x) {
    for (std::int64_t y = -8; y <= -6; ++y) {
      for (std::int64_t z = 8; z <= 10; ++z) {
        const Vec3i cell{x, y, z};
        EXPECT_EQ(grid.find(cell), cell == there ? 30 : 0);
      }
    }
  }
}

TEST(DenseGridTest, FindsCellsOnBothSidesOfZeroAndFarAway) {
  const std::int64_t far = kMaxCoordinate;
  for (const Vec3i& origin : {Vec3i{0, 0, 0}, Vec3i{-far, far - 3, -far}}) {
    Numbers numbers;
    numbers[origin + Vec3i{-2, 0, 1}] = 1;
    numbers[origin + Vec3i{3, 2, -1}] = 2;
    numbers[origin] = 3;
    DenseGrid<int> grid;
    grid.rebuild(numbers, tenfold);
    ASSERT_TRUE(grid.isComplete());
    for (std::int64_t x = -4; x <= 5; ++x) {
      for (std::int64_t y = -2; y <= 4; ++y) {
        for (std::int64_t z = -3; z <= 3; ++z) {
          const Vec3i cell = origin + Vec3i{x, y, z};
          const auto found = numbers.find(cell);
          EXPECT_EQ(grid.find(cell), found == numbers.end() ? 0 : tenfold(found->second));
        }
      }
    }
  }
}

// Counts the cells that are visited.
class CountedNumbers : public Numbers {
 public:
  class Iterator {
   public:
    Iterator(const_iterator at, int& visited) : at_(at), visited_(&visited) {}
    const value_type& operator*() const {
      ++*visited_;
      return *at_;
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const_iterator at_;
    int* visited_;
  };
  Iterator begin() const { return {Numbers::begin(), visited}; }
  Iterator end() const { return {Numbers::end(), visited}; }

  mutable int visited = 0;
};

// Otherwise each change of a map of cells far apart would cost as much as all cells.
TEST(DenseGridTest, FewCellsAreVisitedIfTheyLieFarApart) {
  DenseGrid<int> grid;
  CountedNumbers along_an_axis;
  for (int i = 0; i < 2000; ++i)
    along_an_axis[{i * DenseGrid<int>::kMaxCells, 0, 0}] = i + 1;
  grid.rebuild(along_an_axis, tenfold);
  EXPECT_FALSE(grid.isComplete());
  EXPECT_LE(along_an_axis.visited, 2);

  CountedNumbers in_a_box;  // 17^3 cells, narrow on each axis
  for (int i = 0; i < 17; ++i)
    in_a_box[{i, (5 * i) % 17, (7 * i) % 17}] = i + 1;
  for (int i = 0; i < 2000; ++i)
    in_a_box[{i % 17, (i / 17) % 17, i / 289}] = i + 1;
  grid.rebuild(in_a_box, tenfold);
  EXPECT_FALSE(grid.isComplete());
  EXPECT_LT(in_a_box.visited, static_cast<int>(in_a_box.size()));
}

TEST(DenseGridTest, ABoxThatIsTooLargeIsNotHeld) {
  constexpr std::int64_t kMost = DenseGrid<int>::kMaxCells;
  DenseGrid<int> grid;
  grid.rebuild(Numbers{{{0, 0, 0}, 1}, {{kMost - 1, 0, 0}, 2}}, tenfold);
  ASSERT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({kMost - 1, 0, 0}), 20);
  EXPECT_EQ(grid.find({kMost, 0, 0}), 0);
  grid.rebuild(Numbers{{{0, 0, 0}, 1}, {{kMost, 0, 0}, 2}}, tenfold);
  EXPECT_FALSE(grid.isComplete());
  // 16^3 cells are just not too many; the limit is on their product, not on a width.
  grid.rebuild(Numbers{{{-8, -8, -8}, 1}, {{7, 7, 7}, 2}}, tenfold);
  EXPECT_TRUE(grid.isComplete());
  grid.rebuild(Numbers{{{-8, -8, -8}, 1}, {{7, 8, 7}, 2}}, tenfold);
  EXPECT_FALSE(grid.isComplete());
  const std::int64_t far = kMaxCoordinate;
  grid.rebuild(Numbers{{{-far, -far, -far}, 1}, {{far, far, far}, 2}}, tenfold);
  EXPECT_FALSE(grid.isComplete());
}

TEST(DenseGridTest, RebuildForgetsTheOldCells) {
  DenseGrid<int> grid;
  grid.rebuild(Numbers{{{0, 0, 0}, 1}, {{9, 9, 9}, 2}, {{4, 5, 6}, 3}}, tenfold);
  grid.rebuild(Numbers{{{4, 5, 6}, 4}, {{5, 5, 6}, 5}}, tenfold);
  ASSERT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({4, 5, 6}), 40);
  EXPECT_EQ(grid.find({5, 5, 6}), 50);
  EXPECT_EQ(grid.find({0, 0, 0}), 0);
  EXPECT_EQ(grid.find({9, 9, 9}), 0);
  grid.rebuild(Numbers{{{0, 0, 0}, 1}, {{5000, 0, 0}, 2}}, tenfold);
  ASSERT_FALSE(grid.isComplete());
  grid.rebuild(Numbers{}, tenfold);
  EXPECT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({4, 5, 6}), 0);
}

TEST(DenseGridTest, SetWorksOnlyForCellsInTheBox) {
  DenseGrid<int> grid;
  EXPECT_FALSE(grid.set({0, 0, 0}, 7));
  grid.rebuild(Numbers{{{-1, -1, -1}, 1}, {{1, 1, 1}, 2}}, tenfold);
  EXPECT_TRUE(grid.set({0, 1, -1}, 7));
  EXPECT_EQ(grid.find({0, 1, -1}), 7);
  EXPECT_TRUE(grid.set({1, 1, 1}, 0));
  EXPECT_EQ(grid.find({1, 1, 1}), 0);
  EXPECT_FALSE(grid.set({2, 1, 1}, 7));
  EXPECT_EQ(grid.find({2, 1, 1}), 0);
  grid.rebuild(Numbers{{{0, 0, 0}, 1}, {{5000, 0, 0}, 2}}, tenfold);
  EXPECT_FALSE(grid.set({0, 0, 0}, 7));
}

TEST(DenseGridTest, WithoutMemoryItIsIncomplete) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  const Numbers few{{{0, 0, 0}, 1}, {{1, 1, 1}, 2}};
  const Numbers many{{{0, 0, 0}, 1}, {{9, 9, 9}, 2}};
  DenseGrid<int> grid;
  grid.rebuild(few, tenfold);
  {
    const oracle::AllocationFailure failure(0);
    const DenseGrid<int> copy = grid;
    EXPECT_FALSE(copy.isComplete());
    grid.rebuild(many, tenfold);
    EXPECT_FALSE(grid.isComplete());
    EXPECT_FALSE(grid.set({0, 0, 0}, 3));
  }
  grid.rebuild(many, tenfold);
  ASSERT_TRUE(grid.isComplete());
  EXPECT_EQ(grid.find({9, 9, 9}), 20);
  const DenseGrid<int> copy = grid;
  ASSERT_TRUE(copy.isComplete());
  EXPECT_TRUE(grid.set({0, 0, 0}, 3));
  EXPECT_EQ(copy.find({0, 0, 0}), 10);
  EXPECT_EQ(copy.find({9, 9, 9}), 20);
}

TEST(DenseGridTest, EqualsAMap) {
  oracle::Rng rng("CellGridTest.Map");
  int complete = 0;
  for (int round = 0; round < 300; ++round) {
    const int spread = 1 + rng.below(12);
    const auto draw = [&] { return static_cast<std::int64_t>(rng.below(2 * spread)) - spread; };
    Numbers numbers;
    for (int i = rng.below(30); i > 0; --i)
      numbers[{draw(), draw(), draw()}] = 1 + rng.below(100);
    DenseGrid<int> grid;
    grid.rebuild(numbers, tenfold);
    if (!grid.isComplete()) continue;
    ++complete;
    for (int i = 0; i < 200; ++i) {
      const Vec3i cell{draw(), draw(), draw()};
      const auto found = numbers.find(cell);
      ASSERT_EQ(grid.find(cell), found == numbers.end() ? 0 : tenfold(found->second));
    }
  }
  EXPECT_GT(complete, 100);
  EXPECT_LT(complete, 300);
}

}  // namespace
}  // namespace fractalray
