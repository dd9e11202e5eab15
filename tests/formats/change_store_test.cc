// SPDX-License-Identifier: Apache-2.0
// A store of changes keeps them, and refuses files that it cannot read or write.
// change_store_crash_test.cc kills its writer, change_model_test.cc compares it with a model.
#include "../../formats/change_store.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include "absl/strings/match.h"

#include "../../formats/internal/change_codec.h"
#include "../oracle/rng.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(ChangeStoreTest, ChangesAreThereAfterTheStoreIsReopened) {
  open();
  ASSERT_TRUE(record({change("888_123", 4095, kStone), change("888_123", 0, kAir, -7),
                      change("888", 5, kGlass), change("", 1, kWater)})
                  .ok());
  for (const bool again : {false, true}) {
    if (again) open();
    EXPECT_THAT(changesOf("888_123"),
                ElementsAre(ChangedBlock{0, kAir, -7}, ChangedBlock{4095, kStone, std::nullopt}));
    EXPECT_THAT(changesOf("888"), ElementsAre(ChangedBlock{5, kGlass, std::nullopt}));
    EXPECT_THAT(changesOf(""), ElementsAre(ChangedBlock{1, kWater, std::nullopt}));
    EXPECT_THAT(changesOf("888_124"), IsEmpty());
    EXPECT_THAT(changesOf("888_123_000"), IsEmpty());
  }
}

TEST_F(ChangeStoreTest, TheLastChangeOfABlockCounts) {
  open();
  ASSERT_TRUE(
      record({change("1a2", 3, kStone, 9), change("1a3", 3, kStone), change("1a2", 3, kGlass)})
          .ok());
  EXPECT_THAT(changesOf("1a2"), ElementsAre(ChangedBlock{3, kGlass, std::nullopt}));
  ASSERT_TRUE(record({change("1a2", 3, kWater, 4), change("1a2", 4, kWater)}).ok());
  EXPECT_THAT(changesOf("1a2"),
              ElementsAre(ChangedBlock{3, kWater, 4}, ChangedBlock{4, kWater, std::nullopt}));
  ASSERT_TRUE(record({change("1a2", 3, std::nullopt), change("1a2", 9, std::nullopt),
                      change("fff_fff", 9, std::nullopt)})
                  .ok());
  EXPECT_THAT(changesOf("1a2"), ElementsAre(ChangedBlock{4, kWater, std::nullopt}));
  EXPECT_THAT(changesOf("1a3"), SizeIs(1));
}

TEST_F(ChangeStoreTest, DueChangesAreThoseWhoseTimeHasCome) {
  open();
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::string deep = "012";
  for (int i = 0; i < 40; ++i)
    deep += "_9ab";
  ASSERT_TRUE(record({change(deep, 1, kStone, 20), change(deep, 2, kStone, 30),
                      change("", 3, kStone, 10), change("888", 4, kStone, kMax),
                      change("888", 5, kStone, kMin), change("888", 6, kStone)})
                  .ok());
  EXPECT_THAT(store_->due(kMin, 9).value(), ElementsAre(change("888", 5, std::nullopt)));
  EXPECT_THAT(store_->due(20, 9).value(),
              ElementsAre(change("888", 5, std::nullopt), change("", 3, std::nullopt),
                          change(deep, 1, std::nullopt)));
  EXPECT_THAT(store_->due(20, 2).value(), SizeIs(2));
  EXPECT_THAT(store_->due(20, 0).value(), IsEmpty());
  ASSERT_TRUE(store_->record(store_->due(20, 9).value()).ok());
  EXPECT_THAT(store_->due(30, 9).value(), ElementsAre(change(deep, 2, std::nullopt)));
  EXPECT_THAT(store_->due(kMax, 9).value(), SizeIs(2));
  EXPECT_THAT(changesOf("888"), SizeIs(2)) << "the one without a time stays";
}

TEST_F(ChangeStoreTest, PathsOfAnyLengthAreKeptApart) {
  open();
  std::vector<std::string> paths = {""};
  for (int steps = 1; steps <= 50; ++steps)
    paths.push_back(paths.back() + (steps == 1 ? "000" : "_000"));
  for (std::size_t i = 0; i < paths.size(); ++i)
    ASSERT_TRUE(record({change(paths[i], static_cast<int>(i), kStone)}).ok());
  open();
  const auto expect_kept = [&](std::size_t i) {
    EXPECT_THAT(changesOf(paths[i]),
                ElementsAre(ChangedBlock{static_cast<int>(i), kStone, std::nullopt}));
  };
  for (std::size_t i = 0; i < paths.size(); ++i)
    expect_kept(i);
  for (std::size_t i = paths.size(); i-- > 0;)
    expect_kept(i);
}

TEST_F(ChangeStoreTest, PathsOfAMillionStepsArePossible) {
  std::string deep = "123";
  for (int i = 1; i < 1'000'000; ++i)
    deep += "_789";
  open();
  ASSERT_TRUE(record({change(deep, 1, kStone, 5)}).ok());
  ASSERT_TRUE(record({change(deep.substr(0, deep.size() - 4), 2, kGlass)}).ok());
  open();
  EXPECT_THAT(changesOf(deep), ElementsAre(ChangedBlock{1, kStone, 5}));
  EXPECT_THAT(changesOf(deep.substr(0, deep.size() - 4)), SizeIs(1));
  EXPECT_THAT(changesOf(deep.substr(4)), IsEmpty());
  EXPECT_THAT(store_->due(5, 9).value(), ElementsAre(change(deep, 1, std::nullopt)));
}

// --- The log ---

// Returns the changes of a chunk that a store has by its file alone, without its log.
std::size_t countWithoutLog(const std::string& path, const std::string& copy,
                            const BlockTypeTable& types, const ChunkPath& chunk) {
  luanti_fixture::writeFile(copy, contentOf(path));
  const auto opened = ChangeStore::open(copy, types);
  if (!opened.ok()) return 0;
  return (*opened)->changesOf(chunk).value().size();
}

TEST_F(ChangeStoreTest, MaintainCopiesTheLogIntoTheFile) {
  open();
  for (int round = 1; round < 4; ++round) {
    ASSERT_TRUE(record({change("888", round, kStone), change("888", 100 + round, kGlass)}).ok());
    const auto before = static_cast<std::size_t>(2 * (round - 1));
    EXPECT_EQ(countWithoutLog(path_, folder_.file("copy"), types_, path("888")), before);
    const absl::Status status = store_->maintain();
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_EQ(countWithoutLog(path_, folder_.file("copy"), types_, path("888")), before + 2);
    EXPECT_THAT(changesOf("888"), SizeIs(before + 2));
  }
}

TEST_F(ChangeStoreTest, MaintainWithoutChangesLeavesTheFileAlone) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  ASSERT_TRUE(store_->maintain().ok());
  const std::string file = contentOf(path_);
  const std::string log = contentOf(path_ + "-wal");
  ASSERT_TRUE(store_->maintain().ok());
  EXPECT_EQ(contentOf(path_), file);
  EXPECT_EQ(contentOf(path_ + "-wal"), log);
}

// Two thousand calls write more than SQLite's own limit of a thousand pages.
TEST_F(ChangeStoreTest, RecordingOnlyAppendsToTheLogUntilThatIsLarge) {
  open();
  const std::string file = contentOf(path_);
  const auto log_bytes = [&] { return std::filesystem::file_size(path_ + "-wal"); };
  int calls = 0;
  const auto record_one = [&] {
    const ChunkPath chunk = ChunkPath::to({calls % 512, 5, 5}, 4);
    return store_->record(std::vector{change(chunk.text(), calls / 512 % 4096, kStone)});
  };
  for (; calls < 2000; ++calls)
    ASSERT_TRUE(record_one().ok());
  EXPECT_GT(log_bytes(), 1000U * 4096);
  EXPECT_EQ(contentOf(path_), file);
  for (; contentOf(path_) == file && calls < 20'000; calls += 50) {
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(record_one().ok());
  }
  EXPECT_GT(log_bytes(), ChangeStore::kMaxLogBytes * 9 / 10);
  EXPECT_LT(log_bytes(), ChangeStore::kMaxLogBytes * 12 / 10);
}

TEST_F(ChangeStoreTest, TypesAreKeptByName) {
  open();
  ASSERT_TRUE(record({change("888", 0, kStone), change("888", 1, kGlass)}).ok());
  store_.reset();
  BlockTypeTable others;
  const BlockTypeId glass = *others.add({.name = "glass"});
  auto reopened = ChangeStore::open(path_, others);
  ASSERT_TRUE(reopened.ok()) << reopened.status();
  const absl::Status missing = (*reopened)->changesOf(path("888")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("\"stone\", which is not in the table"));
  const BlockTypeId stone = *others.add({.name = "stone"});
  EXPECT_THAT(
      (*reopened)->changesOf(path("888")).value(),
      ElementsAre(ChangedBlock{0, stone, std::nullopt}, ChangedBlock{1, glass, std::nullopt}));
}

TEST_F(ChangeStoreTest, ABadChangeRefusesTheWholeCall) {
  open();
  BlockChange bad = change("888", 4096, kStone);
  EXPECT_EQ(record({change("888", 1, kStone), bad}).code(), absl::StatusCode::kInvalidArgument);
  bad = change("888", 1, BlockTypeId{77});
  EXPECT_THAT(std::string(record({change("888", 1, kStone), bad}).message()),
              HasSubstr("block type 77"));
  EXPECT_THAT(changesOf("888"), IsEmpty());
}

// --- Files that cannot be used ---

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
  luanti_fixture::writeFile(path_, std::string(5000, 'x'));
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

TEST_F(ChangeStoreTest, AnEmptyFileBecomesAStore) {
  luanti_fixture::writeFile(path_, "");
  open();
  EXPECT_TRUE(record({change("888", 1, kStone)}).ok());
}

TEST_F(ChangeStoreTest, AStoreOfAnotherVersionIsRefused) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone)}).ok());
  store_.reset();
  luanti_fixture::Database(path_).run("PRAGMA user_version = 3");
  const absl::Status status = tryOpen().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("a store of version 3"));
  luanti_fixture::Database(path_).run("PRAGMA user_version = 2");
  open();
  EXPECT_THAT(changesOf("888"), SizeIs(1)) << "nothing is lost";
}

TEST_F(ChangeStoreTest, ARowThatWasTamperedWithIsDataLoss) {
  open();
  ASSERT_TRUE(record({change("888", 1, kStone, 3)}).ok());
  store_.reset();
  for (const char* const tampering :
       {"UPDATE chunks SET changes = x'0100'", "UPDATE chunks SET changes = x''",
        "UPDATE chunks SET changes = x'01800000050000000000000000000000'",
        "UPDATE chunks SET changes = 17", "UPDATE chunks SET region = 5"}) {
    luanti_fixture::Database(path_).run(tampering);
    open();
    const absl::Status due = store_->due(3, 9).status();
    EXPECT_EQ(due.code(), absl::StatusCode::kDataLoss) << tampering << due;
    store_.reset();
  }
  luanti_fixture::Database(path_).run("DROP TABLE chunks");
  EXPECT_EQ(tryOpen().status().code(), absl::StatusCode::kDataLoss);
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
    luanti_fixture::writeFile(path_, damaged);
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

// --- Bytes ---

TEST(ChangeCodecTest, StepsAreTwelveBitsEach) {
  for (const std::string text : {"", "7a3", "7a3_221", "000_000_000", "fff_0f0_f0f_1a2"}) {
    const std::string packed = packSteps(ChunkPath::parse(text).value().steps());
    EXPECT_EQ(packed.size(), ((text.size() + 1) / 4 * 3 + 1) / 2);
    std::string back;
    EXPECT_TRUE(
        appendSteps(back, {reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()}));
    EXPECT_EQ(back, text);
  }
  std::string path;
  const std::vector<std::uint8_t> one_byte = {0x12};
  EXPECT_FALSE(appendSteps(path, one_byte));
  const std::vector<std::uint8_t> bad_filling = {0x12, 0x34};
  EXPECT_FALSE(appendSteps(path, bad_filling));
}

}  // namespace
}  // namespace fractalray
