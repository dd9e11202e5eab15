// SPDX-License-Identifier: Apache-2.0
// Certificates with a margin: they hide the box wherever eye and box move within it.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "../../query/sight.h"
#include "sight_check.h"
#include "sight_fixture.h"
#include "sight_images.h"
#include "sight_laws.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

// A wall from 4 to 5 blocks, from 0 to 16 in y and z; the eye at 1.5, the box from 8 to 9.
class SightMarginTest : public SightTest {
 protected:
  static FixedBox wallBox() { return {.min = {4 * kW, 0, 0}, .max = {5 * kW, 16 * kW, 16 * kW}}; }
  bool isHiddenWithin(std::int64_t margin) const {
    return hides(std::vector<FixedBox>{wallBox()}, query_, margin).value();
  }
};

// Half a block is too much: nothing is left of a wall that is one block thick.
TEST_F(SightMarginTest, TheWallIsThinnerAndTheBoxIsWider) {
  EXPECT_TRUE(isHiddenWithin(0));
  EXPECT_TRUE(isHiddenWithin(kW / 4));
  EXPECT_FALSE(isHiddenWithin(kW / 2));
  // Eye and box near the end of the wall: what it loses there counts, too.
  query_.box = {.min = {8 * kW, 0, 6 * kW}, .max = {8 * kW + 1, kW, 7 * kW}};
  query_.eye = {3 * kW / 2, kW, 6 * kW};
  EXPECT_TRUE(isHiddenWithin(kW / 16));
  query_.eye[1] = 0;
  EXPECT_TRUE(isHiddenWithin(0));
  EXPECT_FALSE(isHiddenWithin(1)) << "below the wall";
}

TEST_F(SightMarginTest, AnEyeThatMayReachTheBoxMaySeeIt) {
  query_.eye[0] = 7 * kW;
  const std::vector<FixedBox> boxes = {
      {.min = {7 * kW + 1, -99 * kW, -99 * kW}, .max = {8 * kW - 1, 99 * kW, 99 * kW}}};
  EXPECT_TRUE(hides(boxes, query_, kW / 4).value());
  EXPECT_FALSE(hides(boxes, query_, kW).value());
}

TEST_F(SightMarginTest, ErrorsNameTheMargin) {
  const std::vector<FixedBox> boxes = {wallBox()};
  const absl::Status negative = hides(boxes, query_, -1).status();
  EXPECT_EQ(negative.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(negative.message(), "the margin is -1 units; it must be 0 or more");
  for (const std::int64_t margin :
       {kMaxCoordinate, kMaxCoordinate + 1, std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(hides(boxes, query_, margin).status().code(), absl::StatusCode::kOutOfRange);
}

// Returns a move of an eye, and the rest of a margin for the box, or the other way round.
std::int64_t partOf(Rng& rng, std::int64_t margin) {
  return rng.oneIn(3) ? margin * rng.in(-1, 1) : rng.in(-margin, margin);
}

TEST(SightMarginPropertyTest, NoMoveWithinTheMarginShowsTheBox) {
  int proved = 0;
  forRandomCases("SightMargin", [&](Rng& rng, SightCase& made) {
    if (!isNearOrigin(made)) return;
    made.options.report_certificate = true;
    const SightAnswer answer = answerTo(made);
    if (answer.sight != Sight::kHidden) return;
    const std::int64_t margin = rng.in(0, rng.oneIn(2) ? 100 : kUnitsPerBlock / 4);
    const absl::StatusOr<bool> is_hidden = hides(answer.certificate, made.query, margin);
    ASSERT_TRUE(is_hidden.ok()) << is_hidden.status();
    if (!*is_hidden) return;
    proved += margin > 0 ? 1 : 0;
    for (int i = 0; i < 20; ++i) {
      SightQuery moved = made.query;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t of_eye = partOf(rng, margin);
        const std::int64_t of_box = partOf(rng, margin - (of_eye < 0 ? -of_eye : of_eye));
        moved.eye[axis] += of_eye;
        moved.box.min[axis] += of_box;
        moved.box.max[axis] += of_box;
      }
      EXPECT_TRUE(hides(answer.certificate, moved).value()) << margin;
    }
  });
  EXPECT_GT(proved, 0);
}

}  // namespace
}  // namespace fractalray::sight_test
