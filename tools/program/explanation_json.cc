// SPDX-License-Identifier: Apache-2.0
#include "explanation_json.h"

#include "absl/strings/str_cat.h"

#include "../../formats/json.h"
#include "explanation_text.h"

namespace fractalray {
namespace {

using internal::Candidate;

void appendCell(std::string& out, const char* member, const Vec3i& cell) {
  absl::StrAppend(&out, ",\"", member, "\":[", cell[0], ",", cell[1], ",", cell[2], "]");
}

void appendText(std::string& out, const char* member, std::string_view text) {
  absl::StrAppend(&out, ",\"", member, "\":");
  appendJsonString(out, text);
}

void appendTime(std::string& out, const char* member, double t) {
  absl::StrAppend(&out, ",\"", member, "\":");
  appendJsonNumber(out, t);
}

std::string runJson(const CellRun& run, TypeNamer name) {
  std::string out = "{\"outcome\":";
  appendJsonString(out, outcomeName(run.trace.outcome));
  if (run.trace.outcome != CellOutcome::kNotLoaded &&
      run.trace.outcome != CellOutcome::kPlaceholder) {
    appendText(out, "type", name(run.trace.type));
  }
  if (run.number != 0) absl::StrAppend(&out, ",\"number\":", run.number, ",\"cells\":", run.cells);
  appendCell(out, "first", run.first.cell);
  appendCell(out, "last", run.last.cell);
  appendTime(out, "t", run.first.t.toDouble());
  return out + "}";
}

std::string cornerJson(const CornerCrossing& corner) {
  std::string out = R"({"axes":")";
  for (int axis = 0; axis < 3; ++axis) {
    if (((corner.axes >> axis) & 1U) != 0) out += "xyz"[axis];
  }
  out += '"';
  appendTime(out, "t", corner.t.toDouble());
  return out + "}";
}

std::string passJson(const LevelPass& pass, TypeNamer name) {
  std::string out = absl::StrCat("{\"level\":", pass.level);
  appendTime(out, "clip", pass.clip.toDouble());
  out += ",\"runs\":[";
  for (const CellRun& run : pass.runs)
    absl::StrAppend(&out, &run == &pass.runs.front() ? "" : ",", runJson(run, name));
  absl::StrAppend(&out, "],\"corner_count\":", pass.corner_count, ",\"corners\":[");
  for (const CornerCrossing& corner : pass.corners)
    absl::StrAppend(&out, &corner == &pass.corners.front() ? "" : ",", cornerJson(corner));
  return out + "]}";
}

std::string stepJson(const TraceStep& step, const Explanation& explanation, TypeNamer name) {
  const Candidate& candidate = step.candidate;
  std::string out = absl::StrCat("{\"level\":", candidate.level);
  if (candidate.isBlock()) {
    appendCell(out, "block", {candidate.block[0], candidate.block[1], candidate.block[2]});
    appendText(out, "type", name(candidate.type));
  } else {
    absl::StrAppend(&out, ",\"entity\":", candidate.entity_id);
  }
  appendTime(out, "t", candidate.time.toDouble());
  appendText(out, "outcome", outcomeName(step.outcome));
  absl::StrAppend(&out, ",\"tie\":", step.ties ? "true" : "false");
  if (step.charge.has_value()) {
    const std::size_t budget = step.charge->budget;
    if (budget < explanation.budgets.size()) {
      appendText(out, "budget", explanation.budgets[budget]);
    }
    appendTime(out, "cost", step.charge->cost);
    appendTime(out, "left", step.charge->is_too_much ? 0 : step.charge->left);
    if (step.charge->continues_pane) out += ",\"continues_pane\":true";
  }
  return out + "}";
}

}  // namespace

std::string explanationMembers(const Explanation& explanation, TypeNamer name) {
  std::string out = "\"passes\":[";
  for (const LevelPass& pass : explanation.passes)
    absl::StrAppend(&out, &pass == &explanation.passes.front() ? "" : ",", passJson(pass, name));
  out += "],\"entities\":[";
  for (const EntityTrace& trace : explanation.entities) {
    absl::StrAppend(&out, &trace == &explanation.entities.front() ? "" : ",",
                    "{\"entity\":", explanation.context.entities.find(trace.entity)->id);
    appendText(out, "outcome", outcomeName(trace.outcome));
    out += '}';
  }
  out += "],\"steps\":[";
  for (const TraceStep& step : explanation.steps)
    absl::StrAppend(&out, &step == &explanation.steps.front() ? "" : ",",
                    stepJson(step, explanation, name));
  return out + "]";
}

}  // namespace fractalray
