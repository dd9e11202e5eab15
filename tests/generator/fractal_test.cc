// SPDX-License-Identifier: Apache-2.0
// The generated world: its chunks depend on their paths alone.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "../../fractalray.h"
#include "../../tools/generator/fractal_source.h"
#include "../../tools/generator/fractal_way.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Rng;
using Kind = FractalChunk::Kind;

constexpr std::uint64_t kSeed = 7;

class FractalTest : public testing::Test {
 protected:
  FractalChunk at(const std::string& path, std::uint64_t seed = kSeed) const {
    return FractalChunk::at(ChunkPath::parse(path).value(), seed, types_);
  }
  // Returns a block of a chunk; often one of soil, if there is any.
  FractalChunk::Step anyStep(const FractalChunk& chunk, Rng& rng) const {
    FractalChunk::Step step;
    for (int tries = rng.pick({1, 400}); tries > 0; --tries) {
      step = {rng.below(16), rng.below(16), rng.below(16)};
      const BlockTypeId type = chunk.block(step, types_);
      if (types_.isSoil(type)) break;
    }
    return step;
  }
  bool isFree(BlockTypeId type) const { return type == kAir || type == types_.space; }
  // Returns FNV-1a of a chunk's blocks.
  std::uint64_t hashOf(const Chunk& chunk) const {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (int index = 0; index < kBlocksPerChunk; ++index)
      hash = (hash ^ BlockTypeTable::index(chunk.block(index))) * 0x100000001b3U;
    return hash;
  }
  std::uint64_t hashOf(const FractalChunk& chunk) const {
    return hashOf(chunk.content(types_, world_.blockTypes()));
  }

  World world_{{.levels = 3}};
  FractalTypes types_{world_.blockTypes()};
  EntityIndex entities_{world_.frame()};
};

TEST_F(FractalTest, AChunkIsTheSameHoweverItWasReached) {
  Window window(world_, entities_, ChunkPath::parse("888_888_888_123").value());
  FractalSource source(world_.blockTypes(), types_, kSeed);
  StreamOptions options{.radii = {StreamRadii{1, 1}, StreamRadii{1, 1}, StreamRadii{1, 1}}};
  options.is_fertile = [](BlockTypeId type) { return type != kAir; };
  ChunkStreamer streamer = ChunkStreamer::create(window, source, options).value();
  Rng rng("FractalTest");
  std::set<std::uint64_t> contents;
  Vec3i viewer{};
  for (int step = 0; step < 25; ++step) {
    const ChunkCoord near{rng.in(-1, 1), rng.in(-1, 1), rng.in(-1, 1)};
    const auto move = rng.oneIn(4)   ? window.climb()
                      : rng.oneIn(3) ? window.recenter(near)
                                     : window.descend(world_.frame().chunkAt(viewer, 1));
    if (move.ok()) viewer = move->frame_move.pointAfter(viewer).value_or(Vec3i{});
    for (int axis = 0; axis < 3; ++axis)
      viewer[axis] += rng.in(-1, 1) * world_.frame().chunkWidth(rng.below(3));
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(streamer.tick({&viewer, 1}).ok());
    for (int level = 0; level < 3; ++level) {
      world_.forEachLoaded(level, [&](const ChunkCoord& chunk, const Chunk& loaded) {
        const ChunkPath path = window.path(level, chunk).value();
        const std::uint64_t hash = hashOf(loaded);
        EXPECT_EQ(hash, hashOf(FractalChunk::at(path, kSeed, types_))) << path.text();
        contents.insert(hash);
      });
    }
    if (HasFailure()) FAIL() << "in step " << step;
  }
  EXPECT_EQ(streamer.stats().failed, 0U);
  EXPECT_GT(contents.size(), 100U) << "chunks differ";
}

TEST_F(FractalTest, BlocksExpandIntoChunksOfTheirKind) {
  Rng rng("FractalTest.kinds");
  std::set<Kind> kinds;
  for (int walk = 0; walk < 200; ++walk) {
    FractalChunk chunk(rng.next());
    for (int depth = 0; depth < 12; ++depth) {
      const FractalChunk::Step step = anyStep(chunk, rng);
      const BlockTypeId type = chunk.block(step, types_);
      const FractalChunk child = chunk.child(step, types_);
      const bool is_hollow =
          type == kAir || type == types_.space || type == types_.brick || type == types_.crystal;
      EXPECT_EQ(child.kind() == Kind::kSpace, is_hollow);
      if (child.kind() == Kind::kLand) {
        EXPECT_TRUE(types_.isSoil(type));
      }
      if (child.kind() == Kind::kCave) {
        EXPECT_EQ(type, types_.rock);
      }
      kinds.insert(child.kind());
      chunk = child;
    }
  }
  EXPECT_EQ(kinds.size(), 4U);
}

TEST_F(FractalTest, SpaceAlwaysHasAPlanetAndLandATowerOfBricksThatAreSpaces) {
  int lands = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto first = [&](const FractalChunk& chunk, const auto& is_wanted) {
      const Chunk content = chunk.content(types_, world_.blockTypes());
      for (int index = 0; index < kBlocksPerChunk; ++index) {
        if (!is_wanted(content.block(index))) continue;
        return std::optional(FractalChunk::Step{index & 15, (index >> 4) & 15, index >> 8});
      }
      return std::optional<FractalChunk::Step>();
    };
    FractalChunk chunk(seed);
    const auto planet = first(chunk, [&](BlockTypeId type) { return types_.isSoil(type); });
    ASSERT_TRUE(planet.has_value()) << seed;
    chunk = chunk.child(*planet, types_);
    EXPECT_EQ(chunk.kind(), Kind::kPlanet);
    while (chunk.kind() == Kind::kPlanet) {
      const auto soil = first(chunk, [&](BlockTypeId type) { return types_.isSoil(type); });
      if (!soil.has_value()) break;  // an inner part
      chunk = chunk.child(*soil, types_);
    }
    if (chunk.kind() != Kind::kLand) continue;
    ++lands;
    const auto brick = first(chunk, [&](BlockTypeId type) { return type == types_.brick; });
    ASSERT_TRUE(brick.has_value()) << seed;
    EXPECT_EQ(chunk.child(*brick, types_).kind(), Kind::kSpace);
  }
  EXPECT_GT(lands, 50);
}

// Neighbours fit: the ground of a land has the same height along all its borders.
TEST_F(FractalTest, LandsFitTogether) {
  Rng rng("FractalTest.lands");
  int lands = 0;
  for (int walk = 0; walk < 600; ++walk) {
    FractalChunk chunk(rng.next());
    for (int depth = 0; depth < 5 && chunk.kind() != Kind::kLand; ++depth)
      chunk = chunk.child(anyStep(chunk, rng), types_);
    if (chunk.kind() != Kind::kLand) continue;
    ++lands;
    for (int i = 0; i < 16; ++i) {
      for (const FractalChunk::Step& border :
           {FractalChunk::Step{i, 7, 0}, {i, 7, 15}, {0, 7, i}, {15, 7, i}}) {
        EXPECT_NE(chunk.block(border, types_), kAir);
        EXPECT_FALSE(types_.isSoil(chunk.block({border[0], 8, border[2]}, types_)));
      }
    }
  }
  EXPECT_GT(lands, 20);
}

TEST_F(FractalTest, TheWayLeadsOverTheTopsOfPlanetsAndTowersIntoBricks) {
  const std::vector<FractalStop> way = fractalWay(kSeed, types_, 40);
  ASSERT_EQ(way.size(), 40U);
  std::array<int, 4> kinds{};
  for (std::size_t i = 0; i < way.size(); ++i) {
    const FractalStop& stop = way[i];
    const ChunkPath path = pathOfTargets(std::span(way).first(i));
    ASSERT_EQ(path.steps().size(), i);
    const FractalChunk chunk = FractalChunk::at(path, kSeed, types_);
    EXPECT_EQ(chunk.kind(), stop.kind);
    EXPECT_EQ(chunk.soil(), stop.soil);
    ++kinds[static_cast<std::size_t>(stop.kind)];
    EXPECT_NEAR(stop.towards_x * stop.towards_x + stop.towards_z * stop.towards_z, 1, 1e-9);
    const BlockTypeId type = chunk.block(stop.target, types_);
    EXPECT_EQ(world_.blockTypes().kind(type, kDefaultChannel), BlockKind::kSolid);
    if (stop.kind == Kind::kLand) {
      EXPECT_EQ(type, types_.brick);
      EXPECT_EQ(stop.target[1], chunk.highestTower());
    }
    for (int y = stop.target[1] + 1; y < 16; ++y)
      EXPECT_TRUE(isFree(chunk.block({stop.target[0], y, stop.target[2]}, types_)));
  }
  EXPECT_GE(kinds[static_cast<std::size_t>(Kind::kSpace)], 9);
  EXPECT_GE(kinds[static_cast<std::size_t>(Kind::kPlanet)], 18);
  EXPECT_GE(kinds[static_cast<std::size_t>(Kind::kLand)], 9);
}

TEST_F(FractalTest, HasNoEndInAnyDirection) {
  std::string path;
  for (int i = 0; i < 100'000; ++i)
    path += i == 0 ? "5a3" : "_5a3";
  EXPECT_NE(hashOf(at(path)), hashOf(at(path + "_5a3")));
  EXPECT_NE(hashOf(at("888")), hashOf(at("888", kSeed + 1)));
}

TEST_F(FractalTest, IsTheSameOnEveryMachine) {
  Rng rng("FractalTest.golden");
  std::uint64_t hash = 0;
  for (int i = 0; i < 100; ++i) {
    FractalChunk chunk(kSeed);
    for (int depth = rng.below(12); depth > 0; --depth)
      chunk = chunk.child(anyStep(chunk, rng), types_);
    hash = hash * 31 + hashOf(chunk);
  }
  EXPECT_EQ(hash, 2918414760941293867U);
}

}  // namespace
}  // namespace fractalray
