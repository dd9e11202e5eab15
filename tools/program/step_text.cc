// SPDX-License-Identifier: Apache-2.0
#include "step_text.h"

#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "explanation_text.h"
#include "text_table.h"

namespace fractalray {
namespace {

using internal::Candidate;

// Returns the reason for the order of two hits at the same time.
std::string tieReason(const Candidate& before, const Candidate& after) {
  if (before.kind != after.kind) return "exact tie: entities come before blocks";
  if (before.level != after.level) return "exact tie: the finer level comes first";
  return after.isBlock() ? "exact tie: in the order of the walk"
                         : "exact tie: the lower id comes first";
}

// Returns the cost of a hit, after a comma; "" if no rule charges it.
std::string costText(const Explanation& explanation, const TraceStep& step) {
  if (!step.charge.has_value()) return "";
  const internal::Charge& charge = *step.charge;
  const std::string name = budgetName(explanation, charge.budget);
  if (charge.is_too_much) {
    return absl::StrCat(", costs ", formatTime(charge.cost), " of ", name, ", but only ",
                        formatTime(charge.left), " was left");
  }
  if (charge.cost == 0) {
    const char* const why = charge.continues_pane ? " more for its pane" : "";
    return absl::StrCat(", costs nothing", why, " of ", name);
  }
  return absl::StrCat(", costs ", formatTime(charge.cost), " of ", name, ", ",
                      formatTime(charge.left), " left");
}

std::string hitText(const Explanation& explanation, const TraceStep& step) {
  const Candidate& candidate = step.candidate;
  if (candidate.terminal) {
    const bool is_solid =
        candidate.isBlock() && explanation.context.kindOf(candidate.type) == BlockKind::kSolid;
    return is_solid ? "a hit, ends the shot: solid" : "a hit, ends the shot: its rule stops it";
  }
  const std::string cost = costText(explanation, step);
  if (step.charge.has_value() && step.charge->is_too_much) {
    return absl::StrCat("a hit", cost, ": ends the shot");
  }
  if (step.stops) return absl::StrCat("a hit", cost, ", ends the shot: its callback stops it");
  return absl::StrCat("a hit", cost);
}

std::string outcomeText(const Explanation& explanation, const TraceStep& step) {
  switch (step.outcome) {
    case StepOutcome::kHit:
      return hitText(explanation, step);
    case StepOutcome::kAfterClip:
      return "dropped: after the hit that ends the shot";
    case StepOutcome::kAfterUnknown:
      return "dropped: in or after unloaded space, at which this shot stops";
    case StepOutcome::kAfterStop:
      return "not reported: the shot had ended";
    case StepOutcome::kBeyondMaxHits:
      return "not reported: beyond the limit of hits";
  }
  return "";
}

// Returns how many of the steps, from the first one on, have the same text.
std::size_t runLength(const Explanation& explanation, std::span<const TraceStep> steps) {
  const TraceStep& first = steps.front();
  const std::string outcome = outcomeText(explanation, first);
  std::size_t count = 1;
  while (first.candidate.isBlock() && count < steps.size()) {
    const TraceStep& step = steps[count];
    if (!step.candidate.isBlock() || step.ties || step.candidate.type != first.candidate.type ||
        step.candidate.level != first.candidate.level ||
        outcomeText(explanation, step) != outcome) {
      break;
    }
    ++count;
  }
  return count;
}

std::string whatOf(std::span<const TraceStep> run, TypeNamer name) {
  const Candidate& first = run.front().candidate;
  if (!first.isBlock()) return absl::StrCat("entity ", first.entity_id);
  const auto cell_of = [](const Candidate& candidate) {
    return formatCell({candidate.block[0], candidate.block[1], candidate.block[2]});
  };
  const std::string type = printable(name(first.type));
  if (run.size() == 1) return absl::StrCat(type, " ", cell_of(first));
  return absl::StrCat(type, " x ", run.size(), ", ", cell_of(first), " to ",
                      cell_of(run.back().candidate));
}

}  // namespace

std::string formatSteps(const Explanation& explanation, TypeNamer name, Colors colors) {
  const std::span<const TraceStep> steps = explanation.steps;
  std::vector<TableRow> rows = {{"hit", "block or entity", "level", "t", "outcome", "order"}};
  std::size_t number = 0;
  for (std::size_t i = 0; i < steps.size();) {
    const TraceStep& step = steps[i];
    const std::size_t count = runLength(explanation, steps.subspan(i));
    const bool is_hit = step.outcome == StepOutcome::kHit;
    rows.push_back({is_hit ? absl::StrCat(number + 1) : "-", whatOf(steps.subspan(i, count), name),
                    absl::StrCat(step.candidate.level), formatTime(step.candidate.time.toDouble()),
                    outcomeText(explanation, step),
                    step.ties ? tieReason(steps[i - 1].candidate, step.candidate) : ""});
    if (is_hit) number += count;
    i += count;
  }
  return formatTable(std::move(rows), colors);
}

std::string budgetName(const Explanation& explanation, std::size_t number) {
  return number < explanation.budgets.size() ? explanation.budgets[number]
                                             : absl::StrCat("budget ", number);
}

}  // namespace fractalray
