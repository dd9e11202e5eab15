// SPDX-License-Identifier: Apache-2.0
// Checks what a cache answers while its store fails, and that no call takes longer than it may.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"

#include "../../store/cached_world.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

class StoreFailuresTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    init();
    writer_->put(kHere, mapblockOf("here"));
    writer_->put(kThere, mapblockOf("there"));
  }

  CachedWorldOptions quick(milliseconds max_age) const {
    CachedWorldOptions quick = options();
    quick.timeout = milliseconds(300);
    quick.max_age = max_age;
    return quick;
  }
};

TEST_F(StoreFailuresTest, AStoreThatIsNotThereIsUnavailable) {
  CachedWorldOptions options = quick(milliseconds(1000));
  options.url = "postgresql:///world?host=" + theServer().folder() + "/nowhere";
  const auto begin = Clock::now();
  const absl::Status status = CachedWorld::open(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), ::testing::StartsWith("postgresql://"));
  EXPECT_LT(Clock::now() - begin, milliseconds(3000));
}

TEST_F(StoreFailuresTest, PasswordsAreNotNamed) {
  CachedWorldOptions options = quick(milliseconds(1000));
  options.url = "postgresql://somebody:secret@localhost:1/world";
  const absl::Status status = CachedWorld::open(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), ::testing::Not(HasSubstr("secret")));
}

TEST_F(StoreFailuresTest, ACallMayWaitLessThanTheTimeOut) {
  CachedWorldOptions options = quick(milliseconds(60'000));
  options.timeout = milliseconds(5000);
  const auto cache = open(options);
  StoreVersion later = cache->version();
  const auto snapshot = DatabaseSnapshot::parse("900000000:900000000:");
  ASSERT_TRUE(snapshot.ok());
  later.blocks = *snapshot;
  const auto begin = Clock::now();
  const absl::Status status =
      cache->follow({.at_least = later, .timeout = milliseconds(50)}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << status;
  EXPECT_LT(Clock::now() - begin, milliseconds(2500));
}

// Warm answers continue up to max_age, and no call waits much longer than the time-out.
TEST_F(StoreFailuresTest, AStallIsBridgedUpToMaxAge) {
  const auto cache = open(quick(milliseconds(2500)));
  ASSERT_EQ(nodeAt(*cache, kHere), "here");
  theServer().stall();
  const auto begin = Clock::now();
  Clock::duration slowest{};
  int warm = 0;
  while (Clock::now() - begin < milliseconds(2000)) {
    const auto call = Clock::now();
    EXPECT_EQ(nodeAt(*cache, kHere), "here");
    slowest = std::max(slowest, Clock::now() - call);
    ++warm;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_GT(warm, 100);
  EXPECT_LT(slowest, milliseconds(250)) << "warm answers do not wait";
  const auto cold = Clock::now();
  EXPECT_THAT(nodeAt(*cache, kThere), HasSubstr("UNAVAILABLE"));
  EXPECT_LT(Clock::now() - cold, milliseconds(2000));
  std::this_thread::sleep_until(begin + milliseconds(3000));
  EXPECT_GT(cache->stats().age, milliseconds(2500));
  const std::string old = nodeAt(*cache, kHere);
  EXPECT_THAT(old, HasSubstr("UNAVAILABLE"));
  EXPECT_THAT(old, HasSubstr("ms ago"));
  theServer().resume();
  const auto resumed = Clock::now();
  while (nodeAt(*cache, kThere) != "there" && Clock::now() - resumed < milliseconds(10'000)) {
  }
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
  EXPECT_EQ(nodeAt(*cache, kHere), "here");
  EXPECT_EQ(cache->stats().restarts, 0U) << "nothing had to be forgotten";
}

TEST_F(StoreFailuresTest, ARestartIsSurvived) {
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, kHere), "here");
  writer_.reset();
  theServer().stop();
  EXPECT_EQ(nodeAt(*cache, kHere), "here");
  EXPECT_THAT(nodeAt(*cache, kThere), HasSubstr("UNAVAILABLE"));
  theServer().start();
  writer_ = std::make_unique<Sql>(url_);
  writer_->put(kHere, mapblockOf("changed"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "changed");
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
  EXPECT_EQ(cache->stats().restarts, 0U);
  EXPECT_EQ(cache->stats().connections, 2U);
}

TEST_F(StoreFailuresTest, ASessionThatIsEndedIsMadeAgainWithinTheCall) {
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, kHere), "here");
  const auto end_others = [&] {
    writer_->run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()");
  };
  end_others();
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
  end_others();
  writer_->put(kHere, mapblockOf("changed"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "changed");
  EXPECT_EQ(cache->stats().connections, 3U);
}

// A lock on the map stalls fills alone.
TEST_F(StoreFailuresTest, ALockEndsInUnavailableAndIsRecoveredFrom) {
  const auto cache = open(quick(milliseconds(10'000)));
  ASSERT_EQ(nodeAt(*cache, kHere), "here");
  writer_->run("BEGIN; LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE");
  EXPECT_THAT(nodeAt(*cache, kThere), HasSubstr("UNAVAILABLE"));
  EXPECT_EQ(nodeAt(*cache, kHere), "here");
  writer_->run("COMMIT");
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
}

TEST_F(StoreFailuresTest, ALoadEndsInTimeAndTheNextOneGoesOn) {
  CachedWorldOptions options = this->options();
  options.fill_chunks = 1;  // a question for each mapblock
  options.load_ahead = 1000;
  const auto cache = open(options);
  const std::vector<BatchQuery> line = {
      {.line = Segment{.from = {-8'000, 8, 8}, .to = {7'999, 8, 8}}, .levels = {3}}};
  std::atomic<bool> is_cancelled = true;
  CachedQuery query;
  query.is_cancelled = &is_cancelled;
  EXPECT_EQ(cache->loadToHits(line, query).status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(cache->stats().not_stored, 0U);
  is_cancelled = false;
  int calls = 0;
  absl::Status status;
  do {
    query.until = Clock::now() + milliseconds(20);
    status = cache->loadToHits(line, query).status();
    ++calls;
  } while (absl::IsDeadlineExceeded(status) && calls < 1000);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_GT(calls, 1);
  EXPECT_EQ(cache->stats().not_stored, 1000U) << "each was read once";
}

// As it would if the far part of it were not loaded.
TEST_F(StoreFailuresTest, ALineThatRunsOutOfStepsIsLoadedFirst) {
  // A tunnel past a mapblock of stone: all blocks along it are visited.
  luanti_fixture::BlockParts parts;
  parts.names = {{0, "air"}, {1, "default:stone"}};
  parts.ids.fill(1);
  for (std::size_t x = 0; x < 16; ++x)
    parts.ids[x + 16 * 8 + 256 * 8] = 0;
  writer_->put({1, 0, 0}, mapblockOf("default:stone"));
  for (int x = 3; x < 6; ++x)
    writer_->put({x, 0, 0}, luanti_fixture::encode(parts));
  const auto cache = open();
  ASSERT_TRUE(cache->load(3, {{3, 0, 0}, {5, 0, 0}}).ok());
  const std::vector<BatchQuery> line = {
      {.line = Segment{.from = {8.5, 8.5, 8.5}, .to = {90, 8.5, 8.5}}, .levels = {3}}};
  QueryOptions few;
  few.max_steps = 10;
  const absl::StatusOr<ClosestBatch> before =
      RayQueryService(cache->world(), cache->entities()).closestHit(line, few);
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_EQ(before->errors.size(), 1U) << "in what is loaded";
  ClosestBatch batch;
  for (int repeat = 0; repeat < 2; ++repeat) {
    ASSERT_TRUE(cache->closestHits(line, {.query = few}, batch).ok());
    ASSERT_TRUE(batch.errors.empty()) << batch.errors[0].status;
    EXPECT_TRUE(batch.answers[0].isBlock());
    EXPECT_EQ(batch.answers[0].block.x(), 16);
  }
  // A line through the tunnel alone has its error once.
  const std::vector<BatchQuery> inside = {
      {.line = Segment{.from = {40.5, 8.5, 8.5}, .to = {150, 8.5, 8.5}}, .levels = {3}}};
  ASSERT_TRUE(cache->closestHits(inside, {.query = few}, batch).ok());
  ASSERT_EQ(batch.errors.size(), 1U);
  EXPECT_EQ(batch.errors[0].query, 0U);
  EXPECT_EQ(batch.errors[0].status.code(), absl::StatusCode::kResourceExhausted);
}

// A role may wait less for a lock than the cache does.
TEST_F(StoreFailuresTest, TheTimeOutOfARoleForLocksIsUnavailable) {
  CachedWorldOptions options = quick(milliseconds(10'000));
  options.url += "&options=-c%20lock_timeout%3D50";
  const auto cache = open(options);
  ASSERT_EQ(nodeAt(*cache, kHere), "here");
  writer_->run("BEGIN; LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE");
  EXPECT_THAT(nodeAt(*cache, kThere), HasSubstr("UNAVAILABLE"));
  EXPECT_EQ(nodeAt(*cache, kHere), "here");
  writer_->run("COMMIT");
  const auto begin = Clock::now();
  while (nodeAt(*cache, kThere) != "there" && Clock::now() - begin < milliseconds(10'000)) {
  }
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
}

TEST_F(StoreFailuresTest, AMapblockOfATypeThatIsNotListedFailsAlone) {
  init();  // lists the types
  CachedWorldOptions options = this->options();
  options.listed_types = true;
  const auto cache = open(options);
  const ChunkCoord beyond{1, 2, 5};
  writer_->put(beyond, mapblockOf("test:new"));
  ASSERT_TRUE(cache->refresh().ok());
  for (int repeat = 0; repeat < 2; ++repeat) {
    const std::string unlisted = nodeAt(*cache, beyond);
    EXPECT_THAT(unlisted, HasSubstr("FAILED_PRECONDITION"));
    EXPECT_THAT(unlisted, HasSubstr("test:new"));
    EXPECT_THAT(unlisted, HasSubstr("fractalray store init"));
  }
  EXPECT_EQ(nodeAt(*cache, kHere), "here") << "which was not loaded before";
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
  writer_->put(beyond, mapblockOf("here"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, beyond), "here");
}

// However long a transaction runs, anywhere on the server.
TEST_F(StoreFailuresTest, EntriesThatWereSeenAreNotReadAgain) {
  // A reader for whom it is an error to read some entry.
  const auto refuse = [this](const std::string& xid) {
    writer_->run(
        "CREATE OR REPLACE FUNCTION may_read(entry xid8) RETURNS boolean LANGUAGE plpgsql AS "
        "$$ BEGIN IF entry = '" +
        xid + "' THEN RAISE EXCEPTION 'an entry is read again'; END IF; RETURN true; END $$");
  };
  refuse("0");
  writer_->run(
      "ALTER TABLE fr_log ENABLE ROW LEVEL SECURITY; "
      "CREATE POLICY readable ON fr_log USING (may_read(xid)); CREATE ROLE reader_here LOGIN; "
      "GRANT SELECT ON blocks, fr_store, fr_log, fr_types TO reader_here");
  Sql early(url_);
  early.run("BEGIN");
  early.put(kThere, mapblockOf("new"));
  writer_->put(kHere, mapblockOf("seen"));
  refuse(writer_->run("SELECT xid FROM fr_log ORDER BY xid DESC LIMIT 1"));
  CachedWorldOptions options = this->options();
  options.url = "postgresql:///" + url_.substr(14, url_.find('?') - 14) +
                "?host=" + theServer().folder() + "&user=reader_here";
  {
    const auto cache = open(options);
    ASSERT_EQ(nodeAt(*cache, kHere), "seen");
    ASSERT_EQ(nodeAt(*cache, kThere), "there");
    const absl::Status status = cache->refresh().status();
    EXPECT_TRUE(status.ok()) << status;
    early.run("COMMIT");
    ASSERT_TRUE(cache->refresh().ok());
    EXPECT_EQ(nodeAt(*cache, kThere), "new");
    EXPECT_EQ(cache->stats().restarts, 0U);
  }
  writer_->run("DROP OWNED BY reader_here; DROP ROLE reader_here");
}

TEST_F(StoreFailuresTest, DamagedMapblocksAreAbsentAndCounted) {
  Bytes cut = mapblockOf("here");
  cut.resize(cut.size() - 3);
  writer_->put(kHere, cut);
  writer_->run("UPDATE blocks SET data = NULL WHERE posz = 4");
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "");
  EXPECT_EQ(nodeAt(*cache, kThere), "");
  EXPECT_EQ(cache->stats().damaged, 2U);
  EXPECT_EQ(cache->world().chunk(3, kHere), nullptr);
  writer_->put(kHere, mapblockOf("mended"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "mended");
}

// A blob of more bytes than a mapblock may unpack to is not even sent.
TEST_F(StoreFailuresTest, HugeMapblocksAreDamagedWithoutBeingRead) {
  writer_->run("UPDATE blocks SET data = convert_to(repeat('x', 3000000), 'UTF8') WHERE posz = 3");
  InputLimits limits;
  limits.mapblock_bytes = 1'000'000;
  CachedWorldOptions options = this->options();
  options.limits = limits;
  const auto cache = open(options);
  EXPECT_EQ(nodeAt(*cache, kHere), "");
  EXPECT_EQ(nodeAt(*cache, kThere), "there");
  EXPECT_EQ(cache->stats().damaged, 1U);
  const absl::StatusOr<StoreReport> report = checkStore({.url = url_, .limits = limits});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->named_damages.size(), 1U);
  EXPECT_EQ(report->named_damages[0].position, "(1, 2, 3)");
  EXPECT_EQ(report->named_damages[0].reason,
            "the data has 3000000 bytes: more than 1000000 bytes; --limit mapblock_bytes=N "
            "(InputLimits::mapblock_bytes) allows more");
  EXPECT_LT(report->bytes, 1'000'000U) << "of what was sent";
}

TEST_F(StoreFailuresTest, ARoleWithoutRightsIsRefused) {
  writer_->run("CREATE ROLE nobody_here LOGIN");
  CachedWorldOptions options = this->options();
  options.url = "postgresql:///" + url_.substr(14, url_.find('?') - 14) +
                "?host=" + theServer().folder() + "&user=nobody_here";
  EXPECT_EQ(CachedWorld::open(options).status().code(), absl::StatusCode::kPermissionDenied);
  writer_->run("GRANT SELECT ON blocks, fr_store, fr_log, fr_types TO nobody_here");
  EXPECT_TRUE(CachedWorld::open(options).ok());
  writer_->run("DROP OWNED BY nobody_here; DROP ROLE nobody_here");
}

TEST_F(StoreFailuresTest, AWrongPasswordIsPermissionDenied) {
  writer_->run(
      "SET password_encryption = 'scram-sha-256'; CREATE ROLE asked_here LOGIN PASSWORD 'right'");
  writer_->run("GRANT SELECT ON blocks, fr_store, fr_log, fr_types TO asked_here");
  theServer().askForPassword("asked_here");
  const auto open_with = [&](const std::string& password) {
    CachedWorldOptions options = this->options();
    options.url = "postgresql:///" + url_.substr(14, url_.find('?') - 14) +
                  "?host=" + theServer().folder() + "&user=asked_here&passfile=/dev/null" +
                  password;
    return CachedWorld::open(options).status();
  };
  for (const std::string wrong : {"&password=secret", ""}) {
    const auto begin = Clock::now();
    const absl::Status status = open_with(wrong);
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << status;
    const std::string message(status.message());
    EXPECT_THAT(message, ::testing::StartsWith("postgresql://"));
    EXPECT_THAT(message, HasSubstr("password"));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("secret")));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("28P01")));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("auth.c"))) << "the server's source";
    EXPECT_LT(Clock::now() - begin, milliseconds(1500)) << "waiting mends nothing";
  }
  EXPECT_TRUE(open_with("&password=right").ok());
  // A refusal that may pass is none.
  writer_->run("ALTER ROLE asked_here CONNECTION LIMIT 0");
  EXPECT_EQ(open_with("&password=right").code(), absl::StatusCode::kUnavailable);
  writer_->run("DROP OWNED BY asked_here; DROP ROLE asked_here");
}

}  // namespace
}  // namespace fractalray::store_fixture
