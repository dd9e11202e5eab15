// SPDX-License-Identifier: Apache-2.0
// A vector that grows without moving its elements, and without holding twice the memory that it
// needs; copies share their pages until one of them is changed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "../../check.h"
#include "../../cow_ptr.h"
#include "page_use.h"
#include "vector_capacity.h"

namespace fractalray {

// Values by number, in pages of 2^kPageLog2. Not thread-safe while it changes; const use is safe
// from any thread, also while another that shares its pages changes. A call that throws
// std::bad_alloc has changed nothing.
template <class T, int kPageLog2>
class PagedVector {
  struct Page;

 public:
  static constexpr std::size_t kPageSize = std::size_t{1} << kPageLog2;

  PagedVector() = default;
  ~PagedVector() = default;
  PagedVector(PagedVector&&) noexcept = default;
  PagedVector& operator=(PagedVector&&) noexcept = default;

  std::size_t size() const { return size_; }

  // Returns an element. Requires: number < size(), or ensureCapacity() has reserved it. Valid until
  // an element of its page is changed.
  const T& operator[](std::size_t number) const {
    FRACTALRAY_DCHECK(number < pages_.size() << kPageLog2, number, size_);
    return pages_[number >> kPageLog2]->values[number & kMask];
  }

  // Returns an element, to be changed. Valid until the vector is shared. Cost: the first edit of a
  // page after sharing checks whether the page is still shared, and copies it if so.
  T& edit(std::size_t number) {
    FRACTALRAY_DCHECK(number < pages_.size() << kPageLog2, number, size_);
    const std::size_t page = number >> kPageLog2;
    Page* own = own_[page];
    if (own == nullptr) [[unlikely]]
      own = makeOwn(page);
    return own->values[number & kMask];
  }

  // Ensures that edit() of an element does not allocate until the vector is shared; nor does add()
  // if that element is the next one. Requires: number < size(), or ensureCapacity() has reserved
  // it.
  void prepareEdit(std::size_t number) { edit(number); }

  // Adds a default value at the end, to be changed as by edit().
  T& add() {
    ensureCapacity(size_ + 1);
    T& value = edit(size_);
    ++size_;
    return value;
  }

  // Reserves memory for `size` elements in all.
  void ensureCapacity(std::size_t size) {
    while (size > pages_.size() << kPageLog2) {
      internal::ensureCapacity(own_, pages_.size() + 1);
      pages_.push_back(internal::CowPtr<Page>::make());
      own_.push_back(nullptr);
    }
  }

  // Returns another vector with the same pages, to be read: its first `most` elements, or all if it
  // has fewer. Cost: one reference count per page.
  PagedVector share(std::size_t most) {
    PagedVector shared;
    shared.size_ = std::min(most, size_);
    const std::size_t pages = (shared.size_ + kMask) >> kPageLog2;
    shared.pages_.assign(pages_.begin(), pages_.begin() + static_cast<std::ptrdiff_t>(pages));
    std::fill_n(own_.begin(), pages, nullptr);
    return shared;
  }
  // Returns one with the pages that are in use. It ends with the last of these; elements of other
  // pages must not be read. Cost: a reference count for each page in use, and a null pointer for
  // each other one before the last.
  PagedVector share(const PageUse<kPageLog2>& use) {
    PagedVector shared;
    shared.size_ = std::min(size_, use.end() << kPageLog2);
    shared.pages_.resize(use.end());
    use.forEach([&](std::size_t page) {
      shared.pages_[page] = pages_[page];
      own_[page] = nullptr;
    });
    return shared;
  }

  // Reads elements with one load less if it is kept at hand. Valid until the vector grows;
  // references are valid as from operator[].
  class Reader {
   public:
    explicit Reader(const PagedVector& vector) : pages_(vector.pages_.data()) {}
    const T& operator[](std::size_t number) const {
      return pages_[number >> kPageLog2]->values[number & kMask];
    }

   private:
    const internal::CowPtr<Page>* pages_;
  };

 private:
  static constexpr std::size_t kMask = (std::size_t{1} << kPageLog2) - 1;
  struct Page : internal::RefCounted {
    std::array<T, kMask + 1> values{};
  };

  [[gnu::noinline]] Page* makeOwn(std::size_t page) {
    own_[page] = &pages_[page].edit();
    return own_[page];
  }

  std::vector<internal::CowPtr<Page>> pages_;
  // By page: a pointer to it if it is known not to be shared, else null. So the page's count, which
  // may be far away in memory, is read only once.
  std::vector<Page*> own_;
  std::size_t size_ = 0;
};

}  // namespace fractalray
