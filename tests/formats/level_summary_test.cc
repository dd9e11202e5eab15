// SPDX-License-Identifier: Apache-2.0
// Checks that the coarser levels of random small worlds equal, block by block and channel by
// channel, a slow summary of all nodes below.
#include "../../formats/level_summary.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray {
namespace {

using enum BlockKind;

// Types of every combination of kinds in two channels, by name like "es": empty by default, solid
// to the eye.
std::vector<BlockTypeId> addTypes(BlockTypeTable& types) {
  const absl::StatusOr<ChannelId> visible = types.addChannel("visible");
  EXPECT_TRUE(visible.ok());
  std::vector<BlockTypeId> ids;
  for (const BlockKind usual : {kEmpty, kPermeable, kSolid}) {
    for (const BlockKind seen : {kEmpty, kPermeable, kSolid}) {
      const std::string name = {blockKindName(usual)[0], blockKindName(seen)[0]};
      const absl::StatusOr<BlockTypeId> type =
          types.add({.name = name, .kind = usual, .channel_kinds = {{*visible, seen}}});
      EXPECT_TRUE(type.ok());
      ids.push_back(*type);
    }
  }
  return ids;
}

// Loads a chunk of the finest level: uniform, or of a few types.
void loadRandomChunk(World& world, const ChunkCoord& at, const std::vector<BlockTypeId>& types,
                     oracle::Rng& rng) {
  const auto any = [&] {
    return types[static_cast<std::size_t>(rng.below(static_cast<int>(types.size())))];
  };
  const int finest = world.frame().levels() - 1;
  std::vector<BlockTypeId> blocks(kBlocksPerChunk, any());
  for (int changes = rng.pick({0, 0, 1, 4000}); changes > 0; --changes) {
    blocks[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = any();
  }
  absl::StatusOr<Chunk> chunk = Chunk::copied(Chunk::Ids(blocks), world.blockTypes());
  ASSERT_TRUE(chunk.ok());
  ASSERT_TRUE(world.loadChunk(finest, at, *std::move(chunk)).ok());
}

// The loaded part of the finest level within a block of a coarser one: how many chunks, and the
// kinds in a channel.
struct Below {
  std::size_t chunks = 0;
  std::set<BlockKind> kinds;
};

using BelowByBlock = std::map<BlockCoord, Below>;

BelowByBlock lookBelow(const World& world, int level, ChannelId channel) {
  const int finest = world.frame().levels() - 1;
  BelowByBlock below;
  world.forEachLoaded(finest, [&](const ChunkCoord& at, const Chunk& chunk) {
    const int shift =
        4 * (finest - 1 - level);  // a chunk is a block of the level before the finest
    Below& block = below[{at[0] >> shift, at[1] >> shift, at[2] >> shift}];
    ++block.chunks;
    for (int i = 0; i < kBlocksPerChunk; ++i) {
      block.kinds.insert(world.blockTypes().kind(chunk.block(i), channel));
    }
  });
  return below;
}

// Returns how many chunks of the finest level make a block.
std::size_t chunksOfBlock(const World& world, int level) {
  return std::size_t{1} << 12 * (world.frame().levels() - 2 - level);
}

BlockKind expectedKind(const Below* below, std::size_t all_chunks) {
  if (below == nullptr || below->chunks != all_chunks || below->kinds.size() != 1)
    return kPermeable;
  return *below->kinds.begin();
}

void expectCoarserLevels(const World& world) {
  for (int level = world.frame().levels() - 2; level >= 0; --level) {
    for (std::size_t c = 0; c < world.blockTypes().channels(); ++c) {
      const auto channel = static_cast<ChannelId>(c);
      const BelowByBlock below = lookBelow(world, level, channel);
      std::set<ChunkCoord> expected_chunks;
      for (const auto& [block, found] : below)
        expected_chunks.insert(chunkOf(block));
      std::set<ChunkCoord> chunks;
      world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        chunks.insert(at);
        for (int i = 0; i < kBlocksPerChunk; ++i) {
          const BlockCoord block = blockOf(at, i);
          const auto found = below.find(block);
          ASSERT_EQ(world.blockTypes().kind(chunk.block(i), channel),
                    expectedKind(found == below.end() ? nullptr : &found->second,
                                 chunksOfBlock(world, level)))
              << "level " << level << " channel " << c << " block " << block[0] << " " << block[1]
              << " " << block[2] << " is " << world.blockTypes().name(chunk.block(i));
          ASSERT_EQ(chunk.hasLoadedChild(i), world.chunk(level + 1, childChunk(block)) != nullptr);
        }
      });
      EXPECT_EQ(chunks, expected_chunks) << "level " << level;
    }
  }
}

TEST(LevelSummaryTest, RandomWorldsAgreeWithASlowSummary) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Rng rng(seed);
    World world({.levels = static_cast<int>(rng.in(2, 4)), .block_types = nullptr});
    const std::vector<BlockTypeId> types = addTypes(world.blockTypes());
    for (int i = rng.below(30); i >= 0; --i) {
      // Around the origin, where floor and truncation differ, and near the borders of coarser
      // chunks.
      ChunkCoord at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = rng.pick({-257, -17, -16, -1, 0, 1, 15, 16});
      loadRandomChunk(world, at, types, rng);
    }
    ASSERT_TRUE(summarizeCoarserLevels(world).ok());
    expectCoarserLevels(world);
  }
}

// Chunk by chunk, from the finer chunks alone.
TEST(LevelSummaryTest, OneCoarseChunkIsThatOfTheWholeLevel) {
  oracle::Rng rng(5);
  World world({.levels = 3, .block_types = nullptr});
  const std::vector<BlockTypeId> types = addTypes(world.blockTypes());
  for (int i = 0; i < 40; ++i) {
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = rng.pick({-17, -16, -1, 0, 1, 15, 16});
    loadRandomChunk(world, at, types, rng);
  }
  ASSERT_TRUE(summarizeCoarserLevels(world).ok());
  ChunkSummarizer summarizer(world.blockTypes());
  std::size_t summarized = 0;
  for (const int level : {0, 1}) {
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& expected) {
      std::vector<FinerChunk> finer;
      for (int i = 0; i < kBlocksPerChunk; ++i)
        finer.push_back({.block = i, .chunk = world.chunk(level + 1, childChunk(blockOf(at, i)))});
      const absl::StatusOr<Chunk> all = summarizer.summarize(finer);
      std::erase_if(finer, [](const FinerChunk& each) { return each.chunk == nullptr; });
      const absl::StatusOr<Chunk> loaded = summarizer.summarize(finer);
      ASSERT_TRUE(all.ok() && loaded.ok()) << all.status() << loaded.status();
      for (int i = 0; i < kBlocksPerChunk; ++i) {
        ASSERT_EQ(all->block(i), expected.block(i)) << "level " << level << " block " << i;
        ASSERT_EQ(loaded->block(i), expected.block(i)) << "level " << level << " block " << i;
      }
      ++summarized;
    });
  }
  EXPECT_GT(summarized, 8U);
}

TEST(LevelSummaryTest, FinerChunksFillTheBlocksThatTheyName) {
  BlockTypeTable types;
  const BlockTypeId stone = types.add({.name = "stone"}).value();
  const Chunk solid = Chunk::uniform(stone, types);
  const Chunk empty;
  ChunkSummarizer summarizer(types);
  EXPECT_EQ(types.name(summarizer.summaryOf(&solid).value()), "coarse:solid");
  EXPECT_EQ(types.name(summarizer.summaryOf(&empty).value()), "coarse:empty");
  EXPECT_EQ(types.name(summarizer.summaryOf(nullptr).value()), "coarse:mixed");
  const std::array finer = {FinerChunk{.block = 9, .chunk = &solid},
                            FinerChunk{.block = 9, .chunk = &empty},
                            FinerChunk{.block = 4095, .chunk = &solid}};
  const Chunk coarse = summarizer.summarize(finer).value();
  EXPECT_EQ(types.name(coarse.block(9)), "coarse:empty");
  EXPECT_EQ(types.name(coarse.block(4095)), "coarse:solid");
  EXPECT_EQ(types.name(coarse.block(10)), "coarse:mixed");
  for (const int block : {-1, 4096}) {
    const std::array wrong = {FinerChunk{.block = block, .chunk = &solid}};
    EXPECT_EQ(summarizer.summarize(wrong).status().code(), absl::StatusCode::kInvalidArgument);
  }
  // A channel that is added later is one of the next summary.
  const ChannelId eye = types.addChannel("eye").value();
  const BlockTypeId glass =
      types.add({.name = "glass", .channel_kinds = {{eye, BlockKind::kEmpty}}}).value();
  const Chunk pane = Chunk::uniform(glass, types);
  EXPECT_EQ(types.name(summarizer.summaryOf(&pane).value()), "coarse:solid,eye=empty");
}

// Only 4096 chunks below make a block of level 0 anything but mixed.
TEST(LevelSummaryTest, ACoarseBlockHasTheKindOfItsContentAndOneGapMakesItMixed) {
  for (const int gaps : {0, 1}) {
    for (const std::string name : {"es", "ss", "ee"}) {
      World world({.levels = 3, .block_types = nullptr});
      const std::vector<BlockTypeId> types = addTypes(world.blockTypes());
      const BlockTypeId type = *world.blockTypes().find(name);
      for (int i = gaps; i < kBlocksPerChunk; ++i) {
        const BlockCoord at = blockOf({-1, 0, 2}, i);
        ASSERT_TRUE(
            world.loadChunk(2, childChunk(at), Chunk::uniform(type, world.blockTypes())).ok());
      }
      ASSERT_TRUE(summarizeCoarserLevels(world).ok());
      expectCoarserLevels(world);
      const std::string coarse = world.blockTypes().name(*world.block(0, {-1, 0, 2}));
      const std::map<std::string, std::string> full = {
          {"es", "coarse:empty,visible=solid"}, {"ss", "coarse:solid"}, {"ee", "coarse:empty"}};
      EXPECT_EQ(coarse, gaps == 0 ? full.at(name) : "coarse:mixed");
    }
  }
}

TEST(LevelSummaryTest, SolidBlocksThatDoNotFillTheirCubeAreMixed) {
  World world({.levels = 2});
  BlockTypeTable& types = world.blockTypes();
  const ShapeId slab =
      types.addShape(std::array{ShapeBox{.min = {0, 0, 0}, .max = {65536, 32768, 65536}}}).value();
  const BlockTypeId stone = types.add({.name = "stone"}).value();
  const BlockTypeId half = types.add({.name = "half", .shape = slab}).value();
  ASSERT_TRUE(world.loadChunk(1, {0, 0, 0}, Chunk::uniform(stone, types)).ok());
  ASSERT_TRUE(world.loadChunk(1, {1, 0, 0}, Chunk::uniform(half, types)).ok());
  ASSERT_TRUE(summarizeCoarserLevels(world).ok());
  EXPECT_EQ(types.name(world.block(0, {0, 0, 0}).value()), "coarse:solid");
  EXPECT_EQ(types.name(world.block(0, {1, 0, 0}).value()), "coarse:mixed");
}

TEST(LevelSummaryTest, NamesListTheKindsAndTakenNamesAreLeftAlone) {
  World world({.levels = 2, .block_types = nullptr});
  const std::vector<BlockTypeId> types = addTypes(world.blockTypes());
  ASSERT_TRUE(world.blockTypes().add({.name = "coarse:solid", .kind = kEmpty}).ok());
  std::int64_t x = 0;
  for (const BlockTypeId type : types) {
    ASSERT_TRUE(world.loadChunk(1, {x++, 0, 0}, Chunk::uniform(type, world.blockTypes())).ok());
  }
  ASSERT_TRUE(summarizeCoarserLevels(world).ok());
  const std::size_t size = world.blockTypes().size();
  const std::array<std::string, 9> expected = {"coarse:empty",
                                               "coarse:empty,visible=mixed",
                                               "coarse:empty,visible=solid",
                                               "coarse:mixed,visible=empty",
                                               "coarse:mixed",
                                               "coarse:mixed,visible=solid",
                                               "coarse:solid,visible=empty",
                                               "coarse:solid,visible=mixed",
                                               "coarse:solid'"};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto block = world.block(0, {static_cast<std::int64_t>(i), 0, 0});
    ASSERT_TRUE(block.ok());
    EXPECT_EQ(world.blockTypes().name(*block), expected[i]);
  }
  // Summarizing again adds no types and leaves the world as it is.
  ASSERT_TRUE(summarizeCoarserLevels(world).ok());
  EXPECT_EQ(world.blockTypes().size(), size);
  expectCoarserLevels(world);
}

TEST(LevelSummaryTest, AnEmptyWorldStaysEmpty) {
  World world({.levels = 4, .block_types = nullptr});
  ASSERT_TRUE(summarizeCoarserLevels(world).ok());
  for (int level = 0; level < 4; ++level)
    EXPECT_EQ(world.loadedChunks(level), 0U);
}

TEST(LevelSummaryTest, AFullTableIsAnError) {
  World world({.levels = 2, .block_types = nullptr});
  while (world.blockTypes().size() < 65536) {
    ASSERT_TRUE(world.blockTypes().add({.name = std::to_string(world.blockTypes().size())}).ok());
  }
  ASSERT_TRUE(world.loadChunk(1, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
  EXPECT_EQ(summarizeCoarserLevels(world).code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace fractalray
