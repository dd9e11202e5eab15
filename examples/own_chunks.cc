// SPDX-License-Identifier: Apache-2.0
// An engine with storage of its own, chunks of 32 x 32 x 32 one-byte blocks: loads them, keeps the
// world in step with edits and a moving creature, and shoots once a tick.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <utility>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// The engine's own storage. Block (x, y, z) of a chunk is blocks[x + 32 z + 1024 y].
struct EngineChunk {
  static constexpr int kSize = 32;
  std::array<std::uint8_t, std::size_t{kSize} * kSize * kSize> blocks{};

  std::uint8_t& at(int x, int y, int z) { return blocks[index(x, y, z)]; }
  std::uint8_t at(int x, int y, int z) const { return blocks[index(x, y, z)]; }

  static std::size_t index(int x, int y, int z) {
    const int offset = x + kSize * (z + kSize * y);
    return static_cast<std::size_t>(offset);
  }
};

// Loads an engine chunk as eight chunks of 16 x 16 x 16 blocks. `position` counts engine chunks,
// and `types` holds the block type of each of the engine's ids.
absl::Status load(World& world, std::span<const BlockTypeId> types, const ChunkCoord& position,
                  const EngineChunk& chunk) {
  std::array<BlockTypeId, kBlocksPerChunk> ids{};
  for (int part = 0; part < 8; ++part) {
    const int x = part & 1;
    const int y = (part >> 1) & 1;
    const int z = part >> 2;
    for (int i = 0; i < kBlocksPerChunk; ++i) {  // the order is x + 16 y + 256 z
      const int id = chunk.at(16 * x + (i & 15), 16 * y + ((i >> 4) & 15), 16 * z + (i >> 8));
      ids[static_cast<std::size_t>(i)] = types[static_cast<std::size_t>(id)];
    }
    absl::StatusOr<Chunk> copy = Chunk::copied(ids, world.blockTypes());
    if (!copy.ok()) return copy.status();
    const ChunkCoord at{2 * position[0] + x, 2 * position[1] + y, 2 * position[2] + z};
    absl::Status loaded = world.loadChunk(0, at, *std::move(copy));
    if (!loaded.ok()) return loaded;
  }
  return absl::OkStatus();
}

// Prints what is wrong, and ends the program.
void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

}  // namespace

int main() {
  // The engine's world: ground up to y = 8, and a wall at x = 24.
  EngineChunk ground;
  for (int x = 0; x < 32; ++x) {
    for (int z = 0; z < 32; ++z) {
      for (int y = 0; y < (x == 24 ? 16 : 8); ++y)
        ground.at(x, y, z) = 1;
    }
  }

  // Done once: the block types, the loaded chunks, the entities, and the service.
  World world;
  const std::array types{kAir, *world.blockTypes().add({.name = "stone"})};
  check(load(world, types, {0, 0, 0}, ground));
  EntityIndex entities(world.frame());
  const EntityHandle creature = *entities.add({.id = 7, .position = {20.5, 10.5, 4.5}});
  const RayQueryService service(world, entities);

  std::vector<BatchQuery> bullets;  // both are reused from tick to tick
  ShotBatch shots;
  for (int tick = 0; tick < 3; ++tick) {
    bullets.assign(1, {.line = Segment{.from = {2.5, 10.5, 4.5}, .to = {31.5, 10.5, 4.5}}});
    check(service.shootSegment(bullets, {.max_hits = 1}, shots));
    for (std::size_t i = 0; i < bullets.size(); ++i) {
      std::cout << "tick " << tick << ":";
      for (const Hit& hit : shots.hitsOf(i)) {
        if (hit.isEntity()) {
          std::cout << " creature " << hit.id << " at x = " << hit.point.x();
        } else {
          std::cout << " " << world.blockTypes().name(hit.type) << " at x = " << hit.point.x();
          // The bullet breaks the block: in the engine's storage, and here.
          ground.at(static_cast<int>(hit.block[0]), static_cast<int>(hit.block[1]),
                    static_cast<int>(hit.block[2])) = 0;
          check(world.setBlock(0, hit.block, kAir));
        }
      }
      std::cout << (shots.hitsOf(i).empty() ? " nothing\n" : "\n");
    }
    check(entities.move(creature, {20.5, 10.5, 8.5 + 4.0 * tick}));  // steps aside
  }
}
