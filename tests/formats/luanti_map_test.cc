// SPDX-License-Identifier: Apache-2.0
// Checks that maps that the tests write open as the worlds that were written, and that every fault
// of a mapblock is reported; luanti_map_files_test.cc has the faults of files.
#include "../../formats/luanti_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "../../formats/internal/luanti_paths.h"
#include "../oracle/rng.h"
#include "luanti_map_fixture.h"

namespace fractalray {

// Prints damage in the messages of failing tests.
std::ostream& operator<<(std::ostream& out, const DamagedChunk& damage) {
  return out << damage.position << ": " << damage.reason;
}

namespace {

using luanti_fixture::BlockParts;
using luanti_fixture::Bytes;
using luanti_fixture::contentOf;
using luanti_fixture::Database;
using luanti_fixture::encode;
using luanti_fixture::keyOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

auto damageIs(const std::string& position, const std::string& reason) {
  return AllOf(Field(&DamagedChunk::position, position), Field(&DamagedChunk::reason, reason));
}

std::string nameAt(const OpenedWorld& opened, const BlockCoord& at) {
  const absl::StatusOr<BlockTypeId> type = opened.world.block(3, at);
  return type.ok() ? opened.world.blockTypes().name(*type) : "";
}

TEST_F(LuantiMapTest, EachNodeIsTheBlockOfItsCoordinates) {
  oracle::Rng rng(1);
  BlockParts parts;
  parts.names = {{3, "air"}, {9, "default:stone"}, {4, "default:water_source"}};
  for (std::uint16_t& id : parts.ids)
    id = parts.names[static_cast<std::size_t>(rng.below(3))].first;
  const ChunkCoord at{-3, 2, -2048};
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed(at, encode(parts));
  }
  const OpenedWorld opened = open();
  for (std::size_t i = 0; i < parts.ids.size(); ++i) {
    const auto x = static_cast<std::int64_t>(i % 16);
    const auto y = static_cast<std::int64_t>(i / 16 % 16);
    const auto z = static_cast<std::int64_t>(i / 256);
    std::string expected;
    for (const auto& [id, name] : parts.names) {
      if (id == parts.ids[i]) expected = name;
    }
    ASSERT_EQ(nameAt(opened, {-48 + x, 32 + y, -32768 + z}), expected);
  }
  EXPECT_EQ(opened.report.chunks, 1U);
  EXPECT_EQ(opened.report.loaded, 1U);
  EXPECT_EQ(opened.report.damaged, 0U);
  EXPECT_EQ(opened.report.bytes, encode(parts).size());
  EXPECT_THAT(opened.report.defaulted_names, ElementsAre("default:stone"));
}

TEST_F(LuantiMapTest, ReadsTheBoxOfMapblocksAlone) {
  {
    Database database(map());
    database.createKeyed();
    for (std::int64_t x = -3; x <= 3; ++x)
      database.putKeyed({x, 0, 5}, x == 3 ? Bytes{1, 2} : encode(BlockParts()));
  }
  OpenOptions options;
  options.chunks = ChunkBox{.min = {-1, 0, 5}, .max = {2, 0, 5}};
  options.limits.mapblocks = 4;
  const OpenedWorld opened = open(options);
  EXPECT_EQ(opened.report.chunks, 4U);
  EXPECT_EQ(opened.report.loaded, 4U);
  EXPECT_EQ(opened.report.damaged, 0U);
  EXPECT_EQ(opened.report.outside, 0U);
  EXPECT_EQ(opened.report.bytes, 4 * encode(BlockParts()).size());
  EXPECT_EQ(opened.world.loadedBox(3)->min, (ChunkCoord{-1, 0, 5}));
  EXPECT_EQ(opened.world.loadedBox(3)->max, (ChunkCoord{2, 0, 5}));

  options.limits.mapblocks = 3;
  EXPECT_EQ(openLuantiWorld(map(), options).status().code(), absl::StatusCode::kResourceExhausted);
  options.chunks->min[0] = 3;
  const absl::Status empty = openLuantiWorld(map(), options).status();
  EXPECT_EQ(empty.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(empty.message()), HasSubstr("ends at 2 on axis 0"));
}

TEST_F(LuantiMapTest, BothSchemasAndBothVersionsReadTheSame) {
  const std::vector<std::pair<ChunkCoord, std::string>> blocks = {{{-2048, -2048, -2048}, "mod:a"},
                                                                  {{2047, 2047, 2047}, "mod:b"},
                                                                  {{0, 0, 0}, "mod:c"},
                                                                  {{-1, 0, 0}, "mod:d"},
                                                                  {{0, -1, 0}, "mod:e"},
                                                                  {{0, 0, -1}, "mod:f"},
                                                                  {{-1, -1, -1}, "mod:g"},
                                                                  {{2047, -2048, 0}, "mod:h"},
                                                                  {{-2048, 2047, -1}, "mod:i"}};
  for (const bool keyed : {true, false}) {
    for (const int version : {28, 29}) {
      std::filesystem::remove(map());
      {
        Database database(map());
        keyed ? database.createKeyed() : database.createWithColumns();
        for (const auto& [at, name] : blocks) {
          const Bytes blob = encode(blockOf(name, version));
          keyed ? database.putKeyed(at, blob) : database.putInColumns(at, blob);
        }
      }
      const OpenedWorld opened = open();
      EXPECT_EQ(opened.report.loaded, blocks.size());
      for (const auto& [at, name] : blocks) {
        const Chunk* const chunk = opened.world.chunk(3, at);
        ASSERT_NE(chunk, nullptr) << name;
        EXPECT_TRUE(chunk->isUniform());
        EXPECT_EQ(opened.world.blockTypes().name(chunk->block(0)), name);
        // Expanded all the way from level 0.
        const ChunkCoord top = {at[0] >> 12, at[1] >> 12, at[2] >> 12};
        ASSERT_NE(opened.world.chunk(0, top), nullptr);
        EXPECT_TRUE(opened.world.chunk(0, top)->hasLoadedChild(
            indexInChunk({at[0] >> 8, at[1] >> 8, at[2] >> 8})));
      }
    }
  }
}

TEST_F(LuantiMapTest, TheFileItselfCanBeNamed) {
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({1, 2, 3}, encode(blockOf("default:stone")));
  }
  const absl::StatusOr<OpenedWorld> opened = openLuantiWorld(map());
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(nameAt(*opened, {16, 32, 48}), "default:stone");
}

TEST_F(LuantiMapTest, OpeningWritesNothing) {
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({1, 2, 3}, encode(blockOf("default:stone")));
  }
  const std::string before = contentOf(map());
  open();
  EXPECT_EQ(contentOf(map()), before);
  const auto files = std::filesystem::directory_iterator(directory_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(LuantiMapTest, MapblocksThatAreNotGeneratedAreNotLoaded) {
  BlockParts unfinished = blockOf("ignore");
  unfinished.flags = 0x08;
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, encode(unfinished));
    database.putKeyed({1, 0, 0}, encode(blockOf("default:stone")));
  }
  const OpenedWorld opened = open();
  EXPECT_EQ(opened.report.chunks, 2U);
  EXPECT_EQ(opened.report.not_generated, 1U);
  EXPECT_EQ(opened.report.loaded, 1U);
  EXPECT_EQ(opened.world.chunk(3, {0, 0, 0}), nullptr);
  EXPECT_FALSE(opened.world.blockTypes().find("ignore").has_value());
  // Space that is not loaded makes its surroundings mixed; loaded chunks stay as they are.
  EXPECT_EQ(opened.world.blockTypes().name(*opened.world.block(2, {0, 0, 0})), "coarse:mixed");
  EXPECT_EQ(opened.world.blockTypes().name(*opened.world.block(2, {1, 0, 0})), "coarse:solid");
}

TEST_F(LuantiMapTest, DamagedMapblocksAreNamedAndTheRestIsLoaded) {
  Bytes cut = encode(blockOf("default:stone"));
  cut.resize(cut.size() - 3);
  BlockParts unnamed = blockOf("default:stone");
  unnamed.ids[5] = 8;
  Bytes other_version = encode(blockOf("default:stone"));
  other_version[0] = 25;
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, encode(blockOf("default:stone")));
    database.putKeyed({-7, 3, 12}, cut);
    database.putKeyed({1, 0, 0}, encode(unnamed));
    database.putKeyed({2, 0, 0}, other_version);
    database.putKeyed({3, 0, 0}, {});
    database.run("INSERT INTO blocks VALUES (4, NULL)");
    database.run("INSERT INTO blocks VALUES (5, 'text')");
    database.run("INSERT INTO blocks VALUES (99999999999, x'1d')");
    database.run("INSERT INTO blocks VALUES ('elsewhere', x'1d')");
    database.run("INSERT INTO blocks VALUES (NULL, x'1d')");
    database.putKeyed({-1, -1, -1}, encode(blockOf("default:dirt")));
  }
  const OpenedWorld opened = open();
  const LoadReport& report = opened.report;
  EXPECT_EQ(report.chunks, 11U);
  EXPECT_EQ(report.loaded, 2U);
  EXPECT_EQ(report.damaged, 8U);
  EXPECT_EQ(report.unsupported, 1U);
  const std::string nowhere = "no mapblock of a Luanti map has this position";
  EXPECT_THAT(report.named_damages,
              ElementsAre(damageIs("(-7, 3, 12)", "the zstd data is cut off"),
                          damageIs("(1, 0, 0)", "node 5 has id 8, which has no name"),
                          damageIs("(3, 0, 0)", "the data is empty"),
                          damageIs("(4, 0, 0)", "the data is not a blob"),
                          damageIs("(5, 0, 0)", "the data is not a blob"),
                          damageIs("pos = 99999999999", nowhere),
                          damageIs("pos = elsewhere", nowhere), damageIs("pos = NULL", nowhere)));
  EXPECT_EQ(opened.world.chunk(3, {-7, 3, 12}), nullptr);
  EXPECT_EQ(nameAt(opened, {0, 0, 0}), "default:stone");
  EXPECT_EQ(nameAt(opened, {-1, -1, -1}), "default:dirt");

  OpenOptions options;
  options.max_named_damages = 2;
  const OpenedWorld again = open(options);
  EXPECT_EQ(again.report.named_damages.size(), 2U);
  EXPECT_EQ(again.report.damaged, 8U);
}

// An old map is not damaged: one reason for all of it, with the versions and the remedy.
TEST_F(LuantiMapTest, MapblocksOfOtherVersionsAreUnsupported) {
  const Bytes blob = encode(blockOf("default:stone"));
  const auto with_version = [&](std::uint8_t version) {
    Bytes other = blob;
    other[0] = version;
    return other;
  };
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, blob);
    for (std::int64_t x = 1; x <= 30; ++x)
      database.putKeyed({x, 0, 0}, with_version(x % 2 == 0 ? 25 : 22));
  }
  const OpenedWorld old = open();
  EXPECT_EQ(old.report.chunks, 31U);
  EXPECT_EQ(old.report.loaded, 1U);
  EXPECT_EQ(old.report.damaged, 0U);
  EXPECT_EQ(old.report.unsupported, 30U);
  EXPECT_TRUE(old.report.isPartial());
  EXPECT_THAT(old.report.named_damages, IsEmpty());
  EXPECT_EQ(
      old.report.unsupported_reason,
      "serialization version 22, 25; versions 28 to 29 are read. Luanti turns older ones into "
      "29: minetestserver --world FOLDER --recompress");
  Database(map()).run("DELETE FROM blocks WHERE pos > 1");
  Database(map()).run("UPDATE blocks SET data = ? WHERE pos = 1", with_version(30));
  EXPECT_EQ(open().report.unsupported_reason,
            "serialization version 30; versions 28 to 29 are read");
  Database(map()).run("DELETE FROM blocks WHERE pos = 1");
  EXPECT_EQ(open().report.unsupported_reason, "");
  EXPECT_FALSE(open().report.isPartial());
}

TEST_F(LuantiMapTest, PositionsThatNoMapHasAreDamage) {
  {
    Database database(map());
    database.run("CREATE TABLE blocks (x, y, z, data)");
    const Bytes blob = encode(blockOf("default:stone"));
    database.putInColumns({2048, 0, 0}, blob);
    database.putInColumns({0, -2049, 0}, blob);
    database.run("INSERT INTO blocks VALUES (0, 0.5, 0, ?)", blob);
    database.putInColumns({1, 1, 1}, blob);
    database.putInColumns({1, 1, 1}, encode(blockOf("default:dirt")));
  }
  const OpenedWorld opened = open();
  EXPECT_EQ(opened.report.loaded, 1U);
  const std::string nowhere = "no mapblock of a Luanti map has this position";
  EXPECT_THAT(opened.report.named_damages,
              ElementsAre(damageIs("x, y, z = 2048, 0, 0", nowhere),
                          damageIs("x, y, z = 0, -2049, 0", nowhere),
                          damageIs("x, y, z = 0, 0.5, 0", nowhere),
                          damageIs("(1, 1, 1)", "this mapblock is in the map twice")));
  EXPECT_EQ(nameAt(opened, {16, 16, 16}), "default:stone");
}

TEST(LuantiKeyTest, KeysSplitIntoTheIndicesThatMadeThem) {
  for (const std::int64_t x : {-2048, -1, 0, 1, 2047}) {
    for (const std::int64_t y : {-2048, -1, 0, 1, 2047}) {
      for (const std::int64_t z : {-2048, -1, 0, 1, 2047}) {
        EXPECT_EQ(mapblockFromKey(keyOf(x, y, z)), (ChunkCoord{x, y, z}));
      }
    }
  }
  const std::int64_t last = keyOf(2047, 2047, 2047);
  const std::int64_t first = keyOf(-2048, -2048, -2048);
  for (const std::int64_t key : {last + 1, first - 1, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(mapblockFromKey(key), std::nullopt) << key;
  }
}

TEST_F(LuantiMapTest, AnotherTableOfKindsMakesOtherTypes) {
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, encode(blockOf("air")));
    database.putKeyed({1, 0, 0}, encode(blockOf("default:stone")));
  }
  const absl::StatusOr<NodeKinds> kinds = NodeKinds::parse(
      R"({"default": "permeable", "types": {"default:stone": {"default": "empty", "x": "solid"}}})",
      "kinds");
  ASSERT_TRUE(kinds.ok()) << kinds.status();
  OpenOptions options;
  options.node_kinds = &*kinds;
  const OpenedWorld opened = open(options);
  const BlockTypeTable& types = opened.world.blockTypes();
  EXPECT_EQ(nameAt(opened, {0, 0, 0}), "air'");
  EXPECT_EQ(types.kind(*opened.world.block(3, {0, 0, 0}), kDefaultChannel), BlockKind::kPermeable);
  const std::optional<ChannelId> channel = types.findChannel("x");
  ASSERT_TRUE(channel.has_value());
  EXPECT_EQ(types.kind(*opened.world.block(3, {16, 0, 0}), *channel), BlockKind::kSolid);
  EXPECT_EQ(types.name(*opened.world.block(2, {1, 0, 0})), "coarse:empty,x=solid");
  EXPECT_THAT(opened.report.defaulted_names, ElementsAre("air"));
}

TEST_F(LuantiMapTest, WorldsCanShareTheirTypes) {
  {
    Database database(map());
    database.createKeyed();
    database.putKeyed({0, 0, 0}, encode(blockOf("default:stone")));
  }
  OpenOptions options;
  options.block_types = std::make_shared<BlockTypeTable>();
  const OpenedWorld first = open(options);
  const std::size_t size = options.block_types->size();
  const OpenedWorld second = open(options);
  EXPECT_EQ(options.block_types->size(), size);
  EXPECT_EQ(*first.world.block(3, {0, 0, 0}), *second.world.block(3, {0, 0, 0}));
}

TEST_F(LuantiMapTest, ProgressEndsWithAllMapblocks) {
  {
    Database database(map());
    database.createKeyed();
    const Bytes blob = encode(blockOf("air"));
    database.run("BEGIN");
    for (int x = 0; x < 200; ++x)
      database.putKeyed({x, 0, 0}, blob);
    database.run("COMMIT");
  }
  std::vector<std::pair<std::size_t, std::size_t>> reports;
  OpenOptions options;
  options.progress = [&](std::size_t done, std::size_t total) {
    reports.emplace_back(done, total);
  };
  open(options);
  ASSERT_GE(reports.size(), 2U);
  for (std::size_t i = 1; i < reports.size(); ++i)
    EXPECT_LT(reports[i - 1].first, reports[i].first);
  for (const auto& [done, total] : reports)
    EXPECT_EQ(total, 200U);
  EXPECT_EQ(reports.back().first, 200U);
}

TEST_F(LuantiMapTest, AnEmptyMapIsAnEmptyWorld) {
  { Database(map()).createKeyed(); }
  const OpenedWorld opened = open();
  EXPECT_EQ(opened.report.chunks, 0U);
  EXPECT_EQ(opened.world.loadedChunks(3), 0U);
}

}  // namespace
}  // namespace fractalray
