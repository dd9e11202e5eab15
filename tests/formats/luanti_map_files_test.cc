// SPDX-License-Identifier: Apache-2.0
// Checks that every fault of a map's file is reported: files that are no maps, cut off, damaged,
// locked, or of another backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../oracle/rng.h"
#include "luanti_map_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::Bytes;
using luanti_fixture::contentOf;
using luanti_fixture::Database;
using luanti_fixture::encode;
using luanti_fixture::keyOf;
using luanti_fixture::writeFile;

TEST_F(LuantiMapTest, FilesThatAreNoMapsAreRefused) {
  using enum absl::StatusCode;
  const std::string missing = directory_.file("nowhere");
  expectError(missing, kNotFound, missing, "No such file or directory");
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

// Each inner page of a tree refers to the next one as all of its children, so that rows are found
// again and again: more often than anybody can wait for.
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
  constexpr char kInner = 5;
  constexpr char kLeaf = 13;
  std::vector<std::size_t> chain;  // the offsets of the inner pages, the root first, and of a leaf
  for (std::size_t at = kPage; at < bytes.size(); at += kPage) {
    if (bytes[at] == kInner) chain.push_back(at);
  }
  ASSERT_GE(chain.size(), 5U);
  chain.resize(std::min<std::size_t>(chain.size(), 8));
  std::size_t leaf = kPage;
  while (bytes[leaf] != kLeaf)
    leaf += kPage;
  chain.push_back(leaf);
  const auto u16 = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]) << 8 |
                                    static_cast<unsigned char>(bytes[at + 1]));
  };
  std::size_t rows = u16(leaf + 3);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const std::size_t page = chain[i];
    const std::size_t number = chain[i + 1] / kPage + 1;
    const std::string child = {0, 0, static_cast<char>(number >> 8), static_cast<char>(number)};
    const std::size_t cells = u16(page + 3);
    for (std::size_t cell = 0; cell < cells; ++cell)
      bytes.replace(page + u16(page + 12 + 2 * cell), 4, child);
    bytes.replace(page + 8, 4, child);
    rows *= cells + 1;
  }
  ASSERT_GT(rows, 1'000'000'000U);
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
    EXPECT_EQ(report.loaded + report.not_generated + report.unsupported + report.damaged,
              report.chunks);
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

// A server whose save has to wait for three seconds ends. It writes what has been read already.
TEST_F(LuantiMapTest, AServerCanSaveWhileALargeMapIsRead) {
  constexpr int kWidth = 400;
  {
    Database database(map());
    database.createKeyed();
    for (int x = 0; x < kWidth; ++x)
      database.putKeyed({x, 0, 0}, encode(blockOf("default:stone")));
  }
  for (const bool is_part : {false, true}) {
    SCOPED_TRACE(is_part ? "a part" : "all");
    std::atomic<bool> has_saved = false;
    std::thread server;
    OpenOptions options;
    if (is_part) options.chunks = {.min = {0, 0, 0}, .max = {kWidth, 3, 0}};
    options.progress = [&](std::size_t done, std::size_t total) {
      if (done == total) return;
      if (!server.joinable()) {
        server = std::thread([&] {
          Database database(map());
          database.run("PRAGMA busy_timeout = 3000");
          database.run(absl::StrCat("REPLACE INTO blocks VALUES (", keyOf(0, 0, 0), ", ?)"),
                       encode(blockOf("default:dirt")));
          has_saved = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
      } else if (is_part || done > 100) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!has_saved && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        EXPECT_TRUE(has_saved);
      }
    };
    const OpenedWorld opened = open(options);
    server.join();
    EXPECT_EQ(opened.report.chunks, std::size_t{kWidth});
    EXPECT_EQ(opened.report.loaded, std::size_t{kWidth});
    const BlockTypeId type = *opened.world.block(3, {0, 0, 0});
    EXPECT_EQ(opened.world.blockTypes().name(type), is_part ? "default:stone" : "default:dirt")
        << "a part is searched line by line, and its first line was read before";
    Database(map()).run(absl::StrCat("REPLACE INTO blocks VALUES (", keyOf(0, 0, 0), ", ?)"),
                        encode(blockOf("default:stone")));
  }
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
  writeFile(settings, "backend = sqlite3\nbackend = leveldb\n");
  expectError(directory_.path(), kInvalidArgument, settings, "in the backend 'leveldb'");
  writeFile(settings, "backend = sqlite3\nreadonly_backend = sqlite3\n");
  expectError(directory_.path(), kInvalidArgument, settings,
              "(readonly_backend), which is not read");
  writeFile(settings, "a line of its own\nbackend=sqlite3\nplayer_backend = files\n");
  EXPECT_EQ(open().report.chunks, 0U);
}

}  // namespace
}  // namespace fractalray
