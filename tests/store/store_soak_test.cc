// SPDX-License-Identifier: Apache-2.0
// Two workers, `fractalray serve --store`, while their map is edited, and they and the store are
// killed and restarted: no answer mixes two versions, and in the end both answer as one process
// with the whole map. Ten minutes if FRACTALRAY_LONG_TESTS is set.
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/long_run.h"
#include "../serve/server_process.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using testing::ServerProcess;

constexpr ChunkBox kSoakBox{{-3, -2, -3}, {3, 2, 3}};
// Two mapblocks that are written together, each of one node.
constexpr ChunkCoord kTwin{0, 1, 0};
constexpr ChunkCoord kOtherTwin{1, 1, 0};
const std::vector<std::string> kNodes = {"air", "default:stone", "default:glass",
                                         "default:water_source", "test:unheard_of"};

// A connection to a worker, made again whenever it breaks.
class WorkerClient {
 public:
  explicit WorkerClient(std::string address) : address_(std::move(address)) {}
  ~WorkerClient() { frDestroyRemote(remote_); }
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  // Finds the first hits of segments, six numbers each, on the finest level; FR_DEADLINE_EXCEEDED
  // if there was no time for all, such as while the map changes.
  frResult ask(const std::vector<double>& numbers, std::vector<frHit>& hits) {
    if (remote_ == nullptr) {
      const frResult connected = frConnect(address_.c_str(), nullptr, &remote_);
      if (connected != FR_OK) return connected;
    }
    frLines lines{};
    lines.struct_size = sizeof lines;
    lines.count = numbers.size() / 6;
    lines.from = {numbers.data(), 48, 0, FR_F64, 0};
    lines.to = {numbers.data() + 3, 48, 0, FR_F64, 0};
    hits.assign(lines.count, frHit{});
    frBatchResult batch{};
    batch.struct_size = sizeof batch;
    const frResult result = frRemote_ClosestHits(remote_, &lines, 1U << 3, nullptr, hits.data(),
                                                 nullptr, nullptr, &batch);
    return result == FR_OK && batch.completed < lines.count ? FR_DEADLINE_EXCEEDED : result;
  }

 private:
  std::string address_;
  frRemote* remote_ = nullptr;
};

// Asks for the twins again and again.
struct TwinWatch {
  std::atomic<bool> has_ended = false;
  int answered = 0;
  int mixed = 0;
  std::string error;  // another one

  void run(const std::string& address) {
    WorkerClient client(address);
    const std::vector<double> numbers = {0.5,  20.5, 0.5, 0.5,  20.5, 0.5,
                                         16.5, 20.5, 0.5, 16.5, 20.5, 0.5};
    std::vector<frHit> hits;
    while (!has_ended) {
      const frResult result = client.ask(numbers, hits);
      if (result == FR_OK) {
        ++answered;
        const bool is_same = hits[0].kind == hits[1].kind && hits[0].type == hits[1].type;
        mixed += is_same ? 0 : 1;
        std::this_thread::sleep_for(milliseconds(1));  // others use the processors as well
      } else if (result == FR_UNAVAILABLE || result == FR_DEADLINE_EXCEEDED) {
        std::this_thread::sleep_for(milliseconds(20));
      } else {
        error = frGetLastError();
      }
    }
  }
};

class StoreSoakTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
#ifdef FRACTALRAY_PROGRAM
    if (std::system(FRACTALRAY_PROGRAM " serve --help 2>&1 | grep -q -e --store") != 0) {
      GTEST_SKIP() << "NOT RUN: this program's `serve` has no --store";
    }
#else
    GTEST_SKIP() << "NOT RUN: the program is not built";
#endif
    init();
    map_.fill(rng_, kSoakBox, writer_.get());
    for (std::size_t i = 0; i < kNodes.size(); ++i) {
      map_.put({0, 0, static_cast<std::int64_t>(i)}, mapblockOf(kNodes[i]), writer_.get());
    }
    setTwins();
    init();  // lists the types
    for (std::size_t i = 0; i < 2; ++i)
      startWorker(i);
  }

  void startWorker(std::size_t i) {
    workers_[i] = std::make_unique<ServerProcess>(
        pathOf(i), std::vector<std::string>{"--store", url_}, std::vector<std::string>{});
    EXPECT_TRUE(workers_[i]->isReady());
  }
  std::string pathOf(std::size_t i) const {
    return absl::StrCat(theServer().folder(), "/fr", i);
  }
  std::string addressOf(std::size_t i) const {
    return absl::StrCat("unix:", pathOf(i));
  }

  // Writes both twins in one transaction.
  void setTwins() {
    const std::string node = kNodes[static_cast<std::size_t>(rng_.below(5))];
    writer_->run("BEGIN");
    map_.put(kTwin, mapblockOf(node), writer_.get());
    map_.put(kOtherTwin, mapblockOf(node), writer_.get());
    writer_->run("COMMIT");
  }
  // Writes or removes a mapblock, but not a twin.
  void edit() {
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng_.in(kSoakBox.min[axis], kSoakBox.max[axis]);
    if (at == kTwin || at == kOtherTwin) return;
    if (rng_.oneIn(4)) {
      map_.erase(at, writer_.get());
    } else {
      map_.put(at, randomMapblock(rng_), writer_.get());
    }
  }
  void restartStore() {
    writer_.reset();
    theServer().stop();
    theServer().start();
    writer_ = std::make_unique<Sql>(url_);
    ++store_restarts_;
  }
  void stallStore() {
    theServer().stall();
    std::this_thread::sleep_for(milliseconds(300));
    theServer().resume();
  }
  void killWorker() {
    const auto i = static_cast<std::size_t>(rng_.below(2));
    workers_[i]->signal(SIGKILL);
    EXPECT_EQ(workers_[i]->wait(), -SIGKILL);
    startWorker(i);
    ++kills_;
  }
  void disturb() {
    for (int i = rng_.below(5); i >= 0; --i)
      edit();
    setTwins();
    if (rng_.oneIn(15)) killWorker();
    if (rng_.oneIn(40)) stallStore();
    if (rng_.oneIn(40)) restartStore();
    std::this_thread::sleep_for(milliseconds(20));
  }

  // Returns in how many of the answers of a worker differ from those of the whole map, or the
  // number of all if it does not answer.
  std::size_t countDifferences(std::size_t worker, const std::vector<double>& numbers);

  oracle::Rng rng_ = oracle::rngOf("soak of a store");
  MapModel map_;
  std::array<std::unique_ptr<ServerProcess>, 2> workers_;
  int kills_ = 0;
  int store_restarts_ = 0;
};

std::vector<double> randomSegments(oracle::Rng& rng, std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      numbers.push_back(static_cast<double>(rng.in(256 * kSoakBox.min[axis] - 128,
                                                   256 * (kSoakBox.max[axis] + 1) + 128)) /
                        16);
    }
  }
  return numbers;
}

std::size_t StoreSoakTest::countDifferences(std::size_t worker,
                                            const std::vector<double>& numbers) {
  std::vector<BatchQuery> queries;
  for (std::size_t i = 0; i < numbers.size(); i += 6) {
    const double* const line = &numbers[i];
    queries.push_back(
        {.line = Segment{.from = {line[0], line[1], line[2]}, .to = {line[3], line[4], line[5]}},
         .levels = {3}});
  }
  const OpenedWorld whole = map_.whole();
  const ClosestBatch right = expected(whole, queries, {});
  WorkerClient client(addressOf(worker));
  std::vector<frHit> hits;
  if (client.ask(numbers, hits) != FR_OK) return queries.size();
  std::map<frBlockType, std::string> names;  // by the worker's numbers
  std::size_t different = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Hit& hit = right.answers[i];
    const bool is_hit = hit.kind != Hit::Kind::kNone;
    bool is_same = is_hit == (hits[i].kind == FR_HIT_BLOCK);
    if (is_hit && is_same) {
      const std::string& name = whole.world.blockTypes().name(hit.type);
      is_same = hits[i].t == hit.t && hits[i].t_exit == hit.t_exit &&
                (hits[i].terminal != 0) == hit.terminal &&
                names.emplace(hits[i].type, name).first->second == name;
      for (int axis = 0; axis < 3; ++axis)
        is_same = is_same && hits[i].cell[axis] == hit.block[axis];
    }
    different += is_same ? 0U : 1U;
  }
  return different;
}

TEST_F(StoreSoakTest, NoAnswerIsMixedAndInTheEndNoneDiffers) {
  TwinWatch first;
  TwinWatch second;
  std::jthread first_thread([&] { first.run(addressOf(0)); });
  std::jthread second_thread([&] { second.run(addressOf(1)); });
  const auto end = Clock::now() + std::chrono::seconds(oracle::isLongRun() ? 600 : 10);
  while (Clock::now() < end && !HasFailure())
    disturb();
  if (kills_ == 0) killWorker();
  if (store_restarts_ == 0) restartStore();
  for (TwinWatch* const watch : {&first, &second})
    watch->has_ended = true;
  first_thread.join();
  second_thread.join();
  for (const TwinWatch* const watch : {&first, &second}) {
    EXPECT_EQ(watch->mixed, 0);
    EXPECT_EQ(watch->error, "");
    EXPECT_GT(watch->answered, 100);
  }
  // A worker that has lost its store asks it again within seconds.
  const std::vector<double> numbers = randomSegments(rng_, oracle::isLongRun() ? 20'000 : 2'000);
  for (std::size_t worker = 0; worker < 2; ++worker) {
    const auto until = Clock::now() + std::chrono::seconds(15);
    std::size_t different = countDifferences(worker, numbers);
    while (different > 0 && Clock::now() < until) {
      std::this_thread::sleep_for(milliseconds(500));
      different = countDifferences(worker, numbers);
    }
    EXPECT_EQ(different, 0U) << "of worker " << worker;
  }
}

}  // namespace
}  // namespace fractalray::store_fixture
