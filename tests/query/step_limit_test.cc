// SPDX-License-Identifier: Apache-2.0
// A shot that runs out of steps reports a prefix of its hits: the one that was settled until then.
// It grows with the steps, and has those for which fewer steps suffice on a shorter line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle {
namespace {

// Returns how the hits of a shot that ran out of steps are wrong, given all hits.
std::string prefixError(const absl::Status& status, const std::vector<Hit>& hits,
                        const std::vector<Hit>& all) {
  if (status.ok() && hits.size() != all.size()) return "it has not all hits, and no error";
  if (!status.ok() && !absl::IsResourceExhausted(status)) return std::string(status.message());
  if (!status.ok() && status.message().find("max_steps") == std::string::npos) {
    return "no remedy: " + std::string(status.message());
  }
  if (hits.size() > all.size()) return "it has too many hits";
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (!isSame(hits[i], all[i])) return "hit " + std::to_string(i) + ": " + describe(hits[i]);
  }
  return "";
}

// A query along a line with every limit of steps.
class LimitedShot {
 public:
  LimitedShot(const RayQueryService& service, const FixedSegment& line, LevelMask levels,
              const QueryOptions& options)
      : service_(service), line_(line), levels_(levels), options_(options) {
    all_ = service.shootSegment(line, levels, options).value();
    // With a limit that suffices.
    options_.max_steps = 1'000'000'000;
    steps_ = service.shootSegment(line, levels, options_)->stats.steps();
  }

  const ShotResult& all() const { return all_; }
  // Returns those of the shot with a limit that suffices.
  std::uint64_t steps() const { return steps_; }

  // Returns the number of hits with that limit; fails the test if they are wrong.
  std::size_t hits(std::uint64_t max_steps, ShotResult& shot) {
    options_.max_steps = max_steps;
    const absl::Status status = service_.shootSegment(line_, levels_, options_, shot);
    EXPECT_EQ(prefixError(status, shot.hits, all_.hits), "") << max_steps << describe(line_);
    EXPECT_TRUE(!status.ok() || shot.stats.steps() <= max_steps);
    return shot.hits.size();
  }
  // Checks that the other forms of the query report as many.
  void checkOtherForms(std::uint64_t max_steps, const ShotResult& shot) {
    options_.max_steps = max_steps;
    const std::vector<BatchQuery> queries(2, BatchQuery{.line = line_, .levels = levels_});
    const ShotBatch batch = service_.shootSegment(queries, options_).value();
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<const Hit> hits = batch.hitsOf(i);
      EXPECT_EQ(prefixError(batch.shots[i].status, {hits.begin(), hits.end()}, all_.hits), "");
      EXPECT_EQ(hits.size(), shot.hits.size());
    }
    checkCursor();
    checkResumed(shot);
  }

 private:
  void checkCursor() {
    std::vector<Hit> hits;
    absl::StatusOr<HitCursor> cursor = service_.hitsAlong(line_, levels_, options_);
    absl::Status status = cursor.status();
    while (status.ok()) {
      const absl::StatusOr<const Hit*> next = cursor->next();
      status = next.status();
      if (!next.ok() || *next == nullptr) break;
      hits.push_back(**next);
    }
    EXPECT_EQ(prefixError(status, hits, all_.hits), "") << options_.max_steps;
  }
  // Checks that the rest follows when the shot is resumed.
  void checkResumed(ShotResult shot) {
    QueryOptions rest = options_;
    rest.max_steps = QueryOptions().max_steps;
    rest.max_hits -= shot.hits.size();  // it counts new hits
    if (shot.hits.size() == all_.hits.size()) return;
    EXPECT_TRUE(service_.resume(shot, levels_, rest).ok());
    EXPECT_EQ(prefixError(absl::OkStatus(), shot.hits, all_.hits), "") << options_.max_steps;
  }

  const RayQueryService& service_;
  FixedSegment line_;
  LevelMask levels_;
  QueryOptions options_;
  ShotResult all_;
  std::uint64_t steps_ = 0;
};

// Checks every limit, or some if there are many. Returns for how many of them the hits were cut.
std::size_t checkLimits(LimitedShot& shot) {
  std::size_t before = 0;
  std::size_t cuts = 0;
  const std::uint64_t stride = std::max<std::uint64_t>(1, shot.steps() / 300);
  for (std::uint64_t steps = 1; steps <= shot.steps(); steps += steps < 100 ? 1 : stride) {
    ShotResult cut;
    const std::size_t hits = shot.hits(steps, cut);
    EXPECT_GE(hits, before) << "with " << steps << " steps of " << shot.steps();
    before = hits;
    if (steps % 7 == 0) shot.checkOtherForms(steps, cut);
    if (hits > 0 && hits < shot.all().hits.size()) ++cuts;
  }
  // Exactly that many may not suffice on several levels: stats leave out the steps of a direct
  // search from which the passes have only taken over where to begin (docs/cost.md).
  ShotResult whole;
  EXPECT_EQ(shot.hits(2 * shot.steps() + 100, whole), shot.all().hits.size());
  return cuts;
}

// A row of permeable blocks on one level.
struct Row {
  explicit Row(int levels, std::int64_t blocks)
      : world({.levels = levels, .block_types = sceneTypes()}),
        entities(world.frame()),
        service(world, entities),
        level(levels - 1) {
    for (std::int64_t x = 0; x * kChunkSize < blocks; ++x) {
      EXPECT_TRUE(
          world.loadChunk(level, {x, 0, 0}, Chunk::uniform(kWater, world.blockTypes())).ok());
    }
  }
  FixedSegment line(double to) const { return *toUnits({{0.5, 0.5, 0.5}, {to, 0.5, 0.5}}); }

  World world;
  EntityIndex entities;
  RayQueryService service;
  int level;
};

TEST(StepLimitTest, AStepShortOfManyHitsReportsThem) {
  const Row row(1, 4096);
  LimitedShot shot(row.service, row.line(4094.5), LevelMask::all(), {});
  ASSERT_EQ(shot.all().hits.size(), 4095U);
  ShotResult cut;
  EXPECT_GE(shot.hits(shot.steps() - 1, cut), 4095U - 256U);
  EXPECT_EQ(shot.hits(shot.steps(), cut), 4095U);
  EXPECT_NEAR(static_cast<double>(shot.hits(shot.steps() / 2, cut)), 2048, 300);
  EXPECT_GE(shot.hits(40, cut), 20U);
  EXPECT_LT(static_cast<double>(shot.steps()), 1.1 * static_cast<double>(shot.all().stats.steps()))
      << "a limit costs little";
}

TEST(StepLimitTest, ACursorReturnsWhatIsSettledBeforeTheError) {
  Row row(1, 16);
  // With entities a line is read in slices.
  ASSERT_TRUE(row.entities.add({.id = 1, .position = {8, 12, 12}}).ok());
  std::size_t most = 0;
  for (std::uint64_t max_steps = 1; max_steps < 60; ++max_steps) {
    auto cursor = row.service.hitsAlong(row.line(15.5), LevelMask::all(), {.max_steps = max_steps});
    if (!cursor.ok()) continue;
    std::size_t hits = 0;
    absl::StatusOr<const Hit*> next = cursor->next();
    for (; next.ok() && *next != nullptr; next = cursor->next())
      ++hits;
    if (next.ok()) break;
    EXPECT_GE(hits, std::max<std::size_t>(1, most)) << max_steps;
    EXPECT_TRUE(absl::IsResourceExhausted(cursor->next().status())) << "and stays so";
    most = hits;
  }
  EXPECT_GE(most, 12U);
}

// The fine level has nothing to report, and would take all steps if it were read to its end first.
TEST(StepLimitTest, CoarseHitsAreFoundAlongALongFineLevel) {
  Row row(2, 16 * 1000);
  const auto nothing = row.world.blockTypes().find("mist").value();
  for (std::int64_t x = 0; x < 1000; ++x) {
    ASSERT_TRUE(
        row.world.loadChunk(1, {x, 0, 0}, Chunk::uniform(nothing, row.world.blockTypes())).ok());
  }
  ASSERT_TRUE(
      row.world.loadChunk(0, {0, 1, 0}, Chunk::uniform(kWater, row.world.blockTypes())).ok());
  // Through coarse blocks at once, far above the fine ones; then along the fine ones.
  const FixedSegment line = *toUnits({{0.5, 0.5, 0.5}, {15999, 0.6, 0.5}});
  ASSERT_TRUE(row.entities.add({.id = 1, .level = 1, .position = {40, 0.5, 0.5}}).ok());
  ASSERT_TRUE(row.entities.add({.id = 2, .level = 1, .position = {15000, 0.6, 0.5}}).ok());
  LimitedShot shot(row.service, line, LevelMask::all(), {});
  ASSERT_EQ(shot.all().hits.size(), 2U);
  ASSERT_GT(shot.steps(), 15000U);
  ShotResult cut;
  EXPECT_EQ(shot.hits(1500, cut), 1U) << "the entity nearby needs no step of the rest of the line";
}

// Makes most lines end only where they end.
void leaveOutWalls(QueryOptions& options) {
  options.filter.solid_only = false;
  options.filter.block_filter = [](const BlockHit& hit) {
    return hit.type != kStone && hit.type != kGlass;
  };
}

TEST(StepLimitTest, HitsArePrefixesInRandomScenes) {
  Rng rng("StepLimitTest.Random");
  std::size_t cuts = 0;
  for (int round = 0; round < 80; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(4), rng.pick({0, 30, 200}), 3000);
    const RayQueryService service(scene->world, scene->entities);
    for (int i = 0; i < 8; ++i) {
      QueryOptions options;
      options.corner =
          rng.pick({CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase});
      options.report_unknown = rng.oneIn(4);
      options.stop_at_unknown = rng.oneIn(8);
      options.filter.skip_start_inside = rng.oneIn(4);
      if (rng.oneIn(6)) options.max_hits = static_cast<std::size_t>(rng.below(30));
      if (rng.oneIn(8)) options.pass = SearchPass::kPlain;
      if (!rng.oneIn(4)) leaveOutWalls(options);
      FixedSegment line = randomSegment(rng, *scene);
      if (rng.oneIn(4)) line = randomReflection(rng, line, scene->world.frame());
      LimitedShot shot(service, line, scene->world.allLevels(), options);
      cuts += checkLimits(shot);
    }
  }
  EXPECT_GT(cuts, 200U);
}

TEST(StepLimitTest, HitsArePrefixesInHardScenes) {
  Rng rng("StepLimitTest.Hard");
  std::size_t cuts = 0;
  for (int round = 0; round < 20; ++round) {
    const HardScene scene(rng, 1 + rng.below(4));
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 4; ++i) {
      QueryOptions options = hardOptions(rng, {});
      if (!rng.oneIn(4)) leaveOutWalls(options);
      LimitedShot shot(service, scene.segment(rng), scene.levels(rng), options);
      cuts += checkLimits(shot);
    }
  }
  EXPECT_GT(cuts, 200U);
}

// The slack of docs/cost.md: the hits of the part of the line for which half of the steps suffice,
// less 1,024 for each pass.
TEST(StepLimitTest, HalfOfTheStepsSufficeForAShorterLine) {
  Rng rng("StepLimitTest.Shorter");
  std::size_t compared = 0;
  for (int round = 0; round < 10; ++round) {
    const int levels = 1 + rng.below(3);
    const auto scene = randomScene(rng, levels, 50, 3000);
    const RayQueryService service(scene->world, scene->entities);
    const std::uint64_t slack = 1024 * 2 * static_cast<std::uint64_t>(levels);
    for (int i = 0; i < 10; ++i) {
      const FixedSegment line = randomSegment(rng, *scene);
      QueryOptions options;
      leaveOutWalls(options);
      LimitedShot shot(service, line, scene->world.allLevels(), options);
      const std::vector<Hit>& all = shot.all().hits;
      for (std::size_t k = 0; k < all.size(); k += 1 + all.size() / 6) {
        FixedSegment shorter = line;
        shorter.end_time =
            std::min(kWholeLine, static_cast<std::int64_t>(std::ldexp(all[k].t, 60)) + (1 << 10));
        if (shorter.end_time < 1) continue;
        const auto sufficed = service.shootSegment(shorter, scene->world.allLevels(), options);
        ASSERT_TRUE(sufficed.ok());
        ShotResult cut;
        EXPECT_GT(shot.hits(2 * sufficed->stats.steps() + slack, cut), k);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(StepLimitTest, QueriesForOneHitReportNoneWithTheirError) {
  const Row row(1, 64);
  const FixedSegment line = row.line(60);
  for (std::uint64_t steps = 0; steps < 40; ++steps) {
    ClosestHit closest;
    const QueryOptions solid{.filter = {.solid_only = true}, .max_steps = steps};
    const absl::Status status = row.service.closestHit(line, LevelMask::all(), solid, closest);
    EXPECT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
    EXPECT_FALSE(closest.hit.has_value());
    OcclusionResult sight;
    const absl::Status seen =
        row.service.occluded(line, LevelMask::all(), {.max_steps = steps}, sight);
    EXPECT_EQ(seen.ok(), sight.occlusion == Occlusion::kClear);
  }
}

}  // namespace
}  // namespace fractalray::oracle
