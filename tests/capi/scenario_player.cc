// SPDX-License-Identifier: Apache-2.0
#include "scenario_player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../../formats/input_limits.h"
#include "scenario_json.h"

namespace fractalray::testing {
namespace {

template <class T>
T sized() {
  T made{};
  made.struct_size = sizeof(T);
  return made;
}

void require(frResult result) {
  EXPECT_EQ(result, FR_OK) << frGetLastError();
}

std::int32_t kindFrom(const std::string& name) {
  if (name == "solid") return FR_SOLID;
  return name == "permeable" ? FR_PERMEABLE : FR_EMPTY;
}

std::int32_t responseFrom(const std::string& name) {
  if (name == "stop") return FR_STOP;
  return name == "again" ? FR_AGAIN : FR_CONTINUE;
}

std::int32_t cornerFrom(const Json& query) {
  const std::string name = query.value("corner", "both");
  if (name == "both") return FR_CORNER_BOTH;
  return name == "neither" ? FR_CORNER_NEITHER : FR_CORNER_STAIRCASE;
}

template <class T>
std::vector<T> numbers(const Json& array) {
  std::vector<T> values;
  for (const Json& each : array)
    values.push_back(each.get<T>());
  return values;
}

frLevelMask levelsFrom(const Json& levels) {
  frLevelMask mask = 0;
  for (const std::int64_t level : numbers<std::int64_t>(levels))
    mask |= level < FR_MAX_LEVELS ? 1U << level : 0U;
  return mask;
}

int32_t respondBy(void* response, const frHit* /*hit*/) {
  return *static_cast<std::int32_t*>(response);
}

std::int32_t stop_response = FR_STOP;
std::int32_t again_response = FR_AGAIN;

std::size_t indexOf(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::size_t>(x + 16 * y + 256 * z);
}

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

ScenarioPlayer::ScenarioPlayer(const Json& scenario) {
  frWorldDef def = sized<frWorldDef>();
  def.version = FR_VERSION;
  def.levels = scenario["levels"].get<std::int32_t>();
  const std::string anchor = scenario.value("anchor", "");
  def.anchor = anchor.c_str();
  require(frCreateWorld(&def, &world_));
  const Json types = scenario.value("block_types", Json::object());
  for (const auto& [name, kinds] : types.items())
    addType(name, kinds, types);
  const Json responses = scenario.value("responses", Json::object());
  for (const auto& [name, response] : responses.items()) {
    const std::int32_t returned = responseFrom(response.get<std::string>());
    if (returned == FR_CONTINUE) continue;
    require(frWorld_OnBlockHit(world_, types_.at(name), nullptr, respondBy,
                               returned == FR_STOP ? &stop_response : &again_response));
  }
  require(frWorld_OnEntityHit(world_, FR_STOP, nullptr, respondBy, &stop_response));
  require(frWorld_OnEntityHit(world_, FR_AGAIN, nullptr, respondBy, &again_response));
  const Json rules = scenario.value("rules", Json::object());
  for (const auto& [name, each] : rules.items())
    addRules(name, each);
  for (const Json& chunk : scenario.value("chunks", Json::array()))
    require(loadChunk(chunk));
  for (const Json& entity : scenario.value("entities", Json::array()))
    require(addEntity(entity));
}

ScenarioPlayer::~ScenarioPlayer() {
  for (const auto& [name, each] : rules_)
    require(frDestroyRules(each.rules));
  require(frDestroyWorld(world_));
}

// The world has an "air" of its own: a file's that is not empty gets another name.
void ScenarioPlayer::addType(const std::string& name, const Json& kinds, const Json& all) {
  frBlockTypeDef def = sized<frBlockTypeDef>();
  std::vector<frChannel> channels;
  std::vector<std::int32_t> channel_kinds;
  const Json by_channel = kinds.is_object() ? kinds : Json{{"default", kinds}};
  for (const auto& [channel, kind] : by_channel.items()) {
    if (channel == "default") continue;
    require(frWorld_AddChannel(world_, channel.c_str(), &channels.emplace_back()));
    channel_kinds.push_back(kindFrom(kind.get<std::string>()));
  }
  def.kind = kindFrom(by_channel["default"].get<std::string>());
  const bool is_empty =
      def.kind == FR_EMPTY && std::all_of(channel_kinds.begin(), channel_kinds.end(),
                                          [](int kind) { return kind == FR_EMPTY; });
  if (name == "air" && is_empty) {
    types_[name] = FR_AIR;
    return;
  }
  std::string unique = name;
  while (unique == "air" || (unique != name && all.contains(unique)))
    unique += '\'';
  def.name = unique.c_str();
  def.channels = channels.data();
  def.channel_kinds = channel_kinds.data();
  def.channel_count = channels.size();
  require(frWorld_AddBlockType(world_, &def, &types_[name]));
  type_names_.push_back(name);
}

void ScenarioPlayer::addRules(const std::string& name, const Json& rules) {
  Rules& made = rules_[name];
  require(frCreateRules(&made.rules));
  for (const auto& [budget, amount] : rules.value("budgets", Json::object()).items()) {
    std::uint8_t number = 0;
    require(frRules_AddBudget(made.rules, amount.get<double>(), &number));
    made.budgets.push_back(budget);
    made.amounts.push_back(amount.get<double>());
  }
  for (const Json& rule : rules.value("blocks", Json::array())) {
    const frRule converted = ruleFrom(rule, made);
    require(frRules_SetBlock(made.rules, types_.at(rule["type"].get<std::string>()), &converted,
                             rule.contains("levels") ? levelsFrom(rule["levels"]) : FR_ALL_LEVELS));
  }
  for (const Json& rule : rules.value("entities", Json::array())) {
    const frRule converted = ruleFrom(rule, made);
    require(
        frRules_SetEntities(made.rules, rule["categories"].get<std::uint64_t>(), &converted,
                            rule.contains("levels") ? levelsFrom(rule["levels"]) : FR_ALL_LEVELS));
  }
}

frRule ScenarioPlayer::ruleFrom(const Json& rule, const Rules& rules) const {
  frRule converted{};
  if (!rule.contains("budget")) {
    converted.kind = rule["response"] == "stop" ? FR_RULE_STOP : FR_RULE_CONTINUE;
    return converted;
  }
  const auto budget =
      std::find(rules.budgets.begin(), rules.budgets.end(), rule["budget"].get<std::string>());
  converted.kind = FR_RULE_COST;
  converted.budget = static_cast<std::uint8_t>(budget - rules.budgets.begin());
  converted.per_hit = rule.value("per_hit", 0.0);
  converted.per_block = rule.value("per_block", 0.0);
  converted.touch_costs = rule.value("touch_costs", false) ? 1 : 0;
  converted.per_pane = rule.value("per_pane", false) ? 1 : 0;
  return converted;
}

std::vector<frBlockType> ScenarioPlayer::blocksOf(const Json& chunk) const {
  const auto type = [&](const Json& name) { return types_.at(name.get<std::string>()); };
  const frBlockType air = types_.count("air") != 0 ? types_.at("air") : FR_AIR;
  std::vector<frBlockType> blocks(4096, chunk.contains("fill") ? type(chunk["fill"]) : air);
  for (const Json& box : chunk.value("boxes", Json::array())) {
    const auto min = numbers<std::int64_t>(box[0]);
    const auto max = numbers<std::int64_t>(box[1]);
    for (std::int64_t z = min[2]; z <= max[2]; ++z) {
      for (std::int64_t y = min[1]; y <= max[1]; ++y) {
        for (std::int64_t x = min[0]; x <= max[0]; ++x)
          blocks[indexOf(x, y, z)] = type(box[2]);
      }
    }
  }
  for (const Json& single : chunk.value("blocks", Json::array())) {
    const auto at = numbers<std::int64_t>(single[0]);
    blocks[indexOf(at[0], at[1], at[2])] = type(single[1]);
  }
  return blocks;
}

frResult ScenarioPlayer::loadChunk(const Json& chunk) {
  const auto level = chunk["level"].get<std::int32_t>();
  const auto at = numbers<std::int64_t>(chunk["at"]);
  if (chunk.value("state", "loaded") == "proto") {
    frChunkInfo info{};
    const frResult found = frWorld_GetChunk(world_, level, at.data(), &info);
    if (found == FR_OK && info.state == FR_LOADED) {
      require(frWorld_UnloadChunk(world_, level, at.data()));
    }
    return frWorld_LoadProtoChunk(world_, level, at.data());
  }
  std::vector<frBlockType> blocks = blocksOf(chunk);
  frChunkDef def = sized<frChunkDef>();
  std::copy(at.begin(), at.end(), def.chunk);
  def.source = FR_CHUNK_COPY;
  def.ids = blocks.data();
  return frWorld_LoadChunks(world_, level, &def, 1);
}

frResult ScenarioPlayer::addEntity(const Json& entity) {
  frEntityDef def = sized<frEntityDef>();
  def.id = entity["id"].get<std::uint64_t>();
  def.level = entity["level"].get<std::int32_t>();
  const auto center = numbers<double>(entity["center"]);
  std::copy(center.begin(), center.end(), def.position);
  if (entity["shape"] == "sphere") {
    def.half_extents[0] = entity["radius"].get<double>();
  } else {
    def.shape = FR_BOX;
    const auto extents = numbers<double>(entity["half_extents"]);
    std::copy(extents.begin(), extents.end(), def.half_extents);
  }
  def.categories = entity.value("categories", std::uint64_t{1});
  def.entity_class = static_cast<std::uint32_t>(responseFrom(entity.value("response", "continue")));
  frEntity added = 0;
  const frResult result = frWorld_AddEntities(world_, &def, 1, &added);
  if (result != FR_OK || def.categories != 0) return result;
  return frWorld_UpdateEntities(world_, &added, &def, FR_SET_CATEGORIES, 1);
}

frQueryOptions ScenarioPlayer::optionsOf(const Json& query, ShotInput& input) const {
  frQueryOptions options = sized<frQueryOptions>();
  options.corner = cornerFrom(query);
  if (frWorld_FindChannel(world_, query.value("channel", "default").c_str(), &options.channel) !=
      FR_OK) {
    options.channel = 0;
  }
  if (query.contains("categories")) {
    options.categories = query["categories"].get<std::uint64_t>();
    options.no_entities = options.categories == 0 ? 1 : 0;
  }
  input.ignore = numbers<std::uint64_t>(query.value("ignore", Json::array()));
  options.ignore = input.ignore.data();
  options.ignore_count = input.ignore.size();
  options.skip_start_inside = query.value("skip_start_inside", false) ? 1 : 0;
  options.stop_at_unknown = query.value("stop_at_unknown", false) ? 1 : 0;
  options.report_unknown = query.value("unknown", false) ? 1 : 0;
  options.max_hits = query.value("max_hits", std::uint64_t{0});
  if (!query.contains("rules")) return options;
  input.rules = &rules_.at(query["rules"].get<std::string>());
  options.rules = input.rules->rules;
  if (!query.contains("budgets")) return options;
  for (std::size_t i = 0; i < input.rules->budgets.size(); ++i)
    input.budgets[i] = query["budgets"].value(input.rules->budgets[i], input.rules->amounts[i]);
  options.budgets = input.budgets;
  return options;
}

frResult ScenarioPlayer::shoot(const Json& query, Json& json) const {
  frLine line{};
  const frResult made = makeLine(query, line);
  if (made != FR_OK) return made;
  ShotInput input;
  const frQueryOptions options = optionsOf(query, input);
  frQueryResult shot = sized<frQueryResult>();
  std::vector<frHit> hits(2000);
  const frLevelMask levels = levelsFrom(query["levels"]);
  const frResult result =
      frWorld_Shoot(world_, &line, levels, &options, hits.data(), hits.size(), &shot);
  if (result != FR_OK) return result;
  json["hits"] = Json::array();
  for (std::size_t i = 0; i < shot.hit_count; ++i)
    json["hits"].push_back(hitJson(hits[i], type_names_[hits[i].type]));
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
