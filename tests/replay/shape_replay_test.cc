// SPDX-License-Identifier: Apache-2.0
// Checks logs of worlds whose blocks have shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../oracle/shaped_type.h"
#include "../oracle/shot_compare.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;

// A corridor of two bars at 5 and a solid post, in the second half of its cube, at 9.
struct ShapedCorridor {
  // `front` is where the post begins, in 1/65,536 of the block.
  explicit ShapedCorridor(std::uint32_t front) {
    BlockTypeTable& types = world.blockTypes();
    const BlockTypeId bars =
        oracle::addShapedType(types, "bars", BlockKind::kPermeable,
                              {{.min = {0, 0, 0}, .max = {16384, 65536, 65536}},
                               {.min = {49152, 0, 0}, .max = {65536, 65536, 65536}}});
    const BlockTypeId post = oracle::addShapedType(
        types, "post", BlockKind::kSolid, {{.min = {front, 0, 0}, .max = {65536, 65536, 65536}}});
    EXPECT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, world.blockTypes())).ok());
    EXPECT_TRUE(world.setBlock(0, {5, 0, 0}, bars).ok());
    EXPECT_TRUE(world.setBlock(0, {9, 0, 0}, post).ok());
  }

  World world{{.levels = 1}};
  EntityIndex entities{world.frame()};
  RayQueryService service{world, entities};
};

class ShapeReplayTest : public testing::Test {
 protected:
  void TearDown() override { removeLog(); }

  // Records the queries that hits of shapes take part in: those that find them, that resume after
  // them, and along lines that they reflect.
  static void record(ShapedCorridor& corridor, const RecorderOptions& options = {}) {
    const std::unique_ptr<QueryRecorder> recording =
        recordQueries(corridor.service, corridor.world, corridor.entities, options);
    const RayQueryService& service = corridor.service;
    const FixedSegment line = toUnits(Segment{{0.5, 0.5, 0.5}, {16.5, 0.25, 0.75}}).value();
    const LevelMask levels = corridor.world.allLevels();
    const ShotResult shot = service.shootSegment(line, levels).value();
    ASSERT_EQ(shot.hits.size(), 2U);
    EXPECT_EQ(service.occluded(line, levels).value(), Occlusion::kBlocked);
    EXPECT_TRUE(service.closestHit(line, levels)->hit.has_value());
    for (const Hit& hit : shot.hits)
      EXPECT_TRUE(service.shootSegment(line, levels, {.after = {&hit, 1}}).ok());
    const FixedSegment back = service.reflect(line, shot.hits[1]).value();
    EXPECT_TRUE(service.closestHit(back, levels)->hit.has_value());
    service.hitsAlong(line, levels)->next().value();
    EXPECT_TRUE(recording->close().ok());
    EXPECT_EQ(recording->queries(), 7U);
  }
};

TEST_F(ShapeReplayTest, HitsOfShapesAreReplayedToTheLastBit) {
  ShapedCorridor corridor(32768);
  record(corridor);
  ShapedCorridor again(32768);
  EXPECT_THAT(replayAll(again.world, again.entities), Each(Outcome::kEqual));
  const LoggedAnswer answer = parseAnswer(*readLog(logPath()).queries.front().answer).value();
  ASSERT_EQ(answer.hits.size(), 2U);
  EXPECT_EQ(answer.hits[1].plane, 32768U);
}

TEST_F(ShapeReplayTest, AWorldOfOtherShapesIsNotTheRecordedOne) {
  ShapedCorridor corridor(32768);
  record(corridor);
  const ShapedCorridor other(32767);
  EXPECT_THAT(checkRecordedWorld(readLog(logPath()).header, other.world, other.entities).message(),
              HasSubstr("blocks"));
}

TEST_F(ShapeReplayTest, AShapeThatIsThinnerByAUnitIsADifference) {
  ShapedCorridor corridor(32768);
  record(corridor, {.fingerprints = false});
  ShapedCorridor other(32769);
  EXPECT_TRUE(checkRecordedWorld(readLog(logPath()).header, other.world, other.entities).ok());
  EXPECT_THAT(replayAll(other.world, other.entities), Contains(Outcome::kDifferent));
}

}  // namespace
}  // namespace fractalray
