// SPDX-License-Identifier: Apache-2.0
// Checks that every fault of a map's file is reported: files that are no maps, cut off, damaged,
// locked, or of another backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../oracle/rng.h"
#include "luanti_map_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::Bytes;
using luanti_fixture::contentOf;
using luanti_fixture::Database;
using luanti_fixture::encode;
using luanti_fixture::writeFile;

TEST_F(LuantiMapTest, FilesThatAreNoMapsAreRefused) {
  using enum absl::StatusCode;
  const std::string missing = directory_.file("nowhere");
  expectError(missing, kNotFound, missing, "no such file or directory");
  expectError(directory_.path(), kNotFound, directory_.path(), "no map.sqlite in this directory");
  writeFile(map(), "");
  expectError(directory_.path(), kInvalidArgument, map(), "the file is empty");
  writeFile(map(), "Luanti is a voxel game engine\n");
  expectError(directory_.path(), kInvalidArgument, map(), "not an SQLite database");
  expectError(map(), kInvalidArgument, map(), "not an SQLite database");
  std::filesystem::remove(map());
  std::filesystem::create_directory(map());
  expectError(directory_.path(), kInvalidArgument, map(), "not a file");
  std::filesystem::remove(map());
  ASSERT_EQ(mkfifo(map().c_str(), 0600), 0);  // opening it would wait for a writer
  expectError(directory_.path(), kInvalidArgument, map(), "not a file");
}

TEST_F(LuantiMapTest, DatabasesWithoutBlocksAreRefused) {
  using enum absl::StatusCode;
  { Database(map()).run("CREATE TABLE auth (id INTEGER, name TEXT)"); }
  expectError(directory_.path(), kInvalidArgument, map(), "it has no table 'blocks'");
  { Database(map()).run("CREATE VIEW blocks AS SELECT id AS pos, name AS data FROM auth"); }
  expectError(directory_.path(), kInvalidArgument, map(), "it has no table 'blocks'");
  std::filesystem::remove(map());
  { Database(map()).run("CREATE TABLE blocks (x INTEGER, y INTEGER, data BLOB)"); }
  expectError(directory_.path(), kInvalidArgument, map(), "neither the columns pos and data nor");
}

// SQLite takes the word of sqlite_master's sql, not that of its other columns.
TEST_F(LuantiMapTest, AViewInTheShapeOfATableIsRefused) {
  {
    Database database(map());
    database.createKeyed();
    database.run("CREATE VIEW other AS SELECT 1 AS pos");
    database.run("PRAGMA writable_schema = ON");
    database.run(
        "UPDATE sqlite_master SET type = 'table', name = 'blocks', tbl_name = 'blocks', sql = "
        "'CREATE VIEW blocks AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT i AS pos, i AS data FROM n WHERE i < 0' WHERE name = 'other'");
    database.run("DELETE FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%' OR sql IS NULL");
  }
  const absl::Status status = openLuantiWorld(directory_.path()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
}

// The pages of a tree refer to each other so often that it has 100^8 rows.
TEST_F(LuantiMapTest, RowsWithoutEndAreDamage) {
  {
    Database database(map());
    database.run("PRAGMA page_size = 512");
    database.run("CREATE TABLE blocks (pos INT, data BLOB)");
    database.run("BEGIN");
    for (int x = 0; x < 20'000; ++x)
      database.putKeyed({x % 2048, x / 2048, 0}, {29});
    database.run("COMMIT");
  }
  std::string bytes = contentOf(map());
  constexpr std::size_t kPage = 512;
  const auto page = [&](std::size_t number) { return (number - 1) * kPage; };
  const auto number_at = [&](std::size_t at) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < 4; ++i)
      number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
  };
  // From the root down, each inner page gets its first child as all of its children.
  constexpr char kInner = 5;
  for (std::size_t at = page(2); bytes[at] == kInner;) {
    const auto u8 = [&](std::size_t i) { return static_cast<unsigned char>(bytes[at + i]); };
    const std::size_t cells = static_cast<std::size_t>(u8(3) << 8 | u8(4));
    const std::size_t first = at + static_cast<std::size_t>(u8(12) << 8 | u8(13));
    const std::string child = bytes.substr(first, 4);
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t cell = at + static_cast<std::size_t>(u8(12 + 2 * i) << 8 | u8(13 + 2 * i));
      bytes.replace(cell, 4, child);
    }
    bytes.replace(at + 8, 4, child);
    at = page(number_at(first));
  }
  writeFile(map(), bytes);
  OpenOptions options;
  options.limits.mapblocks = std::numeric_limits<std::uint64_t>::max();
  const absl::Status all = openLuantiWorld(directory_.path(), options).status();
  EXPECT_EQ(all.code(), absl::StatusCode::kDataLoss) << all;
  EXPECT_THAT(std::string(all.message()), testing::HasSubstr("damaged"));
  options.chunks = ChunkBox{.min = {-9, -9, -9}, .max = {-9, -9, -9}};
  const absl::Status none = openLuantiWorld(directory_.path(), options).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kDataLoss) << none;
}

// A file is refused however short it has become, and never taken for a smaller map.
TEST_F(LuantiMapTest, TruncatedDatabasesAreRefused) {
  {
    Database database(map());
    database.createKeyed();
    const Bytes blob = encode(luanti_fixture::furnishedBlock(28));
    database.run("BEGIN");
    for (int x = 0; x < 200; ++x)
      database.putKeyed({x, 0, 0}, blob);
    database.run("COMMIT");
  }
  const std::string whole = contentOf(map());
  ASSERT_GT(whole.size(), 20000U);
  std::vector<std::size_t> lengths = {whole.size() - 1, whole.size() - 4096, 4096};
  for (std::size_t length = 1; length < whole.size(); length = length * 3 / 2 + 1) {
    lengths.push_back(length);
  }
  for (const std::size_t length : lengths) {
    SCOPED_TRACE(length);
    writeFile(map(), std::string_view(whole).substr(0, length));
    expectError(directory_.path(), absl::StatusCode::kDataLoss, map(), "cut off");
  }
}

TEST_F(LuantiMapTest, DamagedPagesNeverCrash) {
  {
    Database database(map());
    database.createKeyed();
    const Bytes blob = encode(luanti_fixture::furnishedBlock(29));
    database.run("BEGIN");
    for (int x = 0; x < 100; ++x)
      database.putKeyed({x, 0, 0}, blob);
    database.run("COMMIT");
  }
  const std::string whole = contentOf(map());
  oracle::Rng rng(1);
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 20; ++i) {
      changed[static_cast<std::size_t>(rng.in(100, static_cast<std::int64_t>(whole.size()) - 1))] =
          static_cast<char>(rng.below(256));
    }
    writeFile(map(), changed);
    const absl::StatusOr<OpenedWorld> opened = openLuantiWorld(directory_.path());
    if (!opened.ok()) {
      ++refused;
      continue;
    }
    const LoadReport& report = opened->report;
    EXPECT_EQ(report.loaded + report.not_generated + report.damaged, report.chunks);
  }
  EXPECT_GT(refused, 0);
}

TEST_F(LuantiMapTest, ALockedDatabaseIsAnErrorAfterAMoment) {
  Database database(map());
  database.createKeyed();
  database.run("BEGIN EXCLUSIVE");
  const auto begin = std::chrono::steady_clock::now();
  expectError(directory_.path(), absl::StatusCode::kUnavailable, map(),
              "another program keeps the database locked");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  database.run("COMMIT");
  EXPECT_EQ(open().report.chunks, 0U);
}

TEST_F(LuantiMapTest, ADatabaseWithAWriteAheadLogIsRead) {
  Database database(map());
  database.run("PRAGMA journal_mode = WAL");
  database.createKeyed();
  database.putKeyed({1, 0, 0}, encode(blockOf("default:stone")));
  // The mapblock is only in the write-ahead log; a writer does not keep readers away.
  database.run("BEGIN IMMEDIATE");
  database.putKeyed({2, 0, 0}, encode(blockOf("default:stone")));
  EXPECT_EQ(open().report.loaded, 1U);
  database.run("COMMIT");
  EXPECT_EQ(open().report.loaded, 2U);
}

TEST_F(LuantiMapTest, WorldsInOtherBackendsAreRefused) {
  using enum absl::StatusCode;
  { Database(map()).createKeyed(); }
  const std::string settings = directory_.file("world.mt");
  writeFile(settings, "gameid = minetest\nbackend = leveldb\n");
  expectError(directory_.path(), kInvalidArgument, settings, "in the backend 'leveldb'");
  writeFile(settings, "backend = sqlite3\r\nblocksize = 32\n");
  expectError(directory_.path(), kInvalidArgument, settings, "mapblocks of 32 nodes; expected 16");
  writeFile(settings, "a line of its own\nbackend=sqlite3\nplayer_backend = files\n");
  EXPECT_EQ(open().report.chunks, 0U);
}

}  // namespace
}  // namespace fractalray
