// SPDX-License-Identifier: Apache-2.0
// A move of the frame in a callback ends the shots in progress: the hits so far stay, nothing is
// called any more, and the error says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "../../query/window.h"
#include "shot_fixture.h"

namespace fractalray::window_effects_test {
namespace {

using testing::HasSubstr;

constexpr auto kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

// Water at 3 and 7, stone that ends the shot at 20, an entity at 9.
class WindowEffectsTest : public CorridorTest {
 protected:
  WindowEffectsTest() {
    put(3, kWater);
    put(7, kWater);
    addEntity(1, 9);
    put(20, kStone);
  }

  // Shoots into result_, which keeps the hits of a shot that ends with an error.
  absl::Status shootInto(const World& world, const EntityIndex& entities) {
    calls_.clear();
    RayQueryService service(world, entities);
    service.onBlockHit([this](const BlockHit& hit) {
      calls_.push_back(textOf(hit));
      return act_ ? act_(hit) : HitResponse::kContinue;
    });
    service.onEntityHit([this](const EntityHit& hit) {
      calls_.push_back(textOf(hit));
      return HitResponse::kContinue;
    });
    return service.shootSegment(kLine, world.allLevels(), {}, result_);
  }
  absl::Status shootInto() { return shootInto(world_, entities_); }
  HitResponse moveAt(const BlockHit& hit, std::int64_t x) {
    if (hit.block[0] == x) {
      EXPECT_TRUE(window_.recenter({0, 0, 1}).ok());
    }
    return HitResponse::kContinue;
  }

  static constexpr Segment kLine{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  Window window_{world_, entities_, ChunkPath::parse("777_777").value()};
  std::function<HitResponse(const BlockHit&)> act_;
};

TEST_F(WindowEffectsTest, TheShotEndsAndItsHitsStay) {
  act_ = [&](const BlockHit& hit) { return moveAt(hit, 7); };
  const absl::Status status = shootInto();
  EXPECT_EQ(status.code(), kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("the frame has moved"));
  EXPECT_EQ(textOf(result_), "water@3 water@7");
  EXPECT_EQ(calls(), "water@3 water@7");
  EXPECT_FALSE(result_.terminated);
}

TEST_F(WindowEffectsTest, TheLastHitEndsItToo) {
  for (const HitResponse response :
       {HitResponse::kContinue, HitResponse::kAgain, HitResponse::kStop}) {
    act_ = [&](const BlockHit& hit) {
      moveAt(hit, 20);
      return hit.block[0] == 20 ? response : HitResponse::kContinue;
    };
    EXPECT_EQ(shootInto().code(), kFailedPrecondition);
    EXPECT_EQ(textOf(result_), "water@3 water@7 e1@9 stone@20!");
    ASSERT_TRUE(window_.recenter({0, 0, -1}).ok());
  }
}

TEST_F(WindowEffectsTest, AgainAfterAMoveIsNoShot) {
  act_ = [&](const BlockHit& hit) {
    moveAt(hit, 3);
    return HitResponse::kAgain;
  };
  EXPECT_EQ(shootInto().code(), kFailedPrecondition);
  EXPECT_EQ(textOf(result_), "water@3");
}

TEST_F(WindowEffectsTest, TheCallbackAfterTheVisitorIsNotCalled) {
  onBlock(kWater);
  QueryOptions options;
  options.on_hit = [&](const Hit& hit) { return moveAt(hit, 3); };
  EXPECT_EQ(service_.shootSegment(kLine, world_.allLevels(), options, result_).code(),
            kFailedPrecondition);
  EXPECT_EQ(calls(), "");
  EXPECT_EQ(textOf(result_), "water@3");
}

TEST_F(WindowEffectsTest, AMoveByNothingEndsItToo) {
  act_ = [&](const BlockHit&) {
    EXPECT_TRUE(window_.recenter({0, 0, 0}).ok());
    return HitResponse::kContinue;
  };
  EXPECT_EQ(shootInto().code(), kFailedPrecondition);
  EXPECT_EQ(textOf(result_), "water@3");
}

TEST_F(WindowEffectsTest, ARefusedMoveEndsNothing) {
  act_ = [&](const BlockHit&) {
    EXPECT_FALSE(window_.recenter({1000, 0, 0}).ok());
    return HitResponse::kContinue;
  };
  EXPECT_TRUE(shootInto().ok());
  EXPECT_EQ(textOf(result_), "water@3 water@7 e1@9 stone@20!");
}

TEST_F(WindowEffectsTest, AllShotsThatItIsNestedInEnd) {
  std::vector<absl::StatusCode> codes;
  act_ = [&](const BlockHit& hit) {
    if (hit.block[0] != 7) return HitResponse::kContinue;
    ShotResult nested;
    QueryOptions options;
    options.on_hit = [&](const Hit& inner) { return moveAt(inner, 3); };
    codes.push_back(RayQueryService(world_, entities_)
                        .shootSegment(kLine, world_.allLevels(), options, nested)
                        .code());
    EXPECT_EQ(textOf(nested), "water@3");
    // A new shot is one in the new frame.
    ShotResult after;
    codes.push_back(service_.shootSegment(kLine, world_.allLevels(), {}, after).code());
    EXPECT_TRUE(after.hits.empty());
    return HitResponse::kContinue;
  };
  EXPECT_EQ(shootInto().code(), kFailedPrecondition);
  EXPECT_EQ(textOf(result_), "water@3 water@7");
  EXPECT_EQ(codes, (std::vector{kFailedPrecondition, absl::StatusCode::kOk}));
}

TEST_F(WindowEffectsTest, ShotsOnSnapshotsContinue) {
  const std::shared_ptr<const World> world = world_.snapshot();
  const std::shared_ptr<const EntityIndex> entities = entities_.snapshot();
  act_ = [&](const BlockHit& hit) { return moveAt(hit, 3); };
  EXPECT_TRUE(shootInto(*world, *entities).ok());
  EXPECT_EQ(textOf(result_), "water@3 water@7 e1@9 stone@20!");
  act_ = [&](const BlockHit& hit) {
    if (hit.block[0] == 3) {
      EXPECT_TRUE(window_.recenter({0, 0, -1}).ok());
    }
    return HitResponse::kContinue;
  };
  EXPECT_EQ(shootInto(*world, entities_).code(), kFailedPrecondition)
      << "the entities are those of the frame that moves";
}

TEST_F(WindowEffectsTest, EditsAfterAMoveDoNoHarm) {
  for (std::int64_t x = 0; x < 64; x += 2)
    put(x, kReeds);
  act_ = [&](const BlockHit& hit) {
    if (hit.block[0] == 4) {
      EXPECT_TRUE(window_.recenter({1, 0, 0}).ok());
      EXPECT_TRUE(world_.unloadChunk(1, {-16, 0, 0}).ok());
      EXPECT_TRUE(entities_.removeAll(entities_.all()).ok());
    }
    return HitResponse::kContinue;
  };
  EXPECT_EQ(shootInto().code(), kFailedPrecondition);
  EXPECT_EQ(textOf(result_.hits.back()), "reeds@4");
}

TEST_F(WindowEffectsTest, CursorsEnd) {
  absl::StatusOr<HitCursor> cursor = service_.hitsAlong(kLine);
  ASSERT_TRUE(cursor.ok());
  ASSERT_TRUE(cursor->next().ok());
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_EQ(cursor->next().status().code(), kFailedPrecondition);
  EXPECT_EQ(cursor->next().status().code(), kFailedPrecondition);
  EXPECT_EQ(cursor->shot().hits.size(), 1U);
}

TEST_F(WindowEffectsTest, AShotOfTheFrameBeforeIsNotResumed) {
  ASSERT_EQ(shoot(), "water@3 water@7 e1@9 stone@20!");
  ShotResult shot = result_;
  ASSERT_TRUE(window_.recenter({0, 0, 0}).ok());
  EXPECT_EQ(service_.resume(shot).code(), kFailedPrecondition);
  EXPECT_EQ(shot.hits.size(), 4U);
  ASSERT_EQ(shoot(), "water@3 water@7 e1@9 stone@20!");
  EXPECT_TRUE(service_.resume(result_).ok());
}

TEST_F(WindowEffectsTest, TheRestOfABatchIsShotInTheFrameAsItIsThen) {
  // The first shot moves the frame by one level-0 chunk, 256 finest-block widths, along z; the
  // second of each pair is in the frame before it, the third in that after it.
  const auto line = [](double z) {
    return BatchQuery{.line = Segment{{0.5, 0.5, z}, {60.5, 0.5, z}}, .levels = LevelMask{0, 1}};
  };
  const std::vector<BatchQuery> queries{line(0.5), line(0.5), line(0.5 - 256), line(0.5)};
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit& hit) {
    if (hit.block[2] == 0) {
      EXPECT_TRUE(window_.recenter({0, 0, 1}).ok());
    }
    return HitResponse::kContinue;
  });
  const absl::StatusOr<ShotBatch> batch = service_.shootSegment(queries, QueryOptions());
  ASSERT_TRUE(batch.ok());
  EXPECT_EQ(batch->shots[0].status.code(), kFailedPrecondition);
  EXPECT_EQ(batch->hitsOf(0).size(), 1U);
  EXPECT_TRUE(batch->shots[1].status.ok());
  EXPECT_EQ(batch->hitsOf(1).size(), 0U);
  EXPECT_TRUE(batch->shots[2].status.ok());
  EXPECT_EQ(batch->hitsOf(2).size(), 4U);
  EXPECT_EQ(batch->hitsOf(3).size(), 0U);
}

TEST_F(WindowEffectsTest, ACutShotOfABatchIsNotContinuedInAnotherFrame) {
  // A shot that may end at each of many hits is prepared in slices, and may be cut between them.
  for (std::int64_t x = 2; x < 60; ++x)
    ASSERT_TRUE(world_.setBlock(1, {x, 0, 0}, kWater).ok());
  std::ignore = service_.onBlockHit(kWater, [](const BlockHit&) { return HitResponse::kContinue; });
  const std::vector<BatchQuery> queries(2, {.line = kLine, .levels = LevelMask{0, 1}});
  std::size_t cut_with_hits = 0;
  for (std::uint64_t steps = 1; steps < 1000; ++steps) {
    ShotBatch batch = service_.shootSegment(queries, {.max_batch_steps = steps}).value();
    if (batch.completed > 0) break;
    const std::size_t hits = batch.hitsOf(0).size();
    ASSERT_TRUE(window_.recenter({0, 0, 1}).ok());
    ASSERT_TRUE(service_.resume(queries, {}, batch).ok());
    ASSERT_EQ(batch.completed, 2U);
    ASSERT_EQ(batch.hitsOf(0).size(), hits);
    ASSERT_EQ(batch.shots[0].status.code(), hits > 0 ? kFailedPrecondition : absl::StatusCode::kOk);
    ASSERT_TRUE(batch.shots[1].status.ok());
    ASSERT_EQ(batch.hitsOf(1).size(), 0U) << "nothing is there in the new frame";
    ASSERT_TRUE(window_.recenter({0, 0, -1}).ok());
    if (hits > 0) ++cut_with_hits;
  }
  EXPECT_GT(cut_with_hits, 0U);
}

}  // namespace
}  // namespace fractalray::window_effects_test
