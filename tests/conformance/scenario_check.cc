// SPDX-License-Identifier: Apache-2.0
#include "scenario_check.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/json_document.h"
#include "../../formats/scenario.h"
#include "../oracle/witness_oracle.h"
#include "answers.h"

namespace fractalray::testing {
namespace {

// Returns an integer, which is text if it has more than 64 bits.
oracle::Integer integerOf(const Json& value) {
  return oracle::Integer(value.is_string() ? value.get<std::string>() : value.dump());
}

// Appends the box entities of the levels that the options accept.
void addEntities(const Scenario& scenario, const ViewQuery& query, const SightOptions& options,
                 std::vector<oracle::Occluder>& occluders) {
  for (const EntityHandle handle : scenario.entities.all()) {
    const Entity& entity = *scenario.entities.find(handle);
    const auto& ignore = query.ignore;
    const bool is_ignored = std::find(ignore.begin(), ignore.end(), entity.id) != ignore.end();
    const bool is_box = entity.shape.kind == FixedShape::Kind::kBox;
    if (!is_box || is_ignored || !query.levels.contains(entity.level)) continue;
    if ((entity.categories & options.filter.categories) == 0) continue;
    const Vec3i& half = entity.shape.half_extents;
    occluders.push_back({{entity.position - half, entity.position + half}});
  }
}

std::vector<oracle::Occluder> occludersOf(const Scenario& scenario, const ViewQuery& query,
                                          const PreparedView& view) {
  std::vector<oracle::Occluder> occluders;
  if (view.options.filter.blocks) {
    occluders = oracle::solidBlocks(scenario.world, query.levels, view.options.filter.channel);
  }
  if (view.options.boxes_block) addEntities(scenario, query, view.options, occluders);
  for (const FixedBox& box : view.occluders)
    occluders.push_back({{box.min, box.max}});
  return occluders;
}

// Returns why the witness of an answer, a line of JSON, is wrong, or that a visible box has none;
// nullopt if it is right, or if the answer is none of visibility. Requires: the scenario's world is
// as the query saw it.
std::optional<std::string> faultOfWitness(const Scenario& scenario, const ScenarioQuery& query,
                                          std::string_view answer) {
  const auto* const asked = std::get_if<ViewQuery>(&query.ask);
  if (asked == nullptr || asked->kind != ViewQuery::Kind::kVisible) return std::nullopt;
  const Json json = Json::parse(answer);
  if (json.value("sight", "") != "visible") return std::nullopt;
  const std::string name = absl::StrCat("query ", query.id.json(), ": the witness");
  if (!json.contains("witness")) return name + " is missing";
  const absl::StatusOr<PreparedView> view = prepareView(*asked, scenario.world.blockTypes());
  if (!view.ok()) return absl::StrCat(name, " of an error");
  const std::vector<oracle::Occluder> occluders = occludersOf(scenario, *asked, *view);
  oracle::WitnessCase witness{
      .world = scenario.world,
      .levels = asked->levels,
      .occluders = occluders,
      .eye = view->query.eye,
      .box = {view->query.box.min, view->query.box.max},
      .through = view->options.through,
      .skip_start_inside = view->options.filter.skip_start_inside,
      .passes_unloaded = view->options.unloaded == UnloadedSpace::kTransparent,
      .unit = json["witness"]["unit"].get<bool>()};
  for (std::size_t axis = 0; axis < 3; ++axis)
    witness.delta[axis] = integerOf(json["witness"]["delta"][axis]);
  const std::optional<std::string> fault = oracle::faultOfWitness(witness);
  if (!fault.has_value()) return std::nullopt;
  return absl::StrCat(name, ": ", *fault, ", got ", json["witness"].dump());
}

}  // namespace

std::vector<std::string> differences(std::string_view text, std::string_view expected_lines,
                                     std::string_view name) {
  absl::StatusOr<Scenario> scenario = parseScenario(text, name);
  if (!scenario.ok()) return {scenario.status().ToString()};
  std::string output;
  std::vector<std::string> faults;
  std::size_t answered = 0;
  const absl::Status status = answerScenario(*scenario, [&](std::string_view piece) {
    output += piece;
    // The answer of a query of sight is one piece.
    const ScenarioQuery& query = scenario->queries[answered];
    if (const auto fault = faultOfWitness(*scenario, query, piece)) faults.push_back(*fault);
    answered += piece.ends_with('\n') ? 1U : 0U;
    return absl::OkStatus();
  });
  if (!status.ok()) return {status.ToString()};
  std::vector<std::string> found = differencesOfAnswers(output, expected_lines);
  found.insert(found.end(), faults.begin(), faults.end());
  return found;
}

}  // namespace fractalray::testing
