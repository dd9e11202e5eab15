// SPDX-License-Identifier: Apache-2.0
// Blocks in spheres and in boxes: against every loaded block, its distance in whole numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../query/block_search.h"
#include "../oracle/exact.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::block_search_property_test {
namespace {

using oracle::Integer;
using oracle::kMist;
using oracle::kStone;
using oracle::kVisible;
using oracle::kWater;
using oracle::Rng;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = 1.0 / 65536;
// The frame's end, in finest-block widths.
constexpr double kEnd = 0x1p45;

// A block of a loaded chunk, as a brute-force search sees it.
struct PlainBlock {
  int level;
  BlockCoord block;
  BlockTypeId type;
  bool is_expanded;  // its chunk on the next finer level is loaded
};

// All blocks that are not air.
std::vector<PlainBlock> blocksOf(const World& world) {
  std::vector<PlainBlock> blocks;
  for (int level = 0; level < world.frame().levels(); ++level) {
    world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
      for (int i = 0; i < kBlocksPerChunk; ++i) {
        const BlockCoord block = blockOf(at, i);
        if (chunk.block(i) == kAir) continue;
        const bool is_expanded =
            world.chunkState(level + 1, childChunk(block)) == ChunkState::kLoaded;
        blocks.push_back({level, block, chunk.block(i), is_expanded});
      }
    });
  }
  return blocks;
}

// A reach in units: a box, or a ball where its ends are one point.
struct Reach {
  Vec3i min;
  Vec3i max;
  std::optional<Integer> radius = Integer(0);  // none: unlimited
};

// The squared distance of a box of a block from the box of a reach, in units.
Integer squaredDistance(const World& world, const PlainBlock& plain, const ShapeBox& box,
                        const Reach& reach) {
  const Integer width = world.frame().blockWidth(plain.level);
  Integer squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const Integer block = Integer(plain.block[axis]) * width;
    const Integer low = block + width * box.min[i] / 65536;
    const Integer high = block + width * box.max[i] / 65536;
    Integer gap = 0;
    if (low > reach.max[axis]) gap = low - reach.max[axis];
    if (high < reach.min[axis]) gap = Integer(reach.min[axis]) - high;
    squared += gap * gap;
  }
  return squared;
}

// That of the nearest box of the block's shape.
Integer squaredDistance(const World& world, const PlainBlock& plain, ChannelId channel,
                        const Reach& reach) {
  std::optional<Integer> nearest;
  const BlockTypeTable& types = world.blockTypes();
  for (const ShapeBox& box : types.boxes(types.shape(plain.type, channel))) {
    const Integer squared = squaredDistance(world, plain, box, reach);
    if (!nearest.has_value() || squared < *nearest) nearest = squared;
  }
  return nearest.value();
}

struct Expected {
  PlainBlock plain;
  BlockKind kind;
  Integer squared;
};

bool isAccepted(const World& world, const PlainBlock& plain, LevelMask levels,
                const QueryFilter& filter) {
  if (!filter.blocks || !levels.contains(plain.level)) return false;
  if (plain.is_expanded && levels.contains(plain.level + 1)) return false;
  const BlockKind kind = world.blockTypes().kind(plain.type, filter.channel);
  if (kind == BlockKind::kEmpty || (filter.solid_only && kind != BlockKind::kSolid)) return false;
  if (!filter.block_filter) return true;
  Hit hit;
  hit.block = plain.block;
  return filter.block_filter(hit);
}

// Those that the filter accepts within the reach: by distance (0 in a box), the finer level first,
// by index.
std::vector<Expected> plainSearch(const World& world, const std::vector<PlainBlock>& blocks,
                                  const Reach& reach, LevelMask levels, const QueryFilter& filter) {
  std::vector<Expected> expected;
  for (const PlainBlock& plain : blocks) {
    if (!isAccepted(world, plain, levels, filter)) continue;
    const Integer squared = squaredDistance(world, plain, filter.channel, reach);
    if (reach.radius.has_value() && squared > *reach.radius * *reach.radius) continue;
    expected.push_back({plain, world.blockTypes().kind(plain.type, filter.channel), squared});
  }
  std::sort(expected.begin(), expected.end(), [](const Expected& a, const Expected& b) {
    if (a.squared != b.squared) return a.squared < b.squared;
    if (a.plain.level != b.plain.level) return a.plain.level > b.plain.level;
    return a.plain.block < b.plain.block;
  });
  return expected;
}

void expectSame(const std::vector<FoundBlock>& actual, const std::vector<Expected>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].level, expected[i].plain.level) << i;
    ASSERT_EQ(actual[i].block, expected[i].plain.block) << i;
    ASSERT_EQ(actual[i].type, expected[i].plain.type) << i;
    ASSERT_EQ(actual[i].kind, expected[i].kind) << i;
    ASSERT_EQ(actual[i].distance == 0, expected[i].squared == 0) << i;
    const auto distance =
        static_cast<double>(std::sqrt(static_cast<long double>(expected[i].squared)) / 65536);
    ASSERT_LE(std::abs(actual[i].distance - distance), distance * 0x1p-50) << i;
  }
}

// Random worlds, and points on a lattice in them, where much touches and many distances are equal.
class RandomSearch {
 public:
  RandomSearch(Rng& rng, int levels)
      : rng_(rng), scene_(oracle::randomScene(rng, levels, 0, 60)), world_(scene_->world) {
    blocks_ = blocksOf(world_);
  }

  void edit() {
    const int level = rng_.below(world_.frame().levels());
    std::vector<ChunkCoord> loaded;
    world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
    if (loaded.empty()) return;
    const ChunkCoord at =
        loaded[static_cast<std::size_t>(rng_.below(static_cast<int>(loaded.size())))];
    const BlockCoord block = blockOf(at, rng_.below(kBlocksPerChunk));
    switch (rng_.below(4)) {
      case 0:
        ASSERT_TRUE(world_.unloadChunk(level, at).ok());
        break;
      case 1:
        if (level + 1 < world_.frame().levels() &&
            world_.chunkState(level + 1, childChunk(block)) != ChunkState::kLoaded) {
          ASSERT_TRUE(world_.expandBlock(level, block).ok());
        }
        break;
      default:
        ASSERT_TRUE(world_.setBlock(level, block, rng_.pick({kAir, kWater, kStone, kMist})).ok());
    }
    blocks_ = blocksOf(world_);
  }

  void expectAllRight() {
    LevelMask levels = LevelMask::all();
    if (rng_.oneIn(2)) {
      levels = LevelMask{rng_.below(world_.frame().levels()), rng_.below(kMaxLevels)};
    }
    QueryFilter filter;
    if (rng_.oneIn(3)) filter.channel = kVisible;
    if (rng_.oneIn(4)) filter.solid_only = true;
    if (rng_.oneIn(16)) filter.blocks = false;
    if (rng_.oneIn(4)) {
      filter.block_filter = [](const BlockHit& hit) {
        return (hit.block[0] + hit.block[2]) % 3 != 0;
      };
    }
    ASSERT_NO_FATAL_FAILURE(expectSphereRight(levels, filter));
    ASSERT_NO_FATAL_FAILURE(expectBoxRight(levels, filter));
  }

 private:
  void expectSphereRight(LevelMask levels, const QueryFilter& filter) {
    const Vec3d center = latticePoint();
    const Vec3i units = toUnits(center, "centre").value();
    const double radius = this->radius(units);
    Reach reach{.min = units, .max = units, .radius = std::nullopt};
    if (radius != kInfinity) reach.radius = toUnits(radius, "radius").value();
    ASSERT_TRUE(blocksInSphere(world_, center, radius, levels, filter, found_).ok());
    ASSERT_NO_FATAL_FAILURE(expectSame(found_, plainSearch(world_, blocks_, reach, levels, filter)))
        << radius;
  }

  void expectBoxRight(LevelMask levels, const QueryFilter& filter) {
    Vec3d min = latticePoint();
    Vec3d max = rng_.oneIn(5) ? min : latticePoint();
    for (int axis = 0; axis < 3; ++axis) {
      if (rng_.oneIn(6)) max[axis] = min[axis];
      if (min[axis] > max[axis]) std::swap(min[axis], max[axis]);
    }
    if (rng_.oneIn(12)) {
      min = {-kEnd, -kEnd, -kEnd};
      max = {kEnd, kEnd, kEnd};
    }
    const Reach reach{.min = toUnits(min, "min").value(), .max = toUnits(max, "max").value()};
    ASSERT_TRUE(blocksInBox(world_, min, max, levels, filter, found_).ok());
    ASSERT_NO_FATAL_FAILURE(
        expectSame(found_, plainSearch(world_, blocks_, reach, levels, filter)));
  }

  double width() {
    return toBlocks(world_.frame().blockWidth(rng_.below(world_.frame().levels())));
  }
  // On or next to planes of blocks around the middle of what is loaded.
  Vec3d latticePoint() {
    const double step = width() / rng_.pick({1.0, 1.0, 2.0, 4.0});
    Vec3d position = toBlocks(scene_->center);
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] += step * static_cast<double>(rng_.in(-24, 24));
      if (rng_.oneIn(8)) position[axis] += rng_.pick({-kUnit, kUnit});
      position[axis] = std::clamp(position[axis], -kEnd, kEnd);
    }
    return position;
  }
  // None, infinite, on the lattice, or up to just where some block is touched or missed by a unit.
  double radius(const Vec3i& center) {
    const int way = rng_.below(8);
    if (way == 0) return 0;
    if (way == 1) return kInfinity;
    if (way < 5 || blocks_.empty()) return width() * static_cast<double>(rng_.in(0, 24)) / 2;
    const PlainBlock& plain =
        blocks_[static_cast<std::size_t>(rng_.below(static_cast<int>(blocks_.size())))];
    const Integer squared =
        squaredDistance(world_, plain, kDefaultChannel, {.min = center, .max = center});
    const Integer root = boost::multiprecision::sqrt(squared);  // rounded down
    return std::max(0.0, (static_cast<double>(root) + static_cast<double>(rng_.in(-1, 1))) * kUnit);
  }

  Rng& rng_;
  std::unique_ptr<oracle::RandomScene> scene_;
  World& world_;
  std::vector<PlainBlock> blocks_;
  std::vector<FoundBlock> found_;
};

void run(std::string_view seed, int levels, int worlds) {
  Rng rng(seed);
  for (int i = 0; i < worlds; ++i) {
    const std::uint64_t at = rng.seed();
    RandomSearch search(rng, levels);
    for (int question = 0; question < 25; ++question) {
      ASSERT_NO_FATAL_FAILURE(search.expectAllRight())
          << "world " << i << " of seed " << at << ", question " << question;
      if (rng.oneIn(3)) {
        ASSERT_NO_FATAL_FAILURE(search.edit());
      }
    }
  }
}

TEST(BlockSearchTest, EqualsEveryBlockTestedOnOneLevel) {
  run("BlockSearchTest.One", 1, 60);
}
TEST(BlockSearchTest, EqualsEveryBlockTestedOnTwoLevels) {
  run("BlockSearchTest.Two", 2, 45);
}
TEST(BlockSearchTest, EqualsEveryBlockTestedOnThreeLevels) {
  run("BlockSearchTest.Three", 3, 45);
}
TEST(BlockSearchTest, EqualsEveryBlockTestedOnTenLevels) {
  run("BlockSearchTest.Ten", 10, 20);
}

// A coordinate of a chunk: up to 2^max_log2, most of them near the origin.
std::int64_t scattered(Rng& rng, int max_log2) {
  const std::int64_t reach = std::int64_t{1} << rng.below(max_log2 + 1);
  return rng.in(-reach, reach - 1);
}

// Two levels with a few blocks here and there, and questions that begin and end at their corners.
class ScatteredSearch {
 public:
  explicit ScatteredSearch(Rng& rng) : rng_(rng) {
    for (int chunk = 0; chunk < 30; ++chunk)
      addChunk();
    blocks_ = blocksOf(world_);
  }

  void expectSphereRight() {
    const Vec3d center = corner();
    const Vec3i units = toUnits(center, "centre").value();
    // Up to just where some block is touched, or a unit more or less.
    const Integer root = boost::multiprecision::sqrt(
        squaredDistance(world_, any(), kDefaultChannel, {.min = units, .max = units}));
    const double radius =
        std::max(0.0, (static_cast<double>(root) + static_cast<double>(rng_.in(-1, 1))) * kUnit);
    const Reach ball{units, units, Integer(toUnits(radius, "radius").value())};
    ASSERT_TRUE(blocksInSphere(world_, center, radius, LevelMask::all(), {}, found_).ok());
    expectSame(found_, plainSearch(world_, blocks_, ball, LevelMask::all(), {}));
  }

  void expectBoxRight() {
    Vec3d min = corner();
    Vec3d max = corner();
    for (int axis = 0; axis < 3; ++axis) {
      if (min[axis] > max[axis]) std::swap(min[axis], max[axis]);
    }
    const Reach box{toUnits(min, "min").value(), toUnits(max, "max").value()};
    ASSERT_TRUE(blocksInBox(world_, min, max, LevelMask::all(), {}, found_).ok());
    expectSame(found_, plainSearch(world_, blocks_, box, LevelMask::all(), {}));
  }

 private:
  void addChunk() {
    const int level = rng_.below(2);
    const int max_log2 = rng_.pick({2, 8, 35}) + (level == 0 ? 0 : 4);
    ChunkCoord at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = scattered(rng_, max_log2);
    ASSERT_TRUE(world_.loadChunk(level, at, Chunk()).ok());
    for (int count = 1 + rng_.below(3); count > 0; --count) {
      const BlockCoord block = blockOf(at, rng_.below(kBlocksPerChunk));
      ASSERT_TRUE(world_.setBlock(level, block, rng_.pick({kWater, kStone})).ok());
    }
  }
  const PlainBlock& any() {
    return blocks_[static_cast<std::size_t>(rng_.below(static_cast<int>(blocks_.size())))];
  }
  // A corner of some block, in finest-block widths.
  Vec3d corner() {
    const PlainBlock& plain = any();
    const double width = toBlocks(world_.frame().blockWidth(plain.level));
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = static_cast<double>(plain.block[axis] + rng_.in(0, 1)) * width;
    return position;
  }

  Rng& rng_;
  World world_{{.levels = 2, .block_types = oracle::sceneTypes()}};
  std::vector<PlainBlock> blocks_;
  std::vector<FoundBlock> found_;
};

TEST(BlockSearchTest, EqualsEveryBlockTestedWhereChunksAreFarApart) {
  Rng rng("BlockSearchTest.Scattered");
  for (int i = 0; i < 60; ++i) {
    ScatteredSearch search(rng);
    for (int question = 0; question < 40; ++question) {
      const std::uint64_t seed = rng.seed();
      ASSERT_NO_FATAL_FAILURE(search.expectSphereRight()) << "world " << i << ", seed " << seed;
      ASSERT_NO_FATAL_FAILURE(search.expectBoxRight()) << "world " << i << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace fractalray::block_search_property_test
