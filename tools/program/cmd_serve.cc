// SPDX-License-Identifier: Apache-2.0
// `fractalray serve`: answers batches of other processes from a world.
#include <memory>
#include <string>
#include <utility>

#include "../../formats/scenario.h"
#include "../../serve/world_source.h"
#include "command.h"
#include "command_line.h"
#include "other_program.h"
#include "serve_command.h"
#include "serve_option.h"
#include "world_option.h"

namespace fractalray {
namespace {

struct ServeWorldArguments {
  ServeArguments serve;
  WorldArguments world;
  std::string scenario;
  serve::GrpcOptions grpc;
  MakeGrpcDoor make_grpc_door = nullptr;
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
  Doors doors;
  if (!arguments.grpc.listen.empty()) {
    absl::StatusOr<std::shared_ptr<serve::Door>> door = arguments.make_grpc_door(arguments.grpc);
    if (!door.ok()) return reportError("serve", door.status(), kExitUsage);
    doors.push_back(*std::move(door));
  }
  return serveSource(arguments.serve, doors, [&] { return openSource(arguments); });
}

void addGrpcOptions(CommandOptions& options, serve::GrpcOptions& grpc) {
  options.add("--grpc ADDRESS", grpc.listen,
              "unix:PATH or tcp:HOST:PORT, where clients connect by gRPC; may be repeated");
  options.add("--tls-certificate FILE", grpc.certificate,
              "The server's certificate, for TLS at gRPC's TCP addresses");
  options.add("--tls-key FILE", grpc.key, "The key of that certificate");
  options.add("--tls-client-ca FILE", grpc.client_ca,
              "Accept only clients with a certificate of these authorities");
  options.needs("--tls-certificate", "--grpc");
  options.needs("--tls-certificate", "--tls-key");
  options.needs("--tls-key", "--tls-certificate");
  options.needs("--tls-client-ca", "--tls-certificate");
}

// Adds all but what gRPC is answered by.
ServeWorldArguments& addServe(CommandLine& line) {
  auto [options, arguments] =
      line.addCommand("serve", "Answer batches of other processes from a world", runServe);
  line.passOn("serve", "--store", kStoreProgram);
  addWorldOptions(options, arguments.world);
  options.add("--scenario FILE", arguments.scenario, "Serve the world of a scenario file instead");
  options.excludes("--scenario", "--world");
  addServeOptions(options, arguments.serve);
  addGrpcOptions(options, arguments.grpc);
  options.footer(
      "Example:\n"
      "  timeout --preserve-status 1 fractalray serve --listen unix:fr.sock \\\n"
      "    --scenario tests/scenarios/first-steps.json\n"
      "fractalray serve --store URL serves a map in PostgreSQL, and has options of its\n"
      "own: fractalray serve --store URL --help.\n"
      "docs/serve.md has clients, limits and failures.");
  return arguments;
}

}  // namespace

void addServeCommand(CommandLine& line) {
  addServe(line);
  line.passOn("serve", "--grpc", kGrpcProgram);
}

void addServeCommandWithGrpc(CommandLine& line, MakeGrpcDoor make) {
  addServe(line).make_grpc_door = make;
}

}  // namespace fractalray
