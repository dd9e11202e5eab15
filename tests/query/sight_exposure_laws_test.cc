// SPDX-License-Identifier: Apache-2.0
// The laws of exposure, law 8 of sight of boxes: it is positive exactly if the box is visible, and
// obeys laws 1 to 6 (docs/queries/visible.md). Shares of thick boxes are compared to kShareWidth;
// sight_property_test.cc checks that they are known so well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../query/sight.h"
#include "../oracle/sight_oracle.h"
#include "sight_check.h"
#include "sight_images.h"
#include "sight_laws.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

void expectAtMost(const ExposureAnswer& less, const ExposureAnswer& more) {
  EXPECT_LE(less.from, more.from + kShareWidth);
  EXPECT_LE(less.to, more.to + kShareWidth);
}
void expectSame(const ExposureAnswer& a, const ExposureAnswer& b) {
  EXPECT_NEAR(a.from, b.from, kShareWidth);
  EXPECT_NEAR(a.to, b.to, kShareWidth);
}
bool isPart(const ExposureAnswer& share) {
  return share.from > 0 && share.to < 1;
}

// Returns the volume of a box, or the area of a flat one.
double measureOf(const FixedBox& box) {
  double measure = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (box.min[axis] < box.max[axis])
      measure *= static_cast<double>(box.max[axis] - box.min[axis]);
  }
  return measure;
}

TEST(ExposureLawsTest, Law08ItIsPositiveExactlyIfTheBoxIsVisible) {
  int visible = 0;
  forRandomCases("ExposureLaw8", [&](Rng& /*rng*/, SightCase& made) {
    const Sight sight = sightOf(made);
    const ExposureAnswer share = exposureOf(made);
    EXPECT_EQ(share.to > 0, sight != Sight::kHidden);
    if (sight != Sight::kVisible) {
      EXPECT_EQ(share.from, 0);
      return;
    }
    if (!isThick(made.query)) return;
    const oracle::ExactSight exact = oracle::exactSight(made.query, made.scene(), true);
    if (exact.seen_from <= oracle::Rational(kShareWidth)) return;
    EXPECT_GT(share.from, 0);
    ++visible;
  });
  EXPECT_GT(visible, 20);
}

TEST(ExposureLawsTest, Law08And01MoreOccludersNeverRaiseIt) {
  int lowered = 0;
  forRandomCases("ExposureLaw1", [&](Rng& rng, SightCase& made) {
    if (!isThick(made.query)) return;
    const ExposureAnswer share = exposureOf(made);
    made.occluders.push_back(extraOccluder(rng, made.query));
    const ExposureAnswer less = exposureOf(made);
    expectAtMost(less, share);
    lowered += less.to < share.from ? 1 : 0;
  });
  EXPECT_GT(lowered, 10);
}

TEST(ExposureLawsTest, Law08And02MoreOfABiggerBoxIsSeen) {
  int grown = 0;
  forRandomCases("ExposureLaw2", [&](Rng& rng, SightCase& made) {
    const ExposureAnswer share = exposureOf(made);
    const double measure = measureOf(made.query.box);
    bool is_thick = isThick(made.query);
    made.query.box = biggerBox(rng, made.query.box, true);
    is_thick = is_thick && isThick(made.query);
    if (!is_thick) return;
    const ExposureAnswer more = exposureOf(made);
    const double bigger = measureOf(made.query.box);
    EXPECT_LE(share.from * measure, (more.from + kShareWidth) * bigger);
    EXPECT_LE(share.to * measure, (more.to + kShareWidth) * bigger);
    grown += isPart(more) && bigger > measure ? 1 : 0;
  });
  EXPECT_GT(grown, 10);
}

TEST(ExposureLawsTest, Law08And03TheSeenPartsOfAUnionAddUp) {
  int equal = 0;
  forRandomCases("ExposureLaw3", [&](Rng& rng, SightCase& made) {
    made.options.unloaded = UnloadedSpace::kTransparent;
    const int axis = rng.below(3);
    const FixedBox box = made.query.box;
    if (box.max[axis] - box.min[axis] < 2 || !isThick(made.query)) return;
    const ExposureAnswer whole = exposureOf(made);
    const std::int64_t plane = rng.in(box.min[axis] + 1, box.max[axis] - 1);
    double seen = 0;
    for (const bool is_low : {true, false}) {
      made.query.box = box;
      (is_low ? made.query.box.max : made.query.box.min)[axis] = plane;
      if (!isThick(made.query)) return;
      seen += exposureOf(made).from * measureOf(made.query.box);
    }
    made.query.box = box;
    const double measure = measureOf(box);
    EXPECT_LE(seen, (whole.to + 1e-12) * measure);
    // An occluder in one part may hide some of the other one.
    const std::vector<oracle::Occluder> all = made.occludersOfAll();
    const bool is_empty = std::none_of(all.begin(), all.end(), [&](const oracle::Occluder& each) {
      return oracle::isBetween(each, box.min, box);
    });
    if (!is_empty) return;
    EXPECT_NEAR(seen, whole.from * measure, 2 * kShareWidth * measure);
    equal += isPart(whole) ? 1 : 0;
  });
  EXPECT_GT(equal, 3);
}

TEST(ExposureLawsTest, Law08And04MapsChangeNothing) {
  int parts = 0;
  forRandomCases("ExposureLaw4", [&](Rng& rng, SightCase& made) {
    if (!isNearOrigin(made) || !isThick(made.query)) return;
    const ExposureAnswer share = exposureOf(made);
    expectSame(exposureOf(mapped(made, {.by = {rng.in(-999, 999), 1, 0}})), share);
    expectSame(exposureOf(mapped(made, {.finer = 1})), share);
    if (!hasCubesOnly(*made.world)) return;
    const WorldMap turn{.axes = {1, 2, 0}, .is_mirrored = {rng.oneIn(2), true, false}};
    expectSame(exposureOf(mapped(made, turn)), share);
    parts += isPart(share) ? 1 : 0;
  });
  EXPECT_GT(parts, 2);
}

TEST(ExposureLawsTest, Law08And05OrderAndDivisionOfOccludersChangeNothing) {
  int parts = 0;
  forRandomCases("ExposureLaw5", [&](Rng& rng, SightCase& made) {
    made.options.through = 0;
    made.options.filter.skip_start_inside = false;
    if (!isThick(made.query)) return;
    SightCase boxes = asBoxes(made);
    const ExposureAnswer share = exposureOf(boxes);
    std::reverse(boxes.occluders.begin(), boxes.occluders.end());
    expectSame(exposureOf(boxes), share);
    divideOccluders(rng, boxes);
    expectSame(exposureOf(boxes), share);
    parts += isPart(share) ? 1 : 0;
  });
  EXPECT_GT(parts, 10);
}

TEST(ExposureLawsTest, Law08And06ItDoesNotFallAsMoreArePassed) {
  int raised = 0;
  forRandomCases("ExposureLaw6", [&](Rng& /*rng*/, SightCase& made) {
    if (!isThick(made.query)) return;
    made.options.through = 0;
    ExposureAnswer before = exposureOf(made);
    for (made.options.through = 1; made.options.through < 4; ++made.options.through) {
      const ExposureAnswer now = exposureOf(made);
      expectAtMost(before, now);
      raised += now.from > before.to ? 1 : 0;
      before = now;
    }
  });
  EXPECT_GT(raised, 10);
}

}  // namespace
}  // namespace fractalray::sight_test
