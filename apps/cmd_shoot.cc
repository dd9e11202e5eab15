// SPDX-License-Identifier: Apache-2.0
// `fractalray shoot`: all hits of segments through a world, the closest hit, or line of sight,
// answered by tables or by JSON lines.
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../core/printable.h"
#include "../formats/answer_json.h"
#include "../formats/query_json.h"
#include "../query/ray_query_service.h"
#include "../replay/query_recorder.h"
#include "arguments.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "limit_option.h"
#include "output.h"
#include "output_check.h"
#include "picture_option.h"
#include "progress.h"
#include "rule_option.h"
#include "shot_input.h"
#include "shot_line_option.h"
#include "shot_path.h"
#include "shot_text.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ShootArguments {
  WorldArguments world;
  ShotLineArguments line;
  std::string levels = "3";
  std::string channel = "default";
  std::string corner = "both";
  std::string segments;
  std::string record;
  int bounces = 0;
  bool closest = false;
  bool occluded = false;
  bool solid_only = false;
  bool unknown = false;
  bool json = false;
  PictureArguments picture;
  RuleArguments rules;
};

// Reads all requested shots before the first is answered.
absl::StatusOr<std::vector<NamedShot>> readAllShots(const ShootArguments& arguments) {
  if (arguments.picture.wanted() && (!arguments.segments.empty() || arguments.closest ||
                                     arguments.occluded || arguments.bounces > 0)) {
    return absl::InvalidArgumentError(
        "--svg and --html draw one whole shot; give --from and --to or a ray, without --segments, "
        "--closest, --occluded and --bounces");
  }
  if (!arguments.segments.empty() && arguments.line.wanted()) {
    return absl::InvalidArgumentError(
        "--segments has the ends of its shots; leave out --from and --to, --origin and "
        "--direction");
  }
  if (arguments.rules.wanted() && (arguments.closest || arguments.occluded)) {
    return absl::InvalidArgumentError(
        "--rule and --budget decide where a shot ends; --closest and --occluded stop at the first "
        "hit, whatever its rule; give one or the other");
  }
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  const ShotDefaults defaults{.levels = *levels,
                              .channel = arguments.channel,
                              .corner = arguments.corner,
                              .unknown = arguments.unknown};
  if (!arguments.segments.empty()) {
    const bool is_stdin = arguments.segments == "-";
    const std::string name = is_stdin ? "standard input" : arguments.segments;
    const absl::StatusOr<std::string> text = is_stdin
                                                 ? readStream(stdin, name, arguments.world.limits)
                                                 : readFile(name, arguments.world.limits);
    if (!text.ok()) return text.status();
    return readShotLines(*text, name, defaults, arguments.world.limits);
  }
  if (!arguments.line.wanted()) {
    return absl::InvalidArgumentError(
        "no line to shoot along; give --from x,y,z and --to x,y,z, --origin and --direction, or "
        "--segments FILE");
  }
  const absl::StatusOr<std::variant<Segment, Ray>> line = readShotLine(arguments.line);
  if (!line.ok()) return line.status();
  absl::StatusOr<NamedShot> shot = namedShot(*line, defaults);
  if (!shot.ok()) return shot.status();
  return std::vector<NamedShot>{*std::move(shot)};
}

absl::Status checkChannels(const std::vector<NamedShot>& shots, const BlockTypeTable& types) {
  for (const NamedShot& shot : shots) {
    absl::Status status = findChannel(types, shot.query.channel, shot.channel_source).status();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// An answer as it is printed.
struct PrintedAnswer {
  std::string text;
  // True for the answer "no": with --occluded, if the line of sight is not clear.
  bool is_no = false;
};

// Returns the beginning of an answer's text.
std::string nameOf(const NamedShot& shot) {
  return shot.id.is_string() ? shot.id.get<std::string>() : shot.id.dump();
}
std::string titleOf(const NamedShot& shot, Colors colors) {
  return absl::StrCat(colors(Ink::kTitle, printable(nameOf(shot))), " (levels ",
                      formatLevelMask(shot.query.levels), ", channel ",
                      printable(shot.query.channel), "): ");
}

absl::StatusOr<PrintedAnswer> answerOcclusion(const NamedShot& shot, const RayQueryService& service,
                                              const ShotOptions& options,
                                              const ShootArguments& arguments) {
  const absl::StatusOr<FixedSegment> line = lineOf(shot.query);
  if (!line.ok()) return line.status();
  const absl::StatusOr<Occlusion> occlusion = service.occluded(*line, shot.query.levels, options);
  if (!occlusion.ok()) return occlusion.status();
  PrintedAnswer answer{.text = "", .is_no = *occlusion != Occlusion::kClear};
  answer.text = arguments.json ? occlusionAnswer(shot.id, *occlusion)
                               : absl::StrCat(titleOf(shot, Colors::of(stdout)),
                                              std::string(occlusionName(*occlusion)), "\n");
  return answer;
}

// Returns the options of a shot, from the command line and the shot itself.
ShotOptions optionsOf(const NamedShot& shot, const World& world, const ShootArguments& arguments) {
  ShotOptions options = toOptions(shot.query, world.blockTypes());
  options.filter.solid_only = arguments.solid_only;
  return options;
}

absl::StatusOr<PrintedAnswer> answerShot(const NamedShot& shot, const World& world,
                                         const RayQueryService& service,
                                         const ShootArguments& arguments) {
  const absl::StatusOr<FixedSegment> line = lineOf(shot.query);
  if (!line.ok()) return line.status();
  const LevelMask levels = shot.query.levels;
  const ShotOptions options = optionsOf(shot, world, arguments);
  const auto name = [&](BlockTypeId type) -> std::string_view {
    return world.blockTypes().name(type);
  };
  if (arguments.occluded) return answerOcclusion(shot, service, options, arguments);
  const auto* const rules = shot.query.rules.get();
  const ShotTextOptions text{.budgets = rules != nullptr
                                            ? std::span<const std::string>(rules->budgets)
                                            : std::span<const std::string>(),
                             .report_unknown = options.report_unknown,
                             .colors = Colors::of(stdout)};
  const std::string title = titleOf(shot, text.colors);
  if (arguments.closest) {
    const absl::StatusOr<ClosestHit> closest = service.closestHit(*line, levels, options);
    if (!closest.ok()) return closest.status();
    if (arguments.json) return PrintedAnswer{closestAnswer(shot.id, shot.query, *closest, name)};
    return PrintedAnswer{title + formatClosest(world, *closest, text)};
  }
  PrintedAnswer answer;
  NamedShot part = shot;  // the part of the path between two bounces
  int number = 0;
  const absl::Status status =
      shootPath(service, *line, levels, options, arguments.bounces, [&](const ShotResult& result) {
        if (number > 0) part.id = absl::StrCat(nameOf(shot), " bounce ", number);
        ++number;
        answer.text += arguments.json
                           ? shotAnswer(part.id, shot.query, result, name)
                           : titleOf(part, text.colors) + formatShot(world, result, text);
      });
  if (!status.ok()) return status;
  return answer;
}

std::string formatError(const NamedShot& shot, const absl::Status& error, bool json) {
  if (json) return errorAnswer(shot.id, error);
  return absl::StrCat(titleOf(shot, Colors::of(stdout)), error.ToString(), "\n");
}

// Answers the shots in order. A single shot that is refused ends the command; one of many is
// answered by its error. The exit status is that of the answer to a single shot only.
int answerShots(const std::vector<NamedShot>& shots, const World& world,
                const RayQueryService& service, const ShootArguments& arguments) {
  const bool is_single = arguments.segments.empty();
  ExitStatus exit_status = kExitOk;
  Progress progress("shooting", shots.size());
  std::uint64_t done = 0;
  for (const NamedShot& shot : shots) {
    const absl::StatusOr<PrintedAnswer> answer = answerShot(shot, world, service, arguments);
    if (!answer.ok() && is_single) return reportError("shoot", answer.status(), kExitUsage);
    if (answer.ok() && answer->is_no && is_single) exit_status = kExitFailed;
    const absl::Status status = writeStdout(
        answer.ok() ? answer->text : formatError(shot, answer.status(), arguments.json));
    if (!status.ok()) return reportError("shoot", status, kExitFailed);
    progress.update(++done);
  }
  const absl::Status status = flushStdout();
  return status.ok() ? exit_status : reportError("shoot", status, kExitFailed);
}

// Answers the shots, and logs them on request.
int answerShots(const std::vector<NamedShot>& shots, const World& world,
                const ShootArguments& arguments) {
  const EntityIndex entities(world.frame());
  RayQueryService service(world, entities);
  if (arguments.record.empty()) return answerShots(shots, world, service, arguments);
  const auto recorder = QueryRecorder::open(arguments.record, world, entities);
  if (!recorder.ok()) return reportError("shoot", recorder.status(), kExitFailed);
  service.setObserver(recorder->get());
  const int answered = answerShots(shots, world, service, arguments);
  const absl::Status closed = (*recorder)->close();
  return closed.ok() ? answered : reportError("shoot", closed, kExitFailed);
}

// Writes the pictures of a single shot.
int drawShots(const std::vector<NamedShot>& shots, const World& world,
              const ShootArguments& arguments, PictureFiles& files) {
  const NamedShot& shot = shots.front();
  const EntityIndex entities(world.frame());
  const ShotOptions options = optionsOf(shot, world, arguments);
  const absl::StatusOr<FixedSegment> segment = lineOf(shot.query);
  if (!segment.ok()) return reportError("shoot", segment.status(), kExitUsage);
  const absl::StatusOr<Explanation> explanation =
      explainShot(world, entities, *segment, shot.query.levels, options,
                  {.stopping_types = {},
                   .stopping_classes = {},
                   .budgets = shot.query.rules != nullptr ? shot.query.rules->budgets
                                                          : std::vector<std::string>()});
  if (!explanation.ok()) return reportError("shoot", explanation.status(), kExitUsage);
  return writePictures("shoot", files, *explanation, [&](BlockTypeId type) -> std::string_view {
    return world.blockTypes().name(type);
  });
}

// Checks the outputs before the work; the pictures stay open.
int openOutputs(const ShootArguments& arguments, PictureFiles& pictures) {
  std::vector<NamedFile> inputs = worldFiles(arguments.world);
  inputs.push_back({"--segments", arguments.segments});
  absl::Status status = checkDistinct({{{"--svg", arguments.picture.svg},
                                        {"--html", arguments.picture.html},
                                        {"--record", arguments.record}}},
                                      inputs);
  if (!status.ok()) return reportError("shoot", status, kExitUsage);
  if (!arguments.record.empty()) status = checkWritable(arguments.record);
  if (!status.ok()) return reportError("shoot", status, kExitFailed);
  return openPictures("shoot", arguments.picture, pictures);
}

int runShoot(const ShootArguments& arguments) {
  absl::StatusOr<std::vector<NamedShot>> shots = readAllShots(arguments);
  if (!shots.ok()) return reportError("shoot", shots.status(), kExitUsage);
  PictureFiles pictures;
  int status = openOutputs(arguments, pictures);
  if (status != kExitOk) return status;
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("shoot", arguments.world);
  if (!opened.ok()) return reportError("shoot", opened.status(), kExitUsage);
  const absl::Status channels = checkChannels(*shots, opened->world.blockTypes());
  if (!channels.ok()) return reportError("shoot", channels, kExitUsage);
  const auto rules = readRules(arguments.rules, opened->world.blockTypes());
  if (!rules.ok()) return reportError("shoot", rules.status(), kExitUsage);
  for (NamedShot& shot : *shots) {
    shot.query.rules = *rules;
    // The line may hit something that could not be read.
    shot.query.unknown = shot.query.unknown || opened->report.isPartial();
  }
  status = answerShots(*shots, opened->world, arguments);
  if (status == kExitOk && arguments.picture.wanted()) {
    status = drawShots(*shots, opened->world, arguments, pictures);
  }
  return status != kExitOk ? status : statusOf(*opened);
}

}  // namespace

Command addShootCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("shoot", "Shoot one segment, or many, through a Luanti world");
  auto arguments = std::make_shared<ShootArguments>();
  addWorldOptions(*command, arguments->world);
  addLimitOption(
      *command, arguments->world.limits,
      {"file_bytes", "line_bytes", "depth", "values", "queries", "mapblocks", "mapblock_bytes"});
  addShotLineOptions(*command, arguments->line);
  command->add_option("--levels", arguments->levels, "The levels to hit, like 2-3,0")
      ->type_name("LEVELS")
      ->capture_default_str();
  command
      ->add_option("--channel", arguments->channel,
                   "The collision channel, such as default, visible or physical")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--corner", arguments->corner,
                   "The policy for exact corners: both, neither or staircase")
      ->type_name("POLICY")
      ->check(oneOf({"both", "neither", "staircase"}))
      ->capture_default_str();
  command
      ->add_option("--segments", arguments->segments,
                   "A file of JSON lines, or - for standard input, each with \"from\" and \"to\", "
                   "or \"origin\", \"direction\" and \"max_distance\"; \"id\", \"levels\", "
                   "\"channel\", \"corner\" and \"unknown\" override the options")
      ->type_name("FILE");
  CLI::Option* const closest =
      command->add_flag("--closest", arguments->closest, "Report only the first hit");
  CLI::Option* const occluded = command->add_flag(
      "--occluded", arguments->occluded,
      "Report only the line of sight: clear, blocked by a solid block, or unknown if part of it is "
      "not loaded. The exit status for a single segment is 0 if it is clear, else 1");
  occluded->excludes(closest);
  command
      ->add_flag("--solid-only", arguments->solid_only,
                 "Treat permeable blocks as if they were empty")
      ->excludes(occluded);
  command
      ->add_option("--bounces", arguments->bounces,
                   "Reflect the shot at the faces that end it, at most N times; each part has an "
                   "answer of its own")
      ->type_name("N")
      ->transform(wholeNumber(1000))
      ->excludes(closest)
      ->excludes(occluded)
      ->capture_default_str();
  addRuleOptions(*command, arguments->rules);
  addPictureOptions(*command, arguments->picture);
  command
      ->add_option("--record", arguments->record,
                   "Write a query log of the queries and answers, for `fractalray replay`")
      ->type_name("LOG");
  command->add_flag("--unknown", arguments->unknown,
                    "Report the t at which unloaded space begins, or that all is loaded");
  command->add_flag("--json", arguments->json,
                    "Print JSON lines as `fractalray scenario` does, with \"hits\"; with \"hit\" "
                    "for --closest, \"occlusion\" for --occluded");
  command->footer(
      "Examples:\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22\n"
      "  echo '{\"id\": 1, \"from\": [-190, 90, -30], \"to\": [-190, 0, -30], \"levels\": [2, 3]}' "
      "|\n"
      "    fractalray shoot --world examples/worlds/w1 --segments - --json\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 --closest "
      "--solid-only\n"
      "  fractalray shoot --world examples/worlds/w1 --origin -184,80,-60 --direction 0,-1,2 "
      "--max-distance 64\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 --levels "
      "0-3 "
      "\\\n"
      "    --svg shot.svg --html shot.html\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184.5,80.5,-52.5 --to "
      "-184.5,80.5,-45.5 \\\n"
      "    --occluded --channel visible && echo 'can be seen'\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 \\\n"
      "    --budget water=3 --rule 'type=default:water_source budget=water per_block=1'\n"
      "  fractalray shoot --world examples/worlds/w1 --from -184,80,-60 --to -183,72,-22 --record "
      "w1.log\n"
      "  fractalray replay w1.log --world examples/worlds/w1\n"
      "Node (x, y, z) of a Luanti world is block [x, y, z], which reaches from x to x + 1: "
      "Luanti's position\n"
      "p is p + 0.5 here.");
  return {command, [arguments] { return runShoot(*arguments); }};
}

}  // namespace fractalray
