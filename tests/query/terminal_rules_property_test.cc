// SPDX-License-Identifier: Apache-2.0
// Random terminal rules equal the callbacks that say the same: one by one, a few hits at a time,
// and in batches on any number of threads.
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

#include "fractalray/core/line.h"
#include "fractalray/tests/oracle/random_scene.h"
#include "fractalray/tests/oracle/shot_compare.h"
#include "fractalray/tests/query/batch_fixture.h"

namespace fractalray::oracle {
namespace {

constexpr std::array kPermeable = {kWater, kReeds, kMist};

// What the rules say, kept apart from them: by type, and by category in order.
struct Statement {
  std::vector<double> amounts;
  std::array<TerminalRule, 6> of_block;
  std::vector<std::pair<std::uint64_t, TerminalRule>> of_entities;
};

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
    if (rng.oneIn(2)) some.per_hit = rng.pick({0.1, 0.5, 1.0, 2.0});
    if (rng.oneIn(2)) some.per_block = rng.pick({0.01, 0.25, 1.0, 1e9});
    return some;
  };
  for (TerminalRule& of : statement.of_block)
    of = rule();
  for (std::int64_t i = rng.in(0, 4); i > 0; --i)
    statement.of_entities.emplace_back(rng.next() & rng.next(), rule());
  std::erase_if(statement.of_entities, [](const auto& entry) { return entry.first == 0; });
  return statement;
}

TerminalRules asRules(const Statement& statement) {
  TerminalRules rules;
  for (const double amount : statement.amounts)
    EXPECT_TRUE(rules.addBudget(amount).ok());
  for (std::size_t type = 0; type < statement.of_block.size(); ++type) {
    const auto id = static_cast<BlockTypeId>(type);
    EXPECT_TRUE(rules.setBlock(id, statement.of_block[type]).ok());
  }
  for (const auto& [categories, rule] : statement.of_entities)
    EXPECT_TRUE(rules.setEntities(categories, rule).ok());
  return rules;
}

// Callbacks that say the same, of one shot after another.
class Callbacks {
 public:
  Callbacks(const RandomScene& scene, const Statement& statement)
      : scene_(scene), statement_(statement), service_(scene.world, scene.entities) {
    for (const BlockTypeId type : kPermeable) {
      service_.onBlockHit(type, [this](const BlockHit& hit) {
        return respond(statement_.of_block[BlockTypeTable::index(hit.type)], hit);
      });
    }
    for (std::uint32_t entity_class = 0; entity_class < 3; ++entity_class) {
      service_.onEntityHit(EntityClassId(entity_class), [this](const EntityHit& hit) {
        const std::uint64_t categories = scene_.entities.find(hit.entity)->categories;
        for (const auto& [of, rule] : statement_.of_entities) {
          if ((of & categories) != 0) return respond(rule, hit);
        }
        return HitResponse::kContinue;
      });
    }
  }

  absl::StatusOr<ShotResult> shoot(const UnitQuery& query, const ShotOptions& options) {
    left_ = statement_.amounts;
    stopped_at_.reset();
    length_ = Line(query.segment).lengthBlocks();
    return service_.shootUnits(query.segment, query.levels, options);
  }
  const std::vector<double>& left() const { return left_; }
  const std::optional<double>& stoppedAt() const { return stopped_at_; }

 private:
  HitResponse respond(const TerminalRule& rule, const HitGeometry& hit) {
    if (rule.kind == TerminalRule::Kind::kContinue) return HitResponse::kContinue;
    if (rule.kind == TerminalRule::Kind::kStop) return HitResponse::kStop;
    const auto number = static_cast<std::size_t>(rule.budget);
    const double inside = (hit.t_exit - hit.t) * length_;
    const double cost = rule.per_hit + rule.per_block * inside;
    if (cost > left_[number] + statement_.amounts[number] / (1 << 30)) {
      stopped_at_ = hit.t;
      if (left_[number] > rule.per_hit) {
        *stopped_at_ += (left_[number] - rule.per_hit) / rule.per_block / length_;
      }
      left_[number] = 0;
      return HitResponse::kStop;
    }
    left_[number] = std::max(left_[number] - cost, 0.0);
    return HitResponse::kContinue;
  }

  const RandomScene& scene_;
  const Statement& statement_;
  RayQueryService service_;
  std::vector<double> left_;
  std::optional<double> stopped_at_;
  double length_ = 0;
};

struct Seen {
  int shots = 0;
  int stopped = 0;  // by a budget
  int within = 0;   // of these inside of a block or shape
  int others = 0;   // terminated otherwise
};

// What a ruled shot told has another outcome than the callbacks.
std::string difference(const ShotResult& ruled, const ShotResult& called,
                       const Callbacks& callbacks) {
  ShotResult same = called;
  same.budgets = ruled.budgets;
  same.stopped_at = ruled.stopped_at;
  std::string text = oracle::difference(ruled, same);
  for (std::size_t i = 0; i < kMaxBudgets; ++i) {
    const double left = i < callbacks.left().size() ? callbacks.left()[i] : 0;
    if (ruled.budgets.value()[i] != left) text += "other budget " + std::to_string(i) + "\n";
  }
  const std::optional<double>& at = callbacks.stoppedAt();
  if (ruled.stopped_at.has_value() != at.has_value() ||
      (at.has_value() && std::abs(*ruled.stopped_at - *at) > 1e-12)) {
    text += "stopped_at " + std::to_string(ruled.stopped_at.value_or(-1)) + ", by callbacks " +
            std::to_string(at.value_or(-1)) + "\n";
  }
  return text;
}

ShotOptions randomOptions(Rng& rng) {
  ShotOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.channel = kVisible;
  if (rng.oneIn(5)) options.max_hits = static_cast<std::size_t>(rng.in(0, 4));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(8);
  options.skip_start_inside = rng.oneIn(5);
  return options;
}

// A few hits at a time.
std::string checkGoingOn(const RayQueryService& service, const UnitQuery& query,
                         ShotOptions options, const ShotResult& whole, Rng& rng) {
  if (whole.truncated) return "";
  options.max_hits = static_cast<std::size_t>(rng.in(1, 3));
  absl::StatusOr<ShotResult> shot = service.shootUnits(query.segment, query.levels, options);
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
  ShotOptions options = randomOptions(rng);
  std::vector<UnitQuery> queries;
  std::vector<ShotResult> expected;
  for (int i = 0; i < 25; ++i) {
    const UnitQuery query{.segment = randomSegment(rng, *scene),
                          .levels = scene->world.allLevels()};
    SCOPED_TRACE(describe(query.segment) + ", " + describe(options));
    options.rules = nullptr;
    const auto called = callbacks.shoot(query, options);
    options.rules = &rules;
    const auto ruled = service.shootUnits(query.segment, query.levels, options);
    ASSERT_TRUE(called.ok() && ruled.ok());
    ASSERT_EQ(difference(*ruled, *called, callbacks), "")
        << describe(scene->world, scene->entities, query.segment);
    options.pass = Pass::kPlain;
    const auto plain = service.shootUnits(query.segment, query.levels, options);
    options.pass = Pass::kFast;
    ASSERT_EQ(oracle::difference(*plain, *ruled), "");
    ASSERT_EQ(checkGoingOn(service, query, options, *ruled, rng), "");
    queries.push_back(query);
    expected.push_back(*ruled);
    ++seen.shots;
    seen.stopped += ruled->stopped_at.has_value() ? 1 : 0;
    seen.within +=
        ruled->stopped_at.has_value() && *ruled->stopped_at > geometry(ruled->hits.back()).t ? 1
                                                                                             : 0;
    seen.others += ruled->terminated && !ruled->stopped_at.has_value() ? 1 : 0;
  }
  static ThreadExecutor two(2);
  static ThreadExecutor three(3);
  static ThreadExecutor four(4);
  const std::array<AnyParallelFor, 4> ways = {
      runInTurn, [](std::size_t tasks, Task task) { two(tasks, task); },
      [](std::size_t tasks, Task task) { three(tasks, task); },
      [](std::size_t tasks, Task task) { four(tasks, task); }};
  // Often enough for several tasks.
  std::vector<UnitQuery> many;
  for (int i = 0; i < 5; ++i)
    many.insert(many.end(), queries.begin(), queries.end());
  ShotBatch batch;
  for (const AnyParallelFor& way : ways) {
    ASSERT_TRUE(service.shootSegments(many, options, batch, way).ok());
    for (std::size_t i = 0; i < many.size(); ++i)
      ASSERT_EQ(oracle::difference(resultOf(batch, i), expected[i % expected.size()]), "") << i;
  }
}

// Ten times as many where the environment variable FRACTALRAY_LONG_TESTS is set.
void checkScenes(std::string_view name, int levels, int scenes) {
  if (std::getenv("FRACTALRAY_LONG_TESTS") != nullptr) scenes *= 10;
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
}

TEST(TerminalRulesPropertyTest, OneLevel) {
  checkScenes("TerminalRulesPropertyTest.One", 1, 120);
}
TEST(TerminalRulesPropertyTest, ThreeLevels) {
  checkScenes("TerminalRulesPropertyTest.Three", 3, 80);
}

}  // namespace
}  // namespace fractalray::oracle
