// SPDX-License-Identifier: Apache-2.0
// `fractalray explain`: shows why a shot did what it did, and saves it as a scenario.
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/printable.h"
#include "../../formats/input_file.h"
#include "../../query/ray_query_service.h"
#include "arguments.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "explanation_json.h"
#include "explanation_text.h"
#include "output.h"
#include "output_check.h"
#include "picture_option.h"
#include "query_choice.h"
#include "rule_option.h"
#include "scenario_export.h"
#include "shot_line_option.h"
#include "viewer_page.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ExplainArguments {
  WorldArguments world;
  std::string scenario;
  std::string query;
  ShotLineArguments line;
  std::string levels = "3";
  std::string channel = "default";
  std::string corner = "both";
  PictureArguments picture;
  std::string viewer;
  RuleArguments rules;
  std::string save;
  bool json = false;
};

// The output files, open.
struct ExplainFiles {
  PictureFiles pictures;
  std::optional<OutputFile> save;
  // With --viewer: the playground's page, and the file that --html names.
  std::string viewer;
  std::optional<OutputFile> viewed;
};

// A shot with everything that its query needs.
struct Case {
  const World& world;
  const EntityIndex& entities;
  ScenarioQuery query;  // of a shot
  StoppingCallbacks stopping;
  std::function<std::string_view(BlockTypeId)> name;

  const ShotQuery& shot() const { return std::get<ShotQuery>(query.ask); }
};

int usageError(const absl::Status& error) {
  return reportError("explain", error, kExitUsage);
}

// Returns the requested shot in a Luanti world.
absl::StatusOr<ShotQuery> readShot(const ExplainArguments& arguments) {
  if (!arguments.line.wanted()) {
    return absl::InvalidArgumentError(
        "nothing to explain; give --from and --to, --origin and --direction, or a --scenario");
  }
  const absl::StatusOr<std::variant<Segment, Ray>> line = readShotLine(arguments.line);
  if (!line.ok()) return line.status();
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  const absl::StatusOr<CornerPolicy> corner = parseCornerPolicy(arguments.corner, "--corner");
  if (!corner.ok()) return corner.status();
  ShotQuery shot;
  shot.line = *line;
  shot.levels = *levels;
  shot.options.corner = *corner;
  shot.channel = arguments.channel;
  shot.options.report_unknown = true;
  return shot;
}

// Returns the answer of a scenario to the shot, with the members that explain it.
std::string jsonOf(const Case& shot, const ShotResult& result, const Explanation& explanation) {
  std::string line = shotAnswer(shot.world, shot.query.id, shot.shot(), result, shot.name);
  line.erase(line.size() - 2);  // the closing brace
  return absl::StrCat(line, ",", explanationMembers(explanation, shot.name), "}\n");
}

int viewIn(ExplainFiles& files, const Case& shot, const Explanation& explanation) {
  const std::string saved = saveShot(explanation, shot.query, shot.stopping, shot.name);
  const absl::Status written = files.viewed->write(viewerPage(files.viewer, saved));
  return written.ok() ? kExitOk : reportError("explain", written, kExitFailed);
}

int saveTo(OutputFile& file, const Case& shot, const ShotResult& result,
           const Explanation& explanation) {
  const std::string saved = saveShot(explanation, shot.query, shot.stopping, shot.name);
  absl::Status status = file.write(saved);
  if (status.ok()) {
    status =
        checkSaved(saved, shotAnswer(shot.world, shot.query.id, shot.shot(), result, shot.name));
  }
  return status.ok() ? kExitOk : reportError("explain", status, kExitFailed);
}

RayQueryService serviceOf(const Case& shot) {
  RayQueryService service(shot.world, shot.entities);
  for (const BlockTypeId type : shot.stopping.stopping_types) {
    FRACTALRAY_CHECK(
        service.onBlockHit(type, [](const BlockHit&) { return HitResponse::kStop; }).ok());
  }
  for (const EntityClassId entity_class : shot.stopping.stopping_classes)
    service.onEntityHit(entity_class, [](const EntityHit&) { return HitResponse::kStop; });
  return service;
}

int explain(const Case& shot, const ExplainArguments& arguments, ExplainFiles& files) {
  const RayQueryService service = serviceOf(shot);
  const QueryOptions options = toOptions(shot.shot(), shot.world.blockTypes());
  const absl::StatusOr<FixedSegment> line = lineOf(shot.shot());
  if (!line.ok()) return usageError(line.status());
  const absl::StatusOr<ShotResult> result =
      service.shootSegment(*line, shot.shot().levels, options);
  if (!result.ok()) return usageError(result.status());
  const absl::StatusOr<Explanation> explanation = explainShot(
      shot.world, shot.entities, result->segment, shot.shot().levels, options, shot.stopping);
  if (!explanation.ok()) return usageError(explanation.status());

  absl::Status status =
      writeStdout(arguments.json ? jsonOf(shot, *result, *explanation)
                                 : formatExplanation(*explanation, shot.name, Colors::of(stdout)));
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("explain", status, kExitFailed);
  const int drawn = writePictures("explain", files.pictures, *explanation, shot.name);
  if (drawn != kExitOk) return drawn;
  if (files.viewed.has_value()) {
    const int viewed = viewIn(files, shot, *explanation);
    if (viewed != kExitOk) return viewed;
  }
  if (files.save.has_value()) {
    const int saved = saveTo(*files.save, shot, *result, *explanation);
    if (saved != kExitOk) return saved;
  }
  if (agrees(*explanation, *result)) return kExitOk;
  return reportError("explain",
                     absl::InternalError("the shot and this explanation differ, so one of them has "
                                         "a bug; please report it with the file of --save"),
                     kExitFailed);
}

// Returns the names of a shot's budgets.
std::vector<std::string> budgetsOf(const ShotQuery& query) {
  return query.rules != nullptr ? query.rules->budgets : std::vector<std::string>();
}
std::vector<std::string> budgetsOf(const ScenarioQuery& query) {
  return budgetsOf(std::get<ShotQuery>(query.ask));
}

int explainScenario(const ExplainArguments& arguments, ExplainFiles& files) {
  absl::StatusOr<Scenario> scenario = readScenario(arguments.scenario, arguments.world.limits);
  if (!scenario.ok()) return usageError(scenario.status());
  const absl::StatusOr<std::size_t> number = chooseQuery(
      *scenario, arguments.scenario, arguments.query,
      {"shot", "shots", "\"shoot\"",
       [](const ScenarioQuery& query) { return std::holds_alternative<ShotQuery>(query.ask); }});
  if (!number.ok()) return usageError(number.status());
  // The shot is explained in the world that it is answered in: after the edits before it.
  if (const absl::Status edited = editScenario(*scenario, *number); !edited.ok()) {
    return reportError("explain", edited, kExitFailed);
  }
  const ScenarioQuery& query = scenario->queries[*number];
  return explain({.world = scenario->world,
                  .entities = scenario->entities,
                  .query = query,
                  .stopping = {scenario->stopping_types, {kStoppingEntity}, budgetsOf(query)},
                  .name = [&](BlockTypeId type) -> std::string_view {
                    return scenario->type_names[BlockTypeTable::index(type)];
                  }},
                 arguments, files);
}

int explainInWorld(const ExplainArguments& arguments, ExplainFiles& files) {
  absl::StatusOr<ShotQuery> query = readShot(arguments);
  if (!query.ok()) return usageError(query.status());
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("explain", arguments.world);
  if (!opened.ok()) return usageError(opened.status());
  const absl::Status channel =
      findChannel(opened->world.blockTypes(), query->channel, "--channel").status();
  if (!channel.ok()) return usageError(channel);
  const auto rules = readRules(arguments.rules, opened->world.blockTypes());
  if (!rules.ok()) return usageError(rules.status());
  query->rules = *rules;
  const EntityIndex entities(opened->world.frame());
  ScenarioQuery asked;  // in pieces: g++ 12 takes the id in a list of members for uninitialised
  asked.id.text = "shot";
  asked.ask = *query;
  const Case shot{.world = opened->world,
                  .entities = entities,
                  .query = std::move(asked),
                  .stopping = {{}, {}, budgetsOf(*query)},
                  .name = [&](BlockTypeId type) -> std::string_view {
                    return opened->world.blockTypes().name(type);
                  }};
  const int explained = explain(shot, arguments, files);
  return explained != kExitOk ? explained : statusOf(*opened);
}

// Reads the page that is to show the shot, which then takes the file of --html.
int readViewer(const ExplainArguments& arguments, ExplainFiles& files) {
  absl::StatusOr<std::string> page = readFile(arguments.viewer, arguments.world.limits);
  if (!page.ok()) return usageError(page.status());
  if (!isViewer(*page)) {
    return usageError(absl::InvalidArgumentError(
        absl::StrCat("--viewer ", quotedText(arguments.viewer),
                     ": it is not the playground's page, build/playground/index.html, which "
                     "`./dev playground` makes")));
  }
  files.viewer = *std::move(page);
  files.viewed = std::exchange(files.pictures.html, std::nullopt);
  return kExitOk;
}

// Checks the outputs before the work, and opens them.
int openOutputs(const ExplainArguments& arguments, ExplainFiles& files) {
  std::vector<NamedFile> inputs = worldFiles(arguments.world);
  inputs.push_back({"--scenario", arguments.scenario});
  inputs.push_back({"--viewer", arguments.viewer});
  const absl::Status distinct = checkDistinct({{{"--svg", arguments.picture.svg},
                                                {"--html", arguments.picture.html},
                                                {"--save", arguments.save}}},
                                              inputs);
  if (!distinct.ok()) return usageError(distinct);
  absl::StatusOr<std::optional<OutputFile>> save = OutputFile::openIfNamed(arguments.save);
  if (!save.ok()) return reportError("explain", save.status(), kExitFailed);
  files.save = *std::move(save);
  const int opened = openPictures("explain", arguments.picture, files.pictures);
  return opened != kExitOk || arguments.viewer.empty() ? opened : readViewer(arguments, files);
}

int runExplain(const ExplainArguments& arguments) {
  if (arguments.scenario.empty() == arguments.world.world.empty()) {
    return usageError(absl::InvalidArgumentError(
        "give either --world, with --from and --to or a ray, or --scenario"));
  }
  if (!arguments.scenario.empty() && arguments.rules.wanted()) {
    return usageError(absl::InvalidArgumentError(
        "--rule and --budget are for --world; the shots of a scenario name their rules in it"));
  }
  ExplainFiles files;
  const int opened = openOutputs(arguments, files);
  if (opened != kExitOk) return opened;
  return arguments.scenario.empty() ? explainInWorld(arguments, files)
                                    : explainScenario(arguments, files);
}

}  // namespace

void addExplainCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "explain", "Show why a shot did what it did, and save it as a scenario", runExplain);
  options.add("--scenario FILE", arguments.scenario, "A scenario file with the shot");
  options.add("--query ID", arguments.query,
              "The id of the shot in the scenario; needed if the scenario has several");
  options.needs("--query", "--scenario");
  addWorldOptions(options, arguments.world);
  addShotLineOptions(options, arguments.line);
  options.add("--levels LEVELS", arguments.levels, "The levels to hit, like 2-3,0");
  options.add("--channel NAME", arguments.channel,
              "The collision channel, such as default, visible or physical");
  options.add("--corner POLICY", arguments.corner,
              "The policy for exact corners: both, neither or staircase");
  addRuleOptions(options, arguments.rules);
  // The shot of a scenario has its own values of all of these.
  for (const char* const option : {"--types", "--from", "--to", "--origin", "--direction",
                                   "--max-distance", "--levels", "--channel", "--corner"})
    options.excludes(option, "--scenario");
  addPictureOptions(options, arguments.picture);
  options.add("--viewer FILE", arguments.viewer,
              "The playground's page, build/playground/index.html, which --html then writes with "
              "the shot in it: to shoot on in its chunks");
  options.needs("--viewer", "--html");
  options.add("--save FILE", arguments.save,
              "Write the shot, with the chunks and entities along it, as a scenario: a bug report "
              "to which `fractalray scenario` gives the same answer");
  options.flag("--json", arguments.json,
               "Print one JSON object: the answer as of `fractalray scenario`, with \"passes\", "
               "\"entities\" and \"steps\"");
  options.footer(
      "Examples:\n"
      "  fractalray explain --scenario tests/scenarios/ties.json --query \"an entity that stops, "
      "at a wall\"\n"
      "  fractalray explain --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 \\\n"
      "    --levels 0-3 --svg shot.svg --html shot.html\n"
      "  fractalray explain --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 \\\n"
      "    --save report.json && fractalray scenario report.json\n"
      "  fractalray explain --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 \\\n"
      "    --budget water=3 --rule 'type=default:water_source budget=water per_block=1'\n"
      "Exit status 1 means that the shot and the explanation differ, which is a bug.");
}

}  // namespace fractalray
