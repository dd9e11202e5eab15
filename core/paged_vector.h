// SPDX-License-Identifier: Apache-2.0
// A vector that grows without moving what it holds, and without holding twice what it needs; copies
// of it share their pages until one of them is changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fractalray/core/shared_part.h"

namespace fractalray {

// Values by number, in pages of 2^kPageLog2. Not thread-safe while it changes; const use is safe
// from any thread, also while another that shares its pages changes.
template <class T, int kPageLog2>
class PagedVector {
  struct Page;

 public:
  PagedVector() = default;
  ~PagedVector() = default;
  PagedVector(PagedVector&&) noexcept = default;
  PagedVector& operator=(PagedVector&&) noexcept = default;
  PagedVector& operator=(const PagedVector&) = delete;

  std::size_t size() const { return size_; }

  // Requires: number < size(). Valid until an element of its page is changed.
  const T& operator[](std::size_t number) const {
    return pages_[number >> kPageLog2]->values[number & kMask];
  }

  // The same, to be changed. Valid until the vector is shared. Cost: a look into a table with a
  // byte a page; where the page is shared, a copy of it.
  T& edit(std::size_t number) {
    const std::size_t page = number >> kPageLog2;
    if (may_be_shared_[page] != 0) [[unlikely]]
      makeOwn(page);
    return const_cast<Page&>(*pages_[page]).values[number & kMask];
  }

  // Adds a default value at the end, to be changed as by edit().
  T& add() {
    if (size_ == pages_.size() << kPageLog2) {
      pages_.push_back(internal::SharedPart<Page>::make());
      may_be_shared_.push_back(0);
    }
    return edit(size_++);
  }

  // Another that has the same pages, to be read. Cost: a count up for each page.
  PagedVector share() {
    may_be_shared_.assign(pages_.size(), 1);
    return *this;
  }

  // What reads elements with one look less, where it is kept at hand. Valid until the vector grows,
  // what it gives as with operator[].
  class Reader {
   public:
    explicit Reader(const PagedVector& vector) : pages_(vector.pages_.data()) {}
    const T& operator[](std::size_t number) const {
      return pages_[number >> kPageLog2]->values[number & kMask];
    }

   private:
    const internal::SharedPart<Page>* pages_;
  };

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << kPageLog2) - 1;
  struct Page : internal::SharedCount {
    std::array<T, kMask + 1> values{};
  };

  PagedVector(const PagedVector&) = default;

  [[gnu::noinline]] void makeOwn(std::size_t page) {
    pages_[page].edit();
    may_be_shared_[page] = 0;
  }

  std::vector<internal::SharedPart<Page>> pages_;
  // By page: 0 for one that is surely not shared. Apart from the pages, which may be far in memory.
  std::vector<std::uint8_t> may_be_shared_;
  std::size_t size_ = 0;
};

}  // namespace fractalray
