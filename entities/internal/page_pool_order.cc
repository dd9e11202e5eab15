// SPDX-License-Identifier: Apache-2.0
// The boxes of a PagePool: made tight by order(), and loosened by edits.
#include <algorithm>

#include "../../core/internal/containers/vector_capacity.h"
#include "page_pool.h"

namespace fractalray::internal {

void PagePool::loosenBox(std::size_t page) {
  std::uint32_t& box = box_of_[page];
  PageBoxes& boxes = boxes_.edit(box / PageBoxes::kLanes);
  // Nothing throws from here on.
  boxes.setWhole(box % PageBoxes::kLanes);
  box = kNoBox;
  disorder(boxes);
}

void PagePool::loosenEnd(const PageList& list) {
  const std::uint32_t first = boxesOf(list);
  if (first != kNoBoxes) disorder(boxes_.edit(first));
}

void PagePool::disorder(PageBoxes& boxes) noexcept {
  if (boxes.is_loose) return;
  boxes.is_loose = true;
  ++disorders_;
}

void PagePool::forgetBoxes(const PageList& list, std::uint32_t pages) noexcept {
  for (std::uint32_t number = 0; number < pages; ++number) {
    const std::uint32_t page = pageOf(list, number);
    if (page < box_of_.size()) box_of_[page] = kNoBox;
  }
}

bool PagePool::needsOrder(const PageList& list) const {
  if (!list.isCrowded()) return false;
  const std::uint32_t first = boxesOf(list);
  if (first == kNoBoxes) return true;
  const std::uint32_t groups = boxes_[first].groups;
  for (std::uint32_t group = 0; group < groups; ++group) {
    if (boxes_[first + group].is_loose) return true;
  }
  return false;
}

void PagePool::prepareOrder(const PageList& list) {
  FRACTALRAY_DCHECK(list.isCrowded(), list.count);
  if (box_of_.size() < pages_.size()) {
    ensureCapacity(box_of_, pages_.size());
    box_of_.resize(pages_.size(), kNoBox);
  }
  for (std::uint32_t number = 0; number < list.pages(); ++number)
    pages_.prepareEdit(pageOf(list, number));
  const std::uint32_t groups = groupsFor(list.pages());
  const int log2 = boxesLog2(groups);
  std::uint32_t first = boxesOf(list);
  // Keeps a run that has the right length, so that only its own memory is written: if it were given
  // back, it would be the next one taken, in place of the one that is prepared.
  const bool keeps_run = first != kNoBoxes && boxesLog2(boxes_[first].groups) == log2;
  if (keeps_run) {
    boxes_.prepareEdit(first, log2);
    if (boxes_[first].groups == groups) return;
  } else {
    table_.prepareEdit(list.others, runLog2(list.pages()));
    boxes_.prepareTake(log2);
  }
  // Nothing throws from here on.
  if (first != kNoBoxes) forgetBoxes(list, list.pages());
  if (!keeps_run) {
    if (first != kNoBoxes) boxes_.giveBack(first, boxesLog2(boxes_[first].groups));
    first = boxes_.take(log2);
    table_.edit(list.others) = first;
  }
  for (std::uint32_t group = 0; group < groups; ++group)
    boxes_.edit(first + group) = PageBoxes();
  boxes_.edit(first).groups = groups;
}

bool PagePool::order(const PageList& list, std::span<OrderItem> items,
                     std::span<std::uint64_t> order) noexcept {
  const std::uint32_t first = boxesOf(list);
  // Sorting costs several times as much as the boxes, and most moves are small.
  const std::uint64_t sorted = boxes_[first].sides;
  if (sorted != 0 && setBoxes(list, first) <= sorted + sorted / 4) return false;
  gather(list, items);
  orderByPosition(items, order);
  scatter(list, items, order);
  boxes_.edit(first).sides = setBoxes(list, first);
  return true;
}

std::uint64_t PagePool::setBoxes(const PageList& list, std::uint32_t first) noexcept {
  std::uint64_t sides = 0;
  for (std::uint32_t number = 0; number < list.pages(); ++number) {
    const std::uint32_t page = pageOf(list, number);
    const std::uint32_t group = first + number / PageBoxes::kLanes;
    const std::uint32_t lane = number % PageBoxes::kLanes;
    const std::uint32_t count =
        std::min(list.count - number * EntityPage::kLanes, EntityPage::kLanes);
    sides += boxes_.edit(group).set(lane, pages_[page], count);
    box_of_[page] = group * PageBoxes::kLanes + lane;
  }
  const std::uint32_t groups = groupsFor(list.pages());
  for (std::uint32_t group = 0; group < groups; ++group)
    boxes_.edit(first + group).is_loose = false;
  return sides;
}

void PagePool::gather(const PageList& list, std::span<OrderItem> items) const {
  for (std::uint32_t begin = 0; begin < list.count; begin += EntityPage::kLanes) {
    const std::uint32_t number = pageOf(list, begin / EntityPage::kLanes);
    const EntityPage& page = pages_[number];
    const std::uint32_t count = std::min(list.count - begin, EntityPage::kLanes);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      items[begin + lane] = {.sphere = page.get(lane),
                             .slot = page.slots[lane],
                             .entry = number * EntityPage::kLanes + lane};
    }
  }
}

void PagePool::scatter(const PageList& list, std::span<const OrderItem> items,
                       std::span<const std::uint64_t> order) noexcept {
  for (std::uint32_t begin = 0; begin < list.count; begin += EntityPage::kLanes) {
    EntityPage& page = pages_.edit(pageOf(list, begin / EntityPage::kLanes));
    const std::uint32_t count = std::min(list.count - begin, EntityPage::kLanes);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const OrderItem& item = items[static_cast<std::size_t>(order[begin + lane])];
      page.put(lane, item.slot, item.sphere);
    }
  }
}

}  // namespace fractalray::internal
