// SPDX-License-Identifier: Apache-2.0
// An engine with storage of its own, chunks of 32 x 32 x 32 one-byte blocks: lends them to a world,
// keeps the world in step with edits and a moving creature, and shoots once a tick.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <vector>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// The engine's own storage. Block (x, y, z) of a chunk is blocks[x + 32 z + 1024 y].
struct EngineChunk {
  static constexpr int kSize = 32;
  std::array<std::uint8_t, std::size_t{kSize} * kSize * kSize> blocks{};
};

struct Engine {
  std::map<Vec3i, EngineChunk> chunks;

  // Returns the chunk that counts [x, y, z] chunks from the origin, null if there is none.
  const EngineChunk* find(const Vec3i& at) const {
    const auto found = chunks.find(at);
    return found == chunks.end() ? nullptr : &found->second;
  }
  void set(std::int64_t x, std::int64_t y, std::int64_t z, std::uint8_t id) {
    EngineChunk& chunk = chunks[{x >> 5, y >> 5, z >> 5}];
    chunk.blocks[static_cast<std::size_t>((x & 31) + 32 * (z & 31) + 1024 * (y & 31))] = id;
  }
};

// Prints what is wrong, and ends the program.
void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

}  // namespace

int main() {
  // The engine's world: ground up to y = 8, and a wall at x = 24.
  Engine engine;
  for (int x = 0; x < 32; ++x) {
    for (int z = 0; z < 32; ++z) {
      for (int y = 0; y < (x == 24 ? 16 : 8); ++y)
        engine.set(x, y, z, 1);
    }
  }

  // Done once: the block types, how the engine stores its ids, the chunks, and the service.
  World world;
  const std::array types{kAir, *world.blockTypes().add({.name = "stone"})};  // by the engine's ids
  const IdLayout layout =
      *IdLayout::make({.id_bytes = 1, .strides = {1, 1024, 32}, .types = types});
  EngineChunks blocks = *EngineChunks::borrowed(
      world, {.width = EngineChunk::kSize, .layout = layout}, [&](const Vec3i& at) {
        const EngineChunk* const chunk = engine.find(at);
        return chunk == nullptr ? nullptr : chunk->blocks.data();
      });
  check(blocks.sync({0, 0, 0}));  // a chunk arrived
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
          // The bullet breaks the block: the engine writes, then the world reads that id again.
          engine.set(hit.block[0], hit.block[1], hit.block[2], 0);
          check(blocks.refreshBlock(hit.block));
        }
      }
      std::cout << (shots.hitsOf(i).empty() ? " nothing\n" : "\n");
    }
    check(entities.move(creature, {20.5, 10.5, 8.5 + 4.0 * tick}));  // steps aside
  }
}
