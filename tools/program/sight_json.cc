// SPDX-License-Identifier: Apache-2.0
#include "sight_json.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "../../formats/json.h"

namespace fractalray {
namespace {

void appendPoint(std::string& out, std::string_view member, const Vec3d& point) {
  absl::StrAppend(&out, ",\"", std::string(member), "\":[");
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) out += ',';
    appendJsonNumber(out, point[axis]);
  }
  out += ']';
}

void appendShare(std::string& out, std::string_view member, const std::optional<double>& from,
                 const std::optional<double>& to) {
  absl::StrAppend(&out, ",\"", std::string(member), "\":");
  if (!from.has_value() || !to.has_value()) {
    out += "null";
    return;
  }
  out += '[';
  appendJsonNumber(out, *from);
  out += ',';
  appendJsonNumber(out, *to);
  out += ']';
}

std::string hidingJson(const HidingBox& hiding, TypeNamer name) {
  std::string out = "{\"blocks\":{";
  for (const TypeCount& count : hiding.types) {
    if (&count != &hiding.types.front()) out += ',';
    appendJsonString(out, name(count.type));
    absl::StrAppend(&out, ":", count.blocks);
  }
  absl::StrAppend(&out, "},\"entities\":[", absl::StrJoin(hiding.entities, ","),
                  "],\"given\":", hiding.is_given ? "true" : "false");
  appendPoint(out, "min", toBlocks(hiding.box.min));
  appendPoint(out, "max", toBlocks(hiding.box.max));
  appendShare(out, "covers", hiding.covers_from, hiding.covers_to);
  return out + "}";
}

std::string unloadedJson(const UnloadedStart& start) {
  std::string out = "{\"distance\":";
  appendJsonNumber(out, start.distance);
  appendPoint(out, "at", start.at);
  out += ",\"chunks\":[";
  for (const UnloadedStart::ChunkThere& there : start.chunks) {
    absl::StrAppend(&out, &there == &start.chunks.front() ? "" : ",", "{\"level\":", there.level,
                    ",\"chunk\":[", there.chunk[0], ",", there.chunk[1], ",", there.chunk[2],
                    "],\"placeholder\":", there.is_placeholder ? "true" : "false", "}");
  }
  return out + "]}";
}

std::string lineJson(const SightLine& line) {
  std::string out = "{\"distance\":";
  appendJsonNumber(out, line.distance);
  appendPoint(out, "direction", line.direction);
  appendPoint(out, "entry", line.entry);
  absl::StrAppend(&out, ",\"face\":");
  out += line.face.exists() ? absl::StrCat("\"", std::string(faceName(line.face)), "\"") : "null";
  return out + "}";
}

}  // namespace

std::string sightReportJson(const SightReport& report, const QueryId& id, const ViewQuery& query,
                            TypeNamer name) {
  ViewQuery asked = query;
  asked.options.report_certificate = true;
  std::string out = sightAnswer(id, asked, report.answer);
  out.erase(out.size() - 2);  // the closing brace
  if (report.exposure.has_value()) {
    appendShare(out, "exposure", report.exposure->from, report.exposure->to);
  } else {
    out += ",\"exposure\":null";
  }
  absl::StrAppend(&out, ",\"line\":", report.line.has_value() ? lineJson(*report.line) : "null",
                  ",\"hiding\":[");
  for (const HidingBox& hiding : report.hiding)
    absl::StrAppend(&out, &hiding == &report.hiding.front() ? "" : ",", hidingJson(hiding, name));
  absl::StrAppend(&out, "],\"unloaded\":",
                  report.unloaded.has_value() ? unloadedJson(*report.unloaded) : "null", "}\n");
  return out;
}

}  // namespace fractalray
