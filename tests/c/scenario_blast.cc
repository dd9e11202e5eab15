// SPDX-License-Identifier: Apache-2.0
// Answers the blasts of a scenario.
#include <algorithm>

#include "../../formats/input_limits.h"
#include "scenario_json.h"
#include "scenario_player.h"
#include "scenario_values.h"

namespace fractalray::testing {
namespace {

// Makes the rays of a fan, or of a list.
frResult makeRays(const Json& query, std::vector<frBlastRay>& rays) {
  if (query.is_object()) {
    std::size_t count = 0;
    const auto points = query["cube"].get<std::int32_t>();
    const auto power = query["power"].get<std::int64_t>();
    const auto step = query["step"].get<double>();
    const frResult result = frMakeCubeFan(points, step, power, nullptr, 0, &count);
    if (result != FR_OK) return result;
    rays.resize(count);
    return frMakeCubeFan(points, step, power, rays.data(), rays.size(), &count);
  }
  for (const Json& each : query) {
    const auto step = numbers<std::int64_t>(each["step"]);
    rays.push_back({{step[0], step[1], step[2]}, each["power"].get<std::int64_t>()});
  }
  return FR_OK;
}

Json brokenJson(const frBrokenBlock& broken, const std::string& type) {
  return {{"level", broken.level}, {"block", indexJson(broken.block)},
          {"type", type},          {"ray", broken.ray},
          {"steps", broken.steps}, {"power", broken.power}};
}

Json exposedJson(const frExposedEntity& exposed) {
  return {{"entity", exposed.id},
          {"distance", exposed.distance},
          {"from", exposed.from},
          {"to", exposed.to}};
}

}  // namespace

frResult ScenarioPlayer::blast(const Json& query, Json& json) const {
  std::vector<frBlastRay> rays;
  const frResult made = makeRays(query["rays"], rays);
  if (made != FR_OK) return made;
  std::vector<std::int64_t> resistances(type_names_.size(), INT64_MAX);
  for (const auto& [name, resistance] : query["resistances"].items())
    resistances[types_.at(name)] = resistance.get<std::int64_t>();
  frBlastQuery asked = sized<frBlastQuery>();
  for (std::size_t axis = 0; axis < 3; ++axis)
    asked.center[axis] = query["center"][axis].get<double>();
  asked.radius = query["radius"].get<double>();
  asked.rays = rays.data();
  asked.ray_count = rays.size();
  asked.resistances = resistances.data();
  asked.resistance_count = resistances.size();
  asked.falloff = query.value("falloff", std::int64_t{0});
  asked.max_samples = std::min(query.value("max_samples", UINT64_MAX), InputLimits().cells);
  ShotInput input;
  const frQueryOptions options = optionsOf(query, input);
  std::vector<frBrokenBlock> blocks(1000);
  std::vector<frExposedEntity> entities(100);
  frBlastResult result = sized<frBlastResult>();
  const frResult answered =
      frWorld_Blast(world_, &asked, levelsFrom(query["levels"]), &options, nullptr, blocks.data(),
                    blocks.size(), entities.data(), entities.size(), &result);
  if (answered != FR_OK) return answered;
  json["blocks"] = Json::array();
  for (std::size_t i = 0; i < result.block_count; ++i)
    json["blocks"].push_back(brokenJson(blocks[i], type_names_[blocks[i].type]));
  json["entities"] = Json::array();
  for (std::size_t i = 0; i < result.entity_count; ++i)
    json["entities"].push_back(exposedJson(entities[i]));
  json["samples"] = result.samples;
  json["reaches_unknown"] = result.reaches_unknown != 0;
  return FR_OK;
}

}  // namespace fractalray::testing
