// SPDX-License-Identifier: Apache-2.0
// Checks that queries of snapshots give the answers of the world and the index at that time, and
// that every answer names the versions that it was computed on.
#include <gtest/gtest.h>

#include <vector>

#include "../../query/ray_query_service.h"
#include "shot_fixture.h"
#include "snapshot_scene.h"

namespace fractalray {
namespace {

using oracle::PublishedScene;
using oracle::Rng;
using oracle::SnapshotScene;

TEST(SnapshotQueryTest, AnswersEqualThoseOfTheSceneAtThatTime) {
  Rng rng("SnapshotQueryTest");
  std::size_t hits = 0;
  std::size_t outlived = 0;
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    std::vector<PublishedScene> held;
    {
      SnapshotScene scene(rng, 1 + round % 4);
      for (int i = 0; i < 40; ++i) {
        for (int changes = rng.below(30); changes > 0; --changes)
          scene.change();
        held.push_back(scene.publish(10));
        if (held.size() > 6) held.erase(held.begin() + rng.below(6));
        const auto one = static_cast<std::size_t>(rng.below(static_cast<int>(held.size())));
        ASSERT_EQ(differenceOnSnapshots(held[one]), "");
        hits += held[one].shots[0].hits.size();
      }
    }
    for (const PublishedScene& scene : held) {
      ASSERT_EQ(differenceOnSnapshots(scene), "") << "the scene is no more";
      ++outlived;
    }
  }
  EXPECT_GT(hits, 500U);
  EXPECT_EQ(outlived, 180U);
}

using SnapshotShotTest = CorridorTest;

TEST_F(SnapshotShotTest, CallbacksOnASnapshotChangeTheWorldAndNotTheShot) {
  put(10, kWater);
  put(20, kStone);
  const auto world = world_.snapshot();
  const auto entities = entities_.snapshot();
  RayQueryService service(*world, *entities);
  std::ignore = service.onBlockHit(kWater, [&](const BlockHit&) {
    put(20, kAir);
    addEntity(1, 30);
    return HitResponse::kContinue;
  });
  const auto shoot_there = [&] {
    return textOf(
        service.shootSegment({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world->allLevels()).value());
  };
  EXPECT_EQ(shoot_there(), "water@10 stone@20!");
  EXPECT_EQ(shoot(), "water@10 e1@30");
}

TEST_F(SnapshotShotTest, AChannelAddedSinceIsNotKnown) {
  const auto world = world_.snapshot();
  const ChannelId channel = world_.blockTypes().addChannel("new").value();
  const RayQueryService service(*world, entities_);
  EXPECT_EQ(service
                .shootSegment({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world->allLevels(),
                              {.filter = {.channel = channel}})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(SnapshotShotTest, AnswersNameTheVersionAtTheirStart) {
  put(10, kWater);
  addEntity(1, 30);
  const SceneVersion before = service_.version();
  EXPECT_EQ(before.world, world_.version());
  EXPECT_EQ(before.entities, entities_.version());
  EXPECT_NE(before, SceneVersion());
  atBlock(kWater, 10, [&] {
    put(20, kReeds);
    put(20, kStone);
    addEntity(entities_.size() + 1, 31);
  });
  EXPECT_EQ(shoot(), "water@10 e1@30");
  EXPECT_EQ(result_.version, before) << "an effect has changed the scene since the shot began";
  const SceneVersion after = service_.version();
  EXPECT_EQ(after.world, before.world + 2);
  EXPECT_EQ(after.entities, before.entities + 1);

  const BatchQuery query{.line = Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}},
                         .levels = world_.allLevels()};
  EXPECT_EQ(service_.closestHit(std::get<Segment>(query.line), query.levels)->version, after);
  OcclusionBatch sight;
  ASSERT_TRUE(service_.occluded(std::vector<BatchQuery>{query}, {}, sight).ok());
  EXPECT_EQ(sight.version, after);
  BatchQuery wrong = query;
  wrong.levels = LevelMask();
  ShotBatch batch;
  ASSERT_TRUE(
      service_.shootSegment(std::vector<BatchQuery>{query, query, wrong, query}, {}, batch).ok());
  const std::vector<std::uint64_t> worlds{after.world, after.world + 2, after.world + 4,
                                          after.world + 4};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(batch.shots[i].version.world, worlds[i]) << "when query was committed: " << i;
}

}  // namespace
}  // namespace fractalray
