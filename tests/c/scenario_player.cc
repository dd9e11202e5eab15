// SPDX-License-Identifier: Apache-2.0
// Answers the queries of a scenario.
#include "scenario_player.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "../../bindings/c/internal/c_fields.h"
#include "../../formats/input_limits.h"
#include "scenario_json.h"
#include "scenario_values.h"

namespace fractalray::testing {
namespace {

frResult makeLine(const Json& query, frLine& line) {
  if (!query.contains("origin")) {
    return frMakeSegment(numbers<double>(query["from"]).data(), numbers<double>(query["to"]).data(),
                         &line);
  }
  const Json& distance = query["max_distance"];
  std::vector<double> bounds;
  if (query.contains("bounds")) {
    bounds = numbers<double>(query["bounds"][0]);
    for (const double each : numbers<double>(query["bounds"][1]))
      bounds.push_back(each);
  }
  return frMakeRay(
      numbers<double>(query["origin"]).data(), numbers<double>(query["direction"]).data(),
      distance.is_null() ? std::numeric_limits<double>::infinity() : distance.get<double>(),
      bounds.empty() ? nullptr : bounds.data(), &line);
}

}  // namespace

frQueryOptions ScenarioPlayer::optionsOf(const Json& query, ShotInput& input) const {
  frQueryOptions options = sized<frQueryOptions>();
  options.corner = cornerFrom(query);
  if (frWorld_FindChannel(world_, query.value("channel", "default").c_str(), &options.channel) !=
      FR_OK) {
    options.channel = 0;
  }
  input.ignore = numbers<std::uint64_t>(query.value("ignore", Json::array()));
  options.ignore = input.ignore.data();
  options.ignore_count = input.ignore.size();
  forEachField(PlainOptionReader{query}, options);
  // In C, 0 stands for all categories.
  if (query.contains("categories") && options.categories == 0) options.no_entities = 1;
  if (!query.contains("rules")) return options;
  input.rules = &rules_.at(query["rules"].get<std::string>());
  options.rules = input.rules->rules;
  if (!query.contains("budgets")) return options;
  for (std::size_t i = 0; i < input.rules->budgets.size(); ++i)
    input.budgets[i] = query["budgets"].value(input.rules->budgets[i], input.rules->amounts[i]);
  options.budgets = input.budgets;
  return options;
}

Json ScenarioPlayer::spansJson(const frLine& line, const frQueryOptions& options,
                               const frHit& hit) const {
  std::vector<double> times(512);
  std::size_t count = 0;
  require(
      frWorld_GetHitSpans(world_, &line, &options, &hit, times.data(), times.size() / 2, &count));
  Json spans = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    spans.push_back({times[2 * i], times[2 * i + 1]});
  return spans;
}

std::int32_t ScenarioPlayer::responseTo(const frHit& hit) const {
  if (hit.kind != FR_HIT_BLOCK) return static_cast<std::int32_t>(hit.entity_class);
  const auto found = responses_.find(type_names_[hit.type]);
  return found == responses_.end() ? FR_CONTINUE : found->second;
}

frResult ScenarioPlayer::findHits(const frLine& line, frLevelMask levels,
                                  const frQueryOptions& options, std::vector<frHit>& hits,
                                  frQueryResult& shot) const {
  hits.resize(2000);
  const frResult result =
      frWorld_Shoot(world_, &line, levels, &options, hits.data(), hits.size(), &shot);
  hits.resize(std::min(hits.size(), static_cast<std::size_t>(shot.hit_count)));
  return result;
}

frResult ScenarioPlayer::shoot(const Json& query, Json& json) const {
  frLine line{};
  const frResult made = makeLine(query, line);
  if (made != FR_OK) return made;
  ShotInput input;
  const frQueryOptions options = optionsOf(query, input);
  frQueryResult shot = sized<frQueryResult>();
  std::vector<frHit> hits;
  const frLevelMask levels = levelsFrom(query["levels"]);
  const frResult result = findHits(line, levels, options, hits, shot);
  if (result != FR_OK) return result;
  json["hits"] = Json::array();
  for (const frHit& hit : hits)
    json["hits"].push_back(hitJson(hit, type_names_[hit.type]));
  if (query.value("spans", false)) {
    for (std::size_t i = 0; i < hits.size(); ++i)
      json["hits"][i]["spans"] = spansJson(line, options, hits[i]);
  }
  json["terminated"] = shot.terminated != 0;
  if (query.contains("max_hits")) json["truncated"] = shot.truncated != 0;
  if (input.rules != nullptr && shot.has_budgets != 0) {
    json["budgets"] = Json::object();
    for (std::size_t i = 0; i < input.rules->budgets.size(); ++i)
      json["budgets"][input.rules->budgets[i]] = shot.budgets[i];
    json["stopped_at"] = timeJson(shot.stopped_at);
  }
  if (options.report_unknown != 0 || options.stop_at_unknown != 0) {
    json["unknown_from"] = timeJson(shot.unknown_from);
  }
  if (query.value("level_parts", false)) {
    frLevelPart parts[FR_MAX_LEVELS];
    std::size_t count = 0;
    require(frWorld_GetLevelParts(world_, &line, levels, parts, FR_MAX_LEVELS, &count));
    json["level_parts"] = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
      json["level_parts"].push_back(
          {{"level", parts[i].level}, {"t0", parts[i].t0}, {"t1", parts[i].t1}});
    }
  }
  if (query.contains("origin")) json["line"] = lineJson(shot.line);
  return FR_OK;
}

frResult ScenarioPlayer::walk(const Json& query, Json& json) const {
  const int dimensions = query.value("dimensions", 3);
  const auto size = static_cast<std::size_t>(dimensions);
  std::vector<double> from = numbers<double>(query["from"]);
  std::vector<double> to = numbers<double>(query["to"]);
  from.resize(3);
  to.resize(3);
  frLine line{};
  const frResult made = frMakeSegment(from.data(), to.data(), &line);
  if (made != FR_OK) return made;
  std::int64_t widths[3] = {FR_UNITS_PER_BLOCK, FR_UNITS_PER_BLOCK, FR_UNITS_PER_BLOCK};
  const Json cell = query.value("cell", Json(1.0));
  for (std::size_t axis = 0; axis < size; ++axis) {
    const double width = cell.is_array() ? cell[axis].get<double>() : cell.get<double>();
    widths[axis] = std::llround(width * FR_UNITS_PER_BLOCK);
  }
  frWalk* cells = nullptr;
  const frResult result =
      frCreateWalk(dimensions, line.from, line.to, widths, cornerFrom(query), &cells);
  if (result != FR_OK) return result;
  std::uint64_t crossings = 0;
  require(frWalk_GetCrossings(cells, &crossings));
  if (crossings > InputLimits().cells) {
    require(frDestroyWalk(cells));
    return FR_RESOURCE_EXHAUSTED;
  }
  json["cells"] = Json::array();
  frWalkCell next{};
  for (std::size_t count = 1; count == 1;) {
    require(frWalk_Next(cells, &next, 1, &count));
    if (count == 1) json["cells"].push_back(cellJson(next, dimensions));
  }
  return frDestroyWalk(cells);
}

frResult ScenarioPlayer::entityChunks(const Json& query, Json& json) const {
  frEntity entity = 0;
  const frResult result = frWorld_FindEntity(world_, query["entity"].get<std::uint64_t>(), &entity);
  if (result != FR_OK) return result;
  frEntityInfo info{};
  std::int64_t chunks[81];
  std::size_t count = 0;
  require(frWorld_GetEntity(world_, entity, &info));
  require(frWorld_GetEntityChunks(world_, entity, chunks, 27, &count));
  json["index_level"] = info.index_level;
  json["chunks"] = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    json["chunks"].push_back(indexJson(chunks + 3 * i));
  return FR_OK;
}

frResult ScenarioPlayer::move(const Json& query, Json& json) {
  const std::string op = query["op"].get<std::string>();
  frWindowMove moved = sized<frWindowMove>();
  frResult result = FR_OK;
  if (op == "climb") {
    result = frWorld_Climb(world_, &moved, nullptr);
  } else {
    const auto chunk = numbers<std::int64_t>(query["chunk"]);
    result = op == "descend" ? frWorld_Descend(world_, chunk.data(), &moved, nullptr)
                             : frWorld_Recenter(world_, chunk.data(), &moved, nullptr);
  }
  if (result != FR_OK) return result;
  std::size_t length = 0;
  require(frWorld_GetAnchor(world_, nullptr, 0, &length));
  std::string anchor(length + 1, ' ');
  require(frWorld_GetAnchor(world_, anchor.data(), anchor.size(), &length));
  anchor.resize(length);
  std::vector<std::uint64_t> evicted(static_cast<std::size_t>(moved.evicted));
  std::size_t count = 0;
  require(frWorld_GetEvicted(world_, evicted.data(), evicted.size(), &count));
  json["anchor"] = anchor;
  json["evicted"] = evicted;
  json["dropped_chunks"] = moved.dropped_chunks;
  return FR_OK;
}

frResult ScenarioPlayer::path(const Json& query, Json& json) const {
  const auto chunk = numbers<std::int64_t>(query["chunk"]);
  std::vector<char> text(100000);
  const frResult result = frWorld_GetPath(world_, query["level"].get<std::int32_t>(), chunk.data(),
                                          text.data(), text.size(), nullptr);
  if (result == FR_OK) json["path"] = text.data();
  return result;
}

frResult ScenarioPlayer::run(const std::string& op, const Json& query, Json& json) {
  if (op == "shoot") return shoot(query, json);
  if (op == "walk") return walk(query, json);
  if (op == "visible") return visible(query, json);
  if (op == "exposure") return exposure(query, json);
  if (op == "blast") return blast(query, json);
  if (op == "entity_chunks") return entityChunks(query, json);
  if (op == "load") return loadChunk(query["chunk"]);
  if (op == "add") return addEntity(query["entity"]);
  return op == "path" ? path(query, json) : move(query, json);
}

Json ScenarioPlayer::answer(const Json& query) {
  Json json;
  json["id"] = query["id"];
  const frResult result = run(query["op"].get<std::string>(), query, json);
  if (result != FR_OK)
    json["error"] = std::string(frGetResultName(result)) + ": " + frGetLastError();
  return json;
}

}  // namespace fractalray::testing
