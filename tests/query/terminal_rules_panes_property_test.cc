// SPDX-License-Identifier: Apache-2.0
// Random terminal rules that charge panes equal a model that goes through all that the line hits,
// with exact times of its own: in one shot, resumed at every hit, by a cursor, and in batches on
// any number of threads, with steps limited too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/geometry/line.h"
#include "../oracle/long_run.h"
#include "../oracle/shape_oracle.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "pane_scene.h"

namespace fractalray::oracle {
namespace {

constexpr std::array kPermeable = {kWater, kReeds, kMist, kSlab, kStairs};

// The rules of all types on all levels, apart from the table that is tested.
struct Statement {
  std::vector<double> amounts;
  std::map<std::pair<BlockTypeId, int>, TerminalRule> blocks;
  TerminalRule entities;
};

Statement randomStatement(Rng& rng, int levels) {
  Statement statement;
  for (std::int64_t i = rng.in(1, 3); i > 0; --i)
    statement.amounts.push_back(rng.pick({1.0, 2.0, 5.0, 12.0, 400.0}));
  const auto rule = [&] {
    TerminalRule some;
    some.kind = rng.oneIn(8) ? TerminalRule::Kind::kContinue : TerminalRule::Kind::kCost;
    some.budget =
        BudgetId(static_cast<std::uint8_t>(rng.below(static_cast<int>(statement.amounts.size()))));
    some.touch_costs = rng.oneIn(3);
    some.per_pane = !rng.oneIn(4);
    some.per_hit = rng.pick({0.0, 0.5, 1.0, 1.0, 2.0});
    if (rng.oneIn(4)) some.per_block = rng.pick({0.25, 1.0});
    return some;
  };
  for (const BlockTypeId type : kPermeable) {
    const TerminalRule of_all = rule();
    for (int level = 0; level < levels; ++level)
      statement.blocks[{type, level}] = rng.oneIn(3) ? rule() : of_all;
  }
  statement.entities = rule();
  return statement;
}

TerminalRules asRules(const Statement& statement) {
  TerminalRules rules;
  for (const double amount : statement.amounts)
    EXPECT_TRUE(rules.addBudget(amount).ok());
  for (const auto& [key, rule] : statement.blocks)
    EXPECT_TRUE(rules.setBlock(key.first, rule, {key.second}).ok());
  EXPECT_TRUE(rules.setEntities(~std::uint64_t{0}, statement.entities).ok());
  return rules;
}

// The expected outcome of a shot, computed from the hits that it would have without rules.
struct Model {
  std::size_t hits = 0;
  std::optional<double> stopped_at;
  std::vector<double> left;
  int free = 0;  // blocks that continued a pane
};

class Charger {
 public:
  Charger(const World& world, const QueryOptions& options, const Statement& statement,
          const FixedSegment& segment)
      : world_(world), options_(options), statement_(statement), segment_(segment) {
    model_.left = statement.amounts;
  }

  Model run(const std::vector<Hit>& hits) {
    for (const Hit& hit : hits) {
      ++model_.hits;
      if (hit.terminal || !charge(hit)) break;
    }
    for (double& left : model_.left)
      left = std::max(left, 0.0);
    return model_;
  }

 private:
  struct Pane {
    BlockTypeId type;
    Rational end;
  };
  using Spans = std::vector<std::pair<Rational, Rational>>;

  // False if the shot ends there.
  bool charge(const Hit& hit) {
    if (hit.isEntity()) {
      return pay(statement_.entities, statement_.entities.per_hit, {{hit.t, hit.t_exit}});
    }
    const auto found = statement_.blocks.find({hit.type, hit.level});
    if (found == statement_.blocks.end()) return true;
    const TerminalRule& rule = found->second;
    const Spans spans = spansIn(hit);
    const bool is_touched = std::all_of(spans.begin(), spans.end(),
                                        [](const auto& span) { return span.first == span.second; });
    if (is_touched && !rule.touch_costs) return true;
    double per_hit = rule.per_hit;
    if (rule.per_pane && rule.kind == TerminalRule::Kind::kCost) {
      std::optional<Pane>& pane = panes_[hit.level];
      if (pane.has_value() && pane->type == hit.type && pane->end == spans.front().first) {
        per_hit = 0;
        ++model_.free;
      }
      pane = {hit.type, spans.back().second};
    }
    std::vector<std::pair<double, double>> times;
    for (const auto& [from, to] : spans)
      times.emplace_back(toDouble(from), toDouble(to));
    return pay(rule, per_hit, times);
  }

  // The parts of the segment inside a block, or inside its shape.
  Spans spansIn(const Hit& hit) const {
    const std::int64_t width = world_.frame().blockWidth(hit.level);
    Vec3i min;
    for (int axis = 0; axis < 3; ++axis)
      min[axis] = hit.block[axis] * width;
    const BlockTypeTable& types = world_.blockTypes();
    const ShapeId shape = types.shape(hit.type, options_.filter.channel);
    if (shape != kWholeCube) {
      return visitShape(segment_, options_.corner, types.boxes(shape), min, width).value().spans;
    }
    const BoxPart part = partInBox(segment_, min, min + Vec3i{width, width, width}).value();
    return {{part.enter, part.exit}};
  }

  bool pay(const TerminalRule& rule, double per_hit,
           const std::vector<std::pair<double, double>>& spans) {
    if (rule.kind != TerminalRule::Kind::kCost) return true;
    const auto number = static_cast<std::size_t>(rule.budget);
    const double length = Line(segment_).lengthBlocks();
    double inside = 0;
    for (const auto& [from, to] : spans)
      inside += std::max(to - from, 0.0) * length;
    const double cost = per_hit + rule.per_block * inside;
    const double slack = statement_.amounts[number] / (1 << 30);
    double& left = model_.left[number];
    if (cost <= left + slack) {
      left = std::max(left - cost, -slack);
      return true;
    }
    model_.stopped_at = spans.front().first;
    if (left > per_hit) {
      double way = (left - per_hit) / rule.per_block / length;
      for (const auto& [from, to] : spans) {
        model_.stopped_at = from + std::min(way, to - from);
        way -= to - from;
        if (way <= 0) break;
      }
    }
    left = -slack;
    return false;
  }

  const World& world_;
  const QueryOptions& options_;
  const Statement& statement_;
  const FixedSegment& segment_;
  std::map<int, std::optional<Pane>> panes_;
  Model model_;
};

std::string difference(const ShotResult& shot, const ShotResult& unruled, const Model& model) {
  std::string text;
  if (shot.hits.size() != model.hits) {
    return std::to_string(shot.hits.size()) + " hits, not " + std::to_string(model.hits) + "\n";
  }
  for (std::size_t i = 0; i < model.hits; ++i) {
    Hit expected = unruled.hits[i];
    expected.terminal |= i + 1 == model.hits && model.stopped_at.has_value();
    if (!isSame(shot.hits[i], expected)) text += "hit " + std::to_string(i) + "\n";
  }
  for (std::size_t i = 0; i < model.left.size(); ++i) {
    if (std::abs(shot.budgets.value()[i] - model.left[i]) > 1e-9 * (1 + model.left[i]))
      text += "budget " + std::to_string(i) + ": " + std::to_string(shot.budgets.value()[i]) +
              ", not " + std::to_string(model.left[i]) + "\n";
  }
  const auto& at = model.stopped_at;
  if (shot.stopped_at.has_value() != at.has_value() ||
      (at.has_value() && std::abs(*shot.stopped_at - *at) > 1e-12)) {
    text += "stopped_at\n";
  }
  return text;
}

class PanesPropertyTest : public testing::Test {
 protected:
  void checkScene(Rng& rng, int levels) {
    PaneScene scene(rng, levels);
    const LevelMask mask = scene.world().allLevels();
    const RayQueryService service(scene.world(), scene.entities());
    const Statement statement = randomStatement(rng, levels);
    const TerminalRules rules = asRules(statement);
    QueryOptions options;
    options.corner = static_cast<CornerPolicy>(rng.below(3));
    if (rng.oneIn(3)) options.filter.channel = kVisible;
    options.filter.skip_start_inside = rng.oneIn(5);
    std::vector<BatchQuery> queries;
    std::vector<ShotResult> expected;
    for (int i = 0; i < 25; ++i) {
      const FixedSegment segment = scene.segment(rng);
      SCOPED_TRACE(describe(segment) + ", " + describe(options));
      const ShotResult unruled = service.shootSegment(segment, mask, options).value();
      const Model model = Charger(scene.world(), options, statement, segment).run(unruled.hits);
      QueryOptions ruled = options;
      ruled.rules = &rules;
      const ShotResult shot = service.shootSegment(segment, mask, ruled).value();
      ASSERT_EQ(difference(shot, unruled, model), "")
          << describe(scene.world(), scene.entities(), segment);
      ASSERT_NO_FATAL_FAILURE(checkOtherWays(service, segment, mask, ruled, shot));
      queries.push_back({.line = segment, .levels = mask});
      expected.push_back(shot);
      count(shot, model);
    }
    options.rules = &rules;
    ASSERT_NO_FATAL_FAILURE(checkBatches(service, queries, options, expected));
  }

  // By the plain pass, resumed at every hit, and by a cursor.
  static void checkOtherWays(const RayQueryService& service, const FixedSegment& segment,
                             LevelMask levels, QueryOptions options, const ShotResult& whole) {
    options.pass = SearchPass::kPlain;
    ASSERT_EQ(oracle::difference(service.shootSegment(segment, levels, options).value(), whole),
              "");
    options.pass = SearchPass::kFast;
    HitCursor cursor = service.hitsAlong(segment, levels, options).value();
    while (cursor.next().value() != nullptr) {
    }
    ASSERT_EQ(oracle::difference(cursor.shot(), whole), "") << "a cursor";
    options.max_hits = 1;
    ShotResult parts = service.shootSegment(segment, levels, options).value();
    while (parts.truncated)
      ASSERT_TRUE(service.resume(parts, levels, options).ok());
    ASSERT_EQ(oracle::difference(parts, whole), "") << "resumed at every hit";
  }

  static void checkBatches(const RayQueryService& service, const std::vector<BatchQuery>& queries,
                           QueryOptions options, const std::vector<ShotResult>& expected) {
    static const auto ways = waysToRun();
    ShotBatch batch;
    for (const auto& [name, way] : ways) {
      for (const std::uint64_t steps : {QueryOptions().max_batch_steps, std::uint64_t{50}}) {
        options.max_batch_steps = steps;
        ASSERT_TRUE(service.shootSegment(queries, options, batch, way).ok());
        while (batch.completed < queries.size()) {
          options.max_batch_steps += options.max_batch_steps / 2;
          ASSERT_TRUE(service.resume(queries, options, batch, way).ok());
        }
        for (std::size_t i = 0; i < queries.size(); ++i)
          ASSERT_EQ(oracle::difference(resultOf(batch, i), expected[i]), "") << name << ", " << i;
      }
    }
  }

  // Ten times as many where FRACTALRAY_LONG_TESTS is set; as many with a sanitizer: a third is too
  // few for expectEnough().
  void checkScenes(std::string_view name, int levels, int scenes) {
    if (isLongRun()) scenes *= 10;
    Rng rng(name);
    for (int i = 0; i < scenes; ++i) {
      SCOPED_TRACE(std::string(name) + " scene " + std::to_string(i) + " from seed " +
                   std::to_string(rng.seed()));
      ASSERT_NO_FATAL_FAILURE(checkScene(rng, levels));
    }
    expectEnough();
  }

  void count(const ShotResult& shot, const Model& model) {
    ++shots_;
    stopped_ += shot.stopped_at.has_value() ? 1 : 0;
    in_panes_ += model.free > 0 ? 1 : 0;
  }
  void expectEnough() const {
    EXPECT_GT(stopped_, shots_ / 8);
    EXPECT_GT(in_panes_, shots_ / 4) << "shots that are charged once for blocks of a pane";
  }

  int shots_ = 0;
  int stopped_ = 0;
  int in_panes_ = 0;
};

TEST_F(PanesPropertyTest, OneLevel) {
  checkScenes("PanesPropertyTest.One", 1, 60);
}
TEST_F(PanesPropertyTest, ThreeLevels) {
  checkScenes("PanesPropertyTest.Three", 3, 60);
}

// Effects that move an entity to where it is, so that a shot of a batch begins again after each of
// them, and that respond kAgain at times.
TEST_F(PanesPropertyTest, EffectsInBatches) {
  Rng rng("PanesPropertyTest.Effects");
  for (int round = 0; round < 30; ++round) {
    const int levels = 1 + rng.below(3);
    PaneScene scene(rng, levels);
    EntityIndex& entities = scene.entities();
    if (entities.size() == 0) continue;
    const LevelMask mask = scene.world().allLevels();
    RayQueryService service(scene.world(), entities);
    const EntityHandle some = entities.all().front();
    const Vec3d position = toBlocks(entities.find(some)->position);
    for (const BlockTypeId type : kPermeable) {
      const absl::Status status = service.onBlockHit(type, [&](const BlockHit& hit) {
        EXPECT_TRUE(entities.move(some, position).ok());
        return (hit.block[0] + hit.block[1]) % 3 == 0 ? HitResponse::kAgain
                                                      : HitResponse::kContinue;
      });
      ASSERT_TRUE(status.ok());
    }
    const Statement statement = randomStatement(rng, levels);
    const TerminalRules rules = asRules(statement);
    const RayQueryService silent(scene.world(), entities);
    const QueryOptions options{.rules = &rules};
    std::vector<BatchQuery> queries;
    std::vector<ShotResult> expected;
    for (int i = 0; i < 40; ++i) {
      const FixedSegment segment = scene.segment(rng);
      queries.push_back({.line = segment, .levels = mask});
      expected.push_back(silent.shootSegment(segment, mask, options).value());
      const ShotResult shot = service.shootSegment(segment, mask, options).value();
      ASSERT_EQ(oracle::difference(shot, expected.back()), "");
      const ShotResult unruled = silent.shootSegment(segment, mask).value();
      count(shot, Charger(scene.world(), options, statement, segment).run(unruled.hits));
    }
    ASSERT_NO_FATAL_FAILURE(checkBatches(service, queries, options, expected)) << round;
  }
  expectEnough();
}

}  // namespace
}  // namespace fractalray::oracle
