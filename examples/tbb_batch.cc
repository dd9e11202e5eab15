// SPDX-License-Identifier: Apache-2.0
// Batches on the threads of a job system: here oneTBB's, with an adapter of five lines. Which of a
// thousand guards in a hall of pillars can see each other?
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

// Runs a batch on oneTBB: a ParallelFor.
void runOnTbb(std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
  oneapi::tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t i) { task(i); });
}

}  // namespace

int main() {
  using fractalray::Occlusion;

  fractalray::World world;
  const auto stone = world.blockTypes().add({.name = "stone"});
  if (!stone.ok()) return 1;
  for (std::int64_t x = 0; x < 8; ++x) {
    for (std::int64_t z = 0; z < 8; ++z) {
      if (!world.loadChunk(0, {x, 0, z}, fractalray::Chunk()).ok()) return 1;
      // A pillar in the middle of each chunk.
      if (!world.fillBox(0, {16 * x + 6, 0, 16 * z + 6}, {16 * x + 9, 15, 16 * z + 9}, *stone).ok())
        return 1;
    }
  }
  const fractalray::EntityIndex nobody(world.frame());
  const fractalray::RayQueryService service(world, nobody);

  std::vector<fractalray::BatchQuery> queries;
  for (int i = 0; i < 1000; ++i) {
    const double from = 0.5 + i % 125;
    const double to = 0.5 + i * 37 % 125;
    queries.push_back({.line = fractalray::Segment{{from, 1.5, 0.5}, {to, 1.5, 124.5}}});
  }

  fractalray::OcclusionBatch serial;
  fractalray::OcclusionBatch on_tbb;
  if (!service.occluded(queries, {}, serial).ok()) return 1;
  if (!service.occluded(queries, {}, on_tbb, runOnTbb).ok()) return 1;

  std::size_t clear = 0;
  for (const Occlusion answer : on_tbb.answers)
    clear += answer == Occlusion::kClear ? 1U : 0U;
  std::printf("%zu of %zu lines of sight are clear\n", clear, queries.size());
  // The answers are the same for any number of threads.
  return on_tbb.answers == serial.answers && clear > 0 && clear < queries.size() ? 0 : 1;
}
