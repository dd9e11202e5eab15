// SPDX-License-Identifier: Apache-2.0
// Random batches with a limit of steps for all their queries: what is done, cut and not started is
// the same for any number of threads, and resumed until it is complete a batch is what it is
// without a limit, call for call.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle::batch_steps_property_test {
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
  // Edits the thing just hit, which is not hit again whatever becomes of it.
  void editHit(const Hit& hit) {
    if (hit.isBlock()) {
      std::ignore = scene_->world.setBlock(hit.level, hit.block, rng_.oneIn(2) ? kAir : kReeds);
    } else if (rng_.oneIn(2)) {
      std::ignore = scene_->entities.remove(hit.entity);
    } else {
      std::ignore = scene_->entities.move(hit.entity, toBlocks(somePoint()));
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
                                        .position = toBlocks(somePoint())});
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

QueryOptions randomOptions(Rng& rng) {
  static const TerminalRules rules = someRules();
  QueryOptions options;
  options.corner = CornerPolicy::kBoth;  // of the hits that queries resume after
  if (rng.oneIn(4)) options.filter.channel = kVisible;
  if (rng.oneIn(3)) options.max_hits = static_cast<std::size_t>(rng.in(0, 6));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(6);
  if (rng.oneIn(8)) options.pass = SearchPass::kPlain;
  if (rng.oneIn(3)) options.rules = &rules;
  options.report_level_spans = rng.oneIn(2);
  return options;
}

// Returns the state of a batch after a run as text: all of it that must not depend on threads.
std::string stateOf(const ShotBatch& batch) {
  std::string text = std::to_string(batch.completed);
  for (const ShotSummary& shot : batch.shots) {
    text += " " + std::to_string(static_cast<int>(shot.progress)) + ":" +
            std::to_string(shot.hits_end - shot.hits_begin) + ":" +
            std::to_string(shot.stats.steps());
  }
  return text;
}

// Expects shots that are done, then perhaps one that was cut, then those not started.
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
std::vector<std::string> runInParts(EditedScene& scene, QueryOptions options, std::uint64_t steps,
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
  if (isLongRun()) batches *= 20;
  Rng rng(name);
  const auto ways = waysToRun();
  for (int i = 0; i < batches; ++i) {
    const std::uint64_t seed = rng.next();
    const int levels = 1 + rng.below(3);
    const QueryOptions options = randomOptions(rng);
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

TEST(BatchStepsPropertyTest, InPartsAsAtOnceWithEffects) {
  Seen seen;
  checkBatches("BatchStepsPropertyTest.Effects", true, 60, 40, seen);
  EXPECT_GT(seen.runs, 2000U);
  EXPECT_GT(seen.hits, 1000U);
}

TEST(BatchStepsPropertyTest, InPartsAsAtOnceWithoutEffects) {
  Seen seen;
  checkBatches("BatchStepsPropertyTest.NoEffects", false, 60, 40, seen);
  EXPECT_GT(seen.runs, 2000U);
  EXPECT_GT(seen.hits, 1000U);
}

TEST(BatchStepsPropertyTest, ManyQueriesOfSeveralWaves) {
  Seen seen;
  checkBatches("BatchStepsPropertyTest.Many", false, 4, 1500, seen);
  checkBatches("BatchStepsPropertyTest.ManyEffects", true, 4, 600, seen);
}

}  // namespace
}  // namespace fractalray::oracle::batch_steps_property_test
