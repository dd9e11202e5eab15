// SPDX-License-Identifier: Apache-2.0
#include "fractalray/core/paged_vector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace fractalray {
namespace {

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
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(numbers[i], static_cast<int>(i));
    EXPECT_EQ(&numbers[i], addresses[i]);
    EXPECT_EQ(&std::as_const(numbers)[i], addresses[i]);
  }
}

TEST(PagedVectorTest, PagesHaveTheirElementsSideBySide) {
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

}  // namespace
}  // namespace fractalray
