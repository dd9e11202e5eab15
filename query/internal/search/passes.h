// SPDX-License-Identifier: Apache-2.0
// Runs the passes of a query, all at once or slice by slice. The only component that knows all
// passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/level_mask.h"
#include "../../query_options.h"
#include "candidate_collector.h"
#include "direct_search.h"

namespace fractalray::internal {

// Returns true if a pass can pause and continue later, so that it may run slice by slice. The
// others run to their end at once.
constexpr bool canPause(SearchPass pass) {
  return pass == SearchPass::kFast;
}
// Returns true if a pass descends the trees of occupied cubes; the others walk cell by cell.
constexpr bool descendsTrees(SearchPass pass) {
  return pass == SearchPass::kFast;
}

// The times up to which the passes of one kind, blocks or entities, have read each level. Levels
// whose pass has paused are open; the passes over the others have read everything that matters.
class PassPositions {
 public:
  // The times of levels that are not open have no value: there are many, and most queries have
  // none.
  PassPositions() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  LevelMask open() const { return open_; }
  // Returns the open levels that have read up to exactly `t`.
  LevelMask at(const Fraction& t) const;
  // Lowers `t` to the first time up to which an open level has read, of those that are not in
  // `except`; sets it if it is empty.
  void lowerToFirst(LevelMask except, std::optional<Fraction>& t) const;

  void pause(int level, const Fraction& until) {
    open_.add(level);
    numerators_[static_cast<std::size_t>(level)] = until.numerator;
    denominators_[static_cast<std::size_t>(level)] = until.denominator;
  }
  void finish(int level) { open_ = open_.without({level}); }
  void finishAll() { open_ = {}; }
  // Finishes the levels that have read up to `end` or further.
  void finishFrom(const HitTime& end);

 private:
  // Requires: the level is open.
  Fraction until(int level) const {
    const auto i = static_cast<std::size_t>(level);
    return {numerators_[i], denominators_[i]};
  }

  LevelMask open_;
  // The times up to which open levels have been read, inclusive.
  std::array<std::int64_t, kMaxLevels> numerators_;
  std::array<std::int64_t, kMaxLevels> denominators_;
};

struct PassProgress {
  PassPositions blocks;
  PassPositions entities;

  bool isComplete() const { return blocks.open().empty() && entities.open().empty(); }
  void complete() {
    blocks.finishAll();
    entities.finishAll();
  }
  // Returns the time up to which all passes have read, inclusive; nothing if they are complete.
  std::optional<Fraction> horizon() const;
  // Returns the least time up to which a pass that is not at `horizon` has read; nothing if there
  // is none.
  std::optional<Fraction> nextAfter(const Fraction& horizon) const;
};

// Runs the passes that the options ask for over all levels of the query, until the collector is
// done. If the direct search is decided, adds its blocks, and runs no passes over blocks; those
// over entities end at the solid one. Cost: that of the passes. Requires: the direct search is not
// cut.
void runPasses(const DirectResult& direct, CandidateCollector& collector);

// Does the same with the first slice of each pass, and sets `progress`. If the direct search is
// cut, its blocks are the first slice of blocks. Requires: the slice has more candidates than the
// direct search has passed blocks.
void runFirstSlice(const DirectResult& direct, CandidateCollector& collector,
                   PassProgress& progress);
// Runs another slice of the passes that are at the horizon. Requires: the collector's slice begins
// there, and there is one.
void runNextSlice(CandidateCollector& collector, PassProgress& progress);

// Returns true if a query has a single pass, over blocks: then all its candidates are found in
// their order. The second form is for a slice, of the passes at `horizon`.
bool findsInOrder(const QueryContext& context);
bool findsInOrder(const PassProgress& progress, const Fraction& horizon);

// Makes every pass of a query open at `horizon`.
void openAllAt(const QueryContext& context, const Fraction& horizon, PassProgress& progress);

// Returns true if a quick test shows that the whole line of a query runs through loaded chunks of
// one of its levels. May be a false negative. Cost: a few steps for each level.
bool isWhollyLoaded(const QueryContext& context);

}  // namespace fractalray::internal
