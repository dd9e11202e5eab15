// SPDX-License-Identifier: Apache-2.0
// A store as the world of a server in this process: its views, threads, metrics and fed entities.
#include "../../serve/store/store_source.h"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"

#include "../../bindings/c/internal/frame.h"
#include "../serve/door.h"
#include "remote_lines.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using fractalray::testing::Client;
using fractalray::testing::Door;
using fractalray::testing::sized;
using serve::Freshness;
using serve::Question;
using serve::SourceView;
using serve::StoreSource;

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr ChunkBox kAround{{-2, -2, -2}, {3, 2, 3}};

// A question about the first hits of lines.
class Asked {
 public:
  explicit Asked(const std::vector<BatchQuery>& queries) : lines_(queries) {
    question_.verb = wire::kClosestHits;
    question_.lines = lines_.lines();
    question_.levels = FR_ALL_LEVELS;
  }
  const Question& question() const { return question_; }

 private:
  RemoteLines lines_;
  Question question_;
};

// One about the middle of a mapblock.
class Middle : public Asked {
 public:
  explicit Middle(const ChunkCoord& at) : Asked(queriesAt(at)) {}

 private:
  static std::vector<BatchQuery> queriesAt(const ChunkCoord& at) {
    Vec3d middle;
    for (int axis = 0; axis < 3; ++axis)
      middle[axis] = 16.0 * static_cast<double>(at[axis]) + 8.5;
    return {{.line = Segment{.from = middle, .to = middle}, .levels = {3}}};
  }
};

class StoreSourceTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    init();
    map_.fill(rng_, kAround, writer_.get());
    map_.put(kHere, mapblockOf("default:stone"), writer_.get());
    init();  // lists the types
    ASSERT_NO_FATAL_FAILURE(openSource(options()));
    CachedWorldOptions listed = options();
    listed.listed_types = true;
    listed_ = open(listed);
  }

  void openSource(const CachedWorldOptions& options) {
    auto source = StoreSource::open(options);
    ASSERT_TRUE(source.ok()) << source.status();
    source_ = *std::move(source);
  }

  // Returns lines through the map for which a source as below asks the store 400,000 times.
  static std::vector<BatchQuery> longLines() {
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 100; ++i) {
      const double z = 1600.5 + 16 * i;
      queries.push_back(
          {.line = Segment{.from = {-32'000, 8, z}, .to = {31'999, 8, z}}, .levels = {3}});
    }
    return queries;
  }
  void openSlowSource() {
    CachedWorldOptions slow = options();
    slow.fill_chunks = 1;
    slow.load_ahead = 4000;
    openSource(slow);
  }

  static Freshness soon() { return {.until = Clock::now() + std::chrono::seconds(10)}; }

  oracle::Rng rng_{"StoreSourceTest"};
  MapModel map_;
  std::unique_ptr<StoreSource> source_;
  std::unique_ptr<CachedWorld> listed_;
};

TEST_F(StoreSourceTest, AViewIsFinalOnceItHasWhatLinesNeed) {
  // Down into the middle of a mapblock of stone.
  const Vec3d middle{16.0 * static_cast<double>(kHere[0]) + 8.5,
                     16.0 * static_cast<double>(kHere[1]) + 8.5,
                     16.0 * static_cast<double>(kHere[2]) + 8.5};
  const std::vector<BatchQuery> queries = {
      {.line = Segment{.from = middle, .to = middle}, .levels = {3}}};
  const RemoteLines lines(queries);
  Question question;
  question.verb = wire::kClosestHits;
  question.lines = lines.lines();
  question.levels = FR_ALL_LEVELS;
  const std::vector<double> until = {0};
  const absl::StatusOr<SourceView> empty = source_->view(question, soon());
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_FALSE(source_->isFinal(question, *empty, until, soon()));
  const absl::StatusOr<SourceView> loaded = source_->load(question, soon());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_TRUE(source_->isFinal(question, *loaded, until, soon()));
  EXPECT_FALSE(source_->isFinal(question, *empty, until, soon())) << "the first one still lacks it";
  frHit hit{};
  ASSERT_EQ(frWorld_ClosestHits(loaded->world, &question.lines, FR_ALL_LEVELS, nullptr, &hit,
                                nullptr, nullptr, nullptr),
            FR_OK)
      << frGetLastError();
  EXPECT_EQ(hit.kind, FR_HIT_BLOCK);
  // Whatever changes later, a view stays as it is.
  map_.put(kHere, mapblockOf("air"), writer_.get());
  const std::string newest =
      listed_->version().world + "@" + writer_->run("SELECT pg_current_snapshot()");
  Freshness fresh = soon();
  fresh.at_least = newest;
  const absl::StatusOr<SourceView> later = source_->load(question, fresh);
  ASSERT_TRUE(later.ok()) << later.status();
  EXPECT_NE(later->version, loaded->version);
  ASSERT_EQ(frWorld_ClosestHits(later->world, &question.lines, FR_ALL_LEVELS, nullptr, &hit,
                                nullptr, nullptr, nullptr),
            FR_OK);
  EXPECT_EQ(hit.kind, FR_HIT_NONE);
  ASSERT_EQ(frWorld_ClosestHits(loaded->world, &question.lines, FR_ALL_LEVELS, nullptr, &hit,
                                nullptr, nullptr, nullptr),
            FR_OK);
  EXPECT_EQ(hit.kind, FR_HIT_BLOCK);
}

TEST_F(StoreSourceTest, ALoadEndsWithTheTimeOfItsCall) {
  ASSERT_NO_FATAL_FAILURE(openSlowSource());
  const Asked asked(longLines());
  const Question& question = asked.question();
  const auto begin = Clock::now();
  const absl::Status status =
      source_->load(question, {.until = begin + milliseconds(150)}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("in time"));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(2));
  std::atomic<bool> is_cancelled = true;
  Freshness fresh = soon();
  fresh.is_cancelled = &is_cancelled;
  EXPECT_EQ(source_->load(question, fresh).status().code(), absl::StatusCode::kCancelled);
}

TEST_F(StoreSourceTest, OthersAreAnsweredWhileACallLoads) {
  ASSERT_NO_FATAL_FAILURE(openSlowSource());
  const Asked asked(longLines());
  const Question& question = asked.question();
  std::atomic<bool> is_cancelled = false;
  std::atomic<bool> is_loading = true;
  std::thread loading([&] {
    const Freshness fresh{.until = Clock::now() + std::chrono::minutes(2),
                          .is_cancelled = &is_cancelled};
    EXPECT_FALSE(source_->load(question, fresh).ok());
    is_loading = false;
  });
  const Middle here(kHere);
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    const Freshness fresh{.until = Clock::now() + std::chrono::seconds(2)};
    const absl::Status status = source_->view(here.question(), fresh).status();
    EXPECT_TRUE(status.ok()) << status;
  }
  EXPECT_TRUE(is_loading);
  is_cancelled = true;
  loading.join();
}

TEST_F(StoreSourceTest, AServerThatIsToStopDoesNotWaitForALoad) {
  ASSERT_NO_FATAL_FAILURE(openSlowSource());
  serve::ServeOptions options;
  options.limits.drain_time = milliseconds(50);
  auto door = std::make_unique<Door>(*source_, options);
  const RemoteLines lines(longLines());
  std::thread asking([&lines, address = door->address()] {
    const Client client(address);
    ClosestBatch got;
    EXPECT_NE(lines.ask(client.get(), got), FR_OK);
  });
  EXPECT_TRUE(door->reaches("queue_calls", 1));
  const auto begin = Clock::now();
  door = nullptr;
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(2));
  asking.join();
}

TEST_F(StoreSourceTest, OthersAreAnsweredWhileACallWaitsForAVersion) {
  CachedWorldOptions quick = options();
  quick.timeout = milliseconds(1000);
  ASSERT_NO_FATAL_FAILURE(openSource(quick));
  const Middle here(kHere);
  const std::string later = listed_->version().world + "@900000000:900000000:";
  std::atomic<bool> is_waiting = true;
  absl::Status refused;
  std::thread waiting([&] {
    Freshness fresh = soon();
    fresh.at_least = later;
    refused = source_->view(here.question(), fresh).status();
    is_waiting = false;
  });
  int answered = 0;
  while (is_waiting) {
    const Freshness fresh{.until = Clock::now() + milliseconds(300)};
    const absl::Status status = source_->view(here.question(), fresh).status();
    EXPECT_TRUE(status.ok()) << status;
    ++answered;
    std::this_thread::sleep_for(milliseconds(5));
  }
  waiting.join();
  EXPECT_EQ(refused.code(), absl::StatusCode::kAborted) << refused;
  EXPECT_GT(answered, 10);
}

// They would take all threads of the server.
TEST_F(StoreSourceTest, FewCallsWaitForAVersion) {
  const Middle here(kHere);
  Freshness fresh = soon();
  const std::string later = listed_->version().world + "@900000000:900000000:";
  fresh.at_least = later;
  std::thread waiting([&] {
    EXPECT_EQ(source_->view(here.question(), fresh).status().code(), absl::StatusCode::kAborted);
  });
  std::this_thread::sleep_for(milliseconds(100));
  const auto begin = Clock::now();
  EXPECT_EQ(source_->view(here.question(), fresh).status().code(), absl::StatusCode::kAborted);
  EXPECT_LT(Clock::now() - begin, options().timeout / 2);
  waiting.join();
  EXPECT_GT(Clock::now() - begin, options().timeout / 2);
}

// Also if no call has loaded anything since the store was away.
TEST_F(StoreSourceTest, CallsWaitForAVersionAgainOnceTheStoreAnswers) {
  CachedWorldOptions quick = options();
  quick.timeout = milliseconds(800);
  ASSERT_NO_FATAL_FAILURE(openSource(quick));
  theServer().stall();
  const absl::Status cold = source_->load(Middle(kThere).question(), soon()).status();
  theServer().resume();
  EXPECT_EQ(cold.code(), absl::StatusCode::kUnavailable) << cold;
  const Middle here(kHere);
  const std::string before = source_->version();
  writer_->put(kThere, mapblockOf("air"));
  const auto until = Clock::now() + std::chrono::seconds(10);
  while (source_->version() == before && Clock::now() < until) {
    const absl::Status warm = source_->view(here.question(), soon()).status();
    ASSERT_TRUE(warm.ok()) << warm;
    std::this_thread::sleep_for(milliseconds(2));
  }
  writer_->run("BEGIN");
  writer_->put(kHere, mapblockOf("air"));
  const std::string next =
      std::to_string(std::stoull(writer_->run("SELECT pg_current_xact_id()")) + 1);
  const std::string at_least = listed_->version().world + "@" + next + ":" + next + ":";
  std::thread later([this] {
    std::this_thread::sleep_for(milliseconds(100));
    writer_->run("COMMIT");
  });
  Freshness fresh = soon();
  fresh.at_least = at_least;
  const absl::Status waited = source_->view(here.question(), fresh).status();
  later.join();
  EXPECT_TRUE(waited.ok()) << waited;
}

TEST_F(StoreSourceTest, ThreadsShareOneCache) {
  serve::ServeOptions options;
  options.threads = 3;
  const Door door(*source_, options);
  const OpenedWorld whole = map_.whole();
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    const auto queries = randomQueries(rng_, kAround, 800, allMasks());
    clients.emplace_back([&, queries] {
      const RemoteLines lines(queries);
      Client client(door.address());
      for (int round = 0; round < 2; ++round) {
        ClosestBatch got;
        ASSERT_EQ(lines.ask(client.get(), got), FR_OK) << frGetLastError();
        ASSERT_EQ(got.completed, lines.queries().size());
        EXPECT_EQ(countDifferent(expected(whole, lines.queries(), {.report_unknown = true}),
                                 whole.world.blockTypes(), got, listed_->world().blockTypes()),
                  0U);
      }
    });
  }
  for (std::thread& client : clients)
    client.join();
  EXPECT_GT(door.metric("cache_loaded_total"), 0);
  EXPECT_GT(door.metric("cache_bytes"), 0);
  EXPECT_GE(door.metric("store_connections_total"), 1);
  EXPECT_LT(door.metric("store_age_ms"), 60'000);
}

TEST_F(StoreSourceTest, TypesHaveTheNumbersThatTheStoreLists) {
  const Door door(*source_);
  Client client(door.address());
  EXPECT_EQ(client.info().block_types, source_->blockTypes());
  std::size_t types = 0;
  ASSERT_EQ(frRemote_CountBlockTypes(client.get(), &types), FR_OK) << frGetLastError();
  ASSERT_EQ(types, listed_->world().blockTypes().size());
  std::array<char, 256> name{};
  for (std::size_t type = 0; type < types; ++type) {
    ASSERT_EQ(frRemote_GetBlockTypeName(client.get(), static_cast<frBlockType>(type), name.data(),
                                        name.size(), nullptr),
              FR_OK)
        << frGetLastError();
    EXPECT_EQ(name.data(), listed_->world().blockTypes().name(static_cast<BlockTypeId>(type)));
  }
}

TEST_F(StoreSourceTest, EntitiesOfAFeedAreHitInFrontOfBlocks) {
  frFedEntity fed{};
  fed.id = 5;
  fed.level = 3;
  fed.half_extents[0] = FR_UNITS_PER_BLOCK / 4;
  for (int axis = 0; axis < 3; ++axis)
    fed.position[axis] = (16 * kHere[axis] + 8) * FR_UNITS_PER_BLOCK;
  fed.position[1] += 16 * FR_UNITS_PER_BLOCK;
  serve::EntityTick tick{.number = 1, .is_whole = true};
  tick.added = {&fed, 1};
  const absl::Status status = source_->feed(tick);
  ASSERT_TRUE(status.ok()) << status;
  const Vec3d below{16.0 * static_cast<double>(kHere[0]) + 8,
                    16.0 * static_cast<double>(kHere[1]) + 8,
                    16.0 * static_cast<double>(kHere[2]) + 8};
  const Vec3d above{below.x(), below.y() + 20, below.z()};
  const std::vector<BatchQuery> queries = {
      {.line = Segment{.from = above, .to = below}, .levels = {3}}};
  const RemoteLines lines(queries);
  const Door door(*source_);
  Client client(door.address());
  ClosestBatch got;
  ASSERT_EQ(lines.ask(client.get(), got), FR_OK) << frGetLastError();
  EXPECT_EQ(got.answers[0].kind, Hit::Kind::kEntity);
  EXPECT_EQ(got.answers[0].id, 5U);
  EXPECT_EQ(client.info().tick, 1U);
  frQueryOptions none = sized<frQueryOptions>();
  none.no_entities = 1;
  frHit hit{};
  ASSERT_EQ(frRemote_ClosestHits(client.get(), &lines.lines(), FR_ALL_LEVELS, &none, &hit, nullptr,
                                 nullptr, nullptr),
            FR_OK)
      << frGetLastError();
  EXPECT_EQ(hit.kind, FR_HIT_BLOCK);
}

}  // namespace
}  // namespace fractalray::store_fixture
