// SPDX-License-Identifier: Apache-2.0
#include "chunk_pages.h"

#include <new>

#include "absl/cleanup/cleanup.h"

#include "../../core/check.h"
#include "../../core/internal/containers/vector_capacity.h"

namespace fractalray::internal {

ChunkPages ChunkPages::share() {
  ChunkPages shared;
  shared.pool_ = pool_.share();
  shared.octants_ = octants_.share();
  shared.counts_ = counts_;
  return shared;
}

std::size_t ChunkPages::octantOf(const PageCenter& center, int depth) {
  const int bit = kPageUnitsLog2 - 1 - depth;
  std::size_t octant = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    octant |= std::size_t{fromSide(center[axis]) >> bit & 1} << axis;
  return octant;
}

ChunkPages::Path ChunkPages::pathOf(const PageList& list, int depth, const PageCenter& center) {
  Path path;
  for (const PageList* at = &list; at->isSplit(); at = &path.back().list()) {
    path.push_back({&octants_.edit(at->octants()), octantOf(center, depth)});
    ++depth;
  }
  return path;
}

EntitySlot ChunkPages::add(PageList& chunk, std::uint32_t slot, const PageSphere& sphere) {
  const std::uint32_t before = pages(chunk);
  const EntitySlot entry = addTo(chunk, 0, slot, sphere);
  // The first entity of a page has made that page.
  if (entry % EntityPage::kLanes != 0) return entry;
  if (chunk.isSplit()) ++octants_.edit(chunk.octants()).pages;
  counts_.change(before, before + 1);
  return entry;
}

EntitySlot ChunkPages::addTo(PageList& list, int depth, std::uint32_t slot,
                             const PageSphere& sphere) {
  const Path path = pathOf(list, depth, sphere.center);
  depth += static_cast<int>(path.size());
  PageList& own = path.empty() ? list : path.back().list();
  const EntitySlot entry = pool_.add(own, slot, sphere, static_cast<std::uint8_t>(depth));
  // Nothing throws from here on.
  if (own.count > kMost && own.count % EntityPage::kLanes == 1 && depth < kDeepest) is_due_ = true;
  if (!path.empty()) ++list.count;
  for (const Step& step : path) {
    if (&step != &path.back()) ++step.list().count;
    std::int16_t& radius = step.octants->radius[step.octant];
    radius = std::max(radius, sphere.radius);
  }
  return entry;
}

std::optional<PagePool::Moved> ChunkPages::remove(PageList& chunk, EntitySlot entry) {
  const std::uint32_t before = pages(chunk);
  const EntityPage& page = pool_.page(entry / EntityPage::kLanes);
  const Path path = pathOf(chunk, 0, page.get(entry % EntityPage::kLanes).center);
  PageList& own = path.empty() ? chunk : path.back().list();
  const std::optional<PagePool::Moved> moved = pool_.remove(own, entry);
  // Nothing throws from here on.
  if (own.count % EntityPage::kLanes == 0) {
    if (chunk.isSplit()) --path.front().octants->pages;
    counts_.change(before, before - 1);
  }
  if (path.empty()) return moved;
  if (--chunk.count == kFewest) is_due_ = true;
  for (const Step& step : path) {
    PageList& list = step.list();
    if (&list != &own && --list.count == kFewest) is_due_ = true;
    if (list.count == 0) step.octants->radius[step.octant] = Octants::kEmpty;
  }
  return moved;
}

void ChunkPages::arrange(PageList& chunk, Follow follow) noexcept {
  const std::uint32_t before = pages(chunk);
  try {
    arrangeList(chunk, 0, follow);
  } catch (const std::bad_alloc&) {
    // The rest stays as it is, which is slower and no less right.
  }
  const std::uint32_t after = countedPages(chunk);
  if (after == before && !chunk.isSplit()) return;
  // Its own since a list in it has changed.
  if (chunk.isSplit() && octants_[chunk.octants()].pages != after)
    octants_.edit(chunk.octants()).pages = after;
  counts_.change(before, after);
}

void ChunkPages::arrangeList(PageList& list, int depth, Follow follow) {
  const bool is_due =
      list.isSplit() ? list.count <= kFewest : list.count > kMost && depth < kDeepest;
  if (is_due) rebuild(list, depth, follow);
  if (!list.isSplit()) return;
  for (PageList& part : octants_.edit(list.octants()).lists)
    arrangeList(part, depth + 1, follow);
}

void ChunkPages::rebuild(PageList& list, int depth, Follow follow) {
  std::vector<PagePool::Moved> moved;
  moved.reserve(list.count);
  prepareClear(list);
  PageList rebuilt = list.isSplit() ? PageList{} : makeSplit();
  absl::Cleanup undo = [&] { clear(rebuilt); };
  forEachEntry(list, [&](EntitySlot entry) {
    const EntityPage& page = pool_.page(entry / EntityPage::kLanes);
    const std::uint32_t lane = entry % EntityPage::kLanes;
    const std::uint32_t slot = page.slots[lane];
    moved.push_back({slot, entry, addTo(rebuilt, depth, slot, page.get(lane))});
  });
  std::move(undo).Cancel();
  clear(list);
  list = rebuilt;
  is_due_ = false;
  for (const PagePool::Moved& each : moved)
    follow(each);
}

PageList ChunkPages::makeSplit() {
  if (spare_octants_.empty()) {
    ensureCapacity(spare_octants_, octants_.size() + 1);
    octants_.add();
    spare_octants_.push_back(static_cast<std::uint32_t>(octants_.size() - 1));
  }
  const std::uint32_t number = spare_octants_.back();
  octants_.edit(number) = {};
  spare_octants_.pop_back();
  return {.count = 0, .named = {number, 0}, .others = PageList::kIsSplit};
}

void ChunkPages::prepareClear(const PageList& list) {
  if (!list.isSplit()) return pool_.prepareClear(list);
  for (const PageList& part : octants_.edit(list.octants()).lists)
    prepareClear(part);
}

// NOLINTNEXTLINE(bugprone-exception-escape): prepareClear() has prepared it
void ChunkPages::clear(PageList& list) noexcept {
  if (!list.isSplit()) return pool_.clear(list);
  for (PageList& part : octants_.edit(list.octants()).lists)
    clear(part);
  spare_octants_.push_back(list.octants());
  list = {};
}

std::uint32_t ChunkPages::countedPages(const PageList& list) const {
  std::uint32_t pages = 0;
  forEachPage(list, [&](std::uint32_t, std::uint32_t) { ++pages; });
  return pages;
}

}  // namespace fractalray::internal
