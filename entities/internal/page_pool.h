// SPDX-License-Identifier: Apache-2.0
// The pages of an index level, and the assignment of pages to chunks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../core/check.h"
#include "../../core/internal/containers/page_use.h"
#include "../../core/internal/containers/paged_vector.h"
#include "entity_page.h"

namespace fractalray::internal {

// The entry of an entity in the pages of a pool: page * EntityPage::kLanes + its lane there.
using EntitySlot = std::uint32_t;

// The pages of a chunk, filled one after another. The first two are stored here, which is enough
// for most chunks; the others in a table of the pool.
struct PageList {
  static constexpr std::uint32_t kNamed = 2;

  std::uint32_t count = 0;  // of entities
  std::array<std::uint32_t, kNamed> named{};
  std::uint32_t others = 0;  // index in the table at which they begin

  std::uint32_t pages() const { return (count + EntityPage::kLanes - 1) / EntityPage::kLanes; }
};

// Pages that are added and dropped with the entities in them. Identifies entities by slot. Not
// thread-safe while it changes; const use is safe from any thread, also while a pool that shares
// its pages changes.
//
// All or nothing: an add() or remove() that throws std::bad_alloc has changed nothing. Calls can be
// undone without throwing, an add() by a remove() of that entity and a remove() by an add() to that
// list, if they are undone in reverse order and before the pool is shared: free pages and runs are
// stacks, so an undoing call finds on top the memory that the undone call put there, and memory
// that was changed once is not shared.
class PagePool {
 public:
  static constexpr int kPagesLog2 = 5;
  using Pages = PagedVector<EntityPage, kPagesLog2>;
  // The most pages: entries are then below 2^31, as EntitySlots requires.
  static constexpr std::uint32_t kMaxPages = std::uint32_t{1} << 28;

  // An entity that has another entry than before.
  struct Moved {
    std::uint32_t slot;
    EntitySlot from;
    EntitySlot to;
  };

  // Returns a pool that has the same pages until they are changed, only to be read. Cost: that of
  // the pages of lists, however many there were before.
  PagePool share();

  // Sets the most pages; tests choose fewer than kMaxPages.
  void limitPages(std::uint32_t most) { most_pages_ = most; }
  std::uint32_t pageLimit() const { return most_pages_; }
  // Returns true if the limit allows that many more pages in lists. Cost: O(1).
  bool canAddPages(std::uint32_t pages) const {
    return pages_.size() + pages <= most_pages_ + spare_pages_.size();
  }

  // Adds an entity at the end of a chunk's pages and returns its entry. Allocates only if there
  // were never more pages at a time; throws std::bad_alloc also if canAddPages(1) is false and the
  // chunk's pages are full.
  EntitySlot add(PageList& list, std::uint32_t slot, const PageSphere& sphere);
  // Removes an entity; the chunk's last one moves to its entry, unless they are the same.
  std::optional<Moved> remove(PageList& list, EntitySlot entry);

  // Returns the page of a chunk by its number among the chunk's. Requires: number < list.pages(),
  // or it is being added.
  std::uint32_t pageOf(const PageList& list, std::uint32_t number) const {
    FRACTALRAY_DCHECK(number <= list.pages(), number, list.pages());
    return number < PageList::kNamed ? list.named[number]
                                     : table_[list.others + number - PageList::kNamed];
  }
  // Returns the entry of a chunk's entity by its number. Requires: number < list.count, or it is
  // being added.
  EntitySlot entryOf(const PageList& list, std::uint32_t number) const {
    FRACTALRAY_DCHECK(number <= list.count, number, list.count);
    return pageOf(list, number / EntityPage::kLanes) * EntityPage::kLanes +
           number % EntityPage::kLanes;
  }
  const EntityPage& page(std::uint32_t number) const { return pages_[number]; }
  // Returns all pages, by number. Valid until the pool changes.
  Pages::Reader pages() const { return Pages::Reader(pages_); }
  // Returns the slot of the entity at an entry.
  std::uint32_t slot(EntitySlot entry) const {
    return pages_[entry / EntityPage::kLanes].slots[entry % EntityPage::kLanes];
  }

  void moveCenter(EntitySlot entry, const std::array<std::int16_t, 3>& center) {
    pages_.edit(entry / EntityPage::kLanes).setCenter(entry % EntityPage::kLanes, center);
  }
  void setSphere(EntitySlot entry, const PageSphere& sphere) {
    pages_.edit(entry / EntityPage::kLanes).set(entry % EntityPage::kLanes, sphere);
  }
  // Ensures that moveCenter() and setSphere() do not allocate until the pool is shared.
  void prepareMove(EntitySlot entry) { pages_.prepareEdit(entry / EntityPage::kLanes); }
  // Prefetches a page, to be written.
  void prefetch(EntitySlot entry) const {
    __builtin_prefetch(&pages_[entry / EntityPage::kLanes], 1);
  }

 private:
  static constexpr int kTableLog2 = 8;
  using Table = PagedVector<std::uint32_t, kTableLog2>;

  // log2 of the length of a run; kNoRun if no page of a list is in the table.
  static constexpr int kNoRun = -1;
  static constexpr int kShortestRunLog2 = 2;
  static int runLog2(std::uint32_t pages) {
    if (pages <= PageList::kNamed) return kNoRun;
    const std::uint32_t entries = std::max(pages - PageList::kNamed, 1U << kShortestRunLog2);
    return static_cast<int>(std::bit_width(entries - 1));
  }
  std::vector<std::uint32_t>& spareRuns(int log2) {
    return spare_runs_[static_cast<std::size_t>(log2)];
  }

  // Ensures that a list can have that many pages, one more or less than now, without allocating.
  void preparePage();
  void prepareRuns(const PageList& list, std::uint32_t pages);
  void prepareRunEdit(std::uint32_t run, int log2);
  // Count the entries of a run as used, or as no longer used.
  void useRun(std::uint32_t run, int log2) noexcept;
  void releaseRun(std::uint32_t run, int log2) noexcept;
  void makeRun(int log2);

  // Adds a page to a list that is full; drops the last one, which is empty. Both require that the
  // memory has been prepared.
  void addPage(PageList& list);
  void dropPage(PageList& list);
  // Gives a list of `before` pages the run for `after`.
  void changeRun(PageList& list, std::uint32_t before, std::uint32_t after);

  Pages pages_;
  PageUse<kPagesLog2> pages_in_use_;  // those of lists
  std::uint32_t most_pages_ = kMaxPages;
  std::vector<std::uint32_t> spare_pages_;  // its capacity is enough for all pages
  // Runs of 4, 8, 16 ... page numbers. A change of one entry makes the whole run this pool's own:
  // the lists that have it until that is undone can write to any entry.
  Table table_;
  PageUse<kTableLog2> table_in_use_;  // some entries of each run in use, on all of its pages
  // By log2 of their length: the runs not in use, in vectors that can hold all; and how many exist.
  std::array<std::vector<std::uint32_t>, 32> spare_runs_;
  std::array<std::uint32_t, 32> runs_{};
};

}  // namespace fractalray::internal
