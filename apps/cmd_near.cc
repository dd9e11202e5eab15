// SPDX-License-Identifier: Apache-2.0
// `fractalray near`: the entities of a scenario around a place.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../formats/json.h"
#include "../formats/scenario.h"
#include "../query/entity_search.h"
#include "arguments.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "limit_option.h"
#include "output.h"
#include "text_table.h"

namespace fractalray {
namespace {

struct NearArguments {
  std::string file;
  std::string at;
  std::string min;
  std::string max;
  std::optional<std::size_t> count;
  std::optional<double> radius;
  std::string levels = "0-9";
  std::uint64_t categories = std::numeric_limits<std::uint64_t>::max();
  std::vector<EntityId> ignore;
  InputLimits limits;
  bool stats = false;
  bool json = false;
};

struct NearAnswer {
  std::vector<FoundEntity> found;
  SearchStats stats;
};

absl::Status searchBox(const EntityIndex& index, const NearArguments& arguments, LevelMask levels,
                       const QueryFilter& filter, NearAnswer& answer) {
  const absl::StatusOr<Vec3d> min = parsePoint(arguments.min, "--min");
  if (!min.ok()) return min.status();
  const absl::StatusOr<Vec3d> max = parsePoint(arguments.max, "--max");
  if (!max.ok()) return max.status();
  return entitiesInBox(index, *min, *max, levels, filter, answer.found, &answer.stats);
}

// All within the radius, or the nearest ones where a count is given or nothing is.
absl::Status searchAround(const EntityIndex& index, const NearArguments& arguments,
                          LevelMask levels, const QueryFilter& filter, NearAnswer& answer) {
  const absl::StatusOr<Vec3d> at = parsePoint(arguments.at, "--at");
  if (!at.ok()) return at.status();
  const double radius = arguments.radius.value_or(std::numeric_limits<double>::infinity());
  if (arguments.radius.has_value() && !arguments.count.has_value()) {
    return entitiesInSphere(index, *at, radius, levels, filter, answer.found, &answer.stats);
  }
  return nearestEntities(index, *at, arguments.count.value_or(1), radius, levels, filter,
                         answer.found, &answer.stats);
}

absl::Status search(const EntityIndex& index, const NearArguments& arguments, NearAnswer& answer) {
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  const QueryFilter filter{.categories = arguments.categories, .ignore = arguments.ignore};
  if (!arguments.at.empty()) return searchAround(index, arguments, *levels, filter, answer);
  if (arguments.min.empty()) {
    return absl::InvalidArgumentError(
        "nowhere to look; give --at for a point or a sphere, --min and --max for a box");
  }
  return searchBox(index, arguments, *levels, filter, answer);
}

std::string shapeText(const FixedShape& shape) {
  if (shape.kind == FixedShape::Kind::kSphere) {
    return absl::StrCat("sphere of radius ", formatNumber(blocksFromUnits(shape.radius())));
  }
  return absl::StrCat("box of half extents ", formatPoint(blocksFromUnits(shape.half_extents)));
}

std::string formatFound(const EntityIndex& index, const std::vector<FoundEntity>& found) {
  if (found.empty()) return "No entity there.\n";
  std::vector<TableRow> rows = {{"distance", "entity", "level", "centre", "shape"}};
  for (const FoundEntity& one : found) {
    const Entity& entity = *index.find(one.entity);
    rows.push_back({formatNumber(one.distance), absl::StrCat(one.id),
                    absl::StrCat(int{entity.level}), formatPoint(blocksFromUnits(entity.position)),
                    shapeText(entity.shape)});
  }
  return absl::StrCat(formatTable(std::move(rows), Colors::of(stdout)), found.size(),
                      found.size() == 1 ? " entity\n" : " entities\n");
}

std::string foundJson(const EntityIndex& index, const std::vector<FoundEntity>& found) {
  std::string text = "[";
  for (const FoundEntity& one : found) {
    absl::StrAppend(&text, &one == &found.front() ? "" : ",", "{\"entity\":", one.id,
                    ",\"level\":", int{index.find(one.entity)->level}, ",\"distance\":");
    appendJsonNumber(text, one.distance);
    text += '}';
  }
  return text + "]";
}

std::string statsText(const SearchStats& stats) {
  return absl::StrCat("Visited ", stats.cubes, " cubes of chunks, ", stats.index_cells,
                      " chunks and ", stats.pages, " pages of entities; tested ",
                      stats.entities_tested, " shapes.\n");
}

std::string statsJson(const SearchStats& stats) {
  return absl::StrCat("{\"cubes\":", stats.cubes, ",\"index_cells\":", stats.index_cells,
                      ",\"pages\":", stats.pages, ",\"entities_tested\":", stats.entities_tested,
                      ",\"listed\":", stats.listed, ",\"ordered\":", stats.ordered,
                      ",\"steps\":", stats.steps(), "}");
}

std::string answerText(const EntityIndex& index, const NearArguments& arguments,
                       const NearAnswer& answer) {
  if (!arguments.json) {
    return formatFound(index, answer.found) + (arguments.stats ? statsText(answer.stats) : "");
  }
  const std::string stats = arguments.stats ? ",\"stats\":" + statsJson(answer.stats) : "";
  return "{\"found\":" + foundJson(index, answer.found) + stats + "}\n";
}

int runNear(const NearArguments& arguments) {
  const absl::StatusOr<Scenario> scenario = readScenario(arguments.file, arguments.limits);
  if (!scenario.ok()) return reportError("near", scenario.status(), kExitUsage);
  const EntityIndex& index = scenario->entities;
  NearAnswer answer;
  absl::Status status = search(index, arguments, answer);
  if (!status.ok()) return reportError("near", status, kExitUsage);
  status = writeStdout(answerText(index, arguments, answer));
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("near", status, kExitFailed);
}

}  // namespace

Command addNearCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "near", "Find the entities of a scenario in a sphere, in a box, or nearest");
  auto arguments = std::make_shared<NearArguments>();
  command->add_option("FILE", arguments->file, "A scenario file; its entities are searched")
      ->type_name("")
      ->required();
  CLI::Option* const at = command->add_option("--at", arguments->at,
                                              "Around where: x,y,z in blocks of the finest level");
  command
      ->add_option("--count", arguments->count,
                   "How many to find, the nearest first: 1 where --radius is not given either")
      ->transform(wholeNumber())
      ->needs(at);
  command
      ->add_option("--radius", arguments->radius,
                   "How far away at most; without --count all that reach into this sphere")
      ->check(realNumber())
      ->needs(at);
  CLI::Option* const min =
      command->add_option("--min", arguments->min, "All in a box: its least corner, x,y,z");
  CLI::Option* const max = command->add_option("--max", arguments->max, "Its greatest corner");
  min->needs(max)->excludes(at);
  max->needs(min)->excludes(at);
  command->add_option("--levels", arguments->levels, "Levels of entities to find, like 2-3,0")
      ->capture_default_str();
  command
      ->add_option("--categories", arguments->categories,
                   "A bit set: only entities that share a bit with it")
      ->transform(wholeNumber());
  command->add_option("--ignore", arguments->ignore, "Ids of entities not to find, like 3,17")
      ->transform(wholeNumber())
      ->delimiter(',')
      ->allow_extra_args(false);
  addLimitOption(*command, arguments->limits,
                 {"file_bytes", "depth", "values", "chunks", "entities", "queries"});
  command->add_flag("--stats", arguments->stats, "Add what the search visited");
  command->add_flag("--json", arguments->json, "Answer by a JSON object in a line");
  command->footer(
      "Examples:\n"
      "  fractalray near tests/scenarios/first-steps.json --at 8,2.5,3.5 --count 2\n"
      "  fractalray near tests/scenarios/first-steps.json --at 8,2.5,3.5 --radius 4 --json\n"
      "  fractalray near tests/scenarios/first-steps.json --min 0,0,0 --max 15,15,15\n"
      "Distances are those of the closed shapes, 0 inside. In order of distance, then of ids; in "
      "a\n"
      "box in order of ids. See docs/queries/entities-near.md.");
  return {command, [arguments] { return runNear(*arguments); }};
}

}  // namespace fractalray
