// SPDX-License-Identifier: Apache-2.0
// Checks queries from callbacks (ricochets, batches, resumed shots), callbacks that register and
// remove callbacks, and callbacks that throw.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "../../core/internal/edit_log.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

class NestedEffectsTest : public CorridorTest {
 protected:
  static constexpr Segment kSegment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};

  // Expects that shots can be nested as deep as ever: none that threw is still counted.
  void expectNoShotRunning() {
    int depth = 0;
    std::ignore = service_.onBlockHit(kMist, [&](const BlockHit&) {
      ++depth;
      (void)service_.shootSegment(kSegment, world_.allLevels(), {.filter = {.channel = kVisible}});
      return HitResponse::kStop;
    });
    put(1, kMist);
    (void)service_.shootSegment(kSegment, world_.allLevels(), {.filter = {.channel = kVisible}});
    put(1, kAir);
    service_.removeBlockCallback(kMist);
    EXPECT_EQ(depth, RayQueryService::kMaxNesting + 1);
    EXPECT_FALSE(internal::EditLog::isWatched());
  }
};

// A beam between mirrors: glass throws it back.
class RicochetTest : public NestedEffectsTest {
 protected:
  struct Beam {
    Vec3d from{};
    Vec3d direction{};
  };

  RicochetTest() {
    std::ignore = service_.onBlockHit(kGlass, [this](const BlockHit& hit) {
      points_.push_back(hit.point);
      // The direction of the current beam is not in the hit: the game knows it.
      Vec3d direction = direction_;
      for (int axis = 0; axis < 3; ++axis) {
        if (hit.normal[axis] != 0) direction[axis] = -direction[axis];
      }
      statuses_.push_back(shine({hit.point, direction}));
      return HitResponse::kStop;
    });
  }

  absl::StatusCode shine(const Beam& beam) {
    direction_ = beam.direction;
    // From the mirror's own face, which may be in it.
    return service_
        .shootSegment(Ray{.origin = beam.from, .direction = beam.direction, .max_distance = 200},
                      world_.allLevels(), {.filter = {.skip_start_inside = true}})
        .status()
        .code();
  }

  std::vector<Vec3d> points_;
  Vec3d direction_;
  std::vector<absl::StatusCode> statuses_;
};

TEST_F(RicochetTest, BouncesBackAndForthAsDeepAsShotsMayBeNested) {
  put(3, kGlass);
  put(20, kGlass);
  ASSERT_EQ(shine({{10, 0.5, 0.5}, {1, 0, 0}}), absl::StatusCode::kOk);
  ASSERT_EQ(points_.size(), static_cast<std::size_t>(RayQueryService::kMaxNesting) + 1);
  for (std::size_t i = 0; i < points_.size(); ++i)
    ASSERT_EQ(points_[i], (Vec3d{i % 2 == 0 ? 20.0 : 4.0, 0.5, 0.5})) << i;
  EXPECT_EQ(statuses_.front(), absl::StatusCode::kResourceExhausted) << "the deepest comes first";
  EXPECT_EQ(statuses_[1], absl::StatusCode::kOk);
  expectNoShotRunning();
}

TEST_F(RicochetTest, BouncesOffTheWallsOfACorridor) {
  ASSERT_TRUE(world_.fillBox(1, {0, 0, 0}, {63, 0, 15}, kGlass).ok());
  ASSERT_TRUE(world_.fillBox(1, {0, 5, 0}, {63, 5, 15}, kGlass).ok());
  ASSERT_TRUE(world_.fillBox(1, {45, 1, 0}, {45, 4, 15}, kStone).ok());
  // Four blocks up, four down, two along for each of them.
  ASSERT_EQ(shine({{1.25, 1.25, 8.5}, {2, 1, 0}}), absl::StatusCode::kOk);
  ASSERT_EQ(points_.size(), 5U);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    EXPECT_NEAR(points_[i][0], 1.25 + 2 * (3.75 + 4 * static_cast<double>(i)), 1e-3);
    EXPECT_NEAR(points_[i][1], i % 2 == 0 ? 5 : 1, 1e-4);
  }
}

TEST_F(NestedEffectsTest, EveryQueryMayBeMadeAndSeesTheCurrentWorld) {
  put(3, kWater);
  put(9, kStone);
  put(20, kStone);
  std::vector<std::string> reported;
  atBlock(kWater, 3, [&] {
    put(9, kAir);
    const auto closest = service_.closestHit({{4.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, LevelMask{1});
    reported.push_back(textOf(*closest->hit));
    const auto sight = service_.occluded({{4.5, 0.5, 0.5}, {19.5, 0.5, 0.5}}, LevelMask{1});
    reported.emplace_back(*sight == Occlusion::kClear ? "clear" : "not clear");
    put(30, kStone);
    const auto resumed = service_.shootSegment({{4.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, LevelMask{1},
                                               {.after = {&*closest->hit, 1}});
    reported.push_back(textOf(*resumed));
    ShotBatch batch;
    const std::vector<BatchQuery> queries = {
        {.line = Segment{{15.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, .levels = LevelMask{1}},
        {.line = Segment{{25.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, .levels = LevelMask{1}}};
    service_.removeBlockCallback(kWater);
    ASSERT_TRUE(service_.shootSegment(queries, {}, batch).ok());
    reported.push_back(textOf(batch.hits[0]));
    reported.push_back(textOf(batch.hits[1]));
  });
  EXPECT_EQ(shoot(), "water@3 stone@20!");
  EXPECT_EQ(join(reported), "stone@20! clear stone@30! water@3 stone@30!");
}

TEST_F(NestedEffectsTest, ASnapshotHasTheContentOfItsMoment) {
  put(3, kWater);
  put(9, kStone);
  addEntity(1, 6);
  addEntity(2, 20);
  std::vector<std::string> reported;
  atBlock(kWater, 3, [&] {
    put(9, kReeds);
    const auto world = world_.snapshot();
    const auto entities = entities_.snapshot();
    put(9, kAir);
    put(12, kStone);
    ASSERT_TRUE(entities_.remove(*entities_.findId(2)).ok());
    const RayQueryService then(*world, *entities);
    reported.push_back(textOf(*then.shootSegment(kSegment, LevelMask{1})));
  });
  EXPECT_EQ(shoot(), "water@3 e1@6 stone@12!") << "the content past the wall is new";
  EXPECT_EQ(join(reported), "water@3 e1@6 reeds@9 e2@20");
}

class CallbackEffectsTest : public NestedEffectsTest {
 protected:
  CallbackEffectsTest() {
    put(3, kWater);
    put(7, kReeds);
    put(9, kStone);
    addEntity(1, 8);
  }
};

TEST_F(CallbackEffectsTest, AnEffectRegisteredForALaterHitIsCalled) {
  atBlock(kWater, 3, [&] {
    onBlock(kReeds);
    onEntity(0);
    onBlock(kStone);
  });
  EXPECT_EQ(shoot(), "water@3 reeds@7 e1@8 stone@9!");
  EXPECT_EQ(calls(), "water@3 reeds@7 e1@8 stone@9!");
  atBlock(kWater, 3, [&] { onBlock(kReeds, HitResponse::kStop); });
  EXPECT_EQ(shoot(), "water@3 reeds@7!");
  atBlock(kWater, 3, [&] {
    service_.removeBlockCallback(kReeds);
    service_.removeEntityCallback(EntityClassId{});
  });
  EXPECT_EQ(shoot(), "water@3 reeds@7 e1@8 stone@9!");
  EXPECT_EQ(calls(), "water@3 stone@9!");
}

TEST_F(CallbackEffectsTest, PredicatesAreThoseRegisteredWhenTheShotGathered) {
  const auto always = [](const BlockHit&) { return true; };
  atBlock(kWater, 3, [&] { std::ignore = service_.onBlockHit(kReeds, always, nullptr); });
  EXPECT_EQ(shoot(), "water@3 reeds@7 e1@8 stone@9!");
  EXPECT_EQ(shoot(), "water@3 reeds@7!");
  atBlock(kWater, 3, [&] { service_.removeBlockCallback(kReeds); });
  EXPECT_EQ(shoot(), "water@3 reeds@7!");
  EXPECT_EQ(shoot(), "water@3 reeds@7 e1@8 stone@9!");
  // A block of another type is judged again, by the callbacks registered now.
  std::ignore = service_.onBlockHit(kReeds, always, nullptr);
  atBlock(kWater, 3, [&] {
    put(7, kWater);
    std::ignore = service_.onBlockHit(kWater, always, nullptr);
  });
  EXPECT_EQ(shoot(), "water@3 water@7!");
}

TEST_F(CallbackEffectsTest, ACallbackMayReplaceItselfByOneThatReplacesItself) {
  std::vector<std::string> reported;
  put(5, kWater);
  put(6, kWater);
  std::function<void(int)> arm = [&](int round) {
    std::ignore =
        service_.onBlockHit(kWater, [&, round, text = std::string(100, 'a')](const BlockHit& hit) {
          service_.removeBlockCallback(kWater);
          arm(round + 1);
          std::ignore =
              service_.onBlockHit(kGlass, [](const BlockHit&) { return HitResponse::kStop; });
          reported.push_back(std::to_string(round) + text.substr(0, 1) + textOf(hit));
          return HitResponse::kContinue;
        });
  };
  arm(0);
  EXPECT_EQ(shoot(), "water@3 water@5 water@6 reeds@7 e1@8 stone@9!");
  EXPECT_EQ(join(reported), "0awater@3 1awater@5 2awater@6");
}

struct Boom : std::runtime_error {
  Boom() : std::runtime_error("boom") {}
};

TEST_F(CallbackEffectsTest, HitsReportedBeforeAnExceptionStayInTheResult) {
  atBlock(kWater, 3, [&] { put(9, kAir); });
  onEntity(0, HitResponse::kContinue, [&](const EntityHit& hit) {
    ASSERT_TRUE(entities_.remove(hit.entity).ok());
    throw Boom();
  });
  EXPECT_THROW(
      (void)service_.shootSegment(toUnits(kSegment).value(), world_.allLevels(), {}, result_),
      Boom);
  EXPECT_EQ(textOf(result_), "water@3 reeds@7 e1@8");
  EXPECT_FALSE(result_.terminated);
  expectNoShotRunning();
  EXPECT_EQ(shoot(), "water@3 reeds@7") << "what the effects did stays";
  put(30, kStone);
  put(7, kAir);
  EXPECT_EQ(shoot(), "water@3 stone@30!");
}

TEST_F(CallbackEffectsTest, AShotMayBeResumedAfterAnException) {
  onEntity(0, HitResponse::kContinue, [&](const EntityHit&) { throw Boom(); });
  EXPECT_THROW(
      (void)service_.shootSegment(toUnits(kSegment).value(), world_.allLevels(), {}, result_),
      Boom);
  ASSERT_TRUE(service_.resume(result_, world_.allLevels()).ok());
  EXPECT_EQ(textOf(result_), "water@3 reeds@7 e1@8 stone@9!");
}

TEST_F(CallbackEffectsTest, AnExceptionPassesThroughShotsAndBatches) {
  // A shot, in its effect a batch, in one of its effects a shot, whose effect throws.
  int thrown = 0;
  atBlock(kWater, 3, [&] {
    ShotBatch batch;
    const std::vector<BatchQuery> queries(5, {kSegment, LevelMask{1}});
    service_.removeBlockCallback(kWater);
    EXPECT_THROW((void)service_.shootSegment(queries, {}, batch), Boom);
    EXPECT_EQ(batch.shots.size(), 0U);
    ++thrown;
    (void)service_.shootSegment(queries, {}, batch);
  });
  onBlock(kReeds, HitResponse::kContinue, [&](const BlockHit&) {
    (void)service_.shootSegment({{8.2, 0.5, 0.5}, {20.5, 0.5, 0.5}}, world_.allLevels());
  });
  onEntity(0, HitResponse::kContinue, [&](const EntityHit&) {
    put(40 + thrown, kWater);
    throw Boom();
  });
  EXPECT_THROW((void)shoot(), Boom);
  EXPECT_EQ(thrown, 1);
  expectNoShotRunning();
  service_.removeEntityCallback(EntityClassId{});
  service_.removeBlockCallback(kReeds);
  put(9, kAir);
  EXPECT_EQ(shoot(), "water@3 reeds@7 e1@8 water@40 water@41");
}

}  // namespace
}  // namespace fractalray
