// SPDX-License-Identifier: Apache-2.0
#include "answer_json.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/printable.h"
#include "../query/fields.h"
#include "../query/hit_spans.h"

namespace fractalray {
namespace {

constexpr std::size_t kTextPieceBytes = 65536;

std::string beginAnswer(const QueryId& id) {
  return absl::StrCat("{\"id\":", id.json());
}

// Appends an array; `append` adds one element to the text.
template <class Elements, class Append>
void appendArray(std::string& out, const Elements& elements, const Append& append) {
  const char* separator = "";
  out += '[';
  for (const auto& element : elements) {
    out += separator;
    append(element);
    separator = ",";
  }
  out += ']';
}

template <class Coord>
void appendIndices(std::string& out, const Coord& cell) {
  appendArray(out, cell.values, [&](std::int64_t index) { absl::StrAppend(&out, index); });
}

void appendVector(std::string& out, const Vec3d& vector) {
  appendArray(out, vector.values, [&](double component) { appendJsonNumber(out, component); });
}

void appendMember(std::string& out, std::string_view name, double value) {
  absl::StrAppend(&out, ",\"", std::string(name), "\":");
  appendJsonNumber(out, value);
}

void appendFlag(std::string& out, std::string_view name, bool value) {
  absl::StrAppend(&out, ",\"", std::string(name), "\":", value ? "true" : "false");
}

// Appends an integer, as a string if it has more than 64 bits.
void appendInteger(std::string& out, absl::int128 value) {
  std::ostringstream digits;
  digits << value;
  const bool is_wide = value < std::numeric_limits<std::int64_t>::min() ||
                       value > std::numeric_limits<std::int64_t>::max();
  absl::StrAppend(&out, is_wide ? "\"" : "", digits.str(), is_wide ? "\"" : "");
}

void appendWitness(std::string& out, const SightWitness& witness) {
  out += R"(,"witness":{"delta":)";
  appendArray(out, witness.delta, [&](absl::int128 component) { appendInteger(out, component); });
  appendFlag(out, "unit", witness.unit);
  out += '}';
}

void appendBoxes(std::string& out, std::string_view name, std::span<const FixedBox> boxes) {
  absl::StrAppend(&out, ",\"", std::string(name), "\":");
  appendArray(out, boxes, [&](const FixedBox& box) {
    appendArray(out, std::array{box.min, box.max},
                [&](const Vec3i& corner) { appendIndices(out, corner); });
  });
}

void appendFace(std::string& out, Face face) {
  if (!face.exists()) {
    out += ",\"face\":null";
    return;
  }
  absl::StrAppend(&out, R"(,"face":")", std::string(faceName(face)), "\"");
}

// Appends what follows the time at exit, the same for blocks and entities.
void appendSurface(std::string& out, const Hit& hit) {
  appendFlag(out, "terminal", hit.terminal);
  out += ",\"point\":";
  appendVector(out, hit.point);
  out += ",\"normal\":";
  if (hit.start_inside) {
    out += "null";
  } else {
    appendVector(out, hit.normal);
  }
  appendMember(out, "distance", hit.distance);
  out += '}';
}

void appendTimes(std::string& out, const HitGeometry& hit) {
  appendMember(out, "t", hit.t);
  appendMember(out, "t_exit", hit.t_exit);
}

void appendBlock(std::string& out, const Hit& hit, TypeNamer name) {
  absl::StrAppend(&out, R"({"kind":"block","level":)", hit.level, R"(,"block":)");
  appendIndices(out, hit.block);
  out += ",\"type\":";
  appendJsonString(out, name(hit.type));
  appendTimes(out, hit);
  appendFace(out, hit.face);
  appendSurface(out, hit);
}

void appendEntity(std::string& out, const Hit& hit) {
  absl::StrAppend(&out, R"({"kind":"entity","entity":)", hit.id, R"(,"level":)", hit.level);
  appendTimes(out, hit);
  if (shapeInfo(hit.shape.kind).has_faces) appendFace(out, hit.face);
  appendSurface(out, hit);
}

void appendHit(std::string& out, const Hit& hit, TypeNamer name) {
  hit.isBlock() ? appendBlock(out, hit, name) : appendEntity(out, hit);
}

// Appends the spans of a hit to its object.
void appendSpans(std::string& out, const World& world, const ShotQuery& query,
                 const FixedSegment& line, const Hit& hit) {
  std::vector<HitSpan> spans;
  FRACTALRAY_CHECK_OK(hitSpans(world, line, hit, toOptions(query, world.blockTypes()), spans));
  out.back() = ',';  // instead of the object's end
  out += "\"spans\":";
  appendArray(out, spans, [&](const HitSpan& span) {
    appendArray(out, std::array{span.t0, span.t1},
                [&](double time) { appendJsonNumber(out, time); });
  });
  out += '}';
}

// Appends the line of a ray, in units.
void appendLine(std::string& out, const FixedSegment& line) {
  out += R"(,"line":{"from":)";
  appendIndices(out, line.from);
  out += ",\"delta\":";
  appendIndices(out, line.delta());
  if (line.begin.axes != 0) appendMember(out, "t_begin", line.beginsAt());
  appendMember(out, "t_end", static_cast<double>(line.end_time) / static_cast<double>(kWholeLine));
  out += '}';
}

// Appends a time, or null if there is none.
void appendTime(std::string& out, std::string_view name, const std::optional<double>& time) {
  absl::StrAppend(&out, ",\"", std::string(name), "\":");
  if (time.has_value()) {
    appendJsonNumber(out, *time);
  } else {
    out += "null";
  }
}

// Returns true if the query has to report where the unknown begins, or to stop there.
bool asksForUnknown(const ShotQuery& query) {
  return query.options.report_unknown || query.options.stop_at_unknown;
}

void appendLevelSpans(std::string& out, const std::vector<LevelSpan>& parts) {
  out += ",\"level_parts\":";
  appendArray(out, parts, [&](const LevelSpan& span) {
    absl::StrAppend(&out, "{\"level\":", span.level);
    appendMember(out, "t0", span.t0);
    appendMember(out, "t1", span.t1);
    out += '}';
  });
}

template <int N>
absl::Status writeCells(const QueryId& id, GridWalk<N> walk, AnswerSink write) {
  std::string piece = absl::StrCat(beginAnswer(id), ",\"cells\":[");
  absl::Status status;
  const char* separator = "";
  walk.forEach([&](const GridCell<N>& cell) {
    absl::StrAppend(&piece, separator, "{\"cell\":");
    separator = ",";
    appendIndices(piece, cell.cell);
    appendMember(piece, "t", cell.t.toDouble());
    appendFace(piece, cell.face);
    piece += '}';
    if (piece.size() < kTextPieceBytes) return Visit::kContinue;
    status = write(piece);
    piece.clear();
    return status.ok() ? Visit::kContinue : Visit::kStop;
  });
  if (!status.ok()) return status;
  piece += "]}\n";
  return write(piece);
}

}  // namespace

std::string shotAnswer(const World& world, const QueryId& id, const ShotQuery& query,
                       const ShotResult& result, TypeNamer name) {
  std::string out = absl::StrCat(beginAnswer(id), ",\"hits\":[");
  const char* separator = "";
  for (const Hit& hit : result.hits) {
    out += separator;
    separator = ",";
    appendHit(out, hit, name);
    if (query.spans) appendSpans(out, world, query, result.segment, hit);
  }
  out += ']';
  appendFlag(out, "terminated", result.terminated);
  if (query.options.max_hits != QueryOptions().max_hits)
    appendFlag(out, "truncated", result.truncated);
  if (query.rules != nullptr && result.budgets.has_value()) {
    absl::StrAppend(&out, ",\"budgets\":", budgetsJson(*query.rules, *result.budgets));
    appendTime(out, "stopped_at", result.stopped_at);
  }
  if (asksForUnknown(query)) appendTime(out, "unknown_from", result.unknown_from);
  if (query.options.report_level_spans) appendLevelSpans(out, result.level_spans);
  if (std::holds_alternative<Ray>(query.line)) appendLine(out, result.segment);
  out += "}\n";
  return out;
}

std::string closestAnswer(const QueryId& id, const ShotQuery& query, const ClosestHit& closest,
                          TypeNamer name) {
  std::string out = absl::StrCat(beginAnswer(id), ",\"hit\":");
  if (closest.hit.has_value()) {
    appendHit(out, *closest.hit, name);
  } else {
    out += "null";
  }
  if (asksForUnknown(query)) appendTime(out, "unknown_from", closest.unknown_from);
  if (std::holds_alternative<Ray>(query.line)) appendLine(out, closest.segment);
  out += "}\n";
  return out;
}

std::string_view occlusionName(Occlusion occlusion) {
  static constexpr std::array<std::string_view, 3> kNames = {"clear", "blocked", "unknown"};
  return kNames[static_cast<std::size_t>(occlusion)];
}

std::string occlusionAnswer(const QueryId& id, Occlusion occlusion) {
  return absl::StrCat(beginAnswer(id), R"(,"occlusion":")", std::string(occlusionName(occlusion)),
                      "\"}\n");
}

std::string sightAnswer(const QueryId& id, const ViewQuery& query, const SightAnswer& answer) {
  std::string out =
      absl::StrCat(beginAnswer(id), R"(,"sight":")", std::string(wordOf(answer.sight)), "\"");
  if (answer.witness.has_value()) appendWitness(out, *answer.witness);
  if (query.options.report_certificate && answer.sight == Sight::kHidden)
    appendBoxes(out, "certificate", answer.certificate);
  out += "}\n";
  return out;
}

std::string exposureAnswer(const QueryId& id, const ExposureAnswer& answer) {
  std::string out = beginAnswer(id);
  appendMember(out, "from", answer.from);
  appendMember(out, "to", answer.to);
  out += "}\n";
  return out;
}

std::string blastAnswer(const QueryId& id, const Blast& blast, TypeNamer name) {
  std::string out = absl::StrCat(beginAnswer(id), ",\"blocks\":");
  appendArray(out, blast.blocks, [&](const BrokenBlock& broken) {
    absl::StrAppend(&out, "{\"level\":", broken.level, ",\"block\":");
    appendIndices(out, broken.block);
    out += ",\"type\":";
    appendJsonString(out, name(broken.type));
    absl::StrAppend(&out, ",\"ray\":", broken.ray, ",\"steps\":", broken.steps,
                    ",\"power\":", broken.power, "}");
  });
  out += ",\"entities\":";
  appendArray(out, blast.entities, [&](const ExposedEntity& exposed) {
    absl::StrAppend(&out, "{\"entity\":", exposed.id);
    appendMember(out, "distance", exposed.distance);
    appendMember(out, "from", exposed.from);
    appendMember(out, "to", exposed.to);
    out += '}';
  });
  absl::StrAppend(&out, ",\"samples\":", blast.samples);
  appendFlag(out, "reaches_unknown", blast.reaches_unknown);
  out += "}\n";
  return out;
}

std::string entityChunksAnswer(const QueryId& id, int index_level,
                               std::span<const ChunkCoord> chunks) {
  std::string out =
      absl::StrCat(beginAnswer(id), ",\"index_level\":", index_level, ",\"chunks\":[");
  const char* separator = "";
  for (const ChunkCoord& chunk : chunks) {
    out += separator;
    separator = ",";
    appendIndices(out, chunk);
  }
  out += "]}\n";
  return out;
}

std::string moveAnswer(const QueryId& id, const WindowMove& move) {
  std::string out =
      absl::StrCat(beginAnswer(id), R"(,"anchor":")", move.anchor.text(), R"(","evicted":[)");
  const char* separator = "";
  for (const EntityId evicted : move.evicted) {
    absl::StrAppend(&out, separator, evicted);
    separator = ",";
  }
  absl::StrAppend(&out, R"(],"dropped_chunks":)", move.dropped_chunks, "}\n");
  return out;
}

std::string pathAnswer(const QueryId& id, const ChunkPath& path) {
  return absl::StrCat(beginAnswer(id), R"(,"path":")", path.text(), "\"}\n");
}

std::string editAnswer(const QueryId& id) {
  return absl::StrCat(beginAnswer(id), "}\n");
}

std::string errorAnswer(const QueryId& id, const absl::Status& error) {
  std::string out = absl::StrCat(beginAnswer(id), ",\"error\":");
  const std::string text =
      absl::StrCat(absl::StatusCodeToString(error.code()), ": ", error.message());
  appendJsonString(out, printable(text, kMaxMessageBytes));
  out += "}\n";
  return out;
}

absl::Status writeWalkAnswer(const QueryId& id, const WalkQuery& query, AnswerSink write,
                             const InputLimits& limits) {
  const absl::StatusOr<AnyWalk> walk = makeWalk(query, limits);
  if (!walk.ok()) return write(errorAnswer(id, walk.status()));
  return std::visit([&](const auto& cells) { return writeCells(id, cells, write); }, *walk);
}

}  // namespace fractalray
