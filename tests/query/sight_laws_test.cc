// SPDX-License-Identifier: Apache-2.0
// The laws of sight of boxes, by number (docs/queries/visible.md), on random worlds of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

int rounds() {
  return std::getenv("FRACTALRAY_LONG_TESTS") != nullptr ? 6000 : 120;
}

Sight sightOf(const SightCase& of, const SightQuery& query) {
  const absl::StatusOr<SightAnswer> answer =
      of.service().visible(query, of.levels, of.allOptions());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? answer->sight : Sight::kUndecided;
}
Sight sightOf(const SightCase& of) {
  return sightOf(of, of.query);
}
ExposureAnswer exposureOf(const SightCase& of) {
  const absl::StatusOr<ExposureAnswer> answer =
      of.service().exposure(of.query, of.levels, of.allOptions());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? *answer : ExposureAnswer();
}

// Returns a case whose occluders are boxes in the options, and nothing else: those of another one.
SightCase asBoxes(const SightCase& of) {
  SightCase boxes;
  boxes.world =
      std::make_unique<World>(WorldOptions{.levels = 1, .block_types = oracle::sceneTypes()});
  boxes.entities = std::make_unique<EntityIndex>(boxes.world->frame());
  boxes.query = of.query;
  boxes.levels = LevelMask::all();
  boxes.options = of.options;
  boxes.options.unloaded = UnloadedSpace::kTransparent;
  for (const oracle::Occluder& occluder : of.scene().occluders) {
    for (const FixedBox& box : occluder)
      boxes.occluders.push_back({box.min, box.max});
  }
  return boxes;
}

// Applies a map of points that maps boxes to boxes.
template <class Map>
SightCase mapped(const SightCase& of, const Map& map) {
  SightCase image = asBoxes(of);
  const auto image_of = [&](const FixedBox& box) {
    const Vec3i a = map(box.min);
    const Vec3i b = map(box.max);
    FixedBox between;
    for (int axis = 0; axis < 3; ++axis) {
      between.min[axis] = std::min(a[axis], b[axis]);
      between.max[axis] = std::max(a[axis], b[axis]);
    }
    return between;
  };
  image.query = {.eye = map(of.query.eye), .box = image_of(of.query.box)};
  for (FixedBox& box : image.occluders)
    box = image_of(box);
  return image;
}

bool isFlatTwice(const FixedBox& box) {
  int flat = 0;
  for (int axis = 0; axis < 3; ++axis)
    flat += box.min[axis] == box.max[axis] ? 1 : 0;
  return flat > 1;
}

// Returns true if a case can be moved and scaled within the frame.
bool isNearOrigin(const SightCase& of) {
  constexpr std::int64_t kNear = std::int64_t{1} << 40;
  std::vector<FixedBox> boxes = of.occluders;
  boxes.push_back(of.query.box);
  boxes.push_back({of.query.eye, of.query.eye});
  return std::all_of(boxes.begin(), boxes.end(), [](const FixedBox& box) {
    bool is_near = true;
    for (int axis = 0; axis < 3; ++axis)
      is_near = is_near && box.min[axis] > -kNear && box.max[axis] < kNear;
    return is_near;
  });
}

std::int64_t clampedToFrame(std::int64_t coordinate) {
  return std::clamp(coordinate, -kMaxCoordinate, kMaxCoordinate);
}

// Calls `check(rng, case)` for random cases of all kinds.
template <class Check>
void forRandomCases(const char* name, const Check& check) {
  Rng rng{std::string_view(name)};
  for (int i = 0; i < rounds(); ++i) {
    const std::uint64_t seed = rng.seed();
    SightCase made = randomCase(rng, static_cast<SceneKind>(i % kSceneKinds));
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(rng, made);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << made.text();
      return;
    }
  }
}

// A box between the eye and the target, mostly.
FixedBox extraOccluder(Rng& rng, const SightQuery& query) {
  FixedBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t target = query.box.min[axis];
    const std::int64_t middle = query.eye[axis] / 2 + target / 2;
    const std::int64_t half = std::abs(query.eye[axis] / 4 - target / 4) + 1;
    box.min[axis] = clampedToFrame(middle - rng.in(0, half));
    box.max[axis] = clampedToFrame(middle + rng.in(1, half));
  }
  return box;
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
  Rng rng("SightLaw1Air");
  int raised = 0;
  for (int i = 0; i < rounds(); ++i) {
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

TEST(SightLawsTest, Law02ABiggerBoxNeverLowersTheRank) {
  int raised = 0;
  forRandomCases("SightLaw2", [&](Rng& rng, SightCase& made) {
    const Sight before = sightOf(made);
    SightQuery bigger = made.query;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t by = rng.pick({std::int64_t{0}, std::int64_t{1}, std::int64_t{40000}});
      bigger.box.min[axis] = clampedToFrame(bigger.box.min[axis] - by);
      bigger.box.max[axis] = clampedToFrame(bigger.box.max[axis] + by);
    }
    const Sight after = sightOf(made, bigger);
    EXPECT_GE(after, before);
    raised += after > before ? 1 : 0;
  });
  EXPECT_GT(raised, 0);
}

TEST(SightLawsTest, Law03TheRankOfAUnionIsTheGreatest) {
  forRandomCases("SightLaw3", [&](Rng& rng, SightCase& made) {
    const int axis = rng.below(3);
    SightQuery low = made.query;
    SightQuery high = made.query;
    const FixedBox& box = made.query.box;
    low.box.max[axis] = high.box.min[axis] = rng.in(box.min[axis], box.max[axis]);
    Sight greatest = Sight::kHidden;
    // A part without solid angle has no rank.
    for (const SightQuery& part : {low, high}) {
      if (!isFlatTwice(part.box)) greatest = std::max(greatest, sightOf(made, part));
    }
    EXPECT_EQ(greatest, sightOf(made));
  });
}

TEST(SightLawsTest, Law04TranslationPermutationMirrorAndScalingChangeNothing) {
  forRandomCases("SightLaw4", [&](Rng& rng, SightCase& made) {
    made.options.unloaded = UnloadedSpace::kTransparent;
    // The boxes of a shape count once, and leave themselves out together, as a block alone.
    for (const oracle::Occluder& occluder : made.scene().occluders) {
      if (occluder.size() == 1) continue;
      made.options.through = 0;
      made.options.filter.skip_start_inside = false;
    }
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

TEST(SightLawsTest, Law05OrderAndDivisionOfOccludersChangeNothing) {
  forRandomCases("SightLaw5", [&](Rng& rng, SightCase& made) {
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    made.options.unloaded = UnloadedSpace::kTransparent;
    SightCase boxes = asBoxes(made);
    const Sight expected = sightOf(boxes);
    std::reverse(boxes.occluders.begin(), boxes.occluders.end());
    EXPECT_EQ(sightOf(boxes), expected);
    for (std::size_t i = boxes.occluders.size(); i-- > 0;) {
      const int axis = rng.below(3);
      FixedBox& box = boxes.occluders[i];
      FixedBox other = box;
      other.max[axis] = box.min[axis] = rng.in(box.min[axis], box.max[axis]);
      boxes.occluders.push_back(other);
    }
    EXPECT_EQ(sightOf(boxes), expected);
  });
}

TEST(SightLawsTest, Law06TheRankDoesNotFallAsMoreArePassed) {
  forRandomCases("SightLaw6", [&](Rng& /*rng*/, SightCase& made) {
    Sight before = Sight::kHidden;
    for (std::uint32_t through = 0; through < 4; ++through) {
      made.options.through = through;
      const Sight now = sightOf(made);
      EXPECT_GE(now, before) << "through " << through;
      before = now;
    }
  });
}

TEST(SightLawsTest, Law07PointsOnTheWaySeeTheBox) {
  int asked = 0;
  forRandomCases("SightLaw7", [&](Rng& rng, SightCase& made) {
    made.options.unloaded = UnloadedSpace::kTransparent;
    made.options.filter.skip_start_inside = false;  // points on the way may leave what they are in
    const absl::StatusOr<SightAnswer> answer =
        made.service().visible(made.query, made.levels, made.allOptions());
    ASSERT_TRUE(answer.ok());
    if (!answer->witness.has_value() || !answer->witness->unit) return;
    if (!isNearOrigin(made)) return;
    // Finer units, so that points of the line are points in units.
    constexpr std::int64_t kParts = 64;
    const SightCase fine = mapped(made, [](const Vec3i& p) { return p * kParts; });
    SightQuery from = fine.query;
    const std::int64_t part = rng.in(1, kParts - 1);
    for (int axis = 0; axis < 3; ++axis) {
      from.eye[axis] +=
          part * static_cast<std::int64_t>(answer->witness->delta[static_cast<std::size_t>(axis)]);
    }
    EXPECT_EQ(sightOf(fine, from), Sight::kVisible) << part;
    ++asked;
  });
  EXPECT_GT(asked, 10);
}

TEST(SightLawsTest, Law08ExposureIsPositiveExactlyIfTheBoxIsVisible) {
  forRandomCases("SightLaw8", [&](Rng& rng, SightCase& made) {
    const Sight sight = sightOf(made);
    const ExposureAnswer share = exposureOf(made);
    EXPECT_LE(share.from, share.to);
    EXPECT_EQ(share.to > 0, sight != Sight::kHidden);
    if (sight != Sight::kVisible) {
      EXPECT_EQ(share.from, 0);
    }
    // Laws 1 and 6.
    made.occluders.push_back(extraOccluder(rng, made.query));
    const ExposureAnswer less = exposureOf(made);
    EXPECT_LE(less.from, share.to);
    ++made.options.through;
    EXPECT_GE(exposureOf(made).to, less.from);
  });
}

TEST(SightLawsTest, Law09AClearLineOfSightProvesThatTheBoxIsVisible) {
  int clear = 0;
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
    line.filter.channel = made.options.filter.channel;
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
  });
  EXPECT_GT(clear, 20);
}

TEST(SightLawsTest, Law10TheLineOfAWitnessIsClearUnderEachPolicy) {
  int lines = 0;
  forRandomCases("SightLaw10", [&](Rng& /*rng*/, SightCase& made) {
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    std::vector<oracle::Occluder> all =
        oracle::solidBlocks(*made.world, made.levels, made.options.filter.channel);
    for (const FixedBox& box : made.occluders)
      all.push_back({box});
    for (const oracle::Occluder& occluder : all) {
      for (const FixedBox& box : occluder) {
        bool touches = true;
        for (int axis = 0; axis < 3; ++axis) {
          touches = touches && made.query.eye[axis] >= box.min[axis] &&
                    made.query.eye[axis] <= box.max[axis];
        }
        if (touches) return;
      }
    }
    const absl::StatusOr<SightAnswer> answer =
        made.service().visible(made.query, made.levels, made.allOptions());
    ASSERT_TRUE(answer.ok());
    if (!answer->witness.has_value() || !answer->witness->unit) return;
    FixedSegment line{.from = made.query.eye, .to = made.query.eye};
    double enter = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto step =
          static_cast<std::int64_t>(answer->witness->delta[static_cast<std::size_t>(axis)]);
      if (step == 0) return;  // the eye is in the box
      line.to[axis] += step;
      const std::int64_t near = step > 0 ? made.query.box.min[axis] : made.query.box.max[axis];
      enter =
          std::max(enter, static_cast<double>(near - line.from[axis]) / static_cast<double>(step));
    }
    for (const CornerPolicy corner :
         {CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase}) {
      QueryOptions options{.corner = corner};
      options.filter.entities = false;
      options.filter.solid_only = true;
      options.filter.channel = made.options.filter.channel;
      const absl::StatusOr<ClosestHit> hit = made.service().closestHit(line, made.levels, options);
      ASSERT_TRUE(hit.ok());
      if (hit->hit.has_value()) {
        EXPECT_GT(hit->hit->t, enter - 1e-12);
      }
    }
    ++lines;
  });
  EXPECT_GT(lines, 10);
}

TEST(SightLawsTest, Law11NoNumberOfBlockedLinesProvesThatABoxIsHidden) {
  // Two boxes before the target leave a crack one unit wide, which a lattice of lines misses.
  SightCase made;
  made.world = std::make_unique<World>(WorldOptions{.block_types = oracle::sceneTypes()});
  made.entities = std::make_unique<EntityIndex>(made.world->frame());
  made.levels = LevelMask::all();
  made.options.unloaded = UnloadedSpace::kTransparent;
  made.query = {.eye = {0, 0, 0}, .box = {{800000, -65536, -65536}, {900000, 65536, 65536}}};
  made.occluders = {{{400000, -99999, -99999}, {400001, 1234, 99999}},
                    {{400000, 1235, -99999}, {400001, 99999, 99999}}};
  for (std::int64_t y = -65536; y <= 65536; y += 4096) {
    const SightQuery sliver{.eye = {0, 0, 0}, .box = {{800000, y, -65536}, {800000, y + 1, 65536}}};
    EXPECT_EQ(sightOf(made, sliver), Sight::kHidden) << y;
  }
  EXPECT_EQ(sightOf(made), Sight::kVisible);
  made.occluders[1].min[1] = 1234;
  EXPECT_EQ(sightOf(made), Sight::kHidden);
}

}  // namespace
}  // namespace fractalray::sight_test
