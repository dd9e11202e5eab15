// SPDX-License-Identifier: Apache-2.0
#include "entity_pass.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "absl/numeric/int128.h"
#include "boost/container/static_vector.hpp"

#include "../../core/grid_walk.h"
#include "../../core/internal/geometry/cell_crossing.h"
#include "../../entities/internal/entity_page.h"
#include "block_pass_plain.h"
#include "descent_pass.h"

namespace fractalray::internal {
namespace {

// Descends areas and regions to the chunks that the line touches. Where it meets a shape at a
// point, the shape is in every chunk that has the point: so it does not matter which of the chunks
// at a corner are visited. Product as in PathMask::touched.
template <class Product>
class EntityPass : DescentPass<Product> {
 public:
  EntityPass(Gathering& gathering, const CellCrossings& crossings, int index_level,
             const PathDescent<Product>& descent)
      : DescentPass<Product>(gathering, crossings, descent),
        grid_(gathering.scene.entities.grid(index_level)),
        pages_(grid_.pool().pages()),
        line_(descent.path(), gathering.scene.entities.frame().chunkShift(index_level)) {}

  // Begins at the smallest cube from areas up that holds the whole range, 2^log2 blocks wide.
  void run(int log2) {
    descend(log2);
    meetListed();
  }

 private:
  using DescentPass<Product>::gathering_;
  using DescentPass<Product>::descent_;
  using DescentPass<Product>::done_;
  using DescentPass<Product>::spend;

  void descend(int log2) {
    if (log2 > kAreaLog2) {
      this->forEachArea(grid_, log2, [&](const EntityGrid::Area& area, const PathNode& node) {
        visitArea(area, node);
      });
      return;
    }
    const EntityGrid::Area* const area =
        grid_.area(this->chunkAt(shiftedDown(descent_.first(), kChunkLog2)));
    if (area != nullptr) visitArea(*area, descent_.nodeAround(kAreaLog2));
  }

  void visitArea(const EntityGrid::Area& area, const PathNode& node) {
    this->forEachPart(node, kAreaLog2, area.occupied(), [&](int slot, const PathNode& part) {
      visitRegion(*area.region(slot), part);
    });
  }

  void visitRegion(const EntityGrid::Region& region, const PathNode& node) {
    if (!spend(gathering_.stats.skips)) return;
    std::uint64_t slots = descent_.parts(node, kRegionLog2, region.occupied());
    if (slots == 0) return;
    const PageOffsets offsets = line_.inRegion(node.corner);
    std::uint64_t cells = 0;
    for (; slots != 0; slots &= slots - 1) {
      const unsigned slot = PathDescent<Product>::firstOf(slots);
      listPages(region.chunk(descent_.levelSlot(slot)), line_.inChunk(offsets, slot));
      ++cells;
    }
    // Counted together: a step each, of the cheapest.
    if (!spend(gathering_.stats.index_cells, cells)) return;
    // The first hit that ends the search saves the rest of the way.
    if (gathering_.scene.goal != Goal::kHits) meetListed();
  }

  // Notes the pages of a chunk for the filter, while they are fetched. Most chunks have one or two:
  // both are written, and the second counts or not, without a branch that nothing foretells.
  void listPages(const PageList& chunk, const PageOffsets& offsets) {
    if (listed_ + PageList::kNamed > kMostListed) [[unlikely]]
      filterListed();
    const auto pages = pages_;
    ListedPage* const end = list_.data() + listed_;
    end[0] = {offsets, &pages[chunk.named[0]]};
    end[1] = {offsets, &pages[chunk.named[1]]};
    __builtin_prefetch(end[0].page);
    __builtin_prefetch(end[1].page);
    listed_ += std::min(chunk.pages(), PageList::kNamed);
    if (chunk.pages() <= PageList::kNamed) [[likely]]
      return;
    if (!spend(gathering_.stats.index_cells, chunk.pages() - PageList::kNamed)) return;
    for (std::uint32_t number = PageList::kNamed; number < chunk.pages() && !done_; ++number) {
      if (listed_ == kMostListed) filterListed();
      list_[listed_++] = {offsets, &pages[grid_.pool().pageOf(chunk, number)]};
    }
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

  // Keeps the entities in those places of a page for the exact test, while they are fetched. Apart
  // from the loop around it, which it would fill with what is seldom needed.
  [[gnu::noinline]] void takeNear(const EntityPage& page, std::uint32_t places) {
    for (; places != 0; places &= places - 1) {
      if (near_.size() == kMostNear) meetNear();
      near_.push_back(page.slots[static_cast<std::size_t>(std::countr_zero(places))]);
      gathering_.scene.entities.prefetch(near_.back());
    }
  }
  void meetListed() {
    filterListed();
    meetNear();
  }
  void meetNear() {
    for (const std::uint32_t slot : near_) {
      if (done_) break;
      meet(slot);
    }
    near_.clear();
  }
  void meet(std::uint32_t slot) {
    const bool ends = gathering_.meetEntity(slot);
    done_ = gathering_.isDone();
    if (ends) this->limitTo(this->crossings_.cellAfter(gathering_.clip()));
  }

  const EntityGrid& grid_;
  PagePool::Pages::Reader pages_;
  PageLine line_;
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

void gatherEntitiesFast(Gathering& gathering, const PathMask& path, int index_level) {
  const int shift = gathering.scene.entities.frame().blockShift(index_level);
  const CellCrossings crossings(path, shift, CornerPolicy::kBoth);
  Vec3i first = crossings.first();
  Vec3i last = crossings.last();
  if (gathering.after() != nullptr) first = crossings.cellBefore(gathering.after()->time);
  if (gathering.isClipped()) last = crossings.cellAfter(gathering.clip());
  const int log2 = commonCubeLog2(first, last);
  if (path.fits64(shift + std::min(std::max(log2, kAreaLog2), kWindowLog2))) {
    EntityPass<std::int64_t>(gathering, crossings, index_level, {path, shift, first, last})
        .run(log2);
  } else {
    EntityPass<absl::int128>(gathering, crossings, index_level, {path, shift, first, last})
        .run(log2);
  }
}

void gatherEntitiesPlainly(Gathering& gathering, int index_level) {
  const Scene& scene = gathering.scene;
  const EntityGrid& grid = scene.entities.grid(index_level);
  const std::int64_t width = scene.entities.frame().chunkWidth(index_level);
  GridWalk<3> walk(scene.line.from(), scene.line.segment().to, {width, width, width},
                   CornerPolicy::kNeither);
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > gathering.clip()) return;
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (const auto empty = grid.emptyCubeLog2(chunk)) {
      if (!gathering.spend(gathering.stats.skips)) return;
      skipCube(walk, cell.cell, *empty, 1);
      continue;
    }
    if (!gathering.spend(gathering.stats.index_cells)) return;
    const PageList& pages = *grid.chunk(chunk);
    for (std::uint32_t i = 0; i < pages.count && !gathering.isDone(); ++i)
      gathering.meetEntity(grid.pool().slot(grid.pool().placeOf(pages, i)));
    if (gathering.isDone()) return;
  } while (walk.next());
}

}  // namespace fractalray::internal
