// SPDX-License-Identifier: Apache-2.0
// Compares blasts on random worlds with one look-up for each sample.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "../../query/blast.h"
#include "../../query/ray_query_service.h"
#include "../oracle/exact.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"

namespace fractalray::blast_property_test {
namespace {

using oracle::Integer;
using oracle::kVisible;
using oracle::Rng;

constexpr double kUnit = 1.0 / 65536;

// Returns resistances of the scene's types, the last of which is missing.
std::vector<std::int64_t> randomResistances(Rng& rng) {
  std::vector<std::int64_t> resistances;
  for (int type = 0; type < 8; ++type)
    resistances.push_back(rng.pick<std::int64_t>({0, 1, rng.in(0, 40), rng.in(0, 40), 1000}));
  if (rng.oneIn(4)) resistances.back() = kUnbreakable;
  return resistances;
}

// A slow blast: each sample looks its blocks up by World::block().
class SlowBlast {
 public:
  SlowBlast(const World& world, const Vec3i& center, std::int64_t radius, const BlastQuery& query,
            LevelMask levels, const QueryFilter& filter)
      : world_(world), query_(query), levels_(levels), filter_(filter) {
    for (std::uint32_t number = 0; number < query.rays.size(); ++number)
      follow(number, center, radius);
    std::sort(broken_.begin(), broken_.end(), [](const BrokenBlock& a, const BrokenBlock& b) {
      return std::tuple(a.steps, a.ray, -a.level) < std::tuple(b.steps, b.ray, -b.level);
    });
    std::set<std::pair<int, BlockCoord>> seen;
    std::erase_if(broken_, [&](const BrokenBlock& one) {
      return !seen.emplace(one.level, one.block).second;
    });
  }

  const std::vector<BrokenBlock>& broken() const { return broken_; }
  bool reachesUnknown() const { return reaches_unknown_; }
  std::uint64_t samples() const { return samples_; }

 private:
  void follow(std::uint32_t number, const Vec3i& center, std::int64_t radius) {
    const BlastRay& ray = query_.rays[number];
    std::int64_t power = ray.power;
    Integer squared = 0;
    for (int axis = 0; axis < 3; ++axis)
      squared += Integer(ray.step[axis]) * ray.step[axis];
    for (std::int64_t steps = 0; power > 0; ++steps) {
      if (squared * steps * steps > Integer(radius) * radius) return;
      ++samples_;
      sample(number, steps, center + ray.step * steps, power);
      power -= query_.falloff;
    }
  }
  void sample(std::uint32_t number, std::int64_t steps, const Vec3i& point, std::int64_t& power) {
    bool is_known = false;
    for (int level = world_.frame().levels() - 1; level >= 0 && power > 0; --level) {
      if (!levels_.contains(level)) continue;
      const BlockCoord block = world_.frame().blockAt(point, level);
      const auto type = world_.block(level, block);
      if (!type.ok()) continue;
      is_known = true;
      const bool defers = levels_.contains(level + 1) &&
                          world_.chunkState(level + 1, childChunk(block)) == ChunkState::kLoaded;
      const BlockKind kind = world_.blockTypes().kind(*type, filter_.channel);
      if (defers || kind == BlockKind::kEmpty) continue;
      if (filter_.solid_only && kind != BlockKind::kSolid) continue;
      const std::size_t index = BlockTypeTable::index(*type);
      if (index >= query_.resistances.size()) {
        power = 0;
      } else {
        power = query_.resistances[index] >= power ? 0 : power - query_.resistances[index];
      }
      if (power > 0) broken_.push_back({level, *type, block, number, steps, power});
    }
    reaches_unknown_ = reaches_unknown_ || !is_known;
  }

  const World& world_;
  const BlastQuery& query_;
  LevelMask levels_;
  const QueryFilter& filter_;
  std::vector<BrokenBlock> broken_;
  bool reaches_unknown_ = false;
  std::uint64_t samples_ = 0;
};

// Rays of a fan, and some with steps along axes and of any length.
std::vector<BlastRay> randomRays(Rng& rng, std::int64_t width) {
  std::vector<BlastRay> rays = *cubeFan(static_cast<int>(rng.in(2, 6)), 1, 0);
  const std::int64_t scale = rng.pick<std::int64_t>({2, 3, 7, 16});
  for (BlastRay& ray : rays) {
    for (int axis = 0; axis < 3; ++axis) {
      ray.step[axis] = ray.step[axis] * (width / 65536) / scale;
      if (rng.oneIn(8)) ray.step[axis] = rng.pick<std::int64_t>({0, width, -width, width / 2});
    }
    if (ray.step == Vec3i{}) ray.step = {width, 0, 0};
    ray.power = rng.in(-5, 120);
  }
  return rays;
}

TEST(BlastPropertyTest, IsThatOfOneLookUpASample) {
  Rng rng("BlastPropertyTest.LookUps");
  std::size_t broken = 0;
  int unknown = 0;
  Blast blast;
  for (int i = 0; i < 400; ++i) {
    const int levels = static_cast<int>(rng.in(1, 3));
    const auto scene = oracle::randomScene(rng, levels, 0, rng.pick({200, 2000, 4000}));
    const int level = static_cast<int>(rng.in(0, levels - 1));
    const std::int64_t width = scene->world.frame().blockWidth(level);
    const std::vector<BlastRay> rays = randomRays(rng, width);
    const std::vector<std::int64_t> resistances = randomResistances(rng);
    Vec3d center;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t units =
          scene->center[axis] + rng.in(-6, 6) * width + rng.pick<std::int64_t>({0, width / 2, 3});
      center[axis] = static_cast<double>(units) * kUnit;
    }
    const BlastQuery query{.center = center,
                           .radius = static_cast<double>(width * rng.in(0, 12)) * kUnit,
                           .rays = rays,
                           .resistances = resistances,
                           .falloff = rng.pick<std::int64_t>({0, 1, 5, 30})};
    if (query.radius > kMaxBlastRadius) continue;
    BlastOptions options;
    if (rng.oneIn(3)) options.filter.channel = kVisible;
    options.filter.solid_only = rng.oneIn(4);
    // Of two levels that do not adjoin, the coarser one's blocks do not defer.
    const LevelMask mask = rng.pick({LevelMask::all(), LevelMask{level}, LevelMask{0, levels - 1}});
    const SlowBlast slow(scene->world, *toUnits(center), *toUnits(query.radius, "the radius"),
                         query, mask, options.filter);
    const RayQueryService service(scene->world, scene->entities);
    ASSERT_TRUE(service.blast(query, mask, options, blast).ok());
    ASSERT_EQ(blast.blocks, slow.broken()) << "blast " << i;
    ASSERT_EQ(blast.samples, slow.samples()) << "blast " << i;
    ASSERT_EQ(blast.reaches_unknown, slow.reachesUnknown()) << "blast " << i;
    broken += blast.blocks.size();
    unknown += blast.reaches_unknown ? 1 : 0;
  }
  EXPECT_GT(broken, 1100U);
  EXPECT_GT(unknown, 20);
  EXPECT_LT(unknown, 380);
}

}  // namespace
}  // namespace fractalray::blast_property_test
