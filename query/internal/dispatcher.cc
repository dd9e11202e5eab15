// SPDX-License-Identifier: Apache-2.0
#include "dispatcher.h"

#include <optional>
#include <utility>
#include <variant>

#include "coverage.h"
#include "resume_point.h"
#include "spending.h"

namespace fractalray::internal {
namespace {

class Dispatch {
 public:
  Dispatch(const Scene& scene, ShotScratch& scratch, ShotResult& result)
      : scene_(scene), scratch_(scratch), result_(result) {}

  absl::Status run() {
    absl::Status status = start();
    return status.ok() ? tellAll() : status;
  }

  absl::Status resume() {
    absl::Status status = goOn();
    return status.ok() ? tellAll() : status;
  }

  absl::Status begin(BegunShot& begun) {
    begun.reset();
    begun_ = &begun;
    absl::Status status = run();
    if (!scene_.after.empty()) begun.begin = begin_;
    if (unknown_.has_value()) begun.unknown = unknown_;
    return status;
  }

  absl::Status finish(const BegunShot& begun) {
    begin_ = begun.begin.value_or(HitTime());
    unknown_ = begun.unknown;
    return tellAll();
  }

 private:
  enum class Told { kGoOn, kEnd };

  absl::Status start() {
    result_.hits.clear();
    clearSummary();
    if (scene_.after.empty()) return gather(nullptr, begin_);
    const absl::StatusOr<Candidate> place = placeOf(scene_.after.back(), scene_);
    if (!place.ok()) return place.status();
    begin_ = place->time;
    return gather(&*place, begin_);
  }

  absl::Status goOn() {
    if (result_.hits.empty()) return start();
    const absl::StatusOr<Candidate> place = placeOf(result_.hits.back(), scene_);
    if (!place.ok()) return place.status();
    told_before_ = result_.hits.size();
    // Budgets of the options are what the whole shot started with.
    if (result_.budgets.has_value()) spending_ = spendingOf(result_);
    clearSummary();
    // The unknown is that of the whole shot.
    return gather(&*place, begin_);
  }

  // All but the hits.
  void clearSummary() {
    result_.version = scene_.version();
    result_.segment = scene_.line.segment();
    result_.terminated = false;
    result_.truncated = false;
    result_.budgets.reset();
    if (scene_.options.rules != nullptr) {
      if (!spending_.has_value()) spending_ = startOf(scene_.options);
      putSpending(*spending_, result_);
    }
    result_.stopped_at.reset();
    result_.unknown_from.reset();
    result_.stats = {};
    findLevelParts(scene_, result_.level_parts);
  }

  // Tells the candidates from next_ on.
  absl::Status tellAll() {
    absl::Status status;
    while (status.ok()) {
      const Candidate* const next = scratch_.candidates.take(next_++);
      if (next == nullptr) break;
      // A copy: gathering again replaces the candidates.
      Candidate candidate = *next;
      const bool sets_clip = candidate.terminal;
      if (tell(candidate) == Told::kEnd) break;
      if (!sets_clip) continue;
      // What was to end the shot is gone, or no longer ends it: on behind it, in the world as it
      // now is.
      status = gather(&candidate, candidate.time);
    }
    // A shot that max_hits cut has no terminal hit, whatever was gathered: its end is the
    // segment's.
    if (status.ok() && result_.truncated) status = findUnknown(begin_, endOfSegment());
    if (unknown_.has_value() && *unknown_ < end_) {
      result_.unknown_from = unknown_->toDouble();
    }
    return status;
  }

  // Gathers what comes behind `after`, and finds the first unknown place from `from` on.
  absl::Status gather(const Candidate* after, const HitTime& from) {
    next_ = 0;
    absl::Status status = internal::gather(scene_, after, result_.hits, scratch_, result_.stats);
    if (!status.ok()) return status;
    const Candidate* const last = scratch_.candidates.last();
    status = findUnknown(from, last != nullptr ? last->time : endOfSegment());
    if (status.ok() && unknown_.has_value() && scene_.options.stop_at_unknown) {
      scratch_.candidates.dropLater(*unknown_);
    }
    return status;
  }

  // Finds the first unknown place from `from` on and before `end`, where it is asked for and none
  // has been found yet.
  absl::Status findUnknown(const HitTime& from, const HitTime& end) {
    const bool is_asked_for = scene_.options.report_unknown || scene_.options.stop_at_unknown;
    if (!is_asked_for || unknown_.has_value()) return absl::OkStatus();
    const absl::StatusOr<std::optional<HitTime>> unknown =
        firstUnknown(scene_, from, end, result_.stats);
    if (!unknown.ok()) return unknown.status();
    unknown_ = *unknown;
    return absl::OkStatus();
  }

  static HitTime endOfSegment() { return HitTime(Fraction::one()); }

  // Tells a candidate as it is now; whether the shot ends with it. Sets its `terminal` anew.
  Told tell(Candidate& candidate) {
    return candidate.isBlock() ? tellBlock(candidate) : tellEntity(candidate);
  }

  Told tellBlock(Candidate& candidate) {
    const Chunk* const chunk = scene_.world.chunk(candidate.level, chunkOf(candidate.block));
    if (chunk == nullptr) return Told::kGoOn;
    const int index = indexInChunk(candidate.block);
    const BlockKind kind = scene_.kindOf(candidate.level, *chunk, index);
    if (kind == BlockKind::kEmpty) return Told::kGoOn;
    if (const BlockTypeId type = chunk->block(index); type != candidate.type) {
      candidate.type = type;
      if (!scene_.admitBlock(candidate, kind)) return Told::kGoOn;
    }
    return deliver(candidate, scene_.blockHit(candidate), *scene_.block_callbacks, candidate.type);
  }

  Told tellEntity(Candidate& candidate) {
    if (scene_.entities.find(candidate.entity) == nullptr) return Told::kGoOn;
    return deliver(candidate, scene_.entityHit(candidate), *scene_.entity_callbacks,
                   candidate.entity_class);
  }

  // Puts the hit into the result and calls what is registered for it; of a shot that is only begun,
  // notes that something is.
  template <class HitType, class Key>
  Told deliver(const Candidate& candidate, HitType hit,
               const CallbackTable<Key, HitType>& callbacks, Key key) {
    if (result_.hits.size() - told_before_ >= scene_.options.max_hits) {
      result_.truncated = true;
      return Told::kEnd;
    }
    if (scene_.options.rules != nullptr && !hit.terminal) {
      charge(hit);
    }
    const std::size_t place = result_.hits.size();
    result_.hits.emplace_back(hit);
    bool terminal = hit.terminal;
    if (begun_ == nullptr) {
      terminal = callbacks.callEffect(key, hit) == HitResponse::kStop || terminal;
    } else if (!begun_->first_effect.has_value() && callbacks.hasEffect(key)) {
      begun_->first_effect = place;
    }
    if (!terminal) return Told::kGoOn;
    std::get<HitType>(result_.hits[place]).terminal = true;
    result_.terminated = true;
    end_ = candidate.time;
    return Told::kEnd;
  }

  // Takes what a hit costs from its budget; where that is used up the hit is terminal.
  template <class HitType>
  void charge(HitType& hit) {
    const TerminalRule* const rule = costOf(scene_, hit);
    if (rule == nullptr) return;
    if (!spending_.has_value()) spending_ = spendingOf(result_);
    result_.stopped_at =
        scene_.options.rules->spend(*rule, hit, scene_.line.lengthBlocks(), *spending_);
    putSpending(*spending_, static_cast<std::size_t>(rule->budget), result_);
    hit.terminal = result_.stopped_at.has_value();
  }

  const Scene& scene_;
  ShotScratch& scratch_;
  ShotResult& result_;
  std::optional<Spending> spending_;  // that of the result, once it is needed
  BegunShot* begun_ = nullptr;        // where the shot is only begun
  std::size_t next_ = 0;              // the candidate that is told next
  std::size_t told_before_ = 0;       // hits of a shot that goes on
  HitTime begin_;                     // what is unknown is looked for from here on
  std::optional<HitTime> unknown_;
  HitTime end_ = endOfSegment();
};

}  // namespace

absl::Status runShot(const Scene& scene, ShotScratch& scratch, ShotResult& result) {
  return Dispatch(scene, scratch, result).run();
}

absl::Status resumeShot(const Scene& scene, ShotScratch& scratch, ShotResult& result) {
  return Dispatch(scene, scratch, result).resume();
}

absl::Status beginShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                       BegunShot& begun) {
  return Dispatch(scene, scratch, result).begin(begun);
}

absl::Status finishShot(const Scene& scene, ShotScratch& scratch, ShotResult& result,
                        const BegunShot& begun) {
  return Dispatch(scene, scratch, result).finish(begun);
}

}  // namespace fractalray::internal
