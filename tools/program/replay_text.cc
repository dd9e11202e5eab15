// SPDX-License-Identifier: Apache-2.0
#include "replay_text.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../core/printable.h"
#include "../../core/units.h"
#include "../../entities/shape.h"
#include "../../formats/json_document.h"
#include "option_text.h"
#include "replay_sight_text.h"
#include "text_table.h"

namespace fractalray {
namespace {

// Lines of an answer that are shown before and after the first one that differs.
constexpr std::size_t kLinesBefore = 2;
constexpr std::size_t kLinesAfter = 5;

std::string shapeText(const FixedShape& shape) {
  return absl::StrCat(std::string(shapeInfo(shape.kind).name), " of ",
                      exactPoint(shape.half_extents));
}

std::string hitText(const LoggedHit& hit) {
  std::string text = hit.isBlock() ? absl::StrCat(typeText(hit.type_name), " [", hit.block[0], ", ",
                                                  hit.block[1], ", ", hit.block[2], "]")
                                   : absl::StrCat("entity ", hit.id, " of class ",
                                                  static_cast<std::uint32_t>(hit.entity_class));
  if (hit.isBlock()) {
    absl::StrAppend(&text, ", step ", int{hit.step});
  } else {
    absl::StrAppend(&text, ", ", shapeText(hit.shape), " at ", exactPoint(hit.position));
  }
  absl::StrAppend(&text, ", level ", hit.level, ", t ", exactNumber(hit.t), " to ",
                  exactNumber(hit.t_exit));
  if (hit.start_inside) text += ", starts inside";
  if (hit.face.exists()) absl::StrAppend(&text, ", ", std::string(faceName(hit.face)));
  if (hit.terminal) text += ", ends it";
  if (hit.ended_by_callback) text += " by a callback";
  return text;
}

const LoggedSight* sightPartOf(const LoggedQuery& query) {
  return query.sight.has_value() ? &*query.sight : nullptr;
}

std::vector<AnswerLine> linesOf(const LoggedQuery& query, const LoggedAnswer& answer) {
  if (answer.status != absl::StatusCode::kOk) {
    return {{"error", absl::StatusCodeToString(answer.status)}};
  }
  std::vector<AnswerLine> lines = sightLines(sightPartOf(query), answer);
  if (!lines.empty() || answer.sights.has_value()) return lines;
  for (const LoggedHit& hit : answer.hits)
    lines.push_back({absl::StrCat("hit ", lines.size() + 1), hitText(hit)});
  std::string end = answer.terminated ? "ended" : answer.truncated ? "" : "nothing more";
  if (answer.truncated) absl::StrAppend(&end, end.empty() ? "" : ", ", "cut by max_hits");
  lines.push_back({"then", std::move(end)});
  if (answer.unknown_from.has_value()) {
    lines.push_back({"unknown from", exactNumber(*answer.unknown_from)});
  }
  if (answer.stopped_at.has_value()) {
    lines.push_back({"a budget was used up at t", exactNumber(*answer.stopped_at)});
  }
  if (answer.budgets.has_value()) lines.push_back({"budgets", "reported"});
  for (std::size_t i = 0; answer.budgets.has_value() && i < kMaxBudgets; ++i) {
    const double left = (*answer.budgets)[i];
    if (std::bit_cast<std::uint64_t>(left) != 0)
      lines.push_back({absl::StrCat("left of budget ", i), exactNumber(left)});
  }
  for (const LevelSpan& span : answer.level_spans) {
    lines.push_back({absl::StrCat("level ", span.level, " at"),
                     absl::StrCat(exactNumber(span.t0), " to ", exactNumber(span.t1))});
  }
  return lines;
}

std::size_t firstDifference(const std::vector<AnswerLine>& a, const std::vector<AnswerLine>& b) {
  const auto same = [](const AnswerLine& x, const AnswerLine& y) {
    return x.name == y.name && x.text == y.text;
  };
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same).first - a.begin());
}

std::string textAt(const std::vector<AnswerLine>& lines, std::size_t i) {
  if (i >= lines.size()) return "-";
  return absl::StrCat(lines[i].name, ": ", lines[i].text);
}

// Returns the options that differ from their defaults, each after a comma.
std::string optionsText(const LoggedQuery& query) {
  std::string text = optionsText(query.options);
  if (query.sight.has_value()) {
    SightOptions options = query.sight->options;
    options.occluders = query.sight->occluders;
    text = optionsText(options);
  }
  if (!query.after.empty()) absl::StrAppend(&text, ", after ", query.after.size(), " hits");
  if (!query.ignore.empty()) absl::StrAppend(&text, ", ", query.ignore.size(), " ignored");
  if (query.rules != nullptr) text += ", terminal rules";
  return text;
}

Json hitJson(const LoggedHit& hit) {
  Json json = {{"level", hit.level},
               {"t", hit.t},
               {"t_exit", hit.t_exit},
               {"face", hit.face.exists() ? Json(faceName(hit.face)) : Json()},
               {"start_inside", hit.start_inside},
               {"terminal", hit.terminal},
               {"ended_by_callback", hit.ended_by_callback}};
  if (hit.isBlock()) {
    json["kind"] = "block";
    json["block"] = hit.block.values;
    json["type"] = hit.type_name;
    json["step"] = hit.step;
  } else {
    json["kind"] = "entity";
    json["entity"] = hit.id;
    json["class"] = static_cast<std::uint32_t>(hit.entity_class);
    json["shape"] = shapeInfo(hit.shape.kind).name;
    json["half_extents_units"] = hit.shape.half_extents.values;
    json["position_units"] = hit.position.values;
  }
  return json;
}

Json answerJson(const LoggedQuery& query, const LoggedAnswer& answer) {
  if (answer.status != absl::StatusCode::kOk) {
    return {{"error", absl::StatusCodeToString(answer.status)}};
  }
  Json json = sightAnswerJson(sightPartOf(query), answer);
  if (!json.is_null()) return json;
  json = {{"hits", Json::array()},
          {"terminated", answer.terminated},
          {"truncated", answer.truncated},
          {"unknown_from", answer.unknown_from.has_value() ? Json(*answer.unknown_from) : Json()},
          {"level_parts", Json::array()}};
  if (answer.budgets.has_value()) {
    json["budgets"] = *answer.budgets;
    json["stopped_at"] = answer.stopped_at.has_value() ? Json(*answer.stopped_at) : Json();
  }
  for (const LoggedHit& hit : answer.hits)
    json["hits"].push_back(hitJson(hit));
  for (const LevelSpan& span : answer.level_spans)
    json["level_parts"].push_back({{"level", span.level}, {"t0", span.t0}, {"t1", span.t1}});
  return json;
}

// Returns the end of a ray's line; "" for a whole segment.
std::string endText(const FixedSegment& segment) {
  if (segment.end_time == kWholeLine) return "";
  return absl::StrCat(" until t = ", segment.end_time, " / 2^60");
}

// Describes where a reflected line begins; "" for a line that begins at its start.
std::string beginText(const FixedSegment& segment) {
  if (segment.begin.axes == 0) return "";
  std::string axes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (((segment.begin.axes >> axis) & 1U) != 0) axes += "xyz"[axis];
  }
  return absl::StrCat(", reflected on ", axes, " at the plane ",
                      exactNumber(toBlocks(segment.begin.plane)));
}

Json beginJson(const FixedSegment& segment) {
  if (segment.begin.axes == 0) return {};
  return {{"axes", segment.begin.axes}, {"plane_units", segment.begin.plane}};
}

// Describes the line of a query, or the eye and the box.
std::string questionText(const LoggedQuery& query) {
  if (query.sight.has_value()) return sightQuestionText(*query.sight);
  const FixedSegment& segment = query.segment;
  return absl::StrCat(std::string(queryVerbName(query.verb)), " from ", exactPoint(segment.from),
                      " to ", exactPoint(segment.to), endText(segment), beginText(segment));
}

Json questionJson(const LoggedQuery& query) {
  if (query.sight.has_value()) return sightQuestionJson(*query.sight);
  const FixedSegment& segment = query.segment;
  return {{"verb", queryVerbName(query.verb)},
          {"from_units", segment.from.values},
          {"to_units", segment.to.values},
          {"end_time", segment.end_time},
          {"begin", beginJson(segment)}};
}

}  // namespace

std::string formatDifference(const LoggedQuery& query, const LoggedAnswer& recorded,
                             const LoggedAnswer& replayed, Colors colors) {
  const std::string title = absl::StrCat(
      "query ", query.number, " at byte ", query.offset, ": ", questionText(query), ", levels ",
      formatLevelMask(query.levels), ", channel ", printable(query.channel), optionsText(query));
  const std::vector<AnswerLine> before = linesOf(query, recorded);
  const std::vector<AnswerLine> now = linesOf(query, replayed);
  const std::size_t first = firstDifference(before, now);
  const std::size_t begin = first - std::min(first, kLinesBefore);
  const std::size_t lines = std::max(before.size(), now.size());
  const std::size_t end = std::min(lines, first + 1 + kLinesAfter);
  std::vector<TableRow> rows = {{" ", "recorded", "replayed"}};
  if (begin > 0) rows.push_back({" ", absl::StrCat("(", begin, " the same)"), ""});
  for (std::size_t i = begin; i < end; ++i) {
    const std::string recorded_text = textAt(before, i);
    const std::string replayed_text = textAt(now, i);
    rows.push_back({i == first ? ">" : " ", recorded_text,
                    replayed_text == recorded_text ? "the same" : replayed_text});
  }
  if (end < lines) rows.push_back({" ", absl::StrCat("(", lines - end, " more)"), ""});
  return absl::StrCat(absl::StrJoin(wrapText(title, kTextWidth, 2), "\n"), "\n",
                      formatTable(std::move(rows), colors));
}

Json differenceJson(const LoggedQuery& query, const LoggedAnswer& recorded,
                    const LoggedAnswer& replayed) {
  const std::vector<AnswerLine> before = linesOf(query, recorded);
  const std::vector<AnswerLine> now = linesOf(query, replayed);
  const std::size_t first = firstDifference(before, now);
  Json json = {{"query", query.number}, {"offset", query.offset}};
  json.update(questionJson(query));
  json.update({{"levels", formatLevelMask(query.levels)},
               {"channel", query.channel},
               {"recorded", answerJson(query, recorded)},
               {"replayed", answerJson(query, replayed)},
               {"first", {{"recorded", textAt(before, first)}, {"replayed", textAt(now, first)}}}});
  return json;
}

}  // namespace fractalray
