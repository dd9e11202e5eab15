// SPDX-License-Identifier: Apache-2.0
#include "dispatcher.h"

#include <algorithm>
#include <optional>

#include "../../core/check.h"
#include "coverage.h"
#include "resume_point.h"
#include "spending.h"

namespace fractalray::internal {
namespace {

// Sets everything in a result but its hits.
void startSummary(const QueryContext& context, const std::optional<Spending>& spending,
                  ShotResult& result) {
  result.version = context.version();
  result.segment = context.line.segment();
  result.terminated = false;
  result.truncated = false;
  result.budgets.reset();
  if (context.options.rules != nullptr) {
    putSpending(spending.has_value() ? *spending : startOf(context.options), result);
  }
  result.stopped_at.reset();
  result.unknown_from.reset();
  result.stats = {};
  findLevelParts(context, result.level_parts);
}

class Dispatcher {
 public:
  Dispatcher(const QueryContext& context, PreparedShot& shot, ShotResult& result,
             std::vector<Charge>* charges)
      : context_(context),
        shot_(shot),
        result_(result),
        charges_(charges),
        hits_before_(result.hits.size()),
        end_(context.line.end()) {
    FRACTALRAY_DCHECK(context.callbacks != nullptr);
  }

  absl::Status dispatchAll() {
    absl::Status status;
    while (status.ok()) {
      const Candidate* const next = shot_.candidates().take(next_++);
      if (next == nullptr) break;
      // A copy: preparing the rest replaces the candidates.
      Candidate candidate = *next;
      const bool was_to_end = candidate.terminal;
      const HitResponse response = report(candidate);
      if (response == HitResponse::kStop) break;
      if (response == HitResponse::kAgain) {
        status = prepareAgain(candidate);
      } else if (was_to_end) {
        status = prepareRestAfter(candidate);
      }
    }
    // A shot that max_hits cut has no terminal hit, whatever was prepared: its end is the
    // line's.
    if (status.ok() && result_.truncated) {
      status =
          findUnknown(context_, shot_.begin(), HitTime(context_.line.end()), shot_, result_.stats);
    }
    if (shot_.unknown.has_value() && *shot_.unknown < end_) {
      result_.unknown_from = shot_.unknown->toDouble();
    }
    return status;
  }

 private:
  absl::Status prepareRestAfter(const Candidate& candidate) {
    next_ = 0;
    return prepareRest(context_, candidate, candidate.time, result_.hits, shot_, result_.stats);
  }

  absl::Status prepareAgain(const Candidate& candidate) {
    next_ = 0;
    return prepareRest(context_, Candidate::startOf(candidate.time), candidate.time, result_.hits,
                       shot_, result_.stats);
  }

  // Reports a candidate as it is now; kStop if the shot ends there. Sets its `terminal` again.
  HitResponse report(Candidate& candidate) {
    return candidate.isBlock() ? reportBlock(candidate) : reportEntity(candidate);
  }

  HitResponse reportBlock(Candidate& candidate) {
    const Chunk* const chunk = context_.world.chunk(candidate.level, chunkOf(candidate.block));
    if (chunk == nullptr) return HitResponse::kContinue;
    const int index = indexInChunk(candidate.block);
    const BlockKind kind = context_.kindOf(candidate.level, *chunk, index);
    if (kind == BlockKind::kEmpty) return HitResponse::kContinue;
    if (const BlockTypeId type = chunk->block(index); type != candidate.type) {
      candidate.type = type;
      if (!context_.classifyBlock(candidate, kind)) return HitResponse::kContinue;
    }
    return reportHit(candidate, context_.callbacks->blocks, candidate.type);
  }

  HitResponse reportEntity(Candidate& candidate) {
    if (context_.entities.find(candidate.entity) == nullptr) return HitResponse::kContinue;
    return reportHit(candidate, context_.callbacks->entities, candidate.entity_class);
  }

  // Appends the hit to the result and calls its effects.
  template <class Key>
  HitResponse reportHit(const Candidate& candidate, const CallbackTable<Key>& callbacks, Key key) {
    const std::size_t index = result_.hits.size();
    if (index - hits_before_ >= context_.options.max_hits) {
      result_.truncated = true;
      return HitResponse::kStop;
    }
    Hit hit = context_.hitOf(candidate);
    if (context_.options.rules != nullptr && !hit.terminal) charge(hit);
    result_.hits.push_back(hit);
    // Both are called, in this order.
    const HitResponse of_visitor = callVisitor(hit);
    const HitResponse response = stronger(of_visitor, callbacks.callEffect(key, hit));
    const bool is_terminal = hit.terminal && !(response == HitResponse::kAgain && isOpen(hit));
    result_.hits[index].terminal = is_terminal || response == HitResponse::kStop;
    if (!result_.hits[index].terminal) return response;
    result_.terminated = true;
    end_ = candidate.time;
    return HitResponse::kStop;
  }

  HitResponse callVisitor(const Hit& hit) const {
    const auto& visitor = context_.options.on_hit;
    return visitor ? visitor(hit) : HitResponse::kContinue;
  }

  // Returns the response that counts of two: kStop before kAgain before kContinue.
  static HitResponse stronger(HitResponse a, HitResponse b) {
    if (a == HitResponse::kStop || b == HitResponse::kStop) return HitResponse::kStop;
    return a == HitResponse::kAgain ? a : b;
  }

  // Returns true if the hit was a solid block, and there is none any more, or it defers.
  bool isOpen(const Hit& hit) const {
    if (!hit.isBlock() || context_.kindOf(hit.type) != BlockKind::kSolid) return false;
    const Chunk* const chunk = context_.world.chunk(hit.level, chunkOf(hit.block));
    return chunk == nullptr ||
           context_.kindOf(hit.level, *chunk, indexInChunk(hit.block)) != BlockKind::kSolid;
  }

  // Charges a hit to its budget; it is terminal if the budget does not cover it.
  void charge(Hit& hit) {
    const TerminalRule* const rule = costOf(context_, hit);
    if (charges_ != nullptr) noteCharge(hit, rule);
    if (rule == nullptr) return;
    if (!spending_.has_value()) spending_ = spendingOf(result_);
    result_.stopped_at = TerminalRules::spend(*rule, hit, context_.line.lengthBlocks(), *spending_);
    putSpending(*spending_, static_cast<std::size_t>(rule->budget), result_);
    hit.terminal = result_.stopped_at.has_value();
    if (charges_ == nullptr) return;
    Charge& charge = charges_->back();
    charge.is_too_much = hit.terminal;
    if (!hit.terminal) charge.left = (*result_.budgets)[charge.budget];
  }

  // Notes what a hit is about to be charged.
  void noteCharge(const Hit& hit, const TerminalRule* charged) {
    const TerminalRule& rule = ruleOf(context_, hit);
    if (rule.kind != TerminalRule::Kind::kCost) return;
    Charge& charge = charges_->emplace_back();
    charge.hit = result_.hits.size();
    charge.budget = static_cast<std::size_t>(rule.budget);
    charge.left = (*result_.budgets)[charge.budget];
    if (charged == nullptr) return;
    const double blocks = std::max(0.0, hit.t_exit - hit.t) * context_.line.lengthBlocks();
    charge.cost = rule.per_hit + rule.per_block * blocks;
  }

  const QueryContext& context_;
  PreparedShot& shot_;
  ShotResult& result_;
  std::vector<Charge>* charges_;
  std::optional<Spending> spending_;  // that of the result, once it is needed
  std::size_t next_ = 0;              // the candidate that is reported next
  std::size_t hits_before_;           // hits of a shot that resumes
  HitTime end_;                       // of the shot
};

}  // namespace

void startResult(const QueryContext& context, ShotResult& result) {
  result.hits.clear();
  startSummary(context, std::nullopt, result);
}

absl::Status dispatch(const QueryContext& context, PreparedShot& shot, ShotResult& result,
                      std::vector<Charge>* charges) {
  return Dispatcher(context, shot, result, charges).dispatchAll();
}

absl::Status runShot(const QueryContext& context, PreparedShot& shot, ShotResult& result) {
  startResult(context, result);
  absl::Status status = prepare(context, shot, result.stats);
  return status.ok() ? dispatch(context, shot, result) : status;
}

absl::Status resumeShot(const QueryContext& context, PreparedShot& shot, ShotResult& result) {
  if (result.hits.empty()) return runShot(context, shot, result);
  const absl::StatusOr<Candidate> after = candidateFromHit(result.hits.back(), context);
  if (!after.ok()) return after.status();
  // The options' budgets are what the whole shot started with.
  std::optional<Spending> spending;
  if (result.budgets.has_value()) spending = spendingOf(result);
  startSummary(context, spending, result);
  // The unknown is that of the whole shot.
  shot.resumes_at.reset();
  shot.unknown.reset();
  absl::Status status = prepareRest(context, *after, shot.begin(), result.hits, shot, result.stats);
  return status.ok() ? dispatch(context, shot, result) : status;
}

bool hasEffects(const QueryContext& context, const CandidateList& candidates) {
  if (candidates.empty()) return false;
  if (context.options.on_hit) return true;
  const auto has_effect = [&](const Candidate& candidate) {
    return candidate.isBlock() ? context.callbacks->blocks.hasEffect(candidate.type)
                               : context.callbacks->entities.hasEffect(candidate.entity_class);
  };
  return std::any_of(candidates.all().begin(), candidates.all().end(), has_effect);
}

}  // namespace fractalray::internal
