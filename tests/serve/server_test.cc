// SPDX-License-Identifier: Apache-2.0
// Tokens, limits, versions and metrics of a server.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../../serve/listener.h"
#include "../../serve/metrics.h"
#include "../c/sized.h"
#include "door.h"
#include "raw_client.h"

namespace fractalray::testing {
namespace {

using serve::ServeOptions;
using serve::Tokens;

// Sends a frame, and returns the head of the answer and its text.
std::string answerTo(const Door& door, const std::string& frame, wire::FrameHead& head) {
  RawClient raw(door.address());
  std::string body;
  EXPECT_TRUE(raw.sayHello());
  EXPECT_TRUE(raw.send(frame));
  EXPECT_TRUE(raw.receiveFrame(head, body));
  return body;
}

TEST(ServerTest, OnlyTokensOfTheListAreAccepted) {
  const SmallWorld world;
  TestSource source(world.get());
  ServeOptions options;
  options.tokens = Tokens({"first", "second"});
  const Door door(source, options);
  EXPECT_EQ(Client(door.address()).connected(), FR_PERMISSION_DENIED);
  EXPECT_EQ(Client(door.address(), "secone").connected(), FR_PERMISSION_DENIED);
  EXPECT_EQ(Client(door.address(), "firs").connected(), FR_PERMISSION_DENIED);
  EXPECT_EQ(Client(door.address(), "second").connected(), FR_OK) << frGetLastError();
  EXPECT_EQ(Client(door.tcpAddress(), "first").connected(), FR_OK) << frGetLastError();
  EXPECT_EQ(door.metric("refused_total{reason=\"wrong_token\"}"), 3);
  const std::string too_long(wire::kMaxTokenBytes + 1, 'x');
  EXPECT_EQ(Client(door.address(), too_long.c_str()).connected(), FR_INVALID_ARGUMENT);
}

TEST(ServerTest, TokensAreReadFromAFile) {
  const std::string path = newSocketPath() + ".tokens";
  std::ofstream(path) << "# of the game servers\nfirst\n\nsecond\r\n";
  const absl::StatusOr<Tokens> tokens = Tokens::read(path);
  ASSERT_TRUE(tokens.ok()) << tokens.status();
  EXPECT_TRUE(tokens->accepts("first"));
  EXPECT_TRUE(tokens->accepts("second"));
  EXPECT_FALSE(tokens->accepts(""));
  EXPECT_FALSE(tokens->accepts("# of the game servers"));
  std::ofstream(path) << "\n";
  EXPECT_TRUE(absl::IsInvalidArgument(Tokens::read(path).status()));
  std::ofstream(path) << std::string(wire::kMaxTokenBytes + 1, 'x');
  EXPECT_TRUE(absl::IsInvalidArgument(Tokens::read(path).status()));
  std::remove(path.c_str());
  EXPECT_TRUE(absl::IsNotFound(Tokens::read(path).status()));
}

TEST(ServerTest, SizesThatACallerNamesAreLimited) {
  const SmallWorld world;
  TestSource source(world.get());
  ServeOptions options;
  options.limits.batch_lines = 100;
  options.limits.frame_bytes = 10'000;
  const Door door(source, options);
  Client client(door.address());
  EXPECT_EQ(client.info().batch_lines, 100U);
  FloorCall allowed(100);
  EXPECT_EQ(allowed.ask(client.get()), FR_OK) << frGetLastError();
  FloorCall too_many(101);
  EXPECT_EQ(too_many.ask(client.get()), FR_RESOURCE_EXHAUSTED);
  frQueryOptions long_list = sized<frQueryOptions>();
  const std::vector<std::uint64_t> ids(10'000);
  long_list.ignore = ids.data();
  long_list.ignore_count = ids.size();
  EXPECT_EQ(allowed.ask(client.get(), &long_list), FR_RESOURCE_EXHAUSTED);
  EXPECT_EQ(client.info().connects, 1U);
  // The server itself, of clients that do not check.
  wire::FrameHead head;
  answerTo(door, frameOf(wire::kClosestHits, bodyOfLines(101)), head);
  EXPECT_EQ(head.result, FR_RESOURCE_EXHAUSTED);
  wire::FrameHead huge;
  huge.verb = wire::kClosestHits;
  huge.bytes = std::uint64_t{1} << 62;
  answerTo(door, bytesOf(huge), head);
  EXPECT_EQ(head.result, FR_RESOURCE_EXHAUSTED);
  EXPECT_EQ(door.metric("memory_bytes"), 0) << "a length is checked before memory is taken";
}

TEST(ServerTest, FramesOfOthersAreRefused) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  wire::FrameHead head;
  wire::FrameHead other_version;
  other_version.version = FR_VERSION + 1000;
  other_version.verb = wire::kClosestHits;
  answerTo(door, bytesOf(other_version), head);
  EXPECT_EQ(head.result, FR_FAILED_PRECONDITION);
  answerTo(door, frameOf(static_cast<wire::Verb>(9), ""), head);
  EXPECT_EQ(head.result, FR_INVALID_ARGUMENT);
  answerTo(door, frameOf(wire::kClosestHits, ""), head);
  EXPECT_EQ(head.result, FR_INVALID_ARGUMENT);
  RawClient no_hello(door.address());
  ASSERT_TRUE(no_hello.send(frameOf(wire::kClosestHits, bodyOfLines(1))));
  std::string body;
  ASSERT_TRUE(no_hello.receiveFrame(head, body));
  EXPECT_EQ(head.result, FR_FAILED_PRECONDITION);
  // A machine of the other byte order sends the bytes of the magic reversed.
  RawClient reversed(door.address());
  ASSERT_TRUE(reversed.send(std::string("1DRF") + std::string(28, '\0')));
  EXPECT_EQ(reversed.receiveAll(), "");
}

TEST(ServerTest, ConnectionsAreLimited) {
  const SmallWorld world;
  TestSource source(world.get());
  ServeOptions options;
  options.limits.connections = 2;
  const Door door(source, options);
  const Client first(door.address());
  const Client second(door.address());
  EXPECT_EQ(second.connected(), FR_OK) << frGetLastError();
  EXPECT_EQ(Client(door.address()).connected(), FR_UNAVAILABLE);
}

// A source whose world has another name.
class OtherSource : public TestSource {
 public:
  explicit OtherSource(const frWorld* world) : TestSource(world) {}
  std::string version() const override { return "other@1"; }
};

TEST(ServerTest, AnotherWorldAtTheAddressIsAnError) {
  const SmallWorld world;
  TestSource source(world.get());
  OtherSource other(world.get());
  auto door = std::make_unique<Door>(source);
  const std::string address = door->address();
  Client client(address);
  FloorCall call(10);
  EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  EXPECT_EQ(client.version(), "test@1");
  door = nullptr;
  ServeOptions options;
  options.listen = {address};
  const auto server = serve::Server::open(options, other);
  ASSERT_TRUE(server.ok()) << server.status();
  std::thread thread([&server] { EXPECT_TRUE((*server)->run().ok()); });
  EXPECT_EQ(call.ask(client.get()), FR_FAILED_PRECONDITION);
  EXPECT_EQ(call.ask(Client(address).get()), FR_OK) << frGetLastError();
  (*server)->stop();
  thread.join();
}

TEST(ServerTest, MetricsCount) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  Client client(door.address());
  FloorCall call(500);
  EXPECT_EQ(call.ask(client.get()), FR_OK) << frGetLastError();
  const std::string text = door.metrics();
  EXPECT_EQ(text.substr(0, 15), "HTTP/1.0 200 OK") << text;
  EXPECT_EQ(door.metric("calls_total{verb=\"compact_hits\",result=\"OK\"}"), 1);
  EXPECT_EQ(door.metric("lines_total{verb=\"compact_hits\"}"), 500);
  EXPECT_EQ(door.metric("connections"), 1);
  EXPECT_EQ(door.metric("world{version=\"test@1\"}"), 1);
  EXPECT_GT(door.metric("sent_bytes_total"), 500 * 64);
  EXPECT_EQ(door.metrics("/other").substr(0, 12), "HTTP/1.0 404");
}

TEST(ServerTest, WorkIsCountedToTheNanosecond) {
  serve::Metrics metrics;
  serve::Call call;
  call.request.verb = wire::kCompactHits;
  call.worked = std::chrono::nanoseconds(1'234'567'000'000'005);
  metrics.countCall(call);
  const std::string text = metrics.text({});
  EXPECT_NE(text.find("\nfractalray_work_seconds_total 1234567.000000005\n"), std::string::npos)
      << text;
}

// A server that is too busy to accept is still there: its clients wait, and its file is kept.
TEST(ServerTest, AFullBacklogIsNotADeadServer) {
  const std::string address = "unix:" + newSocketPath();
  const auto listener = serve::Listener::open(address);
  ASSERT_TRUE(listener.ok()) << listener.status();
  const auto parsed = wire::parseAddress(address);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  std::vector<wire::Descriptor> waiting;
  absl::Status status;
  while (status.ok() && waiting.size() < 1000) {
    auto socket = wire::connectTo(*parsed, wire::Clock::now() + std::chrono::milliseconds(50));
    status = socket.status();
    if (socket.ok()) waiting.push_back(*std::move(socket));
  }
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_TRUE(absl::IsAlreadyExists(serve::Listener::open(address).status()));
  std::thread accepter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_TRUE(listener->accept().ok());
  });
  status = wire::connectTo(*parsed, wire::Clock::now() + std::chrono::seconds(10)).status();
  EXPECT_TRUE(status.ok()) << status;
  accepter.join();
}

TEST(ServerTest, AllAddressesOfAHostAreTried) {
  const auto listener = serve::Listener::open("tcp:127.0.0.1:0");
  ASSERT_TRUE(listener.ok()) << listener.status();
  std::string deserted;
  {
    const auto other = serve::Listener::open("tcp:127.0.0.1:0");
    ASSERT_TRUE(other.ok()) << other.status();
    deserted = other->address();
  }
  const std::vector<wire::SocketAddress> addresses = {
      wire::parseAddress(deserted).value(), wire::parseAddress(listener->address()).value()};
  const auto soon = [] { return wire::Clock::now() + std::chrono::seconds(10); };
  EXPECT_FALSE(wire::connectToAny({addresses.data(), 1}, soon()).ok());
  const auto socket = wire::connectToAny(addresses, soon());
  EXPECT_TRUE(socket.ok()) << socket.status();
  // One whose host does not answer, as TEST-NET-1 does not, leaves time for the next one.
  const std::vector<wire::SocketAddress> silent = {wire::parseAddress("tcp:192.0.2.1:9").value(),
                                                   wire::parseAddress(listener->address()).value()};
  const auto second =
      wire::connectToAny(silent, wire::Clock::now() + std::chrono::milliseconds(400));
  EXPECT_TRUE(second.ok()) << second.status();
  EXPECT_GE(wire::parseAddresses("tcp:localhost:80").value().size(), 1U);
}

TEST(ServerTest, WrongOptionsAreRefused) {
  const SmallWorld world;
  TestSource source(world.get());
  const Door door(source);
  ServeOptions options;
  const auto code = [&] { return serve::Server::open(options, source).status().code(); };
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument) << "no address";
  options.listen = {door.address()};
  EXPECT_EQ(code(), absl::StatusCode::kAlreadyExists);
  options.listen = {door.tcpAddress()};
  EXPECT_EQ(code(), absl::StatusCode::kAlreadyExists);
  options.listen = {"unix:" FRACTALRAY_SOURCE_DIR "/README.md"};
  EXPECT_EQ(code(), absl::StatusCode::kAlreadyExists) << "a file that is no socket is kept";
  options.listen = {"unix:" + newSocketPath()};
  options.threads = 0;
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument);
  options.threads = 1;
  options.limits.memory_bytes = 1 << 20;
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument) << "less than one call takes";
}

}  // namespace
}  // namespace fractalray::testing
