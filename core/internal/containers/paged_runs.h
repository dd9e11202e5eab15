// SPDX-License-Identifier: Apache-2.0
// Runs of neighbouring elements in a PagedVector: lists of any length, in memory that is prepared
// before anything is changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "../../check.h"
#include "page_use.h"
#include "paged_vector.h"
#include "vector_capacity.h"

namespace fractalray {

// Runs of 2^n elements, named by the number of their first one. A run that is given back is the
// next of its length to be taken. The functions that allocate say so; if memory runs out they throw
// std::bad_alloc and have changed nothing. Not thread-safe while it changes; const use is safe from
// any thread, also while others that share the elements change.
template <class T, int kPageLog2>
class PagedRuns {
  using Elements = PagedVector<T, kPageLog2>;

 public:
  // Elements are numbered below `most`.
  explicit PagedRuns(std::size_t most) : most_(most) {}

  const T& operator[](std::size_t element) const { return elements_[element]; }
  T& edit(std::size_t element) { return elements_.edit(element); }
  // Returns the number of elements of all runs, in use or not.
  std::size_t size() const { return elements_.size(); }

  // Ensures that edit() of no element of a run allocates until the runs are shared: the lists that
  // have the run until a change is undone can write to any element.
  void prepareEdit(std::uint32_t run, int log2) {
    forEachPage(run, log2, [this](std::size_t element) { elements_.prepareEdit(element); });
  }
  // Ensures that take() does not allocate, and edit() of the run's elements neither. Allocates only
  // if more runs of that length are in use than ever before, or the free ones are shared.
  void prepareTake(int log2) {
    if (!hasSpare(log2)) make(log2);
    prepareEdit(ofLength(log2).spare.back(), log2);
  }
  // Takes a run of 2^log2 elements, which have any values. Requires: prepareTake(log2) has been
  // called since the last take() of that length, or a run of that length has been given back.
  std::uint32_t take(int log2) noexcept {
    FRACTALRAY_DCHECK(hasSpare(log2), log2);
    const std::uint32_t run = ofLength(log2).spare.back();
    ofLength(log2).spare.pop_back();
    forEachPage(run, log2, [this](std::size_t element) { in_use_.use(element); });
    return run;
  }
  // NOLINTNEXTLINE(bugprone-exception-escape): the vector can hold all runs of that length
  void giveBack(std::uint32_t run, int log2) noexcept {
    ofLength(log2).spare.push_back(run);
    forEachPage(run, log2, [this](std::size_t element) { in_use_.release(element); });
  }

  // Returns the same elements, only to be read. Cost: that of the pages in use.
  PagedRuns share() {
    PagedRuns shared(most_);
    shared.elements_ = elements_.share(in_use_);
    return shared;
  }

 private:
  // The runs of one length.
  struct Length {
    std::vector<std::uint32_t> spare;  // not in use; its capacity is enough for all
    std::size_t made = 0;              // the number of all
  };

  Length& ofLength(int log2) { return lengths_[static_cast<std::size_t>(log2)]; }
  bool hasSpare(int log2) const {
    const auto at = static_cast<std::size_t>(log2);
    return at < lengths_.size() && !lengths_[at].spare.empty();
  }

  // Calls `visit(element)` for some elements of a run, at least one on each page.
  template <class Visit>
  static void forEachPage(std::uint32_t run, int log2, const Visit& visit) {
    const std::size_t end = run + (std::size_t{1} << log2);
    for (std::size_t element = run; element < end; element += Elements::kPageSize)
      visit(element);
    visit(end - 1);
  }

  void make(int log2) {
    const auto run = static_cast<std::uint32_t>(elements_.size());
    const std::size_t end = elements_.size() + (std::size_t{1} << log2);
    if (end > most_) throw std::bad_alloc();
    if (lengths_.size() <= static_cast<std::size_t>(log2))
      lengths_.resize(static_cast<std::size_t>(log2) + 1);
    Length& length = ofLength(log2);
    internal::ensureCapacity(length.spare, length.made + 1);
    elements_.ensureCapacity(end);
    in_use_.reserve(end);
    prepareEdit(run, log2);
    while (elements_.size() < end)
      elements_.add();
    length.spare.push_back(run);
    ++length.made;
  }

  std::size_t most_;
  Elements elements_;
  PageUse<kPageLog2> in_use_;    // some elements of each run in use, on all of its pages
  std::vector<Length> lengths_;  // by log2
};

}  // namespace fractalray
