// SPDX-License-Identifier: Apache-2.0
// The laws of sight of boxes, by number (docs/queries/visible.md), on random worlds of all kinds.
// Those of exposure are in sight_exposure_laws_test.cc.
#include "sight_laws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/exact.h"
#include "../oracle/long_run.h"
#include "../oracle/witness_oracle.h"
#include "sight_check.h"
#include "sight_images.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

bool isFlatTwice(const FixedBox& box) {
  int flat = 0;
  for (int axis = 0; axis < 3; ++axis)
    flat += box.min[axis] == box.max[axis] ? 1 : 0;
  return flat > 1;
}

// Returns true if the eye is in a closed occluder.
bool touchesEye(const SightCase& of) {
  const std::vector<oracle::Occluder> all = of.occludersOfAll();
  return std::any_of(all.begin(), all.end(), [&](const oracle::Occluder& occluder) {
    return oracle::isBetween(occluder, of.query.eye, {of.query.eye, of.query.eye});
  });
}

TEST(SightLawsTest, Law01MoreOccludersNeverRaiseTheRank) {
  int lowered = 0;
  forRandomCases("SightLaw1", [&](Rng& rng, SightCase& made) {
    const Sight before = sightOf(made);
    made.occluders.push_back(extraOccluder(rng, made.query));
    const Sight after = sightOf(made);
    EXPECT_LE(after, before);
    lowered += after < before ? 1 : 0;
  });
  EXPECT_GT(lowered, 0);
}

TEST(SightLawsTest, Law01MoreLoadedAirNeverLowersTheRank) {
  Rng rng = oracle::rngOf("SightLaw1Air");
  int raised = 0;
  for (int i = 0; i < rounds(120, 6000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    SightCase made = randomCase(rng, SceneKind::kUnloaded);
    if (made.world->frame().levels() > 1) continue;  // a finer chunk would replace blocks
    const Sight before = sightOf(made);
    for (std::int64_t x = 0; x < 3; ++x) {
      for (std::int64_t y = 0; y < 2; ++y) {
        if (made.world->chunk(0, {x, y, 0}) != nullptr || rng.oneIn(2)) continue;
        ASSERT_TRUE(made.world->loadChunk(0, {x, y, 0}, Chunk()).ok());
      }
    }
    const Sight after = sightOf(made);
    ASSERT_GE(after, before) << made.text();
    raised += after > before ? 1 : 0;
  }
  EXPECT_GT(raised, 0);
}

// Reports what is certain: visible even if unloaded space is solid, hidden even if it is air.
TEST(SightLawsTest, ReportedRanksAreThoseOfSolidAndOfAir) {
  Rng rng = oracle::rngOf("SightReports");
  int unknown = 0;
  for (int i = 0; i < rounds(120, 6000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    SightCase made = randomCase(rng, SceneKind::kUnloaded);
    const auto sight_with = [&](UnloadedSpace unloaded) {
      made.options.unloaded = unloaded;
      return sightOf(made);
    };
    const Sight reported = sight_with(UnloadedSpace::kReport);
    const Sight opaque = sight_with(UnloadedSpace::kOpaque);
    const Sight transparent = sight_with(UnloadedSpace::kTransparent);
    ASSERT_EQ(reported == Sight::kVisible, opaque == Sight::kVisible) << made.text();
    ASSERT_EQ(reported == Sight::kHidden, transparent == Sight::kHidden) << made.text();
    ASSERT_TRUE(opaque != Sight::kUnknown && transparent != Sight::kUnknown) << made.text();
    unknown += reported == Sight::kUnknown ? 1 : 0;
  }
  EXPECT_GT(unknown, 0);
}

TEST(SightLawsTest, Law02ABiggerBoxNeverLowersTheRank) {
  int raised = 0;
  forRandomCases("SightLaw2", [&](Rng& rng, SightCase& made) {
    const Sight before = sightOf(made);
    made.query.box = biggerBox(rng, made.query.box, false);
    const Sight after = sightOf(made);
    EXPECT_GE(after, before);
    raised += after > before ? 1 : 0;
  });
  EXPECT_GT(raised, 5);
}

TEST(SightLawsTest, Law03TheRankOfAUnionIsTheGreatest) {
  int unlike = 0;
  forRandomCases("SightLaw3", [&](Rng& rng, SightCase& made) {
    const Sight whole = sightOf(made);
    const int axis = rng.below(3);
    const FixedBox box = made.query.box;
    const std::int64_t plane = rng.in(box.min[axis], box.max[axis]);
    std::vector<Sight> ranks;
    for (const bool is_low : {true, false}) {
      made.query.box = box;
      (is_low ? made.query.box.max : made.query.box.min)[axis] = plane;
      // A part without solid angle has no rank.
      if (!isFlatTwice(made.query.box)) ranks.push_back(sightOf(made));
    }
    EXPECT_EQ(std::max(ranks.front(), ranks.back()), whole);
    unlike += ranks.front() != ranks.back() ? 1 : 0;
  });
  EXPECT_GT(unlike, 2);
}

// Drops the options by which a shape of several boxes differs from occluders of their own: its
// boxes count once, and leave themselves out together, as a block alone.
void letBoxesStandForShapes(SightCase& made) {
  for (const oracle::Occluder& occluder : made.scene().occluders) {
    if (occluder.size() == 1) continue;
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
  }
}

TEST(SightLawsTest, Law04TranslationPermutationMirrorAndScalingOfBoxesChangeNothing) {
  forRandomCases("SightLaw4", [&](Rng& rng, SightCase& made) {
    made.options.unloaded = UnloadedSpace::kTransparent;
    letBoxesStandForShapes(made);
    const Sight expected = sightOf(made);
    EXPECT_EQ(sightOf(asBoxes(made)), expected);
    const int flipped = rng.below(3);
    const auto mirror = [&](Vec3i p) {
      p[flipped] = -p[flipped];
      return p;
    };
    EXPECT_EQ(sightOf(mapped(made, mirror)), expected);
    for (const auto& [x, y, z] : {std::array{1, 2, 0}, {1, 0, 2}}) {
      const auto turn = [&, x = x, y = y, z = z](const Vec3i& p) {
        return Vec3i{p[x], p[y], p[z]};
      };
      EXPECT_EQ(sightOf(mapped(made, turn)), expected);
    }
    if (!isNearOrigin(made)) return;
    const Vec3i offset{rng.in(-99999999, 99999999), rng.in(-9, 9), kMaxCoordinate / 2};
    EXPECT_EQ(sightOf(mapped(made, [&](const Vec3i& p) { return p + offset; })), expected);
    EXPECT_EQ(sightOf(mapped(made, [](const Vec3i& p) { return p * 48; })), expected);
  });
}

TEST(SightLawsTest, Law04MapsOfWholeWorldsAndAnotherLevelChangeNothing) {
  std::array<int, 3> count{};
  forRandomCases("SightLaw4Worlds", [&](Rng& rng, SightCase& made) {
    if (!isNearOrigin(made)) return;
    const Sight expected = sightOf(made);
    std::vector<WorldMap> maps = {{.by = {rng.in(-999999, 999999), 1, rng.in(-9, 9)}},
                                  {.finer = 1}};
    if (hasCubesOnly(*made.world)) {
      maps.push_back({.axes = {1, 2, 0}});
      maps.push_back({.axes = {1, 0, 2}, .is_mirrored = {true, false, false}, .by = {3, -1, 0}});
      maps.push_back({.is_mirrored = {rng.oneIn(2), rng.oneIn(2), true}, .finer = 1});
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
      EXPECT_EQ(sightOf(mapped(made, maps[i])), expected) << "map " << i;
    ++count[static_cast<std::size_t>(expected)];
  });
  EXPECT_GT(count[static_cast<std::size_t>(Sight::kHidden)], 10);
  EXPECT_GT(count[static_cast<std::size_t>(Sight::kUnknown)], 2);
  EXPECT_GT(count[static_cast<std::size_t>(Sight::kVisible)], 10);
}

TEST(SightLawsTest, Law05OrderAndDivisionOfOccludersChangeNothing) {
  forRandomCases("SightLaw5", [&](Rng& rng, SightCase& made) {
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    SightCase boxes = asBoxes(made);
    const Sight expected = sightOf(boxes);
    std::reverse(boxes.occluders.begin(), boxes.occluders.end());
    EXPECT_EQ(sightOf(boxes), expected);
    divideOccluders(rng, boxes);
    EXPECT_EQ(sightOf(boxes), expected);
  });
}

TEST(SightLawsTest, Law05AWallOfBlocksIsItsBox) {
  Rng rng = oracle::rngOf("SightLaw5Wall");
  std::array<int, 3> count{};
  int parts = 0;
  for (int i = 0; i < rounds(200, 6000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    SightCase blocks = emptyCase();
    blocks.options.unloaded = UnloadedSpace::kTransparent;
    SightCase box = emptyCase();
    box.options.unloaded = UnloadedSpace::kTransparent;
    BlockCoord low;
    BlockCoord high;
    FixedBox wall;
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = rng.in(1, 12);
      high[axis] = std::min<std::int64_t>(low[axis] + rng.in(0, rng.oneIn(3) ? 2 : 12), 14);
      wall.min[axis] = low[axis] * kUnitsPerBlock;
      wall.max[axis] = (high[axis] + 1) * kUnitsPerBlock;
    }
    ASSERT_TRUE(blocks.world->loadChunk(0, {0, 0, 0}, Chunk()).ok());
    ASSERT_TRUE(blocks.world->fillBox(0, low, high, oracle::kStone).ok());
    box.occluders.push_back(wall);
    constexpr std::int64_t kEnd = 16 * kUnitsPerBlock;
    blocks.query = randomQuery(rng, {0, 0, 0}, {kEnd, kEnd, kEnd}, kUnitsPerBlock);
    box.query = blocks.query;
    // A block that is left out is less than the wall.
    if (touchesEye(box)) continue;
    const Sight sight = sightOf(box);
    ASSERT_EQ(sightOf(blocks), sight) << box.text();
    const ExposureAnswer share = exposureOf(box);
    const ExposureAnswer same = exposureOf(blocks);
    if (isThick(box.query)) {
      ASSERT_NEAR(same.from, share.from, kShareWidth) << box.text();
      ASSERT_NEAR(same.to, share.to, kShareWidth) << box.text();
    }
    ++count[static_cast<std::size_t>(sight)];
    parts += share.from > 0 && share.to < 1 ? 1 : 0;
  }
  EXPECT_GT(count[static_cast<std::size_t>(Sight::kHidden)], 10);
  EXPECT_GT(count[static_cast<std::size_t>(Sight::kVisible)], 50);
  EXPECT_GT(parts, 10);
}

TEST(SightLawsTest, Law06TheRankDoesNotFallAsMoreArePassed) {
  int raised = 0;
  forRandomCases("SightLaw6", [&](Rng& /*rng*/, SightCase& made) {
    Sight before = Sight::kHidden;
    for (std::uint32_t through = 0; through < 4; ++through) {
      made.options.through = through;
      const Sight now = sightOf(made);
      EXPECT_GE(now, before) << "through " << through;
      raised += through > 0 && now > before ? 1 : 0;
      before = now;
    }
  });
  EXPECT_GT(raised, 5);
}

TEST(SightLawsTest, Law07PointsOnTheWaySeeTheBox) {
  int asked = 0;
  forRandomCases("SightLaw7", [&](Rng& rng, SightCase& made) {
    made.options.unloaded = UnloadedSpace::kTransparent;
    made.options.filter.skip_start_inside = false;  // points on the way may leave what they are in
    letBoxesStandForShapes(made);
    const SightAnswer answer = answerTo(made);
    if (!answer.witness.has_value() || !answer.witness->unit || !isNearOrigin(made)) return;
    if (answer.witness == SightWitness()) return;  // the eye is in the box
    // Finer units, so that points of the line are points in units.
    constexpr std::int64_t kParts = 64;
    const std::optional<oracle::Rational> end =
        oracle::entryInto(made.query.box, made.query.eye, directionOf(*answer.witness));
    ASSERT_TRUE(end.has_value());
    const std::int64_t last = oracle::toInt64(oracle::ceilOf(*end * kParts)) - 1;
    if (last < 1) return;
    SightCase fine = mapped(made, [](const Vec3i& p) { return p * kParts; });
    const std::int64_t part = rng.in(1, last);
    for (int axis = 0; axis < 3; ++axis) {
      fine.query.eye[axis] +=
          part * static_cast<std::int64_t>(answer.witness->delta[static_cast<std::size_t>(axis)]);
    }
    EXPECT_EQ(sightOf(fine), Sight::kVisible) << part;
    asked += fine.occluders.empty() ? 0 : 1;
  });
  EXPECT_GT(asked, 10);
}

TEST(SightLawsTest, Law09AClearLineOfSightProvesThatTheBoxIsVisible) {
  int proved = 0;
  int blocked = 0;
  forRandomCases("SightLaw9", [&](Rng& rng, SightCase& made) {
    if (made.options.unloaded == UnloadedSpace::kOpaque || !made.occluders.empty()) return;
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    const FixedBox& box = made.query.box;
    for (int axis = 0; axis < 3; ++axis) {
      if (box.max[axis] - box.min[axis] < 2) return;
    }
    const Sight sight = sightOf(made);
    QueryOptions line;
    line.filter = made.allOptions().filter;
    line.entities_block = made.options.boxes_block;  // spheres, too: fewer lines are clear
    int clear = 0;
    for (int i = 0; i < 20; ++i) {
      Vec3i inside;
      for (int axis = 0; axis < 3; ++axis)
        inside[axis] = rng.in(box.min[axis] + 1, box.max[axis] - 1);
      const absl::StatusOr<Occlusion> occlusion = made.service().occluded(
          FixedSegment{.from = made.query.eye, .to = inside}, made.levels, line);
      ASSERT_TRUE(occlusion.ok()) << occlusion.status();
      if (*occlusion == Occlusion::kClear) {
        EXPECT_EQ(sight, Sight::kVisible);
        ++clear;
      } else if (*occlusion == Occlusion::kUnknown) {
        EXPECT_NE(sight, Sight::kHidden);
      }
    }
    proved += clear > 0 ? 1 : 0;
    blocked += clear > 0 && clear < 20 ? 1 : 0;
  });
  EXPECT_GT(proved, 10) << "cases";
  EXPECT_GT(blocked, 2) << "cases of clear lines and others";
}

TEST(SightLawsTest, Law10TheLineOfAWitnessIsClearUnderEachPolicy) {
  int lines = 0;
  forRandomCases("SightLaw10", [&](Rng& /*rng*/, SightCase& made) {
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    made.options.boxes_block = false;
    if (touchesEye(made)) return;
    const SightAnswer answer = answerTo(made);
    if (!answer.witness.has_value() || !answer.witness->unit) return;
    if (answer.witness == SightWitness()) return;  // the eye is in the box
    const std::array<oracle::Integer, 3> delta = directionOf(*answer.witness);
    const std::optional<oracle::Rational> end =
        oracle::entryInto(made.query.box, made.query.eye, delta);
    ASSERT_TRUE(end.has_value());
    FixedSegment line{.from = made.query.eye, .to = made.query.eye};
    for (int axis = 0; axis < 3; ++axis)
      line.to[axis] += oracle::toInt64(delta[static_cast<std::size_t>(axis)]);
    for (const CornerPolicy corner :
         {CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase}) {
      QueryOptions options{.filter = made.allOptions().filter, .corner = corner};
      options.filter.entities = false;
      options.filter.solid_only = true;
      const absl::StatusOr<ClosestHit> hit = made.service().closestHit(line, made.levels, options);
      ASSERT_TRUE(hit.ok()) << hit.status();
      if (!hit->hit.has_value()) continue;
      for (const FixedBox& box :
           oracle::boxesOf(*made.world, options.filter.channel, hit->hit->level, hit->hit->block,
                           hit->hit->type)) {
        const std::optional<oracle::Rational> entry = oracle::entryInto(box, made.query.eye, delta);
        EXPECT_TRUE(!entry.has_value() || *entry >= *end) << textOf(box);
      }
    }
    const std::vector<oracle::Occluder> solid =
        oracle::solidBlocks(*made.world, made.levels, made.options.filter.channel);
    lines += std::any_of(solid.begin(), solid.end(),
                         [&](const oracle::Occluder& block) {
                           return oracle::isBetween(block, made.query.eye, made.query.box);
                         })
                 ? 1
                 : 0;
  });
  EXPECT_GT(lines, 15) << "lines with a block near";
}

// A wall from x = 4 to 5 blocks, of stone but for a row of blocks with a slit one unit high, seen
// from the left. The lines to a lattice of points of the box all hit it.
TEST(SightLawsTest, Law11NoNumberOfBlockedLinesProvesThatABoxIsHidden) {
  constexpr std::int64_t kBlock = kUnitsPerBlock;
  SightCase made = emptyCase();
  ASSERT_TRUE(made.world->loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(made.world->fillBox(0, {4, 0, 0}, {4, 15, 15}, oracle::kStone).ok());
  const std::array<ShapeBox, 2> halves = {ShapeBox{{0, 0, 0}, {65536, 32767, 65536}},
                                          ShapeBox{{0, 32768, 0}, {65536, 65536, 65536}}};
  BlockTypeTable& types = made.world->blockTypes();
  const absl::StatusOr<ShapeId> shape = types.addShape(halves);
  ASSERT_TRUE(shape.ok());
  const absl::StatusOr<BlockTypeId> slit =
      types.add({.name = "slit", .kind = BlockKind::kSolid, .shape = *shape});
  ASSERT_TRUE(slit.ok());
  ASSERT_TRUE(made.world->fillBox(0, {4, 1, 0}, {4, 1, 15}, *slit).ok());
  made.query = {.eye = {kBlock, 3 * kBlock / 2, 3 * kBlock / 2},
                .box = {{8 * kBlock, 0, 0}, {9 * kBlock, 3 * kBlock, 3 * kBlock}}};
  int lines = 0;
  for (std::int64_t y = kBlock / 64; y < 3 * kBlock; y += kBlock / 16) {
    for (std::int64_t z = kBlock / 64; z < 3 * kBlock; z += kBlock / 16) {
      const absl::StatusOr<Occlusion> occlusion =
          made.service().occluded(FixedSegment{.from = made.query.eye, .to = {8 * kBlock, y, z}});
      ASSERT_TRUE(occlusion.ok());
      ASSERT_EQ(*occlusion, Occlusion::kBlocked) << y << " " << z;
      ++lines;
    }
  }
  EXPECT_EQ(lines, 48 * 48);
  EXPECT_EQ(sightOf(made), Sight::kVisible);
  ASSERT_TRUE(made.world->fillBox(0, {4, 1, 0}, {4, 1, 15}, oracle::kStone).ok());
  EXPECT_EQ(sightOf(made), Sight::kHidden);
}

}  // namespace
}  // namespace fractalray::sight_test
