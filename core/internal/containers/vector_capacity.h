// SPDX-License-Identifier: Apache-2.0
// Reserves space in a vector before anything is changed, so that a change cannot fail half way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fractalray::internal {

// Reserves space for `count` elements in all: up to there push_back() neither allocates nor throws.
// Grows as push_back() does, so that reserving one more each time costs O(1) a call.
template <class T>
void ensureCapacity(std::vector<T>& vector, std::size_t count) {
  if (count > vector.capacity()) vector.reserve(std::max(count, 2 * vector.capacity()));
}

}  // namespace fractalray::internal
