// SPDX-License-Identifier: Apache-2.0
#include "entity_slots.h"

#include <utility>

#include "../../core/check.h"
#include "../../core/internal/containers/vector_capacity.h"

namespace fractalray::internal {

void EntitySlots::prepare(std::size_t count) {
  if (count <= 1) return;
  const std::size_t size = spreadSize(count);
  std::vector<std::uint32_t>& spare = spare_spreads_[size];
  if (!spare.empty()) return;
  ensureCapacity(spare, spreads_made_[size] + 1);
  Spread spread;
  spread.reserve(kSpreadSizes[size]);
  spreads_.push_back(std::move(spread));
  spare.push_back(static_cast<std::uint32_t>(spreads_.size() - 1));
  ++spreads_made_[size];
}

// NOLINTNEXTLINE(bugprone-exception-escape): as declared
void EntitySlots::set(std::uint32_t slot, std::span<const EntitySlot> entries) noexcept {
  const std::size_t size = spreadSize(entries.size());
  const bool is_spread = entries.size() > 1;
  if (isSpread(slot)) {
    const std::uint32_t old = entries_[slot] & ~kSpread;
    const std::size_t old_size = spreadSize(spreads_[old].capacity());
    if (is_spread && old_size == size) {
      spreads_[old].assign(entries.begin(), entries.end());
      return;
    }
    spare_spreads_[old_size].push_back(old);
  }
  if (!is_spread) {
    entries_[slot] = entries.empty() ? kNone : entries.front();
    return;
  }
  FRACTALRAY_DCHECK(!spare_spreads_[size].empty(), size);
  const std::uint32_t spread = spare_spreads_[size].back();
  spare_spreads_[size].pop_back();
  spreads_[spread].assign(entries.begin(), entries.end());
  entries_[slot] = spread | kSpread;
}

void EntitySlots::relocate(const PagePool::Moved& moved) noexcept {
  for (EntitySlot& entry : of(moved.slot)) {
    if (entry == moved.from) entry = moved.to;
  }
}

}  // namespace fractalray::internal
