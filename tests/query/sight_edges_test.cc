// SPDX-License-Identifier: Apache-2.0
// Sight of boxes whose edges and corners lie where the first rays go: on the diagonals of the eye,
// with blocks flush with the faces.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/sight_oracle.h"
#include "sight_check.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

constexpr std::int64_t kW = kUnitsPerBlock;

// A case with a chunk of air.
SightCase airCase() {
  SightCase made = emptyCase(1);
  EXPECT_TRUE(made.world->loadChunk(0, {0, 0, 0}, Chunk()).ok());
  return made;
}

// The ray through the edge passes both blocks only at the edge, and no other ray passes both.
TEST(SightEdgesTest, TwoBlocksFlushWithAnEdgeHideTheBox) {
  SightCase made = airCase();
  ASSERT_TRUE(made.world->setBlock(0, {2, 1, 0}, oracle::kStone).ok());
  ASSERT_TRUE(made.world->setBlock(0, {1, 2, 0}, oracle::kStone).ok());
  made.query = {.eye = {kW / 2, kW / 2, kW / 2},
                .box = {.min = {2 * kW, 2 * kW, 0}, .max = {7 * kW / 2, 11 * kW / 4, kW}}};
  const RayQueryService service = made.service();
  EXPECT_EQ(service.visible(made.query, made.levels)->sight, Sight::kHidden);
  EXPECT_EQ(service.exposure(made.query, made.levels)->to, 0);
}

// The same with listed boxes, to the left and to the right of a point of the first ray: that ray
// touches both at their edges, and is the only one that passes both.
TEST(SightEdgesTest, TwoOccludersThatTheFirstRayTouchesHideTheBox) {
  SightCase made = airCase();
  made.query = {.eye = {kW / 2, kW / 2, kW / 2},
                .box = {.min = {8 * kW, 8 * kW, 8 * kW}, .max = {12 * kW, 12 * kW, 12 * kW}}};
  const RayQueryService service = made.service();
  const absl::StatusOr<SightAnswer> open = service.visible(made.query, made.levels);
  ASSERT_TRUE(open.ok()) << open.status();
  ASSERT_EQ(open->sight, Sight::kVisible);
  const auto along_x = static_cast<std::int64_t>(open->witness->delta[0]);
  const auto along_y = static_cast<std::int64_t>(open->witness->delta[1]);
  const std::int64_t parts = std::gcd(along_x, along_y);
  ASSERT_GT(parts, 1) << "seen from above, the ray has no point in units: choose another box";
  const std::int64_t x = kW / 2 + along_x / parts * (parts / 2);
  const std::int64_t y = kW / 2 + along_y / parts * (parts / 2);
  constexpr std::int64_t kFar = 16 * kW;
  const std::array<FixedBox, 2> occluders = {{
      {.min = {x - kW, y, -kFar}, .max = {x, kFar, kFar}},
      {.min = {x, -kFar, -kFar}, .max = {x + kW, y, kFar}},
  }};
  SightOptions options;
  options.occluders = occluders;
  EXPECT_EQ(service.visible(made.query, made.levels, options)->sight, Sight::kHidden);
  EXPECT_EQ(service.exposure(made.query, made.levels, options)->to, 0);
}

// A box whose vertical edge lies in the middle of its directions, and mostly blocks that are flush
// with the two faces at that edge.
SightCase flushCase(Rng& rng) {
  SightCase made = airCase();
  const std::int64_t block = rng.in(0, 1);
  const std::int64_t eye = block * kW + kW / 2;
  const std::int64_t near = block + rng.in(2, 3);
  const std::int64_t away = near * kW - eye;
  const std::int64_t floor = rng.in(0, 2);
  const std::int64_t height = rng.in(1, 2);
  const int x = rng.oneIn(2) ? 0 : 1;
  made.query.eye = {eye, eye, rng.in(0, 6) * kW / 2};
  made.query.box.min = {near * kW, near * kW, floor * kW};
  // So the ratio of the components x and y is from 1/2 to 3/2, or the other way round.
  made.query.box.max[x] = eye + 2 * away;
  made.query.box.max[1 - x] = eye + away * 3 / 2;
  made.query.box.max[2] = (floor + height) * kW;
  const auto set = [&](const BlockCoord& at) {
    EXPECT_TRUE(made.world->setBlock(0, at, oracle::kStone).ok());
  };
  for (std::int64_t z = 0; z <= floor + height; ++z) {
    if (!rng.oneIn(6)) set({near, near - 1, z});
    if (!rng.oneIn(6)) set({near - 1, near, z});
    if (rng.oneIn(6)) set({near + rng.in(-1, 1), near - 1, z});
  }
  return made;
}

TEST(SightEdgesTest, AnswersAreThoseOfTheOracle) {
  Rng rng("SightEdgesTest");
  std::array<int, 3> count{};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t seed = rng.seed();
    const SightCase made = flushCase(rng);
    const oracle::ExactSight exact = oracle::exactSight(made.query, made.scene());
    const absl::StatusOr<SightAnswer> answer =
        made.service().visible(made.query, made.levels, made.allOptions());
    ASSERT_TRUE(answer.ok()) << answer.status();
    const std::optional<std::string> fault = faultOf(made, *answer, exact);
    ASSERT_FALSE(fault.has_value()) << *fault << ", seed " << seed << "\n" << made.text();
    ++count[static_cast<std::size_t>(exact.sight)];
  }
  EXPECT_GT(count[0], 10) << "hidden";
  EXPECT_GT(count[2], 10) << "visible";
}

}  // namespace
}  // namespace fractalray::sight_test
