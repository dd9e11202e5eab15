// SPDX-License-Identifier: Apache-2.0
#include "page_pool.h"

#include <algorithm>
#include <new>
#include <utility>

#include "../../core/internal/containers/vector_capacity.h"

namespace fractalray::internal {

PagePool PagePool::share() {
  PagePool shared;
  shared.pages_ = pages_.share(pages_in_use_);
  shared.table_ = table_.share();
  shared.boxes_ = boxes_.share();
  return shared;
}

EntitySlot PagePool::add(PageList& list, std::uint32_t slot, const PageSphere& sphere) {
  if (list.count % EntityPage::kLanes == 0) {
    preparePage();
    prepareRuns(list, list.pages() + 1);
    loosenEnd(list);
    addPage(list);
  }
  const EntitySlot entry = entryOf(list, list.count);
  loosen(entry);
  EntityPage& page = pages_.edit(entry / EntityPage::kLanes);
  page.put(entry % EntityPage::kLanes, slot, sphere);
  ++list.count;
  return entry;
}

std::optional<PagePool::Moved> PagePool::remove(PageList& list, EntitySlot entry) {
  const EntitySlot last = entryOf(list, list.count - 1);
  // The last page too, so that the removal can be undone: its entity comes back there.
  loosen(last);
  loosen(entry);
  EntityPage& last_page = pages_.edit(last / EntityPage::kLanes);
  EntityPage& page = pages_.edit(entry / EntityPage::kLanes);
  const bool is_dropped = last % EntityPage::kLanes == 0;
  if (is_dropped) {
    prepareRuns(list, list.pages() - 1);
    loosenEnd(list);
  }

  std::optional<Moved> moved;
  const std::uint32_t last_in_page = last % EntityPage::kLanes;
  if (last != entry) {
    moved = {last_page.slots[last_in_page], last, entry};
    page.put(entry % EntityPage::kLanes, moved->slot, last_page.get(last_in_page));
  }
  last_page.clear(last_in_page);
  if (is_dropped) dropPage(list);
  --list.count;
  return moved;
}

void PagePool::preparePage() {
  if (spare_pages_.empty()) {
    if (pages_.size() >= most_pages_) throw std::bad_alloc();
    const auto page = static_cast<std::uint32_t>(pages_.size());
    ensureCapacity(spare_pages_, pages_.size() + 1);
    pages_in_use_.reserve(pages_.size() + 1);
    pages_.add();
    spare_pages_.push_back(page);
  }
  pages_.prepareEdit(spare_pages_.back());
}

void PagePool::prepareRuns(const PageList& list, std::uint32_t pages) {
  const int before = runLog2(list.pages());
  const int after = runLog2(pages);
  if (before != kNoRun) table_.prepareEdit(list.others, before);
  if (after != kNoRun && after != before) table_.prepareTake(after);
}

void PagePool::addPage(PageList& list) {
  const std::uint32_t page = spare_pages_.back();
  spare_pages_.pop_back();
  pages_in_use_.use(page);
  const std::uint32_t number = list.pages();
  changeRun(list, number, number + 1);
  if (number < PageList::kNamed) {
    list.named[number] = page;
  } else {
    table_.edit(otherAt(list.others, number)) = page;
  }
  if (number == PageList::kNamed) ++disorders_;
}

void PagePool::dropPage(PageList& list) {
  const std::uint32_t number = list.pages() - 1;
  const std::uint32_t page = pageOf(list, number);
  spare_pages_.push_back(page);
  pages_in_use_.release(page);
  changeRun(list, number + 1, number);
}

void PagePool::changeRun(PageList& list, std::uint32_t before, std::uint32_t after) {
  const int old_log2 = runLog2(before);
  const int new_log2 = runLog2(after);
  if (old_log2 == new_log2) return;
  const std::uint32_t old = std::exchange(list.others, 0);
  const std::uint32_t boxes = old_log2 == kNoRun ? kNoBoxes : table_[old];
  if (new_log2 != kNoRun) {
    list.others = table_.take(new_log2);
    table_.edit(list.others) = boxes;
    for (std::uint32_t i = PageList::kNamed; i < std::min(before, after); ++i)
      table_.edit(otherAt(list.others, i)) = table_[otherAt(old, i)];
  } else if (boxes != kNoBoxes) {
    forgetBoxes(list, after);
    boxes_.giveBack(boxes, boxesLog2(boxes_[boxes].groups));
  }
  if (old_log2 != kNoRun) table_.giveBack(old, old_log2);
}

}  // namespace fractalray::internal
