// SPDX-License-Identifier: Apache-2.0
#include "candidate_collector.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

#include "../../../core/check.h"
#include "../../../core/internal/access.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../entities/internal/shape_geometry.h"

namespace fractalray::internal {

bool CandidateCollector::overspent(std::uint64_t steps) {
  if (steps - steps_left_ <= steps_reserved_) {
    steps_reserved_ -= steps - steps_left_;
    steps_left_ = std::exchange(steps_reserved_, 0);
    reading_ = Reading::kEnough;
    return true;
  }
  steps_left_ = steps_reserved_ = 0;
  reading_ = Reading::kDone;
  const absl::string_view found =
      context.mode == HitMode::kAll ? ", and has the hits until then" : "";
  status_ = absl::ResourceExhaustedError(absl::StrCat("the shot took more than its ",
                                                      context.options.max_steps, " steps", found,
                                                      "; raise max_steps or shorten the segment"));
  return false;
}

bool CandidateCollector::addBlock(int level, BlockTypeId type, const BlockCoord& block,
                                  const GridCell<3>& cell) {
  if (context.shapeOf(type) != kWholeCube && context.kindOf(type) != BlockKind::kEmpty)
      [[unlikely]] {
    if (!spend(stats.cells, context.shapeSteps(type))) return true;
  }
  return addCounted(level, type, block, cell);
}

bool CandidateCollector::addCounted(int level, BlockTypeId type, const BlockCoord& block,
                                    const GridCell<3>& cell) {
  FRACTALRAY_DCHECK(!limit_.excludes(cell.t), cell.t.toDouble());
  const BlockKind kind = context.kindOf(type);
  if (kind == BlockKind::kEmpty) return pauseIfEnough(cell.t);
  if (context.shapeOf(type) != kWholeCube) [[unlikely]]
    return addShaped(level, type, block, cell);
  Candidate& candidate = memory_.candidates.add();
  candidate.step = cell.step;
  candidate.start_inside = cell.step == 0;
  candidate.face = cell.face;
  candidate.time = HitTime(cell.t);
  setBlock(candidate, level, type, block);
  return judgeBlock(candidate, kind, cell.t);
}

bool CandidateCollector::addShaped(int level, BlockTypeId type, const BlockCoord& block,
                                   const GridCell<3>& cell) {
  Candidate& candidate = memory_.candidates.add();
  setBlock(candidate, level, type, block);
  if (!context.enterShape(candidate, cell.step)) {
    memory_.candidates.dropNewest();
    return pauseIfEnough(cell.t);
  }
  return judgeBlock(candidate, context.kindOf(type), candidate.time.lowerBound());
}

bool CandidateCollector::judgeBlock(Candidate& candidate, BlockKind kind, const Fraction& time) {
  if (limit_.excludes(candidate.time, candidate.rank())) {
    reject();
    return true;
  }
  if (isNotAfter(candidate.time, candidate.rank())) return reject();
  if (after_ != nullptr && candidate.time == after_->time &&
      hasBeenHit(candidate.level, candidate.block)) {
    return reject();
  }
  return context.classifyBlock(candidate, kind) ? acceptBlock(time) : rejectBlock(time);
}

bool CandidateCollector::addEntity(std::uint32_t slot) {
  if (!spend(stats.entities_tested)) return false;
  const EntityHandle handle = Access::store(context.entities).handle(slot);
  const Entity& entity = *Access::store(context.entities).find(handle);
  // Adjacent chunks often yield the same entity.
  CandidateList& candidates = memory_.candidates;
  if (!candidates.empty() && candidates.newest().entity == handle) return false;
  if (!context.matches(entity) || isIgnored(entity.id)) return false;
  const std::optional<HitTime> time = intersect(context.line, entity.shape, entity.position);
  if (!time.has_value()) return false;
  const Candidate::Rank rank = Candidate::rankOfEntity(entity.level, entity.id);
  if (end().excludes(*time, rank) || isNotAfter(*time, rank)) return false;
  if (hasBeenHit(handle, entity.id)) return false;
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

bool CandidateCollector::hasBeenHit(EntityHandle handle, EntityId id) {
  EarlierHits& earlier = memory_.earlier;
  if (earlier.size() == 0) return false;
  if (!has_read_earlier_ && earlier.size() > kShortList) {
    if (!spend(stats.listed, earlier.size())) return true;
    has_read_earlier_ = true;
  }
  return earlier.contains(handle, id);
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
  const bool is_past_pause = limit_.is_pause && candidate.time > limit_.time;
  Limit& limit = is_past_pause ? slice_->end : limit_;
  limit.time = candidate.time;
  limit.rank = candidate.rank();
  limit.is_early = true;
  limit.is_pause = false;
  if (context.mode == HitMode::kAny) reading_ = Reading::kDone;
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
  if (limit_.is_pause) limit_ = slice.end;
  slice.from.reset();
  if (from != nullptr) slice.from.emplace(*from);
  slice.enough = enough;
  slice.most_steps = most_steps;
  if (until != nullptr) pauseAt(*until);
}

void CandidateCollector::beginPass() {
  FRACTALRAY_DCHECK(reading_ != Reading::kDone);
  reading_ = slice_->enough == kNeverEnough ? Reading::kWhole : Reading::kSlice;
  slice_->enough_left = slice_->enough;
  steps_left_ += steps_reserved_;
  steps_reserved_ = steps_left_ - std::min(steps_left_, slice_->most_steps);
  steps_left_ -= steps_reserved_;
}

bool CandidateCollector::pauseInSlice(const Fraction& t) {
  if (const HitTime* const from = start(); from != nullptr && HitTime(t) <= *from) return false;
  pauseAt(t);
  return true;
}

void CandidateCollector::pauseAt(const Fraction& t) {
  const HitTime time(t);
  if (limit_.is_early && time >= limit_.time) return;
  if (!limit_.is_pause) slice_->end = limit_;
  limit_ = {.time = time, .is_early = true, .is_pause = true};
}

}  // namespace fractalray::internal
