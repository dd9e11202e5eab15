// SPDX-License-Identifier: Apache-2.0
// Explanations come to the hits of the shot, in random worlds near and far; and what is saved of
// one is answered as the shot was.
#include "../../query/explain/explanation.h"

#include <array>
#include <bit>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "../../query/ray_query_service.h"
#include "../../tools/program/explanation_text.h"
#include "../../tools/program/scenario_export.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::oracle {
namespace {

std::shared_ptr<const NamedRules> randomRules(Rng& rng) {
  auto named = std::make_shared<NamedRules>();
  named->name = rng.pick<const char*>({"", "a bullet"});
  named->budgets = {"gold", "\"silver\""};
  const std::vector<BudgetId> budgets = {named->rules.addBudget(rng.pick({0.0, 0.3, 3.0})).value(),
                                         named->rules.addBudget(20).value()};
  const auto rule = [&] {
    TerminalRule some;
    some.kind = rng.pick({TerminalRule::Kind::kContinue, TerminalRule::Kind::kStop,
                          TerminalRule::Kind::kCost, TerminalRule::Kind::kCost});
    if (some.kind != TerminalRule::Kind::kCost) return some;
    some.budget = budgets[static_cast<std::size_t>(rng.below(2))];
    some.touch_costs = rng.oneIn(3);
    some.per_pane = rng.oneIn(2);
    some.per_hit = rng.pick({0.0, 0.1, 1.0});
    some.per_block = rng.pick({0.0, 0.25, 1.0});
    return some;
  };
  for (const BlockTypeId type : {kWater, kReeds, kMist}) {
    EXPECT_TRUE(named->rules.setBlock(type, rule()).ok());
    if (rng.oneIn(2)) {
      EXPECT_TRUE(named->rules.setBlock(type, rule(), {rng.below(4)}).ok());
    }
  }
  EXPECT_TRUE(named->rules.setEntities(rng.next() | 1, rule(), {rng.below(3), 3}).ok());
  EXPECT_TRUE(named->rules.setEntities(rng.next() | 1, rule()).ok());
  return named;
}

// A shot as a scenario asks it: ends that doubles can say.
ShotQuery randomQuery(Rng& rng, const RandomScene& scene) {
  ShotQuery query;
  query.line = toBlocks(randomSegment(rng, scene));
  while (query.levels.activeIn(scene.world.frame()).empty()) {
    for (int level = 0; level < kMaxLevels; ++level) {
      if (rng.oneIn(2)) query.levels.add(level);
    }
  }
  query.options.corner =
      rng.pick({CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase});
  query.channel = rng.pick<const char*>({"default", "visible", "nobody's"});
  if (rng.oneIn(4)) query.options.filter.categories = rng.next();
  if (rng.oneIn(4)) query.ignore = {1, 3, 99};
  query.options.filter.skip_start_inside = rng.oneIn(4);
  query.options.stop_at_unknown = rng.oneIn(6);
  query.options.report_unknown = rng.oneIn(2);
  query.options.report_level_spans = rng.oneIn(2);
  if (rng.oneIn(4)) query.options.max_hits = static_cast<std::uint64_t>(rng.below(4));
  if (rng.oneIn(2)) {
    query.rules = randomRules(rng);
    if (rng.oneIn(3)) query.budgets = Budgets{rng.pick({0.0, 0.3, 5.0})};
  }
  return query;
}

// Classes as scenarios have them: 0 continues, 1 stops.
void makeClassesPlain(RandomScene& scene) {
  for (const EntityHandle handle : scene.entities.all()) {
    const Entity entity = *scene.entities.find(handle);
    ASSERT_TRUE(scene.entities.remove(handle).ok());
    ASSERT_TRUE(scene.entities
                    .add({.id = entity.id,
                          .level = entity.level,
                          .entity_class = entity.id % 4 == 0 ? kStoppingEntity : kContinuingEntity,
                          .shape = toBlocks(entity.shape),
                          .position = toBlocks(entity.position),
                          .categories = entity.categories})
                    .ok());
  }
}

// Counts the cases that the shots have covered.
struct Seen {
  std::map<std::string, int> outcomes;
  int corners = 0;
  int unknown = 0;
  int truncated = 0;
  int terminated = 0;
  int ties = 0;
  int charges = 0;
  int free_touches = 0;
  int used_up = 0;

  void add(const Explanation& explanation) {
    for (const LevelPass& pass : explanation.passes) {
      for (const CellRun& run : pass.runs)
        ++outcomes["cell " + std::string(outcomeName(run.trace.outcome))];
      corners += pass.corner_count > 0 ? 1 : 0;
    }
    for (const EntityTrace& trace : explanation.entities)
      ++outcomes["entity " + std::string(outcomeName(trace.outcome))];
    for (const TraceStep& step : explanation.steps) {
      ++outcomes["step " + std::string(outcomeName(step.outcome))];
      ties += step.ties ? 1 : 0;
      charges += step.charge.has_value() && step.charge->cost > 0 ? 1 : 0;
      free_touches += step.charge.has_value() && step.charge->cost == 0 ? 1 : 0;
    }
    used_up += explanation.result.stopped_at.has_value() ? 1 : 0;
    unknown += explanation.unknown_from.has_value() ? 1 : 0;
    truncated += explanation.result.truncated ? 1 : 0;
    terminated += explanation.result.terminated ? 1 : 0;
  }
};

std::string hitsAsText(const std::vector<Hit>& hits) {
  std::string text;
  for (const Hit& hit : hits)
    text += "  " + describe(hit) + "\n";
  return text;
}

TEST(ExplanationTest, ComesToTheHitsOfTheShotAndSavesIt) {
  Rng rng("ExplanationTest");
  Seen seen;
  for (int round = 0; round < 700; ++round) {
    const int levels = static_cast<int>(rng.in(1, rng.oneIn(8) ? 10 : 4));
    const std::unique_ptr<RandomScene> scene = randomScene(rng, levels, 24, rng.pick({40, 400}));
    makeClassesPlain(*scene);
    RayQueryService service(scene->world, scene->entities);
    const auto stop = [](const auto&) { return HitResponse::kStop; };
    std::ignore = service.onBlockHit(kReeds, stop);
    service.onEntityHit(kStoppingEntity, stop);
    const StoppingCallbacks stopping{{kReeds}, {kStoppingEntity}, {"gold", "silver"}};
    const auto name = [&](BlockTypeId type) -> std::string_view {
      return scene->world.blockTypes().name(type);
    };
    for (int shot = 0; shot < 8; ++shot) {
      const ShotQuery query = randomQuery(rng, *scene);
      QueryOptions options = toOptions(query, scene->world.blockTypes());
      options.filter.solid_only = false;
      const absl::StatusOr<ShotResult> result =
          service.shootSegment(lineOf(query).value(), query.levels, options);
      ASSERT_TRUE(result.ok()) << result.status();
      const absl::StatusOr<Explanation> explanation = explainShot(
          scene->world, scene->entities, result->segment, query.levels, options, stopping);
      ASSERT_TRUE(explanation.ok()) << explanation.status();
      EXPECT_TRUE(agrees(*explanation, *result))
          << "explained:\n"
          << hitsAsText(explainedHits(*explanation)) << "shot:\n"
          << hitsAsText(result->hits) << describe(options) << "\n"
          << describe(scene->world, scene->entities, result->segment);
      seen.add(*explanation);
      EXPECT_FALSE(formatExplanation(*explanation, name).empty());

      const ScenarioQuery asked{{"shot"}, query};
      const std::string saved = saveShot(*explanation, asked, stopping, name);
      const absl::Status same =
          checkSaved(saved, shotAnswer(scene->world, {"shot"}, query, *result, name));
      ASSERT_TRUE(same.ok()) << same << "\n" << saved;
    }
  }
  for (const char* outcome : {"cell not loaded",
                              "cell placeholder",
                              "cell empty",
                              "cell defers",
                              "cell start inside",
                              "cell hit",
                              "cell ends",
                              "entity hit",
                              "entity missed",
                              "entity after the clip",
                              "entity other level",
                              "entity other category",
                              "entity ignored",
                              "entity start inside",
                              "step hit",
                              "step after the clip",
                              "step after the unknown",
                              "step after the stop",
                              "step beyond max_hits",
                              "cell stops"}) {
    EXPECT_GT(seen.outcomes[outcome], 0) << outcome;
  }
  EXPECT_GT(seen.corners, 100);
  EXPECT_GT(seen.unknown, 100);
  EXPECT_GT(seen.truncated, 50);
  EXPECT_GT(seen.terminated, 100);
  EXPECT_GT(seen.ties, 50);
  EXPECT_GT(seen.charges, 100);
  EXPECT_GT(seen.free_touches, 10);
  EXPECT_GT(seen.used_up, 50);
}

TEST(ExplanationTest, LeavesOutWhatTheOptionsLeaveOut) {
  Rng rng("ExplanationTest options");
  Seen seen;
  for (int round = 0; round < 200; ++round) {
    const std::unique_ptr<RandomScene> scene = randomScene(rng, 2, 8, 60);
    const RayQueryService service(scene->world, scene->entities);
    for (int shot = 0; shot < 8; ++shot) {
      QueryOptions options;
      options.filter.solid_only = rng.oneIn(2);
      options.filter.blocks = !rng.oneIn(6);
      options.filter.entities = !rng.oneIn(6);
      if (rng.oneIn(2)) {
        options.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] % 2 == 0; };
        options.filter.entity_filter = [](const EntityHit& hit) { return hit.id % 2 == 0; };
      }
      options.report_unknown = true;
      const FixedSegment segment = randomSegment(rng, *scene);
      const LevelMask levels = rng.pick<LevelMask>({{0}, {1}, {0, 1}});
      const absl::StatusOr<ShotResult> result = service.shootSegment(segment, levels, options);
      ASSERT_TRUE(result.ok()) << result.status();
      const absl::StatusOr<Explanation> explanation =
          explainShot(scene->world, scene->entities, segment, levels, options, {});
      ASSERT_TRUE(explanation.ok()) << explanation.status();
      EXPECT_TRUE(agrees(*explanation, *result))
          << "explained:\n"
          << hitsAsText(explainedHits(*explanation)) << "shot:\n"
          << hitsAsText(result->hits) << describe(options) << "\n"
          << describe(scene->world, scene->entities, segment);
      seen.add(*explanation);
    }
  }
  for (const char* outcome : {"cell left out", "cell refused", "entity refused"})
    EXPECT_GT(seen.outcomes[outcome], 0) << outcome;
}

// Also the unknown that the shot does not ask for is explained; searching for it costs no steps of
// the shot.
TEST(ExplanationTest, ExplainsEveryShotThatStaysWithinItsSteps) {
  World world({.block_types = oracle::sceneTypes()});
  for (std::int64_t x = 0; x < 60; x += 2) {
    for (std::int64_t y = 0; y < 2; ++y)
      ASSERT_TRUE(world.loadChunk(0, {x, y, 0}, Chunk()).ok());
  }
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const FixedSegment line = toUnits(Segment{{0.5, 0.5, 0.5}, {950.5, 0.5, 0.5}}).value();
  QueryOptions options;
  options.max_steps = service.shootSegment(line, LevelMask::all(), options)->stats.steps();
  const absl::StatusOr<ShotResult> result = service.shootSegment(line, LevelMask::all(), options);
  ASSERT_TRUE(result.ok()) << result.status();
  const absl::StatusOr<Explanation> explanation =
      explainShot(world, entities, line, LevelMask::all(), options, {});
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_TRUE(agrees(*explanation, *result));
  EXPECT_EQ(explanation->unknown_from->toDouble(), 15.5 / 950);

  options.report_unknown = true;
  EXPECT_TRUE(
      absl::IsResourceExhausted(service.shootSegment(line, LevelMask::all(), options).status()));
  EXPECT_TRUE(absl::IsResourceExhausted(
      explainShot(world, entities, line, LevelMask::all(), options, {}).status()));
}

// As do shots after hits of another index, in which the entity has another handle.
TEST(ExplanationTest, RecognizesEntitiesOfEarlierHitsByIdOnRequest) {
  World world({.block_types = oracle::sceneTypes()});
  EntityIndex entities(world.frame());
  const EntityHandle moving =
      entities.add({.id = 7, .shape = Sphere{0.5}, .position = {3, 1, 1}}).value();
  const RayQueryService service(world, entities);
  const FixedSegment line = toUnits(Segment{{0.5, 1, 1}, {9, 1, 1}}).value();
  std::vector<Hit> after = service.shootSegment(line).value().hits;
  ASSERT_EQ(after.size(), 1U);
  after[0].entity = {.slot = 1000, .generation = 1};
  ASSERT_TRUE(entities.move(moving, {6, 1, 1}).ok());
  for (const bool by_id : {false, true}) {
    const QueryOptions options{.after = after, .after_by_id = by_id};
    const ShotResult result = service.shootSegment(line, LevelMask::all(), options).value();
    const Explanation explanation =
        explainShot(world, entities, line, LevelMask::all(), options, {}).value();
    EXPECT_EQ(explanation.steps.empty(), by_id);
    EXPECT_TRUE(agrees(explanation, result)) << hitsAsText(result.hits);
  }
}

TEST(ExplanationTest, OfReflectedLinesFromWhereTheyBegin) {
  Rng rng("ExplanationTest reflected");
  int reflected = 0;
  for (int round = 0; round < 200; ++round) {
    const std::unique_ptr<RandomScene> scene = randomScene(rng, 2, 12, 400);
    const RayQueryService service(scene->world, scene->entities);
    for (int shot = 0; shot < 8; ++shot) {
      const FixedSegment line =
          randomReflection(rng, randomSegment(rng, *scene), scene->world.frame());
      reflected += line.begin.axes != 0 ? 1 : 0;
      QueryOptions options{.corner = static_cast<CornerPolicy>(rng.below(3)),
                           .report_unknown = rng.oneIn(2)};
      options.filter.skip_start_inside = rng.oneIn(3);
      const ShotResult result = service.shootSegment(line, LevelMask::all(), options).value();
      const Explanation explanation =
          explainShot(scene->world, scene->entities, line, LevelMask::all(), options, {}).value();
      EXPECT_TRUE(agrees(explanation, result))
          << "explained:\n"
          << hitsAsText(explainedHits(explanation)) << "shot:\n"
          << hitsAsText(result.hits) << describe(options) << "\n"
          << describe(scene->world, scene->entities, line);
    }
  }
  EXPECT_GT(reflected, 1000);
}

// At its start a reflected line crosses the planes in which it was not reflected.
TEST(ExplanationTest, FindsTheAxesThatReflectedLinesCrossTogether) {
  Rng rng("ExplanationTest reflected corners");
  int at_begin = 0;
  for (int round = 0; round < 20000; ++round) {
    FixedSegment line;
    for (int axis = 0; axis < 3; ++axis) {
      line.from[axis] = rng.in(-9, 9);
      line.to[axis] = rng.in(-9, 9);
    }
    for (int bounces = rng.below(3); bounces >= 0; --bounces)
      line = reflectedIn(line, rng.below(3), 2 * rng.in(-4, 4)).value_or(line);
    if (line.begin.axes == 0) continue;
    const auto cells = reflectedCells(line, 2, CornerPolicy::kStaircase);
    std::map<Rational, unsigned> expected;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        if (cells[i].cell[axis] != cells[i - 1].cell[axis]) expected[cells[i].t] |= 1U << axis;
      }
    }
    for (const auto& cell : reflectedCells(line, 2, CornerPolicy::kBoth)) {
      if (cell.step != 1) continue;
      const Fraction t{toInt64(numerator(cell.t)), toInt64(denominator(cell.t))};
      EXPECT_EQ(axesCrossedAt(line, {2, 2, 2}, t), expected[cell.t]) << describe(line);
      at_begin += cell.t == cells[0].t ? 1 : 0;
    }
  }
  EXPECT_GT(at_begin, 300);
}

// Compares the axes that change at each t with the oracle of the walk.
TEST(ExplanationTest, FindsTheAxesThatAreCrossedTogether) {
  Rng rng("ExplanationTest corners");
  int corners = 0;
  for (int round = 0; round < 3000; ++round) {
    FixedSegment segment;
    Vec3i widths;
    const bool far = rng.oneIn(3);
    for (int axis = 0; axis < 3; ++axis) {
      widths[axis] = rng.pick<std::int64_t>({1, 2, 3, 7});
      segment.from[axis] = rng.in(-9, 9);
      if (far) segment.from[axis] += rng.pick({kMaxCoordinate - 40, -kMaxCoordinate + 40});
      segment.to[axis] = segment.from[axis] + rng.in(-9, 9);
    }
    const auto cells = walkCells<3>(segment.from, segment.to, widths, CornerPolicy::kStaircase);
    std::map<Rational, unsigned> expected;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        if (cells[i].cell[axis] != cells[i - 1].cell[axis]) expected[cells[i].t] |= 1U << axis;
      }
    }
    for (const GridCell<3>& cell : GridWalk<3>(segment.from, segment.to, widths)) {
      if (cell.step == 0) continue;
      const unsigned axes = axesCrossedAt(segment, widths, cell.t);
      EXPECT_EQ(axes, expected[fraction(cell.t.numerator, cell.t.denominator)])
          << describe(segment);
      corners += std::popcount(axes) > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(corners, 1000);
}

TEST(ExplanationTest, AShapeBeyondTheEndOfARayEndsNothing) {
  World world;
  BlockTypeTable& types = world.blockTypes();
  const std::array<ShapeBox, 1> boxes = {{{.min = {49152, 0, 0}, .max = {65536, 65536, 65536}}}};
  const ShapeId back = *types.addShape(boxes);
  const BlockTypeId late = *types.add({.name = "late", .shape = back});
  ASSERT_TRUE(world.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world.setBlock(0, {5, 0, 0}, late).ok());
  const EntityIndex entities(world.frame());
  const Ray ray{.origin = {0.5, 0.5, 0.5}, .direction = {1, 0, 0}, .max_distance = 5};
  const absl::StatusOr<Explanation> explanation =
      explainShot(world, entities, *toFixedSegment(ray), LevelMask::all(), {}, {});
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_TRUE(explanation->steps.empty());
  ASSERT_EQ(explanation->passes.size(), 1U);
  const CellRun& last = explanation->passes[0].runs.back();
  EXPECT_EQ(last.last.cell[0], 5);
  EXPECT_EQ(last.trace.outcome, CellOutcome::kMissed);
}

}  // namespace
}  // namespace fractalray::oracle
