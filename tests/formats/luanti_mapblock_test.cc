// SPDX-License-Identifier: Apache-2.0
// Checks that single mapblocks decode to the chunks that a map of them has, whatever the bytes.
// Faults of the bytes are those of luanti_block_test.cc.
#include "../../formats/luanti_mapblock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../formats/luanti_map.h"
#include "../oracle/rng.h"
#include "luanti_map_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::BlockParts;
using luanti_fixture::Bytes;
using luanti_fixture::Database;
using luanti_fixture::encode;
using luanti_fixture::furnishedBlock;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSlabAndFence =
    R"({"name": "a:slab", "paramtype2": "facedir", "selection_box": {"type": "fixed", "fixed": [-0.5, -0.5, -0.5, 0.5, 0, 0.5]}}
{"name": "a:fence", "drawtype": "nodebox", "connects_to": ["a:fence"], "node_box": {"type": "connected", "fixed": [-0.125, -0.5, -0.125, 0.125, 0.5, 0.125], "connect_right": [0.125, 0, -0.125, 0.5, 0.25, 0.125]}}
)";

// Returns nodes of several names in no order, some of which are turned.
BlockParts mixedBlock(int version, oracle::Rng& rng) {
  BlockParts parts = furnishedBlock(version);
  parts.names = {{65535, "mod:last"}, {0, "default:stone"}, {126, "air"}, {5, "a:slab"}};
  for (std::size_t i = 0; i < parts.ids.size(); ++i) {
    parts.ids[i] = parts.names[static_cast<std::size_t>(rng.below(4))].first;
    parts.param2[i] = static_cast<std::uint8_t>(rng.below(24));
  }
  return parts;
}

class LuantiMapblockTest : public LuantiMapTest {
 protected:
  NodeDefinitions definitions_ = NodeDefinitions::parse(kSlabAndFence, "nodedefs.jsonl").value();
};

TEST_F(LuantiMapblockTest, ChunksAreThoseOfAMap) {
  oracle::Rng rng(1);
  std::vector<Bytes> blobs;
  {
    Database database(map());
    database.createKeyed();
    for (std::int64_t x = 0; x < 4; ++x) {
      blobs.push_back(encode(mixedBlock(x % 2 == 0 ? 28 : 29, rng)));
      database.putKeyed({x, 0, 0}, blobs.back());
    }
  }
  OpenOptions options;
  options.definitions = &definitions_;
  const OpenedWorld opened = open(options);
  BlockTypeTable types;
  auto decoder = MapblockDecoder::make(types, {.definitions = &definitions_}).value();
  for (std::size_t x = 0; x < blobs.size(); ++x) {
    const DecodedMapblock decoded = decoder.decode(blobs[x]).value();
    EXPECT_TRUE(decoded.generated);
    EXPECT_THAT(decoded.connecting, IsEmpty());
    const Chunk* const chunk = opened.world.chunk(3, {static_cast<std::int64_t>(x), 0, 0});
    ASSERT_NE(chunk, nullptr);
    for (int i = 0; i < kBlocksPerChunk; ++i) {
      ASSERT_EQ(types.name(decoded.chunk.block(i)),
                opened.world.blockTypes().name(chunk->block(i)));
    }
  }
  EXPECT_TRUE(types.find("a:slab [23]").has_value());
  EXPECT_EQ(decoder.defaultedNames(), opened.report.defaulted_names);
  EXPECT_EQ(decoder.cutTypes(), 0U);
}

TEST_F(LuantiMapblockTest, WhatIsNotGeneratedHasNoContent) {
  BlockTypeTable types;
  auto decoder = MapblockDecoder::make(types).value();
  BlockParts parts = blockOf("default:stone");
  parts.flags = 0x08;
  const DecodedMapblock decoded = decoder.decode(encode(parts)).value();
  EXPECT_FALSE(decoded.generated);
  EXPECT_TRUE(decoded.chunk.isEmpty());
  EXPECT_FALSE(types.find("default:stone").has_value());
  EXPECT_THAT(decoder.defaultedNames(), IsEmpty());
}

TEST_F(LuantiMapblockTest, NodesConnectToTheirNeighbours) {
  BlockTypeTable types;
  auto decoder = MapblockDecoder::make(types, {.definitions = &definitions_}).value();
  BlockParts parts;
  parts.names = {{0, "air"}, {1, "a:fence"}};
  parts.ids.fill(0);
  parts.ids[15] = 1;
  const DecodedMapblock left = decoder.decode(encode(parts)).value();
  ASSERT_THAT(left.connecting, ElementsAre(15));
  const BlockTypeId fence = left.chunk.block(15);
  EXPECT_EQ(types.name(fence), "a:fence");
  const auto name_with = [&](std::optional<BlockTypeId> right) {
    const auto block = [&](const BlockCoord& at) {
      return at == BlockCoord{16, 0, 0} ? right : std::nullopt;
    };
    return types.name(decoder.connected(fence, {15, 0, 0}, block).value());
  };
  EXPECT_EQ(name_with(fence), "a:fence [0, 32]");
  EXPECT_EQ(name_with(types.find("a:fence [0, 32]")), "a:fence [0, 32]");
  EXPECT_EQ(name_with(std::nullopt), "a:fence");
  EXPECT_EQ(name_with(kAir), "a:fence");
  EXPECT_EQ(name_with(kNoBlockType), "a:fence");
  const BlockTypeId own = types.add({.name = "of the engine"}).value();
  EXPECT_EQ(name_with(own), "a:fence");
  const auto none = [](const BlockCoord&) { return std::optional<BlockTypeId>(); };
  EXPECT_EQ(decoder.connected(own, {0, 0, 0}, none).value(), own);
}

TEST_F(LuantiMapblockTest, ErrorsSayWhatIsWrong) {
  BlockTypeTable types;
  auto decoder = MapblockDecoder::make(types, {.max_bytes = 20'000}).value();
  const Bytes blob = encode(blockOf("mod:a"));
  EXPECT_TRUE(decoder.decode(blob).ok());
  EXPECT_EQ(decoder.decode({}).status().code(), absl::StatusCode::kDataLoss);
  Bytes other = blob;
  other[0] = 27;
  EXPECT_EQ(decoder.decode(other).status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(decoder.decode(encode(blockOf("a\nb"))).status().code(),
            absl::StatusCode::kInvalidArgument);
  BlockParts large = blockOf("mod:a");
  large.metadata = Bytes(10'000, 0);
  EXPECT_EQ(decoder.decode(encode(large)).status().code(), absl::StatusCode::kOutOfRange);
  for (int i = 0; types.size() < 65536; ++i)
    ASSERT_TRUE(types.add({.name = std::to_string(i)}).ok());
  const absl::Status full = decoder.decode(encode(blockOf("mod:b"))).status();
  EXPECT_EQ(full.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(full.message()), HasSubstr("mod:b"));
  EXPECT_TRUE(decoder.decode(blob).ok()) << "a type that is there";
}

// Changed bytes never crash, and what decodes all the same has types of the table.
TEST_F(LuantiMapblockTest, ChangedBytesNeverCrash) {
  BlockTypeTable types;
  auto decoder = MapblockDecoder::make(types, {.definitions = &definitions_}).value();
  oracle::Rng rng(3);
  int refused = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    Bytes changed = encode(blockOf("a:fence", round % 2 == 0 ? 28 : 29));
    for (int i = rng.below(4); i >= 0; --i) {
      const auto reach = static_cast<std::int64_t>(changed.size());
      changed[static_cast<std::size_t>(rng.in(0, reach - 1))] =
          static_cast<std::uint8_t>(rng.below(256));
    }
    const absl::StatusOr<DecodedMapblock> decoded = decoder.decode(changed);
    if (!decoded.ok()) {
      ++refused;
      continue;
    }
    for (int i = 0; i < kBlocksPerChunk; ++i)
      ASSERT_TRUE(types.contains(decoded->chunk.block(i)));
    for (const int index : decoded->connecting)
      ASSERT_TRUE(index >= 0 && index < kBlocksPerChunk) << index;
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_TRUE(decoder.decode(encode(blockOf("a:fence"))).ok());
}

}  // namespace
}  // namespace fractalray
