// SPDX-License-Identifier: Apache-2.0
// Collects the candidates of a query, whichever pass finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "absl/status/status.h"

#include "../../../core/grid_walk.h"
#include "candidate.h"
#include "candidate_list.h"
#include "exclusions.h"
#include "query_context.h"

namespace fractalray::internal {

// Takes the blocks and entities that the passes find: filters them, keeps the candidates, and
// bounds the part of the line that passes still have to read. Collects all at once, or slice by
// slice (beginSlice): then a pass pauses once it has found enough, later passes read no further
// than that, and each pass continues in a later slice from its own pause. For a single use.
class CandidateCollector {
 public:
  static constexpr std::size_t kNeverEnough = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  // The candidates, and the entities that are left out. Reused from query to query.
  struct Memory {
    CandidateList candidates;
    IgnoredIds ignored;
    EarlierHits earlier;
  };

  // The state of a collection slice by slice. A struct of its own, since a short query has no
  // slices.
  struct Slice {
    std::optional<HitTime> from{};  // the start of the slice, exclusive
    std::size_t enough = 0;         // the candidates after which a pass pauses
    std::size_t enough_left = 0;
    std::uint64_t most_steps = kNoLimit;  // the steps after which a pass pauses
    bool is_paused = false;               // true if clip() is the time at which the passes pause
    // While paused, the state without the pause.
    bool is_ended = false;
    HitTime end{};
    Candidate::Rank end_rank = Candidate::Rank::last();
  };

  // Collects only what follows `after` in the order of hits (everything if it is null), and none of
  // the entities in `hits` and in the context's and the options' `after`; if `after` is the start
  // of a time (Candidate::startOf), none of the blocks in `hits` either. The arguments must outlive
  // the collector. Empties memory.candidates.
  CandidateCollector(const QueryContext& query_context, const Candidate* after,
                     std::span<const Hit> hits, Memory& memory, QueryStats& query_stats)
      : context(query_context),
        stats(query_stats),
        after_(after),
        hits_(hits),
        memory_(memory),
        steps_left_(context.options.max_steps - std::min(context.options.max_steps, stats.steps())),
        clip_(context.line.end()),
        is_clipped_(context.line.endsEarly()) {
    memory.candidates.clear();
    memory.ignored.begin(context.options.filter.ignore, context.ignore);
    memory.earlier.begin(earlierLists());
  }

  const QueryContext& context;
  QueryStats& stats;

  // Returns an upper bound on hit times: the time of the earliest candidate so far that ends the
  // query, or the time at which the passes pause, else the end of the segment. Passes may skip
  // everything later.
  const HitTime& clip() const { return clip_; }
  bool isClipped() const { return is_clipped_; }
  // Returns true if clip() excludes hits at `t`, at most 1.
  bool isPastClip(const Fraction& t) const { return is_clipped_ && HitTime(t) > clip_; }
  // Returns the same bound without the pause: the end of the query, as far as known. Any pass may
  // add entities up to there, so that none is tested again in each slice.
  const HitTime& end() const { return isPaused() ? slice_->end : clip_; }
  bool isEnded() const { return isPaused() ? slice_->is_ended : is_clipped_; }
  // Returns the time from which a pass reads; null for the start of the line.
  const HitTime* start() const {
    if (const HitTime* const from = sliceStart(); from != nullptr) return from;
    return after_ == nullptr ? nullptr : &after_->time;
  }
  // Returns the time after which the candidates of this slice come; null for the first slice.
  const HitTime* sliceStart() const {
    return slice_ != nullptr && slice_->from.has_value() ? &*slice_->from : nullptr;
  }
  const absl::Status& status() const { return status_; }
  // Returns true if there is nothing left to find, or after an error.
  bool isDone() const {
    return !status_.ok() || (context.mode == HitMode::kAny && !memory_.candidates.empty());
  }

  // Begins a slice, which has only candidates later than `from` (all if it is null), and no later
  // than `until` if that is not null; each of its passes pauses once it has found `enough`
  // candidates, or has taken `most_steps`: then at the next block, region of blocks, chunk of
  // entities or area. `slice` is the same for all slices, and outlives them.
  void beginSlice(Slice& slice, const Fraction* from, const Fraction* until, std::size_t enough,
                  std::uint64_t most_steps = kNoLimit);
  // Sets the new memory of the constructor's earlier hits.
  void setHits(std::span<const Hit> hits) {
    hits_ = hits;
    memory_.earlier.setMemory(earlierLists());
  }
  // Begins a pass of a slice.
  void beginPass() {
    slice_->enough_left = slice_->enough;
    steps_left_ += steps_reserved_;
    steps_reserved_ = steps_left_ - std::min(steps_left_, slice_->most_steps);
    steps_left_ -= steps_reserved_;
  }
  // Return true if passes pause at all, if they pause at clip(), and if this pass has found
  // enough.
  bool isSliced() const { return slice_ != nullptr && slice_->enough != kNeverEnough; }
  bool isPaused() const { return slice_ != nullptr && slice_->is_paused; }
  bool hasEnough() const { return slice_ != nullptr && slice_->enough_left == 0; }
  // Pauses the passes at `t`, inclusive, if that is before clip().
  void pauseAt(const Fraction& t);
  // Does the same if this pass has found enough, and `t` is in the slice: later than its start.
  // Returns true if the passes pause at `t`.
  bool pauseIfEnough(const Fraction& t) {
    if (!hasEnough()) [[likely]]
      return false;
    return pauseInSlice(t);
  }

  // Counts steps against the budget; returns false, with an error in status(), if it is used up.
  bool spend(std::uint64_t& counter, std::uint64_t steps = 1) {
    counter += steps;
    if (steps > steps_left_) return overspent(steps);
    steps_left_ -= steps;
    return true;
  }

  // Takes account of steps that others have added to the stats since.
  void recountSteps() {
    const std::uint64_t most = context.options.max_steps;
    steps_left_ = most - std::min(most, stats.steps());
    steps_reserved_ = 0;
  }

  // Adds the block of that type in a cell of the walk, if the query accepts the block and it
  // follows start(). Returns true if nothing after the block matters, or nothing later than it
  // matters to this slice. Requires: the block is present (QueryContext::isPresent), and the cell
  // is not later than clip().
  bool addBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Tests the entity in a slot of the index, which is a step, and adds it if the line intersects it
  // after start() and no later than end(). Returns true if nothing after the entity matters. The
  // caller checks isDone() in either case: the steps may be used up. An entity in several chunks
  // may be added more than once; CandidateList returns it once.
  bool addEntity(std::uint32_t slot);

  // Ends the collection, or a slice of it: cuts the candidates at the one that ends the query.
  void cut() {
    if (memory_.candidates.size() > 1 && status_.ok()) memory_.candidates.cut();
  }

 private:
  // Returns true if a hit of that time and rank does not follow the start.
  bool isNotAfter(const HitTime& time, const Candidate::Rank& rank) const {
    if (slice_ != nullptr && slice_->from.has_value() && time <= *slice_->from) return true;
    return after_ != nullptr && !ranksBefore(after_->time, after_->rank(), time, rank);
  }
  // Returns true if a hit of that time and rank equals or follows the candidate that clips.
  bool isNotBeforeLast(const HitTime& time, const Candidate::Rank& rank) const {
    return is_clipped_ && !ranksBefore(time, rank, clip_, last_rank_);
  }
  // Returns the same for the candidate that ends the query, without the pause.
  bool isNotBeforeEnd(const HitTime& time, const Candidate::Rank& rank) const {
    if (!isPaused()) return isNotBeforeLast(time, rank);
    return slice_->is_ended && !ranksBefore(time, rank, slice_->end, slice_->end_rank);
  }
  EarlierHits::Lists earlierLists() const {
    // The context's `after` is the query's own or that of the options, which must count only once.
    const std::span<const Hit> of_options = context.options.after;
    const bool is_same =
        of_options.data() == context.after.data() && of_options.size() == context.after.size();
    return {hits_, context.after, is_same ? std::span<const Hit>() : of_options};
  }
  // Takes steps of which too few are left to the pass; returns true if only its share of the slice
  // is used up.
  bool overspent(std::uint64_t steps);
  bool pauseInSlice(const Fraction& t);
  // Return true if the entity is on an ignore list, or among the earlier hits. The first look-up in
  // a long list costs a step for each of its entries; if too few steps are left, the result is
  // true.
  bool isIgnored(EntityId id);
  bool hasBeenHit(EntityHandle handle);
  // Returns true if that block is among the hits. Only a query that takes everything from the time
  // of the last hit on can find a block again: one that was hit at exactly that time.
  bool hasBeenHit(int level, const BlockCoord& block) const;
  // Keeps or drops the newest candidate. Return true if nothing after it matters.
  bool acceptBlock(const Fraction& time);
  bool acceptEntity();
  bool reject();
  // Returns true if a block that is not hit ends the slice.
  bool rejectBlock(const Fraction& time);
  // Makes the newest candidate the one that ends the query.
  void endAtNewest();
  // Counts a candidate of this pass.
  void countFound() {
    if (isSliced() && slice_->enough_left != 0) --slice_->enough_left;
  }

  const Candidate* after_;
  std::span<const Hit> hits_;
  Memory& memory_;
  std::uint64_t steps_left_;          // to the pass
  std::uint64_t steps_reserved_ = 0;  // of the budget, for later passes and slices
  HitTime clip_;
  // The rank of the candidate that sets clip_; if clip_ is the end of the line, the last rank, so
  // that everything at that time counts.
  Candidate::Rank last_rank_ = Candidate::Rank::last();
  bool is_clipped_;                // true if clip_ is earlier than 1
  Slice* slice_ = nullptr;         // null if all is collected at once
  bool has_read_ignored_ = false;  // true once the ignore lists have been counted as steps
  bool has_read_earlier_ = false;  // true once the earlier hits have been counted
  absl::Status status_;
};

}  // namespace fractalray::internal
