// SPDX-License-Identifier: Apache-2.0
// Clients that begin a call and send nothing are cancelled.
#include "../../../serve/grpc/time_limit.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>

#include "../door.h"
#include "grpc_client.h"

namespace fractalray::testing {
namespace {

// A call of which nothing is sent.
class SilentCall : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  explicit SilentCall(const std::string& address)
      : stub_(grpc::CreateChannel(address.substr(address.find("://") + 3),
                                  grpc::InsecureChannelCredentials())) {
    stub_.PrepareBidiStreamingCall(&context_, "/fractalray.v1.Queries/Ask", {}, this);
    StartCall();
  }

  void cancel() { context_.TryCancel(); }
  grpc::Status wait() { return done_.get_future().get(); }

 private:
  void OnDone(const grpc::Status& status) override { done_.set_value(status); }

  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  std::promise<grpc::Status> done_;
};

TEST(TimeLimitTest, ACallWithoutAMessageIsCancelled) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.frame_time = std::chrono::milliseconds(200);
  const Door door(source, withGrpc(options));
  SilentCall silent(door.otherAddress());
  EXPECT_FALSE(silent.wait().ok());
  GrpcClient client(door.otherAddress());
  EXPECT_EQ(client.ask(callOf(v1::CLOSEST_HITS, "")).code, grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(TimeLimitTest, ManyCallsAtOnceAreRefused) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.limits.connections = 2;
  const Door door(source, withGrpc(options));
  SilentCall first(door.otherAddress());
  SilentCall second(door.otherAddress());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  GrpcClient client(door.otherAddress());
  GrpcAnswer answer;
  for (int i = 0; i < 500 && answer.code != grpc::StatusCode::RESOURCE_EXHAUSTED; ++i) {
    answer = client.ask(callOf(v1::CLOSEST_HITS, ""));  // until both have reached the server
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(answer.code, grpc::StatusCode::RESOURCE_EXHAUSTED) << answer.error;
  EXPECT_EQ(door.metric("refused_total{reason=\"too_many_connections\"}"), 1);
  first.cancel();
  second.cancel();
  EXPECT_EQ(first.wait().error_code(), grpc::StatusCode::CANCELLED);
  EXPECT_EQ(second.wait().error_code(), grpc::StatusCode::CANCELLED);
}

}  // namespace
}  // namespace fractalray::testing
