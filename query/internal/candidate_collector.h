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

#include "../../core/grid_walk.h"
#include "candidate.h"
#include "candidate_list.h"
#include "exclusions.h"
#include "query_context.h"

namespace fractalray::internal {

// Takes what the passes find: filters it, keeps the candidates, and shows the passes how far the
// query still reaches. Collects all at once, or slice by slice (beginSlice): then a pass pauses
// once it has found enough, the passes that follow read no further than that, and each pass
// continues in a later slice from where it was. A single use.
class CandidateCollector {
 public:
  // Where candidates go, and the entities that are left out. Reused from query to query.
  struct Memory {
    CandidateList candidates;
    IgnoredIds ignored;
    EarlierHits earlier;
  };

  // Collects only what follows `after` in the order of hits (everything if it is null), and none of
  // the entities in `hits` and in the context's and the options' `after`; after the start of a time
  // (Candidate::startOf) none of the blocks in `hits` either. All of them must outlive
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
    beginEarlier();
  }

  const QueryContext& context;
  QueryStats& stats;

  // Upper bound on hit times: that of the earliest candidate that ends the query so far, or the
  // time at which the passes pause, else the end of the segment. Passes may skip everything later.
  const HitTime& clip() const { return clip_; }
  bool isClipped() const { return is_clipped_; }
  // Returns true if clip() excludes what is hit at `t`, at most 1.
  bool isPastClip(const Fraction& t) const { return is_clipped_ && HitTime(t) > clip_; }
  // The same without the pause: where the query ends, as far as known. Entities up to there may be
  // added by any pass, so that none is tested again in each slice.
  const HitTime& end() const { return is_paused_ ? end_ : clip_; }
  bool isEnded() const { return is_paused_ ? is_ended_ : is_clipped_; }
  // The time from which a pass reads; null for the start of the line.
  const HitTime* start() const {
    if (from_.has_value()) return &*from_;
    return after_ == nullptr ? nullptr : &after_->time;
  }
  const absl::Status& status() const { return status_; }
  // Returns true if there is nothing left to look for, or after an error.
  bool isDone() const {
    return !status_.ok() || (context.mode == HitMode::kAny && !memory_.candidates.empty());
  }

  // Begins a slice, which has only what is later than `from` (everything if it is null), no later
  // than `until` if that is not null; each of its passes pauses once it has found `enough`
  // candidates. Earlier hits are now `hits`, see the constructor.
  void beginSlice(const Fraction* from, const Fraction* until, std::size_t enough,
                  std::span<const Hit> hits);
  // Begins a pass of a slice.
  void beginPass() { enough_left_ = enough_; }
  // Returns true if passes pause at all, if they pause at clip(), and if this pass has found
  // enough.
  bool isSliced() const { return enough_ != kNeverEnough; }
  bool isPaused() const { return is_paused_; }
  bool hasEnough() const { return enough_left_ == 0; }
  // Pauses the passes at `t`, inclusive, if that is before clip().
  void pauseAt(const Fraction& t);

  // Counts steps against the budget; false, and an error in status(), if it is used up.
  bool spend(std::uint64_t& counter, std::uint64_t steps = 1) {
    counter += steps;
    if (steps > steps_left_) return overspent();
    steps_left_ -= steps;
    return true;
  }

  // Adds the block of that type in a cell of the walk, if the query accepts it and it follows the
  // start(). Returns true if nothing after it matters, or nothing later than it to this slice.
  // Requires: the block is present (QueryContext::isPresent), and the cell is not later than
  // clip().
  bool addBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Tests the entity in a slot of the index, which is a step, and adds it if the line intersects it
  // after start() and no later than end(). Returns true if nothing after it matters. The caller
  // checks isDone() in either case: the steps may be used up. An entity in several chunks may be
  // added more than once; CandidateList gives it once.
  bool addEntity(std::uint32_t slot);

  // Ends the collection, or a slice of it: cuts the candidates at the one that ends the query.
  void cut() {
    if (memory_.candidates.size() > 1 && status_.ok()) memory_.candidates.cut();
  }

 private:
  static constexpr std::size_t kNeverEnough = std::numeric_limits<std::size_t>::max();

  // Returns true if something of that time and rank does not follow the start.
  bool isNotAfter(const HitTime& time, const Candidate::Rank& rank) const {
    if (from_.has_value() && time <= *from_) return true;
    return after_ != nullptr && !ranksBefore(after_->time, after_->rank(), time, rank);
  }
  // Returns true if something of that time and rank equals or follows the candidate that clips.
  bool isNotBeforeLast(const HitTime& time, const Candidate::Rank& rank) const {
    return is_clipped_ && !ranksBefore(time, rank, clip_, last_rank_);
  }
  // The same of the candidate that ends the query, without the pause.
  bool isNotBeforeEnd(const HitTime& time, const Candidate::Rank& rank) const {
    return is_paused_ ? is_ended_ && !ranksBefore(time, rank, end_, end_rank_)
                      : isNotBeforeLast(time, rank);
  }
  void beginEarlier() {
    // The context's `after` is the query's own or that of the options, which must count only once.
    const std::span<const Hit> of_options = context.options.after;
    const bool is_same =
        of_options.data() == context.after.data() && of_options.size() == context.after.size();
    memory_.earlier.begin({hits_, context.after, is_same ? std::span<const Hit>() : of_options});
  }
  bool overspent();
  // Return true if the entity is on an ignore list, or among the earlier hits. The first look-up in
  // a long list costs a step for each of its entries; if these are not left, the result is true.
  bool isIgnored(EntityId id);
  bool hasBeenHit(EntityHandle handle);
  // Returns true if that block is among the hits. A block can be found again only by a query that
  // takes everything from the time of the last hit on: if it was hit at just that time.
  bool hasBeenHit(int level, const BlockCoord& block) const;
  // Keeps or drops the newest candidate. Return true if nothing after it matters.
  bool acceptBlock(const Fraction& time);
  bool acceptEntity();
  bool reject();
  // Makes the newest candidate the one that ends the query.
  void endAtNewest();
  // Counts a candidate of this pass.
  void countFound() {
    if (enough_left_ != 0 && isSliced()) --enough_left_;
  }

  const Candidate* after_;
  std::span<const Hit> hits_;
  Memory& memory_;
  std::uint64_t steps_left_;
  HitTime clip_;
  // Of the candidate that sets clip_; where the line ends, everything at that time counts.
  Candidate::Rank last_rank_ = Candidate::Rank::last();
  bool is_clipped_;         // true if clip_ is earlier than 1
  bool is_paused_ = false;  // true if clip_ is where the passes pause
  // While they do: what the clip is without the pause.
  bool is_ended_ = false;
  HitTime end_;
  Candidate::Rank end_rank_ = Candidate::Rank::last();
  std::optional<HitTime> from_;  // the start of the slice, exclusive
  std::size_t enough_ = kNeverEnough;
  std::size_t enough_left_ = kNeverEnough;
  bool has_read_ignored_ = false;  // true once the ignore lists have been counted as steps
  bool has_read_earlier_ = false;  // the same for the earlier hits
  absl::Status status_;
};

}  // namespace fractalray::internal
