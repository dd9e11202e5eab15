// SPDX-License-Identifier: Apache-2.0
// Checks that the searches of a batch, which are made in groups, give the answers of single calls:
// every field of every hit, every error, and the steps of all queries together.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../query/internal/first_block.h"
#include "../../query/ray_query_service.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "hard_scene.h"

namespace fractalray::oracle {
namespace {

// Counts the cases that the queries have covered; each must have occurred.
struct Seen {
  int asked = 0;
  int direct = 0;  // answered by the direct search
  int hits = 0;
  int entities = 0;
  int blocked = 0;
  int clear = 0;
  int errors = 0;
};

// The options of a closest-hit batch and of a batch of lines of sight.
struct BatchOptions {
  ShotOptions closest;
  OcclusionOptions sight;
};

BatchOptions randomOptions(Rng& rng, const std::vector<EntityId>& ignore) {
  BatchOptions options;
  options.closest = hardOptions(rng, ignore);
  options.closest.max_hits = ShotOptions().max_hits;
  if (rng.oneIn(2)) options.closest.filter.block_filter = nullptr;
  if (rng.oneIn(4)) options.closest.max_steps = static_cast<std::uint64_t>(rng.below(30));
  options.sight = {.filter = options.closest.filter,
                   .entities_block = rng.oneIn(2),
                   .corner = options.closest.corner,
                   .report_blocker = true,
                   .max_steps = options.closest.max_steps};
  return options;
}

// A line in units, in doubles, or as a ray; wrong ones, and points among them.
BatchQuery randomQuery(Rng& rng, const HardScene& scene, const std::vector<Hit>& after) {
  FixedSegment segment = scene.segment(rng);
  BatchQuery query{.line = segment, .levels = scene.levels(rng)};
  if (rng.oneIn(5)) {
    segment.end_time = rng.oneIn(3) ? kWholeLine >> rng.below(20) : rng.in(1, kWholeLine);
    query.line = segment;
  } else if (rng.oneIn(5)) {
    query.line = toBlocks(segment);
  } else if (rng.oneIn(8)) {
    query.line = randomReflection(rng, segment, scene.world().frame());
  }
  if (rng.oneIn(30)) query.levels = LevelMask();
  if (rng.oneIn(30)) query.line = FixedSegment{{0, 0, 0}, {kMaxCoordinate + 1, 0, 0}};
  if (rng.oneIn(30)) query.after = after;
  return query;
}

class Checker {
 public:
  Checker(const RayQueryService& service, const std::vector<BatchQuery>& queries,
          const BatchOptions& options, Seen& seen)
      : service_(service), queries_(queries), options_(options), seen_(seen) {}

  // Returns the difference, or "".
  std::string checkClosest(const ClosestBatch& batch, const CompactBatch& compact) {
    QueryStats stats;
    std::size_t errors = 0;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      ShotOptions options = options_.closest;
      if (!queries_[i].after.empty()) options.after = queries_[i].after;
      ClosestHit one;
      const absl::Status status = closestHit(queries_[i], options, one);
      if (!status.ok()) {
        if (errors >= batch.errors.size() || batch.errors[errors].query != i ||
            batch.errors[errors].status != status || compact.errors[errors].status != status)
          return "closest: error of " + std::to_string(i);
        ++errors;
      }
      stats += one.stats;
      const Hit hit = status.ok() && one.hit.has_value() ? *one.hit : Hit();
      const bool is_same =
          isSame(batch.hits[i], hit) && compact.hits[i] == toCompact(hit) &&
          (batch.unknown_from.empty() || !status.ok() || batch.unknown_from[i] == one.unknown_from);
      if (!is_same) return "closest: " + textOf(i) + describe(options);
      note(hit);
    }
    if (errors != batch.errors.size() || errors != compact.errors.size()) return "errors";
    seen_.direct += static_cast<int>(batch.stats.direct);
    seen_.errors += static_cast<int>(errors);
    return textOf(batch.stats, stats) + textOf(compact.stats, stats);
  }
  std::string checkSight(const OcclusionBatch& batch) {
    QueryStats stats;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      OcclusionOptions options = options_.sight;
      if (!queries_[i].after.empty()) options.after = queries_[i].after;
      OcclusionResult one;
      const absl::Status status = occluded(queries_[i], options, one);
      stats += one.stats;
      const Hit blocker = status.ok() ? one.blocker.value_or(Hit()) : Hit();
      if (batch.answers[i] != (status.ok() ? one.occlusion : Occlusion::kUnknown) ||
          batch.blockers[i] != toCompact(blocker))
        return "sight: " + textOf(i);
      seen_.blocked += batch.answers[i] == Occlusion::kBlocked ? 1 : 0;
      seen_.clear += batch.answers[i] == Occlusion::kClear ? 1 : 0;
    }
    return textOf(batch.stats, stats);
  }

 private:
  absl::Status closestHit(const BatchQuery& query, const ShotOptions& options,
                          ClosestHit& one) const {
    return std::visit(
        [&](const auto& line) { return service_.closestHit(line, query.levels, options, one); },
        query.line);
  }
  absl::Status occluded(const BatchQuery& query, const OcclusionOptions& options,
                        OcclusionResult& one) const {
    return std::visit(
        [&](const auto& line) { return service_.occluded(line, query.levels, options, one); },
        query.line);
  }
  void note(const Hit& hit) {
    ++seen_.asked;
    seen_.hits += hit.kind != Hit::Kind::kNone ? 1 : 0;
    seen_.entities += hit.isEntity() ? 1 : 0;
  }
  std::string textOf(std::size_t i) const {
    const auto* const segment = std::get_if<FixedSegment>(&queries_[i].line);
    return "query " + std::to_string(i) + (segment != nullptr ? " " + describe(*segment) : "") +
           ", levels " + formatLevelMask(queries_[i].levels) + " ";
  }
  static std::string textOf(const QueryStats& batch, const QueryStats& sum) {
    const bool is_same = batch.steps() == sum.steps() && batch.cells == sum.cells &&
                         batch.chunks == sum.chunks && batch.direct == sum.direct;
    return is_same ? "" : "the steps differ";
  }

  const RayQueryService& service_;
  const std::vector<BatchQuery>& queries_;
  const BatchOptions& options_;
  Seen& seen_;
};

// Searches for the first block of each query by an instruction set, all together; returns how the
// results differ from those of single searches by the baseline, or "".
std::string checkWave(internal::InstructionSet set, const HardScene& scene,
                      const std::vector<BatchQuery>& queries, const ShotOptions& options) {
  using internal::FirstBlock;
  const LevelMask all = scene.world().allLevels();
  std::vector<internal::FirstBlockQuery> wave;
  for (const BatchQuery& query : queries) {
    const auto* const segment = std::get_if<FixedSegment>(&query.line);
    if (segment == nullptr || !internal::canSearchDirectly(*segment)) continue;
    if (segment->to[0] > kMaxCoordinate || (query.levels & all).empty()) continue;
    wave.push_back({.segment = segment, .levels = query.levels & all, .direct = {}, .stats = {}});
  }
  const internal::FirstBlockSettings settings{scene.world(), options, internal::HitMode::kClosest};
  internal::findFirstBlocksBy(set, settings, wave);
  for (const internal::FirstBlockQuery& query : wave) {
    const internal::QueryContext context{.world = scene.world(),
                                         .entities = scene.entities(),
                                         .callbacks = nullptr,
                                         .options = options,
                                         .levels = query.levels,
                                         .line = Line(*query.segment),
                                         .mode = internal::HitMode::kClosest};
    FirstBlock block;
    QueryStats stats;
    const FirstBlock::Outcome outcome =
        internal::findFirstBlockBy(internal::InstructionSet::kBaseline, context, block, stats);
    const bool is_found = outcome == FirstBlock::Outcome::kFound;
    if (query.direct.outcome != outcome || query.stats.steps() != stats.steps() ||
        query.stats.chunks != stats.chunks || query.stats.direct != stats.direct ||
        (is_found && !isSame(context.hitOf(query.direct.block), context.hitOf(block))))
      return "a wave differs: " + describe(*query.segment);
  }
  return "";
}

std::string checkWaves(const HardScene& scene, const std::vector<BatchQuery>& queries,
                       const ShotOptions& options) {
  std::string text;
  for (const auto set : {internal::InstructionSet::kBaseline, internal::InstructionSet::kV3}) {
    const bool can = internal::isSupported(set) && internal::canSearchDirectly(options);
    if (can) text += checkWave(set, scene, queries, options);
  }
  return text;
}

void checkScenes(std::string_view name, int scenes, int levels) {
  Rng rng(name);
  Seen seen;
  ClosestBatch closest;
  CompactBatch compact;
  OcclusionBatch sight;
  const auto ways = waysToRun();
  for (int number = 0; number < scenes; ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, levels == 0 ? 1 + rng.below(kMaxLevels) : levels);
    const RayQueryService service(scene.world(), scene.entities());
    const std::vector<EntityId> ignore{1, 2, 3};
    const BatchOptions options = randomOptions(rng, ignore);
    std::vector<Hit> after;
    if (const auto one = service.closestHit(scene.segment(rng)); one.ok() && one->hit.has_value())
      after.push_back(*one->hit);
    std::vector<BatchQuery> queries;
    for (std::int64_t i = rng.in(1, 200); i > 0; --i)
      queries.push_back(randomQuery(rng, scene, after));
    const auto& way = ways[static_cast<std::size_t>(number) % ways.size()].second;
    ASSERT_TRUE(service.closestHit(queries, options.closest, closest, way).ok());
    ASSERT_TRUE(service.closestHit(queries, options.closest, compact, way).ok());
    ASSERT_TRUE(service.occluded(queries, options.sight, sight, way).ok());
    Checker checker(service, queries, options, seen);
    ASSERT_EQ(checker.checkClosest(closest, compact) + checker.checkSight(sight) +
                  checkWaves(scene, queries, options.closest),
              "")
        << name << ": scene " << number << " from seed " << seed;
  }
  EXPECT_GT(seen.direct, seen.asked / 10);
  EXPECT_LT(seen.direct, seen.asked);
  EXPECT_GT(seen.hits, seen.asked / 10);
  EXPECT_GT(seen.entities, 20);
  EXPECT_GT(seen.blocked, seen.asked / 20);
  EXPECT_GT(seen.clear, 20);
  EXPECT_GT(seen.errors, seen.asked / 40);
}

TEST(DirectGroupPropertyTest, EqualsSingleCallsOnOneLevel) {
  checkScenes("DirectGroupPropertyTest.One", 150, 1);
}
TEST(DirectGroupPropertyTest, EqualsSingleCallsOnThreeLevels) {
  checkScenes("DirectGroupPropertyTest.Three", 100, 3);
}
TEST(DirectGroupPropertyTest, EqualsSingleCallsOnAnyNumberOfLevels) {
  checkScenes("DirectGroupPropertyTest.Any", 100, 0);
}

}  // namespace
}  // namespace fractalray::oracle
