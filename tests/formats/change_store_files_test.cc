// SPDX-License-Identifier: Apache-2.0
// Files that a store of changes refuses, damaged ones, full disks, and missing permissions: each is
// an error, and nothing is lost.
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"

#include "../../formats/internal/sqlite_database.h"
#include "../oracle/rng.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::contentOf;
using luanti_fixture::writeFile;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

TEST_F(ChangeStoreTest, AStoreThatIsOpenIsLocked) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  const absl::Status second = tryOpen().status();
  EXPECT_EQ(second.code(), absl::StatusCode::kUnavailable) << second;
  EXPECT_THAT(std::string(second.message()), StartsWith(path_));
  EXPECT_THAT(std::string(second.message()), HasSubstr("another program has it open"));
  EXPECT_THAT(changesOf("888"), SizeIs(1));
  store_.reset();
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1));
}

TEST_F(ChangeStoreTest, OtherFilesAreRefusedAndLeftAsTheyAre) {
  const auto refused = [&](const std::string& path, absl::StatusCode code) {
    const absl::Status status = ChangeStore::open(path, types_).status();
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), StartsWith(path));
    return std::string(status.message());
  };
  using enum absl::StatusCode;
  writeFile(path_, std::string(5000, 'x'));
  EXPECT_THAT(refused(path_, kInvalidArgument), HasSubstr("not an SQLite database"));
  EXPECT_EQ(std::filesystem::file_size(path_), 5000U);
  EXPECT_THAT(refused(folder_.path(), kInvalidArgument), HasSubstr("not a file"));
  EXPECT_THAT(refused(folder_.file("no/such/file"), kNotFound), HasSubstr("directory"));
  EXPECT_EQ(ChangeStore::open("", types_).status().code(), kInvalidArgument);
  EXPECT_EQ(ChangeStore::open(std::string("a\0b", 3), types_).status().code(), kInvalidArgument);
  const std::string map = folder_.file("map.sqlite");
  luanti_fixture::Database(map).createKeyed();
  EXPECT_THAT(refused(map, kInvalidArgument), HasSubstr("no store of changes"));
  EXPECT_FALSE(std::filesystem::exists(map + "-wal"));
}

// The names of the files next to it are up to 8 bytes longer.
TEST_F(ChangeStoreTest, ANameThatIsTooLongIsAnInvalidArgument) {
  for (const std::size_t length : {245U, 250U, 300U}) {
    const std::string path = folder_.file(std::string(length, 'x'));
    const absl::Status status = ChangeStore::open(path, types_).status();
    if (length == 245U) {
      EXPECT_TRUE(status.ok()) << status;
      continue;
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("File name too long"));
  }
}

TEST_F(ChangeStoreTest, AnEmptyFileBecomesAStore) {
  writeFile(path_, "");
  open();
  EXPECT_TRUE(record({change("888", 1, kStone)}).ok());
}

TEST_F(ChangeStoreTest, AStoreOfAnotherVersionIsRefused) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  luanti_fixture::Database(path_).run("PRAGMA user_version = 4");
  const absl::Status status = tryOpen().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("a store of version 4"));
  luanti_fixture::Database(path_).run("PRAGMA user_version = 3");
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1)) << "nothing is lost";
}

TEST_F(ChangeStoreTest, ARowThatWasTamperedWithIsDataLoss) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone, 3)}).ok());
  store_.reset();
  const std::string whole = contentOf(path_);
  // "63" is the key's first byte for a chunk, "64" for a time (formats/internal/change_keys.h).
  for (const char* const tampering :
       {"UPDATE rows SET value = x'0100' WHERE key > x'63' AND key < x'64'",
        "UPDATE rows SET value = x'' WHERE key > x'63' AND key < x'64'",
        "UPDATE rows SET value = 17 WHERE key > x'63' AND key < x'64'",
        "UPDATE rows SET key = key || x'00' WHERE key > x'63' AND key < x'64'",
        "UPDATE rows SET key = x'6405' WHERE key > x'64' AND key < x'65'",
        "DELETE FROM rows WHERE key > x'63' AND key < x'64'",
        "DELETE FROM rows WHERE key > x'64' AND key < x'65'"}) {
    writeFile(path_, whole);
    luanti_fixture::Database(path_).run(tampering);
    open();
    const absl::Status due = store_->due(3, 9).status();
    EXPECT_EQ(due.code(), absl::StatusCode::kDataLoss) << tampering << due;
    store_.reset();
  }
  luanti_fixture::Database(path_).run("DROP TABLE rows");
  EXPECT_EQ(tryOpen().status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(ChangeStoreTest, ADamagedRowDoesNotKeepTheOthersFromBeingReverted) {
  open();
  ASSERT_TRUE(record({change("887", 1, kStone, 3), change("888", 2, kStone, 4),
                      change("889", 3, kStone, 5)})
                  .ok());
  store_.reset();
  luanti_fixture::Database(path_).run(
      "UPDATE rows SET value = x'0100' WHERE key = "
      "(SELECT min(key) FROM rows WHERE key > x'63')");
  open();
  const auto due = store_->due(9, 9);
  ASSERT_TRUE(due.ok()) << due.status();
  EXPECT_EQ(*due, (std::vector{change("888", 2, std::nullopt), change("889", 3, std::nullopt)}));
  ASSERT_TRUE(store_->record(*due).ok());
  EXPECT_EQ(store_->due(9, 9).status().code(), absl::StatusCode::kDataLoss) << "reported at last";
  ASSERT_TRUE(record({change("888", 2, kStone, 6)}).ok());
  EXPECT_THAT(store_->due(9, 9).value(), SizeIs(1));
}

constexpr const char* kEndlessView =
    " AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT x'00' AS key, i AS link, x'00' AS value FROM n WHERE i < 0";

// A view that never returns a row, a trigger that never ends, and others.
TEST_F(ChangeStoreTest, ASchemaOfSomebodyElseIsRefused) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  const std::string whole = contentOf(path_);
  const std::string endless = kEndlessView;
  const std::vector<std::vector<std::string>> schemas = {
      {"DROP TABLE rows", "CREATE VIEW rows" + endless},
      {"CREATE VIEW endless" + endless,
       "CREATE TRIGGER t AFTER INSERT ON rows BEGIN "
       "DELETE FROM rows WHERE key IN (SELECT key FROM endless); END"},
      {"CREATE INDEX slow ON rows(length(hex(value)))"},
      {"CREATE TABLE more(a)"},
      {"ALTER TABLE rows ADD COLUMN more"},
  };
  for (const std::vector<std::string>& schema : schemas) {
    writeFile(path_, whole);
    for (const std::string& sql : schema)
      luanti_fixture::Database(path_).run(sql);
    EXPECT_EQ(tryOpen().status().code(), absl::StatusCode::kDataLoss) << schema[0];
  }
  writeFile(path_, whole);
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1));
}

TEST_F(ChangeStoreTest, AStoreThatSomebodyAnalyzedIsRead) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  luanti_fixture::Database(path_).run("ANALYZE");
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1));
}

// Overwrites bytes of a store, or cuts it off: what is read is what was written, or there is an
// error. A damaged key may hide its chunk.
TEST_F(ChangeStoreTest, DamagedFilesNeverGiveWrongChanges) {
  open();
  std::vector<BlockChange> changes;
  for (int i = 0; i < 3000; ++i)
    changes.push_back(change(i % 3 == 0   ? "888_123"
                             : i % 3 == 1 ? "888_124"
                                          : "887",
                             i, kStone, i));
  ASSERT_TRUE(store_->record(changes).ok());
  const auto expected = changesOf("888_124");
  store_.reset();
  const std::string whole = contentOf(path_);
  oracle::Rng rng("DamagedFiles");
  int errors = 0;
  for (int round = 0; round < 100; ++round) {
    std::string damaged = whole;
    if (rng.oneIn(4)) {
      damaged.resize(static_cast<std::size_t>(rng.in(0, static_cast<int>(whole.size()) - 1)));
    }
    const std::int64_t at = rng.in(0, static_cast<std::int64_t>(damaged.size()));
    const std::int64_t end =
        std::min(at + rng.pick({1, 4, 400}), static_cast<std::int64_t>(damaged.size()));
    for (std::int64_t i = at; i < end; ++i)
      damaged[static_cast<std::size_t>(i)] = static_cast<char>(rng.below(256));
    writeFile(path_, damaged);
    std::filesystem::remove(path_ + "-wal");
    const auto opened = tryOpen();
    if (!opened.ok()) {
      ++errors;
      continue;
    }
    const auto read = (*opened)->changesOf(path("888_124"));
    if (!read.ok()) {
      ++errors;
    } else if (!read->empty()) {
      EXPECT_EQ(*read, expected) << round;
    }
    (*opened)->due(5000, 5000).IgnoreError();
    if (rng.oneIn(4)) {
      (*opened)->record(std::vector{change("888_124", 5, kGlass)}).IgnoreError();
    }
  }
  EXPECT_GT(errors, 15);
}

TEST_F(ChangeStoreTest, ATransactionIsRolledBackWithoutMemory) {
  const SqliteDatabase database = SqliteDatabase::open(path_).value();
  ASSERT_TRUE(database.run("CREATE TABLE numbers(number INTEGER)").ok());
  for (int round = 0; round < 2; ++round) {
    const absl::Status status = database.transact([&] {
      EXPECT_TRUE(database.run("INSERT INTO numbers VALUES(1)").ok()) << round;
      sqlite3_hard_heap_limit64(1);
      return absl::InternalError("stop");
    });
    sqlite3_hard_heap_limit64(0);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
  }
  std::int64_t numbers = -1;
  ASSERT_TRUE(database
                  .run("SELECT count(*) FROM numbers",
                       [&](const SqliteRow& row) {
                         numbers = row.integer(0).value();
                         return absl::OkStatus();
                       })
                  .ok());
  EXPECT_EQ(numbers, 0);
}

// Runs `work` in a child process, which exits with its result: limits of a process cannot be taken
// back.
template <class Work>
int inChild(const Work& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void limitFiles(rlim_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(ChangeStoreTest, OnAFullDiskNothingChangesAndNothingIsLost) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  const int outcome = inChild([&] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    const auto opened = ChangeStore::open(path_, types_);
    if (!opened.ok()) return 1;
    ChangeStore& store = **opened;
    std::vector<BlockChange> changes;
    for (int i = 0; i < 4096; ++i)
      changes.push_back(change("888", i, kGlass, i));
    limitFiles(40000);
    const absl::Status full = store.record(changes);
    if (full.code() != absl::StatusCode::kResourceExhausted) return 2;
    if (full.message().find("free some space") == absl::string_view::npos) return 3;
    if (store.changesOf(path("888")).value() !=
        std::vector{ChangedBlock{1, kStone, std::nullopt}}) {
      return 4;
    }
    limitFiles(RLIM_INFINITY);
    if (!store.record(changes).ok()) return 5;
    return store.changesOf(path("888")).value().size() == 4096 ? 0 : 6;
  });
  EXPECT_EQ(outcome, 0);
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(4096));
}

TEST_F(ChangeStoreTest, AFullDiskEndsMaintainAndNothingIsLost) {
  open();
  store_.reset();
  const int outcome = inChild([&] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    const auto opened = ChangeStore::open(path_, types_);
    if (!opened.ok()) return 1;
    ChangeStore& store = **opened;
    std::vector<BlockChange> changes;
    for (int i = 0; i < 40'000; ++i) {
      changes.push_back(change("888", i % 4096, kGlass, i));
      changes.back().chunk = ChunkPath::to({i / 4096, 1, 1}, 3);
    }
    if (!store.record(changes).ok()) return 2;
    limitFiles(40000);
    const absl::Status full = store.maintain();
    if (full.code() != absl::StatusCode::kResourceExhausted) return 3;
    if (store.changesOf(ChunkPath::to({1, 1, 1}, 3)).value().size() != 4096) return 4;
    limitFiles(RLIM_INFINITY);
    return store.maintain().ok() ? 0 : 5;
  });
  EXPECT_EQ(outcome, 0);
  open();
  EXPECT_THAT(changesOf(ChunkPath::to({8, 1, 1}, 3).text()), SizeIs(4096));
}

TEST_F(ChangeStoreTest, AFullDiskIsAnErrorOfOpeningToo) {
  const int outcome = inChild([&] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    limitFiles(1000);
    return ChangeStore::open(path_, types_).status().code() == absl::StatusCode::kResourceExhausted
               ? 0
               : 1;
  });
  EXPECT_EQ(outcome, 0);
  open();
  EXPECT_TRUE(record({change("888", 1, kStone)}).ok());
}

// Checks, as a user without the rights of root, that a store cannot be opened.
TEST_F(ChangeStoreTest, WhatCannotBeWrittenIsRefused) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  const auto open_as_user = [&] {
    return inChild([&] {
      if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) return 100;
      const absl::Status status = ChangeStore::open(path_, types_).status();
      if (!absl::StrContains(std::string(status.message()), "permissions")) return 101;
      return static_cast<int>(status.code());
    });
  };
  const auto denied = static_cast<int>(absl::StatusCode::kPermissionDenied);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  EXPECT_EQ(open_as_user(), denied) << "the file";
  ASSERT_EQ(chmod(path_.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0555), 0);
  EXPECT_EQ(open_as_user(), denied) << "the directory, in which SQLite makes its log";
  ASSERT_EQ(chmod(path_.c_str(), 0000), 0);
  EXPECT_EQ(open_as_user(), denied) << "neither read nor written";
  ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0644), 0);
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1));
}

}  // namespace
}  // namespace fractalray
