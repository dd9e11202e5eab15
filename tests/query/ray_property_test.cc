// SPDX-License-Identifier: Apache-2.0
// Checks lines that end early, as those of rays do: every query against the oracle's candidates on
// the whole line, cut at the end time as an exact number; both passes, and ends at exactly the time
// of a hit or 2^-60 away from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../oracle/shot_oracle.h"
#include "../oracle/walk_oracle.h"

namespace fractalray {
namespace {

using oracle::Integer;
using oracle::OracleHit;
using oracle::Rational;
using oracle::Rng;

// An end at random, or at the time of a candidate: exactly, if 2^-60 divides it, or next to it.
std::int64_t someEnd(Rng& rng, const std::vector<OracleHit>& candidates) {
  if (candidates.empty() || rng.oneIn(3)) return rng.in(1, kWholeLine);
  const OracleHit& hit =
      candidates[static_cast<std::size_t>(rng.below(static_cast<int>(candidates.size())))];
  const auto near = static_cast<std::int64_t>(oracle::toDouble(hit.t) * 0x1p60);
  const Integer exact = oracle::floorOf(hit.t.p * Rational(Integer(kWholeLine)));
  const std::int64_t at = hit.t.q == 0 ? oracle::toInt64(exact) : near;
  return std::clamp<std::int64_t>(at + rng.in(-1, 1), 1, kWholeLine);
}

class RayPropertyTest : public testing::Test {
 protected:
  void check(Rng& rng, const oracle::RandomScene& scene, FixedSegment line, SearchPass pass) {
    const LevelMask levels = scene.world.allLevels();
    const QueryOptions options{.report_unknown = true, .report_level_spans = true, .pass = pass};
    std::vector<OracleHit> hits =
        oracle::candidates(scene.world, scene.entities, line, levels, options);
    line.end_time = line.from == line.to ? kWholeLine : someEnd(rng, hits);
    const Rational begin = oracle::beginOf(line).t * Rational(Integer(kWholeLine));
    line.end_time = std::max(line.end_time, oracle::toInt64(oracle::ceilOf(begin)));
    const oracle::ExactTime end{oracle::fraction(Integer(line.end_time), Integer(kWholeLine))};
    std::erase_if(hits, [&](const OracleHit& hit) { return hit.t > end; });
    const auto solid = std::find_if(hits.begin(), hits.end(), [&](const OracleHit& hit) {
      return !hit.is_entity &&
             scene.world.blockTypes().kind(hit.type, kDefaultChannel) == BlockKind::kSolid;
    });
    const bool is_blocked = solid != hits.end();
    const oracle::ExactTime last = is_blocked ? solid->t : end;
    std::optional<Rational> unknown = oracle::firstUnknown(scene.world, line, levels);
    if (unknown.has_value() && oracle::ExactTime{*unknown} >= last) unknown.reset();
    if (is_blocked) hits.erase(solid + 1, hits.end());

    const RayQueryService service(scene.world, scene.entities);
    const ShotResult shot = service.shootSegment(line, levels, options).value();
    ASSERT_EQ(shot.segment, line);
    ASSERT_EQ(shot.terminated, is_blocked);
    ASSERT_EQ(shot.hits.size(), hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i)
      ASSERT_TRUE(isSame(shot.hits[i], hits[i])) << i;
    ASSERT_EQ(shot.unknown_from.has_value(), unknown.has_value());
    for (const LevelSpan& span : shot.level_spans) {
      ASSERT_GE(span.t0, oracle::toDouble(oracle::beginOf(line).t) - 1e-15);
      ASSERT_LE(span.t1, static_cast<double>(line.end_time) / 0x1p60);
    }

    const ClosestHit closest = service.closestHit(line, levels, options).value();
    ASSERT_EQ(closest.hit.has_value(), !hits.empty());
    if (!hits.empty()) {
      ASSERT_TRUE(isSame(*closest.hit, hits.front()));
    }
    const Occlusion occlusion = service.occluded(line, levels, {.pass = pass}).value();
    const Occlusion sight = unknown.has_value() ? Occlusion::kUnknown : Occlusion::kClear;
    ASSERT_EQ(occlusion, is_blocked ? Occlusion::kBlocked : sight);
    checkResume(service, line, levels, options, shot);
  }

 private:
  static bool isSame(const Hit& actual, const OracleHit& expected) {
    if (actual.isEntity() != expected.is_entity || actual.level != expected.level) return false;
    return expected.is_entity ? actual.id == expected.id
                              : actual.block == expected.block && actual.step == expected.step;
  }

  // Hit by hit it is the same shot.
  static void checkResume(const RayQueryService& service, const FixedSegment& line,
                          LevelMask levels, QueryOptions options, const ShotResult& shot) {
    options.max_hits = 1;
    ShotResult steps = service.shootSegment(line, levels, options).value();
    while (steps.truncated)
      ASSERT_TRUE(service.resume(steps, levels, options).ok());
    ASSERT_EQ(steps.hits.size(), shot.hits.size());
    ASSERT_EQ(steps.terminated, shot.terminated);
  }
};

TEST_F(RayPropertyTest, QueriesOnLinesThatEndEarlyEqualTheOracle) {
  Rng rng("RayPropertyTest.Queries");
  for (int i = 0; i < 150; ++i) {
    const std::unique_ptr<oracle::RandomScene> scene =
        oracle::randomScene(rng, 1 + rng.below(3), rng.below(8), 8);
    for (int j = 0; j < 30; ++j) {
      const SearchPass pass = rng.oneIn(3) ? SearchPass::kPlain : SearchPass::kFast;
      const FixedSegment line = oracle::randomSegment(rng, *scene);
      ASSERT_NO_FATAL_FAILURE(check(rng, *scene, line, pass)) << i << " " << j;
    }
  }
}

TEST_F(RayPropertyTest, ReflectedLinesEndWhereTheyWouldHave) {
  Rng rng("RayPropertyTest.Reflected");
  int reflected = 0;
  for (int i = 0; i < 150; ++i) {
    const std::unique_ptr<oracle::RandomScene> scene =
        oracle::randomScene(rng, 1 + rng.below(3), rng.below(8), 8);
    for (int j = 0; j < 30; ++j) {
      const SearchPass pass = rng.oneIn(3) ? SearchPass::kPlain : SearchPass::kFast;
      const FixedSegment line =
          oracle::randomReflection(rng, oracle::randomSegment(rng, *scene), scene->world.frame());
      reflected += line.begin.axes != 0 ? 1 : 0;
      ASSERT_NO_FATAL_FAILURE(check(rng, *scene, line, pass)) << i << " " << j;
    }
  }
  EXPECT_GT(reflected, 2000);
}

}  // namespace
}  // namespace fractalray
