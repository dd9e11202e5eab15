// SPDX-License-Identifier: Apache-2.0
// Checks which version a cache is at, whatever writers do.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"

#include "../../store/cached_world.h"
#include "../oracle/long_run.h"
#include "store_fixture.h"

namespace fractalray::store_fixture {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

std::chrono::steady_clock::time_point after(milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

class StoreChangesTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    if (IsSkipped()) return;
    init();
    writer_->put(kHere, mapblockOf("old"));
    writer_->put(kThere, mapblockOf("old"));
  }

  // Returns the version that a writer hands to a reader.
  static StoreVersion versionOf(Sql& writer) {
    const std::string text =
        writer.run("SELECT world || '@' || pg_current_snapshot() FROM fr_store");
    const absl::StatusOr<StoreVersion> version = StoreVersion::parse(text);
    EXPECT_TRUE(version.ok()) << version.status();
    return *version;
  }
};

// By the number of a transaction alone, the first change would be missed: it is committed after a
// snapshot that sees a later number.
TEST_F(StoreChangesTest, TransactionsThatCommitOutOfOrderAreSeen) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  EXPECT_EQ(nodeAt(*cache, kThere), "old");
  Sql early(url_);
  early.run("BEGIN");
  early.put(kHere, mapblockOf("new"));
  writer_->put(kThere, mapblockOf("new"));
  const StoreVersion between = *cache->refresh();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  EXPECT_EQ(nodeAt(*cache, kThere), "new");
  early.run("COMMIT");
  const StoreVersion after = *cache->refresh();
  EXPECT_EQ(nodeAt(*cache, kHere), "new");
  EXPECT_TRUE(after.blocks.includes(between.blocks));
  EXPECT_FALSE(between.blocks.includes(after.blocks));
  EXPECT_EQ(cache->stats().restarts, 0U);
}

TEST_F(StoreChangesTest, RolledBackChangesAreNone) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run("BEGIN");
  writer_->put(kHere, mapblockOf("new"));
  writer_->run("ROLLBACK");
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  EXPECT_EQ(cache->stats().changed, 0U);
}

TEST_F(StoreChangesTest, EqualDataIsNoChange) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->put(kHere, mapblockOf("old"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(cache->stats().changed, 0U);
}

TEST_F(StoreChangesTest, MovedRowsChangeBothPositions) {
  const auto cache = open();
  const ChunkCoord beyond{1, 2, 5};
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  EXPECT_EQ(nodeAt(*cache, beyond), "");
  writer_->run("UPDATE blocks SET posz = 5 WHERE posz = 3");
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "");
  EXPECT_EQ(nodeAt(*cache, beyond), "old");
}

// All answers of a call are of one version, even if writers commit in the middle of it.
TEST_F(StoreChangesTest, ABatchIsOfOneVersion) {
  std::vector<BatchQuery> queries;
  for (int i = 0; i < 1000; ++i) {
    const Vec3d at{16.0 * (i % 40) + 0.5, 0.5, 16.0 * (i / 40) + 0.5};
    queries.push_back({.line = Segment{.from = at, .to = at}, .levels = {3}});
  }
  const auto write = [&](const std::string& node) {
    writer_->run("BEGIN");
    for (int i = 0; i < 1000; ++i)
      writer_->put({i % 40, 0, i / 40}, mapblockOf(node));
    writer_->run("COMMIT");
  };
  write("a");
  CachedWorldOptions options = this->options();
  options.fill_chunks = 1;  // a long call
  const auto slow = open(options);
  std::jthread other([&] { write("b"); });
  for (int round = 0; round < 4; ++round) {
    ClosestBatch batch;
    const auto version = slow->closestHits(queries, {}, batch);
    ASSERT_TRUE(version.ok()) << version.status();
    const BlockTypeId first = batch.answers[0].type;
    for (const Hit& hit : batch.answers)
      ASSERT_EQ(hit.type, first) << "one version";
    if (round == 1) {
      other.join();
      ASSERT_TRUE(slow->refresh().ok());
    }
  }
  EXPECT_EQ(nodeAt(*slow, {0, 0, 0}), "b");
}

TEST_F(StoreChangesTest, NoticesMakeTheNextAnswersNew) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->put(kHere, mapblockOf("new"));
  const auto until = after(milliseconds(800));
  while (nodeAt(*cache, kHere) != "new" && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(nodeAt(*cache, kHere), "new") << "long before a second has passed";
}

TEST_F(StoreChangesTest, LostNoticesCostASecond) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run(
      "DO $$ BEGIN EXECUTE replace(pg_get_functiondef('fr_changed'::regproc), "
      "'NOTIFY fr_blocks;', ''); END $$");
  writer_->put(kHere, mapblockOf("new"));
  const auto until = after(milliseconds(5000));
  while (nodeAt(*cache, kHere) != "new" && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(nodeAt(*cache, kHere), "new");
}

TEST_F(StoreChangesTest, MaxAgeOfNothingAsksEachTime) {
  CachedWorldOptions options = this->options();
  options.max_age = milliseconds(0);
  const auto cache = open(options);
  for (int i = 0; i < 20; ++i) {
    const std::string node = absl::StrCat("node", i);
    writer_->put(kHere, mapblockOf(node));
    EXPECT_EQ(nodeAt(*cache, kHere), node);
  }
}

// A writer hands its token to a reader that asks another cache each time.
TEST_F(StoreChangesTest, AtLeastIncludesWhatTheWriterHasCommitted) {
  const std::vector<std::unique_ptr<CachedWorld>> caches = [&] {
    std::vector<std::unique_ptr<CachedWorld>> opened;
    for (int i = 0; i < 3; ++i)
      opened.push_back(open());
    return opened;
  }();
  const int count = oracle::isLongRun() ? 10'000 : 200;
  for (int i = 0; i < count; ++i) {
    const std::string node = absl::StrCat("node", i % 500);
    writer_->put(kHere, mapblockOf(node));
    const StoreVersion token = versionOf(*writer_);
    CachedWorld& cache = *caches[static_cast<std::size_t>(i % 3)];
    ASSERT_EQ(nodeAt(cache, kHere, {.at_least = token}), node);
    EXPECT_TRUE(cache.version().blocks.includes(token.blocks));
  }
}

// Without notices a cache stays as it is until it is asked for what the writer has committed.
TEST_F(StoreChangesTest, AStaleCacheSeesWhatAtLeastIncludes) {
  writer_->run(
      "DO $$ BEGIN EXECUTE replace(pg_get_functiondef('fr_changed'::regproc), "
      "'NOTIFY fr_blocks;', ''); END $$");
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, kHere), "old");
  const int count = oracle::isLongRun() ? 10'000 : 200;
  int stale = 0;
  for (int i = 0; i < count; ++i) {
    const std::string node = absl::StrCat("node", i % 500);
    writer_->put(kHere, mapblockOf(node));
    const StoreVersion token = versionOf(*writer_);
    stale += cache->version().blocks.includes(token.blocks) ? 0 : 1;
    ASSERT_EQ(nodeAt(*cache, kHere, {.at_least = token}), node) << i;
    ASSERT_TRUE(cache->version().blocks.includes(token.blocks)) << i;
  }
  EXPECT_EQ(stale, count) << "each question came to an old cache";
}

TEST_F(StoreChangesTest, AtLeastOfWhatIsNotThereIsAborted) {
  CachedWorldOptions options = this->options();
  options.timeout = milliseconds(500);
  const auto cache = open(options);
  StoreVersion future = cache->version();
  future.blocks = *DatabaseSnapshot::parse("1000000:1000000:");
  EXPECT_EQ(cache->refresh(future).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
}

TEST_F(StoreChangesTest, AtLeastOfAnotherWorldIsRefused) {
  const auto cache = open();
  StoreVersion other = cache->version();
  other.world = "another\nworld";
  const absl::Status status = cache->refresh(other).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"another\\nworld\""));
  EXPECT_THAT(std::string(status.message()), HasSubstr(cache->version().world));
}

TEST_F(StoreChangesTest, ALogThatIsCutWithinSightEmptiesTheCache) {
  const auto cache = open();
  for (const char* statement : {"DELETE FROM fr_log", "TRUNCATE fr_log"}) {
    SCOPED_TRACE(statement);
    EXPECT_NE(nodeAt(*cache, kHere), "");
    const std::uint64_t restarts = cache->stats().restarts;
    const std::string node = absl::StrCat("after ", restarts);
    writer_->put(kHere, mapblockOf(node));
    writer_->run(statement);
    ASSERT_TRUE(cache->refresh().ok());
    EXPECT_EQ(cache->stats().restarts, restarts + 1);
    EXPECT_EQ(nodeAt(*cache, kHere), node);
    ASSERT_TRUE(cache->refresh().ok());
    EXPECT_EQ(cache->stats().restarts, restarts + 1) << "once";
  }
}

TEST_F(StoreChangesTest, OldEntriesMayBeCut) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  EXPECT_NE(writer_->run("SELECT count(*) FROM fr_log"), "0");
  writer_->run("DELETE FROM fr_log");
  writer_->put(kThere, mapblockOf("new"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(cache->stats().restarts, 0U) << "the cache has seen what was cut";
  EXPECT_EQ(nodeAt(*cache, kThere), "new");
}

TEST_F(StoreChangesTest, ATableThatIsEmptiedIsFollowed) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run("TRUNCATE blocks");
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "");
}

// TRUNCATE empties a table for older snapshots, too: none is to be taken before it, and read after.
TEST_F(StoreChangesTest, TablesThatAreEmptiedMeanwhileAreEmptyInLaterVersionsAlone) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  const auto commit_later = [&] {
    std::this_thread::sleep_for(milliseconds(300));
    writer_->run("COMMIT");
  };
  writer_->put(kHere, mapblockOf("new"));
  writer_->run("BEGIN; TRUNCATE fr_log");
  {
    const std::jthread other(commit_later);
    const absl::StatusOr<StoreVersion> version = cache->refresh();
    EXPECT_TRUE(version.ok()) << version.status();
    EXPECT_EQ(nodeAt(*cache, kHere), "new");
  }
  writer_->run("BEGIN; TRUNCATE blocks");
  const std::uint64_t emptied = std::stoull(writer_->run("SELECT pg_current_xact_id()"));
  const std::jthread other(commit_later);
  EXPECT_EQ(nodeAt(*cache, kThere), "");
  EXPECT_TRUE(cache->version().blocks.sees(emptied));
}

// As pg_restore --clean does it: rows come and go before there are triggers.
TEST_F(StoreChangesTest, ATableThatWasRestoredIsRefusedUntilInit) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run(
      "BEGIN; CREATE TABLE restored (LIKE blocks INCLUDING ALL); DROP TABLE blocks; "
      "ALTER TABLE restored RENAME TO blocks; "
      "CREATE TRIGGER fr_changed AFTER INSERT OR UPDATE OR DELETE ON blocks "
      "FOR EACH ROW EXECUTE FUNCTION fr_changed(); "
      "CREATE TRIGGER fr_emptied AFTER TRUNCATE ON blocks "
      "FOR EACH STATEMENT EXECUTE FUNCTION fr_cut(); COMMIT");
  const absl::Status status = cache->refresh().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("fractalray store init"));
  init();
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "");
  EXPECT_EQ(cache->stats().restarts, 1U);
}

TEST_F(StoreChangesTest, MissingTriggersAreRefusedAndMadeAgain) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run("ALTER TABLE blocks DISABLE TRIGGER fr_changed");
  writer_->put(kHere, mapblockOf("unseen"));
  const absl::Status status = cache->refresh().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("run fractalray store init"));
  init();
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "unseen");
  EXPECT_EQ(cache->stats().restarts, 1U);
}

TEST_F(StoreChangesTest, SessionsThatReplicateAreLogged) {
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run("SET session_replication_role = replica");
  writer_->put(kHere, mapblockOf("new"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "new");
  EXPECT_EQ(cache->stats().restarts, 0U);
}

// As pg_restore --disable-triggers leaves them: sessions that replicate would not be logged.
TEST_F(StoreChangesTest, TriggersThatAreNotAlwaysEnabledAreRefusedUntilInit) {
  const auto cache = open();
  ASSERT_EQ(nodeAt(*cache, kHere), "old");
  for (const char* const table : {"blocks", "fr_log"}) {
    SCOPED_TRACE(table);
    writer_->run(absl::StrCat("ALTER TABLE ", table, " DISABLE TRIGGER ALL; ALTER TABLE ", table,
                              " ENABLE TRIGGER ALL"));
    const absl::Status status = cache->refresh().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("2 of the 4 triggers"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("run fractalray store init"));
    init();
    ASSERT_TRUE(cache->refresh().ok());
  }
  writer_->run("SET session_replication_role = replica");
  writer_->put(kHere, mapblockOf("new"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(nodeAt(*cache, kHere), "new");
}

TEST_F(StoreChangesTest, TriggersThatWereDisabledForAWhileEmptyTheCache) {
  const auto cache = open();
  std::uint64_t restarts = 0;
  for (const char* const off :
       {"ALTER TABLE blocks DISABLE TRIGGER fr_changed", "ALTER TABLE blocks DISABLE TRIGGER ALL",
        "DROP TRIGGER fr_changed ON blocks"}) {
    SCOPED_TRACE(off);
    ASSERT_NE(nodeAt(*cache, kHere), "");
    const std::string node = absl::StrCat("unlogged", restarts);
    writer_->run(off);
    writer_->put(kHere, mapblockOf(node));
    if (std::string(off).starts_with("DROP")) {
      writer_->run(
          "CREATE TRIGGER fr_changed AFTER INSERT OR UPDATE OR DELETE ON blocks "
          "FOR EACH ROW EXECUTE FUNCTION fr_changed()");
    }
    writer_->run(
        "ALTER TABLE blocks ENABLE ALWAYS TRIGGER fr_changed, ENABLE ALWAYS TRIGGER fr_emptied");
    for (int repeat = 0; repeat < 2; ++repeat) {
      ASSERT_TRUE(cache->refresh().ok());
      EXPECT_EQ(nodeAt(*cache, kHere), node);
      EXPECT_EQ(cache->stats().restarts, restarts + 1) << "once";
    }
    ++restarts;
  }
}

TEST_F(StoreChangesTest, MoreChangesThanAreReadEmptyTheCache) {
  const auto cache = open();
  EXPECT_EQ(nodeAt(*cache, kHere), "old");
  writer_->run(
      "INSERT INTO fr_log (posx, posy, posz) SELECT x, y, 0 FROM "
      "generate_series(1, 1000) AS x, generate_series(1, 101) AS y");
  writer_->put(kHere, mapblockOf("new"));
  ASSERT_TRUE(cache->refresh().ok());
  EXPECT_EQ(cache->stats().restarts, 1U);
  EXPECT_EQ(nodeAt(*cache, kHere), "new");
}

}  // namespace
}  // namespace fractalray::store_fixture
