// SPDX-License-Identifier: Apache-2.0
// `fractalray shoot`: all hits of segments through a world, the closest hit, or line of sight,
// answered by tables or by JSON lines.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/input_file.h"
#include "../../formats/query_json.h"
#include "../../formats/replay/query_recorder.h"
#include "../../formats/world_format.h"
#include "../../query/ray_query_service.h"
#include "arguments.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "output_check.h"
#include "picture_option.h"
#include "progress.h"
#include "rule_option.h"
#include "shot_answer.h"
#include "shot_input.h"
#include "shot_line_option.h"
#include "shot_option.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ShootArguments {
  WorldArguments world;
  ShotLineArguments line;
  std::string levels = "3";
  ShotQuery shot;  // the options of all shots
  std::string segments;
  std::string record;
  AnswerForm form;
  PictureArguments picture;
  RuleArguments rules;
};

// The shots that are requested: all of them, or a stream.
struct RequestedShots {
  std::vector<NamedShot> shots{};
  std::optional<ShotStream> stream{};
};

// Reads the shots of a file before the first is answered, but not those of a pipe or a terminal,
// whose next line may be an answer to the answer to the last.
absl::StatusOr<RequestedShots> readSegments(const std::string& segments, const ShotQuery& usual,
                                            const InputLimits& limits) {
  absl::StatusOr<InputStream> input = InputStream::open(segments);
  if (!input.ok()) return input.status();
  if (input->isLive()) {
    return RequestedShots{.stream = ShotStream(*std::move(input), usual, limits)};
  }
  const absl::StatusOr<std::string> text = readStream(input->file(), input->name(), limits);
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<NamedShot>> shots = readShotLines(*text, input->name(), usual, limits);
  if (!shots.ok()) return shots.status();
  return RequestedShots{.shots = *std::move(shots)};
}

absl::StatusOr<RequestedShots> readShots(const ShootArguments& arguments) {
  if (arguments.picture.wanted() && (!arguments.segments.empty() || arguments.form.closest ||
                                     arguments.form.occluded || arguments.form.bounces > 0)) {
    return absl::InvalidArgumentError(
        "--svg and --html draw one whole shot; give --from and --to or a ray, without --segments, "
        "--closest, --occluded and --bounces");
  }
  if (!arguments.segments.empty() && arguments.line.wanted()) {
    return absl::InvalidArgumentError(
        "--segments has the ends of its shots; leave out --from and --to, --origin and "
        "--direction");
  }
  if (arguments.rules.wanted() && (arguments.form.closest || arguments.form.occluded)) {
    return absl::InvalidArgumentError(
        "--rule and --budget decide where a shot ends; --closest and --occluded stop at the first "
        "hit, whatever its rule; give one or the other");
  }
  const absl::StatusOr<LevelMask> levels = parseLevelMask(arguments.levels);
  if (!levels.ok()) return levels.status();
  ShotQuery usual = arguments.shot;
  usual.levels = *levels;
  if (!arguments.segments.empty()) {
    return readSegments(arguments.segments, usual, arguments.world.limits);
  }
  if (!arguments.line.wanted()) {
    return absl::InvalidArgumentError(
        "no line to shoot along; give --from x,y,z and --to x,y,z, --origin and --direction, or "
        "--segments FILE");
  }
  const absl::StatusOr<std::variant<Segment, Ray>> line = readShotLine(arguments.line);
  if (!line.ok()) return line.status();
  absl::StatusOr<NamedShot> shot = namedShot(*line, usual);
  if (!shot.ok()) return shot.status();
  return RequestedShots{.shots = {*std::move(shot)}};
}

// Holds what the command line gives to all shots.
struct CommonToShots {
  std::shared_ptr<const NamedRules> rules;
  bool unknown = false;  // true if a line may hit something that could not be read
};

// Checks the channel of a shot, and gives it what is common to all.
absl::Status prepareShot(NamedShot& shot, const World& world, const CommonToShots& common) {
  shot.query.rules = common.rules;
  shot.query.options.report_unknown |= common.unknown;
  return findChannel(world.blockTypes(), shot.query.channel, shot.channel_source).status();
}

// Answers one of many shots, by its error if it is refused.
absl::Status answerOneOfMany(const NamedShot& shot, const World& world,
                             const RayQueryService& service, const AnswerForm& form) {
  const absl::StatusOr<PrintedAnswer> answer = answerShot(shot, world, service, form);
  return writeStdout(answer.ok() ? answer->text : formatError(shot, answer.status(), form));
}

// Answers the only shot; the exit status is that of the answer.
int answerSingle(const NamedShot& shot, const World& world, const RayQueryService& service,
                 const AnswerForm& form) {
  const absl::StatusOr<PrintedAnswer> answer = answerShot(shot, world, service, form);
  if (!answer.ok()) return reportError("shoot", answer.status(), kExitUsage);
  absl::Status status = writeStdout(answer->text);
  if (status.ok()) status = flushStdout();
  if (!status.ok()) return reportError("shoot", status, kExitFailed);
  return answer->is_no ? kExitFailed : kExitOk;
}

int answerMany(const std::vector<NamedShot>& shots, const World& world,
               const RayQueryService& service, const AnswerForm& form) {
  Progress progress("shooting", shots.size());
  std::uint64_t done = 0;
  for (const NamedShot& shot : shots) {
    const absl::Status status = answerOneOfMany(shot, world, service, form);
    if (!status.ok()) return reportError("shoot", status, kExitFailed);
    progress.update(++done);
  }
  const absl::Status status = flushStdout();
  return status.ok() ? kExitOk : reportError("shoot", status, kExitFailed);
}

// Answers each shot of a stream before it waits for the next.
int answerStream(ShotStream& shots, const World& world, const RayQueryService& service,
                 const AnswerForm& form, const CommonToShots& common) {
  while (true) {
    absl::StatusOr<std::optional<NamedShot>> shot = shots.next();
    if (shot.ok() && !shot->has_value()) return kExitOk;
    absl::Status status = shot.status();
    if (status.ok()) status = prepareShot(**shot, world, common);
    if (!status.ok()) return reportError("shoot", status, kExitUsage);
    status = answerOneOfMany(**shot, world, service, form);
    if (status.ok()) status = flushStdout();
    if (!status.ok()) return reportError("shoot", status, kExitFailed);
  }
}

// Answers the shots, and logs them on request.
int answerShots(RequestedShots& requested, const World& world, const ShootArguments& arguments,
                const CommonToShots& common) {
  const EntityIndex entities(world.frame());
  RayQueryService service(world, entities);
  const auto answer = [&] {
    if (requested.stream.has_value()) {
      return answerStream(*requested.stream, world, service, arguments.form, common);
    }
    return arguments.segments.empty()
               ? answerSingle(requested.shots.front(), world, service, arguments.form)
               : answerMany(requested.shots, world, service, arguments.form);
  };
  if (arguments.record.empty()) return answer();
  const auto recorder = QueryRecorder::open(arguments.record, world, entities);
  if (!recorder.ok()) return reportError("shoot", recorder.status(), kExitFailed);
  service.setObserver(recorder->get());
  const int answered = answer();
  const absl::Status closed = (*recorder)->close();
  return closed.ok() ? answered : reportError("shoot", closed, kExitFailed);
}

// Writes the pictures of a single shot.
int drawShot(const NamedShot& shot, const World& world, PictureFiles& files) {
  const EntityIndex entities(world.frame());
  const QueryOptions options = toOptions(shot.query, world.blockTypes());
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
  absl::StatusOr<RequestedShots> requested = readShots(arguments);
  if (!requested.ok()) return reportError("shoot", requested.status(), kExitUsage);
  PictureFiles pictures;
  int status = openOutputs(arguments, pictures);
  if (status != kExitOk) return status;
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("shoot", arguments.world);
  if (!opened.ok()) return reportError("shoot", opened.status(), kExitUsage);
  const auto rules = readRules(arguments.rules, opened->world.blockTypes());
  if (!rules.ok()) return reportError("shoot", rules.status(), kExitUsage);
  const CommonToShots common{.rules = *rules, .unknown = opened->report.isPartial()};
  for (NamedShot& shot : requested->shots) {
    const absl::Status prepared = prepareShot(shot, opened->world, common);
    if (!prepared.ok()) return reportError("shoot", prepared, kExitUsage);
  }
  status = answerShots(*requested, opened->world, arguments, common);
  if (status == kExitOk && arguments.picture.wanted()) {
    status = drawShot(requested->shots.front(), opened->world, pictures);
  }
  return status != kExitOk ? status : statusOf(*opened);
}

}  // namespace

void addShootCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "shoot", absl::StrCat("Shoot one segment, or many, through a ", worldFormatNames(), " world"),
      runShoot);
  addWorldOptions(options, arguments.world);
  options.require("--world");
  addShotLineOptions(options, arguments.line);
  options.add("--levels LEVELS", arguments.levels, "The levels to hit, like 2-3,0");
  addShotOptions(options, arguments.shot);
  options.add("--segments FILE", arguments.segments,
              "A file of JSON lines, or - for standard input, each with \"from\" and \"to\", or "
              "\"origin\", \"direction\" and \"max_distance\"; \"id\", \"levels\" and options "
              "such as \"channel\" and \"max_hits\" override those given here");
  options.flag("--closest", arguments.form.closest, "Report only the first hit");
  options.flag("--occluded", arguments.form.occluded,
               "Report only the line of sight: clear, blocked by a solid block, or unknown if part "
               "of it is not loaded. The exit status for a single segment is 0 if it is clear, "
               "else 1");
  options.add("--bounces N", arguments.form.bounces,
              "Reflect the shot at the faces that end it, at most N times; each part has an answer "
              "of its own",
              1000);
  options.excludes("--occluded", "--closest");
  options.excludes("--solid-only", "--occluded");
  options.excludes("--bounces", "--closest");
  options.excludes("--bounces", "--occluded");
  addRuleOptions(options, arguments.rules);
  addPictureOptions(options, arguments.picture);
  options.add("--record LOG", arguments.record,
              "Write a query log of the queries and answers, for `fractalray replay`");
  options.flag("--json", arguments.form.json,
               "Print JSON lines as `fractalray scenario` does, with \"hits\"; with \"hit\" for "
               "--closest, \"occlusion\" for --occluded");
  options.footer(
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
}

}  // namespace fractalray
