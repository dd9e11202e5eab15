// SPDX-License-Identifier: Apache-2.0
// A store of changes keeps them. change_store_files_test.cc has the files that it cannot read or
// write, change_store_crash_test.cc kills its writer, change_model_test.cc compares it with a
// model.
#include "../../formats/change_store.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "../../formats/internal/change_codec.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::contentOf;
using luanti_fixture::writeFile;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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

TEST_F(ChangeStoreTest, DueChangesWithLongPathsComeInParts) {
  std::string deep = "123";
  for (int i = 1; i < 500'000; ++i)  // 6 MB in memory
    deep += "_789";
  open();
  std::vector<BlockChange> changes;
  for (int i = 0; i < 7; ++i)
    changes.push_back(change(deep, i, kStone, 5));
  changes.push_back(change("888", 1, kStone, 6));
  ASSERT_TRUE(record(changes).ok());
  std::vector<std::size_t> parts;
  for (int i = 0; i < 4; ++i) {
    const auto due = store_->due(9, 4096);
    ASSERT_TRUE(due.ok()) << due.status();
    parts.push_back(due->size());
    ASSERT_TRUE(record(*due).ok());
  }
  EXPECT_THAT(parts, ElementsAre(3, 3, 2, 0));
  EXPECT_THAT(store_->due(9, 0).value(), IsEmpty());
}

// --- The log ---

// Returns the changes of a chunk that a store has by its file alone, without its log.
std::size_t countWithoutLog(const std::string& path, const std::string& copy,
                            const BlockTypeTable& types, const ChunkPath& chunk) {
  writeFile(copy, contentOf(path));
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
  while (contentOf(path_) == file && calls < 20'000) {
    for (const int end = calls + 50; calls < end; ++calls)
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

// --- Bytes ---

TEST(ChangeCodecTest, StepsAreTwelveBitsEach) {
  for (const std::string text : {"", "7a3", "7a3_221", "000_000_000", "fff_0f0_f0f_1a2"}) {
    const std::string packed = packSteps(ChunkPath::parse(text).value().steps());
    EXPECT_EQ(packed.size(), ((text.size() + 1) / 4 * 3 + 1) / 2);
    std::string back;
    EXPECT_TRUE(appendSteps(back, packed));
    EXPECT_EQ(back, text);
  }
  std::string path;
  EXPECT_FALSE(appendSteps(path, "\x12"));
  EXPECT_FALSE(appendSteps(path, "\x12\x34")) << "the filling";
}

}  // namespace
}  // namespace fractalray
