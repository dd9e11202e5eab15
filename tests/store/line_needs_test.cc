// SPDX-License-Identifier: Apache-2.0
// appendMissing() against a walk that asks for each chunk.
#include "../../store/internal/line_needs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gmock/gmock.h"

#include "../../store/internal/map_chunks.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Rng;
using ::testing::ElementsAreArray;

constexpr double kWholeWay = std::numeric_limits<double>::infinity();
constexpr std::int64_t kUnits = 1 << 16;  // of a block of the finest level
constexpr std::int64_t kMapblockUnits = 16 * kUnits;

// Returns a point near the origin or far from it: anywhere, or a corner of mapblocks, or a unit
// off one.
Vec3i randomPoint(Rng& rng, std::int64_t around) {
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis) {
    point[axis] = around + rng.in(-300 * kUnits, 300 * kUnits);
    if (rng.oneIn(2)) point[axis] = point[axis] / kMapblockUnits * kMapblockUnits;
    if (rng.oneIn(8)) point[axis] += rng.pick({-1, 1});
  }
  return point;
}

FixedSegment randomLine(Rng& rng) {
  const std::int64_t around = rng.pick({0, 0, 20'000, -32'000, 40'000}) * kUnits;
  FixedSegment line{.from = randomPoint(rng, around), .to = randomPoint(rng, around)};
  if (rng.oneIn(4)) {  // a diagonal
    const std::int64_t length = rng.in(-12, 12) * kMapblockUnits;
    for (int axis = 0; axis < 3; ++axis)
      line.to[axis] = line.from[axis] + rng.pick({length, -length, std::int64_t{0}});
  }
  if (rng.oneIn(16)) line.to = line.from + Vec3i{rng.in(-1, 1), rng.in(-1, 1), rng.in(-1, 1)};
  if (rng.oneIn(4)) line.end_time = rng.in(1, kWholeLine);
  const int axis = rng.below(3);
  if (line.from[axis] != line.to[axis] && rng.oneIn(8)) {
    line.begin = {.plane = (line.from[axis] + line.to[axis]) / 2,
                  .axes = static_cast<std::uint8_t>(1 << axis)};
    line.end_time = kWholeLine;
  }
  return line;
}

// Returns the chunks that a line needs, in the order of appendMissing().
std::vector<NeededChunk> neededOn(const Frame& frame, const FixedSegment& line, LevelMask levels,
                                  double until) {
  std::vector<NeededChunk> needed;
  for (int level = kMapblockLevel; level >= 0; --level) {
    if (!levels.contains(level)) continue;
    const bool outline = level < kMapblockLevel && levels.contains(level + 1);
    forEachMapChunk(frame, line, level, until, [&](const ChunkCoord& at) {
      needed.push_back({.at = {.level = level, .chunk = at}, .outline = outline});
      return true;
    });
  }
  return needed;
}

// Returns a time to which a line is followed: to its end, anywhere, or to where it enters a
// mapblock.
double randomTime(Rng& rng, const FixedSegment& line, int shift) {
  if (rng.oneIn(3)) return kWholeWay;
  if (rng.oneIn(2)) return static_cast<double>(rng.in(0, 1 << 20)) / (1 << 20);
  GridWalk<3> walk = internal::walkAlong(Line(line), shift, CornerPolicy::kBoth);
  for (int steps = rng.below(40); steps > 0 && walk.next(); --steps) {
  }
  return walk.cell().t.toDouble();
}

TEST(LineNeedsTest, AgreesWithAWalkThatAsksForEachChunk) {
  Rng rng = oracle::rngOf("LineNeedsTest");
  int complete = 0;
  int incomplete = 0;
  const int cases = oracle::casesToDraw(30'000, 3'000'000);
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    World world{WorldOptions{.levels = kLuantiLevels}};
    CachedChunks cached(world);
    const FixedSegment line = randomLine(rng);
    const LevelMask levels = rng.pick(
        {LevelMask{3}, LevelMask{3}, LevelMask{2, 3}, LevelMask{0, 1, 2, 3}, LevelMask{1, 3}});
    const Frame& frame = world.frame();
    const double until = randomTime(rng, line, frame.chunkShift(kMapblockLevel));
    const std::vector<NeededChunk> needed = neededOn(frame, line, levels, until);
    std::vector<NeededChunk> missing;
    const bool leaves_out = rng.oneIn(2);
    const std::size_t left_out =
        needed.empty() ? 0 : static_cast<std::size_t>(rng.below(static_cast<int>(needed.size())));
    for (std::size_t k = 0; k < needed.size(); ++k) {
      if (leaves_out && (k == left_out || rng.oneIn(100))) {
        missing.push_back(needed[k]);
        continue;
      }
      const ChunkOfLevel& at = needed[k].at;
      if (needed[k].outline && rng.oneIn(2)) {
        ASSERT_TRUE(cached.loadOutline(at.level, at.chunk, Chunk(), {}).ok());
      } else {
        cached.setAbsent(at.level, at.chunk);
      }
    }
    std::vector<NeededChunk> found;
    const bool is_missing = appendMissing(frame, cached, {.line = line, .levels = levels}, until,
                                          std::numeric_limits<std::size_t>::max(), found);
    ASSERT_EQ(is_missing, !missing.empty());
    ASSERT_THAT(found, ElementsAreArray(missing));
    ++(missing.empty() ? complete : incomplete);
  }
  EXPECT_GT(complete, cases / 4);
  EXPECT_GT(incomplete, cases / 4);
}

// A coarse chunk of which only the outline is known is missing for a query that needs it whole, and
// what is forgotten is missing again.
TEST(LineNeedsTest, KnowledgeThatGoesIsMissing) {
  World world{WorldOptions{.levels = kLuantiLevels}};
  CachedChunks cached(world);
  const BatchQuery query{.line = Segment{.from = {1, 1, 1}, .to = {200, 1, 1}}, .levels = {2}};
  const auto lacks = [&] {
    std::vector<NeededChunk> missing;
    return appendMissing(world.frame(), cached, query, kWholeWay, 100, missing);
  };
  EXPECT_TRUE(lacks());
  ASSERT_TRUE(cached.load(2, {0, 0, 0}, Chunk()).ok());
  EXPECT_FALSE(lacks());
  ASSERT_TRUE(cached.loadOutline(2, {0, 0, 0}, Chunk(), {}).ok());
  EXPECT_TRUE(lacks());
  cached.setAbsent(2, {0, 0, 0});
  EXPECT_FALSE(lacks());
  EXPECT_TRUE(cached.forget(2, {0, 0, 0}));
  EXPECT_TRUE(lacks());
  cached.setAbsent(2, {0, 0, 0});
  cached.shrink(0);
  EXPECT_TRUE(lacks());
  cached.setAbsent(2, {0, 0, 0});
  cached.forgetAll();
  EXPECT_TRUE(lacks());
}

}  // namespace
}  // namespace fractalray
