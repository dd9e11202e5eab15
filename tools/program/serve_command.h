// SPDX-License-Identifier: Apache-2.0
// The command `serve` of the program that speaks gRPC.
#pragma once

#include <memory>

#include "absl/status/statusor.h"

#include "../../serve/door.h"
#include "../../serve/grpc_options.h"

namespace fractalray {

class CommandLine;

using MakeGrpcDoor =
    absl::StatusOr<std::shared_ptr<serve::Door>> (*)(const serve::GrpcOptions& options);

// Adds the command `serve`, whose doors for gRPC are made by `make`; addServeCommand() leaves them
// to another program.
void addServeCommandWithGrpc(CommandLine& line, MakeGrpcDoor make);

}  // namespace fractalray
