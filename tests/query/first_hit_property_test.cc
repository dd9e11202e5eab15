// SPDX-License-Identifier: Apache-2.0
// Checks that closestHit and occluded equal the oracle's list of candidates, by both passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "hard_scene.h"

namespace fractalray::oracle::first_hit_property_test {
namespace {

// Counts the cases that the queries have covered; each must have occurred.
struct Seen {
  int asked = 0;
  int blocks = 0;
  int entities = 0;
  int none = 0;
  int unknown = 0;  // reported with a hit after it
  int clear = 0;
  int blocked = 0;
  int not_known = 0;
};

// Runs both queries on one segment.
class Asker {
 public:
  Asker(const RandomScene& scene, const FixedSegment& segment, LevelMask levels)
      : scene_(scene),
        service_(scene.world, scene.entities),
        segment_(segment),
        levels_(levels),
        unknown_(firstUnknown(scene.world, segment, levels)) {}

  std::string checkClosest(QueryOptions options, Seen& seen) const {
    const std::vector<OracleHit> hits = hitsOf(options);
    std::optional<OracleHit> expected;
    if (!hits.empty()) expected = hits.front();
    const bool reports = options.report_unknown || options.stop_at_unknown;
    const bool is_before =
        unknown_.has_value() && (!expected.has_value() || ExactTime{*unknown_} < expected->t);
    std::optional<Rational> unknown_from;
    if (reports && is_before) unknown_from = unknown_;
    if (options.stop_at_unknown && is_before) expected.reset();
    if (expected.has_value() && !expected->is_entity) {
      const BlockKind kind = scene_.world.blockTypes().kind(expected->type, options.filter.channel);
      expected->terminal = kind == BlockKind::kSolid;
    }
    for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
      options.pass = pass;
      const absl::StatusOr<ClosestHit> closest = service_.closestHit(segment_, levels_, options);
      if (!closest.ok()) return closest.status().ToString();
      const bool both = closest->hit.has_value() && expected.has_value();
      if (closest->segment != segment_ || closest->hit.has_value() != expected.has_value() ||
          (both && !isSame(*closest->hit, *expected))) {
        return "closest " + (closest->hit.has_value() ? describe(*closest->hit) : "none") +
               "\n oracle " + (expected.has_value() ? describe(*expected) : "none") + "\n" +
               describeAll(options);
      }
      if (closest->unknown_from.has_value() != unknown_from.has_value() ||
          (unknown_from.has_value() &&
           std::abs(*closest->unknown_from - toDouble(*unknown_from)) > 1e-9)) {
        return "unknown_from " + std::to_string(closest->unknown_from.value_or(-1)) + "\n" +
               describeAll(options);
      }
    }
    ++seen.asked;
    ++(!expected.has_value() ? seen.none : expected->is_entity ? seen.entities : seen.blocks);
    seen.unknown += expected.has_value() && unknown_from.has_value() ? 1 : 0;
    return "";
  }

  std::string checkOcclusion(const QueryOptions& like, bool by_entities, Seen& seen) const {
    QueryOptions options{.filter = {.channel = like.filter.channel,
                                    .categories = by_entities ? like.filter.categories : 0,
                                    .ignore = like.filter.ignore,
                                    .skip_start_inside = like.filter.skip_start_inside},
                         .entities_block = true,
                         .corner = like.corner};
    const std::vector<OracleHit> hits =
        hitsOf({.filter = {.channel = options.filter.channel,
                           .solid_only = true,
                           .categories = options.filter.categories,
                           .ignore = options.filter.ignore,
                           .skip_start_inside = options.filter.skip_start_inside},
                .corner = options.corner});
    const Occlusion expected = !hits.empty()          ? Occlusion::kBlocked
                               : unknown_.has_value() ? Occlusion::kUnknown
                                                      : Occlusion::kClear;
    for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
      options.pass = pass;
      const absl::StatusOr<Occlusion> sight = service_.occluded(segment_, levels_, options);
      if (!sight.ok()) return sight.status().ToString();
      if (*sight != expected) {
        return "occlusion " + std::to_string(static_cast<int>(*sight)) + ", oracle " +
               std::to_string(static_cast<int>(expected)) + "\n" + describeAll(like);
      }
    }
    ++(!hits.empty() ? seen.blocked : unknown_.has_value() ? seen.not_known : seen.clear);
    return "";
  }

 private:
  std::vector<OracleHit> hitsOf(const QueryOptions& options) const {
    return candidates(scene_.world, scene_.entities, segment_, levels_, options);
  }
  std::string describeAll(const QueryOptions& options) const {
    return describe(segment_) + ", levels " + formatLevelMask(levels_) + ", " + describe(options) +
           "\n" + describe(scene_.world, scene_.entities, segment_);
  }

  const RandomScene& scene_;
  RayQueryService service_;
  FixedSegment segment_;
  LevelMask levels_;
  std::optional<Rational> unknown_;
};

void checkSights(std::string_view name, int scenes, int levels, int block_density) {
  scenes = casesToDraw(scenes, 20 * scenes);
  Rng rng(name);
  Seen seen;
  const std::vector<EntityId> ignore = {2, 3, 5, 7, 11};
  for (int number = 0; number < scenes; ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, levels, 20, block_density);
    for (int i = 0; i < 60; ++i) {
      LevelMask mask = scene->world.allLevels();
      if (rng.oneIn(3)) mask = LevelMask{rng.below(levels), rng.below(levels)};
      const Asker asker(*scene, randomSegment(rng, *scene), mask);
      const QueryOptions options = hardOptions(rng, ignore);
      const std::string text =
          asker.checkClosest(options, seen) + asker.checkOcclusion(options, rng.oneIn(2), seen);
      ASSERT_EQ(text, "") << name << ": scene " << number << " from seed " << seed << ", segment "
                          << i;
    }
  }
  const int few = seen.asked / 100;
  EXPECT_GT(seen.blocks, 5 * few);
  EXPECT_GT(seen.entities, 2 * few);
  EXPECT_GT(seen.none, 5 * few);
  EXPECT_GT(seen.unknown, few);
  EXPECT_GT(seen.clear, few);
  EXPECT_GT(seen.blocked, 5 * few);
  EXPECT_GT(seen.not_known, 10 * few);
}

TEST(FirstHitPropertyTest, EqualsTheOracleOnOneLevel) {
  checkSights("SightPropertyTest.One", 150, 1, 700);
}
TEST(FirstHitPropertyTest, EqualsTheOracleOnTwoLevels) {
  checkSights("SightPropertyTest.Two", 120, 2, 700);
}
TEST(FirstHitPropertyTest, EqualsTheOracleOnFourLevels) {
  checkSights("SightPropertyTest.Four", 100, 4, 300);
}

}  // namespace
}  // namespace fractalray::oracle::first_hit_property_test
