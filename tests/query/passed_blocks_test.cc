// SPDX-License-Identifier: Apache-2.0
// Checks the direct search past permeable blocks: law 3 of direct_search_lanes.h, and what shots
// make of a search that is cut.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../../query/internal/search/direct_search.h"
#include "../../query/ray_query_service.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle::passed_blocks_test {
namespace {

using internal::DirectBlock;
using internal::DirectOutcome;
using internal::EnteredBlock;
using internal::HitMode;
using internal::PassedBlocks;
using internal::QueryContext;

int scaled(int count) {
  const char* const times = std::getenv("FRACTALRAY_DIRECT_TIMES");
  return times != nullptr ? count * std::atoi(times) : count;
}

// Counts the outcomes of searches that passed blocks; each must have occurred.
struct Seen {
  int found = 0;
  int none = 0;
  int full = 0;
  int ties = 0;
};

bool isTheHit(const EnteredBlock& passed, const Hit& hit) {
  return hit.isBlock() && hit.level == passed.level && hit.block == passed.block &&
         hit.type == passed.type && hit.face == passed.face && hit.t == passed.enter.toDouble();
}

// Returns the difference between a direct search and the hits of the plain pass, or "".
std::string checkPassed(const QueryContext& context, const std::vector<Hit>& plain,
                        std::size_t most, Seen& seen) {
  DirectBlock block;
  PassedBlocks passed;
  passed.begin(most);
  QueryStats stats;
  const DirectOutcome outcome =
      internal::runDirectSearch(directQueryOf(context), block, &passed, stats);
  const std::size_t count = passed.all().size();
  if (count > plain.size()) return "too many passed";
  for (std::size_t i = 0; i < count; ++i) {
    if (!isTheHit(passed.all()[i], plain[i])) return "passed another than " + describe(plain[i]);
  }
  if (outcome == DirectOutcome::kFound) {
    if (plain.size() != count + 1) return "found another number of hits";
    if (!oracle::isSame(hitOf(context.line.segment(), block), plain.back())) return "found another";
  }
  if (outcome == DirectOutcome::kNone && plain.size() != count) return "missed a hit";
  if (count == 0) return "";
  ++(outcome == DirectOutcome::kFound  ? seen.found
     : outcome == DirectOutcome::kNone ? seen.none
     : passed.isFull()                 ? seen.full
                                       : seen.ties);
  return "";
}

TEST(PassedBlocksTest, Law3AreTheFirstHitsOfThePlainPass) {
  Rng rng("PassedBlocksTest");
  Seen seen;
  for (int number = 0; number < scaled(150); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, 1 + rng.below(3));
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 150; ++i) {
      QueryOptions options;
      options.filter.entities = false;
      const QueryContext context{.world = scene.world(),
                                 .entities = scene.entities(),
                                 .callbacks = nullptr,
                                 .options = options,
                                 .levels = scene.levels(rng),
                                 .line = Line(scene.segment(rng)),
                                 .mode = HitMode::kAll};
      if (!internal::canSearchDirectly(context) || !internal::canPassBlocks(context)) continue;
      const auto most = static_cast<std::size_t>(1 + rng.below(20));
      QueryOptions plain_options = options;
      plain_options.pass = SearchPass::kPlain;
      const ShotResult plain =
          service.shootSegment(context.line.segment(), context.levels, plain_options).value();
      ASSERT_EQ(checkPassed(context, plain.hits, most, seen), "")
          << describe(context.line.segment()) << ", scene " << number << " from seed " << seed
          << ", query " << i;
    }
  }
  EXPECT_GT(seen.found, 50);
  EXPECT_GT(seen.none, 100);
  EXPECT_GT(seen.full, 100);
  EXPECT_GT(seen.ties, 50);
}

}  // namespace
}  // namespace fractalray::oracle::passed_blocks_test
