// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "measurement.h"
#include "random.h"
#include "sight.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

constexpr std::int64_t kWidth = 96;     // of the world, in blocks
constexpr std::int64_t kDistance = 64;  // from the eye to the box
constexpr std::uint64_t kMaxSteps = 20000;

// Fills a world at random, but for the blocks at the eye.
void fillPorous(World& world, BlockTypeId stone, double density) {
  std::vector<BlockTypeId> ids(kBlocksPerChunk);
  for (std::int64_t z = 0; z < kWidth / 16; ++z) {
    for (std::int64_t y = 0; y < kWidth / 16; ++y) {
      for (std::int64_t x = 0; x < kWidth / 16; ++x) {
        const ChunkCoord at{x, y, z};
        for (int i = 0; i < kBlocksPerChunk; ++i) {
          const BlockCoord block = blockOf(at, i);
          const std::uint64_t hash = hashCell(17, block[0], block[1], block[2]);
          ids[static_cast<std::size_t>(i)] = toUnitInterval(hash) < density ? stone : kAir;
        }
        checkOk(world.loadChunk(0, at, unwrap(Chunk::copied(Chunk::Ids(ids), world.blockTypes()))));
      }
    }
  }
}

}  // namespace

void measurePorous(const TickOptions& options, TickReport& report) {
  std::printf("\nboxes of 16 blocks, 64 blocks away, past blocks at random; at most %llu steps\n",
              static_cast<unsigned long long>(kMaxSteps));
  for (const double density : {0.02, 0.05, 0.1, 0.2}) {
    World world;
    const BlockTypeId stone = unwrap(world.blockTypes().add({.name = "stone"}));
    fillPorous(world, stone, density);
    const EntityIndex no_entities(world.frame());
    const RayQueryService service(world, no_entities);
    Random random(3);
    std::vector<double> us;
    std::size_t undecided = 0;
    std::uint64_t most_rays = 0;
    SightAnswer answer;
    for (int i = 0; i < (options.quick ? 100 : 1000); ++i) {
      const std::int64_t y = random.between(1, kWidth - 18);
      const std::int64_t z = random.between(1, kWidth - 18);
      const SightQuery query = unwrap(toSightQuery(
          Vec3d{8 + random.real(), static_cast<double>(random.between(8, kWidth - 8)),
                static_cast<double>(random.between(8, kWidth - 8)) + random.real()},
          {.min = {8.0 + kDistance, static_cast<double>(y), static_cast<double>(z)},
           .max = {24.0 + kDistance, static_cast<double>(y) + 16, static_cast<double>(z) + 16}}));
      const double begin = threadMillis();
      const absl::Status status =
          service.visible(query, LevelMask::all(), {.max_steps = kMaxSteps}, answer);
      us.push_back((threadMillis() - begin) * 1e3);
      undecided += status.ok() ? 0U : 1U;
      most_rays = std::max(most_rays, answer.stats.rays);
    }
    std::sort(us.begin(), us.end());
    const auto at_share = [&](double share) {
      return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
    };
    std::printf(
        "  %4.0f %% solid: median %6.1f us, 99 %% %6.1f, 99.9 %% %6.1f, most %6.1f; at most "
        "%llu rays; undecided %zu of %zu\n",
        100 * density, at_share(0.5), at_share(0.99), at_share(0.999), us.back(),
        static_cast<unsigned long long>(most_rays), undecided, us.size());
    report.figures.push_back({"porous/99.9 %", at_share(0.999), "us"});
  }
}

}  // namespace fractalray::bench
