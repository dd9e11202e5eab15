// SPDX-License-Identifier: Apache-2.0
// The chunks that entities are indexed in: exactly those of their index level whose closed cube
// meets their closed shape, for every shape and after every move.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fractalray/entities/entity_index.h"
#include "fractalray/tests/oracle/rng.h"
#include "fractalray/tests/oracle/shape_oracle.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr double kUnit = 1.0 / 65536;

std::vector<ChunkCoord> chunksOf(const EntityIndex& index, EntityHandle entity) {
  const EntityChunks chunks = index.chunks(entity);
  return {chunks.begin(), chunks.end()};
}

// Adds an entity alone to an index of its own; its chunks.
std::vector<ChunkCoord> chunksOf(int levels, const Shape& shape, const Vec3d& position) {
  EntityIndex index{Frame(levels)};
  const absl::StatusOr<EntityHandle> entity = index.add({.shape = shape, .position = position});
  EXPECT_TRUE(entity.ok()) << entity.status();
  return entity.ok() ? chunksOf(index, *entity) : std::vector<ChunkCoord>{};
}

TEST(EntityChunksTest, InTheMiddleOfAChunkItIsInThatOne) {
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

TEST(EntityChunksTest, AtMost27) {
  EXPECT_EQ(chunksOf(1, Box{{16 - kUnit, 16 - kUnit, 16 - kUnit}}, {8, 8, 8}).size(), 27U);
  EXPECT_EQ(chunksOf(1, Sphere{16 - kUnit}, {8, 8, 8}).size(), 27U);
  EXPECT_EQ(chunksOf(2, Sphere{16}, {99, 99, 99}).size(), 1U) << "a level coarser";
}

TEST(EntityChunksTest, TheIndexLevelIsTheFinestWiderThanTheRadius) {
  for (int levels = 1; levels <= 10; ++levels) {
    const Frame frame(levels);
    EntityIndex index(frame);
    EntityId id = 0;
    for (int level = 0; level < levels; ++level) {
      const double width = blocksFromUnits(frame.chunkWidth(level));
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

TEST(EntityChunksTest, AtTheEndOfTheFrameTheyCountToo) {
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

// A coordinate that is near a chunk's boundary more often than not.
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
    UnitShape shape;
    shape.half_extents = {size(), size(), size()};
    if (rng.oneIn(2)) {
      shape.kind = UnitShape::Kind::kBox;
    } else {
      shape.half_extents = {shape.half_extents[0], shape.half_extents[0], shape.half_extents[0]};
    }
    EntitySpec spec;
    spec.id = 1;
    spec.level = rng.below(levels);
    spec.shape = toBlocks(shape);
    for (int axis = 0; axis < 3; ++axis) {
      spec.position[axis] = blocksFromUnits(coordinate(rng, width, shape.half_extents[axis]));
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
    const auto expected = oracle::chunksMet(frame, *level, entity.shape, entity.position);
    ASSERT_EQ(chunksOf(index, *handle), expected)
        << (entity.shape.kind == UnitShape::Kind::kSphere ? "sphere" : "box") << " at "
        << entity.position[0] << " " << entity.position[1] << " " << entity.position[2]
        << " half extents " << entity.shape.half_extents[0] << " " << entity.shape.half_extents[1]
        << " " << entity.shape.half_extents[2] << ", " << levels << " levels";
    ASSERT_LE(expected.size(), kMaxEntityChunks);
    ++sizes[expected.size()];
    ASSERT_TRUE(index.remove(*handle).ok());
  }
  EXPECT_LT(refused, count / 10);
  for (const std::size_t size : {1U, 2U, 4U, 7U, 8U, 9U, 18U, 27U}) {
    EXPECT_GT(sizes[size], 0) << "no shape met " << size << " chunks";
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
