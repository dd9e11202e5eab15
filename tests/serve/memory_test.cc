// SPDX-License-Identifier: Apache-2.0
// Memory that runs out on the thread of the server's loop.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "../oracle/allocations.h"
#include "door.h"

namespace fractalray::testing {
namespace {

using oracle::AllocationFailure;

// Returns true if a client gets its answer, at one of several attempts: the connection of one for
// which there was no memory is closed.
bool isAnswered(const std::string& address) {
  FloorCall call(100);
  for (int attempt = 0; attempt < 5; ++attempt) {
    Client client(address);
    if (client.connected() == FR_OK && call.ask(client.get()) == FR_OK) return true;
  }
  return false;
}

TEST(ServerMemoryTest, AFailedAllocationOfTheLoopEndsNoServer) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "NOT RUN: operator new is not replaced";
  const SmallWorld world;
  TestSource source(world.get());
  int failures = 0;
  for (std::size_t n = 0; n < 80; ++n) {
    serve::ServeOptions options;
    const std::string address = "unix:" + newSocketPath();
    options.listen = {address};
    auto server = serve::Server::open(options, source);
    ASSERT_TRUE(server.ok()) << server.status();
    bool has_failed = false;
    absl::Status status;
    std::thread loop([&] {
      const AllocationFailure failure(n, AllocationFailure::Extent::kOne);
      status = (*server)->run();
      has_failed = failure.hasFailed();
    });
    const bool is_answered = isAnswered(address);
    (*server)->stop();
    loop.join();
    // Before its threads run, it says that it cannot serve.
    if (absl::IsResourceExhausted(status)) continue;
    EXPECT_TRUE(status.ok()) << n << ": " << status;
    EXPECT_TRUE(is_answered) << n;
    failures += has_failed ? 1 : 0;
  }
  EXPECT_GT(failures, 5);
}

}  // namespace
}  // namespace fractalray::testing
