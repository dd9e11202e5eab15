// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "entity_scene.h"
#include "loads.h"

namespace fractalray::bench {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::size_t kMillion = 1'000'000;
constexpr Lengths kUsualLengths{.min = 400, .max = 400};
constexpr Lengths kCaveLengths{.min = 5, .max = 40};
constexpr double kCameraLength = 400;
constexpr double kLongLength = 40'000;
// Like an infinite ray, longer than products of 64 bits hold; its ends are exact in doubles.
constexpr double kEndlessLength = 68'719'476'736;  // 2^36

// The systems of works in which not all of them take part.
const Names kBlockKinds{"fractalray",       "fractalray-segment", "fractalray-ray",
                        "fractalray-plain", "textbook-float",     "textbook-double"};
const Names kOursOnly{"fractalray", "fractalray-plain", "fractalray-single"};
const Names kLarge{"fractalray", "fractalray-single", "textbook-double"};
const Names kSwept{"fractalray",       "fractalray-segment", "fractalray-ray",
                   "fractalray-plain", "textbook-double",    "openvdb",
                   "nanovdb"};
const Names kNotPackets{
    "fractalray",     "fractalray-segment", "fractalray-ray", "fractalray-plain",
    "textbook-float", "textbook-double",    "openvdb",        "nanovdb",
    "embree"};
// The systems for scenes with shapes.
const Names kShapeKinds{"fractalray",        "fractalray-segment", "fractalray-ray",
                        "fractalray-plain",  "fractalray-cubes",   "fractalray-expanded",
                        "fractalray-single", "textbook-boxes"};
// The systems that stop at the border of what is loaded; a loop over blocks would take minutes a
// ray.
const Names kBounded{"fractalray",     "fractalray-segment",
                     "fractalray-ray", "fractalray-plain",
                     "openvdb",        "nanovdb",
                     "embree",         "embree16"};
// Embree's floats cannot represent a position in a block at 2^24.
const Names kFarthest{"fractalray",     "fractalray-segment", "fractalray-ray", "fractalray-plain",
                      "textbook-float", "textbook-double",    "openvdb",        "nanovdb"};

Rays usualRays(const Grid& grid, std::size_t count) {
  return randomRays(grid, count, kUsualLengths);
}

Rays camera(const Grid& grid, std::size_t count) {
  const std::int64_t width = std::llround(std::sqrt(static_cast<double>(count)));
  return cameraRays(grid, std::max<std::int64_t>(width / 4 * 4, 4), kCameraLength);
}

// Numbers of segments.
struct Counts {
  bool quick = false;
  std::size_t random = kMillion;
  std::size_t camera = 1'048'576;  // 1024 x 1024
  std::size_t far = kMillion;
  std::size_t longs = 5000;
  std::size_t swept = 100'000;
};
constexpr Counts kQuick{.quick = true,
                        .random = 30'000,
                        .camera = 36'864,  // 192 x 192
                        .far = 10'000,
                        .longs = 200,
                        .swept = 5'000};

SetPlan randomSet(std::string scene, const Counts& counts, std::vector<Work> works) {
  return {.scene = std::move(scene),
          .rays = "random",
          .count = counts.random,
          .works = std::move(works),
          .make = usualRays};
}

SetPlan cameraSet(std::string scene, const Counts& counts) {
  return {.scene = std::move(scene),
          .rays = "camera",
          .count = counts.camera,
          .works = {Work::kFirstHit, Work::kCameraBatch},
          .make = camera};
}

// Rays that hit nothing: a line of sight has to search all of them.
SetPlan clearSet(const Counts& counts) {
  SetPlan set = randomSet("terrain", counts, {Work::kFirstHit, Work::kOccluded});
  set.rays = "clear";
  set.make = [](const Grid& grid, std::size_t count) {
    return clearRays(grid, count, kUsualLengths);
  };
  set.systems = kBlockKinds;
  return set;
}

// Rays like those of a caller who gives no distance: a Ray is infinite by default.
SetPlan endlessSet(const Counts& counts) {
  SetPlan set = randomSet("terrain", counts, {Work::kFirstHit});
  set.rays = "endless";
  set.make = [](const Grid& grid, std::size_t count) {
    return randomRays(grid, count, {.min = kEndlessLength, .max = kEndlessLength});
  };
  set.systems = kBounded;
  set.reference = Reference::kPlainPass;
  return set;
}

ScenePlan terrainPlan(const Counts& counts) {
  ScenePlan plan{.make = [] { return makeTerrain(); }};
  plan.sets.push_back(randomSet("terrain", counts,
                                {Work::kFirstHit, Work::kShoot, Work::kAllHits, Work::kOccluded,
                                 Work::kClosestBatch, Work::kCompactBatch, Work::kOccludedBatch}));
  plan.sets.push_back(clearSet(counts));
  plan.sets.push_back(cameraSet("terrain", counts));
  plan.sets.push_back(endlessSet(counts));
  plan.sets.push_back({.scene = "caves",
                       .rays = "random",
                       .count = counts.random,
                       .works = {Work::kFirstHit, Work::kShoot, Work::kOccluded},
                       .make = [](const Grid& grid, std::size_t count) {
                         return caveRays(grid, count, kCaveLengths);
                       }});
  plan.sets.push_back({.scene = "terrain",
                       .rays = "long",
                       .count = counts.longs,
                       .works = {Work::kFirstHit},
                       .make = [](const Grid& grid, std::size_t count) {
                         return passingRays(grid, count, kLongLength);
                       }});
  addLoads(counts.random, plan);
  return plan;
}

// Terrain with entities all over it, as in a game.
ScenePlan inhabitedPlan(const Counts& counts) {
  constexpr std::size_t kEntities = 10'000;
  SetPlan set =
      randomSet("terrain-entities", counts,
                {Work::kFirstHit, Work::kShoot, Work::kClosestBatch, Work::kCompactBatch});
  set.systems = kOursOnly;
  set.reference = Reference::kPlainPass;
  const auto make = [] {
    Scene scene = makeTerrain();
    const EntityScene entities(Spread::kUniform, kEntities);
    for (std::size_t entity = 0; entity < entities.size(); ++entity)
      scene.entities.push_back(entities.spec(entity));
    return scene;
  };
  return {.make = make, .sets = {std::move(set)}};
}

// A world of many times the processor's caches.
ScenePlan largePlan(const Counts& counts) {
  SetPlan set = randomSet("large", counts,
                          {Work::kFirstHit, Work::kShoot, Work::kOccluded, Work::kClosestBatch,
                           Work::kCompactBatch, Work::kOccludedBatch});
  set.systems = kLarge;
  return {.make = [] { return makeTerrain({2048, 256, 1024}); }, .sets = {std::move(set)}};
}

constexpr double kSparseDensity = 0.002;

ScenePlan sparsePlan(const Counts& counts) {
  return {.make = [] { return makeSparse(kSparseDensity); },
          .sets = {randomSet("sparse", counts,
                             {Work::kFirstHit, Work::kShoot, Work::kOccluded, Work::kClosestBatch,
                              Work::kCompactBatch, Work::kOccludedBatch}),
                   cameraSet("sparse", counts)}};
}

// Returns a scene and its rays at 2^log2 blocks from the origin along each axis. The rays of a grid
// are drawn relative to its origin, so they are the same ones moved.
ScenePlan farPlan(const std::string& scene, int log2, const Counts& counts) {
  ScenePlan plan{.make = [=] {
    return movedScene(scene == "terrain" ? makeTerrain() : makeSparse(kSparseDensity),
                      std::int64_t{1} << log2);
  }};
  SetPlan set = randomSet(scene, counts, {Work::kFirstHit});
  set.rays = "far" + std::to_string(log2);
  set.count = counts.far;
  set.systems = log2 < 24 ? kNotPackets : kFarthest;
  plan.sets.push_back(std::move(set));
  return plan;
}

ScenePlan plantsPlan(const Counts& counts) {
  ScenePlan plan{.make = makePlants};
  plan.sets.push_back(
      randomSet("plants", counts, {Work::kFirstHit, Work::kFirstSolid, Work::kAllHits}));
  plan.sets.back().systems = kBlockKinds;
  return plan;
}

// Ground of blocks that do not fill their cubes: seen from everywhere, by players, by a camera.
ScenePlan shapedPlan(const std::string& scene, Scene (*make)(), const Counts& counts) {
  ScenePlan plan{.make = make};
  plan.sets.push_back(randomSet(
      scene, counts,
      {Work::kFirstHit, Work::kShoot, Work::kOccluded, Work::kClosestBatch, Work::kCompactBatch}));
  plan.sets.push_back(reachSet(scene, 40, counts.random));
  plan.sets.push_back(cameraSet(scene, counts));
  for (SetPlan& set : plan.sets) {
    set.systems = kShapeKinds;
    set.reference = Reference::kPlainPass;
  }
  return plan;
}

ScenePlan emptyPlan(const Counts& counts) {
  return {.make = makeEmpty, .sets = {randomSet("empty", counts, {Work::kFirstHit, Work::kShoot})}};
}

ScenePlan luantiPlan(const Counts& counts) {
  ScenePlan plan{.make = openLuantiScene};
  plan.sets.push_back(randomSet("luanti", counts, {Work::kFirstHit, Work::kShoot, Work::kAllHits}));
  // Sight asks for solid blocks, which systems that know only occupied blocks cannot answer.
  plan.sets.push_back(randomSet("luanti", counts, {Work::kOccluded}));
  plan.sets.back().systems = kBlockKinds;
  plan.sets.push_back(cameraSet("luanti", counts));
  return plan;
}

ScenePlan fractalPlan(const Counts& counts) {
  ScenePlan plan{.make = makeFractal};
  plan.sets.push_back(
      {.scene = "fractal",
       .rays = "random",
       .count = counts.random,
       .works = {Work::kOneLevel, Work::kTwoLevels, Work::kThreeLevels, Work::kFourLevels,
                 Work::kFiveLevels},
       .make = [](const Grid& grid,
                  std::size_t count) { return containedRays(grid, count, kUsualLengths); },
       .systems = kOursOnly});
  plan.sets.push_back({.scene = "fractal",
                       .rays = "long",
                       .count = counts.longs,
                       .works = {Work::kFiveLevels},
                       .make =
                           [](const Grid& grid, std::size_t count) {
                             return randomRays(grid, count, {kLongLength, kLongLength});
                           },
                       .systems = kOursOnly,
                       .reference = Reference::kPlainPass});
  return plan;
}

// Sweeps the length of a segment: through loaded chunks with a block here and there.
ScenePlan lengthSweep(const Counts& counts) {
  ScenePlan plan{.make = [] { return makeSparse(1e-5, {16384, 64, 64}); }};
  for (const int length : {10, 30, 100, 300, 1000, 3000, 10000}) {
    // Long ones are fewer, to take about as long together.
    const std::size_t most = counts.swept * 100 / static_cast<std::size_t>(length);
    plan.sets.push_back({.scene = "strip",
                         .rays = "length-" + std::to_string(length),
                         .count = std::min(counts.swept, most),
                         .works = {Work::kFirstHit},
                         .make = [=](const Grid& grid,
                                     std::size_t count) { return innerRays(grid, count, length); },
                         .systems = kSwept});
  }
  return plan;
}

SetPlan sweptSet(std::string scene, const Counts& counts) {
  SetPlan set = randomSet(std::move(scene), counts, {Work::kFirstHit});
  set.count = counts.swept;
  set.systems = kSwept;
  return set;
}

// Sweeps the share of solid blocks, spread at random.
void addDensitySweep(const Counts& counts, std::vector<ScenePlan>& suite) {
  constexpr auto kDensities =
      std::to_array<std::pair<double, const char*>>({{1e-5, "density-0.00001"},
                                                     {1e-4, "density-0.0001"},
                                                     {1e-3, "density-0.001"},
                                                     {1e-2, "density-0.01"},
                                                     {1e-1, "density-0.1"}});
  for (const auto& [density, name] : kDensities) {
    suite.push_back({.make =
                         [density = density] {
                           return makeSparse(density, {256, 256, 256});
                         },
                     .sets = {sweptSet(name, counts)}});
  }
}

// Sweeps the size of the world around the same stretch of ground, in blocks from side to side.
void addWorldSweep(const Counts& counts, std::vector<ScenePlan>& suite) {
  for (const std::int64_t width : {256, 512, 1024}) {
    if (counts.quick && width > 512) continue;
    SetPlan set = sweptSet("world-" + std::to_string(width), counts);
    set.make = [](const Grid& grid, std::size_t count) {
      return randomRays(grid, count, {.min = 0, .max = 100}, 64);
    };
    suite.push_back({.make =
                         [=] {
                           return makeTerrain({width, 256, width});
                         },
                     .sets = {std::move(set)}});
  }
}

constexpr auto kWorkNames = std::to_array<std::pair<Work, std::string_view>>({
    {Work::kFirstHit, "first_hit"},
    {Work::kFirstSolid, "first_solid"},
    {Work::kConvert, "convert"},
    {Work::kShoot, "shoot"},
    {Work::kAllHits, "all_hits"},
    {Work::kOccluded, "occluded"},
    {Work::kClosestBatch, "closest_batch"},
    {Work::kCompactBatch, "compact_batch"},
    {Work::kOccludedBatch, "occluded_batch"},
    {Work::kCameraBatch, "camera_batch"},
    {Work::kHitGroups, "hit_groups"},
    {Work::kSightGroups, "sight_groups"},
    {Work::kOneLevel, "one_level"},
    {Work::kTwoLevels, "two_levels"},
    {Work::kThreeLevels, "three_levels"},
    {Work::kFourLevels, "four_levels"},
    {Work::kFiveLevels, "five_levels"},
    {Work::kEntityMove, "entity_move"},
    {Work::kEntityQuery, "entity_query"},
    {Work::kEntityTick, "entity_tick"},
    {Work::kFirstOf4096, "first_of_4096"},
    {Work::kTenthOf4096, "tenth_of_4096"},
    {Work::kAllOf4096, "all_of_4096"},
    {Work::kPull4096, "pull_4096"},
});

}  // namespace

std::vector<ScenePlan> makeSuite(bool quick) {
  const Counts counts = quick ? kQuick : Counts{};
  std::vector<ScenePlan> suite{terrainPlan(counts),
                               inhabitedPlan(counts),
                               largePlan(counts),
                               sparsePlan(counts),
                               plantsPlan(counts),
                               shapedPlan("slabs", makeSlabs, counts),
                               shapedPlan("village", makeVillage, counts),
                               emptyPlan(counts),
                               luantiPlan(counts),
                               fractalPlan(counts)};
  for (const char* scene : {"terrain", "sparse"}) {
    for (const int log2 : {20, 24})
      suite.push_back(farPlan(scene, log2, counts));
  }
  suite.push_back(lengthSweep(counts));
  addDensitySweep(counts, suite);
  addWorldSweep(counts, suite);
  return suite;
}

std::string_view workName(Work work) {
  return kWorkNames[static_cast<std::size_t>(work)].second;
}

std::vector<Work> allWorks() {
  std::vector<Work> works;
  works.reserve(kWorkNames.size());
  for (const auto& [work, name] : kWorkNames)
    works.push_back(work);
  return works;
}

}  // namespace fractalray::bench
