// SPDX-License-Identifier: Apache-2.0
// The bundled Luanti world, as a user opens it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

#include "../../formats/luanti_map.h"
#include "scene.h"

namespace fractalray::bench {

Scene openLuantiScene() {
  const auto begin = std::chrono::steady_clock::now();
  const NodeDefinitions none;  // so that nodes fill their cubes, as they do in the other systems
  OpenOptions options;
  options.definitions = &none;
  absl::StatusOr<OpenedWorld> opened =
      openLuantiWorld(FRACTALRAY_SOURCE_DIR "/examples/worlds/w1", options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  if (!opened.ok()) {
    std::fprintf(stderr, "fractalray_bench: %s\n", opened.status().ToString().c_str());
    std::exit(1);
  }
  auto world = std::make_shared<const World>(std::move(opened->world));
  constexpr int kFinest = kLuantiLevels - 1;
  const ChunkBox loaded = world->loadedBox(kFinest).value();
  const BlockCoord min = blockOf(loaded.min, 0);
  const BlockCoord max = blockOf(loaded.max, kBlocksPerChunk - 1);
  Grid grid(min, max - min + BlockCoord{1, 1, 1});
  const BlockTypeTable& types = world->blockTypes();
  world->forEachLoaded(kFinest, [&](const ChunkCoord& at, const Chunk& chunk) {
    for (int index = 0; index < kBlocksPerChunk; ++index)
      grid.set(blockOf(at, index), types.kind(chunk.block(index), kDefaultChannel));
  });
  return {.name = "luanti",
          .grid = std::move(grid),
          .world = std::move(world),
          .world_build_ms = took.count()};
}

}  // namespace fractalray::bench
