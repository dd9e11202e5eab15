// SPDX-License-Identifier: Apache-2.0
#include "grpc_client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <utility>
#include <vector>

#include "../../../bindings/c/fractalray_c.h"
#include "../../../serve/grpc/grpc_door.h"

namespace fractalray::testing {
namespace {

GrpcAnswer answerFrom(const grpc::Status& status, const grpc::ClientContext& context) {
  GrpcAnswer answer;
  answer.code = status.error_code();
  answer.error = status.error_message();
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto found = metadata.find("fractalray-retry-us");
  if (found != metadata.end()) {
    const std::string text(found->second.data(), found->second.size());
    answer.retry_us = std::strtoull(text.c_str(), nullptr, 10);
  }
  return answer;
}

std::string bytesIn(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices)
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

}  // namespace

serve::ServeOptions withGrpc(serve::ServeOptions options) {
  auto door = serve::makeGrpcDoor({.listen = {"tcp:127.0.0.1:0"}});
  EXPECT_TRUE(door.ok()) << door.status();
  if (!door.ok()) std::abort();
  options.doors.push_back(*std::move(door));
  return options;
}

GrpcClient::GrpcClient(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  // Each client has a connection of its own.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  const std::string target = address.substr(address.find("://") + 3);
  channel_ = grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
  stub_ = v1::Queries::NewStub(channel_);
}

GrpcAnswer GrpcClient::ask(v1::Call call, grpc::ClientContext& context) {
  if (call.version() == 0) call.set_version(FR_VERSION);
  v1::Answer message;
  const grpc::Status status = stub_->Ask(&context, call, &message);
  GrpcAnswer answer = answerFrom(status, context);
  answer.body = message.body();
  return answer;
}

GrpcAnswer GrpcClient::describe(std::int32_t version, grpc::ClientContext& context) {
  v1::Hello hello;
  hello.set_version(version);
  v1::Answer message;
  const grpc::Status status = stub_->Describe(&context, hello, &message);
  GrpcAnswer answer = answerFrom(status, context);
  answer.body = message.body();
  answer.world = message.world();
  return answer;
}

GrpcAnswer GrpcClient::callRaw(const std::string& method, std::string_view message) {
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  const grpc::Slice slice(message.data(), message.size());
  const grpc::ByteBuffer request(&slice, 1);
  grpc::ByteBuffer response;
  std::promise<grpc::Status> done;
  stub.UnaryCall(&context, method, {}, &request, &response,
                 [&done](grpc::Status status) { done.set_value(std::move(status)); });
  const grpc::Status status = done.get_future().get();
  GrpcAnswer answer = answerFrom(status, context);
  answer.body = bytesIn(response);
  return answer;
}

v1::Call callOf(v1::Verb verb, const std::string& body) {
  v1::Call call;
  call.set_verb(verb);
  call.set_body(body);
  return call;
}

void setToken(grpc::ClientContext& context, const std::string& token) {
  context.AddMetadata("authorization", "Bearer " + token);
}

}  // namespace fractalray::testing
