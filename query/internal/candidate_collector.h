// SPDX-License-Identifier: Apache-2.0
// Gathering: collects the candidates of a shot, whichever pass finds them.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/status.h"

#include "../../core/grid_walk.h"
#include "../../levels/chunk.h"
#include "../shot.h"
#include "candidate.h"
#include "candidate_list.h"
#include "exclusions.h"
#include "query_context.h"

namespace fractalray::internal {

// Working memory of one shot, reused by the next.
struct ShotScratch {
  CandidateList candidates;
  IgnoredIds ignored;
  EarlierHits earlier;
};

// Gathers into scratch.candidates what the scene's line meets, up to and including the first one in
// the order of hits after which nothing matters: only what comes after `after` in that order (all
// if it is null), and none of the entities in `hits`, the scene's or the options' `after`. For
// Goal::kClosest that is a single candidate. RESOURCE_EXHAUSTED once `stats` exceeds
// options.max_steps.
absl::Status gather(const Scene& scene, const Candidate* after, std::span<const Hit> hits,
                    ShotScratch& scratch, QueryStats& stats);

// What the passes of one gathering share: where candidates go, and how far the shot still reaches.
class Gathering {
 public:
  Gathering(const Scene& shot_scene, const Candidate* after, std::span<const Hit> hits,
            ShotScratch& scratch, QueryStats& query_stats);

  const Scene& scene;
  QueryStats& stats;

  // Nothing later than this is met: the first candidate so far behind which nothing matters, or the
  // segment's end.
  const HitTime& clip() const { return clip_; }
  bool isClipped() const { return is_clipped_; }
  // Whether clip() rules out what is met at `t`, at most 1.
  bool isBehindClip(const Fraction& t) const { return is_clipped_ && HitTime(t) > clip_; }
  // What all candidates come after; null in a first gathering.
  const Candidate* after() const { return after_; }
  const absl::Status& status() const { return status_; }
  // Whether there is nothing left to look for, or an error.
  bool isDone() const {
    return !status_.ok() || (scene.goal == Goal::kAny && !scratch_.candidates.empty());
  }

  // Counts steps against the budget; false, and an error in status(), where it is used up.
  bool spend(std::uint64_t& counter, std::uint64_t steps = 1) {
    counter += steps;
    if (steps > steps_left_) return overspent();
    steps_left_ -= steps;
    return true;
  }

  // Takes the block of that type that a cell of the walk shows, if it is one to this shot and comes
  // after after(). Returns whether nothing behind it matters. Requires: the block is present
  // (Scene::isPresent), and the cell is not later than clip().
  bool meetBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Tests the entity in a slot of the index, which is a step, and takes it if it is met after
  // after() and no later than clip(). Returns true if nothing after it matters. The caller checks
  // isDone() in either case: the steps may be used up. An entity in several chunks may come more
  // than once; CandidateList gives it once.
  bool meetEntity(std::uint32_t slot);

 private:
  friend absl::Status gather(const Scene& scene, const Candidate* after, std::span<const Hit> hits,
                             ShotScratch& scratch, QueryStats& stats);

  // Returns true if something of that time and rank does not come after after().
  bool isNotAfter(const HitTime& time, const Candidate::Rank& rank) const {
    return after_ != nullptr && !ranksBefore(after_->time, after_->rank(), time, rank);
  }
  // Returns true if something of that time and rank equals or follows the candidate that clips.
  bool isNotBeforeLast(const HitTime& time, const Candidate::Rank& rank) const {
    return is_clipped_ && !ranksBefore(time, rank, clip_, last_rank_);
  }
  bool overspent();
  // Return true if the entity is on an ignore list, or among the earlier hits. The first look-up in
  // a long list costs a step for each of its entries; if these are not left, the result is true.
  bool isIgnored(EntityId id);
  bool hasBeenHit(EntityHandle handle);
  // Keeps or drops the newest candidate; whether nothing behind it matters.
  bool keep();
  bool drop();
  // Cuts the candidates at the last one, and counts those that are left to be sorted.
  void close();

  const Candidate* after_;
  ShotScratch& scratch_;
  std::uint64_t steps_left_;
  HitTime clip_{Fraction::one()};
  Candidate::Rank last_rank_;      // of the candidate that sets clip_
  bool is_clipped_ = false;        // by a candidate
  bool has_read_ignored_ = false;  // true once the ignore lists have been counted as steps
  bool has_read_earlier_ = false;  // the same for the earlier hits
  absl::Status status_;
};

}  // namespace fractalray::internal
