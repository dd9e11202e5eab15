// SPDX-License-Identifier: Apache-2.0
// Batches with a limit of steps for all their queries: what is done, cut and not started is the
// same for any number of threads, and resumed until it is complete a batch is what it is without a
// limit, call for call.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle {
namespace {

// A scene whose effects edit what has been hit, and what lies ahead where they respond kAgain. Two
// of the same seed change in the same way as long as they are called in the same way.
class EditedScene {
 public:
  EditedScene(std::uint64_t seed, int levels, int queries, bool has_effects)
      : rng_(seed), scene_(randomScene(rng_, levels, 25, 1200)) {
    for (int i = 0; i < queries; ++i) {
      BatchQuery query{.line = randomSegment(rng_, *scene_), .levels = scene_->world.allLevels()};
      if (rng_.oneIn(20)) query.levels = LevelMask{};
      queries_.push_back(query);
    }
    resumeSome();
    if (!has_effects) return;
    for (const BlockTypeId type : {kWater, kReeds, kGlass, kStone}) {
      if (rng_.oneIn(4)) continue;
      std::ignore = service_.onBlockHit(type, [this](const BlockHit& hit) { return act(hit); });
    }
    service_.onEntityHit([this](const EntityHit& hit) { return act(hit); });
  }

  const std::vector<BatchQuery>& queries() const { return queries_; }
  const RayQueryService& service() const { return service_; }

  std::vector<std::string> calls;

 private:
  // One query of four resumes after up to two hits.
  void resumeSome() {
    before_.resize(queries_.size());
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      if (!rng_.oneIn(4)) continue;
      const auto shot = service_.shootSegment(std::get<FixedSegment>(queries_[i].line),
                                              queries_[i].levels, {.max_hits = 2});
      if (!shot.ok()) continue;
      before_[i] = shot->hits;
      queries_[i].after = before_[i];
    }
  }

  HitResponse act(const Hit& hit) {
    calls.push_back(describe(hit));
    if (rng_.oneIn(3)) editHit(hit);
    if (rng_.oneIn(3)) {
      if (rng_.oneIn(2)) editAnything();
      return HitResponse::kAgain;
    }
    return rng_.oneIn(12) ? HitResponse::kStop : HitResponse::kContinue;
  }
  // What has been hit is not hit again, whatever becomes of it.
  void editHit(const Hit& hit) {
    if (hit.isBlock()) {
      std::ignore = scene_->world.setBlock(hit.level, hit.block, rng_.oneIn(2) ? kAir : kReeds);
    } else if (rng_.oneIn(2)) {
      std::ignore = scene_->entities.remove(hit.entity);
    } else {
      std::ignore = scene_->entities.move(hit.entity, blocksFromUnits(somePoint()));
    }
  }
  void editAnything() {
    const int level = rng_.below(scene_->world.frame().levels());
    const BlockCoord block = scene_->world.frame().blockAt(somePoint(), level);
    std::ignore = scene_->world.setBlock(level, block, rng_.pick({kAir, kWater, kStone}));
    if (rng_.oneIn(2)) return;
    std::ignore = scene_->entities.add({.id = ++next_id_,
                                        .level = level,
                                        .shape = Box{{1, 1, 1}},
                                        .position = blocksFromUnits(somePoint())});
  }
  // On the line of any query.
  Vec3i somePoint() {
    const auto i = static_cast<std::size_t>(rng_.below(static_cast<int>(queries_.size())));
    const FixedSegment segment = std::get<FixedSegment>(queries_[i].line);
    const std::int64_t t = rng_.in(0, 64);
    Vec3i point;
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = segment.from[axis] + segment.delta()[axis] / 64 * t;
    return point;
  }

  Rng rng_;
  std::unique_ptr<RandomScene> scene_;
  RayQueryService service_{scene_->world, scene_->entities};
  std::vector<BatchQuery> queries_;
  std::vector<std::vector<Hit>> before_;
  EntityId next_id_ = 1000;
};

TerminalRules someRules() {
  TerminalRules rules;
  const BudgetId water = rules.addBudget(30).value();
  const BudgetId all = rules.addBudget(6).value();
  EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerBlock(water, 1)).ok());
  EXPECT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerPane(all, 1)).ok());
  EXPECT_TRUE(rules.setEntities(0xff, TerminalRule::costPerHit(all, 0.3)).ok());
  return rules;
}

ShotOptions randomOptions(Rng& rng) {
  static const TerminalRules rules = someRules();
  ShotOptions options;
  options.corner = CornerPolicy::kBoth;  // of the hits that queries resume after
  if (rng.oneIn(4)) options.filter.channel = kVisible;
  if (rng.oneIn(3)) options.max_hits = static_cast<std::size_t>(rng.in(0, 6));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(6);
  if (rng.oneIn(5)) options.max_steps = static_cast<std::uint64_t>(rng.in(0, 80));
  if (rng.oneIn(8)) options.pass = SearchPass::kPlain;
  if (rng.oneIn(3)) options.rules = &rules;
  return options;
}

// What a batch is like after a run, as text: of all that may not depend on threads.
std::string stateOf(const ShotBatch& batch) {
  std::string text = std::to_string(batch.completed);
  for (const ShotSummary& shot : batch.shots) {
    text += " " + std::to_string(static_cast<int>(shot.progress)) + ":" +
            std::to_string(shot.hits_end - shot.hits_begin) + ":" +
            std::to_string(shot.stats.steps());
  }
  return text;
}

// Whether the shots are in the order done, perhaps one cut, not started.
void expectProgress(const ShotBatch& batch) {
  for (std::size_t i = 0; i < batch.shots.size(); ++i) {
    const ShotSummary& shot = batch.shots[i];
    ASSERT_EQ(shot.progress == BatchProgress::kDone, i < batch.completed) << i;
    ASSERT_TRUE(i <= batch.completed || shot.progress == BatchProgress::kNotStarted) << i;
    if (i < batch.completed) continue;
    ASSERT_TRUE(absl::IsResourceExhausted(shot.status)) << i;
    ASSERT_TRUE(shot.progress == BatchProgress::kOutOfSteps || batch.hitsOf(i).empty()) << i;
  }
}

// Runs a batch and resumes it with more and more steps until it is complete; returns its states.
std::vector<std::string> runInParts(EditedScene& scene, ShotOptions options, std::uint64_t steps,
                                    ShotBatch& batch, const AnyParallelFor& parallel_for) {
  std::vector<std::string> states;
  options.max_batch_steps = steps;
  EXPECT_TRUE(scene.service().shootSegment(scene.queries(), options, batch, parallel_for).ok());
  while (true) {
    expectProgress(batch);
    states.push_back(stateOf(batch));
    if (batch.completed == scene.queries().size()) return states;
    options.max_batch_steps = options.max_batch_steps * 3 / 2 + 1;
    EXPECT_TRUE(scene.service().resume(scene.queries(), options, batch, parallel_for).ok());
  }
}

struct Seen {
  std::size_t runs = 0;
  std::size_t cut_with_hits = 0;
  std::size_t hits = 0;
};

void expectSame(const ShotBatch& parts, const ShotBatch& whole) {
  ASSERT_EQ(parts.shots.size(), whole.shots.size());
  ASSERT_EQ(parts.hits.size(), whole.hits.size());
  for (std::size_t i = 0; i < whole.shots.size(); ++i) {
    ASSERT_EQ(parts.shots[i].status.code(), whole.shots[i].status.code()) << "query " << i;
    ASSERT_EQ(difference(resultOf(parts, i), resultOf(whole, i)), "") << "query " << i;
    ASSERT_EQ(parts.shots[i].version, whole.shots[i].version) << "query " << i;
  }
}

void checkBatches(std::string_view name, bool has_effects, int batches, int queries, Seen& seen) {
  if (std::getenv("FRACTALRAY_LONG_TESTS") != nullptr) batches *= 20;
  Rng rng(name);
  const auto ways = waysToRun();
  for (int i = 0; i < batches; ++i) {
    const std::uint64_t seed = rng.next();
    const int levels = 1 + rng.below(3);
    ShotOptions options = randomOptions(rng);
    // A shot that its own max_steps ends, and that is continued after a cut, has more steps.
    options.max_steps = ShotOptions().max_steps;
    const auto steps = static_cast<std::uint64_t>(rng.pick({1, 20, 300, 3000}));
    EditedScene scene(seed, levels, queries, has_effects);
    ShotBatch whole;
    ASSERT_TRUE(scene.service().shootSegment(scene.queries(), options, whole).ok());
    ASSERT_EQ(whole.completed, whole.shots.size());
    std::vector<std::string> states;
    for (const auto& [way, parallel_for] : ways) {
      SCOPED_TRACE(std::string(name) + " batch " + std::to_string(i) + " from seed " +
                   std::to_string(seed) + ", " + way + ", " + std::to_string(steps) + " steps, " +
                   describe(options));
      EditedScene again(seed, levels, queries, has_effects);
      ShotBatch batch;
      const auto of_way = runInParts(again, options, steps, batch, parallel_for);
      ASSERT_EQ(again.calls, scene.calls);
      ASSERT_NO_FATAL_FAILURE(expectSame(batch, whole));
      if (states.empty()) states = of_way;
      ASSERT_EQ(of_way, states) << "it depends on threads";
      seen.runs += of_way.size();
    }
    seen.hits += whole.hits.size();
  }
}

TEST(BatchStepsTest, InPartsAsAtOnceWithEffects) {
  Seen seen;
  checkBatches("BatchStepsTest.Effects", true, 60, 40, seen);
  EXPECT_GT(seen.runs, 3000U);
  EXPECT_GT(seen.hits, 1000U);
}

TEST(BatchStepsTest, InPartsAsAtOnceWithoutEffects) {
  Seen seen;
  checkBatches("BatchStepsTest.NoEffects", false, 60, 40, seen);
  EXPECT_GT(seen.runs, 3000U);
  EXPECT_GT(seen.hits, 1000U);
}

TEST(BatchStepsTest, ManyQueriesOfSeveralWaves) {
  Seen seen;
  checkBatches("BatchStepsTest.Many", false, 4, 1500, seen);
  checkBatches("BatchStepsTest.ManyEffects", true, 4, 600, seen);
}

// The shot that is cut is the single shot with the steps that were left as its max_steps; and own
// max_steps end shots as they always do.
TEST(BatchStepsTest, AShotThatIsCutIsTheSingleShot) {
  Rng rng("BatchStepsTest.Cut");
  int cut = 0;
  int with_hits = 0;
  for (int round = 0; round < 60; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(3), 25, 1200);
    RayQueryService service(scene->world, scene->entities);
    if (rng.oneIn(2)) {
      service.onBlockHit([](const BlockHit&) { return HitResponse::kContinue; });
    }
    ShotOptions options = randomOptions(rng);
    options.max_batch_steps = static_cast<std::uint64_t>(rng.in(1, 2000));
    std::vector<BatchQuery> queries;
    for (int i = 0; i < 80; ++i) {
      queries.push_back({.line = randomSegment(rng, *scene), .levels = scene->world.allLevels()});
    }
    ThreadExecutor executor(2);
    const ShotBatch batch = service.shootSegment(queries, options, executor).value();
    std::uint64_t left = options.max_batch_steps;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const ShotSummary& shot = batch.shots[i];
      if (left == 0) {
        ASSERT_EQ(shot.progress, BatchProgress::kNotStarted) << i;
        continue;
      }
      ShotOptions single = options;
      single.max_steps = std::min(options.max_steps, left);
      ShotResult alone;
      const absl::Status status = service.shootSegment(std::get<FixedSegment>(queries[i].line),
                                                       queries[i].levels, single, alone);
      ASSERT_EQ(shot.status, status) << i;
      ASSERT_EQ(difference(resultOf(batch, i), alone), "") << i;
      ASSERT_EQ(shot.stats.steps(), alone.stats.steps()) << i;
      const bool is_cut = !status.ok() && single.max_steps < options.max_steps;
      ASSERT_EQ(shot.progress, is_cut ? BatchProgress::kOutOfSteps : BatchProgress::kDone) << i;
      cut += is_cut ? 1 : 0;
      with_hits += is_cut && !alone.hits.empty() ? 1 : 0;
      left -= std::min(single.max_steps, alone.stats.steps());
    }
  }
  EXPECT_GT(cut, 20);
  EXPECT_GT(with_hits, 3);
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
    ShotOptions options{.max_batch_steps = steps};
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

  World world_{{.levels = 1, .block_types = sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<BatchQuery> queries_;
};

TEST_F(SmallBatchTest, NoStepsStartNothing) {
  ShotOptions options{.max_batch_steps = 0};
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
  options.max_batch_steps = ShotOptions().max_batch_steps;
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

// Batches without effects.
TEST(BatchStepsTest, ClosestHitsAndLinesOfSight) {
  Rng rng("BatchStepsTest.First");
  std::size_t cut = 0;
  std::size_t rest = 0;
  for (int round = 0; round < 30; ++round) {
    const auto scene = randomScene(rng, 1 + rng.below(3), 25, 1200);
    const RayQueryService service(scene->world, scene->entities);
    ShotOptions options;
    options.report_unknown = rng.oneIn(2);
    if (rng.oneIn(4)) options.max_steps = 12;
    OcclusionOptions sight{.entities_block = rng.oneIn(2), .max_steps = options.max_steps};
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
          const Hit& hit = part.hits[i];
          if (i >= part.completed) {
            ASSERT_EQ(hit.kind, Hit::Kind::kNone) << i;
          } else {
            ASSERT_EQ(hit.kind, whole.hits[done + i].kind);
            ASSERT_TRUE(hit.kind == Hit::Kind::kNone || isSame(hit, whole.hits[done + i]));
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
  ShotOptions options{.max_batch_steps = 20};
  options.filter.block_filter = [](const BlockHit& hit) {
    if (hit.block[1] == 9) throw std::runtime_error("a wall");
    return true;
  };
  EXPECT_GT(service_.closestHit(queries_, options)->completed, 0U);
  options.max_batch_steps = 1'000'000;
  EXPECT_THROW((void)service_.closestHit(queries_, options), std::runtime_error);
}

// Observers see what was started, with the steps that it had.
class NotingObserver final : public QueryObserver {
 public:
  void onQuery(const ObservedQuery& query, const ObservedAnswer& answer) override {
    notes.push_back(std::string(queryVerbName(query.verb)) + " " +
                    (answer.status == absl::StatusCode::kOk ? "ok" : "cut") + " " +
                    std::to_string(query.after.size()) + "+" + std::to_string(answer.hits.size()));
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
  ShotOptions options{.max_batch_steps = one + 12};
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

}  // namespace
}  // namespace fractalray::oracle
