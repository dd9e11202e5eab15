// SPDX-License-Identifier: Apache-2.0
// Ores out of sight: a server sends stone in place of the ores that a player does not see, so that
// no client can draw them through rock.
#include <array>
#include <cstdint>
#include <iostream>
#include <set>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

constexpr Vec3d kEye{1.5, 5.6, 8.5};
constexpr std::int64_t kLayer = 5;

struct Mine {
  World world;
  BlockTypeId stone{};
  BlockTypeId ore{};
};

// Builds rock with a tunnel, one that branches off it, and ores.
absl::Status build(Mine& mine) {
  World& world = mine.world;
  const auto stone = world.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid});
  const auto ore = world.blockTypes().add({.name = "ore", .kind = BlockKind::kSolid});
  if (!stone.ok() || !ore.ok()) return stone.ok() ? ore.status() : stone.status();
  mine.stone = *stone;
  mine.ore = *ore;
  absl::Status status = world.loadChunk(0, {0, 0, 0}, Chunk());
  if (status.ok()) status = world.fillBox(0, {0, 0, 0}, {15, 15, 15}, mine.stone);
  if (status.ok()) status = world.fillBox(0, {1, 4, 8}, {9, 5, 8}, kAir);
  if (status.ok()) status = world.fillBox(0, {6, 4, 9}, {7, 5, 13}, kAir);
  constexpr std::array<std::array<std::int64_t, 2>, 8> kOres = {
      {{4, 7}, {4, 6}, {10, 8}, {12, 8}, {8, 9}, {5, 12}, {2, 12}, {7, 14}}};
  for (const auto& [x, z] : kOres) {
    if (status.ok()) status = world.setBlock(0, {x, kLayer, z}, mine.ore);
  }
  return status;
}

// Draws the layer of the eye: ores that are not in `sent` as stone.
void draw(const Mine& mine, const std::set<BlockCoord>& sent) {
  for (std::int64_t z = 15; z >= 4; --z) {
    for (std::int64_t x = 0; x < 16; ++x) {
      const BlockCoord at{x, kLayer, z};
      const BlockTypeId type = mine.world.block(0, at).value_or(kAir);
      char mark = type == kAir ? '.' : '#';
      if (sent.contains(at)) mark = 'o';
      if (x == 1 && z == 8) mark = '@';
      std::cout << mark;
    }
    std::cout << "\n";
  }
}

absl::Status run() {
  Mine mine;
  absl::Status status = build(mine);
  if (!status.ok()) return status;
  const EntityIndex entities(mine.world.frame());
  const RayQueryService service(mine.world, entities);

  const std::array<BlockTypeId, 1> ores = {mine.ore};
  VisibleBlocksOptions options;
  options.types = ores;
  options.sight.unloaded = UnloadedSpace::kOpaque;
  VisibleBlocks seen;
  status = service.visibleBlocks(kEye, 32, LevelMask::all(), options, seen);
  if (!status.ok()) return status;

  const auto all =
      blocksInSphere(mine.world, kEye, 32, LevelMask::all(),
                     {.block_filter = [&](const BlockHit& hit) { return hit.type == mine.ore; }});
  if (!all.ok()) return all.status();
  std::set<BlockCoord> ore_blocks;
  for (const FoundBlock& one : *all)
    ore_blocks.insert(one.block);
  std::cout << "the world:\n";
  draw(mine, ore_blocks);
  std::set<BlockCoord> sent;
  for (const FoundBlock& one : seen.visible)
    sent.insert(one.block);
  std::cout << "what is sent:\n";
  draw(mine, sent);
  std::cout << ore_blocks.size() << " ores: " << seen.stats.covered << " have no open face, "
            << seen.stats.asked << " were asked, " << seen.visible.size() << " are in sight\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
