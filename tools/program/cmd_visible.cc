// SPDX-License-Identifier: Apache-2.0
// `fractalray visible`: says whether an eye sees a box, and why.
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/scenario.h"
#include "color.h"
#include "command.h"
#include "command_line.h"
#include "output.h"
#include "output_check.h"
#include "query_choice.h"
#include "shot_page.h"
#include "sight_json.h"
#include "sight_option.h"
#include "sight_picture.h"
#include "sight_report.h"
#include "sight_text.h"
#include "sight_trace.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct VisibleArguments {
  WorldArguments world;
  std::string scenario;
  std::string query;
  SightArguments sight;
  std::string svg;
  std::string html;
  bool json = false;
};

// The files that show the answer.
struct Pictures {
  std::optional<OutputFile> svg;
  std::optional<OutputFile> html;
};

// A query of sight with everything that it needs.
struct VisibleCase {
  const World& world;
  const EntityIndex& entities;
  QueryId id;
  const ViewQuery& query;
  std::function<std::string_view(BlockTypeId)> name;
};

int visibleError(const absl::Status& error) {
  return reportError("visible", error, kExitUsage);
}

int print(const VisibleCase& asked, const SightReport& report, bool as_json) {
  absl::Status status = writeStdout(
      as_json ? sightReportJson(report, asked.id, asked.query, asked.name)
              : formatSight(report, asked.query.channel, asked.name, Colors::of(stdout)));
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("visible", status, kExitFailed);
}

// Draws the pictures that are wanted.
int draw(const VisibleCase& asked, const SightReport& report, Pictures& pictures) {
  if (pictures.svg.has_value()) {
    const absl::StatusOr<std::string> drawn =
        drawSight(asked.world, asked.entities, report, asked.name);
    if (!drawn.ok()) return visibleError(drawn.status());
    const absl::Status written = pictures.svg->write(*drawn);
    if (!written.ok()) return reportError("visible", written, kExitFailed);
  }
  if (pictures.html.has_value()) {
    const absl::StatusOr<Trace> trace = sightTrace(asked.world, report, asked.name);
    if (!trace.ok()) return visibleError(trace.status());
    const std::string words = formatSight(report, asked.query.channel, asked.name, Colors());
    const absl::Status written =
        pictures.html->write(shotPage(titleOfSight(report), *trace, words));
    if (!written.ok()) return reportError("visible", written, kExitFailed);
  }
  return kExitOk;
}

// Returns kExitFailed for the answers "no" and "unknown".
int answer(const VisibleCase& asked, const VisibleArguments& arguments, Pictures& pictures) {
  const absl::StatusOr<PreparedView> view = prepareView(asked.query, asked.world.blockTypes());
  if (!view.ok()) return visibleError(view.status());
  const absl::StatusOr<SightReport> report =
      reportSight(asked.world, asked.entities, view->query, asked.query.levels, view->options);
  if (!report.ok()) return visibleError(view->errorOf(report.status()));
  const int printed = print(asked, *report, arguments.json);
  if (printed != kExitOk) return printed;
  const int drawn = draw(asked, *report, pictures);
  if (drawn != kExitOk) return drawn;
  return report->answer.sight == Sight::kVisible ? kExitOk : kExitFailed;
}

int answerScenario(const VisibleArguments& arguments, Pictures& pictures) {
  absl::StatusOr<Scenario> scenario = readScenario(arguments.scenario, arguments.world.limits);
  if (!scenario.ok()) return visibleError(scenario.status());
  const absl::StatusOr<std::size_t> number = chooseQuery(
      *scenario, arguments.scenario, arguments.query,
      {"query of sight", "queries of sight", R"("visible" or "exposure")",
       [](const ScenarioQuery& query) { return std::holds_alternative<ViewQuery>(query.ask); }});
  if (!number.ok()) return visibleError(number.status());
  // The query is answered in the world that it sees: after the edits before it.
  if (const absl::Status edited = editScenario(*scenario, *number); !edited.ok()) {
    return reportError("visible", edited, kExitFailed);
  }
  const ScenarioQuery& query = scenario->queries[*number];
  return answer({.world = scenario->world,
                 .entities = scenario->entities,
                 .id = query.id,
                 .query = std::get<ViewQuery>(query.ask),
                 .name = [&](BlockTypeId type) -> std::string_view {
                   return scenario->type_names[BlockTypeTable::index(type)];
                 }},
                arguments, pictures);
}

int answerInWorld(const VisibleArguments& arguments, Pictures& pictures) {
  const absl::StatusOr<ViewQuery> query = readSightQuery(arguments.sight);
  if (!query.ok()) return visibleError(query.status());
  const absl::StatusOr<OpenedWorld> opened = openWorldFor("visible", arguments.world);
  if (!opened.ok()) return visibleError(opened.status());
  const absl::Status channel =
      findChannel(opened->world.blockTypes(), query->channel, "--channel").status();
  if (!channel.ok()) return visibleError(channel);
  const EntityIndex entities(opened->world.frame());
  QueryId id;
  id.text = "visible";
  const int answered = answer({.world = opened->world,
                               .entities = entities,
                               .id = std::move(id),
                               .query = *query,
                               .name = [&](BlockTypeId type) -> std::string_view {
                                 return opened->world.blockTypes().name(type);
                               }},
                              arguments, pictures);
  return answered != kExitOk ? answered : statusOf(*opened);
}

// Checks the pictures' files before the work, and opens them.
int openPictures(const VisibleArguments& arguments, Pictures& pictures) {
  std::vector<NamedFile> inputs = worldFiles(arguments.world);
  inputs.push_back({"--scenario", arguments.scenario});
  const std::array outputs = {NamedFile{"--svg", arguments.svg},
                              NamedFile{"--html", arguments.html}};
  absl::Status status = checkDistinct(outputs, inputs);
  if (status.ok()) status = checkFileType(outputs[0], ".svg");
  if (status.ok()) status = checkFileType(outputs[1], ".html");
  if (!status.ok()) return visibleError(status);
  for (const auto& [path, file] :
       {std::pair{&arguments.svg, &pictures.svg}, std::pair{&arguments.html, &pictures.html}}) {
    absl::StatusOr<std::optional<OutputFile>> opened = OutputFile::openIfNamed(*path);
    if (!opened.ok()) return reportError("visible", opened.status(), kExitFailed);
    *file = *std::move(opened);
  }
  return kExitOk;
}

int runVisible(const VisibleArguments& arguments) {
  if (arguments.scenario.empty() == arguments.world.world.empty()) {
    return visibleError(
        absl::InvalidArgumentError("give either --world, with --eye and --box, or --scenario"));
  }
  Pictures pictures;
  const int opened = openPictures(arguments, pictures);
  if (opened != kExitOk) return opened;
  return arguments.scenario.empty() ? answerInWorld(arguments, pictures)
                                    : answerScenario(arguments, pictures);
}

}  // namespace

void addVisibleCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "visible", "Say whether an eye sees any part of a box, and what hides it", runVisible);
  options.add("--scenario FILE", arguments.scenario,
              R"(A scenario file with a query whose op is "visible" or "exposure")");
  options.add("--query ID", arguments.query,
              "The id of the query in the scenario; needed if the scenario has several");
  options.needs("--query", "--scenario");
  addWorldOptions(options, arguments.world);
  addSightOptions(options, arguments.sight);
  // The query of a scenario has its own values of these.
  options.excludes("--types", "--scenario");
  excludeSightOptions(options, "--scenario");
  options.add("--svg FILE", arguments.svg,
              "Write a picture of the eye's view: the blocks that it sees, the box, the shadows of "
              "the boxes that hide it, or the line that sees it");
  options.add(
      "--html FILE", arguments.html,
      "Write a web page with a 3D view that you rotate with the mouse, and the words; it is "
      "one file and needs no network");
  options.flag("--json", arguments.json,
               "Print one JSON object: the answer as of `fractalray scenario`, with \"exposure\", "
               "\"line\", \"hiding\" and \"unloaded\"");
  options.footer(
      "Examples:\n"
      "  fractalray visible --world examples/worlds/w1 --eye -184.5,80.5,-52.5 \\\n"
      "    --box -185,80,-46..-184,81,-45.5 --channel visible && echo 'can be seen'\n"
      "  fractalray visible --world examples/worlds/w1 --eye -184.5,80.5,-52.5 \\\n"
      "    --box -185,80,-46..-184,81,-45.5 --svg view.svg --html view.html || echo 'glass stops a "
      "bullet'\n"
      "  fractalray visible --scenario tests/scenarios/visible.json --query aside || echo hidden\n"
      "The exit status is 0 if the box is visible, 1 if it is hidden or unknown.\n"
      "See docs/queries/visible.md.");
}

}  // namespace fractalray
