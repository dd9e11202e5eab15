// SPDX-License-Identifier: Apache-2.0
// The pages of an index level, and which of them each chunk has.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/check.h"
#include "../../core/internal/containers/paged_vector.h"
#include "entity_page.h"

namespace fractalray::internal {

// Where an entity is in the pages of a pool: page * EntityPage::kPlaces + its place there.
using EntitySlot = std::uint32_t;

// The pages of a chunk, filled one after another. Two are named here, which is what most chunks
// have; the others in a table of the pool.
struct PageList {
  static constexpr std::uint32_t kNamed = 2;

  std::uint32_t count = 0;  // of entities
  std::array<std::uint32_t, kNamed> named{};
  std::uint32_t others = 0;  // where in the table they begin

  std::uint32_t pages() const { return (count + EntityPage::kPlaces - 1) / EntityPage::kPlaces; }
};

// Pages that come and go with the entities in them. Knows entities by their slot. Not thread-safe
// while it changes; const use is safe from any thread, also while one that it was shared with
// changes.
//
// All or nothing: an add() or remove() that throws std::bad_alloc has changed nothing. Calls can be
// undone without throwing, an add() by a remove() of that entity and a remove() by an add() to that
// list, if they are undone in reverse order and before the pool is shared: free pages and runs are
// stacks, of which each undoing call finds on top what its call has put there, and memory that was
// changed once is not shared.
class PagePool {
 public:
  using Pages = PagedVector<EntityPage, 5>;

  // An entity that has another place than before.
  struct Moved {
    std::uint32_t slot;
    EntitySlot from;
    EntitySlot to;
  };

  // Another that has the same pages until they are changed, only to be read.
  PagePool share();

  // Adds an entity at the end of a chunk's pages; its place. Allocates only where there were never
  // more pages at a time.
  EntitySlot add(PageList& list, std::uint32_t slot, const PageSphere& sphere);
  // Takes out the entity in a place, which the chunk's last one then has, if it is another.
  std::optional<Moved> remove(PageList& list, EntitySlot place);

  // Returns the page of a chunk by its number among the chunk's. Requires: number < list.pages(),
  // or it is being added.
  std::uint32_t pageOf(const PageList& list, std::uint32_t number) const {
    FRACTALRAY_DCHECK(number <= list.pages(), number, list.pages());
    return number < PageList::kNamed ? list.named[number]
                                     : table_[list.others + number - PageList::kNamed];
  }
  // Returns the place of a chunk's entity by its number. Requires: number < list.count, or it is
  // being added.
  EntitySlot placeOf(const PageList& list, std::uint32_t number) const {
    FRACTALRAY_DCHECK(number <= list.count, number, list.count);
    return pageOf(list, number / EntityPage::kPlaces) * EntityPage::kPlaces +
           number % EntityPage::kPlaces;
  }
  const EntityPage& page(std::uint32_t number) const { return pages_[number]; }
  // Returns how many lists have a page, and how many pages `lists` of them have at most together:
  // less than twice what the longest have. Cost: O(1).
  std::uint32_t lists() const { return long_lists_.front(); }
  std::uint64_t mostPages(std::uint64_t lists) const;
  // All pages, by number. Valid until the pool changes.
  Pages::Reader pages() const { return Pages::Reader(pages_); }
  // The slot of the entity in a place.
  std::uint32_t slot(EntitySlot place) const {
    return pages_[place / EntityPage::kPlaces].slots[place % EntityPage::kPlaces];
  }

  void moveCenter(EntitySlot place, const std::array<std::int16_t, 3>& center) {
    pages_.edit(place / EntityPage::kPlaces).setCenter(place % EntityPage::kPlaces, center);
  }
  // Makes sure that moveCenter() does not allocate until the pool is shared.
  void prepareMove(EntitySlot place) { pages_.prepareEdit(place / EntityPage::kPlaces); }
  // Asks for a page to be brought near, before it is needed.
  void prefetch(EntitySlot place) const {
    __builtin_prefetch(&pages_[place / EntityPage::kPlaces], 1);
  }

 private:
  using Table = PagedVector<std::uint32_t, 8>;

  // log2 of the entries of a run; kNoRun where all pages of a list are named.
  static constexpr int kNoRun = -1;
  static constexpr int kShortestRunLog2 = 2;
  static int runLog2(std::uint32_t pages) {
    if (pages <= PageList::kNamed) return kNoRun;
    const std::uint32_t entries = std::max(pages - PageList::kNamed, 1U << kShortestRunLog2);
    return static_cast<int>(std::bit_width(entries - 1));
  }
  // The number of lists with at least that many pages, a power of two.
  std::uint32_t& longLists(std::uint32_t pages) {
    return long_lists_[static_cast<std::size_t>(std::countr_zero(pages))];
  }
  std::vector<std::uint32_t>& spareRuns(int log2) {
    return spare_runs_[static_cast<std::size_t>(log2)];
  }

  // Makes sure that a list can have that many pages, one more or less than now, without allocating.
  void preparePage();
  void prepareRuns(const PageList& list, std::uint32_t pages);
  void prepareRunEdit(std::uint32_t run, int log2);
  void makeRun(int log2);

  // Adds a page to a list that is full, and drops the last one, which is empty. Require what is
  // needed to be prepared.
  void addPage(PageList& list);
  void dropPage(PageList& list);
  // Gives a list of `before` pages the run for `after`.
  void changeRun(PageList& list, std::uint32_t before, std::uint32_t after);

  Pages pages_;
  std::vector<std::uint32_t> spare_pages_;  // has room for all pages
  // Runs of 4, 8, 16 ... page numbers. Where one of them is changed, all of it is made this pool's
  // own: the lists that have it until that is undone can write to any entry.
  Table table_;
  // By log2 of their length: those that no list has, with room for all; and how many there are.
  std::array<std::vector<std::uint32_t>, 32> spare_runs_;
  std::array<std::uint32_t, 32> runs_{};
  // By i: how many lists have at least 2^i pages.
  std::array<std::uint32_t, 32> long_lists_{};
};

}  // namespace fractalray::internal
