// SPDX-License-Identifier: Apache-2.0
// Checks the direct search for the first block, law by law (the numbers are those of
// direct_search_lanes.h), and that it is used where it can be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/ray.h"
#include "../../query/internal/search/direct_search.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle::direct_search_property_test {
namespace {

using internal::DirectBlock;
using internal::DirectOutcome;
using internal::EnteredBlock;
using internal::HitMode;
using internal::InstructionSet;
using internal::PassedBlocks;
using internal::QueryContext;

// Counts the cases that the queries have covered; each must have occurred.
struct Seen {
  int asked = 0;
  int direct = 0;
  int direct_hits = 0;
  int ties = 0;  // found by the passes, later than the start
  int rays = 0;
  int stretched = 0;  // and found by the direct search
};

int scaled(int count) {
  const char* const times = std::getenv("FRACTALRAY_DIRECT_TIMES");
  if (times != nullptr) return count * std::atoi(times);
  return isLongRun() ? 30 * count : count;
}

// Returns a ray along a segment that ends somewhere between its ends, or the segment itself.
FixedSegment asRay(Rng& rng, const FixedSegment& segment) {
  FixedSegment ray = segment;
  ray.end_time = rng.oneIn(3) ? kWholeLine >> rng.below(20) : rng.in(1, kWholeLine);
  return ray;
}

std::string describeClosest(const ClosestHit& closest) {
  return closest.hit.has_value() ? describe(*closest.hit) : "none";
}

// Asks for the closest hit by both passes; returns the difference, or "".
std::string checkClosest(const RayQueryService& service, const FixedSegment& segment,
                         LevelMask levels, QueryOptions options, Seen& seen) {
  options.pass = SearchPass::kPlain;
  const ClosestHit plain = service.closestHit(segment, levels, options).value();
  options.pass = SearchPass::kFast;
  const ClosestHit fast = service.closestHit(segment, levels, options).value();
  const bool both = plain.hit.has_value() && fast.hit.has_value();
  if (plain.hit.has_value() != fast.hit.has_value() || (both && !isSame(*fast.hit, *plain.hit))) {
    return "closest:\n  fast  " + describeClosest(fast) + "\n  plain " + describeClosest(plain) +
           "\n" + describe(segment) + ", levels " + formatLevelMask(levels) + ", " +
           describe(options);
  }
  if (plain.stats.direct != 0) return "the plain pass searched directly";
  ++seen.asked;
  seen.direct += fast.stats.direct != 0 ? 1 : 0;
  seen.direct_hits += fast.stats.direct != 0 && fast.hit.has_value() ? 1 : 0;
  seen.ties += fast.stats.direct == 0 && fast.hit.has_value() && fast.hit->t > 0 ? 1 : 0;
  return "";
}

// Counts the outcomes that instruction sets have in common.
struct Compared {
  int found = 0;
  int none = 0;
  int unclear = 0;
  int passed = 0;  // searches that passed permeable blocks
};

bool isSamePassed(const EnteredBlock& a, const EnteredBlock& b) {
  return a.level == b.level && a.type == b.type && a.face == b.face && a.block == b.block &&
         a.enter == b.enter;
}

// Searches by an instruction set, past permeable blocks or not; returns the difference from the
// baseline, or "".
std::string checkSet(InstructionSet set, const QueryContext& context, bool passes,
                     Compared& compared) {
  DirectBlock baseline;
  DirectBlock block;
  PassedBlocks passed_of_baseline;
  PassedBlocks passed;
  QueryStats steps_of_baseline;
  QueryStats steps;
  const DirectOutcome expected =
      internal::runDirectSearch(InstructionSet::kBaseline, directQueryOf(context), baseline,
                                passes ? &passed_of_baseline : nullptr, steps_of_baseline);
  const DirectOutcome outcome = internal::runDirectSearch(set, directQueryOf(context), block,
                                                          passes ? &passed : nullptr, steps);
  if (outcome != expected) return "outcomes differ";
  if (steps.steps() != steps_of_baseline.steps() || steps.chunks != steps_of_baseline.chunks)
    return "steps differ";
  if (!std::ranges::equal(passed.all(), passed_of_baseline.all(), isSamePassed))
    return "passed differ";
  compared.passed += passed.all().empty() ? 0 : 1;
  ++(outcome == DirectOutcome::kFound     ? compared.found
     : outcome == DirectOutcome::kUnclear ? compared.unclear
                                          : compared.none);
  if (outcome != DirectOutcome::kFound) return "";
  return isSame(hitOf(context.line.segment(), block), hitOf(context.line.segment(), baseline))
             ? ""
             : "hits differ";
}

// Searches by each instruction set that the processor has; returns the difference, or "".
std::string checkSets(const HardScene& scene, const FixedSegment& segment, LevelMask levels,
                      const QueryOptions& options, HitMode mode, Compared& compared) {
  const QueryContext context{.world = scene.world(),
                             .entities = scene.entities(),
                             .callbacks = nullptr,
                             .options = options,
                             .levels = levels,
                             .line = Line(segment),
                             .mode = mode};
  if (!internal::canSearchDirectly(context)) return "";
  const bool passes = internal::canPassBlocks(context);
  for (const InstructionSet set : {InstructionSet::kV3, InstructionSet::kV4}) {
    if (!internal::isSupported(set)) continue;
    const std::string difference = checkSet(set, context, passes, compared);
    if (!difference.empty())
      return difference + " by v" + (set == InstructionSet::kV3 ? "3: " : "4: ") +
             describe(segment);
  }
  return "";
}

void checkScenes(std::string_view name, int scenes, int levels) {
  Rng rng(name);
  Seen seen;
  for (int number = 0; number < scaled(scenes); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, levels == 0 ? 1 + rng.below(kMaxLevels) : levels);
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 150; ++i) {
      FixedSegment segment = scene.segment(rng);
      if (rng.oneIn(4)) {
        segment = asRay(rng, segment);
        ++seen.rays;
      }
      const bool is_stretched = rng.oneIn(3);
      if (is_stretched) segment = stretched(rng, segment);
      const LevelMask mask = scene.levels(rng);
      const QueryOptions options = directOptions(rng);
      const int direct_hits = seen.direct_hits;
      const std::string text = checkClosest(service, segment, mask, options, seen);
      seen.stretched += is_stretched ? seen.direct_hits - direct_hits : 0;
      ASSERT_EQ(text, "") << name << ": scene " << number << " from seed " << seed << ", query "
                          << i;
    }
  }
  EXPECT_GT(seen.direct, seen.asked / 4);
  EXPECT_GT(seen.direct_hits, seen.asked / (levels == 1 ? 20 : 40));
  EXPECT_GT(seen.ties, seen.asked / 20);
  EXPECT_GT(seen.rays, seen.asked / 5);
  EXPECT_GT(seen.stretched, seen.direct_hits / 10);
}

TEST(DirectSearchPropertyTest, Law1IsThePlainPassOnOneLevel) {
  checkScenes("DirectSearchPropertyTest.One", 150, 1);
}
TEST(DirectSearchPropertyTest, Law1IsThePlainPassOnThreeLevels) {
  checkScenes("DirectSearchPropertyTest.Three", 100, 3);
}
TEST(DirectSearchPropertyTest, Law1IsThePlainPassOnAnyNumberOfLevels) {
  checkScenes("DirectSearchPropertyTest.Any", 100, 0);
}

TEST(DirectSearchPropertyTest, Law2IsTheSameForAllInstructionSets) {
  if (!internal::isSupported(InstructionSet::kV3)) GTEST_SKIP() << "this CPU has only one of them";
  Rng rng("DirectSearchPropertyTest.Sets");
  Compared compared;
  for (int number = 0; number < scaled(150); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, 1 + rng.below(4));
    for (int i = 0; i < 150; ++i) {
      FixedSegment segment = scene.segment(rng);
      if (rng.oneIn(4)) segment = asRay(rng, segment);
      if (rng.oneIn(3)) segment = stretched(rng, segment);
      const LevelMask mask = scene.levels(rng);
      const HitMode mode = rng.oneIn(2) ? HitMode::kClosest : HitMode::kAll;
      ASSERT_EQ(checkSets(scene, segment, mask, directOptions(rng), mode, compared), "")
          << "scene " << number << " from seed " << seed << ", query " << i;
    }
  }
  EXPECT_GT(compared.found, 500);
  EXPECT_GT(compared.none, 500);
  EXPECT_GT(compared.unclear, 500);
  EXPECT_GT(compared.passed, 100);
}

}  // namespace
}  // namespace fractalray::oracle::direct_search_property_test
