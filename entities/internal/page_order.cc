// SPDX-License-Identifier: Apache-2.0
#include "page_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>

#include "../../core/check.h"

namespace fractalray::internal {
namespace {

constexpr std::uint64_t kNumber = 0xffffffffU;

// The axis along which some items reach farthest, and how far.
struct LongestSide {
  std::size_t axis = 0;
  int length = 0;
};
LongestSide longestSide(std::span<const OrderItem> items, std::span<const std::uint64_t> order) {
  std::array<int, 3> low;
  std::array<int, 3> high;
  low.fill(std::numeric_limits<int>::max());
  high.fill(std::numeric_limits<int>::min());
  for (const std::uint64_t number : order) {
    const PageSphere& sphere = items[number & kNumber].sphere;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], int{sphere.center[axis]});
      high[axis] = std::max(high[axis], int{sphere.center[axis]});
    }
  }
  LongestSide longest{.axis = 0, .length = high[0] - low[0]};
  for (std::size_t axis = 1; axis < 3; ++axis) {
    if (high[axis] - low[axis] > longest.length)
      longest = {.axis = axis, .length = high[axis] - low[axis]};
  }
  return longest;
}

// Orders some items: both halves of a tree, each of whole pages but for the last page of all. Its
// depth is at most log2 of the number of pages.
void halve(std::span<const OrderItem> items, std::span<std::uint64_t> order) {
  const std::size_t pages = (order.size() + EntityPage::kLanes - 1) / EntityPage::kLanes;
  const LongestSide longest = pages > 1 ? longestSide(items, order) : LongestSide();
  if (longest.length == 0) {
    // How libraries arrange equal halves must not be seen.
    for (std::uint64_t& number : order)
      number &= kNumber;
    std::sort(order.begin(), order.end());
    return;
  }
  // Sorts by position and then by number, so that no two are equal.
  for (std::uint64_t& number : order) {
    const int position = items[number & kNumber].sphere.center[longest.axis] + 32768;
    number = (static_cast<std::uint64_t>(position) << 32) | (number & kNumber);
  }
  const std::size_t half = pages / 2 * EntityPage::kLanes;
  std::nth_element(order.begin(), std::next(order.begin(), static_cast<std::ptrdiff_t>(half)),
                   order.end());
  halve(items, order.first(half));
  halve(items, order.subspan(half));
}

}  // namespace

void orderByPosition(std::span<const OrderItem> items, std::span<std::uint64_t> order) {
  FRACTALRAY_DCHECK(items.size() == order.size(), items.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  halve(items, order);
}

}  // namespace fractalray::internal
