// SPDX-License-Identifier: Apache-2.0
// Servers and clients that are killed, as processes of their own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "../c/sized.h"
#include "door.h"
#include "raw_client.h"
#include "server_process.h"

namespace fractalray::testing {
namespace {

#ifdef FRACTALRAY_PROGRAM
constexpr bool kHasProgram = true;
#else
constexpr bool kHasProgram = false;
#endif

class ServerProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kHasProgram) GTEST_SKIP() << "NOT RUN: the program is not built";
  }

  // Asks for the first hits of some lines.
  static frResult askSome(Client& client, std::size_t count = 100) {
    const std::vector<double> numbers(6 * count, 2.5);
    frLines lines = sized<frLines>();
    lines.count = count;
    lines.from = {numbers.data(), 24, 0, FR_F64, 0};
    lines.to = {numbers.data() + 3, 24, 0, FR_F64, 0};
    std::vector<frHit> hits(count);
    return frRemote_ClosestHits(client.get(), &lines, FR_ALL_LEVELS, nullptr, hits.data(), nullptr,
                                nullptr, nullptr);
  }

  const std::string path_ = newSocketPath();
  const std::string address_ = "unix:" + path_;
};

TEST_F(ServerProcessTest, AKilledServerIsUnavailableUntilThereIsAnother) {
  {
    ServerProcess server(path_);
    ASSERT_TRUE(server.isReady());
  }
  ServerProcess first(path_);  // at the file that the killed one has left
  ASSERT_TRUE(first.isReady());
  Client client(address_);
  ASSERT_EQ(client.connected(), FR_OK) << frGetLastError();
  ASSERT_EQ(askSome(client), FR_OK) << frGetLastError();
  // Killed while a call waits for its answer.
  first.signal(SIGSTOP);
  std::thread killer([&first] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    first.signal(SIGKILL);
  });
  EXPECT_EQ(askSome(client), FR_UNAVAILABLE);
  EXPECT_NE(std::string(frGetLastError()).find(address_), std::string::npos) << frGetLastError();
  killer.join();
  EXPECT_EQ(first.wait(), -SIGKILL);
  EXPECT_EQ(askSome(client), FR_UNAVAILABLE) << "nobody listens";
  ServerProcess second(path_);
  ASSERT_TRUE(second.isReady());
  EXPECT_EQ(askSome(client), FR_OK) << frGetLastError();
  EXPECT_EQ(client.info().connects, 2U);
}

TEST_F(ServerProcessTest, AKilledClientEndsNoServer) {
  ServerProcess server(path_);
  ASSERT_TRUE(server.isReady());
  Client other(address_);
  ASSERT_EQ(other.connected(), FR_OK) << frGetLastError();
  const std::string call = frameOf(wire::kClosestHits, bodyOfLines(20'000));
  for (int round = 0; round < 10; ++round) {
    RawClient raw(address_);
    ASSERT_TRUE(raw.sayHello());
    const pid_t child = ::fork();
    if (child == 0) {
      // Sends a call, whole or in part, and is killed before its answer is read.
      const std::size_t bytes = round % 2 == 0 ? call.size() : call.size() / 2;
      static_cast<void>(raw.send(std::string_view(call).substr(0, bytes)));
      ::kill(::getpid(), SIGKILL);
    }
    ASSERT_GT(child, 0);
    raw.close();  // the child has the only other end
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(askSome(other), FR_OK) << frGetLastError();
  }
}

TEST_F(ServerProcessTest, SigtermDrains) {
  ServerProcess server(path_);
  ASSERT_TRUE(server.isReady());
  RawClient begun(address_);
  ASSERT_TRUE(begun.sayHello());
  Client idle(address_);
  ASSERT_EQ(askSome(idle), FR_OK) << frGetLastError();
  const std::string call = frameOf(wire::kCompactHits, bodyOfLines(5000));
  ASSERT_TRUE(begun.send(std::string_view(call).substr(0, 1000)));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // until the head has arrived
  server.signal(SIGTERM);
  EXPECT_TRUE(begun.send(std::string_view(call).substr(1000)));
  wire::FrameHead head;
  std::string body;
  EXPECT_TRUE(begun.receiveFrame(head, body)) << "a call that has begun to arrive is answered";
  EXPECT_EQ(head.result, FR_OK);
  EXPECT_EQ(begun.receiveAll(), "") << "then the connection ends";
  EXPECT_EQ(server.wait(), 0);
  EXPECT_EQ(askSome(idle), FR_UNAVAILABLE);
  EXPECT_NE(::access(path_.c_str(), F_OK), 0) << "the socket's file is removed";
}

TEST_F(ServerProcessTest, TheVersionIsTheFingerprintOfTheWorld) {
  std::string versions[2];
  for (std::string& version : versions) {
    ServerProcess server(path_);
    ASSERT_TRUE(server.isReady());
    Client client(address_);
    ASSERT_EQ(askSome(client), FR_OK) << frGetLastError();
    version = client.version();
  }
  EXPECT_EQ(versions[0], versions[1]);
  EXPECT_EQ(versions[0].size(), 33U) << versions[0];
}

}  // namespace
}  // namespace fractalray::testing
