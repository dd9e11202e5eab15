// SPDX-License-Identifier: Apache-2.0
// Two workers, of which one or the other is killed again and again: a client that asks the other
// one, as docs/scale.md says, has no call that fails, and no wrong answer.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../c/sized.h"
#include "../oracle/long_run.h"
#include "door.h"
#include "server_process.h"

namespace fractalray::testing {
namespace {

using std::chrono::milliseconds;

// Two workers with the same world, each at its socket.
class WorkerPair {
 public:
  WorkerPair() {
    for (std::size_t i = 0; i < 2; ++i)
      start(i);
  }

  const std::string& path(std::size_t i) const { return paths_[i]; }
  bool areReady() const { return workers_[0]->isReady() && workers_[1]->isReady(); }
  // Kills a worker, and starts another one at its socket.
  void replace(std::size_t i) {
    workers_[i]->signal(SIGKILL);
    EXPECT_EQ(workers_[i]->wait(), -SIGKILL);
    start(i);
    EXPECT_TRUE(workers_[i]->isReady());
  }

 private:
  void start(std::size_t i) { workers_[i] = std::make_unique<ServerProcess>(paths_[i]); }

  std::array<std::string, 2> paths_ = {newSocketPath(), newSocketPath()};
  std::array<std::unique_ptr<ServerProcess>, 2> workers_;
};

// Asks one of the workers until there is none, then the other one.
class RetryingClient {
 public:
  explicit RetryingClient(const WorkerPair& workers) : workers_(workers) {}

  frResult ask(const frLines& lines, std::vector<frHit>& hits) {
    frResult result = FR_UNAVAILABLE;
    for (int attempt = 0; attempt < 100 && result == FR_UNAVAILABLE; ++attempt) {
      if (client_ == nullptr) {
        client_ = std::make_unique<Client>("unix:" + workers_.path(current_));
      }
      result = client_->connected();
      if (result == FR_OK) {
        result = frRemote_ClosestHits(client_->get(), &lines, FR_ALL_LEVELS, nullptr, hits.data(),
                                      nullptr, nullptr, nullptr);
      }
      if (result == FR_UNAVAILABLE) turn();
    }
    for (frHit& hit : hits)
      hit.entity = 0;  // a number of the worker's process
    return result;
  }
  int turns() const { return turns_; }

 private:
  void turn() {
    client_.reset();
    current_ = 1 - current_;
    ++turns_;
    std::this_thread::sleep_for(milliseconds(20));
  }

  const WorkerPair& workers_;
  std::unique_ptr<Client> client_;
  std::size_t current_ = 0;
  int turns_ = 0;
};

TEST(FailoverTest, AKilledWorkerFailsNoCall) {
#ifndef FRACTALRAY_PROGRAM
  GTEST_SKIP() << "NOT RUN: the program is not built";
#endif
  WorkerPair workers;
  ASSERT_TRUE(workers.areReady());
  oracle::Rng rng("failover");
  constexpr std::size_t kLines = 200;
  std::vector<double> numbers(6 * kLines);
  for (double& each : numbers)
    each = static_cast<double>(rng.in(-320, 640)) / 16;
  frLines lines = sized<frLines>();
  lines.count = kLines;
  lines.from = {numbers.data(), 48, 0, FR_F64, 0};
  lines.to = {numbers.data() + 3, 48, 0, FR_F64, 0};
  std::vector<frHit> expected(kLines);
  RetryingClient client(workers);
  ASSERT_EQ(client.ask(lines, expected), FR_OK) << frGetLastError();
  std::atomic<bool> has_ended = false;
  int kills = 0;
  std::jthread killer([&] {
    for (; !has_ended; ++kills) {
      workers.replace(static_cast<std::size_t>(kills % 2));
      std::this_thread::sleep_for(milliseconds(50));
    }
  });
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(oracle::isLongRun() ? 60 : 3);
  int calls = 0;
  int failed = 0;
  std::size_t wrong = 0;
  std::vector<frHit> hits(kLines);
  for (; std::chrono::steady_clock::now() < end; ++calls) {
    if (client.ask(lines, hits) != FR_OK) {
      ++failed;
      continue;
    }
    wrong += std::memcmp(hits.data(), expected.data(), kLines * sizeof(frHit)) == 0 ? 0U : 1U;
  }
  has_ended = true;
  killer.join();
  EXPECT_EQ(failed, 0) << frGetLastError();
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(calls, 100);
  EXPECT_GT(kills, 3);
  EXPECT_GT(client.turns(), 0) << "no call was interrupted";
}

}  // namespace
}  // namespace fractalray::testing
