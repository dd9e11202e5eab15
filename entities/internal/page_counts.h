// SPDX-License-Identifier: Apache-2.0
// How many pages the chunks with the most pages have, without a look at any chunk.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fractalray::internal {

// Counts chunks by their number of pages. A value type.
class PageCounts {
 public:
  // Follows a chunk that has `after` pages instead of `before`.
  void change(std::uint32_t before, std::uint32_t after) {
    for (std::size_t i = levels(before); i < levels(after); ++i)
      ++long_lists_[i];
    for (std::size_t i = levels(after); i < levels(before); ++i)
      --long_lists_[i];
  }
  // Returns how many chunks have a page, and how many pages `chunks` of them have at most together:
  // less than twice what the longest have. Cost: O(1).
  std::uint32_t chunks() const { return long_lists_.front(); }
  std::uint64_t mostPages(std::uint64_t chunks) const {
    std::uint64_t pages = 0;
    for (std::size_t i = 0; i < long_lists_.size(); ++i)
      pages += std::min<std::uint64_t>(chunks, long_lists_[i]) << i;
    return pages;
  }

 private:
  // Returns for how many i a chunk has at least 2^i pages.
  static std::size_t levels(std::uint32_t pages) {
    return static_cast<std::size_t>(std::bit_width(pages));
  }

  // By i: how many chunks have at least 2^i pages.
  std::array<std::uint32_t, 32> long_lists_{};
};

}  // namespace fractalray::internal
