// SPDX-License-Identifier: Apache-2.0
// Checks the chunks that entities are indexed in: exactly those of their index level whose closed
// cube touches their closed shape, for every shape and after every move.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_chunks.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/rng.h"
#include "../oracle/shape_oracle.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr double kUnit = 1.0 / 65536;

std::vector<ChunkCoord> chunksOf(const EntityIndex& index, EntityHandle entity) {
  const std::vector<ChunkCoord> chunks = index.chunks(entity);
  return {chunks.begin(), chunks.end()};
}

// Adds an entity alone to an index of its own; returns its chunks.
std::vector<ChunkCoord> chunksOf(int levels, const Shape& shape, const Vec3d& position) {
  EntityIndex index{Frame(levels)};
  const absl::StatusOr<EntityHandle> entity = index.add({.shape = shape, .position = position});
  EXPECT_TRUE(entity.ok()) << entity.status();
  return entity.ok() ? chunksOf(index, *entity) : std::vector<ChunkCoord>{};
}

TEST(EntityChunksTest, InTheMiddleOfAChunkAnEntityIsInThatChunkOnly) {
  EXPECT_EQ(chunksOf(1, Sphere{1}, {8, 8, 8}), (std::vector<ChunkCoord>{{0, 0, 0}}));
  EXPECT_EQ(chunksOf(1, Box{{7.5, 7.5, 7.5}}, {-8, 8, -8}), (std::vector<ChunkCoord>{{-1, 0, -1}}));
}

TEST(EntityChunksTest, TouchingAFaceCounts) {
  const std::vector<ChunkCoord> both{{-1, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(chunksOf(1, Sphere{1}, {1, 8, 8}), both);
  EXPECT_EQ(chunksOf(1, Box{{1, 1, 1}}, {1, 8, 8}), both);
  EXPECT_EQ(chunksOf(1, Sphere{1 - kUnit}, {1, 8, 8}).size(), 1U);
  EXPECT_EQ(chunksOf(1, Box{{1 - kUnit, 1, 1}}, {1, 8, 8}).size(), 1U);
  EXPECT_EQ(chunksOf(1, Sphere{1}, {15, 8, 8}), (std::vector<ChunkCoord>{{0, 0, 0}, {1, 0, 0}}));
}

TEST(EntityChunksTest, ASphereTouchesEdgesAndCornersByDistanceABoxByItsBox) {
  // 3-4-5: the edge x = 16, y = 16 is 5 away from (13, 12).
  EXPECT_EQ(chunksOf(1, Sphere{5}, {13, 12, 8}).size(), 4U);
  EXPECT_EQ(chunksOf(1, Sphere{5 - kUnit}, {13, 12, 8}).size(), 3U);
  EXPECT_EQ(chunksOf(1, Box{{3, 4, 1}}, {13, 12, 8}).size(), 4U);
  EXPECT_EQ(chunksOf(1, Box{{3, 4 - kUnit, 1}}, {13, 12, 8}).size(), 2U);
  // 2-3-6-7: the corner is 7 away.
  EXPECT_EQ(chunksOf(1, Sphere{7}, {14, 13, 10}).size(), 8U);
  EXPECT_EQ(chunksOf(1, Sphere{7 - kUnit}, {14, 13, 10}).size(), 7U);
}

TEST(EntityChunksTest, APointOnACornerIsInEightChunks) {
  EXPECT_EQ(chunksOf(1, Sphere{0}, {16, 16, 16}).size(), 8U);
  EXPECT_EQ(chunksOf(1, Box{{0, 0, 0}}, {-16, 0, 16}).size(), 8U);
  EXPECT_EQ(chunksOf(1, Sphere{0}, {16, 16, 1}).size(), 4U);
  EXPECT_EQ(chunksOf(1, Sphere{0}, {16 - kUnit, 16, 1}).size(), 2U);
}

TEST(EntityChunksTest, AnEntityIsInAtMost27Chunks) {
  EXPECT_EQ(chunksOf(1, Box{{16 - kUnit, 16 - kUnit, 16 - kUnit}}, {8, 8, 8}).size(), 27U);
  EXPECT_EQ(chunksOf(1, Sphere{16 - kUnit}, {8, 8, 8}).size(), 27U);
  EXPECT_EQ(chunksOf(2, Sphere{16}, {99, 99, 99}).size(), 1U) << "a level coarser";
}

// Checks the rows of the table of docs/concepts.md, each for index levels of frames of any number
// of levels, at the origin, beyond it and far out. Sizes and positions are in sixteenths of a
// chunk.
class ChunkSetTableTest : public testing::Test {
 protected:
  using Chunks = std::vector<ChunkCoord>;

  // Checks the chunks of an entity in every frame that has such chunks; `position` and `expected`
  // count from the chunk that the entity is near.
  void expectChunks(const Shape& shape, const Vec3d& position, const Chunks& expected) {
    for (const int levels : {1, 2, 3, 10}) {
      const Frame frame(levels);
      for (int level = 0; level < levels; ++level) {
        const std::int64_t far =
            std::min((kMaxCoordinate >> frame.chunkShift(level)) - 3, std::int64_t{1} << 20);
        for (const Vec3i& at : {Vec3i{0, 0, 0}, Vec3i{-1, -1, -1}, Vec3i{far, -far, far / 2}})
          check(frame, level, at, shape, position, expected);
      }
    }
    EXPECT_GT(checked_, 0);
  }
  // Returns a box of chunks, without some of them.
  static Chunks chunks(const ChunkCoord& first, const ChunkCoord& last, const Chunks& but = {}) {
    Chunks all;
    for (std::int64_t x = first[0]; x <= last[0]; ++x) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        for (std::int64_t z = first[2]; z <= last[2]; ++z) {
          const ChunkCoord chunk{x, y, z};
          if (std::find(but.begin(), but.end(), chunk) == but.end()) all.push_back(chunk);
        }
      }
    }
    return all;
  }

 private:
  static std::string text(const Chunks& chunks) {
    std::string text;
    for (const ChunkCoord& chunk : chunks) {
      text += "[";
      for (int axis = 0; axis < 3; ++axis)
        text += (axis > 0 ? " " : "") + std::to_string(chunk[axis]);
      text += "] ";
    }
    return text;
  }
  static Shape scaled(const Shape& shape, double width) {
    if (const auto* const sphere = std::get_if<Sphere>(&shape)) {
      return Sphere{sphere->radius * width};
    }
    return Box{std::get<Box>(shape).half_extents * width};
  }
  void check(const Frame& frame, int level, const Vec3i& at, const Shape& shape,
             const Vec3d& position, const Chunks& expected) {
    const double width = toBlocks(frame.chunkWidth(level)) / 16;
    EntitySpec spec;
    for (int axis = 0; axis < 3; ++axis)
      spec.position[axis] = width * (16 * static_cast<double>(at[axis]) + position[axis]);
    spec.shape = scaled(shape, width);
    EntityIndex index(frame);
    const EntityHandle entity = index.add(spec).value();
    if (index.find(entity)->index_level != level) return;  // small enough for a finer one
    Chunks chunks = chunksOf(index, entity);
    for (ChunkCoord& chunk : chunks) {
      EXPECT_EQ(internal::inChunk(index, level, chunk), std::vector{entity});
      for (int axis = 0; axis < 3; ++axis)
        chunk[axis] -= at[axis];
    }
    EXPECT_EQ(text(chunks), text(expected))
        << frame.levels() << " levels, index level " << level << ", counted from chunk "
        << text({ChunkCoord{at[0], at[1], at[2]}});
    ++checked_;
  }

  int checked_ = 0;
};

TEST_F(ChunkSetTableTest, InsideOneChunkTouchingNoFaceIsOneChunk) {
  const Chunks one{{0, 0, 0}};
  expectChunks(Sphere{0}, {1, 1, 1}, one);
  expectChunks(Sphere{2}, {8, 8, 8}, one);
  expectChunks(Sphere{7.75}, {8, 8, 8}, one);
  expectChunks(Sphere{1.5}, {2, 14, 8}, one);
  expectChunks(Box{{7.75, 7.75, 7.75}}, {8, 8, 8}, one);
  expectChunks(Box{{0, 7.75, 2}}, {0.25, 8, 13.75}, one);
}

TEST_F(ChunkSetTableTest, AcrossOrJustTouchingAFaceIsTwoChunks) {
  for (int axis = 0; axis < 3; ++axis) {
    ChunkCoord before{0, 0, 0};
    ChunkCoord upper_chunk{0, 0, 0};
    before[axis] = -1;
    upper_chunk[axis] = 1;
    const auto at = [&](double along) {
      Vec3d position{8, 8, 8};
      position[axis] = along;
      return position;
    };
    const Chunks lower{before, {0, 0, 0}};
    const Chunks upper{{0, 0, 0}, upper_chunk};
    expectChunks(Sphere{2}, at(2), lower);  // just touching
    expectChunks(Sphere{2}, at(14), upper);
    expectChunks(Sphere{2}, at(0), lower);  // across
    expectChunks(Sphere{2}, at(15.5), upper);
    expectChunks(Sphere{0}, at(0), lower);  // a point in the face
    expectChunks(Box{{3, 3, 3}}, at(3), lower);
    expectChunks(Box{{3, 3, 3}}, at(13), upper);
    expectChunks(Box{{3, 3, 3}}, at(-0.5), lower);
    expectChunks(Box{{7.75, 7.75, 7.75}}, at(12), upper);
  }
}

TEST_F(ChunkSetTableTest, AcrossOrJustTouchingAnEdgeIsUpToFourChunks) {
  const Chunks four = chunks({0, 0, 0}, {1, 1, 0});
  expectChunks(Sphere{0}, {16, 16, 8}, four);
  expectChunks(Sphere{5}, {13, 12, 8}, four);  // 3-4-5: touches the edge at one point
  expectChunks(Sphere{4.75}, {13, 12, 8}, chunks({0, 0, 0}, {1, 1, 0}, {{1, 1, 0}}));
  expectChunks(Sphere{5}, {16, 16, 8}, four);
  expectChunks(Box{{3, 4, 1}}, {13, 12, 8}, four);
  expectChunks(Box{{3, 3.75, 1}}, {13, 12, 8}, chunks({0, 0, 0}, {1, 0, 0}));
  expectChunks(Box{{5, 5, 7.75}}, {15, 17, 8}, four);
  expectChunks(Sphere{5}, {8, 12, 3}, chunks({0, 0, -1}, {0, 1, 0}));
  expectChunks(Sphere{5}, {4, 8, -3}, chunks({-1, 0, -1}, {0, 0, 0}));
}

TEST_F(ChunkSetTableTest, AcrossOrJustTouchingACornerIsUpToEightChunks) {
  const Chunks eight = chunks({0, 0, 0}, {1, 1, 1});
  expectChunks(Sphere{0}, {16, 16, 16}, eight);
  expectChunks(Sphere{7}, {14, 13, 10}, eight);  // 2-3-6-7: touches the corner
  expectChunks(Sphere{6.875}, {14, 13, 10}, chunks({0, 0, 0}, {1, 1, 1}, {{1, 1, 1}}));
  // 40 from the edges along y, and 45 from those along x.
  expectChunks(Sphere{6.5}, {14, 13, 10}, chunks({0, 0, 0}, {1, 1, 1}, {{0, 1, 1}, {1, 1, 1}}));
  expectChunks(Sphere{7.75}, {16, 16, 16}, eight);
  expectChunks(Box{{2, 3, 6}}, {14, 13, 10}, eight);
  expectChunks(Box{{2, 3, 5.75}}, {14, 13, 10}, chunks({0, 0, 0}, {1, 1, 0}));
  expectChunks(Box{{0, 0, 0}}, {0, 0, 0}, chunks({-1, -1, -1}, {0, 0, 0}));
  expectChunks(Box{{7, 7, 7}}, {-1, 17, 0}, chunks({-1, 0, -1}, {0, 1, 0}));
}

TEST_F(ChunkSetTableTest, NearlyTwoChunksWideCentredInOneIsUpTo27Chunks) {
  const Chunks all = chunks({-1, -1, -1}, {1, 1, 1});
  expectChunks(Box{{15.75, 15.75, 15.75}}, {8, 8, 8}, all);
  expectChunks(Box{{15.75, 15.75, 15.75}}, {0.25, 15.75, 8}, all);
  expectChunks(Sphere{15.75}, {8, 8, 8}, all);
  expectChunks(Sphere{8}, {8, 8, 8},  // touches the six faces, and no edge
               {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}});
  const Chunks corners = [] {
    Chunks eight;
    for (int i = 0; i < 8; ++i)
      eight.push_back({(i & 4) / 2 - 1, (i & 2) - 1, (i & 1) * 2 - 1});
    return eight;
  }();
  expectChunks(Sphere{12}, {8, 8, 8}, chunks({-1, -1, -1}, {1, 1, 1}, corners));  // 8 sqrt(2)
  expectChunks(Box{{15.75, 15.75, 1}}, {8, 8, 8}, chunks({-1, -1, 0}, {1, 1, 0}));
  expectChunks(Box{{15.75, 1, 1}}, {8, 8, 16}, chunks({-1, 0, 0}, {1, 0, 1}));
  // Centred in a face it spans two chunks and no third.
  expectChunks(Box{{15.75, 1, 1}}, {0, 8, 8}, chunks({-1, 0, 0}, {0, 0, 0}));
}

TEST(EntityChunksTest, TheIndexLevelIsTheFinestWiderThanTheRadius) {
  for (int levels = 1; levels <= 10; ++levels) {
    const Frame frame(levels);
    EntityIndex index(frame);
    EntityId id = 0;
    for (int level = 0; level < levels; ++level) {
      const double width = toBlocks(frame.chunkWidth(level));
      const auto add = [&](double radius, bool box) {
        EntitySpec spec;
        spec.id = ++id;
        spec.level = level;
        if (box) spec.shape = Box{{0, radius, 0}};
        if (!box) spec.shape = Sphere{radius};
        return index.add(spec);
      };
      for (const bool box : {false, true}) {
        const double below = width - std::max(kUnit, width * 0x1p-52);
        EXPECT_EQ(index.find(add(below, box).value())->index_level, level);
        const absl::StatusOr<EntityHandle> equal = add(width, box);
        if (level == 0) {
          EXPECT_EQ(equal.status().code(), absl::StatusCode::kInvalidArgument);
        } else {
          EXPECT_EQ(index.find(*equal)->index_level, level - 1);
        }
      }
    }
  }
}

TEST(EntityChunksTest, ChunksAtTheEndOfTheFrameCountToo) {
  const Frame frame(1);
  EntityIndex index(frame);
  const double end = 0x1p45;
  const EntityHandle entity =
      index.add({.id = 1, .shape = Sphere{0}, .position = {end, -end, 0}}).value();
  const std::int64_t last = kMaxCoordinate / frame.chunkWidth(0);
  EXPECT_EQ(chunksOf(index, entity), (std::vector<ChunkCoord>{{last - 1, -last - 1, -1},
                                                              {last - 1, -last - 1, 0},
                                                              {last - 1, -last, -1},
                                                              {last - 1, -last, 0},
                                                              {last, -last - 1, -1},
                                                              {last, -last - 1, 0},
                                                              {last, -last, -1},
                                                              {last, -last, 0}}));
}

// Returns a coordinate that is near a chunk's boundary more often than not.
std::int64_t coordinate(Rng& rng, std::int64_t width, std::int64_t radius) {
  const std::int64_t cells = std::min<std::int64_t>(kMaxCoordinate / width - 2, 1000);
  const std::int64_t far = kMaxCoordinate / width - 3;
  const std::int64_t plane =
      rng.pick({rng.in(-3, 3), rng.in(-cells, cells), far, -far, std::int64_t{0}}) * width;
  const std::int64_t off =
      rng.pick({std::int64_t{0}, radius, -radius, radius * 3 / 5, radius * 4 / 5, -radius * 3 / 5,
                rng.in(0, width - 1), width / 2});
  return plane + off + rng.pick<std::int64_t>({0, 0, 0, 1, -1});
}

void checkRandomShapes(std::string_view name, int levels, int count) {
  Rng rng(name);
  const Frame frame(levels);
  EntityIndex index(frame);
  std::array<int, 28> sizes{};
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const int scale = rng.below(levels);
    const std::int64_t width = frame.chunkWidth(scale);
    const auto size = [&] {
      const std::int64_t finer = width / 16;
      return rng.pick({std::int64_t{0}, width - 1, finer, finer + 1, width / 2, width / 80 * 5,
                       rng.in(0, width - 1), rng.in(finer, width - 1)});
    };
    FixedShape shape;
    shape.half_extents = {size(), size(), size()};
    if (rng.oneIn(2)) {
      shape.kind = FixedShape::Kind::kBox;
    } else {
      shape.half_extents = {shape.half_extents[0], shape.half_extents[0], shape.half_extents[0]};
    }
    EntitySpec spec;
    spec.id = 1;
    spec.level = rng.below(levels);
    spec.shape = toBlocks(shape);
    for (int axis = 0; axis < 3; ++axis) {
      spec.position[axis] = toBlocks(coordinate(rng, width, shape.half_extents[axis]));
    }
    const absl::StatusOr<EntityHandle> handle = index.add(spec);
    if (!handle.ok()) {  // doubles so large are coarse: rounded out of the frame, or up to C(0)
      ASSERT_TRUE(toUnits(spec.shape).value().radius() == frame.chunkWidth(0) ||
                  handle.status().code() == absl::StatusCode::kOutOfRange)
          << handle.status();
      ++refused;
      continue;
    }
    const Entity& entity = *index.find(*handle);  // in units, as rounded
    const std::optional<int> level = oracle::indexLevelOf(frame, entity.shape);
    ASSERT_EQ(entity.index_level, level);
    const auto expected = oracle::overlappedChunks(frame, *level, entity.shape, entity.position);
    ASSERT_EQ(chunksOf(index, *handle), expected)
        << (entity.shape.kind == FixedShape::Kind::kSphere ? "sphere" : "box") << " at "
        << entity.position[0] << " " << entity.position[1] << " " << entity.position[2]
        << " half extents " << entity.shape.half_extents[0] << " " << entity.shape.half_extents[1]
        << " " << entity.shape.half_extents[2] << ", " << levels << " levels";
    ASSERT_LE(expected.size(), internal::kMaxEntityChunks);
    ++sizes[expected.size()];
    ASSERT_TRUE(index.remove(*handle).ok());
  }
  EXPECT_LT(refused, count / 10);
  for (const std::size_t size : {1U, 2U, 4U, 7U, 8U, 9U, 18U, 27U}) {
    EXPECT_GT(sizes[size], 0) << "no shape touched " << size << " chunks";
  }
}

TEST(EntityChunksTest, RandomAndAdversarialShapesEqualTheOracleOnOneLevel) {
  checkRandomShapes("EntityChunksTest.One", 1, 15000);
}
TEST(EntityChunksTest, RandomAndAdversarialShapesEqualTheOracleOnThreeLevels) {
  checkRandomShapes("EntityChunksTest.Three", 3, 15000);
}
TEST(EntityChunksTest, RandomAndAdversarialShapesEqualTheOracleOnTenLevels) {
  checkRandomShapes("EntityChunksTest.Ten", 10, 15000);
}

}  // namespace
}  // namespace fractalray
