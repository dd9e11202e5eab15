// SPDX-License-Identifier: Apache-2.0
// The gRPC door answers as the plain one does, byte for byte, and shares its queue, tokens and
// metrics.
#include "../../../serve/grpc/grpc_door.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../../bindings/c/internal/remote_request.h"
#include "../../../serve/world_source.h"
#include "../../c/golden_scene.h"
#include "../../c/sized.h"
#include "../door.h"
#include "../raw_client.h"
#include "grpc_client.h"

namespace fractalray::testing {
namespace {

using golden::Scene;
using oracle::Rng;

constexpr std::array kRemoteVerbs = {capi::RemoteVerb::kClosestHits, capi::RemoteVerb::kCompactHits,
                                     capi::RemoteVerb::kOccludedMany};

// Returns the body of a call as the client of the plain door makes it.
std::string bodyOf(const capi::RemoteCall& call) {
  const wire::HelloAnswer server{.batch_lines = 65'536, .frame_bytes = 1 << 25};
  const std::string at_least;
  capi::RemoteRequest request;
  const absl::Status status = request.make(call, 1, 0, at_least, server);
  EXPECT_TRUE(status.ok()) << status;
  std::string body;
  for (const iovec& part : request.parts().subspan(1))  // without the head of the frame
    body.append(static_cast<const char*>(part.iov_base), part.iov_len);
  return body;
}

TEST(GrpcDoorTest, GoldenLinesHaveTheAnswersOfThePlainDoor) {
  Rng rng("golden shots");
  for (int number = 0; number < 20; ++number) {
    const Scene scene(rng);
    TestSource source(scene.world());
    const Door door(source, withGrpc());
    RawClient plain(door.address());
    ASSERT_TRUE(plain.sayHello());
    GrpcClient client(door.otherAddress());
    std::vector<frLine> array;
    for (int i = 0; i < 100; ++i)
      array.push_back(scene.segment(rng));
    frLines lines = sized<frLines>();
    lines.count = array.size();
    lines.lines = array.data();
    frQueryOptions options = sized<frQueryOptions>();
    options.report_unknown = 1;
    std::vector<double> unknown(array.size());
    std::vector<frBlocker> blockers(array.size());
    for (const auto verb : {wire::kClosestHits, wire::kCompactHits, wire::kOccludedMany}) {
      capi::RemoteCall call;
      call.lines = &lines;
      call.levels = FR_ALL_LEVELS;
      call.options = &options;
      if (verb == wire::kOccludedMany) {
        call.blockers = blockers.data();
      } else {
        call.unknown_from = unknown.data();
      }
      call.verb = kRemoteVerbs[verb - wire::kClosestHits];
      const std::string body = bodyOf(call);
      ASSERT_TRUE(plain.send(frameOf(verb, body)));
      wire::FrameHead head;
      std::string expected;
      ASSERT_TRUE(plain.receiveFrame(head, expected));
      ASSERT_EQ(head.result, FR_OK);
      const GrpcAnswer answer = client.ask(callOf(static_cast<v1::Verb>(verb), body));
      ASSERT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
      EXPECT_EQ(answer.body, expected);
    }
  }
}

TEST(GrpcDoorTest, DescribeAnswersAsTheHelloOfThePlainDoor) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source, withGrpc());
  RawClient plain(door.address());
  ASSERT_TRUE(plain.send(frameOf(wire::kHello, "")));
  wire::FrameHead head;
  std::string expected;
  ASSERT_TRUE(plain.receiveFrame(head, expected));
  GrpcClient client(door.otherAddress());
  grpc::ClientContext context;
  const GrpcAnswer answer = client.describe(FR_VERSION, context);
  ASSERT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
  EXPECT_EQ(answer.body, expected);
  EXPECT_EQ(answer.world, "test");
  grpc::ClientContext other;
  EXPECT_EQ(client.describe(FR_VERSION + 1000, other).code, grpc::StatusCode::FAILED_PRECONDITION);
}

TEST(GrpcDoorTest, TokensAreMetadata) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.tokens = serve::Tokens({"open sesame"});
  const Door door(source, withGrpc(options));
  GrpcClient client(door.otherAddress());
  const v1::Call call = callOf(v1::CLOSEST_HITS, bodyOfLines(3));
  for (const std::string token : {"", "open", "open sesame!"}) {
    grpc::ClientContext asking;
    grpc::ClientContext describing;
    if (!token.empty()) setToken(asking, token);
    if (!token.empty()) setToken(describing, token);
    const GrpcAnswer answer = client.ask(call, asking);
    EXPECT_EQ(answer.code, grpc::StatusCode::PERMISSION_DENIED);
    EXPECT_NE(answer.error.find("token"), std::string::npos) << answer.error;
    EXPECT_EQ(client.describe(FR_VERSION, describing).code, grpc::StatusCode::PERMISSION_DENIED);
  }
  grpc::ClientContext context;
  setToken(context, "open sesame");
  EXPECT_EQ(client.ask(call, context).code, grpc::StatusCode::OK);
  EXPECT_EQ(door.metric("refused_total{reason=\"wrong_token\"}"), 6);
  EXPECT_EQ(door.metric("calls_total{verb=\"closest_hits\",result=\"OK\"}"), 1);
}

TEST(GrpcDoorTest, CallsNameTheVersionThatTheyNeed) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source, withGrpc());
  GrpcClient client(door.otherAddress());
  const auto codeFor = [&client](const std::string& version) {
    std::string body = bodyOfLines(3);
    wire::CallHead head;
    std::memcpy(&head, body.data(), sizeof head);
    head.at_least_bytes = static_cast<std::uint32_t>(version.size());
    std::memcpy(body.data(), &head, sizeof head);
    body += version;
    body.resize(wire::padded(body.size()));
    return client.ask(callOf(v1::CLOSEST_HITS, body)).code;
  };
  EXPECT_EQ(codeFor("test@1"), grpc::StatusCode::OK);
  EXPECT_EQ(codeFor("test@2"), grpc::StatusCode::FAILED_PRECONDITION);
}

TEST(GrpcDoorTest, TypesAreThoseOfThePlainDoor) {
  World world;
  ASSERT_TRUE(world.blockTypes().add({.name = "stone"}).ok());
  const auto shared = std::make_shared<const World>(std::move(world));
  serve::WorldSource source(shared, std::make_shared<const EntityIndex>(shared->frame()));
  const Door door(source, withGrpc());
  RawClient plain(door.address());
  ASSERT_TRUE(plain.sayHello());
  ASSERT_TRUE(plain.send(frameOf(wire::kBlockTypes, "")));
  wire::FrameHead head;
  std::string expected;
  ASSERT_TRUE(plain.receiveFrame(head, expected));
  EXPECT_NE(expected.find("stone"), std::string::npos);
  GrpcClient client(door.otherAddress());
  const GrpcAnswer answer = client.ask(callOf(v1::BLOCK_TYPES, ""));
  ASSERT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
  EXPECT_EQ(answer.body, expected);
  EXPECT_EQ(client.ask(callOf(v1::BLOCK_TYPES, "12345678")).code,
            grpc::StatusCode::RESOURCE_EXHAUSTED)
      << "it has no body";
  const SmallWorld small;
  TestSource changing(small.get());
  const Door other(changing, withGrpc());
  EXPECT_EQ(GrpcClient(other.otherAddress()).ask(callOf(v1::BLOCK_TYPES, "")).code,
            grpc::StatusCode::FAILED_PRECONDITION);
}

TEST(GrpcDoorTest, CallsNameTheBlockTypesOfWhichTheirNumbersAre) {
  const auto world = std::make_shared<const World>();
  serve::WorldSource source(world, std::make_shared<const EntityIndex>(world->frame()));
  const Door door(source, withGrpc());
  GrpcClient client(door.otherAddress());
  v1::Call call = callOf(v1::CLOSEST_HITS, bodyOfLines(1));
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::OK);
  call.set_block_types(source.blockTypes());
  EXPECT_EQ(client.ask(call).code, grpc::StatusCode::OK);
  call.set_block_types(source.blockTypes() + 1);
  const GrpcAnswer answer = client.ask(call);
  EXPECT_EQ(answer.code, grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_NE(answer.error.find("block types"), std::string::npos) << answer.error;
}

TEST(GrpcDoorTest, AHelloIsShort) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source, withGrpc());
  GrpcClient client(door.otherAddress());
  const auto codeOf = [&client](const std::string& message) {
    return client.callRaw("/fractalray.v1.Queries/Describe", message).code;
  };
  const std::string unknown =
      "\x12\xe8\x07" + std::string(1000, 'x');  // a field of that many bytes
  EXPECT_EQ(codeOf(unknown), grpc::StatusCode::FAILED_PRECONDITION) << "version 0";
  EXPECT_EQ(codeOf(unknown + unknown), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(codeOf("\x08"), grpc::StatusCode::INVALID_ARGUMENT) << "a number is missing";
}

TEST(GrpcDoorTest, TicksAreFedByTokensWithTheRight) {
  const auto world = std::make_shared<const World>();
  serve::WorldSource source(world, std::make_shared<const EntityIndex>(world->frame()));
  serve::ServeOptions options;
  options.feed_tokens = serve::Tokens({"game"});
  const Door door(source, withGrpc(options));
  GrpcClient client(door.otherAddress());
  const auto feed = [&client](const std::string& body) {
    grpc::ClientContext context;
    setToken(context, "game");
    return client.ask(callOf(v1::FEED_TICK, body), context);
  };
  wire::TickHead tick;
  tick.tick = 41;
  tick.is_whole = 1;
  EXPECT_EQ(client.ask(callOf(v1::FEED_TICK, bytesOf(tick))).code,
            grpc::StatusCode::PERMISSION_DENIED);
  const GrpcAnswer fed = feed(bytesOf(tick));
  EXPECT_EQ(fed.code, grpc::StatusCode::OK) << fed.error;
  EXPECT_EQ(fed.body, "");
  const GrpcAnswer answer = client.ask(callOf(v1::CLOSEST_HITS, bodyOfLines(1)));
  ASSERT_EQ(answer.code, grpc::StatusCode::OK) << answer.error;
  wire::AnswerHead head;
  ASSERT_GE(answer.body.size(), sizeof head);
  std::memcpy(&head, answer.body.data(), sizeof head);
  EXPECT_EQ(head.tick, 41U);
  tick.tick = 43;
  tick.is_whole = 0;
  EXPECT_EQ(feed(bytesOf(tick)).code, grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(feed("").code, grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(GrpcDoorTest, HealthNeedsNoToken) {
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  options.tokens = serve::Tokens({"open sesame"});
  const Door door(source, withGrpc(options));
  GrpcClient client(door.otherAddress());
  const std::string serving("\x08\x01", 2);  // the field `status` is SERVING
  EXPECT_EQ(client.callRaw("/grpc.health.v1.Health/Check", "").body, serving);
  EXPECT_EQ(client
                .callRaw("/grpc.health.v1.Health/Check",
                         "\x0a\x15"
                         "fractalray.v1.Queries")
                .body,
            serving);
  EXPECT_EQ(client.callRaw("/grpc.health.v1.Health/Check", "\x0a\x05other").code,
            grpc::StatusCode::NOT_FOUND);
}

TEST(GrpcDoorTest, AnAddressInUseIsAnError) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source, withGrpc());
  const std::string host_port = door.otherAddress().substr(std::string("grpc://").size());
  for (const std::string& address : {"tcp:" + host_port, door.address()}) {
    serve::ServeOptions options;
    auto other = serve::makeGrpcDoor({.listen = {address}});
    ASSERT_TRUE(other.ok()) << other.status();
    options.doors.push_back(*std::move(other));
    EXPECT_EQ(serve::Server::open(options, source).status().code(),
              absl::StatusCode::kAlreadyExists);
  }
  RawClient still_there(door.address());
  EXPECT_TRUE(still_there.sayHello());
}

TEST(GrpcDoorTest, WrongOptionsAreErrors) {
  const auto code = [](const serve::GrpcOptions& options) {
    return serve::makeGrpcDoor(options).status().code();
  };
  EXPECT_EQ(code({}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.listen = {"tcp:[::1]:0"}, .certificate = "a.pem"}),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.listen = {"tcp:[::1]:0"}, .client_ca = "a.pem"}),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({.listen = {"tcp:[::1]:0"}, .certificate = "no such", .key = "no such"}),
            absl::StatusCode::kNotFound);
  const SmallWorld world;
  TestSource source(world.get());
  serve::ServeOptions options;
  const std::string text = FRACTALRAY_SOURCE_DIR "/LICENSE";
  auto door =
      serve::makeGrpcDoor({.listen = {"tcp:127.0.0.1:0"}, .certificate = text, .key = text});
  ASSERT_TRUE(door.ok()) << door.status();
  options.doors.push_back(*std::move(door));
  const absl::Status status = serve::Server::open(options, source).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("certificate"), absl::string_view::npos) << status;
}

}  // namespace
}  // namespace fractalray::testing
