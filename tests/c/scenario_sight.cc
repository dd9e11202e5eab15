// SPDX-License-Identifier: Apache-2.0
// Answers the queries of sight of a scenario.
#include <sstream>

#include "absl/numeric/int128.h"

#include "../../bindings/c/internal/c_fields.h"
#include "scenario_json.h"
#include "scenario_player.h"
#include "scenario_values.h"

namespace fractalray::testing {
namespace {

void copyPoint(const Json& from, std::int64_t* to) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    to[axis] = from[axis].get<std::int64_t>();
}

frFixedBox boxInUnits(const Json& box) {
  frFixedBox made{};
  copyPoint(box[0], made.min);
  copyPoint(box[1], made.max);
  return made;
}

// Makes a query of an eye and a box in blocks, or of those in units that a query has instead.
frResult makeQuery(const Json& query, frSightQuery& made) {
  const std::vector<double> zeros(3);
  const bool has_eye = query.contains("eye");
  const bool has_box = query.contains("box");
  const frResult result =
      frMakeSightQuery(has_eye ? numbers<double>(query["eye"]).data() : zeros.data(),
                       has_box ? numbers<double>(query["box"][0]).data() : zeros.data(),
                       has_box ? numbers<double>(query["box"][1]).data() : zeros.data(), &made);
  if (!has_eye) copyPoint(query["eye_units"], made.eye);
  if (!has_box) made.box = boxInUnits(query["box_units"]);
  return result;
}

std::int32_t unloadedFrom(const Json& query) {
  const std::string name = query.value("unloaded", "report");
  if (name == "report") return FR_UNLOADED_REPORT;
  if (name == "transparent") return FR_UNLOADED_TRANSPARENT;
  return name == "opaque" ? FR_UNLOADED_OPAQUE : -1;
}

Json componentJson(std::int64_t low, std::int64_t high, bool is_wide) {
  if (!is_wide || high == (low < 0 ? -1 : 0)) return low;
  std::ostringstream digits;
  digits << absl::MakeInt128(high, static_cast<std::uint64_t>(low));
  return digits.str();
}

}  // namespace

frSightOptions ScenarioPlayer::sightOptionsOf(const Json& query, SightInput& input) const {
  frSightOptions options = sized<frSightOptions>();
  if (frWorld_FindChannel(world_, query.value("channel", "default").c_str(), &options.channel) !=
      FR_OK) {
    options.channel = 0;
  }
  options.unloaded = unloadedFrom(query);
  input.ignore = numbers<std::uint64_t>(query.value("ignore", Json::array()));
  options.ignore = input.ignore.data();
  options.ignore_count = input.ignore.size();
  for (const Json& box : query.value("occluders", Json::array())) {
    frSightQuery corners{};
    require(frMakeSightQuery(numbers<double>(box[0]).data(), numbers<double>(box[0]).data(),
                             numbers<double>(box[1]).data(), &corners));
    input.occluders.push_back(corners.box);
  }
  for (const Json& box : query.value("occluder_units", Json::array()))
    input.occluders.push_back(boxInUnits(box));
  options.occluders = input.occluders.data();
  options.occluder_count = input.occluders.size();
  forEachField(PlainOptionReader{query}, options);
  // In C, 0 stands for all categories.
  if (query.contains("categories") && options.categories == 0) options.boxes_block = 0;
  return options;
}

frResult ScenarioPlayer::visible(const Json& query, Json& json) const {
  frSightQuery asked{};
  const frResult made = makeQuery(query, asked);
  if (made != FR_OK) return made;
  SightInput input;
  const frSightOptions options = sightOptionsOf(query, input);
  const frLevelMask levels = levelsFrom(query["levels"]);
  frSightAnswer answer = sized<frSightAnswer>();
  std::int32_t sight = -1;
  const frResult result = frWorld_Visible(world_, &asked, levels, &options, &sight, &answer);
  if (result != FR_OK) return result;
  constexpr const char* kNames[] = {"hidden", "unknown", "visible"};
  json["sight"] = kNames[sight];
  if (sight == FR_SIGHT_VISIBLE) {
    Json delta = Json::array();
    for (int axis = 0; axis < 3; ++axis)
      delta.push_back(
          componentJson(answer.delta[axis], answer.delta_high[axis], answer.is_wide != 0));
    json["witness"] = {{"delta", delta}, {"unit", answer.is_unit != 0}};
  }
  if (!query.value("certificate", false) || sight != FR_SIGHT_HIDDEN) return FR_OK;
  std::vector<frFixedBox> boxes(1000);
  std::size_t count = 0;
  require(frWorld_FindCertificate(world_, &asked, levels, &options, boxes.data(), boxes.size(),
                                  &count));
  json["certificate"] = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    json["certificate"].push_back({indexJson(boxes[i].min), indexJson(boxes[i].max)});
  return FR_OK;
}

frResult ScenarioPlayer::exposure(const Json& query, Json& json) const {
  frSightQuery asked{};
  const frResult made = makeQuery(query, asked);
  if (made != FR_OK) return made;
  SightInput input;
  const frSightOptions options = sightOptionsOf(query, input);
  double from = -1;
  double to = -1;
  const frResult result =
      frWorld_Exposure(world_, &asked, levelsFrom(query["levels"]), &options, &from, &to, nullptr);
  if (result != FR_OK) return result;
  json["from"] = from;
  json["to"] = to;
  return FR_OK;
}

}  // namespace fractalray::testing
