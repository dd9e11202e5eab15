// SPDX-License-Identifier: Apache-2.0
// `fractalray shoot`: segments through a world, what is closest on them and whether they are clear,
// answered by tables or by JSON lines.
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"

#include "../formats/answer_json.h"
#include "../formats/printable.h"
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
  std::string pass = "fast";
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

// The shots that the command line asks for, all read before the first is answered.
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
        "--rule and --budget say where a shot ends; --closest and --occluded ask for the first "
        "thing hit, whatever its rule");
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
        "nothing to shoot; give --from x,y,z and --to x,y,z, --origin and --direction, or "
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
    absl::Status status = findChannel(types, shot.query.channel, shot.channel_place).status();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// An answer as it is printed.
struct PrintedAnswer {
  std::string text;
  // Whether it is the answer no: --occluded asks whether the way is clear.
  bool is_no = false;
};

// What the text of an answer begins with.
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
  const OcclusionOptions sight{
      .filter = options.filter, .corner = options.corner, .pass = options.pass};
  const absl::StatusOr<FixedSegment> line = lineOf(shot.query);
  if (!line.ok()) return line.status();
  const absl::StatusOr<Occlusion> occlusion = service.occluded(*line, shot.query.levels, sight);
  if (!occlusion.ok()) return occlusion.status();
  PrintedAnswer answer{.text = "", .is_no = *occlusion != Occlusion::kClear};
  answer.text = arguments.json ? occlusionAnswer(shot.id, *occlusion)
                               : absl::StrCat(titleOf(shot, Colors::of(stdout)),
                                              std::string(occlusionName(*occlusion)), "\n");
  return answer;
}

// The options of a shot that the command line and the shot itself give.
ShotOptions optionsOf(const NamedShot& shot, const World& world, const ShootArguments& arguments) {
  ShotOptions options = toOptions(shot.query, world.blockTypes());
  options.pass = arguments.pass == "plain" ? SearchPass::kPlain : SearchPass::kFast;
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

// Answers the shots in order. Among many a refused one is answered by its error; a single one ends
// it. The exit status is of the answer to a single one only.
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

// The same, with a log of them where one is asked for.
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

// Writes the pictures of the only shot.
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

// Finds what is wrong with the outputs before the work; the pictures stay open.
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
  for (NamedShot& shot : *shots)
    shot.query.rules = *rules;
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
  command->add_option("--levels", arguments->levels, "Levels to hit, like 2-3,0")
      ->capture_default_str();
  command
      ->add_option("--channel", arguments->channel,
                   "The purpose that block kinds are looked up for")
      ->capture_default_str();
  command->add_option("--corner", arguments->corner, "At exact corners: both, neither or staircase")
      ->check(oneOf({"both", "neither", "staircase"}))
      ->capture_default_str();
  command->add_option(
      "--segments", arguments->segments,
      "A file of segments, - for standard input: JSON lines with \"from\" and \"to\", or "
      "\"origin\", \"direction\" and \"max_distance\", and "
      "\"id\", \"levels\", \"channel\", \"corner\", \"unknown\" where they differ");
  CLI::Option* const closest =
      command->add_flag("--closest", arguments->closest, "Report only the first thing that is hit");
  CLI::Option* const occluded = command->add_flag(
      "--occluded", arguments->occluded,
      "Report only whether a solid block is in the way: clear, blocked, or unknown where part of "
      "the "
      "way is not loaded. For one segment the exit status says so too: 0 clear, 1 not");
  occluded->excludes(closest);
  command
      ->add_flag("--solid-only", arguments->solid_only,
                 "Let permeable blocks be, as if they were empty")
      ->excludes(occluded);
  command->add_option("--pass", arguments->pass, "How blocks are found: fast, or plain to compare")
      ->check(oneOf({"fast", "plain"}))
      ->capture_default_str();
  command
      ->add_option("--bounces", arguments->bounces,
                   "Follow the path off the faces that end it, up to this many times: an answer "
                   "for each part, named after its bounce")
      ->check(CLI::Range(0, 1000))
      ->excludes(closest)
      ->excludes(occluded)
      ->capture_default_str();
  addRuleOptions(*command, arguments->rules);
  addPictureOptions(*command, arguments->picture);
  command
      ->add_option("--record", arguments->record,
                   "Write a query log of what is asked and answered, for `fractalray replay`")
      ->type_name("LOG");
  command->add_flag("--unknown", arguments->unknown,
                    "Say from where on nothing is loaded, or that all is");
  command->add_flag("--json", arguments->json,
                    "Answer by JSON lines, as a scenario does: with \"hits\", or with \"hit\" of "
                    "--closest, \"occlusion\" of --occluded");
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
      "p is our p + 0.5.");
  return {command, [arguments] { return runShoot(*arguments); }};
}

}  // namespace fractalray
