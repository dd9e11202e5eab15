// SPDX-License-Identifier: Apache-2.0
// Laws of shapes in worlds of many blocks: S12, S13 and S14.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "shape_scene.h"

namespace fractalray::oracle::shape_scene_laws_test {
namespace {

constexpr int kScenes = 200;
constexpr int kLines = 40;  // for each scene

// Calls `check` with scenes of 1 to 4 levels, until it fails.
template <class Check>
void forScenes(const char* name, Check check) {
  Rng rng(name);
  for (int i = 0; i < kScenes; ++i) {
    const std::uint64_t seed = rng.seed();
    ShapeScene scene(rng, 1 + i % 4);
    check(rng, scene);
    if (testing::Test::HasFailure()) FAIL() << "scene " << i << " from seed " << seed;
  }
}

TEST(ShapeSceneLawsTest, S12ResumingAfterEachHitGivesTheHitsOfOneShot) {
  int resumed = 0;
  forScenes("S12", [&](Rng& rng, const ShapeScene& scene) {
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = scene.segment(rng);
      const LevelMask levels = scene.levels(rng);
      QueryOptions options = shapeOptions(rng);
      options.report_unknown = false;
      const ShotResult whole = service.shootSegment(line, levels, options).value();
      for (std::size_t a = 0; a < whole.hits.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const bool is_again = whole.hits[a].isBlock() && whole.hits[b].isBlock() &&
                                whole.hits[a].level == whole.hits[b].level &&
                                whole.hits[a].block == whole.hits[b].block;
          ASSERT_FALSE(is_again) << describe(whole.hits[a]);
        }
      }
      // One hit at a time, each after the one before.
      options.max_hits = 1;
      ShotResult steps = service.shootSegment(line, levels, options).value();
      while (steps.truncated) {
        ASSERT_TRUE(service.resume(steps, levels, options).ok());
        ++resumed;
      }
      ASSERT_EQ(difference(steps, whole), "") << describe(line) << " " << describe(options);
    }
  });
  EXPECT_GT(resumed, kScenes * kLines / 3);
}

// Returns the hits of a cursor.
std::vector<Hit> hitsOf(HitCursor cursor) {
  std::vector<Hit> hits;
  while (true) {
    const Hit* const hit = cursor.next().value();
    if (hit == nullptr) return hits;
    hits.push_back(*hit);
  }
}

// Counts what was compared.
struct Agreement {
  std::size_t hits = 0;
  int blocked = 0;
  int packets = 0;  // batches whose lines share steps
};

// Checks that the verbs and their batches agree on lines with the same options.
void expectAgreement(const RayQueryService& service, const RayQueryService& snapshot,
                     const std::vector<FixedSegment>& lines, LevelMask levels,
                     const QueryOptions& options, Agreement& seen) {
  const ShotBatch shots = service.shootSegment({lines, levels}, options).value();
  const ClosestBatch closest = service.closestHit({lines, levels}, options).value();
  CompactBatch compact;
  ASSERT_TRUE(service.closestHit({lines, levels}, options, compact).ok());
  const OcclusionBatch sights = service.occluded({lines, levels}, options).value();
  std::uint64_t single_steps = 0;
  QueryOptions solid = options;
  solid.filter.solid_only = true;
  solid.filter.entities = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SCOPED_TRACE(describe(lines[i]) + " " + describe(options));
    const ShotResult shot = service.shootSegment(lines[i], levels, options).value();
    ASSERT_EQ(difference(snapshot.shootSegment(lines[i], levels, options).value(), shot), "");
    const std::vector<Hit> cursor = hitsOf(service.hitsAlong(lines[i], levels, options).value());
    ASSERT_EQ(cursor.size(), shot.hits.size());
    ASSERT_EQ(shots.hitsOf(i).size(), shot.hits.size());
    for (std::size_t k = 0; k < shot.hits.size(); ++k) {
      EXPECT_TRUE(isSame(cursor[k], shot.hits[k])) << describe(cursor[k]);
      EXPECT_TRUE(isSame(shots.hitsOf(i)[k], shot.hits[k])) << describe(shots.hitsOf(i)[k]);
    }
    seen.hits += shot.hits.size();
    const ClosestHit first = service.closestHit(lines[i], levels, options).value();
    single_steps += first.stats.steps();
    const Hit expected = shot.hits.empty() ? Hit() : shot.hits[0];
    ASSERT_EQ(first.hit.has_value(), !shot.hits.empty());
    EXPECT_TRUE(isSame(first.hit.value_or(Hit()), expected)) << describe(*first.hit);
    EXPECT_TRUE(isSame(closest.answers[i], expected)) << describe(closest.answers[i]);
    EXPECT_EQ(compact.answers[i], toCompact(expected)) << describe(expected);
    const bool is_blocked = service.closestHit(lines[i], levels, solid)->hit.has_value();
    const Occlusion sight = service.occluded(lines[i], levels, options).value();
    EXPECT_EQ(sight == Occlusion::kBlocked, is_blocked);
    seen.blocked += is_blocked ? 1 : 0;
    EXPECT_EQ(sights.answers[i], sight);
    EXPECT_EQ(snapshot.occluded(lines[i], levels, options).value(), sight);
  }
  seen.packets += closest.stats.steps() < single_steps ? 1 : 0;
}

// Returns lines from one eye, which may be outside of the scene, to points near each other, as
// packets are made of.
std::vector<FixedSegment> linesFromAnEye(Rng& rng, const ShapeScene& scene) {
  FixedSegment first = scene.segment(rng);
  const int level = rng.below(scene.world().frame().levels());
  const std::int64_t width = scene.world().frame().blockWidth(level);
  first.from[rng.below(3)] += rng.in(-8, 8) * width;
  std::vector<FixedSegment> lines(kLines, first);
  const std::int64_t step = width / rng.pick({8, 32, 256});
  for (int i = 0; i < kLines; ++i) {
    lines[static_cast<std::size_t>(i)].to[0] += (i % 8 - 4) * step;
    lines[static_cast<std::size_t>(i)].to[1] += (i / 8 - 2) * step;
  }
  return lines;
}

TEST(ShapeSceneLawsTest, S13AllVerbsAgree) {
  Agreement scattered;
  Agreement of_eyes;
  forScenes("S13", [&](Rng& rng, ShapeScene& scene) {
    const RayQueryService service(scene.world(), scene.entities());
    const std::shared_ptr<const World> world = scene.world().snapshot();
    const std::shared_ptr<const EntityIndex> entities = scene.entities().snapshot();
    const RayQueryService snapshot(*world, *entities);
    std::vector<FixedSegment> lines(kLines);
    for (FixedSegment& line : lines)
      line = scene.segment(rng);
    const LevelMask levels = scene.levels(rng);
    expectAgreement(service, snapshot, lines, levels, shapeOptions(rng), scattered);
    expectAgreement(service, snapshot, linesFromAnEye(rng, scene), levels, shapeOptions(rng),
                    of_eyes);
  });
  for (const Agreement& seen : {scattered, of_eyes}) {
    EXPECT_GT(seen.hits, std::size_t{kScenes * kLines / 2});
    EXPECT_GT(seen.blocked, kScenes * kLines / 10);
  }
  EXPECT_GT(of_eyes.packets, kScenes / 5);
}

// S14 compares with the library as it was before there were shapes, as the golden answers do
// (tests/golden). Here: a shape that no block has changes neither answers nor work.
TEST(ShapeSceneLawsTest, S14AShapeThatNoBlockHasChangesNothing) {
  Rng rng("S14");
  for (int number = 0; number < kScenes; ++number) {
    const auto scene = randomScene(rng, 1 + number % 4, 10, 300);
    World& world = scene->world;
    BlockTypeTable& types = world.blockTypes();
    // Copies of the whole types of the scene, without its shapes.
    auto plain_types = std::make_shared<BlockTypeTable>();
    ASSERT_EQ(plain_types->addChannel("visible").value(), kVisible);
    for (std::uint16_t i = 1; i < types.size(); ++i) {
      const BlockTypeId type{i};
      ASSERT_TRUE(plain_types
                      ->add({.name = types.name(type),
                             .kind = types.kind(type, kDefaultChannel),
                             .channel_kinds = {{kVisible, types.kind(type, kVisible)}}})
                      .ok());
    }
    auto shaped_types = std::make_shared<BlockTypeTable>(*plain_types);
    const ShapeId slab = shaped_types->addShape(types.boxes(types.shape(kSlab, kVisible))).value();
    ASSERT_NE(slab, kWholeCube);
    ASSERT_TRUE(shaped_types->add({.name = "other slab", .shape = slab}).ok());
    World plain({.levels = world.frame().levels(), .block_types = plain_types});
    World shaped({.levels = world.frame().levels(), .block_types = shaped_types});
    for (int level = 0; level < world.frame().levels(); ++level) {
      world.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        ASSERT_TRUE(plain.loadChunk(level, at, chunk).ok());
        ASSERT_TRUE(shaped.loadChunk(level, at, chunk).ok());
      });
    }
    const RayQueryService of_plain(plain, scene->entities);
    const RayQueryService of_shaped(shaped, scene->entities);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = randomSegment(rng, *scene);
      const QueryOptions options = shapeOptions(rng);
      const auto work = [](const QueryStats& stats) {
        return std::tuple(stats.cells, stats.chunks, stats.skips, stats.ordered, stats.direct,
                          stats.index_cells, stats.entities_tested);
      };
      const ShotResult a = of_plain.shootSegment(line, LevelMask::all(), options).value();
      const ShotResult b = of_shaped.shootSegment(line, LevelMask::all(), options).value();
      ASSERT_EQ(difference(a, b), "") << describe(line);
      ASSERT_EQ(work(a.stats), work(b.stats)) << describe(line);
      const ClosestHit first = of_plain.closestHit(line, LevelMask::all(), options).value();
      const ClosestHit other = of_shaped.closestHit(line, LevelMask::all(), options).value();
      ASSERT_EQ(first.hit.has_value(), other.hit.has_value());
      if (first.hit.has_value()) {
        ASSERT_TRUE(isSame(*first.hit, *other.hit)) << describe(line);
      }
      ASSERT_EQ(work(first.stats), work(other.stats)) << describe(line);
    }
  }
}

}  // namespace
}  // namespace fractalray::oracle::shape_scene_laws_test
