// SPDX-License-Identifier: Apache-2.0
// Sets up the world of a scenario.
#include <algorithm>

#include "../../bindings/c/internal/c_fields.h"
#include "scenario_player.h"
#include "scenario_values.h"

namespace fractalray::testing {
namespace {

// Reads the costs and flags of a rule by their names.
struct CostReader {
  const Json& rule;

  void operator()(const FieldName& field, double& cost) const {
    cost = rule.value(std::string(field.name), 0.0);
  }
  void operator()(const FieldName& field, std::uint8_t& flag) const {
    if (field.name != "budget" && rule.value(std::string(field.name), false)) flag = 1;
  }
  template <class Member>
  void operator()(const FieldName& /*field*/, Member& /*member*/) const {}
};

int32_t respondBy(void* response, const frHit* /*hit*/) {
  return *static_cast<std::int32_t*>(response);
}

std::int32_t stop_response = FR_STOP;
std::int32_t again_response = FR_AGAIN;

std::size_t indexOf(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::size_t>(x + 16 * y + 256 * z);
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
    responses_[name] = returned;
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

frShape ScenarioPlayer::addShape(const Json& look, frShape usual) {
  if (!look.is_object()) return usual;
  if (!look.contains("boxes")) return 0;
  std::vector<double> numbers;
  for (const Json& box : look["boxes"]) {
    for (const Json& corner : box) {
      for (const Json& coordinate : corner)
        numbers.push_back(coordinate.get<double>());
    }
  }
  frShape shape = 0;
  require(frWorld_AddShape(world_, numbers.data(), look["boxes"].size(), &shape));
  return shape;
}

// The world has an "air" of its own: a file's that is not empty gets another name.
void ScenarioPlayer::addType(const std::string& name, const Json& kinds, const Json& all) {
  frBlockTypeDef def = sized<frBlockTypeDef>();
  std::vector<frChannel> channels;
  std::vector<std::int32_t> channel_kinds;
  std::vector<frShape> channel_shapes;
  const bool is_look = !kinds.is_object() || !kinds.contains("default");
  const Json by_channel = is_look ? Json{{"default", kinds}} : kinds;
  def.kind = kindOf(by_channel["default"]);
  def.shape = addShape(by_channel["default"], 0);
  for (const auto& [channel, look] : by_channel.items()) {
    if (channel == "default") continue;
    require(frWorld_AddChannel(world_, channel.c_str(), &channels.emplace_back()));
    channel_kinds.push_back(kindOf(look));
    channel_shapes.push_back(addShape(look, def.shape));
  }
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
  def.channel_shapes = channel_shapes.data();
  def.channel_count = channels.size();
  require(frWorld_AddBlockType(world_, &def, &types_[name]));
  type_names_.push_back(name);
}

void ScenarioPlayer::addRules(const std::string& name, const Json& rules) {
  Rules& made = rules_[name];
  require(frCreateRules(&made.rules));
  const Json budgets = rules.value("budgets", Json::object());
  for (const auto& [budget, amount] : budgets.items()) {
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
  forEachField(CostReader{rule}, converted);
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

}  // namespace fractalray::testing
