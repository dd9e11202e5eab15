// SPDX-License-Identifier: Apache-2.0
// The program `fractalray-grpc`, which `fractalray serve --grpc` runs: what needs gRPC.
#include <array>

#include "../../serve/grpc/grpc_door.h"
#include "../program/command_line.h"
#include "../program/run_commands.h"
#include "../program/serve_command.h"

namespace fractalray {
namespace {

void addServeByGrpc(CommandLine& line) {
  addServeCommandWithGrpc(line, serve::makeGrpcDoor);
}

constexpr std::array<AddCommand, 1> kGrpcCommands = {addServeByGrpc};

}  // namespace
}  // namespace fractalray

int main(int argc, char** argv) {
  return fractalray::runCommands(argc, argv,
                                 {"fractalray", "Serve a world by gRPC, as `fractalray serve`.",
                                  "`fractalray serve --help` lists the options."},
                                 fractalray::kGrpcCommands);
}
