// SPDX-License-Identifier: Apache-2.0
#include "table_run.h"

#include <algorithm>
#include <limits>

#include "../../../core/arithmetic/int128.h"
#include "../../../core/internal/geometry/unit_box.h"
#include "sight_scope.h"
#include "sight_search.h"
#include "sight_steps.h"
#include "sight_verbs.h"

namespace fractalray::internal {
namespace {

// The most parts of a certificate that is kept: few need more, and then a search is as fast.
constexpr std::size_t kMostParts = 4;

// Orders the answers of eyes: one that sees decides, and one that is undecided might.
int weightOf(Sight sight) {
  switch (sight) {
    case Sight::kSkipped:
      return 0;
    case Sight::kHidden:
      return 1;
    case Sight::kUnknown:
      return 2;
    case Sight::kUndecided:
      return 3;
    case Sight::kVisible:
      break;
  }
  return 4;
}

// A point of a box, as a proof that something in it is seen.
ProofPart partOf(const Vec3i& point, const FixedBox& box) {
  ProofPart part;
  part.first = (point - box.min).values;
  return part;
}
Vec3i pointOf(const ProofPart& part, const FixedBox& box) {
  return box.min + Vec3i{part.first[0], part.first[1], part.first[2]};
}

// Returns the point of the box that a witness leads to. Requires: it is `unit`.
Vec3i pointOf(const SightWitness& witness, const SightQuery& sight) {
  Vec3i point = sight.eye;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] += static_cast<std::int64_t>(witness.delta[static_cast<std::size_t>(axis)]);
  return point;
}

// The same as isFarther(), with squares of a type that holds three of `most`.
template <class Square>
bool isFartherBy(const Vec3i& eye, const FixedBox& box, std::int64_t most) {
  Square square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t short_of =
        std::max({std::int64_t{0}, box.min[axis] - eye[axis], eye[axis] - box.max[axis]});
    if (short_of > most) return true;
    square += Square{short_of} * short_of;
  }
  return square > Square{most} * most;
}

}  // namespace

bool isFarther(const Vec3i& eye, const FixedBox& box, std::int64_t most) {
  constexpr std::int64_t kNear = std::int64_t{1} << 30;
  if (most <= kNear) return isFartherBy<std::int64_t>(eye, box, most);
  if (most == std::numeric_limits<std::int64_t>::max()) return false;  // no pair in the frame is
  return isFartherBy<Int128>(eye, box, most);                          // 3 (2^62)^2 at most
}

void TableRun::answer(std::size_t viewer, std::size_t column, std::span<Sight> answers) {
  const std::size_t first = column * KeptSight::kBoxesInRun;
  at_ = 0;
  if (query_.kept != nullptr) {
    KeptCall& next = query_.kept->next;
    last_ = query_.has_same_frame ? query_.kept->last.run(viewer, column) : nullptr;
    next_ = &next.runs[viewer * next.columns + column];
    next_->begin();
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    findBefore(i);
    answers[i] = answerPair(viewer, first + i);
  }
}

void TableRun::findBefore(std::size_t box_in_run) {
  before_ = {};
  if (last_ == nullptr) return;
  const std::span<const KeptPair> pairs = last_->pairs;
  const std::size_t begin = at_;
  while (at_ < pairs.size() && pairs[at_].box == box_in_run)
    ++at_;
  before_ = pairs.subspan(begin, at_ - begin);
}

Sight TableRun::answerPair(std::size_t viewer, std::size_t box) {
  const std::span<const Vec3i> eyes = query_.viewers[viewer].eyes;
  const FixedBox& target = query_.boxes[box];
  const auto is_asked = [&](std::size_t eye) {
    return !isFarther(eyes[eye], target, query_.options.max_distance);
  };
  std::size_t eye = 0;
  while (eye < eyes.size() && !is_asked(eye))
    ++eye;
  if (eye == eyes.size()) return Sight::kSkipped;
  const auto& leaves_out = query_.options.leaves_out;
  if (leaves_out && leaves_out(viewer, box)) return Sight::kSkipped;

  Sight best = Sight::kSkipped;
  Way way = Way::kUnchanged;
  const auto ask_one = [&](std::size_t asked) {
    const Sight sight = ask({.viewer = viewer, .box = box, .eye = asked}, way);
    if (weightOf(sight) > weightOf(best)) best = sight;
    return best == Sight::kVisible;
  };
  // First asks the eye that saw the box in the last call: if it still does, no other has to.
  std::size_t asked_first = eyes.size();
  for (const KeptPair& before : before_) {
    if (before.sight == Sight::kVisible && before.eye < eyes.size() && is_asked(before.eye))
      asked_first = before.eye;
  }
  bool is_seen = asked_first < eyes.size() && ask_one(asked_first);
  for (; eye < eyes.size() && !is_seen; ++eye) {
    if (eye != asked_first && is_asked(eye)) is_seen = ask_one(eye);
  }
  ++stats_.pairs;
  switch (way) {
    case Way::kUnchanged:
      ++stats_.unchanged;
      break;
    case Way::kByRay:
      ++stats_.by_ray;
      break;
    case Way::kByProof:
      ++stats_.by_proof;
      break;
    case Way::kSearched:
      ++stats_.searched;
  }
  if (best != Sight::kUndecided) return best;
  ++stats_.undecided;
  return query_.options.if_undecided;
}

Sight TableRun::ask(const Question& question, Way& way) {
  const SightQuery sight{.eye = query_.viewers[question.viewer].eyes[question.eye],
                         .box = query_.boxes[question.box]};
  if (contains(sight.box, sight.eye)) {
    way = Way::kSearched;
    return Sight::kVisible;
  }
  const auto found = std::find_if(before_.begin(), before_.end(), [&](const KeptPair& before) {
    return before.eye == question.eye;
  });
  const KeptPair* const before = found == before_.end() ? nullptr : &*found;
  if (before != nullptr && query_.is_same) {
    const KeptCall& last = query_.kept->last;
    if (last.hasEye(question.viewer, question.eye, sight.eye) &&
        last.hasBox(question.box, sight.box)) {
      keep(question, before->sight, last_->proofOf(*before), before->hasProof());
      return before->sight;
    }
  }
  return search(question, sight, before, way);
}

Sight TableRun::search(const Question& question, const SightQuery& sight, const KeptPair* before,
                       Way& way) {
  const SightHint hint = before == nullptr ? SightHint() : hintOf(*before, sight);
  absl::Status status = find(sight, hint);
  // A search that begins elsewhere may take more steps.
  if (absl::IsResourceExhausted(status) && !hint.isEmpty()) status = find(sight, {});
  way = std::max(way, status.ok() ? wayOf(hint, sight) : Way::kSearched);
  if (!status.ok()) return Sight::kUndecided;
  keepFound(question, sight);
  return answer_.sight;
}

SightHint TableRun::hintOf(const KeptPair& before, const SightQuery& sight) const {
  if (!before.hasProof() || query_.options.each.through > 0) return {};
  const std::span<const ProofPart> proof = last_->proofOf(before);
  if (before.sight == Sight::kHidden)
    return {.parts = proof, .are_blocks_same = query_.has_same_blocks};
  // The box may have become smaller.
  const Vec3i point = pointOf(proof.front(), sight.box);
  return contains(sight.box, point) ? SightHint{.seen = point} : SightHint{};
}

absl::Status TableRun::find(const SightQuery& sight, const SightHint& hint) {
  const SightOptions& options = query_.options.each;
  const SightScope scope(query_.state, sight, query_.levels, options);
  answer_.sight = Sight::kUndecided;
  answer_.stats = {};
  SightSteps steps(answer_.stats, options.max_steps);
  SightSearch searching(scope, depth_.shot(), memory_, steps);
  absl::Status status = findSight(searching, options, nullptr, answer_, hint);
  stats_.sight += answer_.stats;
  return status;
}

TableRun::Way TableRun::wayOf(const SightHint& hint, const SightQuery& sight) const {
  const bool is_hidden_so = !hint.parts.empty() && answer_.stats.rays == 0;
  if (is_hidden_so && answer_.stats.cuts > 0) return Way::kByProof;
  const bool is_seen_there = hint.seen.has_value() && answer_.sight == Sight::kVisible &&
                             answer_.witness->unit &&
                             pointOf(*answer_.witness, sight) == *hint.seen;
  return is_seen_there ? Way::kByRay : Way::kSearched;
}

void TableRun::keepFound(const Question& question, const SightQuery& sight) {
  if (next_ == nullptr) return;
  if (answer_.sight == Sight::kHidden) {
    const SightProof& proof = memory_.proof;
    const bool has_proof =
        query_.options.each.through == 0 && proof.is_complete && proof.parts.size() <= kMostParts;
    return keep(question, answer_.sight, proof.parts, has_proof);
  }
  if (!answer_.witness.has_value() || !answer_.witness->unit)
    return keep(question, answer_.sight, {}, false);
  const ProofPart part = partOf(pointOf(*answer_.witness, sight), sight.box);
  keep(question, answer_.sight, {&part, 1}, true);
}

void TableRun::keep(const Question& question, Sight sight, std::span<const ProofPart> proof,
                    bool has_proof) {
  if (next_ == nullptr) return;
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  KeptPair pair{.eye = static_cast<std::uint32_t>(question.eye),
                .box = static_cast<std::uint16_t>(question.box % KeptSight::kBoxesInRun),
                .sight = sight};
  if (has_proof && next_->parts.size() < kMost - kMostParts) {
    pair.first = static_cast<std::uint32_t>(next_->parts.size());
    pair.parts = static_cast<std::uint8_t>(proof.size());
    next_->parts.insert(next_->parts.end(), proof.begin(), proof.end());
  }
  next_->pairs.push_back(pair);
}

}  // namespace fractalray::internal
