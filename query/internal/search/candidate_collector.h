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
// limits the part of the line that passes still have to read. Collects all at once, or slice by
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

  // How the present pass reads.
  enum class Reading : std::uint8_t {
    kWhole,   // up to the limit, without a pause
    kSlice,   // until it has found enough
    kEnough,  // has found enough, and pauses as soon as it can
    kDone,    // nothing is left to find, or an error has occurred
  };

  // The hit, or else the time, after which passes may skip everything.
  struct Limit {
    HitTime time{};
    // That of the hit; else the last rank, so that everything at that time counts.
    Candidate::Rank rank = Candidate::Rank::last();
    bool is_early = false;  // false at the end of a whole line, which excludes nothing
    bool is_pause = false;  // true if passes pause there, and continue in a later slice

    bool excludes(const Fraction& t) const { return is_early && HitTime(t) > time; }
    // Returns true if a hit of that time and rank equals or follows the limit.
    bool excludes(const HitTime& hit_time, const Candidate::Rank& hit_rank) const {
      return is_early && !ranksBefore(hit_time, hit_rank, time, rank);
    }
  };

  // The state of a collection slice by slice. A struct of its own, since a short query has no
  // slices.
  struct Slice {
    std::optional<HitTime> from{};  // the start of the slice, exclusive
    std::size_t enough = 0;         // the candidates after which a pass pauses
    std::size_t enough_left = 0;
    std::uint64_t most_steps = kNoLimit;  // the steps after which a pass pauses
    Limit end{};                          // while limit() is a pause, the limit without it
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
        limit_{.time = HitTime(context.line.end()), .is_early = context.line.endsEarly()} {
    memory.candidates.clear();
    memory.ignored.begin(context.options.filter.ignore, context.ignore);
    memory.earlier.begin(earlierLists(), context.options.after_by_id);
  }

  const QueryContext& context;
  QueryStats& stats;

  Reading reading() const { return reading_; }
  const absl::Status& status() const { return status_; }

  // The part of the line that passes read.

  // Returns the time from which a pass reads; null for the start of the line.
  const HitTime* start() const {
    if (const HitTime* const from = sliceStart(); from != nullptr) return from;
    return after_ == nullptr ? nullptr : &after_->time;
  }
  // Returns the time after which the candidates of this slice come; null for the first slice.
  const HitTime* sliceStart() const {
    return slice_ != nullptr && slice_->from.has_value() ? &*slice_->from : nullptr;
  }
  // Returns the earliest of: the candidates so far that end the query, the time at which the passes
  // pause, and the end of the line.
  const Limit& limit() const { return limit_; }
  // Returns the same without the pause: the end of the query, as far as known. Any pass may add
  // entities up to there, so that none is tested again in each slice.
  const Limit& end() const { return limit_.is_pause ? slice_->end : limit_; }

  // Slices.

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
  // Begins a pass of a slice. Requires: reading() is not kDone.
  void beginPass();
  // Pauses the passes at `t`, inclusive, if that is before the limit.
  void pauseAt(const Fraction& t);
  // Does the same if this pass has found enough, and `t` is in the slice: later than its start.
  // Returns true if the passes pause at `t`.
  bool pauseIfEnough(const Fraction& t) {
    if (reading_ != Reading::kEnough) [[likely]]
      return false;
    return pauseInSlice(t);
  }

  // Steps.

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

  // Candidates.

  // Adds the block of that type in a cell of the walk, if the query accepts the block and it
  // follows start(). Returns true if nothing after the block matters, or nothing later than it
  // matters to this slice. Requires: the block is present (QueryContext::isPresent), and the limit
  // does not exclude the cell.
  bool addBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Does the same with a block whose steps have been counted: by the direct search that found it.
  bool addCounted(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Tests the entity in a slot of the index, which is a step, and adds it if the line intersects it
  // after start() and no later than end(). Returns true if nothing after the entity matters. The
  // caller checks reading() in either case: the steps may be used up. An entity in several chunks
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
  bool hasBeenHit(EntityHandle handle, EntityId id);
  // Returns true if that block is among the hits. Only a query that takes everything from the time
  // of the last hit on can find a block again: one that was hit at exactly that time.
  bool hasBeenHit(int level, const BlockCoord& block) const;
  static void setBlock(Candidate& candidate, int level, BlockTypeId type, const BlockCoord& block) {
    candidate.kind = Candidate::Kind::kBlock;
    candidate.level = level;
    candidate.type = type;
    candidate.block = block;
  }
  // Does the same as addCounted() with a block that does not fill its cube: adds it if the line
  // hits its shape.
  bool addShaped(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Keeps or drops the newest candidate, a block of that kind that is hit at `time`. Returns what
  // addBlock() does.
  bool judgeBlock(Candidate& candidate, BlockKind kind, const Fraction& time);
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
    if (reading_ == Reading::kSlice && --slice_->enough_left == 0) reading_ = Reading::kEnough;
  }

  const Candidate* after_;
  std::span<const Hit> hits_;
  Memory& memory_;
  std::uint64_t steps_left_;          // to the pass
  std::uint64_t steps_reserved_ = 0;  // of the budget, for later passes and slices
  Limit limit_;
  Slice* slice_ = nullptr;  // null if all is collected at once
  Reading reading_ = Reading::kWhole;
  bool has_read_ignored_ = false;  // true once the ignore lists have been counted as steps
  bool has_read_earlier_ = false;  // true once the earlier hits have been counted
  absl::Status status_;
};

}  // namespace fractalray::internal
