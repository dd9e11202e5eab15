// SPDX-License-Identifier: Apache-2.0
// The pages of the chunks of an index level. Most chunks have one list of pages, filled in the order
// of arrival. A crowded one is divided into octants by the planes through its centre, and a crowded
// octant again, up to kDeepest times, so that queries read only the pages of octants that they
// reach:
//
//   +-------+-------+     An entity is in the octant of its centre, wherever its shape reaches: so it
//   | o   o |   o   |     has one entry in a chunk as before. The bits of its centre name the octant;
//   |   o   | o     |     a move compares the old ones with the new, and only an entity that crosses
//   +---+---+-------+     a plane changes lists (PageList), which is rare.
//   |o  | o |       |
//   +---+---+    o  |     An octant reaches as far beyond its planes as its largest entity. A centre
//   | oo|o  |       |     outside of the chunk counts as the nearest point of the chunk: a point of
//   +---+---+-------+     the chunk that is within a radius of the centre is as near to that point.
//
// Lists are divided and united by arrange(), apart from the edits that make them long or short, so
// that these can be undone exactly. If there is no memory for it, a list stays as it is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "boost/container/static_vector.hpp"

#include "../../core/internal/containers/paged_vector.h"
#include "entity_page.h"
#include "page_counts.h"
#include "page_pool.h"

namespace fractalray::internal {

using PageCenter = std::array<std::int16_t, 3>;

// The eight octants of a chunk or of an octant: bit i of their numbers is 1 above the centre on
// axis i.
struct alignas(64) Octants {
  static constexpr std::size_t kCount = 8;
  // The radius of an octant that holds nothing: no line is near it.
  static constexpr std::int16_t kEmpty = -16384;

  // At least those of their entities, as pages have them.
  std::array<std::int16_t, kCount> radius{kEmpty, kEmpty, kEmpty, kEmpty,
                                          kEmpty, kEmpty, kEmpty, kEmpty};
  std::array<PageList, kCount> lists{};
  std::uint32_t pages = 0;  // of the chunk, if these are its octants
};

// Identifies entities by slot. Not thread-safe while it changes; const use is safe from any thread,
// also while another that shares its pages changes. All or nothing, and undoable, as PagePool is,
// if arrange() is not called in between.
class ChunkPages {
 public:
  using OctantsTable = PagedVector<Octants, 4>;
  // How often a chunk is halved at most.
  static constexpr int kDeepest = 3;

  // Returns pages that are the same until they are changed, only to be read.
  ChunkPages share();

  // Adds an entity to a chunk and returns its entry.
  EntitySlot add(PageList& chunk, std::uint32_t slot, const PageSphere& sphere);
  // Removes an entity from its chunk. Returns another that has the entry from now on, if any.
  std::optional<PagePool::Moved> remove(PageList& chunk, EntitySlot entry);
  // Returns true if a list has become so long or so short since the last call that arrange() may
  // help.
  bool takeIsDue() { return std::exchange(is_due_, false); }
  // Divides and unites the lists of a chunk, and calls `follow` for each entity that has another
  // entry then.
  void arrange(PageList& chunk, absl::FunctionRef<void(const PagePool::Moved&)> follow) noexcept;

  // Returns true if a chunk is divided.
  bool hasOctants() const { return octants_.size() != spare_octants_.size(); }
  // Returns true if the entity with that entry stays in its list when its centre moves.
  bool keepsList(EntitySlot entry, const PageCenter& from, const PageCenter& to) const {
    if (!hasOctants()) return true;
    constexpr int kFinest = kPageUnitsLog2 - kDeepest;
    if (!differ(from, to, kFinest)) return true;
    return !differ(from, to, kPageUnitsLog2 - pool_.page(entry / EntityPage::kLanes).depth);
  }

  // Prefetches what is read first of a chunk that holds an entity.
  void prefetch(const PageList& chunk) const {
    if (chunk.isSplit()) {
      __builtin_prefetch(&octants_[chunk.octants()]);
    } else {
      __builtin_prefetch(&pool_.page(chunk.named.front()));
    }
  }
  // Returns the number of pages of a chunk.
  std::uint32_t pages(const PageList& chunk) const {
    return chunk.isSplit() ? octants_[chunk.octants()].pages : chunk.pages();
  }
  // Calls `visit(page, entities)` for each page of a chunk: its number, and how many it holds.
  template <class Visit>
  void forEachPage(const PageList& list, const Visit& visit) const {
    if (list.isSplit()) {
      for (const PageList& part : octants_[list.octants()].lists)
        forEachPage(part, visit);
      return;
    }
    for (std::uint32_t first = 0; first < list.count; first += EntityPage::kLanes) {
      visit(pool_.pageOf(list, first / EntityPage::kLanes),
            std::min(list.count - first, EntityPage::kLanes));
    }
  }
  // Calls `visit(entry)` for each entity of a chunk.
  template <class Visit>
  void forEachEntry(const PageList& list, const Visit& visit) const {
    forEachPage(list, [&](std::uint32_t page, std::uint32_t entities) {
      for (std::uint32_t lane = 0; lane < entities; ++lane)
        visit(EntitySlot{page * EntityPage::kLanes + lane});
    });
  }

  PagePool& pool() { return pool_; }
  const PagePool& pool() const { return pool_; }
  const PageCounts& counts() const { return counts_; }
  // Returns all octants, by number. Valid until they change.
  OctantsTable::Reader octants() const { return OctantsTable::Reader(octants_); }

 private:
  // A list longer than kMost is divided, octants that hold kFewest together are united.
  static constexpr std::uint32_t kMost = 32;
  static constexpr std::uint32_t kFewest = 8;
  // The octants that a centre is in, the widest first.
  struct Step {
    Octants* octants;
    std::size_t octant;

    PageList& list() const { return octants->lists[octant]; }
  };
  using Path = boost::container::static_vector<Step, kDeepest>;
  using Follow = absl::FunctionRef<void(const PagePool::Moved&)>;

  // Returns the distance of a centre from the lower sides of the chunk, or of the nearest point of
  // the chunk.
  static std::uint32_t fromSide(std::int16_t center) {
    constexpr int kHalf = 1 << (kPageUnitsLog2 - 1);
    return static_cast<std::uint32_t>(std::clamp<int>(center, -kHalf, kHalf - 1) + kHalf);
  }
  // Returns true if two centres are in different cells of a chunk, 2^log2 page units wide.
  static bool differ(const PageCenter& a, const PageCenter& b, int log2) {
    const std::uint32_t bits = (fromSide(a[0]) ^ fromSide(b[0])) | (fromSide(a[1]) ^ fromSide(b[1])) |
                               (fromSide(a[2]) ^ fromSide(b[2]));
    return bits >> log2 != 0;
  }
  static std::size_t octantOf(const PageCenter& center, int depth);

  // Returns the octants of a centre in a list, whose depth is given, to be changed.
  Path pathOf(const PageList& list, int depth, const PageCenter& center);
  EntitySlot addTo(PageList& list, int depth, std::uint32_t slot, const PageSphere& sphere);

  void arrangeList(PageList& list, int depth, Follow follow);
  // Divides a list, or unites one that is divided: all or nothing.
  void rebuild(PageList& list, int depth, Follow follow);
  PageList makeSplit();
  void prepareClear(const PageList& list);
  void clear(PageList& list) noexcept;
  std::uint32_t countedPages(const PageList& list) const;

  PagePool pool_;
  OctantsTable octants_;
  std::vector<std::uint32_t> spare_octants_;  // its capacity is enough for all
  PageCounts counts_;
  bool is_due_ = false;
};

}  // namespace fractalray::internal
