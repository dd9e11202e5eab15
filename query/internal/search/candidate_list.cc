// SPDX-License-Identifier: Apache-2.0
#include "candidate_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "../../../core/check.h"

namespace fractalray::internal {
namespace {

bool isSameEntity(const Candidate& a, const Candidate& b) {
  return !a.isBlock() && !b.isBlock() && a.entity == b.entity;
}

// Returns true if two neighbours are out of order or equal.
bool isMisplaced(const Candidate& a, const Candidate& b) {
  return !comesBefore(a, b);
}

}  // namespace

void CandidateList::makeNewestLast() {
  if (last_ == kNoLast) {
    last_ = all_.size() - 1;
  } else {
    FRACTALRAY_DCHECK(comesBefore(all_.back(), all_[last_]));
    all_[last_] = all_.back();
    all_.pop_back();
  }
}

void CandidateList::cut() {
  if (last_ == kNoLast || all_.size() < 2) return;
  std::swap(all_[last_], all_.back());
  const Candidate& last = all_.back();
  const auto before = std::prev(all_.end());
  all_.erase(
      std::remove_if(at(settled_), before,
                     [&last](const Candidate& candidate) { return !comesBefore(candidate, last); }),
      before);
  last_ = all_.size() - 1;
}

std::size_t CandidateList::settleAll() {
  const std::size_t before = std::exchange(settled_, all_.size());
  may_be_ordered_ = true;
  return settled_ - before;
}

std::size_t CandidateList::settle(const HitTime& until) {
  FRACTALRAY_DCHECK(last_ == kNoLast || last_ + 1 == all_.size(), last_, all_.size());
  const auto end = last_ == kNoLast ? all_.end() : std::prev(all_.end());
  const auto pending = std::partition(
      at(settled_), end, [&until](const Candidate& candidate) { return candidate.time <= until; });
  const std::size_t before =
      std::exchange(settled_, static_cast<std::size_t>(std::distance(all_.begin(), pending)));
  may_be_ordered_ = true;
  return settled_ - before;
}

void CandidateList::settleBeforeNewest() {
  if (all_.size() == settled_) return;
  const HitTime newest = all_.back().time;
  const auto is_not_before = [&newest](const Candidate& each) { return each.time >= newest; };
  all_.erase(std::remove_if(at(settled_), all_.end(), is_not_before), all_.end());
  last_ = kNoLast;
  settleAll();
}

void CandidateList::dropLast() {
  if (last_ == kNoLast) return;
  FRACTALRAY_DCHECK(last_ + 1 == all_.size(), last_, all_.size());
  all_.pop_back();
  last_ = kNoLast;
  settled_ = std::min(settled_, all_.size());
  ordered_ = std::min(ordered_, all_.size());
}

void CandidateList::dropLater(const HitTime& t) {
  FRACTALRAY_DCHECK(last_ == kNoLast || last_ + 1 == all_.size(), last_, all_.size());
  if (last_ == kNoLast || all_[last_].time > t) {
    last_ = kNoLast;
    const auto is_later = [&t](const Candidate& candidate) { return candidate.time > t; };
    all_.erase(std::remove_if(at(ordered_), all_.end(), is_later), all_.end());
  }
  settled_ = all_.size();
}

const Candidate* CandidateList::orderUntil(std::size_t i) {
  while (i >= ordered_) {
    if (ordered_ == settled_) return nullptr;
    orderMore();
  }
  return &all_[i];
}

void CandidateList::dropTaken(std::size_t count) {
  FRACTALRAY_DCHECK(count <= ordered_, count, ordered_);
  all_.erase(all_.begin(), at(count));
  ordered_ -= count;
  settled_ -= count;
  if (last_ != kNoLast) last_ -= count;
}

std::span<const Candidate> CandidateList::takeSettled() {
  while (ordered_ < settled_)
    orderMore();
  return settled();
}

void CandidateList::assign(std::span<const Candidate> candidates, bool has_last) {
  FRACTALRAY_DCHECK(!has_last || !candidates.empty());
  clear();
  all_.assign(candidates.begin(), candidates.end());
  if (has_last) last_ = all_.size() - 1;
  settleAll();
}

void CandidateList::orderMore() {
  const auto begin = at(ordered_);
  const auto end = last_ != kNoLast && last_ + 1 == settled_ ? at(last_) : at(settled_);
  // The candidates of a single level usually arrive sorted.
  if (may_be_ordered_ && std::adjacent_find(begin, end, isMisplaced) == end) {
    ordered_ = settled_;
    return;
  }
  may_be_ordered_ = false;
  // Portions grow geometrically, so the remainder is scanned only a few times; once the remainder
  // is not much larger than the next portion, sorting all of it is cheaper.
  constexpr std::ptrdiff_t kFirstPortion = 16;
  constexpr std::ptrdiff_t kGrowth = 8;
  const auto portion = std::max(kFirstPortion, kGrowth * std::distance(all_.begin(), begin));
  if (portion < std::distance(begin, end) / kGrowth) {
    std::partial_sort(begin, begin + portion, end, comesBefore);
    closeOrdered(begin + portion);
  } else {
    std::sort(begin, end, comesBefore);
    closeOrdered(end);
    ordered_ = settled_;  // includes the last one
  }
}

void CandidateList::closeOrdered(Position end) {
  // A repeated entity may also equal the end of the previous portion.
  const auto begin = at(ordered_ == 0 ? 0 : ordered_ - 1);
  const auto once = std::unique(begin, end, isSameEntity);
  ordered_ = static_cast<std::size_t>(std::distance(all_.begin(), once));
  const auto repeated = static_cast<std::size_t>(std::distance(once, end));
  if (repeated == 0) return;
  all_.erase(once, end);
  settled_ -= repeated;
  if (last_ != kNoLast) last_ -= repeated;
}

}  // namespace fractalray::internal
