// SPDX-License-Identifier: Apache-2.0
// The order of a crowded chunk's entities in which those of a page are close to each other.
#pragma once

#include <cstdint>
#include <span>

#include "entity_page.h"

namespace fractalray::internal {

// An entity of a chunk, as its page has it, and where it was.
struct OrderItem {
  PageSphere sphere{};
  std::uint32_t slot = 0;
  std::uint32_t entry = 0;  // an EntitySlot
};

// Sets `order` to the numbers of the items in an order in which each page of eight, from the first
// item on, is a box of a tree that halves the longest side; the last page may have fewer. The upper
// halves of the numbers are 0. Equal on all machines. Requires: as many items as numbers, fewer
// than 2^32. Does not allocate. Safe to call from many threads. Cost: O(n log n).
void orderByPosition(std::span<const OrderItem> items, std::span<std::uint64_t> order);

}  // namespace fractalray::internal
