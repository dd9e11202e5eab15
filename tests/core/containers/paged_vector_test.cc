// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/containers/paged_vector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace fractalray {
namespace {

// Counts the copies of numbers that have been made.
struct Counted {
  static inline int copies = 0;

  Counted() = default;
  ~Counted() = default;
  Counted(const Counted& other) : number(other.number) { ++copies; }
  Counted& operator=(const Counted&) = default;

  int number = 0;
};

TEST(PagedVectorTest, GrowsByDefaultValuesThatKeepTheirAddress) {
  PagedVector<int, 2> numbers;
  EXPECT_EQ(numbers.size(), 0U);
  std::vector<const int*> addresses;
  for (int i = 0; i < 100; ++i) {
    int& number = numbers.add();
    EXPECT_EQ(number, 0);
    number = i;
    addresses.push_back(&number);
  }
  ASSERT_EQ(numbers.size(), 100U);
  const PagedVector<int, 2>::Reader reader(numbers);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(numbers[i], static_cast<int>(i));
    EXPECT_EQ(&numbers[i], addresses[i]);
    EXPECT_EQ(&numbers.edit(i), addresses[i]);
    EXPECT_EQ(&reader[i], addresses[i]);
  }
}

TEST(PagedVectorTest, ElementsOfAPageAreContiguous) {
  PagedVector<int, 3> numbers;
  for (int i = 0; i < 17; ++i)
    numbers.add();
  for (const std::size_t page : {0U, 8U}) {
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(&numbers[page + i], &numbers[page] + i);
  }
}

TEST(PagedVectorTest, MovesWithAllItHolds) {
  PagedVector<int, 1> numbers;
  for (int i = 0; i < 5; ++i)
    numbers.add() = i;
  const int* const address = &numbers[3];
  const PagedVector<int, 1> moved = std::move(numbers);
  EXPECT_EQ(moved.size(), 5U);
  EXPECT_EQ(&moved[3], address);
  EXPECT_EQ(moved[4], 4);
}

class SharedPagedVectorTest : public testing::Test {
 protected:
  SharedPagedVectorTest() {
    for (int i = 0; i < 10; ++i)
      numbers_.add().number = i;
    Counted::copies = 0;
  }
  static std::vector<int> valuesOf(const PagedVector<Counted, 2>& numbers) {
    std::vector<int> values;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      values.push_back(numbers[i].number);
    return values;
  }

  const std::vector<int> before_ = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  PagedVector<Counted, 2> numbers_;  // pages of four
};

TEST_F(SharedPagedVectorTest, SharingCopiesNoElement) {
  const PagedVector<Counted, 2> shared = numbers_.share(numbers_.size());
  EXPECT_EQ(Counted::copies, 0);
  EXPECT_EQ(valuesOf(shared), before_);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_EQ(&shared[i], &std::as_const(numbers_)[i]);
}

TEST_F(SharedPagedVectorTest, AChangeCopiesItsPageOnceAndIsNotSeenByTheOther) {
  const PagedVector<Counted, 2> shared = numbers_.share(numbers_.size());
  numbers_.edit(5).number = 50;
  EXPECT_EQ(Counted::copies, 4);
  numbers_.edit(6).number = 60;
  EXPECT_EQ(Counted::copies, 4) << "the page is its own by now";
  numbers_.edit(0).number = -1;
  EXPECT_EQ(Counted::copies, 8);
  EXPECT_EQ(valuesOf(shared), before_);
  EXPECT_EQ(valuesOf(numbers_), (std::vector<int>{-1, 1, 2, 3, 4, 50, 60, 7, 8, 9}));
  EXPECT_EQ(&shared[9], &std::as_const(numbers_)[9]) << "not changed, still shared";
}

TEST_F(SharedPagedVectorTest, GrowthIsNotSeenByTheOther) {
  const PagedVector<Counted, 2> shared = numbers_.share(numbers_.size());
  for (int i = 10; i < 20; ++i)
    numbers_.add().number = i;
  EXPECT_EQ(valuesOf(shared), before_);
  EXPECT_EQ(numbers_.size(), 20U);
  EXPECT_EQ(numbers_[10].number, 10);
  EXPECT_EQ(numbers_[19].number, 19);
  EXPECT_EQ(Counted::copies, 4) << "the page that was not full";
}

TEST_F(SharedPagedVectorTest, APageThatIsNoLongerSharedIsNotCopied) {
  { const PagedVector<Counted, 2> shared = numbers_.share(numbers_.size()); }
  const Counted* const address = &numbers_[5];
  numbers_.edit(5).number = 50;
  EXPECT_EQ(Counted::copies, 0);
  EXPECT_EQ(&numbers_[5], address);
}

TEST_F(SharedPagedVectorTest, EachOfTwoCopiesKeepsItsOwnContent) {
  const PagedVector<Counted, 2> first = numbers_.share(numbers_.size());
  numbers_.edit(5).number = 50;
  const PagedVector<Counted, 2> second = numbers_.share(numbers_.size());
  numbers_.edit(5).number = 500;
  EXPECT_EQ(first[5].number, 5);
  EXPECT_EQ(second[5].number, 50);
  EXPECT_EQ(numbers_[5].number, 500);
}

TEST_F(SharedPagedVectorTest, ThePartThatIsAskedForIsShared) {
  const PagedVector<Counted, 2> shared = numbers_.share(6);
  EXPECT_EQ(valuesOf(shared), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  for (const std::size_t number : {0U, 5U, 9U})
    numbers_.edit(number).number = -1;
  EXPECT_EQ(Counted::copies, 8) << "the first two pages";
  EXPECT_EQ(valuesOf(shared), (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST_F(SharedPagedVectorTest, PagesInUseAreShared) {
  PageUse<2> use;
  use.reserve(10);
  EXPECT_EQ(numbers_.share(use).size(), 0U);
  for (const std::size_t number : {5U, 7U})
    use.use(number);
  const PagedVector<Counted, 2> shared = numbers_.share(use);
  EXPECT_EQ(shared.size(), 8U);
  for (int i = 0; i < 10; ++i)
    numbers_.edit(static_cast<std::size_t>(i)).number = -1;
  EXPECT_EQ(Counted::copies, 4) << "the page in use";
  for (const int i : {4, 5, 6, 7})
    EXPECT_EQ(shared[static_cast<std::size_t>(i)].number, i);
  use.use(9);
  EXPECT_EQ(numbers_.share(use).size(), 10U);
  use.release(9);
  use.release(5);
  EXPECT_EQ(numbers_.share(use).size(), 8U);
  use.release(7);
  EXPECT_EQ(numbers_.share(use).size(), 0U);
}

TEST_F(SharedPagedVectorTest, OutlivesTheVectorItWasSharedWith) {
  const PagedVector<Counted, 2> shared = numbers_.share(numbers_.size());
  numbers_ = PagedVector<Counted, 2>();
  EXPECT_EQ(valuesOf(shared), before_);
}

}  // namespace
}  // namespace fractalray
