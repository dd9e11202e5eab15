// SPDX-License-Identifier: Apache-2.0
// The chunks on a line: against a plain walk over the grid of chunks, level by level, with the
// state that the world names.
#include "../../query/line_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../oracle/allocations.h"
#include "../oracle/exact.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::line_chunks_test {
namespace {

using oracle::Rational;
using oracle::Rng;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static_assert(std::forward_iterator<LineChunks::Iterator>);
static_assert(std::sentinel_for<std::default_sentinel_t, LineChunks::Iterator>);
static_assert(std::ranges::forward_range<const LineChunks>);

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// At most as many of the chunks as tests compare.
constexpr std::size_t kMost = 4000;

std::vector<LineChunk> listOf(const LineChunks& chunks) {
  std::vector<LineChunk> list;
  for (const LineChunk& chunk : chunks) {
    if (list.size() == kMost) break;
    list.push_back(chunk);
  }
  return list;
}

struct Expected {
  int level;
  ChunkCoord chunk;
  ChunkState state;
  Rational t_enter;
  Rational t_exit;
};

// The last time in [0, 1] in a closed cell.
Rational exitTime(const FixedSegment& segment, const Vec3i& cell, std::int64_t width) {
  Rational exit = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t delta = segment.to[axis] - segment.from[axis];
    if (delta == 0) continue;
    const oracle::Integer plane = oracle::Integer(cell[axis] + (delta > 0 ? 1 : 0)) * width;
    exit = std::min(exit, oracle::fraction(plane - segment.from[axis], delta));
  }
  return exit;
}

// The plain walk, the finest level first, up to the line's end; at most kMost.
std::vector<Expected> plainWalk(const World& world, const FixedSegment& segment, LevelMask levels,
                                const LineChunkOptions& options) {
  std::vector<Expected> expected;
  const Rational end = oracle::fraction(segment.end_time, kWholeLine);
  for (int level = world.frame().levels() - 1; level >= 0; --level) {
    if (!levels.contains(level)) continue;
    const std::int64_t width = world.frame().chunkWidth(level);
    for (const GridCell<3>& cell :
         GridWalk<3>(segment.from, segment.to, {width, width, width}, options.corner)) {
      const Rational t = oracle::fraction(cell.t.numerator, cell.t.denominator);
      if (t > end) break;
      const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
      const ChunkState state = world.chunkState(level, chunk);
      if (options.loaded_only && state != ChunkState::kLoaded) continue;
      if (expected.size() == kMost) return expected;
      expected.push_back({level, chunk, state, t, exitTime(segment, cell.cell, width)});
    }
  }
  return expected;
}

void expectSame(const std::vector<LineChunk>& actual, const std::vector<Expected>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].level, expected[i].level) << i;
    ASSERT_EQ(actual[i].chunk, expected[i].chunk) << i;
    ASSERT_EQ(actual[i].state, expected[i].state) << i;
    const double enter = oracle::toDouble(expected[i].t_enter);
    const double exit = oracle::toDouble(expected[i].t_exit);
    ASSERT_LE(std::abs(actual[i].t_enter - enter), enter * 0x1p-51) << i;
    ASSERT_LE(std::abs(actual[i].t_exit - exit), exit * 0x1p-51) << i;
    ASSERT_GE(actual[i].t_exit, actual[i].t_enter) << i;
    if (expected[i].t_exit == expected[i].t_enter) {
      ASSERT_EQ(actual[i].t_exit, actual[i].t_enter) << i;
    }
  }
}

void run(std::string_view seed, int levels, int worlds) {
  Rng rng(seed);
  for (int i = 0; i < worlds; ++i) {
    const auto scene = oracle::randomScene(rng, levels, 0, 1);
    for (int question = 0; question < 40; ++question) {
      const std::uint64_t at = rng.seed();
      FixedSegment segment = oracle::randomSegment(rng, *scene);
      if (rng.oneIn(3)) segment.end_time = rng.in(1, kWholeLine);
      if (rng.oneIn(8)) segment.end_time = std::int64_t{1} << rng.in(0, 60);
      const LevelMask mask = rng.oneIn(3) ? LevelMask{rng.below(levels)} : LevelMask::all();
      for (const bool loaded_only : {false, true}) {
        const LineChunkOptions options{
            .corner =
                rng.pick({CornerPolicy::kNeither, CornerPolicy::kBoth, CornerPolicy::kStaircase}),
            .loaded_only = loaded_only};
        const auto chunks = chunksOn(scene->world, segment, mask, options);
        ASSERT_TRUE(chunks.ok()) << chunks.status();
        EXPECT_EQ(chunks->segment(), segment);
        ASSERT_NO_FATAL_FAILURE(
            expectSame(listOf(*chunks), plainWalk(scene->world, segment, mask, options)))
            << "world " << i << ", question " << question << ", seed " << at;
      }
    }
  }
}

TEST(LineChunksTest, OfAReflectedLineThoseFromWhereItBeginsOn) {
  Rng rng("LineChunksTest.Reflected");
  int reflected = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto scene = oracle::randomScene(rng, 1, 0, 1);
    FixedSegment line = oracle::randomSegment(rng, *scene);
    if (rng.oneIn(3)) line.end_time = rng.in(1, kWholeLine);
    line = oracle::randomReflection(rng, line, scene->world.frame());
    if (line.begin.axes == 0) continue;
    ++reflected;
    const LineChunkOptions options{
        .corner = rng.pick({CornerPolicy::kNeither, CornerPolicy::kBoth, CornerPolicy::kStaircase}),
        .loaded_only = rng.oneIn(2)};
    const std::int64_t width = scene->world.frame().chunkWidth(0);
    const Rational end = oracle::fraction(line.end_time, kWholeLine);
    std::vector<Expected> expected;
    for (const auto& cell : oracle::reflectedCells(line, width, options.corner, end)) {
      const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
      const ChunkState state = scene->world.chunkState(0, chunk);
      if (options.loaded_only && state != ChunkState::kLoaded) continue;
      expected.push_back({0, chunk, state, cell.t, exitTime(line, cell.cell, width)});
    }
    const auto chunks = chunksOn(scene->world, line, LevelMask::all(), options);
    ASSERT_TRUE(chunks.ok()) << chunks.status();
    ASSERT_NO_FATAL_FAILURE(expectSame(listOf(*chunks), expected)) << i;
  }
  EXPECT_GT(reflected, 1000);
}

TEST(LineChunksTest, EqualsThePlainWalkOnOneLevel) {
  run("LineChunksTest.One", 1, 150);
}
TEST(LineChunksTest, EqualsThePlainWalkOnTwoLevels) {
  run("LineChunksTest.Two", 2, 50);
}
TEST(LineChunksTest, EqualsThePlainWalkOnThreeLevels) {
  run("LineChunksTest.Three", 3, 15);
}

// "level:x,y,z" of each, with a + where it is loaded and a ? where it is proto.
std::vector<std::string> names(const absl::StatusOr<LineChunks>& chunks) {
  std::vector<std::string> list;
  EXPECT_TRUE(chunks.ok()) << chunks.status();
  if (!chunks.ok()) return list;
  for (const LineChunk& on_line : *chunks) {
    std::string name = std::to_string(on_line.level) + ":" + std::to_string(on_line.chunk[0]) +
                       "," + std::to_string(on_line.chunk[1]) + "," +
                       std::to_string(on_line.chunk[2]);
    if (on_line.state == ChunkState::kLoaded) name += "+";
    if (on_line.state == ChunkState::kProto) name += "?";
    list.push_back(name);
  }
  return list;
}

World worldOf(int levels, const std::vector<std::pair<int, ChunkCoord>>& loaded) {
  World world({.levels = levels});
  for (const auto& [level, at] : loaded)
    EXPECT_TRUE(world.loadChunk(level, at, Chunk()).ok());
  return world;
}

TEST(LineChunksTest, FinestLevelComesFirstEachInTheOrderOfTheLine) {
  World world = worldOf(2, {{0, {0, 0, 0}}, {1, {0, 0, 0}}, {1, {2, 0, 0}}});
  ASSERT_TRUE(world.placeProtoChunk(1, {1, 0, 0}).ok());
  const Segment line{.from = {40, 1, 1}, .to = {-8, 1, 1}};
  EXPECT_THAT(names(chunksOn(world, line)),
              ElementsAre("1:2,0,0+", "1:1,0,0?", "1:0,0,0+", "1:-1,0,0", "0:0,0,0+", "0:-1,0,0"));
  EXPECT_THAT(names(chunksOn(world, line, {0, 7})), ElementsAre("0:0,0,0+", "0:-1,0,0"));
  EXPECT_THAT(names(chunksOn(world, line, {0, 1}, {.loaded_only = true})),
              ElementsAre("1:2,0,0+", "1:0,0,0+", "0:0,0,0+"));
  const auto chunks = chunksOn(world, line);
  const LineChunk second = *std::next(chunks->begin());
  EXPECT_EQ(second.t_enter, 8.0 / 48);
  EXPECT_EQ(second.t_exit, 24.0 / 48);
}

TEST(LineChunksTest, ThePolicyDecidesAtCorners) {
  const World world = worldOf(1, {{0, {0, 1, 0}}});
  const Segment line{.from = {8, 8, 8}, .to = {24, 24, 8}};
  EXPECT_THAT(names(chunksOn(world, line)),
              ElementsAre("0:0,0,0", "0:1,0,0", "0:0,1,0+", "0:1,1,0"));
  EXPECT_THAT(names(chunksOn(world, line, {0}, {.corner = CornerPolicy::kNeither})),
              ElementsAre("0:0,0,0", "0:1,1,0"));
  const auto loaded = chunksOn(world, line, {0}, {.loaded_only = true});
  EXPECT_THAT(names(loaded), ElementsAre("0:0,1,0+"));
  EXPECT_EQ((*loaded->begin()).t_enter, 0.5);
  EXPECT_EQ((*loaded->begin()).t_exit, 0.5);
}

TEST(LineChunksTest, APointIsInOneChunkALevelAndAnEmptyWorldHasOnesToLoad) {
  const World world = worldOf(3, {});
  const Segment point{.from = {-1, 16, 300}, .to = {-1, 16, 300}};
  EXPECT_THAT(names(chunksOn(world, point)), ElementsAre("2:-1,1,18", "1:-1,0,1", "0:-1,0,0"));
  EXPECT_THAT(names(chunksOn(world, point, {1}, {.loaded_only = true})), IsEmpty());
  EXPECT_EQ((*chunksOn(world, point)->begin()).t_exit, 1);
}

TEST(LineChunksTest, ARayEndsAtItsEndTime) {
  const World world = worldOf(1, {{0, {0, 0, 0}}, {0, {1, 0, 0}}, {0, {3, 0, 0}}});
  const Ray ray{.origin = {1, 1, 1}, .direction = {1, 0, 0}, .max_distance = 32};
  EXPECT_THAT(names(chunksOn(world, ray)), ElementsAre("0:0,0,0+", "0:1,0,0+", "0:2,0,0"));
  const auto chunks = chunksOn(world, ray, {0}, {.loaded_only = true});
  EXPECT_THAT(names(chunks), ElementsAre("0:0,0,0+", "0:1,0,0+"));
  // Exactly at the end counts.
  FixedSegment segment{.from = {0, 0, 0}, .to = {64 * kUnitsPerBlock, 0, 0}};
  segment.end_time = kWholeLine / 4;
  EXPECT_THAT(names(chunksOn(world, segment)), ElementsAre("0:0,0,0+", "0:1,0,0+"));
  --segment.end_time;
  EXPECT_THAT(names(chunksOn(world, segment)), ElementsAre("0:0,0,0+"));
  EXPECT_EQ((*chunksOn(world, segment)->begin()).t_exit, 0.25) << "as of the whole line";
}

TEST(LineChunksTest, ALineAcrossTheFrameSkipsToLoadedChunks) {
  for (const int levels : {1, 3, 10}) {
    const std::int64_t far = (std::int64_t{1} << 40) + 5;
    const World world = worldOf(
        levels,
        {{levels - 1, {-far, 7, 7}}, {levels - 1, {12345, 7, 7}}, {levels - 1, {far, 7, 7}}});
    const double end = 0x1p45;
    const Segment line{.from = {-end, 120, 120}, .to = {end, 120, 120}};
    const auto chunks = chunksOn(world, line, LevelMask::all(), {.loaded_only = true});
    const std::string level = std::to_string(levels - 1) + ":";
    EXPECT_THAT(names(chunks), ElementsAre(level + "-1099511627781,7,7+", level + "12345,7,7+",
                                           level + "1099511627781,7,7+"));
    const Ray ray{.origin = {-end, 120, 120}, .direction = {1, 0, 0}, .max_distance = kInfinity};
    EXPECT_FALSE(names(chunksOn(world, ray, LevelMask::all(), {.loaded_only = true})).empty());
    // All of them would be too many; the first ones cost nothing more.
    const auto all = chunksOn(world, line);
    EXPECT_EQ(listOf(*all).size(), kMost);
  }
}

TEST(LineChunksTest, IteratorsAreMultiPassAndOutliveTheRange) {
  const World world = worldOf(2, {{1, {1, 0, 0}}});
  const Segment line{.from = {0, 0, 0}, .to = {100, 30, 7}};
  LineChunks::Iterator it = chunksOn(world, line)->begin();
  const LineChunks::Iterator first = it;
  const LineChunk before = *it++;
  EXPECT_EQ(before, *first);
  EXPECT_NE(it, first);
  LineChunks::Iterator again = first;
  EXPECT_EQ(++again, it);
  EXPECT_EQ(*again, *it);
  EXPECT_EQ(std::ranges::distance(it, std::default_sentinel) + 1,
            std::ranges::distance(*chunksOn(world, line)));
  EXPECT_TRUE(LineChunks::Iterator() == std::default_sentinel);
}

TEST(LineChunksTest, ChunksMayBeLoadedDuringTheIteration) {
  World world({.levels = 2});
  const Segment line{.from = {1, 1, 1}, .to = {60, 40, 1}};
  const auto chunks = chunksOn(world, line);
  int loaded = 0;
  for (const LineChunk& on_line : *chunks) {
    EXPECT_EQ(on_line.state, ChunkState::kAbsent);
    ASSERT_TRUE(world.loadChunk(on_line.level, on_line.chunk, Chunk()).ok());
    ++loaded;
  }
  EXPECT_EQ(names(chunksOn(world, line, LevelMask::all(), {.loaded_only = true})).size(),
            static_cast<std::size_t>(loaded));
}

// Returns the work of a walk to its end, and the number of its chunks.
std::pair<QueryStats, std::uint64_t> workOf(const LineChunks& chunks) {
  std::uint64_t count = 0;
  LineChunks::Iterator it = chunks.begin();
  for (; it != chunks.end(); ++it)
    ++count;
  return {it.stats(), count};
}

TEST(LineChunksTest, EveryChunkExaminedIsAStep) {
  const World world = worldOf(2, {{0, {0, 0, 0}}, {1, {0, 0, 0}}, {1, {1, 0, 0}}, {1, {9, 0, 0}}});
  const Segment line{.from = {1, 1, 1}, .to = {170, 1, 1}};
  const LineChunks all = chunksOn(world, line).value();
  const auto [stats, count] = workOf(all);
  EXPECT_EQ(count, 12U) << "eleven of the finer level, one of the coarser";
  EXPECT_EQ(stats.skips, count);
  EXPECT_EQ(stats.chunks, 4U);
  EXPECT_EQ(stats.steps(), count) << "the loaded ones are not counted twice";
  // The work so far, from the first chunk on; that of a copy is its own.
  LineChunks::Iterator it = all.begin();
  EXPECT_EQ(it.stats().steps(), 1U);
  const LineChunks::Iterator first = it;
  ++it;
  ++it;
  EXPECT_EQ(it.stats().steps(), 3U);
  EXPECT_EQ(it.stats().chunks, 2U);
  EXPECT_EQ(first.stats().steps(), 1U);
}

TEST(LineChunksTest, EmptyStretchesAreCrossedInFewSteps) {
  const std::int64_t far = (std::int64_t{1} << 40) + 5;
  const World world = worldOf(3, {{2, {-far, 7, 7}}, {2, {12345, 7, 7}}, {2, {far, 7, 7}}});
  const Segment line{.from = {-0x1p45, 120, 120}, .to = {0x1p45, 120, 120}};
  const auto [stats, count] =
      workOf(chunksOn(world, line, LevelMask::all(), {.loaded_only = true}).value());
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(stats.chunks, 3U);
  EXPECT_GT(stats.skips, 3U) << "the stretches in between";
  EXPECT_LT(stats.steps(), 300U);
}

TEST(LineChunksTest, NothingIsAllocated) {
  const World world = worldOf(2, {{0, {0, 0, 0}}, {1, {3, 2, 0}}});
  const Segment line{.from = {-100, -50, 1}, .to = {300, 200, 9}};
  const std::size_t before = oracle::allocationCount();
  std::size_t count = 0;
  for (const bool loaded_only : {false, true}) {
    const auto chunks = chunksOn(world, line, LevelMask::all(), {.loaded_only = loaded_only});
    for (const LineChunk& on_line : *chunks)
      count += on_line.state == ChunkState::kLoaded ? 1 : 0;
  }
  EXPECT_EQ(oracle::allocationCount(), before);
  EXPECT_GT(count, 2U);
}

TEST(LineChunksTest, BadQueriesAreRefused) {
  const World world({.levels = 2});
  const auto expect = [](const absl::StatusOr<LineChunks>& chunks, absl::StatusCode code,
                         const char* what) {
    EXPECT_EQ(chunks.status().code(), code) << chunks.status();
    EXPECT_THAT(std::string(chunks.status().message()), HasSubstr(what));
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  constexpr auto kBeyond = absl::StatusCode::kOutOfRange;
  const Segment line{.from = {0, 0, 0}, .to = {1, 1, 1}};
  expect(chunksOn(world, line, {}), kInvalid, "the level mask is empty");
  expect(chunksOn(world, line, {2, 9}), kInvalid, "no active level");
  expect(chunksOn(world, Segment{.from = {std::nan(""), 0, 0}, .to = {}}), kInvalid, "NaN");
  expect(chunksOn(world, Segment{.from = {}, .to = {0x1p46, 0, 0}}), kBeyond, "2^45");
  expect(chunksOn(world, Ray{.origin = {}, .direction = {}}), kInvalid, "direction is zero");
  expect(chunksOn(world, FixedSegment{.from = {}, .to = {kMaxCoordinate + 1, 0, 0}}), kBeyond,
         "segment's to.x");
  // INVALID_ARGUMENT wins if both errors apply.
  expect(chunksOn(world, Segment{.from = {}, .to = {0x1p46, 0, 0}}, {}), kInvalid, "mask is empty");
  expect(chunksOn(world, FixedSegment{.from = {}, .to = {kMaxCoordinate + 1, 0, 0}}, {9}), kInvalid,
         "no active level");
  expect(chunksOn(world, FixedSegment{.from = {}, .to = {}, .end_time = 0}), kInvalid,
         "the segment is all zeros");
}

}  // namespace
}  // namespace fractalray::line_chunks_test
