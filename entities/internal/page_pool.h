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
#include "../../core/internal/containers/paged_vector.h"
#include "entity_page.h"

namespace fractalray::internal {

// The entry of an entity in the pages of a pool: page * EntityPage::kLanes + its lane there.
using EntitySlot = std::uint32_t;

// The pages of a chunk, filled one after another. The first two are stored here, which is enough
// for most chunks; the others in a table of the pool. Or the octants of a crowded chunk, or of an
// octant, which have lists of their own (chunk_pages.h).
struct PageList {
  static constexpr std::uint32_t kNamed = 2;
  static constexpr std::uint32_t kIsSplit = ~std::uint32_t{0};

  std::uint32_t count = 0;  // of entities
  std::array<std::uint32_t, kNamed> named{};
  std::uint32_t others = 0;  // index in the table at which they begin; or kIsSplit

  // Returns the number of pages. Requires: !isSplit().
  std::uint32_t pages() const {
    FRACTALRAY_DCHECK(!isSplit(), count);
    return (count + EntityPage::kLanes - 1) / EntityPage::kLanes;
  }
  bool isSplit() const { return others == kIsSplit; }
  // Returns the number of its octants. Requires: isSplit().
  std::uint32_t octants() const {
    FRACTALRAY_DCHECK(isSplit(), count);
    return named.front();
  }
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
  using Pages = PagedVector<EntityPage, 5>;

  // An entity that has another entry than before.
  struct Moved {
    std::uint32_t slot;
    EntitySlot from;
    EntitySlot to;
  };

  // Returns a pool that has the same pages until they are changed, only to be read.
  PagePool share();

  // Adds an entity at the end of a list's pages and returns its entry. `depth` is that of all pages
  // of the list. Allocates only if there were never more pages at a time.
  EntitySlot add(PageList& list, std::uint32_t slot, const PageSphere& sphere,
                 std::uint8_t depth = 0);
  // Removes an entity; the chunk's last one moves to its entry, unless they are the same.
  std::optional<Moved> remove(PageList& list, EntitySlot entry);
  // Ensures that clear() does not allocate until the pool is shared; the list must not change.
  void prepareClear(const PageList& list);
  // Removes all entities of a list.
  void clear(PageList& list) noexcept;

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
  using Table = PagedVector<std::uint32_t, 8>;

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
  void makeRun(int log2);

  // Adds a page to a list that is full; drops the last one, which is empty. Both require that the
  // memory has been prepared.
  void addPage(PageList& list);
  void dropPage(PageList& list);
  // Gives a list of `before` pages the run for `after`.
  void changeRun(PageList& list, std::uint32_t before, std::uint32_t after);

  Pages pages_;
  std::vector<std::uint32_t> spare_pages_;  // its capacity is enough for all pages
  // Runs of 4, 8, 16 ... page numbers. A change of one entry makes the whole run this pool's own:
  // the lists that have it until that is undone can write to any entry.
  Table table_;
  // By log2 of their length: the runs not in use, in vectors that can hold all; and how many exist.
  std::array<std::vector<std::uint32_t>, 32> spare_runs_;
  std::array<std::uint32_t, 32> runs_{};
};

}  // namespace fractalray::internal
