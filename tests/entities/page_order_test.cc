// SPDX-License-Identifier: Apache-2.0
// Checks that entities are ordered by position into pages that are close together, each entity
// once.
#include "../../entities/internal/page_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Items on a grid of cells `step` apart, in a random order.
std::vector<OrderItem> shuffledGrid(Rng& rng, const std::array<int, 3>& cells, int step) {
  std::vector<OrderItem> items;
  for (int x = 0; x < cells[0]; ++x) {
    for (int y = 0; y < cells[1]; ++y) {
      for (int z = 0; z < cells[2]; ++z) {
        OrderItem item;
        item.sphere.center = {static_cast<std::int16_t>(x * step - 4000),
                              static_cast<std::int16_t>(y * step - 4000),
                              static_cast<std::int16_t>(z * step - 4000)};
        item.slot = static_cast<std::uint32_t>(items.size());
        items.push_back(item);
      }
    }
  }
  for (std::size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<std::size_t>(rng.below(static_cast<int>(i)))]);
  return items;
}

std::vector<std::uint64_t> ordered(const std::vector<OrderItem>& items) {
  std::vector<std::uint64_t> order(items.size());
  orderByPosition(items, order);
  return order;
}

void expectEachOnce(const std::vector<std::uint64_t>& order) {
  std::vector<std::uint64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(sorted[i], i);
}

// Returns the longest side of any page.
int longestSide(const std::vector<OrderItem>& items, const std::vector<std::uint64_t>& order) {
  int longest = 0;
  for (std::size_t begin = 0; begin < order.size(); begin += EntityPage::kLanes) {
    const std::size_t end = std::min(begin + EntityPage::kLanes, order.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int low = 32767;
      int high = -32768;
      for (std::size_t i = begin; i < end; ++i) {
        low = std::min<int>(low, items[order[i]].sphere.center[axis]);
        high = std::max<int>(high, items[order[i]].sphere.center[axis]);
      }
      longest = std::max(longest, high - low);
    }
  }
  return longest;
}

TEST(PageOrderTest, APageHoldsNeighbours) {
  Rng rng("PageOrderTest.Neighbours");
  const std::vector<OrderItem> cube = shuffledGrid(rng, {8, 8, 8}, 100);
  const std::vector<std::uint64_t> order = ordered(cube);
  expectEachOnce(order);
  EXPECT_EQ(longestSide(cube, order), 100) << "each page is a cube of 2 x 2 x 2";
  const std::vector<OrderItem> line = shuffledGrid(rng, {512, 1, 1}, 10);
  EXPECT_EQ(longestSide(line, ordered(line)), 70);
  const std::vector<OrderItem> plane = shuffledGrid(rng, {1, 32, 16}, 10);
  EXPECT_LE(longestSide(plane, ordered(plane)), 30);
}

TEST(PageOrderTest, AnyNumberOfItemsIsOrderedOnce) {
  Rng rng("PageOrderTest.Numbers");
  for (int count = 0; count < 200; ++count) {
    std::vector<OrderItem> items(static_cast<std::size_t>(count));
    const int reach = rng.pick({0, 1, 3, 9000});
    for (OrderItem& item : items) {
      for (std::int16_t& at : item.sphere.center)
        at = static_cast<std::int16_t>(rng.in(-reach, reach));
    }
    const std::vector<std::uint64_t> order = ordered(items);
    expectEachOnce(order);
    ASSERT_EQ(ordered(items), order);
  }
}

TEST(PageOrderTest, ItemsAtOnePositionStayAsTheyAre) {
  const std::vector<OrderItem> items(1000);
  const std::vector<std::uint64_t> order = ordered(items);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  expectEachOnce(order);
}

}  // namespace
}  // namespace fractalray::internal
