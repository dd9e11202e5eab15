// SPDX-License-Identifier: Apache-2.0
#include "candidate_collector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

#include "../../../core/check.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../entities/internal/shape_geometry.h"

namespace fractalray::internal {

bool CandidateCollector::overspent(std::uint64_t steps) {
  if (steps - steps_left_ <= steps_reserved_) {
    steps_reserved_ -= steps - steps_left_;
    steps_left_ = std::exchange(steps_reserved_, 0);
    slice_->enough_left = 0;
    return true;
  }
  steps_left_ = steps_reserved_ = 0;
  const absl::string_view found =
      context.mode == HitMode::kAll ? ", and has the hits until then" : "";
  status_ = absl::ResourceExhaustedError(absl::StrCat("the shot took more than its ",
                                                      context.options.max_steps, " steps", found,
                                                      "; raise max_steps or shorten the segment"));
  return false;
}

bool CandidateCollector::addBlock(int level, BlockTypeId type, const BlockCoord& block,
                                  const GridCell<3>& cell) {
  FRACTALRAY_DCHECK(!isPastClip(cell.t), cell.t.toDouble());
  const BlockKind kind = context.kindOf(type);
  if (kind == BlockKind::kEmpty) return pauseIfEnough(cell.t);
  Candidate& candidate = memory_.candidates.add();
  candidate.kind = Candidate::Kind::kBlock;
  candidate.step = cell.step;
  candidate.level = level;
  candidate.type = type;
  candidate.face = cell.face;
  candidate.block = block;
  candidate.time = HitTime(cell.t);
  if (isNotBeforeLast(candidate.time, candidate.rank())) {
    reject();
    return true;
  }
  if (isNotAfter(candidate.time, candidate.rank())) return reject();
  if (after_ != nullptr && candidate.time == after_->time && hasBeenHit(level, block)) {
    return reject();
  }
  return context.classifyBlock(candidate, kind) ? acceptBlock(cell.t) : rejectBlock(cell.t);
}

bool CandidateCollector::addEntity(std::uint32_t slot) {
  if (!spend(stats.entities_tested)) return false;
  const EntityHandle handle = context.entities.store().handle(slot);
  const Entity& entity = *context.entities.store().find(handle);
  // Adjacent chunks often yield the same entity.
  CandidateList& candidates = memory_.candidates;
  if (!candidates.empty() && candidates.newest().entity == handle) return false;
  if (!context.matches(entity) || isIgnored(entity.id)) return false;
  const std::optional<HitTime> time = intersect(context.line, entity.shape, entity.position);
  if (!time.has_value()) return false;
  const Candidate::Rank rank = Candidate::rankOfEntity(entity.level, entity.id);
  if (isNotBeforeEnd(*time, rank) || isNotAfter(*time, rank) || hasBeenHit(handle)) return false;
  Candidate& candidate = candidates.add();
  candidate.kind = Candidate::Kind::kEntity;
  candidate.level = int{entity.level};
  candidate.entity = handle;
  candidate.entity_id = entity.id;
  candidate.entity_class = entity.entity_class;
  candidate.categories = entity.categories;
  candidate.shape = entity.shape;
  candidate.position = entity.position;
  candidate.time = *time;
  return context.classifyEntity(candidate) ? acceptEntity() : reject();
}

bool CandidateCollector::isIgnored(EntityId id) {
  IgnoredIds& ignored = memory_.ignored;
  if (ignored.size() == 0) return false;
  if (!has_read_ignored_ && ignored.size() > kShortList) {
    if (!spend(stats.listed, ignored.size())) return true;
    has_read_ignored_ = true;
  }
  return ignored.contains(id);
}

bool CandidateCollector::hasBeenHit(EntityHandle handle) {
  EarlierHits& earlier = memory_.earlier;
  if (earlier.size() == 0) return false;
  if (!has_read_earlier_ && earlier.size() > kShortList) {
    if (!spend(stats.listed, earlier.size())) return true;
    has_read_earlier_ = true;
  }
  return earlier.contains(handle);
}

bool CandidateCollector::hasBeenHit(int level, const BlockCoord& block) const {
  // Equal times may be doubles that differ a little: that of a sphere and that of a plane.
  const double earliest = after_->time.toDouble() * (1 - 0x1p-40);
  for (auto hit = hits_.rbegin(); hit != hits_.rend() && hit->t >= earliest; ++hit) {
    if (hit->isBlock() && hit->level == level && hit->block == block) return true;
  }
  return false;
}

bool CandidateCollector::acceptBlock(const Fraction& time) {
  if (context.endsQuery(memory_.candidates.newest())) {
    endAtNewest();
    return true;
  }
  countFound();
  return pauseIfEnough(time);
}

bool CandidateCollector::acceptEntity() {
  if (!context.endsQuery(memory_.candidates.newest())) {
    countFound();
    return false;
  }
  endAtNewest();
  return true;
}

void CandidateCollector::endAtNewest() {
  const Candidate& candidate = memory_.candidates.newest();
  if (isPaused() && candidate.time > clip_) {
    slice_->end = candidate.time;
    slice_->end_rank = candidate.rank();
    slice_->is_ended = true;
  } else {
    clip_ = candidate.time;
    last_rank_ = candidate.rank();
    is_clipped_ = true;
    if (slice_ != nullptr) slice_->is_paused = false;
  }
  memory_.candidates.makeNewestLast();
}

bool CandidateCollector::reject() {
  memory_.candidates.dropNewest();
  return false;
}

bool CandidateCollector::rejectBlock(const Fraction& time) {
  reject();
  return pauseIfEnough(time);
}

void CandidateCollector::beginSlice(Slice& slice, const Fraction* from, const Fraction* until,
                                    std::size_t enough, std::uint64_t most_steps) {
  slice_ = &slice;
  if (slice.is_paused) {
    clip_ = slice.end;
    last_rank_ = slice.end_rank;
    is_clipped_ = slice.is_ended;
    slice.is_paused = false;
  }
  slice.from.reset();
  if (from != nullptr) slice.from.emplace(*from);
  slice.enough = enough;
  slice.most_steps = most_steps;
  if (until != nullptr) pauseAt(*until);
}

bool CandidateCollector::pauseInSlice(const Fraction& t) {
  if (const HitTime* const from = start(); from != nullptr && HitTime(t) <= *from) return false;
  pauseAt(t);
  return true;
}

void CandidateCollector::pauseAt(const Fraction& t) {
  const HitTime time(t);
  if (is_clipped_ && time >= clip_) return;
  if (!slice_->is_paused) {
    slice_->end = clip_;
    slice_->end_rank = last_rank_;
    slice_->is_ended = is_clipped_;
    slice_->is_paused = true;
  }
  clip_ = time;
  last_rank_ = Candidate::Rank::last();
  is_clipped_ = true;
}

}  // namespace fractalray::internal
