// SPDX-License-Identifier: Apache-2.0
// Shots that may end at any hit find their hits slice by slice, and still hit what the plain pass
// finds at once: in worlds made to hurt, with edits in between, and for the price of what is used.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle::hit_stream_test {
namespace {

int scaled(int count) {
  return isLongRun() ? 30 * count : count;
}

// Shoots by the plain pass at once, then slice by slice, and cut short after each number of hits.
class Comparison {
 public:
  Comparison(const HardScene& scene, const FixedSegment& segment, LevelMask levels,
             const QueryOptions& options)
      : service_(scene.world(), scene.entities()),
        segment_(segment),
        levels_(levels),
        options_(options) {
    QueryOptions plain = options;
    plain.pass = SearchPass::kPlain;
    expected_ = service_.shootSegment(segment, levels, plain).value();
    options_.pass = SearchPass::kFast;
  }

  const ShotResult& expected() const { return expected_; }

  std::string check(Rng& rng) const {
    QueryOptions options = options_;
    options.on_hit = [](const Hit&) { return HitResponse::kContinue; };
    std::string text = compare("slices", expected_, shoot(options));
    if (!expected_.hits.empty() && text.empty()) {
      text = checkStop(rng.below(static_cast<int>(expected_.hits.size())));
    }
    return text + (text.empty() ? checkCursor() : "");
  }

 private:
  ShotResult shoot(const QueryOptions& options) const {
    return service_.shootSegment(segment_, levels_, options).value();
  }
  std::string compare(const std::string& what, const ShotResult& a, const ShotResult& b) const {
    const std::string text = difference(a, b);
    return text.empty() ? text : what + ": " + text + describe(segment_) + describe(options_);
  }

  // A callback that stops at hit `last` gets the same hits until then.
  std::string checkStop(int last) const {
    int calls = 0;
    QueryOptions options = options_;
    options.on_hit = [&](const Hit&) {
      return calls++ == last ? HitResponse::kStop : HitResponse::kContinue;
    };
    const ShotResult shot = shoot(options);
    const auto count = static_cast<std::size_t>(last) + 1;
    if (shot.hits.size() != count) return "a stop at " + std::to_string(last) + " was ignored\n";
    for (std::size_t i = 0; i < count; ++i) {
      Hit hit = shot.hits[i];
      hit.terminal = expected_.hits[i].terminal;
      if (!isSame(hit, expected_.hits[i])) return "a stop: " + describe(shot.hits[i]) + "\n";
    }
    return "";
  }

  std::string checkCursor() const {
    HitCursor cursor = service_.hitsAlong(segment_, levels_, options_).value();
    std::size_t count = 0;
    while (const Hit* const hit = cursor.next().value()) {
      if (hit != &cursor.shot().hits.back()) return "the cursor's hit is not its last\n";
      ++count;
    }
    if (count != cursor.shot().hits.size()) return "the cursor has other hits than it gave\n";
    return compare("cursor", expected_, cursor.shot());
  }

  RayQueryService service_;
  FixedSegment segment_;
  LevelMask levels_;
  QueryOptions options_;
  ShotResult expected_;
};

void checkSlices(Rng& rng, bool are_reflected) {
  std::size_t hits = 0;
  int many = 0;
  for (int round = 0; round < scaled(60); ++round) {
    const HardScene scene(rng, 1 + rng.below(4));
    const std::vector<EntityId> ignore{1, 5, 9};
    for (int shot = 0; shot < 100; ++shot) {
      QueryOptions options = hardOptions(rng, ignore);
      FixedSegment line = scene.segment(rng);
      if (are_reflected) line = randomReflection(rng, line, scene.world().frame());
      const Comparison comparison(scene, line, scene.levels(rng), options);
      ASSERT_EQ(comparison.check(rng), "") << "round " << round << ", shot " << shot;
      hits += comparison.expected().hits.size();
      many += comparison.expected().hits.size() > 10 ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 5000U);
  EXPECT_GT(many, 100) << "shots of three slices or more";
}

TEST(HitStreamTest, SlicesHitTheSameAsThePlainPass) {
  Rng rng("HitStreamTest.Slices");
  checkSlices(rng, false);
}

TEST(HitStreamTest, SlicesOfReflectedLinesHitTheSameToo) {
  Rng rng("HitStreamTest.Reflected");
  checkSlices(rng, true);
}

// A corridor of `blocks` blocks of water along x, then a wall; entities, if any, in its middle.
class LongCorridor {
 public:
  explicit LongCorridor(std::int64_t blocks, bool of_entities = false)
      : world_({.levels = 2, .block_types = sceneTypes()}), index_(world_.frame()) {
    const std::int64_t chunks = (blocks + 15) / 16;
    for (std::int64_t x = 0; x < chunks; ++x) {
      const Chunk chunk = Chunk::uniform(of_entities ? kAir : kWater, world_.blockTypes());
      EXPECT_TRUE(world_.loadChunk(1, {x, 0, 0}, chunk).ok());
    }
    EXPECT_TRUE(
        world_.setBlock(1, {blocks, 0, 0}, kStone).ok() ||
        world_.loadChunk(1, {chunks, 0, 0}, Chunk::uniform(kStone, world_.blockTypes())).ok());
    std::vector<EntitySpec> specs;
    for (std::int64_t x = 0; of_entities && x < blocks; ++x) {
      specs.push_back({.id = static_cast<EntityId>(x + 1),
                       .level = 1,
                       .shape = Box{{0.25, 0.25, 0.25}},
                       .position = {static_cast<double>(x) + 0.5, 0.5, 0.5}});
    }
    EXPECT_TRUE(index_.addAll(specs).ok());
    line_ = {{-1.5, 0.5, 0.5}, {static_cast<double>(blocks) + 8, 0.5, 0.5}};
  }

  World world_;
  EntityIndex index_;
  RayQueryService service_{world_, index_};
  Segment line_;
};

class HitStreamCostTest : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(BlocksAndEntities, HitStreamCostTest, testing::Bool());

std::uint64_t stepsOfShot(const LongCorridor& corridor, const QueryOptions& options) {
  return corridor.service_.shootSegment(corridor.line_, LevelMask::all(), options)
      .value()
      .stats.steps();
}

TEST_P(HitStreamCostTest, TheFirstHitCostsWhatTheClosestDoes) {
  const LongCorridor corridor(4096, GetParam());
  const std::uint64_t closest = corridor.service_.closestHit(corridor.line_).value().stats.steps();
  const std::uint64_t all = stepsOfShot(corridor, {});
  ASSERT_GT(all, 8000U);
  QueryOptions stops;
  stops.on_hit = [](const Hit&) { return HitResponse::kStop; };
  EXPECT_LE(stepsOfShot(corridor, stops), 2 * closest + 20) << "a stop";
  EXPECT_LE(stepsOfShot(corridor, {.max_hits = 1}), 2 * closest + 20) << "max_hits";
  TerminalRules rules;
  const BudgetId budget = rules.addBudget(1.5).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 1)).ok());
  ASSERT_TRUE(rules.setEntities(~std::uint64_t{0}, TerminalRule::costPerHit(budget, 1)).ok());
  EXPECT_LE(stepsOfShot(corridor, {.rules = &rules}), 2 * closest + 20) << "a budget of two hits";
  HitCursor cursor = corridor.service_.hitsAlong(corridor.line_).value();
  ASSERT_NE(cursor.next().value(), nullptr);
  EXPECT_LE(cursor.shot().stats.steps(), 2 * closest + 20) << "a pull";
}

TEST_P(HitStreamCostTest, AllHitsOneByOneAreLinear) {
  const LongCorridor corridor(4096, GetParam());
  const std::uint64_t all = stepsOfShot(corridor, {});
  HitCursor cursor = corridor.service_.hitsAlong(corridor.line_).value();
  std::size_t hits = 0;
  while (cursor.next().value() != nullptr)
    ++hits;
  EXPECT_EQ(hits, 4097U);
  EXPECT_LE(cursor.shot().stats.steps(), all + all / 10);
  QueryOptions continues;
  continues.on_hit = [](const Hit&) { return HitResponse::kContinue; };
  EXPECT_LE(stepsOfShot(corridor, continues), all + all / 10);
}

// All that is near is found by the first slice, but not what is far.
TEST(HitStreamTest, NothingFarBeyondThePauseIsRead) {
  LongCorridor corridor(4096);
  std::vector<EntitySpec> crowd;
  for (EntityId id = 1; id <= 2000; ++id) {
    crowd.push_back(
        {.id = id, .level = 1, .shape = Box{{0.25, 0.25, 0.25}}, .position = {3000.5, 0.5, 0.5}});
  }
  ASSERT_TRUE(corridor.index_.addAll(crowd).ok());
  QueryOptions stops;
  stops.on_hit = [](const Hit&) { return HitResponse::kStop; };
  EXPECT_LT(stepsOfShot(corridor, stops), 40U);
}

// Each entity of a crowd is tested in one slice, however many slices there are.
TEST(HitStreamTest, ACrowdInWaterIsTestedOnce) {
  LongCorridor corridor(4096);
  std::vector<EntitySpec> crowd;
  for (EntityId id = 1; id <= 2000; ++id) {
    crowd.push_back(
        {.id = id, .level = 1, .shape = Box{{0.25, 0.25, 0.25}}, .position = {40.5, 0.5, 0.5}});
  }
  ASSERT_TRUE(corridor.index_.addAll(crowd).ok());
  QueryOptions continues;
  continues.on_hit = [](const Hit&) { return HitResponse::kContinue; };
  const ShotResult shot =
      corridor.service_.shootSegment(corridor.line_, LevelMask::all(), continues).value();
  EXPECT_EQ(shot.hits.size(), 6097U);
  EXPECT_LE(shot.stats.entities_tested, 4000U) << "twice at most, where chunks touch";
}

// An effect at the first hit edits what has not been read yet.
class FarEditTest : public testing::Test {
 protected:
  // Shoots, with `edit` called at the first hit; returns the result.
  template <class Edit>
  ShotResult shoot(const Edit& edit, HitResponse response = HitResponse::kContinue) {
    bool is_first = true;
    QueryOptions options;
    options.on_hit = [&](const Hit&) {
      if (!is_first) return HitResponse::kContinue;
      is_first = false;
      edit();
      return response;
    };
    return corridor_.service_.shootSegment(corridor_.line_, LevelMask::all(), options).value();
  }
  static std::size_t count(const ShotResult& shot, Hit::Kind kind) {
    return static_cast<std::size_t>(std::count_if(
        shot.hits.begin(), shot.hits.end(), [kind](const Hit& hit) { return hit.kind == kind; }));
  }

  EntityHandle add(EntityId id, double x) {
    return corridor_.index_
        .add({.id = id, .level = 1, .shape = Box{{0.25, 0.25, 0.25}}, .position = {x, 0.5, 0.5}})
        .value();
  }

  LongCorridor corridor_{512};
};

TEST_F(FarEditTest, AnAddedWallIsNotHit) {
  ASSERT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kAir).ok());
  const ShotResult shot = shoot([&] {
    ASSERT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kStone).ok());
  });
  EXPECT_EQ(shot.hits.size(), 512U);
  EXPECT_EQ(shot.hits.back().block[0], 512);
}

TEST_F(FarEditTest, AnAddedWallIsHitAfterAgain) {
  ASSERT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kAir).ok());
  const ShotResult shot = shoot(
      [&] {
        ASSERT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kStone).ok());
      },
      HitResponse::kAgain);
  EXPECT_EQ(shot.hits.size(), 301U);
  EXPECT_EQ(shot.hits.back().block[0], 300);
}

TEST_F(FarEditTest, WaterThatBecomesAWallEndsTheShot) {
  const ShotResult shot = shoot([&] {
    ASSERT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kStone).ok());
  });
  EXPECT_EQ(shot.hits.back().block[0], 300);
  EXPECT_TRUE(shot.terminated);
}

TEST_F(FarEditTest, AnAddedEntityIsNotHitAndAMovedOneKeepsItsHit) {
  const EntityHandle moved = add(7, 200.5);
  const ShotResult shot = shoot([&] {
    add(8, 250.5);
    ASSERT_TRUE(corridor_.index_.move(moved, {400.5, 0.5, 0.5}).ok());
  });
  ASSERT_EQ(count(shot, Hit::Kind::kEntity), 1U);
  const auto hit = std::find_if(shot.hits.begin(), shot.hits.end(),
                                [](const Hit& any) { return any.isEntity(); });
  EXPECT_EQ(hit->id, 7U);
  EXPECT_EQ(hit->position[0], 200 * kUnitsPerBlock + kUnitsPerBlock / 2);
}

TEST_F(FarEditTest, AReplacedWorldHasNoMoreHits) {
  const ShotResult shot = shoot([&] {
    corridor_.world_ = World({.levels = 2, .block_types = sceneTypes()});
    corridor_.index_ = EntityIndex(corridor_.world_.frame());
  });
  EXPECT_EQ(shot.hits.size(), 1U) << "all later blocks are gone";
}

// An exception of a filter while an edit waits passes out of the shot, and the edit is made.
TEST_F(FarEditTest, AnExceptionWhileAnEditWaitsPassesAndTheEditIsMade) {
  QueryOptions options;
  bool may_throw = false;
  options.filter.block_filter = [&](const Hit& hit) {
    if (may_throw && hit.block[0] == 400) throw std::runtime_error("block 400");
    return true;
  };
  std::size_t hits = 0;
  options.on_hit = [&](const Hit&) {
    if (hits++ == 0) {
      may_throw = true;
      EXPECT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kAir).ok());
      may_throw = false;
    }
    return HitResponse::kContinue;
  };
  EXPECT_THROW((void)corridor_.service_.shootSegment(corridor_.line_, LevelMask::all(), options),
               std::runtime_error);
  EXPECT_GT(hits, 0U);
  EXPECT_EQ(corridor_.world_.block(1, {300, 0, 0}).value(), kAir);
}

// So does the end of its steps.
TEST_F(FarEditTest, TheEndOfStepsWhileAnEditWaitsPassesAndTheEditIsMade) {
  QueryOptions options{.max_steps = 100};
  options.on_hit = [&](const Hit&) {
    EXPECT_TRUE(corridor_.world_.setBlock(1, {300, 0, 0}, kAir).ok());
    return HitResponse::kContinue;
  };
  ShotResult shot;
  const absl::Status status =
      corridor_.service_.shootSegment(corridor_.line_, LevelMask::all(), options, shot);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_FALSE(shot.hits.empty());
}

}  // namespace
}  // namespace fractalray::oracle::hit_stream_test
