// SPDX-License-Identifier: Apache-2.0
#include "fractalray/entities/page_pool.h"

#include <utility>

namespace fractalray::internal {

PagePool PagePool::share() {
  PagePool shared;
  shared.pages_ = pages_.share();
  shared.table_ = table_.share();
  return shared;
}

EntityPlace PagePool::add(PageList& list, std::uint32_t slot, const PageSphere& sphere) {
  if (list.count % EntityPage::kPlaces == 0) addPage(list);
  const EntityPlace place = placeOf(list, list.count++);
  put(place, slot, sphere);
  return place;
}

std::optional<PagePool::Moved> PagePool::remove(PageList& list, EntityPlace place) {
  const EntityPlace last = placeOf(list, list.count - 1);
  std::optional<Moved> moved;
  EntityPage& last_page = pages_.edit(last / EntityPage::kPlaces);
  if (last != place) {
    moved = {slot(last), last, place};
    put(place, moved->slot, last_page.get(last % EntityPage::kPlaces));
  }
  last_page.clear(last % EntityPage::kPlaces);
  if (last % EntityPage::kPlaces == 0) dropPage(list);
  --list.count;
  return moved;
}

void PagePool::put(EntityPlace place, std::uint32_t slot, const PageSphere& sphere) {
  EntityPage& page = pages_.edit(place / EntityPage::kPlaces);
  page.set(place % EntityPage::kPlaces, sphere);
  page.slots[place % EntityPage::kPlaces] = slot;
}

void PagePool::addPage(PageList& list) {
  if (spare_pages_.empty()) {
    spare_pages_.push_back(static_cast<std::uint32_t>(pages_.size()));
    pages_.add();
  }
  const std::uint32_t page = spare_pages_.back();
  spare_pages_.pop_back();
  const std::uint32_t number = list.pages();
  if (number < PageList::kNamed) {
    list.named[number] = page;
    return;
  }
  const std::uint32_t others = number - PageList::kNamed;
  if (others == 0) {
    list.others = allocateRun(runLog2(1));
  } else if (runLog2(others + 1) != runLog2(others)) {
    const std::uint32_t longer = allocateRun(runLog2(others + 1));
    copyRun(list.others, longer, others);
    spare_runs_[static_cast<std::size_t>(runLog2(others))].push_back(list.others);
    list.others = longer;
  }
  table_.edit(list.others + others) = page;
}

void PagePool::dropPage(PageList& list) {
  const std::uint32_t number = list.pages() - 1;
  spare_pages_.push_back(pageOf(list, number));
  if (number < PageList::kNamed) return;
  const std::uint32_t others = number - PageList::kNamed;  // that stay
  if (others > 0 && runLog2(others) == runLog2(others + 1)) return;
  const std::uint32_t old = std::exchange(list.others, 0);
  if (others > 0) {
    list.others = allocateRun(runLog2(others));
    copyRun(old, list.others, others);
  }
  spare_runs_[static_cast<std::size_t>(runLog2(others + 1))].push_back(old);
}

std::uint32_t PagePool::allocateRun(int log2) {
  std::vector<std::uint32_t>& spare = spare_runs_[static_cast<std::size_t>(log2)];
  if (spare.empty()) {
    spare.push_back(static_cast<std::uint32_t>(table_.size()));
    for (int i = 0; i < 1 << log2; ++i)
      table_.add();
  }
  const std::uint32_t run = spare.back();
  spare.pop_back();
  return run;
}

void PagePool::copyRun(std::uint32_t from, std::uint32_t to, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i)
    table_.edit(to + i) = table_[from + i];
}

}  // namespace fractalray::internal
