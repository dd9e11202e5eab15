// SPDX-License-Identifier: Apache-2.0
// Engine chunks of any width, copied and borrowed, answer as the engine's own blocks do.
#include "../../levels/engine_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "engine_storage.h"
#include "world_model.h"

namespace fractalray::engine_chunks_test {
namespace {

using oracle::kStone;
using oracle::Rng;
using testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

std::int64_t floorOf(std::int64_t value, std::int64_t width) {
  std::int64_t quotient = value / width;
  while (quotient * width > value)
    --quotient;
  return quotient;
}

// Some engine chunks of one width and layout.
class Engine {
 public:
  Engine(Rng& rng, int blocks)
      : width(blocks),
        id_bytes_(rng.pick({1, 2, 4})),
        strides_(EngineStorage::randomStrides(rng, blocks, id_bytes_)) {}

  void* find(const Vec3i& chunk) {
    const auto found = chunks.find(chunk);
    return found == chunks.end() ? nullptr : found->second->first();
  }
  IdLayout layout() const { return EngineStorage(1, id_bytes_, strides_, kTable).layout(); }
  void add(Rng& rng, const Vec3i& chunk) {
    auto storage = std::make_unique<EngineStorage>(width, id_bytes_, strides_, kTable);
    for (int i = 0; i < 300; ++i) {
      const Vec3i at{rng.below(width), rng.below(width), rng.below(width)};
      storage->write(at, static_cast<std::uint32_t>(rng.below(4)));
    }
    chunks[chunk] = std::move(storage);
  }
  void write(const BlockCoord& block, std::uint32_t id) {
    chunks.at(chunkAt(block))->write(within(block), id);
  }
  Vec3i chunkAt(const BlockCoord& block) const {
    return {floorOf(block[0], width), floorOf(block[1], width), floorOf(block[2], width)};
  }
  Vec3i within(const BlockCoord& block) const {
    const Vec3i chunk = chunkAt(block);
    return {block[0] - chunk[0] * width, block[1] - chunk[1] * width, block[2] - chunk[2] * width};
  }
  // Returns what a world on one level should be: the engine's chunks, and air around them.
  WorldModel model() {
    WorldModel model;
    for (auto& [chunk, storage] : chunks) {
      for (std::int64_t i = 0; i < std::int64_t{1} * width * width * width; ++i) {
        const Vec3i at{i % width, i / width % width, i / width / width};
        const BlockCoord block{chunk[0] * width + at[0], chunk[1] * width + at[1],
                               chunk[2] * width + at[2]};
        auto& ids = model.chunks[{0, chunkOf(block)}];
        if (!ids.has_value()) ids.emplace().fill(kAir);
        (*ids)[static_cast<std::size_t>(indexInChunk(block))] = storage->type(at);
      }
    }
    return model;
  }

  int width;
  std::map<Vec3i, std::unique_ptr<EngineStorage>> chunks;

 private:
  static const std::vector<BlockTypeId> kTable;
  int id_bytes_;
  Vec3i strides_;
};
const std::vector<BlockTypeId> Engine::kTable = {kAir, oracle::kWater, kStone, oracle::kGlass,
                                                 kNoBlockType};

enum class Mode { kCopied, kBorrowed, kBorrowedForWriting };

EngineChunks adapt(Mode mode, World& world, Engine& engine) {
  const EngineChunksSpec spec{.width = engine.width, .layout = engine.layout()};
  const auto find = [&engine](const Vec3i& chunk) { return engine.find(chunk); };
  switch (mode) {
    case Mode::kCopied:
      return EngineChunks::copied(world, spec, find).value();
    case Mode::kBorrowed:
      return EngineChunks::borrowed(world, spec, find).value();
    default:
      return EngineChunks::borrowedForWriting(world, spec, find).value();
  }
}

TEST(AdaptTest, TheWorldEqualsTheEngineAsChunksComeAndGoAndChange) {
  struct Case {
    Mode mode;
    int width;
  };
  for (const auto& [mode, width] :
       {Case{Mode::kCopied, 24}, Case{Mode::kCopied, 32}, Case{Mode::kCopied, 5},
        Case{Mode::kCopied, 1}, Case{Mode::kBorrowed, 16}, Case{Mode::kBorrowed, 32},
        Case{Mode::kBorrowedForWriting, 48}}) {
    SCOPED_TRACE(width);
    Rng rng("AdaptTest " + std::to_string(width));
    Engine engine(rng, width);
    World world({.levels = 1, .block_types = oracle::sceneTypes()});
    EngineChunks chunks = adapt(mode, world, engine);
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(i);
      const Vec3i chunk{rng.in(-1, 1), rng.in(-1, 0), rng.in(0, 1)};
      std::unique_ptr<EngineStorage> dropped;
      if (rng.oneIn(3) && engine.find(chunk) != nullptr) {
        dropped = std::move(engine.chunks[chunk]);
        engine.chunks.erase(chunk);
        ASSERT_TRUE(chunks.sync(chunk).ok());
      } else if (engine.find(chunk) == nullptr) {
        engine.add(rng, chunk);
        ASSERT_TRUE(chunks.sync(chunk).ok());
      } else {
        BlockCoord min{chunk[0] * width, chunk[1] * width, chunk[2] * width};
        BlockCoord max = min;
        for (int axis = 0; axis < 3; ++axis) {
          min[axis] += rng.below(width);
          max[axis] += width - 1;
          if (rng.oneIn(2)) max[axis] = min[axis];
        }
        for (std::int64_t x = min[0]; x <= max[0]; x += 2)
          engine.write({x, min[1], max[2]}, static_cast<std::uint32_t>(rng.below(4)));
        ASSERT_TRUE((min == max ? chunks.refreshBlock(min) : chunks.refreshBox(min, max)).ok());
        if (mode == Mode::kBorrowedForWriting) {
          ASSERT_TRUE(world.setBlock(0, min, kStone).ok());
          ASSERT_EQ(engine.chunks.at(chunk)->type(engine.within(min)), kStone);
        }
      }
      ASSERT_NO_FATAL_FAILURE(engine.model().expectEqual(world));
    }
  }
}

TEST(AdaptTest, WrongSpecsAreRefused) {
  World world;
  const auto find = [](const Vec3i&) -> void* { return nullptr; };
  for (const int width : {-1, 0, 1025}) {
    const auto chunks = EngineChunks::copied(world, {.width = width}, find);
    EXPECT_EQ(chunks.status().code(), kInvalid);
    EXPECT_THAT(std::string(chunks.status().message()), HasSubstr(std::to_string(width)));
  }
  for (const auto& status :
       {EngineChunks::borrowed(world, {.width = 24}, find).status(),
        EngineChunks::borrowedForWriting(world, {.width = 24}, find).status()}) {
    EXPECT_EQ(status.code(), kInvalid);
    EXPECT_THAT(std::string(status.message()), HasSubstr("EngineChunks::copied"));
  }
  EXPECT_EQ(EngineChunks::copied(world, {.width = 32}, find).status().code(), kInvalid)
      << "the default layout is that of 16 blocks";
  // The strides of 16 blocks, and those of y and z in ids instead of bytes.
  for (const Vec3i& strides : {Vec3i{2, 32, 512}, Vec3i{2, 32, 1024}, Vec3i{2, 64, 1024}}) {
    const EngineChunksSpec spec{.width = 32,
                                .layout = IdLayout::make({.strides = strides}).value()};
    for (const auto& status : {EngineChunks::copied(world, spec, find).status(),
                               EngineChunks::borrowed(world, spec, find).status(),
                               EngineChunks::borrowedForWriting(world, spec, find).status()}) {
      EXPECT_EQ(status.code(), kInvalid) << strides;
      EXPECT_THAT(std::string(status.message()), HasSubstr(testing::PrintToString(strides)));
    }
    EXPECT_THAT(std::string(EngineChunks::copied(world, spec, find).status().message()),
                HasSubstr("they are [2, 64, 2048]"));
  }
  const IdLayout layers = IdLayout::make({.strides = {2, 0, 64}}).value();
  EXPECT_TRUE(EngineChunks::borrowed(world, {.width = 32, .layout = layers}, find).ok())
      << "the blocks of a column share an id";
  for (const int level : {-1, 1, 50}) {
    const auto chunks = EngineChunks::copied(world, {.level = level}, find);
    EXPECT_EQ(chunks.status().code(), kInvalid);
    EXPECT_THAT(std::string(chunks.status().message()),
                HasSubstr("level " + std::to_string(level) + " is not active"));
  }
  EXPECT_EQ(EngineChunks::copied(world, {}, nullptr).status().code(), kInvalid);
  EXPECT_EQ(EngineChunks::borrowedForWriting(world, {}, nullptr).status().code(), kInvalid);
}

TEST(AdaptTest, NothingIsReadOutsideOfTheFrame) {
  World world;
  int calls = 0;
  auto chunks = EngineChunks::copied(
      world, {.width = 1024, .layout = IdLayout::make({.strides = {2, 2048, 2097152}}).value()},
      [&](const Vec3i&) -> const void* {
        ++calls;
        return nullptr;
      });
  const std::int64_t limit = kMaxCoordinate >> world.frame().blockShift(0);
  for (const std::int64_t outside : {limit / 1024, -limit / 1024 - 1})
    EXPECT_EQ(chunks->sync({0, outside, 0}).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(calls, 0);
}

TEST(AdaptTest, WhatIsWrongChangesNothing) {
  for (const Mode mode : {Mode::kCopied, Mode::kBorrowed}) {
    Rng rng("AdaptTest.Wrong");
    Engine engine(rng, 32);
    World world({.levels = 1, .block_types = oracle::sceneTypes()});
    EngineChunks chunks = adapt(mode, world, engine);
    engine.add(rng, {0, 0, 0});
    engine.write({31, 0, 31}, 4);
    EXPECT_EQ(chunks.sync({0, 0, 0}).code(), kInvalid);
    EXPECT_EQ(world.loadedChunks(0), 0U);
    engine.write({31, 0, 31}, 0);
    ASSERT_TRUE(chunks.sync({0, 0, 0}).ok());
    const std::uint64_t version = world.version();
    WorldModel model = engine.model();
    engine.write({31, 0, 31}, 200);
    engine.write({0, 0, 31}, 1);
    for (const absl::Status& status : {chunks.sync({0, 0, 0}), chunks.refreshBlock({31, 0, 31}),
                                       chunks.refreshBox({0, 0, 0}, {31, 31, 31})}) {
      EXPECT_EQ(status.code(), kInvalid) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr("id 200"));
    }
    // In the engine's coordinates, not in those of the world's 8 chunks.
    for (const absl::Status& status : {chunks.sync({0, 0, 0}), chunks.refreshBlock({31, 0, 31}),
                                       chunks.refreshBox({30, 0, 30}, {31, 1, 31})}) {
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr("block [31, 0, 31] of engine chunk [0, 0, 0] has id 200"));
    }
    EXPECT_EQ(chunks.refreshBlock({32, 0, 0}).code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(chunks.refreshBox({0, 0, 0}, {0, 0, 40}).code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(chunks.refreshBox({1, 0, 0}, {0, 0, 0}).code(), kInvalid);
    for (const std::int64_t far : {std::int64_t{1} << 59, INT64_MAX, INT64_MIN})
      EXPECT_EQ(chunks.sync({far, 0, 0}).code(), absl::StatusCode::kOutOfRange);
    EXPECT_EQ(world.version(), version);
    if (mode == Mode::kCopied) {
      ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    }
  }
}

TEST(AdaptTest, IfMemoryRunsOutNothingHasChanged) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "not with this sanitizer";
  for (const Mode mode : {Mode::kCopied, Mode::kBorrowed}) {
    Rng rng("AdaptTest.Memory");
    Engine engine(rng, 32);
    World world({.levels = 1, .block_types = oracle::sceneTypes()});
    EngineChunks chunks = adapt(mode, world, engine);
    WorldModel model;
    const auto expect_unchanged = [&](std::size_t n) {
      SCOPED_TRACE(n);
      ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    };
    const auto sync = [&] { EXPECT_TRUE(chunks.sync({0, -1, 0}).ok()); };
    engine.add(rng, {0, -1, 0});
    EXPECT_GT(oracle::failEachAllocation(sync, expect_unchanged), 8U);
    model = engine.model();
    ASSERT_NO_FATAL_FAILURE(model.expectEqual(world));
    const auto dropped = std::move(engine.chunks[{0, -1, 0}]);
    engine.chunks.clear();
    EXPECT_GT(oracle::failEachAllocation(sync, expect_unchanged), 1U);
    EXPECT_EQ(world.loadedChunks(0), 0U);
  }
}

}  // namespace
}  // namespace fractalray::engine_chunks_test
