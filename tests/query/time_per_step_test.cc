// SPDX-License-Identifier: Apache-2.0
// A step costs about the same whatever else there is a lot of: rules, types, channels, levels,
// callbacks, ids to ignore, earlier hits, observed queries. Else max_steps would not bound the time
// of a query. Measures the CPU time of the thread, the least of some repeats, and compares a lot
// with a little: only a growth by a large factor fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/cost_growth.h"
#include "../oracle/random_scene.h"

namespace fractalray::oracle {
namespace {

// A line through water and a crowd on one of some levels.
class Scene {
 public:
  explicit Scene(int levels = 1)
      : world_({.levels = levels, .block_types = sceneTypes()}),
        entities_(world_.frame()),
        service_(world_, entities_),
        level_(levels - 1) {
    for (std::int64_t x = 0; x < 16; ++x) {
      const auto water = Chunk::uniform(kWater, world_.blockTypes());
      EXPECT_TRUE(world_.loadChunk(level_, {x, 0, 0}, water).ok());
    }
    for (EntityId id = 1; id <= 300; ++id) {
      const double x = 0.7 * static_cast<double>(id);
      EXPECT_TRUE(entities_
                      .add({.id = id,
                            .level = level_,
                            .shape = Sphere{1},
                            .position = {x, 0.5, 0.5},
                            .categories = std::uint64_t{1} << 63})
                      .ok());
    }
  }

  World& world() { return world_; }
  RayQueryService& service() { return service_; }
  const FixedSegment& line() const { return line_; }

  // Returns the time of a step of a shot with these options, in us.
  double timePerStep(const QueryOptions& options = {}) {
    ShotResult shot;
    const auto run = [&] {
      EXPECT_TRUE(service_.shootSegment(line_, LevelMask::all(), options, shot).ok());
    };
    run();
    EXPECT_GT(shot.stats.steps(), 500U);
    return leastMicroseconds(7, run) / static_cast<double>(shot.stats.steps());
  }

 private:
  World world_;
  EntityIndex entities_;
  RayQueryService service_;
  int level_;
  FixedSegment line_ = *toUnits({{0.5, 0.5, 0.5}, {250, 0.6, 0.5}});
};

constexpr double kMargin = 4;

TEST(TimePerStepTest, ManyRules) {
  Scene scene;
  TerminalRules few;
  ASSERT_TRUE(few.setEntities(1, TerminalRule::stopShot()).ok());
  ASSERT_TRUE(few.setBlock(kReeds, TerminalRule::stopShot()).ok());
  TerminalRules many = few;
  for (std::uint64_t i = 1; i <= 50'000; ++i) {
    ASSERT_TRUE(many.setEntities(i, TerminalRule::continueShot(), {static_cast<int>(i % 10)}).ok());
    ASSERT_TRUE(many.setBlock(BlockTypeId(static_cast<std::uint16_t>(i)),
                              TerminalRule::continueShot(), {static_cast<int>(i % 10)})
                    .ok());
  }
  expectAtMost(
      kMargin, [&] { return scene.timePerStep({.rules = &many}); },
      [&] { return scene.timePerStep({.rules = &few}); });
}

TEST(TimePerStepTest, SettingARule) {
  const auto timePerRule = [](std::uint64_t count) {
    return leastMicroseconds(
               7,
               [&] {
                 TerminalRules rules;
                 for (std::uint64_t i = count; i > 0; --i)
                   ASSERT_TRUE(rules.setEntities(i * 77, TerminalRule::stopShot()).ok());
               }) /
           static_cast<double>(count);
  };
  expectAtMost(
      6, [&] { return timePerRule(40'000); }, [&] { return timePerRule(1000); });
}

TEST(TimePerStepTest, ManyTypesAndChannels) {
  Scene few;
  Scene many;
  BlockTypeTable& types = many.world().blockTypes();
  for (int i = 0; i < 20'000; ++i)
    ASSERT_TRUE(types.add({.name = "type " + std::to_string(i), .kind = BlockKind::kSolid}).ok());
  for (int i = 0; i < 500; ++i)
    ASSERT_TRUE(types.addChannel("channel " + std::to_string(i)).ok());
  expectAtMost(
      kMargin, [&] { return many.timePerStep(); }, [&] { return few.timePerStep(); });
}

TEST(TimePerStepTest, ManyLevels) {
  Scene few(1);
  Scene many(kMaxLevels);
  expectAtMost(
      kMargin, [&] { return many.timePerStep(); }, [&] { return few.timePerStep(); });
  expectAtMost(
      kMargin, [&] { return many.timePerStep({.report_unknown = true}); },
      [&] { return few.timePerStep({.report_unknown = true}); });
}

// Registers a test for each of some classes.
void registerTests(RayQueryService& service, std::uint32_t count) {
  for (std::uint32_t i = 1; i <= count; ++i)
    service.onEntityHit(
        EntityClassId(i), [](const EntityHit& /*hit*/) { return false; }, nullptr);
}

TEST(TimePerStepTest, ManyCallbacks) {
  Scene few;
  Scene many;
  registerTests(few.service(), 2);
  registerTests(many.service(), 30'000);
  for (Scene* const scene : {&few, &many})
    scene->service().onEntityHit([](const EntityHit& /*hit*/) { return HitResponse::kContinue; });
  expectAtMost(
      kMargin, [&] { return many.timePerStep(); }, [&] { return few.timePerStep(); });
}

TEST(TimePerStepTest, RegisteringACallback) {
  const auto timeEach = [](std::uint32_t count) {
    return leastMicroseconds(7,
                             [&] {
                               Scene scene;
                               registerTests(scene.service(), count);
                             }) /
           count;
  };
  expectAtMost(
      kMargin, [&] { return timeEach(40'000); }, [&] { return timeEach(2000); });
}

TEST(TimePerStepTest, ManyIdsToIgnore) {
  Scene scene;
  std::vector<EntityId> ids(100'000);
  std::iota(ids.begin(), ids.end(), EntityId{1000});
  const QueryOptions options{.filter = {.ignore = ids}};
  expectAtMost(
      kMargin, [&] { return scene.timePerStep(options); }, [&] { return scene.timePerStep(); });
  // Other ids each time, so that no set of earlier queries helps.
  const auto with_others = [&] {
    ShotResult shot;
    const double time = leastMicroseconds(7, [&] {
      for (EntityId& id : ids)
        ++id;
      ASSERT_TRUE(scene.service().shootSegment(scene.line(), LevelMask::all(), options, shot).ok());
    });
    return time / static_cast<double>(shot.stats.steps());
  };
  expectAtMost(kMargin, with_others, [&] { return scene.timePerStep(); });
}

// As many as 100,000 earlier hits are put into a set once, however many slices a shot is read in.
TEST(TimePerStepTest, ManyEarlierHits) {
  Scene scene;
  ShotResult first;
  ASSERT_TRUE(
      scene.service().shootSegment(scene.line(), LevelMask::all(), {.max_hits = 1}, first).ok());
  const Hit last = first.hits.back();
  const auto stepTime = [&](std::size_t earlier, const QueryOptions& options) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 7; ++i) {
      ShotResult shot = first;
      Hit gone = last;
      gone.kind = Hit::Kind::kEntity;
      shot.hits.assign(earlier, gone);
      for (std::size_t k = 0; k < earlier; ++k)
        shot.hits[k].entity = {.slot = static_cast<std::uint32_t>(10'000 + k), .generation = 1};
      shot.hits.push_back(last);
      const double time = leastMicroseconds(
          1, [&] { EXPECT_TRUE(scene.service().resume(shot, LevelMask::all(), options).ok()); });
      EXPECT_GT(shot.hits.size(), earlier + 400);
      least = std::min(least, time / static_cast<double>(shot.stats.steps()));
    }
    return least;
  };
  expectAtMost(
      kMargin, [&] { return stepTime(100'000, {}); }, [&] { return stepTime(10, {}); });
  const TerminalRules rules;  // for which the line is read in slices
  expectAtMost(
      2, [&] { return stepTime(100'000, {.rules = &rules}); },
      [&] { return stepTime(100'000, {}); });
}

class CountingObserver : public QueryObserver {
 public:
  void onQuery(const ObservedQuery& /*query*/, const ObservedAnswer& /*answer*/) override {
    ++queries;
  }
  int queries = 0;
};

TEST(TimePerStepTest, AnObserver) {
  Scene scene;
  std::vector<EntityId> ids(100'000);
  std::iota(ids.begin(), ids.end(), EntityId{1000});
  const QueryOptions options{.filter = {.ignore = ids}};
  CountingObserver observer;
  const auto observed = [&] {
    scene.service().setObserver(&observer);
    const double time = scene.timePerStep(options);
    scene.service().setObserver(nullptr);
    return time;
  };
  expectAtMost(kMargin, observed, [&] { return scene.timePerStep(options); });
  EXPECT_GT(observer.queries, 5);
}

}  // namespace
}  // namespace fractalray::oracle
