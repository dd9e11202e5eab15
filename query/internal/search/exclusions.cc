// SPDX-License-Identifier: Apache-2.0
#include "exclusions.h"

#include <algorithm>

namespace fractalray::internal {

bool IgnoredIds::contains(EntityId id) {
  if (size() <= kShortList) return search(id);
  if (state_ == State::kUnread) {
    state_ = areInSet() ? State::kInSet : State::kSearched;
    searches_ = 0;
  }
  if (state_ == State::kSearched) {
    if (searches_++ < kSearches) return search(id);
    fillSet();
  }
  return set_.contains(id);
}

bool IgnoredIds::areInSet() const {
  if (in_set_.size() != size()) return false;
  const auto middle = in_set_.begin() + static_cast<std::ptrdiff_t>(lists_[0].size());
  return std::equal(lists_[0].begin(), lists_[0].end(), in_set_.begin()) &&
         std::equal(lists_[1].begin(), lists_[1].end(), middle);
}

bool IgnoredIds::search(EntityId id) const {
  return std::any_of(lists_.begin(), lists_.end(), [id](std::span<const EntityId> ids) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  });
}

void IgnoredIds::fillSet() {
  in_set_.clear();  // first, since an allocation below may fail
  set_.reset(size());
  in_set_.reserve(size());
  for (const std::span<const EntityId> ids : lists_) {
    for (const EntityId id : ids)
      set_.insert(id);
    in_set_.insert(in_set_.end(), ids.begin(), ids.end());
  }
  state_ = State::kInSet;
}

std::uint64_t EarlierHits::numberOf(EntityHandle entity, EntityId id) const {
  return by_id_ ? id : (std::uint64_t{entity.slot} << 32) | entity.generation;
}

bool EarlierHits::contains(EntityHandle entity, EntityId id) {
  const std::uint64_t number = numberOf(entity, id);
  if (size() <= kShortList) return search(number);
  if (!is_in_set_) fillSet();
  return set_.contains(number);
}

bool EarlierHits::search(std::uint64_t number) const {
  return std::any_of(lists_.begin(), lists_.end(), [&](std::span<const Hit> hits) {
    return std::any_of(hits.begin(), hits.end(), [&](const Hit& hit) {
      return hit.isEntity() && numberOf(hit.entity, hit.id) == number;
    });
  });
}

void EarlierHits::fillSet() {
  set_.reset(size());
  for (const std::span<const Hit> hits : lists_) {
    for (const Hit& hit : hits) {
      if (hit.isEntity()) set_.insert(numberOf(hit.entity, hit.id));
    }
  }
  is_in_set_ = true;
}

}  // namespace fractalray::internal
