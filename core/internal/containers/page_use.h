// SPDX-License-Identifier: Apache-2.0
// Counts which pages of a PagedVector hold elements in use, so that copies leave out the others.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../check.h"
#include "vector_capacity.h"

namespace fractalray {

// The number of uses by page of 2^kPageLog2 elements. Only reserve() allocates; if memory runs
// out it throws std::bad_alloc and has changed nothing. Not thread-safe.
template <int kPageLog2>
class PageUse {
 public:
  // Reserves memory for elements below `size`.
  void reserve(std::size_t size) {
    const std::size_t pages = (size + kPageSize - 1) >> kPageLog2;
    if (pages <= counts_.size()) return;
    internal::ensureCapacity(words_, wordsFor(pages));
    internal::ensureCapacity(counts_, pages);
    words_.resize(wordsFor(pages));
    counts_.resize(pages);
  }
  // Count a use of an element, and the end of one. Requires: reserve() of more elements; each use
  // ends once.
  void use(std::size_t element) noexcept {
    const std::size_t page = element >> kPageLog2;
    FRACTALRAY_DCHECK(page < counts_.size(), element, counts_.size());
    if (counts_[page]++ == 0) words_[page / kBits] |= bit(page);
  }
  void release(std::size_t element) noexcept {
    const std::size_t page = element >> kPageLog2;
    FRACTALRAY_DCHECK(page < counts_.size() && counts_[page] > 0, element, counts_.size());
    if (--counts_[page] == 0) words_[page / kBits] &= ~bit(page);
  }

  // Returns the number after the last page in use. Cost: a 64-bit word for every 64 pages.
  std::size_t end() const {
    for (std::size_t word = words_.size(); word-- > 0;) {
      if (words_[word] != 0)
        return kBits * word + static_cast<std::size_t>(std::bit_width(words_[word]));
    }
    return 0;
  }
  // Calls `visit(page)` for each page in use, in ascending order. Cost: as end().
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t left = words_[word]; left != 0; left &= left - 1)
        visit(kBits * word + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageLog2;
  static constexpr std::size_t kBits = 64;

  static std::size_t wordsFor(std::size_t pages) { return (pages + kBits - 1) / kBits; }
  static std::uint64_t bit(std::size_t page) { return std::uint64_t{1} << (page % kBits); }

  std::vector<std::uint32_t> counts_;  // by page
  std::vector<std::uint64_t> words_;   // bit p % 64 of word p / 64: page p has elements in use
};

}  // namespace fractalray
