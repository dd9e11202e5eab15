// SPDX-License-Identifier: Apache-2.0
// `fractalray serve`: answers batches of other processes from a world.
#include <memory>
#include <string>
#include <utility>

#include "../../formats/scenario.h"
#include "../../serve/world_source.h"
#include "command.h"
#include "command_line.h"
#include "serve_option.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ServeWorldArguments {
  ServeArguments serve;
  WorldArguments world;
  std::string scenario;
};

absl::StatusOr<std::unique_ptr<serve::AnswerSource>> openSource(
    const ServeWorldArguments& arguments) {
  if (!arguments.scenario.empty()) {
    absl::StatusOr<Scenario> read = readScenario(arguments.scenario, arguments.world.limits);
    if (!read.ok()) return read.status();
    const auto scenario = std::make_shared<const Scenario>(*std::move(read));
    return std::make_unique<serve::WorldSource>(
        std::shared_ptr<const World>(scenario, &scenario->world),
        std::shared_ptr<const EntityIndex>(scenario, &scenario->entities));
  }
  if (arguments.world.world.empty()) {
    return absl::InvalidArgumentError("no world to serve; give --world, --scenario or --store");
  }
  absl::StatusOr<OpenedWorld> opened = openWorldFor("serve", arguments.world);
  if (!opened.ok()) return opened.status();
  const auto world = std::make_shared<const World>(std::move(opened->world));
  return std::make_unique<serve::WorldSource>(world,
                                              std::make_shared<const EntityIndex>(world->frame()));
}

int runServe(const ServeWorldArguments& arguments) {
  return serveSource(arguments.serve, [&] { return openSource(arguments); });
}

}  // namespace

void addServeCommand(CommandLine& line) {
  auto [options, arguments] =
      line.addCommand("serve", "Answer batches of other processes from a world", runServe);
  line.passOn("serve", "--store", kStoreProgram);
  addWorldOptions(options, arguments.world);
  options.add("--scenario FILE", arguments.scenario, "Serve the world of a scenario file instead");
  options.excludes("--scenario", "--world");
  addServeOptions(options, arguments.serve);
  options.footer(
      "Example:\n"
      "  timeout --preserve-status 1 fractalray serve --listen unix:fr.sock \\\n"
      "    --scenario tests/scenarios/first-steps.json\n"
      "fractalray serve --store URL serves a map in PostgreSQL, and has options of its\n"
      "own: fractalray serve --store URL --help.\n"
      "docs/serve.md has clients, limits and failures.");
}

}  // namespace fractalray
