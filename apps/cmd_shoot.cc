// SPDX-License-Identifier: Apache-2.0
// `fractalray shoot`: segments through a world, told as tables or as JSON lines.
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "fractalray/apps/arguments.h"
#include "fractalray/apps/command.h"
#include "fractalray/apps/output.h"
#include "fractalray/apps/progress.h"
#include "fractalray/apps/shot_table.h"
#include "fractalray/apps/world_option.h"
#include "fractalray/formats/answer.h"
#include "fractalray/formats/query_json.h"
#include "fractalray/query/ray_query_service.h"

namespace fractalray {
namespace {

struct ShootArguments {
  WorldArguments world;
  std::string from;
  std::string to;
  std::string levels = "3";
  std::string channel = "default";
  std::string corner = "both";
  std::string segments;
  bool unknown = false;
  bool json = false;
};

// A shot with what it is called in its answer.
struct NamedShot {
  Json id;
  ShotQuery query;
};

// The members that a line does not give are those of the command line.
Json withDefaults(Json line, const ShootArguments& arguments, LevelMask levels) {
  if (!line.is_object()) return line;
  if (!line.contains("levels")) {
    line["levels"] = Json::array();
    for (int level = 0; level < kMaxLevels; ++level) {
      if (levels.contains(level)) line["levels"].push_back(level);
    }
  }
  if (!line.contains("channel")) line["channel"] = arguments.channel;
  if (!line.contains("corner")) line["corner"] = arguments.corner;
  if (!line.contains("unknown")) line["unknown"] = arguments.unknown;
  return line;
}

absl::StatusOr<NamedShot> readShot(const Json& line, const std::string& place, const Json& number,
                                   const ShootArguments& arguments, LevelMask levels) {
  const Json whole = withDefaults(line, arguments, levels);
  absl::Status error;
  const JsonReader reader(whole, error);
  NamedShot shot;
  shot.query = readShotQuery(reader);
  const std::optional<JsonReader> id = error.ok() ? reader.find("id") : std::nullopt;
  shot.id = id.has_value() ? id->value() : number;
  if (error.ok()) return shot;
  return absl::InvalidArgumentError(absl::StrCat(place, ": ", error.message()));
}

// The line that is JSON, with line and column of the file in the error where it is not.
absl::StatusOr<Json> parseLine(const std::string& line, std::size_t number,
                               const std::string& name) {
  absl::StatusOr<Json> json = parseJson(line, name);
  if (json.ok()) return json;
  // Once more with the lines before it, for the place.
  return parseJson(std::string(number - 1, '\n') + line, name);
}

absl::StatusOr<std::vector<NamedShot>> readShots(std::istream& input, const std::string& name,
                                                 const ShootArguments& arguments,
                                                 LevelMask levels) {
  std::vector<NamedShot> shots;
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const absl::StatusOr<Json> json = parseLine(line, number, name);
    if (!json.ok()) return json.status();
    absl::StatusOr<NamedShot> shot =
        readShot(*json, absl::StrCat(name, ":", number), number, arguments, levels);
    if (!shot.ok()) return shot.status();
    shots.push_back(*std::move(shot));
  }
  return shots;
}

// The shots that the command line asks for, all read before the first is answered.
absl::StatusOr<std::vector<NamedShot>> readAllShots(const ShootArguments& arguments) {
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  if (arguments.segments == "-") return readShots(std::cin, "standard input", arguments, *levels);
  if (!arguments.segments.empty()) {
    const absl::StatusOr<std::string> text = readFile(arguments.segments);
    if (!text.ok()) return text.status();
    std::istringstream input(*text);
    return readShots(input, arguments.segments, arguments, *levels);
  }
  if (arguments.from.empty() || arguments.to.empty()) {
    return absl::InvalidArgumentError(
        "nothing to shoot; give --from x,y,z and --to x,y,z, or --segments FILE");
  }
  const absl::StatusOr<Vec3d> from = parsePoint(arguments.from, "--from");
  if (!from.ok()) return from.status();
  const absl::StatusOr<Vec3d> to = parsePoint(arguments.to, "--to");
  if (!to.ok()) return to.status();
  const Json line = {{"from", from->values}, {"to", to->values}};
  absl::StatusOr<NamedShot> shot = readShot(line, "the shot", "shot", arguments, *levels);
  if (!shot.ok()) return shot.status();
  return std::vector<NamedShot>{*std::move(shot)};
}

std::string tellAnswer(const World& world, const NamedShot& shot,
                       const absl::StatusOr<ShotResult>& result, bool json) {
  if (json) {
    if (!result.ok()) return errorAnswer(shot.id, result.status());
    return shotAnswer(shot.id, shot.query, *result, [&](BlockTypeId type) -> std::string_view {
      return world.blockTypes().name(type);
    });
  }
  const std::string name = shot.id.is_string() ? shot.id.get<std::string>() : shot.id.dump();
  const std::string title = absl::StrCat(name, " (levels ", formatLevelMask(shot.query.levels),
                                         ", channel ", shot.query.channel, "): ");
  if (!result.ok()) return absl::StrCat(title, result.status().ToString(), "\n");
  return absl::StrCat(title, tellShot(world, *result));
}

// Answers the shots in order. Among many a refused one is answered by its error; a single one ends
// it.
int answerShots(const std::vector<NamedShot>& shots, const World& world,
                const ShootArguments& arguments) {
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  Progress progress("shooting", shots.size());
  std::uint64_t done = 0;
  for (const NamedShot& shot : shots) {
    const absl::StatusOr<ShotResult> result = service.shootSegment(
        shot.query.segment, shot.query.levels, toOptions(shot.query, world.blockTypes()));
    if (!result.ok() && arguments.segments.empty()) {
      return reportError("shoot", result.status(), kExitUsage);
    }
    const absl::Status status = writeStdout(tellAnswer(world, shot, result, arguments.json));
    if (!status.ok()) return reportError("shoot", status, kExitFailed);
    progress.update(++done);
  }
  const absl::Status status = flushStdout();
  return status.ok() ? static_cast<int>(kExitOk) : reportError("shoot", status, kExitFailed);
}

int runShoot(const ShootArguments& arguments) {
  const absl::StatusOr<std::vector<NamedShot>> shots = readAllShots(arguments);
  if (!shots.ok()) return reportError("shoot", shots.status(), kExitUsage);
  const absl::StatusOr<LuantiWorld> opened = openWorld("shoot", arguments.world);
  if (!opened.ok()) return reportError("shoot", opened.status(), kExitUsage);
  const int answered = answerShots(*shots, opened->world, arguments);
  return answered != kExitOk ? answered : statusOf(*opened);
}

}  // namespace

Command addShootCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("shoot", "Shoot one segment, or many, through a Luanti world");
  auto arguments = std::make_shared<ShootArguments>();
  addWorldOptions(*command, arguments->world);
  command->add_option("--from", arguments->from,
                      "Where the segment starts: x,y,z in level-3 blocks");
  command->add_option("--to", arguments->to, "Where it ends");
  command->add_option("--levels", arguments->levels, "Levels to meet, like 2-3,0")
      ->capture_default_str();
  command
      ->add_option("--channel", arguments->channel,
                   "The purpose that block kinds are looked up for")
      ->capture_default_str();
  command->add_option("--corner", arguments->corner, "At exact corners: both, neither or staircase")
      ->check(CLI::IsMember({"both", "neither", "staircase"}).description(""))
      ->capture_default_str();
  command->add_option(
      "--segments", arguments->segments,
      "A file of segments, - for standard input: JSON lines with \"from\" and \"to\", and "
      "\"id\", \"levels\", \"channel\", \"corner\", \"unknown\" where they differ");
  command->add_flag("--unknown", arguments->unknown, "Tell from where on nothing is loaded");
  command->add_flag("--json", arguments->json, "Answer by JSON lines, as a scenario does");
  command->footer(
      "Examples:\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22\n"
      "  echo '{\"id\": 1, \"from\": [-190, 90, -30], \"to\": [-190, 0, -30], \"levels\": [2, 3]}' "
      "|\n"
      "    fractalray shoot --world examples/worlds/w1 --segments - --json\n"
      "Node (x, y, z) of a Luanti world is block [x, y, z], which reaches from x to x + 1: "
      "Luanti's position\n"
      "p is our p + 0.5.");
  return {command, [arguments] { return runShoot(*arguments); }};
}

}  // namespace fractalray
