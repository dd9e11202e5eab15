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

// Marks entities, so that one that is in several chunks is tested once. Reused from query to query.
class SeenEntities {
 public:
  // Forgets all marks. Allocates only where the index has grown.
  void reset(std::size_t slots) {
    if (marks_.size() < slots) marks_.resize(slots, 0);
    if (++round_ == 0) {
      marks_.assign(marks_.size(), 0);
      round_ = 1;
    }
  }
  // Whether the slot is marked for the first time. Requires: slot < slots.
  bool mark(std::uint32_t slot) {
    if (marks_[slot] == round_) return false;
    marks_[slot] = round_;
    return true;
  }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t round_ = 0;
};

// Working memory of one shot, reused by the next.
struct ShotScratch {
  std::vector<Candidate> candidates;
  SeenEntities seen;
};

// Gathers into scratch.candidates what the scene's line meets, in the order of hits, up to and
// including the first one behind which nothing matters: only what comes after `after` in that order
// (all where it is null), and none of the entities in `hits`. RESOURCE_EXHAUSTED once `stats`
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

  // Counts a step against the budget; false, and an error in status(), where it is used up.
  bool spend(std::uint64_t& counter) {
    ++counter;
    return stats.steps() <= scene.options.max_steps || overspent();
  }

  // Takes the block of that type that a cell of the walk shows, if it is one to this shot and comes
  // after after(). Returns whether nothing behind it matters. Requires: the block is present
  // (Scene::isPresent), and the cell is not later than clip().
  bool meetBlock(int level, BlockTypeId type, const BlockCoord& block, const GridCell<3>& cell);
  // Begins anew to count which entities have been tested.
  void forgetSeen() { scratch_.seen.reset(scene.entities.slots()); }
  // Tests an entity, once, and takes it if it is met no later than clip().
  void meetEntity(EntityHandle handle);

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
