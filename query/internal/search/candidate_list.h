// SPDX-License-Identifier: Apache-2.0
// The candidates of a collector, sorted lazily in the order of hits.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "candidate.h"

namespace fractalray::internal {

// Filled in any order, then cut, settled and taken from the front; then filled again with later
// candidates. Reuses its memory. Not thread-safe.
//
//   [ taken | in order | settled, in any order | pending: later than those settled ] last
//            take() ->   ^ ordered_              ^ settled_
class CandidateList {
 public:
  void clear() {
    all_.clear();
    ordered_ = 0;
    settled_ = 0;
    last_ = kNoLast;
  }
  bool empty() const { return all_.empty(); }
  // Returns the number of candidates; an entity found in several chunks counts once for each until
  // it has been sorted.
  std::size_t size() const { return all_.size(); }

  // Appends a candidate, to be filled in by the caller.
  Candidate& add() { return all_.emplace_back(); }
  Candidate& newest() { return all_.back(); }
  void dropNewest() { all_.pop_back(); }
  // Makes the newest candidate the last one, after which nothing matters; the previous last one is
  // dropped. Requires: the newest comes before it.
  void makeNewestLast();

  // Drops everything after the last one, which is then at the back.
  void cut();
  // Make all candidates available, or those up to `until`, inclusive. Require: cut() has been
  // called since the last add(), and candidates added afterwards are later than `until`. Return the
  // number of candidates that became available.
  std::size_t settleAll();
  std::size_t settle(const HitTime& until);
  // Makes the candidates before the newest one available, but for those at the same time, and drops
  // that one and the others. Requires: they have been added in the order of their times.
  void settleBeforeNewest();
  // Drops the last one. Requires: cut() has been called since the last add().
  void dropLast();
  // Drops candidates later than `t`. Requires: all candidates up to `t`, or all before the last
  // one, are settled, and none that is later has been taken.
  void dropLater(const HitTime& t);

  // Returns the last one; null if none has been set.
  const Candidate* last() const { return last_ == kNoLast ? nullptr : &all_[last_]; }
  // Returns settled candidate i in the order of hits, each entity once; null past the end. Valid
  // until the next call that is not const. Cost: sorts the candidates up to i and a few more,
  // and examines each of the others once; all n of them cost n log n comparisons.
  const Candidate* take(std::size_t i) { return i < ordered_ ? &all_[i] : orderUntil(i); }

  // Drops the first `count` candidates; the others are then counted from 0. Requires: those dropped
  // have been taken.
  void dropTaken(std::size_t count);

  // Returns all settled candidates in the order of hits, each entity once. Cost: n log n
  // comparisons.
  std::span<const Candidate> takeSettled();
  // Returns the settled candidates, sorted as far as they have been taken.
  std::span<const Candidate> settled() const { return std::span(all_).first(settled_); }
  // Replaces the content by settled candidates of another list; the last of them is last() if
  // `has_last`.
  void assign(std::span<const Candidate> candidates, bool has_last);

 private:
  static constexpr std::size_t kNoLast = std::numeric_limits<std::size_t>::max();

  using Position = std::vector<Candidate>::iterator;

  Position at(std::size_t i) { return all_.begin() + static_cast<std::ptrdiff_t>(i); }
  // Sorts portions until candidate i is in its final position, and returns that candidate; null if
  // there is none.
  const Candidate* orderUntil(std::size_t i);
  // Sorts the next portion.
  void orderMore();
  // Extends the sorted part to `end`, each entity once.
  void closeOrdered(Position end);

  std::vector<Candidate> all_;
  std::size_t ordered_ = 0;     // number of leading candidates that are sorted and unique
  std::size_t settled_ = 0;     // number of leading candidates that take() may return
  std::size_t last_ = kNoLast;  // index of the last one
  bool may_be_ordered_ = true;  // true until settled candidates were found to be out of order
};

}  // namespace fractalray::internal
