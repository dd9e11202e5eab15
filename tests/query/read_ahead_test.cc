// SPDX-License-Identifier: Apache-2.0
// Shots that have to read the rest of their line before an edit, in one last slice, while their
// passes have paused at different times.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::kStone;
using oracle::kWater;

// A line along x through 400 blocks. Two entities in its first chunk, where the pass over entities
// pauses; water from x = 199 on, where the pass over blocks does. The entities of the regions in
// between are listed by the next slice, which pauses as it comes to the region from x = 256 on.
class ReadAheadTest : public testing::Test {
 protected:
  ReadAheadTest() {
    for (std::int64_t x = 0; x < 25; ++x) {
      EXPECT_TRUE(world_.loadChunk(0, {x, 0, 0}, Chunk::uniform(kAir, world_.blockTypes())).ok());
    }
    for (std::int64_t x = 199; x < 204; ++x)
      EXPECT_TRUE(world_.setBlock(0, {x, 0, 0}, kWater).ok());
    for (const double x : {4.5, 6.5, 30.5, 70.5, 130.5, 300.5})
      add(x);
  }

  void add(double x) {
    const auto id = static_cast<EntityId>(x);
    ASSERT_TRUE(
        entities_.add({.id = id, .shape = Box{{0.25, 0.25, 0.25}}, .position = {x, 0.5, 0.5}})
            .ok());
  }

  // Shoots, with an edit next to the line at the hit of that number. Returns the block or id of
  // each hit.
  std::vector<std::int64_t> shoot(std::size_t edit_at, SearchPass pass) {
    std::size_t calls = 0;
    QueryOptions options{.pass = pass};
    options.on_hit = [&](const Hit&) {
      if (calls++ == edit_at) {
        EXPECT_TRUE(world_.setBlock(0, {3, 9, 9}, calls % 2 == 0 ? kStone : kWater).ok());
      }
      return HitResponse::kContinue;
    };
    const Segment line{{-2, 0.5, 0.5}, {398, 0.5, 0.5}};
    const ShotResult shot = service_.shootSegment(line, LevelMask::all(), options).value();
    std::vector<std::int64_t> hits;
    for (const Hit& hit : shot.hits)
      hits.push_back(hit.isBlock() ? hit.block[0] : static_cast<std::int64_t>(hit.id));
    return hits;
  }

  World world_{{.levels = 1, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
};

TEST_F(ReadAheadTest, EntitiesListedBeforeThePassPausesAreHit) {
  const std::vector<std::int64_t> all = {4, 6, 30, 70, 130, 199, 200, 201, 202, 203, 300};
  for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
    for (std::size_t edit_at = 0; edit_at <= all.size(); ++edit_at)
      EXPECT_EQ(shoot(edit_at, pass), all) << "an edit at hit " << edit_at;
  }
}

// The same where the line is so long that it is walked area by area.
TEST_F(ReadAheadTest, EntitiesListedInAnAreaBeforeThePassPausesAreHit) {
  for (const double x : {1030.5, 5000.5})
    add(x);
  std::size_t calls = 0;
  QueryOptions options;
  options.on_hit = [&](const Hit&) {
    const bool is_done = calls++ > 0 || world_.setBlock(0, {3, 9, 9}, kStone).ok();
    EXPECT_TRUE(is_done);
    return HitResponse::kContinue;
  };
  const Segment line{{-2, 0.5, 0.5}, {9000, 0.5, 0.5}};
  const ShotResult shot = service_.shootSegment(line, LevelMask::all(), options).value();
  EXPECT_EQ(shot.hits.size(), 13U);
  EXPECT_EQ(shot.hits.back().id, 5000U);
}

}  // namespace
}  // namespace fractalray
