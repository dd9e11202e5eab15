// SPDX-License-Identifier: Apache-2.0
// Gathering: collects the candidates of a shot, whichever pass finds them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "fractalray/core/grid_walk.h"
#include "fractalray/levels/chunk.h"
#include "fractalray/query/candidate.h"
#include "fractalray/query/scene.h"
#include "fractalray/query/shot.h"

namespace fractalray::internal {

// Working memory of one shot, reused by the next.
struct ShotScratch {
  std::vector<Candidate> candidates;
};

// Gathers into scratch.candidates what the scene's line meets, in the order of hits, up to and
// including the first one behind which nothing matters: only what comes after `after` in that order
// (all where it is null), and none of the entities in `hits`, the scene's or the options' `after`.
// RESOURCE_EXHAUSTED once `stats`
// exceeds options.max_steps.
absl::Status gather(const Scene& scene, const Candidate* after, std::span<const Hit> hits,
                    ShotScratch& scratch, QueryStats& stats);

// What the passes of one gathering share: where candidates go, and how far the shot still reaches.
class Gathering {
 public:
  Gathering(const Scene& shot_scene, const Candidate* after, std::span<const Hit> hits,
            ShotScratch& scratch, QueryStats& query_stats)
      : scene(shot_scene), stats(query_stats), after_(after), hits_(hits), scratch_(scratch) {}

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
    return stats.steps() <= scene.options.max_steps || overspent();
  }

  // Takes the block of that type that a cell of the walk shows, if it is one to this shot and comes
  // after after(). Returns whether nothing behind it matters. Requires: the block is present
  // (Scene::isPresent), and the cell is not later than clip().
  bool meetBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Tests the entity in a slot of the index, and takes it if it is met no later than clip().
  // Returns whether nothing behind it matters. An entity that is in several chunks may come more
  // than once: of equal candidates one is left in the end.
  bool meetEntity(std::uint32_t slot);

 private:
  friend absl::Status gather(const Scene& scene, const Candidate* after, std::span<const Hit> hits,
                             ShotScratch& scratch, QueryStats& stats);

  bool isBehind(const Candidate& candidate) const {
    return after_ == nullptr || comesBefore(*after_, candidate);
  }
  bool overspent();
  bool hasBeenHit(EntityHandle handle) const;
  // Keeps or drops the newest candidate; whether nothing behind it matters.
  bool keep();
  bool drop();
  void sortAndCut();

  const Candidate* after_;
  std::span<const Hit> hits_;
  ShotScratch& scratch_;
  HitTime clip_{Fraction::one()};
  bool is_clipped_ = false;  // by a candidate
  absl::Status status_;
};

}  // namespace fractalray::internal
