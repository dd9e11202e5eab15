// SPDX-License-Identifier: Apache-2.0
// Checks that mapblocks decode to what was written, in both versions; that every fault in one is
// reported, and that none crashes or exhausts the machine's memory.
#include "../../formats/internal/luanti_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "../../formats/luanti_mapblock.h"
#include "../oracle/rng.h"
#include "luanti_fixture.h"

namespace fractalray {
namespace {

using luanti_fixture::BlockParts;
using luanti_fixture::Bytes;
using luanti_fixture::ByteWriter;
using luanti_fixture::encode;
using luanti_fixture::furnishedBlock;
using testing::HasSubstr;
using testing::StartsWith;

// Decodes a blob as users do.
absl::Status decode(const Bytes& blob) {
  BlockTypeTable types;
  return MapblockDecoder::make(types).value().decode(blob).status();
}

std::string messageOf(const Bytes& blob) {
  return std::string(decode(blob).message());
}

// Ids far apart and in no order, nodes of all of them in no order.
BlockParts variedBlock(int version, oracle::Rng& rng) {
  BlockParts parts = furnishedBlock(version);
  parts.names = {{65535, "mod:last"}, {0, "default:stone"}, {126, "air"}, {300, "default:glass"}};
  for (std::uint16_t& id : parts.ids) {
    id = parts.names[static_cast<std::size_t>(rng.below(4))].first;
  }
  return parts;
}

class LuantiBlockVersionTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, LuantiBlockVersionTest, testing::Values(28, 29));

TEST_P(LuantiBlockVersionTest, EveryNodeHasTheNameThatWasWritten) {
  oracle::Rng rng(1);
  LuantiBlockDecoder decoder;
  LuantiBlock block;
  for (int round = 0; round < 3; ++round) {  // ids of an earlier block must not live on
    BlockParts parts = variedBlock(GetParam(), rng);
    parts.names[1].first = static_cast<std::uint16_t>(round + 1);
    for (std::uint16_t& id : parts.ids)
      id = id == 0 ? parts.names[1].first : id;
    ASSERT_TRUE(decoder.decode(encode(parts), block).ok());
    EXPECT_TRUE(block.generated);
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      std::string expected;
      for (const auto& [id, name] : parts.names) {
        if (id == parts.ids[i]) expected = name;
      }
      ASSERT_LT(block.nodes[i], block.names.size());
      ASSERT_EQ(block.names[block.nodes[i]], expected) << "node " << i << ", round " << round;
    }
  }
}

TEST_P(LuantiBlockVersionTest, FlagEightMeansNotGenerated) {
  LuantiBlock block;
  LuantiBlockDecoder decoder;
  for (const int flags : {0x08, 0x0b, 0xff}) {
    BlockParts parts = furnishedBlock(GetParam());
    parts.flags = static_cast<std::uint8_t>(flags);
    ASSERT_TRUE(decoder.decode(encode(parts), block).ok());
    EXPECT_FALSE(block.generated) << flags;
  }
  BlockParts parts = furnishedBlock(GetParam());
  parts.flags = 0xf7;
  ASSERT_TRUE(decoder.decode(encode(parts), block).ok());
  EXPECT_TRUE(block.generated);
}

TEST_P(LuantiBlockVersionTest, OlderAndEmptyMetadataAreRead) {
  BlockParts parts = furnishedBlock(GetParam());
  // Version 1 has no mark for private metadata, and inventories may end in an old way.
  parts.metadata = ByteWriter()
                       .u8(1)
                       .u16(1)
                       .u16(0)
                       .u32(1)
                       .u16(1)
                       .text("a")
                       .u32(2)
                       .text("bc")
                       .text("End\n")
                       .written();
  EXPECT_TRUE(decode(encode(parts)).ok()) << decode(encode(parts));
  parts.metadata = {2, 0, 0};
  EXPECT_TRUE(decode(encode(parts)).ok());
}

// Every beginning of a blob is reported as damaged.
TEST_P(LuantiBlockVersionTest, CutOffAnywhereIsDamage) {
  oracle::Rng rng(2);
  const Bytes blob = encode(variedBlock(GetParam(), rng));
  ASSERT_TRUE(decode(blob).ok());
  for (std::size_t length = 0; length < blob.size(); ++length) {
    const absl::Status status =
        decode(Bytes(blob.begin(), blob.begin() + static_cast<int>(length)));
    ASSERT_EQ(status.code(), absl::StatusCode::kDataLoss) << length << " of " << blob.size();
  }
}

// Changed bytes never crash, and a blob that decodes all the same has a name for every node.
TEST_P(LuantiBlockVersionTest, ChangedBytesNeverCrash) {
  oracle::Rng rng(3);
  const Bytes blob = encode(variedBlock(GetParam(), rng));
  LuantiBlockDecoder decoder;
  LuantiBlock block;
  BlockTypeTable types;
  MapblockDecoder to_chunks = MapblockDecoder::make(types).value();
  int refused = 0;
  constexpr int kRounds = 3000;
  for (int round = 0; round < kRounds; ++round) {
    Bytes changed = blob;
    for (int i = rng.below(4); i >= 0; --i) {
      // Half of them in the headers, where there is more to break.
      const auto reach = static_cast<std::int64_t>(rng.oneIn(2) ? 40 : blob.size());
      changed[static_cast<std::size_t>(rng.in(1, reach - 1))] =
          static_cast<std::uint8_t>(rng.below(256));
    }
    const absl::StatusCode as_chunk = to_chunks.decode(changed).status().code();
    const absl::Status status = decoder.decode(changed, block);
    // A changed name may be none of a block type.
    if (as_chunk != absl::StatusCode::kInvalidArgument) {
      ASSERT_EQ(as_chunk, status.code());
    }
    if (!status.ok()) {
      ++refused;
      continue;
    }
    for (const std::uint16_t node : block.nodes)
      ASSERT_LT(node, block.names.size());
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_TRUE(decoder.decode(blob, block).ok());
}

struct Fault {
  std::string name;
  std::function<void(BlockParts&)> make;
  std::string message;
};

TEST_P(LuantiBlockVersionTest, EachFaultIsNamed) {
  const std::vector<Fault> faults = {
      {"two names", [](BlockParts& parts) { parts.names.emplace_back(126, "default:stone"); },
       "id 126 has two names"},
      {"no name", [](BlockParts& parts) { parts.ids[4095] = 7; },
       "node 4095 has id 7, which has no name"},
      {"no names", [](BlockParts& parts) { parts.names.clear(); },
       "node 0 has id 126, which has no name"},
      {"empty name", [](BlockParts& parts) { parts.names[0].second = ""; },
       "id 126 has an empty name"},
      {"mapping version", [](BlockParts& parts) { parts.mapping_version = 1; },
       "the version of the table of names is 1; expected 0"},
      {"content width", [](BlockParts& parts) { parts.content_width = 1; },
       "the width of node ids in bytes is 1; expected 2"},
      {"params width", [](BlockParts& parts) { parts.params_width = 3; },
       "the width of node parameters in bytes is 3; expected 2"},
      {"metadata version", [](BlockParts& parts) { parts.metadata = {9}; },
       "the node metadata has the unknown version 9"},
      {"metadata node number",
       [](BlockParts& parts) { parts.metadata = {2, 0, 1, 0xff, 0xff, 0, 0, 0, 0}; },
       "node metadata is for node 65535 of 4096"},
      {"metadata without end",
       [](BlockParts& parts) {
         parts.metadata = ByteWriter().u8(2).u16(1).u16(0).u32(0xffffffff).written();
         parts.objects = parts.timers = {};
       },
       "the node metadata is cut off"},
      {"object version", [](BlockParts& parts) { parts.objects[0] = 1; },
       "the object list has the unknown version 1"},
      {"timer size", [](BlockParts& parts) { parts.timers[0] = 11; },
       "the timer list has 11 bytes a timer; expected 10"},
      {"timer node number", [](BlockParts& parts) { parts.timers[3] = 0x10; },
       "a timer is for node 4113 of 4096"},
      {"bytes at the end",
       [](BlockParts& parts) {
         parts.after_all = {1, 2, 3};
       },
       "3 bytes follow the end of the mapblock"},
  };
  for (const Fault& fault : faults) {
    BlockParts parts = furnishedBlock(GetParam());
    fault.make(parts);
    EXPECT_EQ(messageOf(encode(parts)), fault.message) << fault.name;
    EXPECT_EQ(decode(encode(parts)).code(), absl::StatusCode::kDataLoss) << fault.name;
  }
}

TEST(LuantiBlockTest, UnknownVersionsAreNamed) {
  for (const int version : {0, 1, 25, 27, 30, 255}) {
    BlockParts parts;
    parts.version = version;
    const absl::Status status = decode(encode(parts));
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(status.message(), "unknown serialization version " + std::to_string(version) +
                                    "; versions 28 and 29 can be read");
  }
}

TEST(LuantiBlockTest, BytesAfterTheStreamsAreDamage) {
  Bytes blob = encode(BlockParts());
  blob.insert(blob.end(), {0, 0});
  EXPECT_EQ(messageOf(blob), "2 bytes follow the end of the zstd data");
  BlockParts parts;
  parts.version = 28;
  parts.after_nodes = {5};
  EXPECT_EQ(messageOf(encode(parts)), "1 byte follows the end of the nodes");
  parts.after_nodes = {};
  parts.metadata = {0, 0, 0};
  EXPECT_EQ(messageOf(encode(parts)), "2 bytes follow the end of the node metadata");
}

// A few kilobytes that would unpack to far more than any mapblock.
TEST(LuantiBlockTest, SmallBlobsOfHugeContentAreNotUnpacked) {
  const Bytes zeros(InputLimits().mapblock_bytes + 1, 0);
  Bytes bomb = ByteWriter().u8(29).bytes(luanti_fixture::packZstd(zeros)).written();
  ASSERT_LT(bomb.size(), 20000U);
  absl::Status status = decode(bomb);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()),
              StartsWith("the zstd data unpacks to more than 67108864 bytes; --limit "
                         "mapblock_bytes=N"));

  bomb =
      ByteWriter().u8(28).u8(0).u16(0).u8(2).u8(2).bytes(luanti_fixture::packZlib(zeros)).written();
  status = decode(bomb);
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status.message()),
              StartsWith("the zlib data unpacks to more than 67108864 bytes; --limit "
                         "mapblock_bytes=N"));
}

// A frame that asks for a window of gigabytes before there is any content.
TEST(LuantiBlockTest, LargeWindowsAreRefused) {
  const Bytes blob = {29, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 1, 0, 0};
  const absl::Status status = decode(blob);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("too much memory"));
}

TEST(DecompressorTest, ContentUpToTheLimitIsUnpacked) {
  Decompressor decompressor;
  Bytes content;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{32768},
                                 std::size_t{32769}, std::size_t{1000000}}) {
    oracle::Rng rng(size);
    Bytes original(size);
    for (std::uint8_t& byte : original)
      byte = static_cast<std::uint8_t>(rng.below(4));
    Bytes packed = luanti_fixture::packZstd(original);
    const std::size_t length = packed.size();
    packed.push_back(9);  // not part of the stream
    EXPECT_EQ(decompressor.unpackZstd(packed, content).value(), length);
    EXPECT_EQ(content, original);
    packed = luanti_fixture::packZlib(original);
    const std::size_t zlib_length = packed.size();
    packed.push_back(9);
    EXPECT_EQ(decompressor.unpackZlib(packed, content).value(), zlib_length);
    EXPECT_EQ(content, original);
  }
}

TEST(LuantiBlockTest, NamesThatWouldTakeGigabytesAreDamage) {
  LuantiBlockDecoder decoder;
  LuantiBlock block;
  for (const int version : {28, 29}) {
    luanti_fixture::BlockParts parts;
    parts.version = version;
    parts.names = {{126, std::string(1024, 'n')}};
    EXPECT_TRUE(decoder.decode(luanti_fixture::encode(parts), block).ok());
    parts.names = {{126, std::string(1025, 'n')}};
    const absl::Status status = decoder.decode(luanti_fixture::encode(parts), block);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("a name of 1025 bytes"));
  }
}

}  // namespace
}  // namespace fractalray
