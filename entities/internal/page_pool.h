// SPDX-License-Identifier: Apache-2.0
// The pages of an index level, and the assignment of pages to chunks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../../core/check.h"
#include "../../core/internal/containers/page_use.h"
#include "../../core/internal/containers/paged_runs.h"
#include "../../core/internal/containers/paged_vector.h"
#include "entity_page.h"
#include "page_boxes.h"
#include "page_order.h"

namespace fractalray::internal {

// The entry of an entity in the pages of a pool: page * EntityPage::kLanes + its lane there.
using EntitySlot = std::uint32_t;

// The pages of a chunk, filled one after another. The first two are stored here, which is enough
// for most chunks. A list of more pages is crowded: the others are in a run of the pool's table.
struct PageList {
  static constexpr std::uint32_t kNamed = 2;

  std::uint32_t count = 0;  // of entities
  std::array<std::uint32_t, kNamed> named{};
  std::uint32_t others = 0;  // the run in the table

  std::uint32_t pages() const { return (count + EntityPage::kLanes - 1) / EntityPage::kLanes; }
  bool isCrowded() const { return count > kNamed * EntityPage::kLanes; }
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
//
// A crowded list may have boxes around its pages (page_boxes.h), by which queries leave out pages.
// A box is tight from order() until the page is changed: then it becomes all of the chunk, and its
// entities are found as if there were no boxes.
class PagePool {
 public:
  // The boxes of a list that has none.
  static constexpr std::uint32_t kNoBoxes = std::numeric_limits<std::uint32_t>::max();

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
    return number < PageList::kNamed ? list.named[number] : table_[otherAt(list.others, number)];
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

  // Require: !isTight(entry).
  void moveCenter(EntitySlot entry, const std::array<std::int16_t, 3>& center) {
    FRACTALRAY_DCHECK(!isTight(entry), entry);
    pages_.edit(entry / EntityPage::kLanes).setCenter(entry % EntityPage::kLanes, center);
  }
  void setSphere(EntitySlot entry, const PageSphere& sphere) {
    FRACTALRAY_DCHECK(!isTight(entry), entry);
    pages_.edit(entry / EntityPage::kLanes).set(entry % EntityPage::kLanes, sphere);
  }
  // Ensures that moveCenter() and setSphere() do not allocate until the pool is shared.
  void prepareMove(EntitySlot entry) { pages_.prepareEdit(entry / EntityPage::kLanes); }

  // Returns true if the page of an entry has a tight box.
  bool isTight(EntitySlot entry) const {
    const std::size_t page = entry / EntityPage::kLanes;
    return page < box_of_.size() && box_of_[page] != kNoBox;
  }
  // Makes the box of an entry's page all of the chunk. If memory runs out it throws std::bad_alloc
  // and has changed nothing.
  void loosen(EntitySlot entry) {
    if (isTight(entry)) [[unlikely]]
      loosenBox(entry / EntityPage::kLanes);
  }
  // Returns a number that grows whenever a list becomes crowded, or one whose boxes were all tight
  // no longer is: by the call before. Such a list is to be put in order.
  std::uint64_t disorders() const { return disorders_; }

  // Returns the first PageBoxes of a list, which has their number; kNoBoxes if it has none:
  // then all of its pages are to be read, as are those after the boxes.
  std::uint32_t boxesOf(const PageList& list) const {
    return list.isCrowded() ? table_[list.others] : kNoBoxes;
  }
  const PageBoxes& boxes(std::uint32_t number) const { return boxes_[number]; }
  // Returns the number of PageBoxes, in use or not.
  std::size_t boxCount() const { return boxes_.size(); }
  // Returns true if order() would change a list: one that is crowded, and has no boxes or some that
  // are not tight. Cost: O(pages / 8).
  bool needsOrder(const PageList& list) const;
  // Gives a crowded list boxes for all its pages, each all of the chunk unless it is tight, and
  // ensures that order() does not allocate. If memory runs out it throws std::bad_alloc, and the
  // list has boxes as before. Requires: no call of order() is running.
  void prepareOrder(const PageList& list);
  // Makes all boxes of a list tight. If they have become much larger than they were, sorts the
  // entities by position first, which gives them other entries, and returns true: then
  // items[order[i]] is now the list's entity number i. Requires: prepareOrder() was called for the
  // list and neither it nor the list's memory has changed since; list.count items and numbers. Safe
  // to call from many threads for lists of their own.
  bool order(const PageList& list, std::span<OrderItem> items,
             std::span<std::uint64_t> order) noexcept;
  // Prefetches a page, to be written.
  void prefetch(EntitySlot entry) const {
    __builtin_prefetch(&pages_[entry / EntityPage::kLanes], 1);
  }

 private:
  using Table = PagedRuns<std::uint32_t, 8>;
  using Boxes = PagedRuns<PageBoxes, 5>;
  // Lists name a run by 32 bits, box_of_ a box by 31.
  static constexpr std::size_t kMostTable = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t kMostBoxes = std::size_t{1} << 28;
  static constexpr std::uint32_t kNoBox = std::numeric_limits<std::uint32_t>::max();

  // log2 of the length of a run in the table, which holds the number of the list's first PageBoxes,
  // then those of its pages; kNoRun if no page of a list is there.
  static constexpr int kNoRun = -1;
  static constexpr int kShortestRunLog2 = 2;
  static int runLog2(std::uint32_t pages) {
    if (pages <= PageList::kNamed) return kNoRun;
    const std::uint32_t entries = std::max(1 + pages - PageList::kNamed, 1U << kShortestRunLog2);
    return static_cast<int>(std::bit_width(entries - 1));
  }
  // Returns the element of a run that names a page, by its number in the list.
  static std::size_t otherAt(std::uint32_t run, std::uint32_t number) {
    return std::size_t{run} + 1 + number - PageList::kNamed;
  }
  static std::uint32_t groupsFor(std::uint32_t pages) {
    return (pages + PageBoxes::kLanes - 1) / PageBoxes::kLanes;
  }
  static int boxesLog2(std::uint32_t groups) {
    return static_cast<int>(std::bit_width(groups - 1));
  }

  // Ensures that a list can have that many pages, one more or less than now, without allocating.
  void preparePage();
  void prepareRuns(const PageList& list, std::uint32_t pages);

  // Adds a page to a list that is full; drops the last one, which is empty. Both require that the
  // memory has been prepared.
  void addPage(PageList& list);
  void dropPage(PageList& list);
  // Gives a list of `before` pages the run for `after`.
  void changeRun(PageList& list, std::uint32_t before, std::uint32_t after);

  void loosenBox(std::size_t page);
  // Notes that a list is about to get another number of pages.
  void loosenEnd(const PageList& list);
  // Marks boxes as no longer tight.
  void disorder(PageBoxes& boxes) noexcept;
  // Makes the first `pages` pages of a list have no tight box.
  void forgetBoxes(const PageList& list, std::uint32_t pages) noexcept;
  // Sets the boxes of a list to its pages, and returns the sum of their sides.
  std::uint64_t setBoxes(const PageList& list, std::uint32_t first) noexcept;
  // Reads the entities of a list, and writes them in another order.
  void gather(const PageList& list, std::span<OrderItem> items) const;
  void scatter(const PageList& list, std::span<const OrderItem> items,
               std::span<const std::uint64_t> order) noexcept;

  Pages pages_;
  PageUse<kPagesLog2> pages_in_use_;  // those of lists
  std::uint32_t most_pages_ = kMaxPages;
  std::vector<std::uint32_t> spare_pages_;  // its capacity is enough for all pages
  Table table_{kMostTable};
  Boxes boxes_{kMostBoxes};
  // By page: its tight box, as PageBoxes * 8 + lane there, or kNoBox; for the pages that there were
  // at the last prepareOrder(). Not in a snapshot.
  std::vector<std::uint32_t> box_of_;
  std::uint64_t disorders_ = 0;
};

}  // namespace fractalray::internal
