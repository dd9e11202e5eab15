// SPDX-License-Identifier: Apache-2.0
// Checks which callbacks are called, when, and what their answers do; nested shots and exceptions.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "shot_fixture.h"

namespace fractalray {
namespace {

class CallbacksTest : public CorridorTest {
 protected:
  CallbacksTest() {
    put(3, kWater);
    put(7, kReeds);
    put(9, kWater);
    put(20, kStone);
    addEntity(7, 5);
  }
};

TEST_F(CallbacksTest, WithoutAnyAllHitsAreReportedUpToTheFirstSolidBlock) {
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "");
}

TEST_F(CallbacksTest, ComeInTheOrderOfTheHits) {
  onBlock(kWater);
  onBlock(kReeds);
  onBlock(kStone);
  onEntity(0);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "water@3 e7@5 reeds@7 water@9 stone@20!")
      << "a solid block is known to end it";
}

TEST_F(CallbacksTest, DefaultsAreCalledForTypesWithoutACallback) {
  std::string defaults;
  onBlock(kWater);
  service_.onBlockHit([&](const BlockHit& hit) {
    defaults += textOf(hit) + " ";
    return HitResponse::kContinue;
  });
  service_.onEntityHit([&](const EntityHit& hit) {
    defaults += textOf(hit) + " ";
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "water@3 water@9");
  EXPECT_EQ(defaults, "e7@5 reeds@7 stone@20! ");
  onEntity(0);
  service_.removeBlockCallback(kWater);
  defaults.clear();
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "e7@5");
  EXPECT_EQ(defaults, "water@3 reeds@7 water@9 stone@20! ");
  service_.onBlockHit(nullptr);
  defaults.clear();
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(defaults, "");
}

TEST_F(CallbacksTest, AVisitorSeesTheHitsOfItsShotBeforeTheirCallbacks) {
  onBlock(kReeds);
  QueryOptions options;
  options.on_hit = [&](const Hit& hit) {
    calls_.push_back("visit " + textOf(hit));
    return hit.isBlock() && hit.block[0] == 7 ? HitResponse::kStop : HitResponse::kContinue;
  };
  EXPECT_EQ(shoot(options), "water@3 e7@5 reeds@7!");
  EXPECT_EQ(calls(), "visit water@3 visit e7@5 visit reeds@7 reeds@7");
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "reeds@7");
}

TEST_F(CallbacksTest, ACallbackThatReturnsNothingContinues) {
  std::string seen;
  const auto see = [&](const Hit& hit) { seen += textOf(hit) + " "; };
  ASSERT_TRUE(service_.onBlockHit(kWater, see).ok());
  service_.onEntityHit([&](const auto& hit) { see(hit); });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(seen, "water@3 e7@5 water@9 ");
  seen.clear();
  EXPECT_EQ(shoot({.on_hit = see}), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(seen, "water@3 water@3 e7@5 e7@5 reeds@7 water@9 water@9 stone@20! ");
}

TEST_F(CallbacksTest, AnEmptyFunctionIsNoCallback) {
  EXPECT_FALSE(HitEffect());
  EXPECT_FALSE(HitEffect(nullptr));
  EXPECT_FALSE(HitEffect(std::function<void(const Hit&)>()));
  EXPECT_FALSE(HitEffect(std::function<HitResponse(const Hit&)>()));
  HitEffect effect = [](const Hit&) {};
  EXPECT_TRUE(effect);
  EXPECT_TRUE(HitEffect(effect));
  effect = nullptr;
  EXPECT_FALSE(effect);
}

TEST_F(CallbacksTest, AVisitorSeesTheHitsOfABatchInTheirOrder) {
  const std::vector<BatchQuery> queries(2, {.line = Segment{{0.5, 0.5, 0.5}, {8.5, 0.5, 0.5}}});
  std::string seen;
  const QueryOptions options{.on_hit = [&](const Hit& hit) {
    seen += textOf(hit) + " ";
    put(7, kAir);
    return HitResponse::kContinue;
  }};
  const absl::StatusOr<ShotBatch> batch = service_.shootSegment(queries, options);
  ASSERT_TRUE(batch.ok()) << batch.status();
  EXPECT_EQ(seen, "water@3 e7@5 water@3 e7@5 ");
}

// Each verb takes each kind of line, and all levels if none are named.
TEST_F(CallbacksTest, AllKindsOfLinesGiveTheSame) {
  const Segment segment{{0.5, 0.5, 0.5}, {8.5, 0.5, 0.5}};
  const FixedSegment fixed = toUnits(segment).value();
  const Ray ray{.origin = segment.from, .direction = {2, 0, 0}, .max_distance = 8};
  for (const auto& shot :
       {service_.shootSegment(segment), service_.shootSegment(fixed), service_.shootSegment(ray),
        service_.shootSegment({.from = segment.from, .to = segment.to})}) {
    ASSERT_TRUE(shot.ok()) << shot.status();
    EXPECT_EQ(textOf(*shot), "water@3 e7@5 reeds@7");
    EXPECT_EQ(shot->segment.from, fixed.from);
  }
  for (const auto& closest :
       {service_.closestHit(segment), service_.closestHit(fixed), service_.closestHit(ray)})
    EXPECT_EQ(textOf(*closest->hit), "water@3");
  for (const auto& sight :
       {service_.occluded(segment), service_.occluded(fixed), service_.occluded(ray)})
    EXPECT_EQ(*sight, Occlusion::kClear);
  const std::vector<BatchQuery> queries = {{.line = segment}, {.line = fixed}, {.line = ray}};
  const ShotBatch batch = service_.shootSegment(queries).value();
  const ClosestBatch closest = service_.closestHit(queries).value();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(batch.hitsOf(i).size(), 3U);
    EXPECT_EQ(textOf(closest.answers[i]), "water@3");
  }
  EXPECT_EQ(service_.occluded(queries)->answers, std::vector<Occlusion>(3, Occlusion::kClear));
}

TEST_F(CallbacksTest, AtEqualTimeEntitiesComeFirst) {
  EntitySpec spec;
  spec.id = 8;
  spec.level = 0;  // though its level is coarser
  spec.shape = Box{{0.5, 0.5, 0.5}};
  spec.position = {7.5, 0.5, 0.5};
  ASSERT_TRUE(entities_.add(spec).ok());
  onBlock(kReeds);
  onEntity(0);
  EXPECT_EQ(shoot(), "water@3 e7@5 e8@7 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "e7@5 e8@7 reeds@7");
}

TEST_F(CallbacksTest, AfterAStopNothingMoreIsCalled) {
  onBlock(kWater);
  onBlock(kReeds, HitResponse::kStop);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7!");
  EXPECT_EQ(calls(), "water@3 reeds@7");
  onEntity(0, HitResponse::kStop);
  EXPECT_EQ(shoot(), "water@3 e7@5!");
}

TEST_F(CallbacksTest, AContinueDoesNotOpenASolidBlock) {
  onBlock(kStone, HitResponse::kContinue);
  put(30, kWater);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
}

TEST_F(CallbacksTest, ATypeThatIsInNoTableIsRefused) {
  const auto type = static_cast<BlockTypeId>(world_.blockTypes().size());
  const auto stop = [](const BlockHit&) { return HitResponse::kStop; };
  for (const absl::Status& status :
       {service_.onBlockHit(type, stop), service_.onBlockHit(type, nullptr, stop)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(),
              "a callback for block type 9, which the world's table of 9 does not have; add the "
              "type to it first");
  }
  // The refused callback is not registered once the type exists.
  ASSERT_EQ(world_.blockTypes().add({.name = "late", .kind = BlockKind::kPermeable}).value(), type);
  put(3, type);
  EXPECT_EQ(shoot(), "late@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_TRUE(service_.onBlockHit(type, stop).ok());
  EXPECT_EQ(shoot(), "late@3!");
}

TEST_F(CallbacksTest, APredicateEndsTheShotWhateverTheEffectAnswers) {
  std::vector<std::string> effects;
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit& hit) { return hit.block[0] == 9; },
      [&](const BlockHit& hit) {
        effects.push_back(textOf(hit));
        return HitResponse::kContinue;
      });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9!");
  EXPECT_EQ(join(effects), "water@3 water@9!") << "the effect receives the predicate's answer";
  service_.onEntityHit(
      EntityClassId{}, [](const EntityHit&) { return true; }, nullptr);
  EXPECT_EQ(shoot(), "water@3 e7@5!");
}

TEST_F(CallbacksTest, AnEffectMayStopWhereThePredicateDidNot) {
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit&) { return false; },
      [](const BlockHit&) { return HitResponse::kStop; });
  EXPECT_EQ(shoot(), "water@3!");
}

TEST_F(CallbacksTest, PredicatesAreNotCalledForSolidBlocks) {
  int asked = 0;
  std::ignore = service_.onBlockHit(
      kStone,
      [&](const BlockHit&) {
        ++asked;
        return false;
      },
      nullptr);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(asked, 0);
}

TEST_F(CallbacksTest, APredicateSeesTheWorldAsItWasWhenTheShotBegan) {
  // The effect of the water turns it against the reeds; their predicate was pure and true to the
  // start.
  bool solid_reeds = false;
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    solid_reeds = true;
    return HitResponse::kContinue;
  });
  std::vector<std::string> seen;
  std::ignore = service_.onBlockHit(
      kReeds,
      [&](const BlockHit& hit) {
        seen.push_back(textOf(hit));
        return false;
      },
      nullptr);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_TRUE(solid_reeds);
  EXPECT_FALSE(seen.empty());
}

TEST_F(CallbacksTest, APredicateShortensTheShot) {
  put(20, kAir);
  const QueryOptions block_by_block{.pass = SearchPass::kPlain};
  ASSERT_EQ(shoot(block_by_block), "water@3 e7@5 reeds@7 water@9");
  const std::uint64_t without = result_.stats.cells;
  std::ignore = service_.onBlockHit(
      kWater, [](const BlockHit&) { return true; }, nullptr);
  EXPECT_EQ(shoot(block_by_block), "water@3!");
  EXPECT_LT(result_.stats.cells, without / 2);
}

TEST_F(CallbacksTest, ACallbackMayBeRemovedOrReplacedWhileItRuns) {
  std::vector<std::string> late;
  std::ignore = service_.onBlockHit(kWater, [&, big = std::string(100, 'x')](const BlockHit& hit) {
    service_.removeBlockCallback(kWater);
    calls_.push_back(textOf(hit) + big.substr(0, 1));  // what it has captured is still there
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "water@3x") << "the one of water@9 was gone";
  std::ignore = service_.onBlockHit(kWater, [&, big = std::string(100, 'y')](const BlockHit& hit) {
    onBlock(kWater, HitResponse::kStop);
    calls_.push_back(textOf(hit) + big.substr(0, 1));
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9!");
  EXPECT_EQ(calls(), "water@3y water@9");
  onEntity(0, HitResponse::kContinue,
           [&](const EntityHit&) { service_.removeEntityCallback(EntityClassId{}); });
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "e7@5");
}

TEST_F(CallbacksTest, ShotsMayBeNested64DeepAndNoDeeper) {
  int calls = 0;
  std::vector<absl::StatusCode> codes;
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    ++calls;
    codes.push_back(service_.shootSegment(segment, world_.allLevels()).status().code());
    return HitResponse::kStop;
  });
  for (int round = 0; round < 3; ++round) {
    calls = 0;
    codes.clear();
    EXPECT_EQ(shoot(), "water@3!");
    EXPECT_EQ(calls, RayQueryService::kMaxNesting + 1);
    // The innermost answers first.
    EXPECT_EQ(codes.front(), absl::StatusCode::kResourceExhausted);
    for (std::size_t i = 1; i < codes.size(); ++i)
      ASSERT_EQ(codes[i], absl::StatusCode::kOk);
  }
}

TEST_F(CallbacksTest, ANestedShotDoesNotDisturbItsOuterOne) {
  std::vector<std::string> inner;
  onBlock(kReeds);
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit& hit) {
    if (hit.block[0] == 3) {
      service_.removeBlockCallback(kWater);
      for (const double y : {0.5, 5.5}) {
        const auto result =
            service_.shootSegment({{50.5, y, 0.5}, {0.5, y, 0.5}}, world_.allLevels());
        inner.push_back(textOf(result.value()));
      }
    }
    return HitResponse::kContinue;
  });
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(inner, (std::vector<std::string>{"stone@20!", ""}));
  EXPECT_EQ(calls(), "reeds@7");
}

TEST_F(CallbacksTest, AnExceptionPassesThroughAndTheServiceWorksOn) {
  bool armed = true;
  const Segment segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  int depth = 0;
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit& hit) {
    if (!armed) return HitResponse::kContinue;
    if (hit.block[0] == 3 && ++depth < 10) {
      (void)service_.shootSegment(segment, world_.allLevels());
    }
    throw std::runtime_error("boom");
    return HitResponse::kContinue;
  });
  for (int i = 0; i < 100; ++i) {  // more often than shots may be nested: none stays counted
    depth = i % 2 == 0 ? 0 : 10;
    EXPECT_THROW((void)shoot(), std::runtime_error);
  }
  armed = false;
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  // A caller may catch it inside, and continue.
  armed = true;
  depth = 10;
  onBlock(kReeds, HitResponse::kContinue, [&](const BlockHit&) {
    const Segment back{{12.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};  // hits water at 9 first
    EXPECT_THROW((void)service_.shootSegment(back, world_.allLevels()), std::runtime_error);
    armed = false;
  });
  put(3, kAir);
  EXPECT_EQ(shoot(), "e7@5 reeds@7 water@9 stone@20!");
}

TEST_F(CallbacksTest, PredicatesAndFiltersMayThrowToo) {
  std::ignore = service_.onBlockHit(
      kReeds, [](const BlockHit&) -> bool { throw std::runtime_error("boom"); }, nullptr);
  EXPECT_THROW((void)shoot(), std::runtime_error);
  service_.removeBlockCallback(kReeds);
  QueryOptions options;
  options.filter.block_filter = [](const BlockHit&) -> bool { throw std::runtime_error("boom"); };
  EXPECT_THROW((void)shoot(options), std::runtime_error);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
}

TEST_F(CallbacksTest, CallbacksOfOtherTypesAndClassesAreNotCalled) {
  onBlock(kGlass);
  onEntity(5);
  onBlock(kAir);
  EXPECT_EQ(shoot(), "water@3 e7@5 reeds@7 water@9 stone@20!");
  EXPECT_EQ(calls(), "");
}

}  // namespace
}  // namespace fractalray
