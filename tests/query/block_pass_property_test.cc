// SPDX-License-Identifier: Apache-2.0
// Checks that the fast pass finds the plain pass's hits, to the last bit, in worlds that are made
// to hurt it; also when callbacks change them, and for queries without callbacks.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle {
namespace {

// Counts the cases that the shots have covered; each must have occurred.
struct Seen {
  int shots = 0;
  int with_hit = 0;  // shots with a hit
  int blocks = 0;
  int touched = 0;  // at a single point, after the start
  int ties = 0;     // with the hit before
  int levels = 0;   // shots with hits on several levels
  int many = 0;     // shots with 20 hits or more
  int terminated = 0;

  void add(const ShotResult& shot) {
    const Hit* before = nullptr;
    bool several = false;
    for (const Hit& hit : shot.hits) {
      const HitGeometry& here = hit;
      blocks += hit.isBlock() ? 1 : 0;
      touched += here.t > 0 && here.t_exit == here.t ? 1 : 0;
      ties += before != nullptr && before->t == here.t ? 1 : 0;
      several = several || (before != nullptr && levelOf(*before) != levelOf(hit));
      before = &hit;
    }
    ++shots;
    with_hit += shot.hits.empty() ? 0 : 1;
    levels += several ? 1 : 0;
    many += shot.hits.size() >= 20 ? 1 : 0;
    terminated += shot.terminated ? 1 : 0;
  }
  static int levelOf(const Hit& hit) { return hit.level; }
};

// How often the tests are repeated: more if FRACTALRAY_LONG_TESTS is set.
int scaled(int count) {
  return isLongRun() ? 30 * count : count;
}

// Predicates and effects that change nothing.
void registerSome(Rng& rng, RayQueryService& service) {
  if (rng.oneIn(2)) {
    std::ignore = service.onBlockHit(
        kReeds, [](const BlockHit& hit) { return hit.block[1] % 3 == 0; }, nullptr);
  }
  if (rng.oneIn(4)) {
    std::ignore = service.onBlockHit(kWater, [](const BlockHit& hit) {
      return hit.block[2] % 7 == 0 ? HitResponse::kStop : HitResponse::kContinue;
    });
  }
}

std::string differenceOfSights(const RayQueryService& service, const FixedSegment& segment,
                               LevelMask levels, QueryOptions options) {
  QueryOptions sight{.filter = {.channel = options.filter.channel,
                                .categories = options.filter.categories,
                                .ignore = options.filter.ignore,
                                .skip_start_inside = options.filter.skip_start_inside},
                     .entities_block = true,
                     .corner = options.corner};
  options.pass = sight.pass = SearchPass::kPlain;
  const ClosestHit closest = service.closestHit(segment, levels, options).value();
  const Occlusion occlusion = service.occluded(segment, levels, sight).value();
  options.pass = sight.pass = SearchPass::kFast;
  const ClosestHit other = service.closestHit(segment, levels, options).value();
  std::string text;
  const bool both = closest.hit.has_value() && other.hit.has_value();
  if (closest.hit.has_value() != other.hit.has_value() ||
      (both && !isSame(*closest.hit, *other.hit)) || closest.unknown_from != other.unknown_from) {
    text += "closest:\n  fast  " + (other.hit.has_value() ? describe(*other.hit) : "none") +
            "\n  plain " + (closest.hit.has_value() ? describe(*closest.hit) : "none") + "\n";
  }
  if (service.occluded(segment, levels, sight).value() != occlusion) text += "occlusion\n";
  return text;
}

// Asks both passes everything; returns the differences, or "".
std::string differenceOfPasses(const RayQueryService& service, const FixedSegment& segment,
                               LevelMask levels, QueryOptions options, ShotResult& fast) {
  options.pass = SearchPass::kPlain;
  ShotResult plain;
  absl::Status status = service.shootSegment(segment, levels, options, plain);
  if (!status.ok()) return status.ToString();
  options.pass = SearchPass::kFast;
  status = service.shootSegment(segment, levels, options, fast);
  if (!status.ok()) return status.ToString();
  const std::string text =
      difference(fast, plain) + differenceOfSights(service, segment, levels, options);
  if (text.empty()) return text;
  return text + describe(segment) + ", levels " + formatLevelMask(levels) + ", " +
         describe(options);
}

void checkScenes(std::string_view name, int scenes, int levels) {
  Rng rng(name);
  Seen seen;
  ShotResult result;
  const std::vector<EntityId> ignore = {2, 3, 5, 7, 11};
  for (int number = 0; number < scaled(scenes); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, levels == 0 ? 1 + rng.below(kMaxLevels) : levels);
    RayQueryService service(scene.world(), scene.entities());
    registerSome(rng, service);
    for (int i = 0; i < 150; ++i) {
      FixedSegment segment = scene.segment(rng);
      if (rng.oneIn(5)) segment = stretched(rng, segment);
      const LevelMask mask = scene.levels(rng);
      const std::string text =
          differenceOfPasses(service, segment, mask, hardOptions(rng, ignore), result);
      ASSERT_EQ(text, "") << name << ": scene " << number << " from seed " << seed << ", shot "
                          << i;
      seen.add(result);
    }
  }
  EXPECT_GT(seen.with_hit, seen.shots / 6);
  EXPECT_GT(seen.blocks, seen.shots);
  EXPECT_GT(seen.touched, seen.shots / 20);
  EXPECT_GT(seen.ties, seen.shots / 10);
  EXPECT_GT(seen.terminated, seen.shots / 20);
  EXPECT_GT(seen.many, seen.shots / 100);
  EXPECT_TRUE(levels == 1 || seen.levels > seen.shots / 100);
}

TEST(FastPassPropertyTest, EqualsThePlainPassOnOneLevel) {
  checkScenes("FastPassPropertyTest.OneLevel", 120, 1);
}
TEST(FastPassPropertyTest, EqualsThePlainPassOnTwoLevels) {
  checkScenes("FastPassPropertyTest.TwoLevels", 100, 2);
}
TEST(FastPassPropertyTest, EqualsThePlainPassOnThreeLevels) {
  checkScenes("FastPassPropertyTest.ThreeLevels", 60, 3);
}
TEST(FastPassPropertyTest, EqualsThePlainPassOnFiveLevels) {
  checkScenes("FastPassPropertyTest.FiveLevels", 40, 5);
}
TEST(FastPassPropertyTest, EqualsThePlainPassOnTenLevels) {
  checkScenes("FastPassPropertyTest.TenLevels", 30, 10);
}
TEST(FastPassPropertyTest, EqualsThePlainPassOnAnyNumberOfLevels) {
  checkScenes("FastPassPropertyTest.AnyNumber", 40, 0);
}

// The worlds of the other property tests: small, nested, full of entities.
TEST(FastPassPropertyTest, EqualsThePlainPassInSmallNestedWorlds) {
  Rng rng("FastPassPropertyTest.Small");
  Seen seen;
  ShotResult result;
  const std::vector<EntityId> ignore = {2, 3, 5, 7, 11};
  for (int number = 0; number < scaled(120); ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, 1 + number % kMaxLevels, 20, 1100);
    RayQueryService service(scene->world, scene->entities);
    registerSome(rng, service);
    for (int i = 0; i < 150; ++i) {
      const FixedSegment segment = randomSegment(rng, *scene);
      const std::string text = differenceOfPasses(service, segment, scene->world.allLevels(),
                                                  hardOptions(rng, ignore), result);
      ASSERT_EQ(text, "") << "scene " << number << " from seed " << seed << ", shot " << i;
      seen.add(result);
    }
  }
  EXPECT_GT(seen.with_hit, seen.shots / 3);
  EXPECT_GT(seen.ties, seen.shots / 50);
}

// Shoots with effects that edit, load, unload and expand; returns all that was reported, in order.
std::vector<std::string> shootWithEdits(std::uint64_t seed, SearchPass pass, Seen& seen) {
  Rng rng(seed);
  HardScene scene(rng, 1 + rng.below(4));
  const std::vector<EntityId> none;
  QueryOptions options = hardOptions(rng, none);
  options.pass = pass;
  options.filter.blocks = true;
  options.filter.solid_only = false;
  options.max_hits = QueryOptions().max_hits;
  const LevelMask levels = scene.levels(rng);
  RayQueryService service(scene.world(), scene.entities());
  std::vector<std::string> reported;
  World& world = scene.world();
  const auto change = [&](int level, const BlockCoord& block) {
    const BlockTypeId type = rng.pick({kAir, kAir, kWater, kStone});
    absl::Status status;  // some changes fail, and then do so in both passes
    switch (rng.below(6)) {
      case 0:
        status = world.unloadChunk(level, chunkOf(block));
        break;
      case 1:
        status = world.loadChunk(level, chunkOf(block), Chunk::uniform(type, world.blockTypes()));
        break;
      case 2:
        status = world.expandBlock(level, block);
        break;
      default:
        status = world.setBlock(level, block, type);
    }
    reported.push_back(status.ToString());
  };
  const auto act = [&](const BlockHit& hit) {
    change(hit.level, hit.block);
    const HardScene::Spot elsewhere = scene.spot(rng);
    change(elsewhere.level, elsewhere.block);
    return rng.oneIn(20) ? HitResponse::kStop : HitResponse::kContinue;
  };
  for (const BlockTypeId type : {kWater, kReeds, kMist, kGlass, kStone}) {
    std::ignore = service.onBlockHit(type, act);
  }
  for (int i = 0; i < 20; ++i) {
    const FixedSegment segment = scene.segment(rng);
    const absl::StatusOr<ShotResult> shot = service.shootSegment(segment, levels, options);
    if (!shot.ok()) {
      reported.push_back(shot.status().ToString());
      continue;
    }
    seen.add(*shot);
    reported.push_back(describe(segment));
    for (const Hit& hit : shot->hits)
      reported.push_back(describe(hit));
    reported.push_back(shot->terminated ? "terminated" : shot->truncated ? "truncated" : "through");
  }
  return reported;
}

TEST(FastPassPropertyTest, EqualsThePlainPassUnderEffectsThatChangeTheWorld) {
  Rng rng("FastPassPropertyTest.Edits");
  Seen seen;
  for (int i = 0; i < scaled(200); ++i) {
    const std::uint64_t seed = rng.next();
    const std::vector<std::string> plain = shootWithEdits(seed, SearchPass::kPlain, seen);
    const std::vector<std::string> fast = shootWithEdits(seed, SearchPass::kFast, seen);
    ASSERT_EQ(fast.size(), plain.size()) << "seed " << seed;
    for (std::size_t line = 0; line < plain.size(); ++line)
      ASSERT_EQ(fast[line], plain[line]) << "seed " << seed << ", line " << line;
  }
  EXPECT_GT(seen.blocks, seen.shots / 2);
  EXPECT_GT(seen.terminated, seen.shots / 20);
}

}  // namespace
}  // namespace fractalray::oracle
