// SPDX-License-Identifier: Apache-2.0
// What a walk and a shot cost: ns each, and the work behind it, on the bundled world. The rays are
// the same in every run; how many of them hit is reported beside the time, so that a faster wrong
// answer shows.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "fractalray/core/grid_walk.h"
#include "fractalray/formats/luanti_map.h"
#include "fractalray/query/ray_query_service.h"

namespace fractalray {
namespace {

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::int64_t between(std::int64_t min, std::int64_t max) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    return min + static_cast<std::int64_t>(z % static_cast<std::uint64_t>(max - min + 1));
  }

 private:
  std::uint64_t state_;
};

const World& bundledWorld() {
  static const LuantiWorld opened = [] {
    absl::StatusOr<LuantiWorld> world =
        openLuantiWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1");
    if (!world.ok()) {
      std::fprintf(stderr, "%s\n", world.status().ToString().c_str());
      std::exit(1);
    }
    return *std::move(world);
  }();
  return opened.world;
}

// Segments between any two points of what is loaded, each component within `reach` blocks of the
// start's.
std::vector<UnitSegment> segments(std::int64_t reach) {
  const ChunkBounds& bounds = bundledWorld().level(kLuantiLevels - 1).bounds();
  Random random(1);
  std::vector<UnitSegment> segments(4096);
  for (UnitSegment& segment : segments) {
    for (int axis = 0; axis < 3; ++axis) {
      segment.from[axis] = random.between(bounds.min()[axis] * kChunkSize * kUnitsPerBlock,
                                          (bounds.max()[axis] + 1) * kChunkSize * kUnitsPerBlock);
      segment.to[axis] =
          segment.from[axis] + random.between(-reach * kUnitsPerBlock, reach * kUnitsPerBlock);
    }
  }
  return segments;
}

void walkCells(benchmark::State& state) {
  const std::vector<UnitSegment> all = segments(state.range(0));
  std::size_t next = 0;
  std::uint64_t cells = 0;
  for (auto _ : state) {
    const UnitSegment& segment = all[next++ % all.size()];
    GridWalk<3> walk(segment.from, segment.to, {kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock});
    walk.forEach([&](const GridCell<3>&) {
      ++cells;
      return Visit::kContinue;
    });
  }
  state.counters["cells"] =
      benchmark::Counter(static_cast<double>(cells), benchmark::Counter::kAvgIterations);
}

void shootLevels(benchmark::State& state) {
  const std::vector<UnitSegment> all = segments(state.range(0));
  const World& world = bundledWorld();
  const LevelMask levels = world.finest(static_cast<int>(state.range(1)));
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const ShotOptions options;
  ShotResult result;
  std::size_t next = 0;
  std::uint64_t hits = 0;
  std::uint64_t steps = 0;
  for (auto _ : state) {
    if (!service.shootUnits(all[next++ % all.size()], levels, options, result).ok()) std::abort();
    hits += result.terminated ? 1 : 0;
    steps += result.stats.steps();
  }
  using benchmark::Counter;
  state.counters["terminated"] = Counter(static_cast<double>(hits), Counter::kAvgIterations);
  state.counters["steps"] = Counter(static_cast<double>(steps), Counter::kAvgIterations);
}

BENCHMARK(walkCells)->ArgName("reach")->Arg(4)->Arg(32)->Arg(256);
BENCHMARK(shootLevels)->ArgNames({"reach", "levels"})->ArgsProduct({{4, 32, 256}, {1, 4}});

}  // namespace
}  // namespace fractalray
