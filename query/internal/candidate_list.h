// SPDX-License-Identifier: Apache-2.0
// The candidates of a collector, sorted lazily in the order of hits.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "candidate.h"

namespace fractalray::internal {

// Filled in any order, then cut, then taken from the front. Reuses its memory. Not thread-safe.
class CandidateList {
 public:
  void clear() {
    all_.clear();
    ordered_ = 0;
    last_ = kNoLast;
  }
  bool empty() const { return all_.empty(); }
  // An entity found in several chunks counts once for each until it has been sorted.
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
  // Drops what is later than `t`. Requires: cut() has been called, and nothing has been taken.
  void dropLater(const HitTime& t);

  // The last one; null if none has been set.
  const Candidate* last() const { return last_ == kNoLast ? nullptr : &all_[last_]; }
  // Returns candidate i in the order of hits, each entity once; null past the end. Valid until the
  // next call that is not const. Cost: sorts the candidates up to i and a few more, by one look at
  // each of the others; all n of them cost n log n comparisons.
  const Candidate* take(std::size_t i);

  // Returns all of them in the order of hits, each entity once. Cost: n log n comparisons.
  std::span<const Candidate> takeAll();
  // Returns all candidates, sorted as far as they have been taken.
  std::span<const Candidate> all() const { return all_; }
  // Replaces the content by candidates of another list; none of them is the last one.
  void assign(std::span<const Candidate> candidates);

 private:
  static constexpr std::size_t kNoLast = std::numeric_limits<std::size_t>::max();

  using Position = std::vector<Candidate>::iterator;

  // Sorts the next portion.
  void orderMore();
  // Extends the sorted part to `end`, each entity once.
  void closeOrdered(Position end);

  std::vector<Candidate> all_;
  std::size_t ordered_ = 0;     // number of leading candidates that are sorted and unique
  std::size_t last_ = kNoLast;  // index of the last one
};

}  // namespace fractalray::internal
