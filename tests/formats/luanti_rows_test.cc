// SPDX-License-Identifier: Apache-2.0
// Checks that a part of a map is read by the map's index, with no more steps than it has rows, and
// that it is the same part as without an index.
#include "../../formats/internal/luanti_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../formats/internal/luanti_paths.h"
#include "../oracle/rng.h"
#include "luanti_map_fixture.h"

struct sqlite3_api_routines;

namespace fractalray {
namespace {

using luanti_fixture::Bytes;
using luanti_fixture::Database;
using luanti_fixture::encode;

// Counts the steps of SQLite's machine: of all statements that end on connections that are opened
// while it lives.
class StepCounter {
 public:
  StepCounter() {
    steps_ = 0;
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(attach));
  }
  ~StepCounter() { sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(attach)); }
  StepCounter(const StepCounter&) = delete;
  StepCounter& operator=(const StepCounter&) = delete;

  static std::int64_t steps() { return steps_; }

 private:
  static int attach(sqlite3* database, char** /*error*/, const sqlite3_api_routines* /*api*/) {
    return sqlite3_trace_v2(database, SQLITE_TRACE_PROFILE, count, nullptr);
  }
  static int count(unsigned /*event*/, void* /*context*/, void* statement, void* /*time*/) {
    auto* const ended = static_cast<sqlite3_stmt*>(statement);
    steps_ += sqlite3_stmt_status(ended, SQLITE_STMTSTATUS_VM_STEP, 1);
    return 0;
  }

  static inline std::int64_t steps_ = 0;
};

// The tables of Luanti, and tables without their indices.
enum class Table { kKey, kColumns, kKeyAlone, kColumnsAlone };
constexpr std::array kTables = {Table::kKey, Table::kColumns, Table::kKeyAlone,
                                Table::kColumnsAlone};

bool hasKey(Table table) {
  return table == Table::kKey || table == Table::kKeyAlone;
}
bool hasIndex(Table table) {
  return table == Table::kKey || table == Table::kColumns;
}

class LuantiRowsTest : public LuantiMapTest {
 protected:
  // Makes the table in place of an earlier map.
  void create(Table table) const {
    std::filesystem::remove(map());
    Database database(map());
    if (table == Table::kKey) database.createKeyed();
    if (table == Table::kColumns) database.createWithColumns();
    if (table == Table::kKeyAlone) database.run("CREATE TABLE blocks (pos INT, data BLOB)");
    if (table == Table::kColumnsAlone) {
      database.run("CREATE TABLE blocks (x INT, y INT, z INT, data BLOB)");
    }
  }
  // Adds the mapblocks of a cube of that width, which begins at the origin.
  void fillCube(Table table, int width, const Bytes& blob) const {
    const std::string position =
        hasKey(table) ? "z.v * 16777216 + y.v * 4096 + x.v" : "x.v, y.v, z.v";
    Database(map()).run(absl::StrCat("WITH RECURSIVE n(v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM "
                                     "n WHERE v < ",
                                     width - 1, ") INSERT INTO blocks SELECT ", position,
                                     ", ? FROM n AS x, n AS y, n AS z"),
                        blob);
  }
  void put(Table table, const std::vector<ChunkCoord>& mapblocks) const {
    const Bytes blob = encode(blockOf("default:stone"));
    Database database(map());
    database.run("BEGIN");
    for (const ChunkCoord& at : mapblocks)
      hasKey(table) ? database.putKeyed(at, blob) : database.putInColumns(at, blob);
    database.run("COMMIT");
  }
  OpenedWorld openPart(const ChunkBox& box) const {
    OpenOptions options;
    options.chunks = box;
    return open(options);
  }
  static std::set<ChunkCoord> loadedOf(const OpenedWorld& opened) {
    std::set<ChunkCoord> loaded;
    opened.world.forEachLoaded(
        3, [&](const ChunkCoord& at, const Chunk& /*chunk*/) { loaded.insert(at); });
    return loaded;
  }
};

TEST_F(LuantiRowsTest, APartOfNineMapblocksTakesFewSteps) {
  constexpr int kWidth = 28;
  constexpr std::uint64_t kRows = std::uint64_t{kWidth} * kWidth * kWidth;
  for (const Table table : kTables) {
    SCOPED_TRACE(static_cast<int>(table));
    create(table);
    fillCube(table, kWidth, encode(blockOf("air")));
    const StepCounter counter;
    const OpenedWorld part = openPart({.min = {11, 7, 3}, .max = {13, 7, 5}});
    const std::int64_t steps = StepCounter::steps();
    EXPECT_EQ(part.report.chunks, 9U);
    EXPECT_EQ(part.report.loaded, 9U);
    EXPECT_EQ(part.report.outside, hasIndex(table) ? 0U : kRows - 9);
    // To find out how to read takes a few hundred.
    if (hasIndex(table)) {
      EXPECT_LT(steps, 2000);
    } else {
      EXPECT_GT(steps, static_cast<std::int64_t>(kRows));
    }
  }
}

TEST_F(LuantiRowsTest, PartsAreTheSameWithAndWithoutAnIndex) {
  oracle::Rng rng(7);
  const auto corner = [&] { return rng.pick<std::int64_t>({-2048, -2, -1, 0, 1, 2, 2047}); };
  std::set<ChunkCoord> all;
  while (all.size() < 150)
    all.insert({corner(), corner(), corner()});
  for (const Table table : kTables) {
    SCOPED_TRACE(static_cast<int>(table));
    create(table);
    put(table, {all.begin(), all.end()});
    int searched = 0;
    for (int round = 0; round < 40; ++round) {
      ChunkBox box;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t a = corner();
        // Small boxes, for which the index is used, and large ones.
        const std::int64_t b = rng.oneIn(3) ? corner() : a + rng.below(3);
        box.min[axis] = std::min(a, b);
        box.max[axis] = std::max(a, b);
      }
      std::set<ChunkCoord> expected;
      for (const ChunkCoord& at : all) {
        bool is_inside = true;
        for (int axis = 0; axis < 3; ++axis)
          is_inside = is_inside && at[axis] >= box.min[axis] && at[axis] <= box.max[axis];
        if (is_inside) expected.insert(at);
      }
      const OpenedWorld part = openPart(box);
      ASSERT_EQ(loadedOf(part), expected)
          << testing::PrintToString(box.min) << " " << testing::PrintToString(box.max);
      EXPECT_EQ(part.report.chunks, expected.size());
      const std::size_t others = all.size() - expected.size();
      EXPECT_TRUE(part.report.outside == 0 || part.report.outside == others);
      if (part.report.outside == 0 && others > 0) ++searched;
    }
    EXPECT_EQ(searched > 5, hasIndex(table)) << searched;
    EXPECT_LT(searched, 40);
  }
}

TEST_F(LuantiRowsTest, BoxesBeyondTheMapAreCutAtItsEnds) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  for (const Table table : kTables) {
    create(table);
    put(table, {{-2048, 0, 0}, {0, 0, 0}, {2047, 0, 0}, {0, 1, 0}});
    EXPECT_EQ(openPart({.min = {-kFar, 0, 0}, .max = {kFar, 0, 0}}).report.loaded, 3U);
    EXPECT_EQ(openPart({.min = {-kFar, -kFar, -kFar}, .max = {kFar, kFar, kFar}}).report.loaded,
              4U);
    EXPECT_EQ(openPart({.min = {2048, 0, 0}, .max = {kFar, 0, 0}}).report.loaded, 0U);
  }
}

TEST_F(LuantiRowsTest, DamageInThePartIsReported) {
  create(Table::kKey);
  fillCube(Table::kKey, 16, encode(blockOf("air")));
  {
    Database database(map());
    database.run("UPDATE blocks SET data = 'text' WHERE pos = 2");
    database.run("UPDATE blocks SET data = 'text' WHERE pos = 9");
    database.run("INSERT INTO blocks VALUES (1.5, x'1d')");
    database.run("INSERT INTO blocks VALUES ('elsewhere', x'1d')");
  }
  const OpenedWorld part = openPart({.min = {0, 0, 0}, .max = {3, 0, 0}});
  EXPECT_EQ(part.report.chunks, 5U);
  EXPECT_EQ(part.report.loaded, 3U);
  ASSERT_EQ(part.report.named_damages.size(), 2U);
  EXPECT_EQ(part.report.named_damages[0].position, "pos = 1.5");
  EXPECT_EQ(part.report.named_damages[1].position, "(2, 0, 0)");
}

// An index that does not lead to the line would be searched in vain for each of them.
TEST_F(LuantiRowsTest, OtherIndicesAreNotUsed) {
  create(Table::kColumnsAlone);
  fillCube(Table::kColumnsAlone, 16, encode(blockOf("air")));
  for (const std::string columns : {"z", "x", "z, x", "y"}) {
    Database(map()).run("CREATE INDEX other ON blocks (" + columns + ")");
    EXPECT_EQ(openPart({.min = {1, 1, 1}, .max = {1, 1, 1}}).report.outside, 16U * 16 * 16 - 1)
        << columns;
    Database(map()).run("DROP INDEX other");
  }
  Database(map()).run("CREATE INDEX own ON blocks (x, z, y)");
  EXPECT_EQ(openPart({.min = {1, 1, 1}, .max = {1, 1, 1}}).report.outside, 0U);
}

TEST_F(LuantiRowsTest, ProgressIsInLinesIfAnIndexFindsThem) {
  create(Table::kKey);
  fillCube(Table::kKey, 16, encode(blockOf("air")));
  std::vector<std::pair<std::size_t, std::size_t>> reports;
  OpenOptions options;
  options.chunks = ChunkBox{.min = {0, 0, 0}, .max = {9, 1, 2}};
  options.progress = [&](std::size_t done, std::size_t total) {
    reports.emplace_back(done, total);
  };
  EXPECT_EQ(open(options).report.loaded, 60U);
  ASSERT_EQ(reports.size(), 6U);
  for (std::size_t i = 0; i < reports.size(); ++i)
    EXPECT_EQ(reports[i], std::pair(i + 1, std::size_t{6}));
}

TEST(LuantiKeyOfMapblockTest, IsTheKeyThatSplitsIntoTheMapblock) {
  oracle::Rng rng(2);
  for (int round = 0; round < 1000; ++round) {
    const ChunkCoord at{rng.in(-2048, 2047), rng.in(-2048, 2047), rng.in(-2048, 2047)};
    EXPECT_EQ(mapblockFromKey(keyOfMapblock(at)), at);
    EXPECT_EQ(keyOfMapblock(at), luanti_fixture::keyOf(at[0], at[1], at[2]));
  }
}

}  // namespace
}  // namespace fractalray
