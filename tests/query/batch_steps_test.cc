// SPDX-License-Identifier: Apache-2.0
// Batches with a limit of steps for all their queries, case by case: what is cut and where, what is
// not started, errors, exceptions and observers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "pane_scene.h"

namespace fractalray::oracle::batch_steps_test {
namespace {

QueryOptions randomOptions(Rng& rng) {
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.max_hits = static_cast<std::size_t>(rng.in(0, 6));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(6);
  if (rng.oneIn(5)) options.max_steps = static_cast<std::uint64_t>(rng.in(0, 80));
  if (rng.oneIn(8)) options.pass = SearchPass::kPlain;
  return options;
}

// Returns the error of a query in which the steps of its batch ran out. It names the limit of the
// batch, since the query's own may have been any.
absl::Status errorOfCut(const QueryOptions& options) {
  return absl::ResourceExhaustedError(absl::StrCat(
      "cut: the batch took its ", options.max_batch_steps,
      " steps in this query; continue with it in a new batch, or raise max_batch_steps"));
}

// The shot that is cut is, but for the words of its error, the single shot with the steps that were
// left as its max_steps; and own max_steps end shots as they always do.
TEST(BatchStepsTest, AShotThatIsCutIsTheSingleShot) {
  Rng rng("BatchStepsTest.Cut");
  int cut = 0;
  int with_hits = 0;
  for (int round = 0; round < 60; ++round) {
    PaneScene scene(rng, 1 + rng.below(3));
    RayQueryService service(scene.world(), scene.entities());
    // Without effects a shot reads all of its line before its first hit.
    if (!rng.oneIn(8)) {
      service.onBlockHit([](const BlockHit&) { return HitResponse::kContinue; });
    }
    QueryOptions options = randomOptions(rng);
    options.max_batch_steps = static_cast<std::uint64_t>(rng.in(1, 2000));
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 80; ++i)
      queries.push_back({.line = scene.segment(rng), .levels = scene.world().allLevels()});
    ThreadExecutor executor(2);
    const ShotBatch batch = service.shootSegment(queries, options, executor).value();
    std::uint64_t left = options.max_batch_steps;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const ShotSummary& shot = batch.shots[i];
      if (left == 0) {
        ASSERT_EQ(shot.progress, BatchProgress::kNotStarted) << i;
        continue;
      }
      QueryOptions single = options;
      single.max_steps = std::min(options.max_steps, left);
      ShotResult alone;
      const absl::Status status = service.shootSegment(std::get<FixedSegment>(queries[i].line),
                                                       queries[i].levels, single, alone);
      const bool is_cut = !status.ok() && single.max_steps < options.max_steps;
      ASSERT_EQ(shot.status, is_cut ? errorOfCut(options) : status) << i;
      ASSERT_EQ(status.code(), shot.status.code()) << i;
      ASSERT_EQ(difference(resultOf(batch, i), alone), "") << i;
      ASSERT_EQ(shot.stats.steps(), alone.stats.steps()) << i;
      ASSERT_EQ(shot.progress, is_cut ? BatchProgress::kOutOfSteps : BatchProgress::kDone) << i;
      cut += is_cut ? 1 : 0;
      with_hits += is_cut && !alone.hits.empty() ? 1 : 0;
      left -= std::min(single.max_steps, alone.stats.steps());
    }
  }
  EXPECT_GT(cut, 40);
  EXPECT_GE(with_hits, cut / 4);
}

// A wall of water in which each shot has many hits, cut between any two of them, with kAgain.
TEST(BatchStepsTest, CutAtEveryStep) {
  World world({.levels = 1, .block_types = sceneTypes()});
  EntityIndex entities(world.frame());
  const auto reset = [&] {
    ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk::uniform(kWater, world.blockTypes())).ok());
  };
  std::vector<std::string> calls;
  RayQueryService service(world, entities);
  ASSERT_TRUE(service
                  .onBlockHit(kWater,
                              [&](const BlockHit& hit) {
                                calls.push_back(describe(hit));
                                // Each second block puts stone far ahead, or takes it away.
                                if (hit.block[0] % 2 == 0) return HitResponse::kContinue;
                                const BlockCoord far{15, hit.block[1], hit.block[2]};
                                const bool is_stone = *world.block(0, far) == kStone;
                                EXPECT_TRUE(world.setBlock(0, far, is_stone ? kAir : kStone).ok());
                                return HitResponse::kAgain;
                              })
                  .ok());
  std::vector<BatchQuery> queries;
  for (int i = 0; i < 3; ++i)
    queries.push_back({.line = Segment{{0.5, 1.0 * i + 0.5, 0.5}, {15.5, 1.0 * i + 0.7, 0.6}}});
  reset();
  const ShotBatch whole = service.shootSegment(queries).value();
  const std::vector<std::string> expected = calls;
  ASSERT_GT(expected.size(), 30U);
  std::size_t cut_with_hits = 0;
  for (std::uint64_t steps = 1; steps < 200; ++steps) {
    reset();
    calls.clear();
    QueryOptions options{.max_batch_steps = steps};
    ShotBatch batch = service.shootSegment(queries, options).value();
    if (batch.completed < 3 && !batch.hitsOf(batch.completed).empty()) ++cut_with_hits;
    options.max_batch_steps = 1'000'000;
    ASSERT_TRUE(service.resume(queries, options, batch).ok());
    ASSERT_EQ(batch.completed, 3U);
    ASSERT_EQ(calls, expected) << steps << " steps";
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_EQ(difference(resultOf(batch, i), resultOf(whole, i)), "") << steps << " steps";
  }
  EXPECT_GT(cut_with_hits, 20U);
}

class SmallBatchTest : public testing::Test {
 protected:
  SmallBatchTest() {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kWater, world_.blockTypes())).ok());
    queries_.assign(3, {.line = Segment{{0.5, 0.5, 0.5}, {9.5, 0.5, 0.5}}});
  }

  // Adds an entity that the line enters when it enters block x.
  void addAt(std::int64_t x) {
    const EntitySpec spec{.id = static_cast<EntityId>(x),
                          .shape = Box{{0.5, 0.25, 0.25}},
                          .position = {static_cast<double>(x) + 0.5, 0.5, 0.5}};
    ASSERT_TRUE(entities_.add(spec).ok());
  }

  World world_{{.levels = 1, .block_types = sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<BatchQuery> queries_;
};

TEST_F(SmallBatchTest, NoStepsStartNothing) {
  QueryOptions options{.max_batch_steps = 0};
  ShotBatch batch = service_.shootSegment(queries_, options).value();
  EXPECT_EQ(batch.completed, 0U);
  for (const ShotSummary& shot : batch.shots)
    EXPECT_EQ(shot.progress, BatchProgress::kNotStarted);
  // Nor do they drop what a cut shot has.
  options.max_batch_steps = 30;
  ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
  ASSERT_EQ(batch.shots[batch.completed].progress, BatchProgress::kOutOfSteps);
  const std::size_t hits = batch.hits.size();
  options.max_batch_steps = 0;
  ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
  EXPECT_EQ(batch.shots[batch.completed].progress, BatchProgress::kOutOfSteps);
  EXPECT_EQ(batch.hits.size(), hits);
  options.max_batch_steps = QueryOptions().max_batch_steps;
  ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
  EXPECT_EQ(batch.completed, 3U);
  EXPECT_EQ(batch.hits.size(), 30U);
}

TEST_F(SmallBatchTest, StepsThatAreJustEnoughCutNothing) {
  const ShotBatch whole = service_.shootSegment(queries_).value();
  std::uint64_t steps = 0;
  for (const ShotSummary& shot : whole.shots)
    steps += shot.stats.steps();
  EXPECT_EQ(service_.shootSegment(queries_, {.max_batch_steps = steps})->completed, 3U);
  const ShotBatch less = service_.shootSegment(queries_, {.max_batch_steps = steps - 1}).value();
  EXPECT_EQ(less.completed, 2U);
  EXPECT_EQ(less.shots[2].progress, BatchProgress::kOutOfSteps);
  const std::uint64_t two = steps - whole.shots[2].stats.steps();
  EXPECT_EQ(service_.shootSegment(queries_, {.max_batch_steps = two})->shots[2].progress,
            BatchProgress::kNotStarted);
}

TEST_F(SmallBatchTest, WhatCannotBeResumed) {
  ShotBatch batch = service_.shootSegment(queries_, {.max_batch_steps = 30}).value();
  ASSERT_LT(batch.completed, 3U);
  const std::size_t hits = batch.hits.size();
  const std::vector<BatchQuery> fewer(2, queries_[0]);
  EXPECT_TRUE(absl::IsInvalidArgument(service_.resume(fewer, {}, batch)));
  EXPECT_TRUE(absl::IsInvalidArgument(
      service_.resume(queries_, {.filter = {.channel = ChannelId{99}}}, batch)));
  EXPECT_EQ(batch.hits.size(), hits);
  // Nothing is left of a batch that is complete.
  ASSERT_TRUE(service_.resume(queries_, {}, batch).ok());
  const std::size_t all = batch.hits.size();
  ASSERT_TRUE(service_.resume(queries_, {}, batch).ok());
  EXPECT_EQ(batch.hits.size(), all);
}

TEST_F(SmallBatchTest, AnExceptionWhileItResumes) {
  ShotBatch batch = service_.shootSegment(queries_, {.max_batch_steps = 30}).value();
  ASSERT_LT(batch.completed, 2U);
  const std::size_t done = batch.completed;
  int calls = 0;
  ASSERT_TRUE(service_
                  .onBlockHit(kWater,
                              [&](const BlockHit&) {
                                if (++calls == 3) throw std::runtime_error("enough");
                                return HitResponse::kContinue;
                              })
                  .ok());
  EXPECT_THROW((void)service_.resume(queries_, {}, batch), std::runtime_error);
  EXPECT_GE(batch.shots.size(), done);
  EXPECT_LT(batch.shots.size(), 3U);
  EXPECT_EQ(batch.completed, batch.shots.size());
}

// Wherever the steps run out: a thing that is added at exactly the time of a hit is hit if that hit
// has answered kAgain, and only then.
TEST_F(SmallBatchTest, AKAgainIsPendingForItsOwnHitAlone) {
  queries_.resize(1);
  std::int64_t second = 0;
  ASSERT_TRUE(service_
                  .onBlockHit(kWater,
                              [&](const BlockHit& hit) {
                                const std::int64_t x = hit.block[0];
                                if (x == 3 || x == second) addAt(x);
                                return x == 3 ? HitResponse::kAgain : HitResponse::kContinue;
                              })
                  .ok());
  int cut_after_3 = 0;
  int cut_after_second = 0;
  for (second = 4; second < 8; ++second) {
    for (std::uint64_t steps = 1; steps < 150; ++steps) {
      for (const EntityHandle entity : entities_.all())
        ASSERT_TRUE(entities_.remove(entity).ok());
      QueryOptions options{.max_batch_steps = steps};
      ShotBatch batch = service_.shootSegment(queries_, options).value();
      if (batch.completed == 0 && batch.hits.size() > 3) {
        const Hit& last = batch.hits.back();
        cut_after_3 += last.block[0] == 3 ? 1 : 0;
        cut_after_second += last.block[0] == second ? 1 : 0;
      }
      options.max_batch_steps = 1'000'000;
      ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
      std::string hits;
      for (const Hit& hit : batch.hits)
        hits += hit.isEntity() ? "e" : std::to_string(hit.block[0]);
      ASSERT_EQ(hits, "0123e456789") << steps << " steps";
    }
  }
  EXPECT_GT(cut_after_3, 0);
  EXPECT_GT(cut_after_second, 0);
}

// Batches without effects.
TEST(BatchStepsTest, ClosestHitsAndLinesOfSight) {
  Rng rng("BatchStepsTest.First");
  std::size_t cut = 0;
  std::size_t rest = 0;
  for (int round = 0; round < 30; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(3), 25, 1200);
    const RayQueryService service(scene->world, scene->entities);
    QueryOptions options;
    options.report_unknown = rng.oneIn(2);
    if (rng.oneIn(4)) options.max_steps = 12;
    QueryOptions sight{.entities_block = rng.oneIn(2), .max_steps = options.max_steps};
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 400; ++i) {
      queries.push_back({.line = randomSegment(rng, *scene), .levels = scene->world.allLevels()});
    }
    const ClosestBatch whole = service.closestHit(queries, options).value();
    const OcclusionBatch whole_sight = service.occluded(queries, sight).value();
    for (const auto& [way, parallel_for] : waysToRun()) {
      SCOPED_TRACE("round " + std::to_string(round) + ", " + way);
      std::size_t done = 0;
      options.max_batch_steps = 100;
      while (done < queries.size()) {
        const auto left = std::span(queries).subspan(done);
        const ClosestBatch part = service.closestHit(left, options, parallel_for).value();
        for (std::size_t i = 0; i < left.size(); ++i) {
          const Hit& hit = part.answers[i];
          if (i >= part.completed) {
            ASSERT_EQ(hit.kind, Hit::Kind::kNone) << i;
          } else {
            ASSERT_EQ(hit.kind, whole.answers[done + i].kind);
            ASSERT_TRUE(hit.kind == Hit::Kind::kNone || isSame(hit, whole.answers[done + i]));
            if (options.report_unknown) {
              ASSERT_EQ(part.unknown_from[i], whole.unknown_from[done + i]);
            }
          }
        }
        const bool is_cut = !part.errors.empty() && part.errors.back().query == part.completed;
        cut += is_cut ? 1 : 0;
        rest += left.size() - part.completed - (is_cut ? 1 : 0);
        ASSERT_LE(part.stats.steps(), options.max_batch_steps + 100);
        done += part.completed;
        options.max_batch_steps *= 2;
      }
      done = 0;
      sight.max_batch_steps = 100;
      while (done < queries.size()) {
        const auto left = std::span(queries).subspan(done);
        const OcclusionBatch part = service.occluded(left, sight, parallel_for).value();
        for (std::size_t i = 0; i < left.size(); ++i) {
          const Occlusion expected =
              i < part.completed ? whole_sight.answers[done + i] : Occlusion::kUnknown;
          ASSERT_EQ(part.answers[i], expected) << i;
        }
        done += part.completed;
        sight.max_batch_steps *= 2;
      }
    }
  }
  EXPECT_GT(cut, 100U);
  EXPECT_GT(rest, 1000U);
}

// A filter that throws does so when its turn comes, and not where nothing was started.
TEST_F(SmallBatchTest, AFilterThatThrowsBeyondTheSteps) {
  for (std::size_t i = 0; i < 500; ++i)
    queries_.push_back(queries_[0]);
  queries_.back().line = Segment{{0.5, 9.5, 0.5}, {9.5, 9.5, 0.5}};
  QueryOptions options{.max_batch_steps = 20};
  options.filter.block_filter = [](const BlockHit& hit) {
    if (hit.block[1] == 9) throw std::runtime_error("a wall");
    return true;
  };
  EXPECT_GT(service_.closestHit(queries_, options)->completed, 0U);
  options.max_batch_steps = 1'000'000;
  EXPECT_THROW((void)service_.closestHit(queries_, options), std::runtime_error);
}

TEST_F(SmallBatchTest, AQueryThatIsCutCountsItsStepsOnce) {
  QueryOptions options;
  options.filter.block_filter = [](const BlockHit&) { return false; };
  const std::uint64_t one =
      service_.closestHit(std::get<Segment>(queries_[0].line), LevelMask::all(), options)
          ->stats.steps();
  ASSERT_GT(one, 8U);
  options.max_batch_steps = one + one / 2;
  const ClosestBatch batch = service_.closestHit(queries_, options).value();
  EXPECT_EQ(batch.completed, 1U);
  EXPECT_EQ(batch.stats.steps(), options.max_batch_steps + 1) << "the last one was too many";
}

// Observers see what was started, with the steps that it had.
class NotingObserver final : public QueryObserver {
 public:
  void onQuery(const ObservedQuery& query, const ObservedAnswer& answer) override {
    notes.push_back(std::string(queryVerbName(query.verb)) + " " +
                    (answer.status == absl::StatusCode::kOk ? "ok" : "cut") + " " +
                    std::to_string(query.query.after.size()) + "+" +
                    std::to_string(answer.hits.size()));
    limits.push_back(query.options.max_steps);
  }
  std::vector<std::string> notes;
  std::vector<std::uint64_t> limits;
};

TEST_F(SmallBatchTest, ObserversSeeWhatWasStarted) {
  const std::uint64_t one = service_.shootSegment(queries_)->shots[0].stats.steps();
  NotingObserver observer;
  service_.setObserver(&observer);
  std::size_t calls = 0;
  QueryOptions options{.max_batch_steps = one + 24};
  options.on_hit = [&](const Hit&) {
    ++calls;
    return HitResponse::kContinue;
  };
  ShotBatch batch = service_.shootSegment(queries_, options).value();
  ASSERT_EQ(batch.completed, 1U);
  const std::size_t before = batch.hitsOf(1).size();
  ASSERT_GT(before, 0U);
  ASSERT_EQ(calls, 10 + before);
  ASSERT_EQ(observer.notes.size(), 2U);
  EXPECT_EQ(observer.notes[0], "shoot ok 0+10");
  EXPECT_EQ(observer.notes[1], "shoot cut 0+" + std::to_string(before));
  EXPECT_LT(observer.limits[1], one);
  options.max_batch_steps = 10'000;
  ASSERT_TRUE(service_.resume(queries_, options, batch).ok());
  ASSERT_EQ(observer.notes.size(), 4U);
  EXPECT_EQ(observer.notes[2], "resume ok " + std::to_string(before) + "+10");
  EXPECT_EQ(observer.notes[3], "shoot ok 0+10");
}

TEST_F(SmallBatchTest, AnEffectMayRemoveTheObserver) {
  NotingObserver observer;
  service_.setObserver(&observer);
  QueryOptions options;
  options.on_hit = [&](const Hit&) {
    service_.setObserver(nullptr);
    return HitResponse::kStop;
  };
  EXPECT_TRUE(
      service_.shootSegment(std::get<Segment>(queries_[0].line), LevelMask::all(), options).ok());
  EXPECT_TRUE(observer.notes.empty());
}

}  // namespace
}  // namespace fractalray::oracle::batch_steps_test
