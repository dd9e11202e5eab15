// SPDX-License-Identifier: Apache-2.0
// Checks that random terminal rules equal the callbacks that express the same: one by one, a few
// hits at a time, and in batches on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/internal/geometry/line.h"
#include "../../query/hit_spans.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/shape_oracle.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle::terminal_rules_property_test {
namespace {

constexpr std::array kPermeable = {kWater, kReeds, kMist, kSlab, kStairs};

constexpr std::size_t kTypes = 9;

// The rules, kept apart from the library's: by type and level, in the order in which they are set,
// and by category and level in order.
struct Statement {
  struct OfBlock {
    std::size_t type = 0;
    LevelMask levels;
    TerminalRule rule;
  };
  struct OfEntity {
    std::uint64_t categories = 0;
    LevelMask levels;
    TerminalRule rule;
  };
  std::vector<double> amounts;
  std::vector<OfBlock> of_blocks;
  std::vector<OfEntity> of_entities;

  // Return the last rule that fits, and the first.
  TerminalRule ruleOf(const BlockHit& hit) const {
    TerminalRule found;
    for (const OfBlock& each : of_blocks) {
      if (each.type == BlockTypeTable::index(hit.type) && each.levels.contains(hit.level)) {
        found = each.rule;
      }
    }
    return found;
  }
  TerminalRule ruleOf(const EntityHit& hit, std::uint64_t categories) const {
    for (const OfEntity& each : of_entities) {
      if ((each.categories & categories) != 0 && each.levels.contains(hit.level)) return each.rule;
    }
    return {};
  }
};

LevelMask randomLevels(Rng& rng) {
  if (rng.oneIn(2)) return LevelMask::all();
  LevelMask levels{rng.below(3)};
  if (rng.oneIn(2)) levels.add(rng.below(3));
  return levels;
}

Statement randomStatement(Rng& rng) {
  Statement statement;
  for (std::int64_t i = rng.in(1, 4); i > 0; --i)
    statement.amounts.push_back(rng.pick({0.0, 0.3, 1.0, 2.0, 3.0, 10.0, 500.0}));
  const auto rule = [&] {
    TerminalRule some;
    some.kind =
        rng.pick({TerminalRule::Kind::kContinue, TerminalRule::Kind::kStop,
                  TerminalRule::Kind::kCost, TerminalRule::Kind::kCost, TerminalRule::Kind::kCost});
    some.budget =
        BudgetId(static_cast<std::uint8_t>(rng.below(static_cast<int>(statement.amounts.size()))));
    some.touch_costs = rng.oneIn(4);
    if (rng.oneIn(2)) some.per_hit = rng.pick({0.1, 0.5, 1.0, 2.0});
    if (rng.oneIn(2)) some.per_block = rng.pick({0.01, 0.25, 1.0, 1e9});
    return some;
  };
  for (std::size_t type = 0; type < kTypes; ++type) {
    statement.of_blocks.push_back({type, LevelMask::all(), rule()});
    for (std::int64_t i = rng.in(0, 2); i > 0; --i)
      statement.of_blocks.push_back({type, randomLevels(rng), rule()});
  }
  for (std::int64_t i = rng.in(0, 4); i > 0; --i) {
    const std::uint64_t categories = (rng.next() & rng.next()) | (std::uint64_t{1} << i);
    statement.of_entities.push_back({categories, randomLevels(rng), rule()});
  }
  return statement;
}

TerminalRules asRules(const Statement& statement) {
  TerminalRules rules;
  for (const double amount : statement.amounts)
    EXPECT_TRUE(rules.addBudget(amount).ok());
  for (const Statement::OfBlock& each : statement.of_blocks) {
    const auto id = static_cast<BlockTypeId>(each.type);
    EXPECT_TRUE(rules.setBlock(id, each.rule, each.levels).ok());
  }
  for (const Statement::OfEntity& each : statement.of_entities)
    EXPECT_TRUE(rules.setEntities(each.categories, each.rule, each.levels).ok());
  return rules;
}

// Callbacks that express the same, for one shot after another.
class Callbacks {
 public:
  Callbacks(const RandomScene& scene, const Statement& statement)
      : scene_(scene), statement_(statement), service_(scene.world, scene.entities) {
    for (const BlockTypeId type : kPermeable) {
      std::ignore = service_.onBlockHit(type, [this](const BlockHit& hit) {
        const TerminalRule rule = statement_.ruleOf(hit);
        const bool costs = rule.kind == TerminalRule::Kind::kCost;
        if (costs && !rule.touch_costs && isTouched(hit)) {
          ++touched_;
          return HitResponse::kContinue;
        }
        return respond(rule, hit, spansOf(hit));
      });
    }
    for (std::uint32_t entity_class = 0; entity_class < 3; ++entity_class) {
      service_.onEntityHit(EntityClassId(entity_class), [this](const EntityHit& hit) {
        const std::uint64_t categories = scene_.entities.find(hit.entity)->categories;
        return respond(statement_.ruleOf(hit, categories), hit, {{hit.t, hit.t_exit}});
      });
    }
  }

  absl::StatusOr<ShotResult> shoot(const BatchQuery& query, const QueryOptions& options) {
    left_ = statement_.amounts;
    stopped_at_.reset();
    segment_ = std::get<FixedSegment>(query.line);
    length_ = Line(std::get<FixedSegment>(query.line)).lengthBlocks();
    options_ = options;
    return service_.shootSegment(std::get<FixedSegment>(query.line), query.levels, options);
  }
  double left(std::size_t i) const { return i < left_.size() ? std::max(left_[i], 0.0) : 0; }
  const std::optional<double>& stoppedAt() const { return stopped_at_; }
  int touched() const { return touched_; }

 private:
  std::vector<HitSpan> spansOf(const BlockHit& hit) const {
    std::vector<HitSpan> spans;
    const ShapeId shape = scene_.world.blockTypes().shape(hit.type, options_.filter.channel);
    if (shape == kWholeCube) return {{hit.t, hit.t_exit}};
    EXPECT_TRUE(hitSpans(scene_.world, segment_, hit, options_, spans).ok());
    return spans;
  }

  HitResponse respond(const TerminalRule& rule, const HitGeometry& hit,
                      const std::vector<HitSpan>& spans) {
    if (rule.kind == TerminalRule::Kind::kContinue) return HitResponse::kContinue;
    if (rule.kind == TerminalRule::Kind::kStop) return HitResponse::kStop;
    const auto number = static_cast<std::size_t>(rule.budget);
    double sum = 0;
    for (const HitSpan& span : spans)
      sum += span.t1 - span.t0;
    const double inside = std::max((hit.t + sum) - hit.t, 0.0) * length_;
    const double cost = rule.per_hit + rule.per_block * inside;
    const double slack = statement_.amounts[number] / (1 << 30);
    if (cost > left_[number] + slack) {
      stopped_at_ = hit.t;
      if (left_[number] > rule.per_hit) {
        double way = (left_[number] - rule.per_hit) / rule.per_block / length_;
        for (const HitSpan& span : spans) {
          stopped_at_ = span.t0 + std::min(way, span.t1 - span.t0);
          way -= span.t1 - span.t0;
          if (way <= 0) break;
        }
      }
      left_[number] = -slack;
      return HitResponse::kStop;
    }
    left_[number] = std::max(left_[number] - cost, -slack);
    return HitResponse::kContinue;
  }

  // Returns true if the segment has one point of the block only, by the exact oracle.
  bool isTouched(const BlockHit& hit) const {
    const std::int64_t width = scene_.world.frame().blockWidth(hit.level);
    const BlockTypeTable& types = scene_.world.blockTypes();
    const ShapeId shape = types.shape(hit.type, options_.filter.channel);
    if (shape != kWholeCube) {
      const Vec3i corner{hit.block[0] * width, hit.block[1] * width, hit.block[2] * width};
      const std::optional<ShapeVisit> visit =
          visitShape(segment_, options_.corner, types.boxes(shape), corner, width);
      return visit.has_value() && std::all_of(visit->spans.begin(), visit->spans.end(),
                                              [](const auto& s) { return s.first == s.second; });
    }
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = hit.block[axis] * width;
      max[axis] = min[axis] + width;
    }
    const std::optional<BoxPart> part = partInBox(segment_, min, max);
    return part.has_value() && part->enter == part->exit;
  }

  const RandomScene& scene_;
  const Statement& statement_;
  RayQueryService service_;
  std::vector<double> left_;
  std::optional<double> stopped_at_;
  FixedSegment segment_;
  QueryOptions options_;
  double length_ = 0;
  int touched_ = 0;
};

struct Seen {
  int shots = 0;
  int stopped = 0;  // by a budget
  int within = 0;   // of these inside of a block or shape
  int others = 0;   // terminated otherwise
  int touched = 0;  // blocks that would cost if they were more than touched
};

// Returns how a ruled shot differs from the shot with callbacks.
std::string difference(const ShotResult& ruled, const ShotResult& called,
                       const Callbacks& callbacks) {
  ShotResult same = called;
  same.budgets = ruled.budgets;
  same.stopped_at = ruled.stopped_at;
  std::string text = oracle::difference(ruled, same);
  for (std::size_t i = 0; i < kMaxBudgets; ++i) {
    if (ruled.budgets.value()[i] != callbacks.left(i))
      text += "other budget " + std::to_string(i) + "\n";
  }
  const std::optional<double>& at = callbacks.stoppedAt();
  if (ruled.stopped_at.has_value() != at.has_value() ||
      (at.has_value() && std::abs(*ruled.stopped_at - *at) > 1e-12)) {
    text += "stopped_at " + std::to_string(ruled.stopped_at.value_or(-1)) + ", by callbacks " +
            std::to_string(at.value_or(-1)) + "\n";
  }
  return text;
}

QueryOptions randomOptions(Rng& rng) {
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.filter.channel = kVisible;
  if (rng.oneIn(5)) options.max_hits = static_cast<std::size_t>(rng.in(0, 4));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(8);
  options.filter.skip_start_inside = rng.oneIn(5);
  return options;
}

// Shoots a few hits at a time.
std::string checkGoingOn(const RayQueryService& service, const BatchQuery& query,
                         QueryOptions options, const ShotResult& whole, Rng& rng) {
  if (whole.truncated) return "";
  options.max_hits = static_cast<std::size_t>(rng.in(1, 3));
  absl::StatusOr<ShotResult> shot =
      service.shootSegment(std::get<FixedSegment>(query.line), query.levels, options);
  while (shot.ok() && shot->truncated) {
    const absl::Status status = service.resume(*shot, query.levels, options);
    if (!status.ok()) return status.ToString();
  }
  return shot.ok() ? oracle::difference(*shot, whole) : shot.status().ToString();
}

void checkScene(Rng& rng, int levels, Seen& seen) {
  const auto scene = randomScene(rng, levels, 60, 2000);
  const RayQueryService service(scene->world, scene->entities);
  const Statement statement = randomStatement(rng);
  const TerminalRules rules = asRules(statement);
  Callbacks callbacks(*scene, statement);
  QueryOptions options = randomOptions(rng);
  std::vector<BatchQuery> queries;
  std::vector<ShotResult> expected;
  for (int i = 0; i < 25; ++i) {
    const BatchQuery query{.line = randomSegment(rng, *scene), .levels = scene->world.allLevels()};
    SCOPED_TRACE(describe(std::get<FixedSegment>(query.line)) + ", " + describe(options));
    options.rules = nullptr;
    const auto called = callbacks.shoot(query, options);
    options.rules = &rules;
    const auto ruled =
        service.shootSegment(std::get<FixedSegment>(query.line), query.levels, options);
    ASSERT_TRUE(called.ok() && ruled.ok());
    ASSERT_EQ(difference(*ruled, *called, callbacks), "")
        << describe(scene->world, scene->entities, std::get<FixedSegment>(query.line));
    options.pass = SearchPass::kPlain;
    const auto plain =
        service.shootSegment(std::get<FixedSegment>(query.line), query.levels, options);
    options.pass = SearchPass::kFast;
    ASSERT_EQ(oracle::difference(*plain, *ruled), "");
    ASSERT_EQ(checkGoingOn(service, query, options, *ruled, rng), "");
    queries.push_back(query);
    expected.push_back(*ruled);
    ++seen.shots;
    seen.stopped += ruled->stopped_at.has_value() ? 1 : 0;
    seen.within +=
        ruled->stopped_at.has_value() && *ruled->stopped_at > ruled->hits.back().t ? 1 : 0;
    seen.others += ruled->terminated && !ruled->stopped_at.has_value() ? 1 : 0;
  }
  seen.touched += callbacks.touched();
  static ThreadExecutor two(2);
  static ThreadExecutor three(3);
  static ThreadExecutor four(4);
  const std::array<AnyParallelFor, 4> ways = {
      runSerially, [](std::size_t tasks, Task task) { two(tasks, task); },
      [](std::size_t tasks, Task task) { three(tasks, task); },
      [](std::size_t tasks, Task task) { four(tasks, task); }};
  // Often enough for several tasks.
  std::vector<BatchQuery> many;
  for (int i = 0; i < 5; ++i)
    many.insert(many.end(), queries.begin(), queries.end());
  ShotBatch batch;
  for (const AnyParallelFor& way : ways) {
    ASSERT_TRUE(service.shootSegment(many, options, batch, way).ok());
    for (std::size_t i = 0; i < many.size(); ++i)
      ASSERT_EQ(oracle::difference(resultOf(batch, i), expected[i % expected.size()]), "") << i;
  }
}

// Effects that stop some of the shots and change the version of the index, but nothing in it: so a
// shot of a batch continues after each of them with its remaining budgets.
void checkEffects(Rng& rng, int levels, int& stopped) {
  const auto scene = randomScene(rng, levels, 60, 2000);
  if (scene->entities.size() == 0) return;
  RayQueryService service(scene->world, scene->entities);
  const EntityHandle some = scene->entities.all().front();
  const Vec3d position = toBlocks(scene->entities.find(some)->position);
  for (const BlockTypeId type : kPermeable) {
    const absl::Status status = service.onBlockHit(type, [&](const BlockHit& hit) {
      EXPECT_TRUE(scene->entities.move(some, position).ok());
      return (hit.block[0] + hit.block[1]) % 7 == 0 ? HitResponse::kStop : HitResponse::kContinue;
    });
    ASSERT_TRUE(status.ok());
  }
  const TerminalRules rules = asRules(randomStatement(rng));
  QueryOptions options = randomOptions(rng);
  options.rules = &rules;
  std::vector<BatchQuery> queries;
  std::vector<ShotResult> expected;
  for (int i = 0; i < 100; ++i) {
    const BatchQuery query{.line = randomSegment(rng, *scene), .levels = scene->world.allLevels()};
    queries.push_back(query);
    expected.push_back(
        service.shootSegment(std::get<FixedSegment>(query.line), query.levels, options).value());
    stopped += expected.back().stopped_at.has_value() ? 1 : 0;
  }
  static ThreadExecutor three(3);
  const std::array<AnyParallelFor, 2> ways = {
      runSerially, [](std::size_t tasks, Task task) { three(tasks, task); }};
  ShotBatch batch;
  for (const AnyParallelFor& way : ways) {
    ASSERT_TRUE(service.shootSegment(queries, options, batch, way).ok());
    for (std::size_t i = 0; i < queries.size(); ++i)
      ASSERT_EQ(oracle::difference(resultOf(batch, i), expected[i]), "") << i;
  }
}

// Ten times as many if the environment variable FRACTALRAY_LONG_TESTS is set.
void checkScenes(std::string_view name, int levels, int scenes) {
  if (isLongRun()) scenes *= 10;
  Rng rng(name);
  Seen seen;
  for (int i = 0; i < scenes; ++i) {
    SCOPED_TRACE(std::string(name) + " scene " + std::to_string(i) + " from seed " +
                 std::to_string(rng.seed()));
    ASSERT_NO_FATAL_FAILURE(checkScene(rng, levels, seen));
  }
  EXPECT_GT(seen.stopped, seen.shots / 20);
  EXPECT_GT(seen.within, seen.shots / 100);
  EXPECT_GT(seen.others, seen.shots / 20);
  EXPECT_GT(seen.touched, seen.shots / 100);
}

TEST(TerminalRulesPropertyTest, RulesEqualCallbacksOnOneLevel) {
  checkScenes("TerminalRulesPropertyTest.One", 1, 120);
}
TEST(TerminalRulesPropertyTest, RulesEqualCallbacksInBatchesWithEffects) {
  Rng rng("TerminalRulesPropertyTest.Effects");
  int stopped = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE("scene " + std::to_string(i) + " from seed " + std::to_string(rng.seed()));
    ASSERT_NO_FATAL_FAILURE(checkEffects(rng, static_cast<int>(rng.in(1, 3)), stopped));
  }
  EXPECT_GT(stopped, 100);
}
TEST(TerminalRulesPropertyTest, RulesEqualCallbacksOnThreeLevels) {
  checkScenes("TerminalRulesPropertyTest.Three", 3, 80);
}

}  // namespace
}  // namespace fractalray::oracle::terminal_rules_property_test
