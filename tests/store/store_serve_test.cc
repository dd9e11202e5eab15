// SPDX-License-Identifier: Apache-2.0
// Runs `fractalray serve --store` in several processes: they answer as one that has the whole map.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"

#include "../oracle/long_run.h"
#include "../serve/door.h"
#include "../serve/server_process.h"
#include "remote_lines.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using fractalray::testing::Client;
using fractalray::testing::newSocketPath;
using fractalray::testing::ServerProcess;
using fractalray::testing::sized;
using ::testing::HasSubstr;

constexpr ChunkBox kMap{{-5, -3, -6}, {6, 2, 4}};
constexpr ChunkCoord kNew{2, 0, 1};

// A process that serves the store; unless `more` says otherwise, it may load and answer for longer
// than by default, since a build with sanitizers is several times slower.
class Worker {
 public:
  explicit Worker(const std::string& url, std::vector<std::string> more = {})
      : path_(newSocketPath()), process_(path_, {"--store", url}, withTime(std::move(more))) {}

  std::string address() const { return "unix:" + path_; }
  ServerProcess& process() { return process_; }

 private:
  static std::vector<std::string> withTime(std::vector<std::string> more) {
    for (const char* const limit : {"--store-ms", "--call-ms"}) {
      if (std::find(more.begin(), more.end(), limit) == more.end())
        more.insert(more.end(), {limit, "60000"});
    }
    return more;
  }

  std::string path_;
  ServerProcess process_;
};

class StoreServeTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    init();
    map_.fill(rng_, kMap, writer_.get());
    map_.put(kNew, mapblockOf("default:stone"), writer_.get());
    init();  // lists the types of what is there now
    CachedWorldOptions listed = options();
    listed.listed_types = true;
    listed_ = open(listed);
  }

  // Expects the answers of the whole map.
  void expectWhole(Client& client, const RemoteLines& lines) {
    expectWhole(client, lines, map_.whole());
  }
  void expectWhole(Client& client, const RemoteLines& lines, const OpenedWorld& whole) {
    ClosestBatch got;
    ASSERT_EQ(lines.ask(client.get(), got), FR_OK) << frGetLastError();
    EXPECT_EQ(got.completed, lines.queries().size());
    EXPECT_EQ(countDifferent(expected(whole, lines.queries(), {.report_unknown = true}),
                             whole.world.blockTypes(), got, listed_->world().blockTypes()),
              0U);
  }

  // Returns the version that includes all that has been committed.
  std::string versionNow() {
    return absl::StrCat(listed_->version().world, "@",
                        writer_->run("SELECT pg_current_snapshot()"));
  }

  oracle::Rng rng_{"StoreServeTest"};
  MapModel map_;
  std::unique_ptr<CachedWorld> listed_;
};

TEST_F(StoreServeTest, WorkersAnswerAsTheWholeMap) {
  Worker first(url_);
  // With less memory than the map takes, and with threads that share it.
  Worker second(url_, {"--threads", "2", "--cache-memory", "200000"});
  ASSERT_TRUE(first.process().isReady());
  ASSERT_TRUE(second.process().isReady());
  const OpenedWorld whole = map_.whole();
  std::vector<std::thread> clients;
  for (Worker* const worker : {&first, &second, &second}) {
    const auto queries = randomQueries(rng_, kMap, 1500, allMasks());
    clients.emplace_back([this, worker, queries, &whole] {
      const RemoteLines lines(queries);
      Client client(worker->address());
      ASSERT_EQ(client.connected(), FR_OK) << frGetLastError();
      for (int round = 0; round < 3; ++round)
        expectWhole(client, lines, whole);
    });
  }
  for (std::thread& client : clients)
    client.join();
  const Client one(first.address());
  const Client other(second.address());
  EXPECT_NE(one.info().block_types, 0U);
  EXPECT_EQ(one.info().block_types, other.info().block_types) << "numbers mean the same";
}

TEST_F(StoreServeTest, LinesOfSightAreThoseOfTheWholeMap) {
  Worker worker(url_);
  ASSERT_TRUE(worker.process().isReady());
  Client client(worker.address());
  const auto count = static_cast<std::size_t>(oracle::casesToDraw(1500, 1500));
  const RemoteLines lines(randomQueries(rng_, kMap, count, allMasks()));
  const OpenedWorld whole = map_.whole();
  const EntityIndex none(whole.world.frame());
  const absl::StatusOr<OcclusionBatch> wanted =
      RayQueryService(whole.world, none).occluded(lines.queries());
  ASSERT_TRUE(wanted.ok()) << wanted.status();
  std::vector<std::uint8_t> answers(lines.queries().size());
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(frRemote_OccludedMany(client.get(), &lines.lines(), FR_ALL_LEVELS, nullptr,
                                    answers.data(), nullptr, nullptr, nullptr),
              FR_OK)
        << frGetLastError();
    for (std::size_t i = 0; i < answers.size(); ++i)
      ASSERT_EQ(answers[i], static_cast<std::uint8_t>(wanted->answers[i])) << i;
  }
}

TEST_F(StoreServeTest, AWriterThatNamesItsVersionIsNeverShownOlderContent) {
  Worker first(url_);
  Worker second(url_);
  ASSERT_TRUE(first.process().isReady());
  ASSERT_TRUE(second.process().isReady());
  Client one(first.address());
  Client other(second.address());
  const RemoteLines lines(randomQueries(rng_, {kNew, kNew}, 100, {LevelMask{3}}));
  for (int edit = 0; edit < 40; ++edit) {
    map_.put(kNew, mapblockOf(edit % 2 == 0 ? "air" : "default:stone"), writer_.get());
    Client& reader = edit % 3 == 0 ? one : other;
    ASSERT_EQ(frRemote_SetAtLeast(reader.get(), versionNow().c_str()), FR_OK);
    expectWhole(reader, lines);
    ASSERT_FALSE(HasFailure()) << edit;
  }
}

TEST_F(StoreServeTest, AVersionThatIsNotThereIsAborted) {
  Worker worker(url_, {"--store-ms", "200"});
  ASSERT_TRUE(worker.process().isReady());
  Client client(worker.address());
  const RemoteLines lines(randomQueries(rng_, kMap, 5, {LevelMask{3}}));
  ClosestBatch batch;
  const std::string world = listed_->version().world;
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), (world + "@900000000:900000000:").c_str()), FR_OK);
  EXPECT_EQ(lines.ask(client.get(), batch), FR_ABORTED) << frGetLastError();
  EXPECT_GT(client.info().retry_us, 0U);
  // Within the deadline of the call.
  ASSERT_EQ(frRemote_SetDeadline(client.get(), 150'000), FR_OK);
  EXPECT_EQ(lines.ask(client.get(), batch), FR_ABORTED) << frGetLastError();
  ASSERT_EQ(frRemote_SetDeadline(client.get(), 0), FR_OK);
  for (const char* const wrong : {"elsewhere@1:1:", "0123456789abcdef@0123456789abcdef"}) {
    ASSERT_EQ(frRemote_SetAtLeast(client.get(), wrong), FR_OK);
    EXPECT_EQ(lines.ask(client.get(), batch), FR_FAILED_PRECONDITION) << wrong;
    EXPECT_THAT(std::string(frGetLastError()), HasSubstr(std::string(wrong).substr(0, 9)));
    EXPECT_THAT(std::string(frGetLastError()), HasSubstr(world));
  }
  ASSERT_EQ(frRemote_SetAtLeast(client.get(), nullptr), FR_OK);
  EXPECT_EQ(lines.ask(client.get(), batch), FR_OK) << frGetLastError();
}

TEST_F(StoreServeTest, AnotherWorkerTakesOverFromAKilledOne) {
  auto first = std::make_unique<Worker>(url_);
  Worker second(url_);
  ASSERT_TRUE(first->process().isReady());
  ASSERT_TRUE(second.process().isReady());
  const auto count = static_cast<std::size_t>(oracle::casesToDraw(300, 300));
  const RemoteLines lines(randomQueries(rng_, kMap, count, {LevelMask{3}}));
  ClosestBatch batch;
  Client client(first->address());
  ASSERT_EQ(lines.ask(client.get(), batch), FR_OK) << frGetLastError();
  const std::string version = client.version();
  first->process().signal(SIGKILL);
  first = nullptr;
  EXPECT_EQ(lines.ask(client.get(), batch), FR_UNAVAILABLE);
  frConnectOptions options = sized<frConnectOptions>();
  const std::string world = listed_->version().world;
  options.world = world.c_str();
  options.block_types = client.info().block_types;
  Client other(second.address(), options);
  ASSERT_EQ(other.connected(), FR_OK) << frGetLastError();
  ASSERT_EQ(frRemote_SetAtLeast(other.get(), version.c_str()), FR_OK);
  expectWhole(other, lines);
  options.world = "elsewhere";
  EXPECT_EQ(Client(second.address(), options).connected(), FR_FAILED_PRECONDITION);
  EXPECT_THAT(std::string(frGetLastError()), HasSubstr("elsewhere"));
  EXPECT_THAT(std::string(frGetLastError()), HasSubstr(world));
}

TEST_F(StoreServeTest, AStallIsBridgedForWhatIsLoaded) {
  Worker worker(url_, {"--store-ms", "300", "--max-age-ms", "60000"});
  ASSERT_TRUE(worker.process().isReady());
  Client client(worker.address());
  const RemoteLines warm(randomQueries(rng_, {kNew, kNew}, 50, {LevelMask{3}}));
  const RemoteLines cold(randomQueries(rng_, {{-5, -3, -6}, {-5, -3, -6}}, 50, {LevelMask{3}}));
  ClosestBatch batch;
  expectWhole(client, warm);
  theServer().stall();
  for (int call = 0; call < 5; ++call) {
    EXPECT_EQ(cold.ask(client.get(), batch), FR_UNAVAILABLE) << frGetLastError();
    EXPECT_GT(client.info().retry_us, 0U);
    EXPECT_EQ(warm.ask(client.get(), batch), FR_OK) << frGetLastError();
  }
  theServer().resume();
  frResult result = FR_UNAVAILABLE;
  for (int call = 0; call < 200 && result == FR_UNAVAILABLE; ++call) {
    result = cold.ask(client.get(), batch);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(result, FR_OK) << frGetLastError();
  expectWhole(client, cold);
}

TEST_F(StoreServeTest, GrpcIsRefused) {
  ::testing::internal::CaptureStderr();
  Worker worker(url_, {"--grpc", "tcp:127.0.0.1:0"});
  EXPECT_FALSE(worker.process().isReady());
  EXPECT_EQ(worker.process().wait(), 2);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("a store is not served by gRPC; give --listen"));
}

TEST_F(StoreServeTest, AStoreThatIsNotThereIsNamed) {
  Worker worker("postgresql:///nowhere?host=" + theServer().folder());
  EXPECT_FALSE(worker.process().isReady());
  EXPECT_NE(worker.process().wait(), 0);
}

}  // namespace
}  // namespace fractalray::store_fixture
