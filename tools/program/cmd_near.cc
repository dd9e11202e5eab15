// SPDX-License-Identifier: Apache-2.0
// `fractalray near`: the entities of a scenario near a point, or in a box.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/json.h"
#include "../../formats/scenario.h"
#include "../../query/entity_search.h"
#include "arguments.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "limit_option.h"
#include "option_adder.h"
#include "output.h"
#include "text_table.h"

namespace fractalray {
namespace {

struct NearArguments {
  std::string file;
  std::string at;
  std::string min;
  std::string max;
  std::optional<std::uint64_t> count;
  std::optional<double> radius;
  std::string levels = "0-9";
  QueryFilter filter;
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

// Finds all entities within the radius, or the nearest ones if --count or nothing is given.
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
  QueryFilter filter = arguments.filter;
  filter.ignore = arguments.ignore;
  if (!arguments.at.empty()) return searchAround(index, arguments, *levels, filter, answer);
  if (arguments.min.empty()) {
    return absl::InvalidArgumentError(
        "no area to search; give --at for a point or a sphere, or --min and --max for a box");
  }
  return searchBox(index, arguments, *levels, filter, answer);
}

std::string nearShapeText(const FixedShape& shape) {
  if (shape.kind == FixedShape::Kind::kSphere) {
    return absl::StrCat("sphere of radius ", formatNumber(toBlocks(shape.radius())));
  }
  return absl::StrCat("box of half extents ", formatPoint(toBlocks(shape.half_extents)));
}

std::string formatFound(const EntityIndex& index, const std::vector<FoundEntity>& found) {
  if (found.empty()) return "No entity found.\n";
  std::vector<TableRow> rows = {{"distance", "entity", "level", "centre", "shape"}};
  for (const FoundEntity& one : found) {
    const Entity& entity = *index.find(one.entity);
    rows.push_back({formatNumber(one.distance), absl::StrCat(one.id),
                    absl::StrCat(int{entity.level}), formatPoint(one.position),
                    nearShapeText(entity.shape)});
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
  return absl::StrCat("Steps: ", stats.steps(), " (cubes of chunks ", stats.cubes, ", chunks ",
                      stats.index_cells, ", pages of entities ", stats.pages, ", shapes tested ",
                      stats.entities_tested, ", ignore list ", stats.listed, ", sorted ",
                      stats.ordered, ")\n");
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
  const std::string stats =
      arguments.stats ? absl::StrCat(",\"stats\":", statsJson(answer.stats)) : "";
  return absl::StrCat("{\"found\":", foundJson(index, answer.found), stats, "}\n");
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

void addNearCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "near", "Find the entities of a scenario in a sphere, in a box, or nearest to a point",
      runNear);
  options.add("FILE", arguments.file, "A scenario file; its entities are searched");
  options.require("FILE");
  options.add("--at X,Y,Z", arguments.at, "A point, in blocks of the finest level");
  options.add("--count N", arguments.count,
              "Find only the N nearest (default: 1, or with --radius all)");
  options.add("--radius FLOAT", arguments.radius,
              "Find entities that touch the sphere of this radius around the point");
  options.add("--min X,Y,Z", arguments.min, "The lowest corner of a box");
  options.add("--max X,Y,Z", arguments.max, "The highest corner of the box");
  options.needs("--count", "--at");
  options.needs("--radius", "--at");
  options.needs("--min", "--max");
  options.needs("--max", "--min");
  options.excludes("--min", "--at");
  options.excludes("--max", "--at");
  options.add("--levels LEVELS", arguments.levels, "The levels of entities to find, like 2-3,0");
  std::string no_channel;  // for members that searches for entities do not have
  const OptionAdder adder{options, no_channel};
  forEachField(
      [&adder](const FieldName& field, auto& member) {
        if (isOfEntities(field.name) && field.name != "entities") adder(field, member);
      },
      arguments.filter);
  options.addList("--ignore ID[,ID..]", arguments.ignore,
                  "The ids of entities to ignore, like 3,17");
  addLimitOption(options, arguments.limits);
  options.flag("--stats", arguments.stats, "Also print the steps of the search");
  options.flag("--json", arguments.json, "Print one JSON object");
  options.footer(
      "Examples:\n"
      "  fractalray near tests/scenarios/first-steps.json --at 8,2.5,3.5 --count 2\n"
      "  fractalray near tests/scenarios/first-steps.json --at 8,2.5,3.5 --radius 4 --json\n"
      "  fractalray near tests/scenarios/first-steps.json --min 0,0,0 --max 15,15,15\n"
      "Distances are those of the closed shapes, 0 inside. Entities are sorted by distance, then\n"
      "by id; those in a box by id. See docs/queries/entities-near.md.");
}

}  // namespace fractalray
