// SPDX-License-Identifier: Apache-2.0
// Checks the order of hits that are compared on their own against the oracle's exact times, and
// merges of the answers of a world's parts against the answer of the whole, in scenes where times
// tie: at corners, planes and touching shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../../query/hit_order.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "hard_scene.h"
#include "world_parts.h"

namespace fractalray::oracle::hit_order_property_test {
namespace {

// Counts the cases that occurred.
struct Seen {
  int lines = 0;
  int hits = 0;
  int ties = 0;      // hits at the same t as the hit before
  int corners = 0;   // blocks that are not the first of their corner crossing
  int spheres = 0;   // hits of spheres
  int repeated = 0;  // hits that several parts have, of shots without an end
  int cut = 0;       // those, and hits after the end, of other shots
};

const std::vector<EntityId> kIgnored = {2, 3, 5, 7, 11};

int many(int scenes) {
  return isLongRun() ? 10 * scenes : scenes;
}

QueryOptions someOptions(Rng& rng) {
  QueryOptions options = hardOptions(rng, kIgnored);
  if (rng.oneIn(2)) options = {.corner = options.corner};
  options.max_hits = QueryOptions().max_hits;
  options.stop_at_unknown = false;
  return options;
}

// Returns the line as it is, its mirror image, or a ray that ends early.
FixedSegment someLine(Rng& rng, const FixedSegment& segment, const Frame& frame) {
  if (rng.oneIn(3)) return randomReflection(rng, segment, frame);
  return rng.oneIn(3) ? stretched(rng, segment) : segment;
}

std::string checkMerge(const RayQueryService& whole,
                       const std::vector<std::unique_ptr<RandomScene>>& parts,
                       const FixedSegment& line, LevelMask levels, const QueryOptions& options,
                       Seen& seen) {
  const ShotResult expected = whole.shootSegment(line, levels, options).value();
  std::vector<ShotResult> found;
  for (const std::unique_ptr<RandomScene>& part : parts) {
    const RayQueryService service(part->world, part->entities);
    found.push_back(service.shootSegment(line, levels, options).value());
  }
  std::vector<std::span<const Hit>> lists;
  int all = 0;
  for (const ShotResult& shot : found) {
    lists.emplace_back(shot.hits);
    all += static_cast<int>(shot.hits.size());
  }
  const auto merged = mergeHits(line, lists, whole.world().frame(), options.corner);
  if (!merged.ok()) return merged.status().ToString();
  for (std::size_t i = 0; i < std::max(merged->size(), expected.hits.size()); ++i) {
    if (i == merged->size()) return "missing: " + describe(expected.hits[i]);
    Hit hit = (*merged)[i];
    if (i == expected.hits.size()) return "too many: " + describe(hit);
    hit.entity = expected.hits[i].entity;  // each index has its own
    if (!isSame(hit, expected.hits[i]))
      return describe(hit) + "\ninstead of " + describe(expected.hits[i]);
    seen.ties += i > 0 && hit.t == expected.hits[i - 1].t ? 1 : 0;
    seen.corners += hit.step > 1 ? 1 : 0;
    seen.spheres += hit.isEntity() && hit.shape.kind == FixedShape::Kind::kSphere ? 1 : 0;
  }
  ++seen.lines;
  seen.hits += static_cast<int>(merged->size());
  const int left = all - static_cast<int>(merged->size());
  (expected.terminated ? seen.cut : seen.repeated) += left;
  return "";
}

void checkParts(Rng& rng, const World& world, const EntityIndex& entities,
                const std::vector<FixedSegment>& lines, Seen& seen) {
  const RayQueryService service(world, entities);
  const auto parts = partsOf(rng, world, entities, static_cast<int>(rng.in(1, 5)));
  for (const FixedSegment& segment : lines) {
    const FixedSegment line = someLine(rng, segment, world.frame());
    LevelMask levels = world.allLevels();
    if (rng.oneIn(4)) levels = LevelMask{rng.below(world.frame().levels())};
    const QueryOptions options = someOptions(rng);
    ASSERT_EQ(checkMerge(service, parts, line, levels, options, seen), "")
        << describe(line) << ", " << describe(options) << "\n"
        << describe(world, entities, line);
  }
}

TEST(HitOrderPropertyTest, MergedPartsOfRandomScenesAreTheWhole) {
  Rng rng("HitOrderPropertyTest.Random");
  Seen seen;
  for (int number = 0; number < many(120); ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, static_cast<int>(rng.in(1, 3)), 80, 1500);
    std::vector<FixedSegment> lines;
    for (int i = 0; i < 12; ++i)
      lines.push_back(randomSegment(rng, *scene));
    ASSERT_NO_FATAL_FAILURE(checkParts(rng, scene->world, scene->entities, lines, seen))
        << "scene " << number << " from seed " << seed;
  }
  EXPECT_GT(seen.hits, seen.lines / 2);
  EXPECT_GT(seen.ties, 50);
  EXPECT_GT(seen.corners, 10);
  EXPECT_GT(seen.spheres, 50);
  EXPECT_GT(seen.repeated, 50);
  EXPECT_GT(seen.cut, 50);
}

TEST(HitOrderPropertyTest, MergedPartsOfHardScenesAreTheWhole) {
  Rng rng("HitOrderPropertyTest.Hard");
  Seen seen;
  for (int number = 0; number < many(60); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, static_cast<int>(rng.in(1, 4)));
    std::vector<FixedSegment> lines;
    for (int i = 0; i < 12; ++i)
      lines.push_back(scene.segment(rng));
    ASSERT_NO_FATAL_FAILURE(checkParts(rng, scene.world(), scene.entities(), lines, seen))
        << "scene " << number << " from seed " << seed;
  }
  EXPECT_GT(seen.hits, seen.lines / 4);
  EXPECT_GT(seen.ties, 20);
}

// Returns all hits of a line, also those after walls.
std::vector<Hit> allHits(const RayQueryService& service, const FixedSegment& line, LevelMask levels,
                         const QueryOptions& options) {
  ShotResult shot = service.shootSegment(line, levels, options).value();
  for (std::size_t before = 0; before != shot.hits.size();) {
    before = shot.hits.size();
    EXPECT_TRUE(service.resume(shot, levels, options).ok());
  }
  return shot.hits;
}

std::strong_ordering orderOf(const OracleHit& a, const OracleHit& b) {
  if (isBefore(a, b)) return std::strong_ordering::less;
  return isBefore(b, a) ? std::strong_ordering::greater : std::strong_ordering::equal;
}

// Compares random pairs of hits, as the oracle compares its own.
void checkPairs(Rng& rng, const RandomScene& scene, const FixedSegment& line,
                const QueryOptions& options, int& pairs, int& ties) {
  const LevelMask levels = scene.world.allLevels();
  const std::vector<OracleHit> expected =
      candidates(scene.world, scene.entities, line, levels, options);
  if (expected.empty() || expected.size() > 60) return;  // the oracle is slow on many
  const RayQueryService service(scene.world, scene.entities);
  const std::vector<Hit> hits = allHits(service, line, levels, options);
  ASSERT_EQ(hits.size(), expected.size());
  const int count = static_cast<int>(hits.size());
  for (int i = 0; i < 20; ++i) {
    const int first = rng.below(count);
    // Neighbours are those that tie.
    const int second =
        rng.oneIn(2) ? rng.below(count) : std::clamp(first + rng.below(5) - 2, 0, count - 1);
    const auto a = static_cast<std::size_t>(first);
    const auto b = static_cast<std::size_t>(second);
    const auto order = compareHits(line, hits[a], hits[b], scene.world.frame(), options.corner);
    ASSERT_TRUE(order.ok()) << order.status();
    ASSERT_TRUE(*order == orderOf(expected[a], expected[b])) << describe(expected[a]) << "\n"
                                                             << describe(expected[b]);
    ++pairs;
    ties += a != b && expected[a].t == expected[b].t ? 1 : 0;
  }
}

TEST(HitOrderPropertyTest, ComparesAsTheOracleDoes) {
  Rng rng("HitOrderPropertyTest.Pairs");
  int pairs = 0;
  int ties = 0;
  for (int number = 0; number < many(150); ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, static_cast<int>(rng.in(1, 3)), 80, 1500);
    for (int i = 0; i < 8; ++i) {
      FixedSegment line = randomSegment(rng, *scene);
      if (rng.oneIn(3)) line = randomReflection(rng, line, scene->world.frame());
      const QueryOptions options = someOptions(rng);
      ASSERT_NO_FATAL_FAILURE(checkPairs(rng, *scene, line, options, pairs, ties))
          << "scene " << number << " from seed " << seed << "\n"
          << describe(line) << ", " << describe(options);
    }
  }
  EXPECT_GT(pairs, 2000);
  EXPECT_GT(ties, 50);
}

}  // namespace
}  // namespace fractalray::oracle::hit_order_property_test
