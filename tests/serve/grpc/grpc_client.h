// SPDX-License-Identifier: Apache-2.0
// Clients of the gRPC door, without the package of Python.
#pragma once

#include <fractalray.grpc.pb.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "../../../serve/server.h"

namespace fractalray::testing {

// Returns the options with a door for gRPC at a TCP port that the system chooses.
serve::ServeOptions withGrpc(serve::ServeOptions options = {});

// The outcome of a call.
struct GrpcAnswer {
  grpc::StatusCode code = grpc::StatusCode::UNKNOWN;
  std::string error;
  std::uint64_t retry_us = 0;
  std::string body;
  std::string world;
};

class GrpcClient {
 public:
  // Connects to an address of GrpcDoor: "grpc://HOST:PORT".
  explicit GrpcClient(const std::string& address);

  // Calls of the message Call of fractalray.proto: with this client's version, unless it has one.
  GrpcAnswer ask(v1::Call call, grpc::ClientContext& context);
  GrpcAnswer ask(const v1::Call& call) {
    grpc::ClientContext context;
    return ask(call, context);
  }
  GrpcAnswer describe(std::int32_t version, grpc::ClientContext& context);
  // Calls any method with any bytes; the answer's body is the whole message.
  GrpcAnswer callRaw(const std::string& method, std::string_view message);

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Queries::Stub> stub_;
};

// Returns a call of a verb with this body.
v1::Call callOf(v1::Verb verb, const std::string& body);
// Makes a context name a token.
void setToken(grpc::ClientContext& context, const std::string& token);

}  // namespace fractalray::testing
