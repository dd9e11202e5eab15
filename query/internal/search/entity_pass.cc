// SPDX-License-Identifier: Apache-2.0
#include "entity_pass.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "absl/numeric/int128.h"
#include "boost/container/static_vector.hpp"

#include "../../../core/grid_walk.h"
#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/cell_crossing.h"
#include "../../../core/internal/geometry/line_walk.h"
#include "../../../entities/internal/entity_page.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../entities/internal/page_boxes.h"
#include "block_pass_plain.h"
#include "tree_traversal.h"

namespace fractalray::internal {
namespace {

using Reading = CandidateCollector::Reading;

// Descends areas and regions to the chunks that the line touches. A shape that the line hits at a
// point is in every chunk that contains the point: so it does not matter which of the chunks at a
// corner are visited. Product as in PathMask::touched.
template <class Product>
class EntityPass {
 public:
  EntityPass(CandidateCollector& collector, const CellCrossings& crossings, int index_level,
             const LineDescent<Product>& descent)
      : collector_(collector),
        crossings_(crossings),
        tree_(collector, descent),
        grid_(Access::store(collector.context.entities).grid(index_level)),
        pages_(grid_.pool().pages()),
        line_(descent.path(), collector.context.world.frame().chunkShift(index_level)),
        may_pause_(collector.reading() == Reading::kSlice) {}

  // Begins at the smallest cube from areas up that holds the whole range, 2^log2 blocks wide.
  // Returns the time at which the pass has paused, if it has.
  std::optional<Fraction> run(int log2) {
    descend(log2);
    testListed();
    if (tree_.isPastLimit() && collector_.limit().is_pause) pauseAtLimit();
    return paused_at_;
  }

 private:
  void descend(int log2) {
    if (log2 > kAreaLog2) {
      tree_.forEachArea(grid_, log2, [&](const EntityGrid::Area& area, const PathNode& node) {
        visitArea(area, node);
      });
      return;
    }
    const EntityGrid::Area* const area =
        grid_.area(tree_.chunkAt(shiftedDown(descent().first(), kChunkLog2)));
    if (area != nullptr) visitArea(*area, descent().nodeAround(kAreaLog2));
  }

  void visitArea(const EntityGrid::Area& area, const PathNode& node) {
    tree_.forEachPart(node, kAreaLog2, area.occupied(), [&](int slot, const PathNode& part) {
      visitRegion(*area.region(slot), part);
    });
  }

  void visitRegion(const EntityGrid::Region& region, const PathNode& node) {
    if (collector_.limit().is_pause && isPastLimit(node)) return pauseAtLimit();
    if (!tree_.spend(collector_.stats.skips)) return;
    const std::uint64_t slots = descent().parts(node, kRegionLog2, region.occupied());
    if (slots == 0) return;
    const PageOffsets offsets = line_.inRegion(node.corner);
    std::uint64_t cells = 0;
    for (const int slot : Slots(slots)) {
      listPages(region.chunk(descent().levelSlot(slot)), line_.inChunk(offsets, slot));
      ++cells;
      if (!may_pause_) continue;
      pauseAfter(descent().part(node, kRegionLog2, slot));
      if (tree_.isDone()) break;
    }
    // Counted together: these are the cheapest steps.
    if (!tree_.spend(collector_.stats.index_cells, cells)) return;
    // The first hit that ends the search saves the rest of the line.
    if (collector_.context.mode != HitMode::kAll) testListed();
  }

  // Tests the entities of a chunk, and pauses after the chunk if this slice has found enough. Reads
  // whole chunks, so that the entities of a chunk are not tested in each slice.
  void pauseAfter(const PathNode& chunk) {
    testListed();
    if (tree_.isDone()) return;
    const Fraction exit = tree_.timesIn(chunk, kChunkLog2).exit;
    const HitTime time(exit);
    const bool is_far = collector_.limit().is_pause && time >= collector_.limit().time;
    if (!is_far && collector_.reading() != Reading::kEnough) return;
    // A chunk that the line misses may be left before the slice begins.
    const HitTime* const start = collector_.start();
    if (start != nullptr ? time <= *start : exit <= collector_.context.line.begin()) return;
    const CandidateCollector::Limit& end = collector_.end();
    if (exit >= Fraction::one() || (end.is_early && time >= end.time)) return;
    pause(exit);
  }
  void pause(const Fraction& time) {
    // Nothing is tested once the traversal is done.
    testListed();
    paused_at_ = time;
    tree_.setDone(true);
  }

  void pauseAtLimit() { pause(collector_.limit().time.lowerBound()); }

  // Returns true if the line enters a region only after the other passes pause: until then it is in
  // the regions visited before this one.
  bool isPastLimit(const PathNode& region) const {
    const auto times = tree_.timesIn(region, kRegionLog2);
    return times.entry <= times.exit && HitTime(times.entry) > collector_.limit().time;
  }

  // Lists the pages of a chunk for the filter, while they are prefetched. Most chunks have one or
  // two: both are written, and the second is counted or not, without an unpredictable branch.
  void listPages(const PageList& chunk, const PageOffsets& offsets) {
    if (chunk.isCrowded()) [[unlikely]]
      return listCrowd(chunk, offsets);
    if (listed_ + PageList::kNamed > kMostListed) [[unlikely]]
      filterListed();
    const auto pages = pages_;
    ListedPage* const end = list_.data() + listed_;
    end[0] = {offsets, &pages[chunk.named[0]]};
    // A list of one page may name a second one that snapshots do not have.
    end[1] = {offsets, &pages[chunk.named[chunk.pages() > 1 ? 1 : 0]]};
    __builtin_prefetch(end[0].page);
    __builtin_prefetch(end[1].page);
    listed_ += chunk.pages();
  }

  // Lists the pages of a crowded chunk, of those in order the ones that the line is near. Takes no
  // more steps for a chunk in order than for another: a step for each page after the second.
  void listCrowd(const PageList& chunk, const PageOffsets& offsets) {
    const std::uint32_t pages = chunk.pages();
    const std::uint32_t first = grid_.pool().boxesOf(chunk);
    std::uint32_t steps_left = pages - PageList::kNamed;
    std::uint32_t number = 0;
    if (first != PagePool::kNoBoxes) {
      const std::uint32_t groups = grid_.pool().boxes(first).groups;
      for (std::uint32_t group = 0; group < groups && number < pages; ++group) {
        const std::uint32_t lanes = std::min(pages - number, PageBoxes::kLanes);
        const std::uint32_t near =
            line_.nearBoxes(grid_.pool().boxes(first + group), offsets) & ((1U << lanes) - 1);
        const std::uint32_t steps =
            std::min(1 + static_cast<std::uint32_t>(std::popcount(near)), steps_left);
        if (!tree_.spend(collector_.stats.index_cells, steps)) return;
        steps_left -= steps;
        for (const int lane : Slots(near))
          listPage(chunk, number + static_cast<std::uint32_t>(lane), offsets);
        number += lanes;
      }
    }
    if (number == pages) return;
    if (!tree_.spend(collector_.stats.index_cells, steps_left)) return;
    for (; number < pages && !tree_.isDone(); ++number)
      listPage(chunk, number, offsets);
  }
  void listPage(const PageList& chunk, std::uint32_t number, const PageOffsets& offsets) {
    if (listed_ == kMostListed) filterListed();
    const EntityPage* const page = &pages_[grid_.pool().pageOf(chunk, number)];
    __builtin_prefetch(page);
    list_[listed_++] = {offsets, page};
  }

  void filterListed() {
    for (std::uint32_t i = 0; i < listed_; ++i) {
      const EntityPage& page = *list_[i].page;
      const std::uint32_t near = line_.near(page, list_[i].offsets);
      if (near != 0) [[unlikely]]
        takeNear(page, near);
    }
    listed_ = 0;
  }

  // Keeps the entities in those positions of a page (a mask) for the exact test, while they are
  // prefetched. Not inlined into the loop around it, since it is rarely needed.
  [[gnu::noinline]] void takeNear(const EntityPage& page, std::uint32_t positions) {
    for (const int position : Slots(positions)) {
      if (near_.size() == kMostNear) testNear();
      near_.push_back(page.slots[static_cast<std::size_t>(position)]);
      Access::store(collector_.context.entities).prefetchOccupant(near_.back());
    }
  }
  void testListed() {
    filterListed();
    testNear();
  }
  void testNear() {
    for (const std::uint32_t slot : near_) {
      if (tree_.isDone()) break;
      test(slot);
    }
    near_.clear();
  }
  void test(std::uint32_t slot) {
    const bool ends = collector_.addEntity(slot);
    tree_.setDone(collector_.reading() == Reading::kDone);
    if (ends) tree_.limitTo(crossings_.cellAfter(collector_.end().time));
  }

  const LineDescent<Product>& descent() const { return tree_.descent(); }

  CandidateCollector& collector_;
  const CellCrossings& crossings_;
  TreeTraversal<Product> tree_;
  const EntityGrid& grid_;
  PagePool::Pages::Reader pages_;
  PageLineFilter line_;
  bool may_pause_;  // true if the pass reads a slice
  std::optional<Fraction> paused_at_;
  // Pages to be filtered, the first listed_ of them.
  static constexpr std::uint32_t kMostListed = 64;
  struct ListedPage {
    PageOffsets offsets;
    const EntityPage* page;
  };
  std::array<ListedPage, kMostListed> list_;
  std::uint32_t listed_ = 0;
  static constexpr std::size_t kMostNear = 16;
  boost::container::static_vector<std::uint32_t, kMostNear>
      near_;  // slots of entities not yet tested
};

}  // namespace

std::optional<Fraction> collectEntitiesFast(CandidateCollector& collector, const PathMask& path,
                                            int index_level) {
  const int shift = collector.context.world.frame().blockShift(index_level);
  const CellCrossings crossings(path, shift, CornerPolicy::kBoth);
  Vec3i first = crossings.first();
  Vec3i last = crossings.last();
  if (collector.start() != nullptr) first = crossings.cellBefore(*collector.start());
  if (collector.end().is_early) last = crossings.cellAfter(collector.end().time);
  const EntityGrid& grid = Access::store(collector.context.entities).grid(index_level);
  if (grid.areas().empty()) return std::nullopt;
  const EntityGrid::AreaBox& box = grid.areaBox();
  if (!crossings.cutToBox(box.min, box.max, kAreaLog2, first, last)) return std::nullopt;
  const int log2 = commonCubeLog2(first, last);
  if (path.fits64(shift + std::min(std::max(log2, kAreaLog2), kWindowLog2))) {
    return EntityPass<std::int64_t>(collector, crossings, index_level, {path, shift, first, last})
        .run(log2);
  }
  return EntityPass<absl::int128>(collector, crossings, index_level, {path, shift, first, last})
      .run(log2);
}

void collectEntitiesPlain(CandidateCollector& collector, int index_level) {
  const QueryContext& context = collector.context;
  const EntityGrid& grid = Access::store(context.entities).grid(index_level);
  GridWalk<3> walk = walkAlong(context.line, context.world.frame().chunkShift(index_level),
                               CornerPolicy::kNeither);
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > collector.limit().time) return;
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (const auto empty = grid.emptyCubeLog2(chunk)) {
      if (!collector.spend(collector.stats.skips)) return;
      skipCube(walk, cell.cell, *empty, 1);
      continue;
    }
    if (!collector.spend(collector.stats.index_cells)) return;
    const PageList& pages = *grid.chunk(chunk);
    for (std::uint32_t i = 0; i < pages.count && collector.reading() != Reading::kDone; ++i)
      collector.addEntity(grid.pool().slot(grid.pool().entryOf(pages, i)));
    if (collector.reading() == Reading::kDone) return;
  } while (walk.next());
}

}  // namespace fractalray::internal
