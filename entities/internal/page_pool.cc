// SPDX-License-Identifier: Apache-2.0
#include "page_pool.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "../../core/internal/containers/vector_capacity.h"

namespace fractalray::internal {
namespace {

// Calls `visit(entry)` for some entries of a run, at least one on each page of the table.
template <class Visit>
void forEachPageOfRun(std::uint32_t run, int log2, std::size_t page_size, const Visit& visit) {
  const std::size_t end = run + (std::size_t{1} << log2);
  for (std::size_t entry = run; entry < end; entry += page_size)
    visit(entry);
  visit(end - 1);
}

}  // namespace

PagePool PagePool::share() {
  PagePool shared;
  shared.pages_ = pages_.share(pages_in_use_);
  shared.table_ = table_.share(table_in_use_);
  return shared;
}

EntitySlot PagePool::add(PageList& list, std::uint32_t slot, const PageSphere& sphere) {
  if (list.count % EntityPage::kLanes == 0) {
    preparePage();
    prepareRuns(list, list.pages() + 1);
    addPage(list);
  }
  const EntitySlot entry = entryOf(list, list.count);
  EntityPage& page = pages_.edit(entry / EntityPage::kLanes);
  page.put(entry % EntityPage::kLanes, slot, sphere);
  ++list.count;
  return entry;
}

std::optional<PagePool::Moved> PagePool::remove(PageList& list, EntitySlot entry) {
  const EntitySlot last = entryOf(list, list.count - 1);
  EntityPage& last_page = pages_.edit(last / EntityPage::kLanes);
  EntityPage& page = pages_.edit(entry / EntityPage::kLanes);
  const bool is_dropped = last % EntityPage::kLanes == 0;
  if (is_dropped) prepareRuns(list, list.pages() - 1);

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
  if (before != kNoRun) prepareRunEdit(list.others, before);
  if (after == kNoRun || after == before) return;
  if (spareRuns(after).empty()) makeRun(after);
  prepareRunEdit(spareRuns(after).back(), after);
}

void PagePool::prepareRunEdit(std::uint32_t run, int log2) {
  forEachPageOfRun(run, log2, Table::kPageSize,
                   [this](std::size_t entry) { table_.prepareEdit(entry); });
}

void PagePool::useRun(std::uint32_t run, int log2) noexcept {
  forEachPageOfRun(run, log2, Table::kPageSize,
                   [this](std::size_t entry) { table_in_use_.use(entry); });
}

void PagePool::releaseRun(std::uint32_t run, int log2) noexcept {
  forEachPageOfRun(run, log2, Table::kPageSize,
                   [this](std::size_t entry) { table_in_use_.release(entry); });
}

void PagePool::makeRun(int log2) {
  const auto run = static_cast<std::uint32_t>(table_.size());
  const std::size_t end = table_.size() + (std::size_t{1} << log2);
  // Lists name a run by 32 bits.
  if (end > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  std::uint32_t& runs = runs_[static_cast<std::size_t>(log2)];
  ensureCapacity(spareRuns(log2), runs + 1);
  table_.ensureCapacity(end);
  table_in_use_.reserve(end);
  prepareRunEdit(run, log2);
  while (table_.size() < end)
    table_.add();
  spareRuns(log2).push_back(run);
  ++runs;
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
    table_.edit(list.others + number - PageList::kNamed) = page;
  }
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
  if (new_log2 != kNoRun) {
    list.others = spareRuns(new_log2).back();
    spareRuns(new_log2).pop_back();
    useRun(list.others, new_log2);
    for (std::uint32_t i = PageList::kNamed; i < std::min(before, after); ++i)
      table_.edit(list.others + i - PageList::kNamed) = table_[old + i - PageList::kNamed];
  }
  if (old_log2 == kNoRun) return;
  spareRuns(old_log2).push_back(old);
  releaseRun(old, old_log2);
}

}  // namespace fractalray::internal
