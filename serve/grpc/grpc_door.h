// SPDX-License-Identifier: Apache-2.0
// The door of a server for gRPC: the calls of fractalray.proto, and grpc.health.v1. docs/serve.md.
#pragma once

#include <memory>

#include "absl/status/statusor.h"

#include "../door.h"
#include "../grpc_options.h"

namespace fractalray::serve {

// Returns a door that is not open yet. Its addresses are those for clients: "grpc://HOST:PORT",
// "grpcs://HOST:PORT" with TLS, "grpc+unix:PATH". INVALID_ARGUMENT for wrong options, and errors of
// their files; open() adds INVALID_ARGUMENT for a certificate or key that is none.
absl::StatusOr<std::shared_ptr<Door>> makeGrpcDoor(const GrpcOptions& options);

}  // namespace fractalray::serve
