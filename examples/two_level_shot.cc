// SPDX-License-Identifier: Apache-2.0
// One door, two bullets. On the coarse level the house is one block; on the fine one it is its
// walls, with a door in them. A shot on both levels flies in through the door, one on the coarse
// level alone ends at the house.
#include <iostream>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

// Prints the hits of a shot along the corridor.
bool shoot(const World& world, const RayQueryService& service, const char* name, LevelMask levels) {
  // Positions are in blocks of the finest level: the house is from 16 to 32 on each axis.
  const absl::StatusOr<ShotResult> shot =
      service.shootSegment({.from = {2, 18.5, 24.5}, .to = {60, 18.5, 24.5}}, levels);
  if (!shot.ok()) {
    std::cerr << shot.status().message() << "\n";
    return false;
  }
  std::cout << name << ":";
  for (const Hit& hit : shot->hits) {
    const auto& block = hit;
    std::cout << "  " << world.blockTypes().name(block.type) << " of level " << block.level
              << " at x = " << block.point.x();
  }
  std::cout << (shot->terminated ? "\n" : "  and flies on\n");
  return true;
}

}  // namespace

int main() {
  World world({.levels = 2});
  BlockTypeTable& types = world.blockTypes();
  const BlockTypeId house = *types.add({.name = "house", .kind = BlockKind::kSolid});
  const BlockTypeId wall = *types.add({.name = "wall", .kind = BlockKind::kSolid});
  const BlockTypeId curtain = *types.add({.name = "curtain", .kind = BlockKind::kPermeable});

  // The coarse world: a house at block (1, 1, 1), air around it.
  bool ok = world.loadChunk(0, {0, 0, 0}, Chunk()).ok();
  ok = ok && world.setBlock(0, {1, 1, 1}, house).ok();
  // The same house in detail: solid at first, then a corridor through it, with a curtain.
  ok = ok && world.loadChunk(1, {1, 1, 1}, Chunk::uniform(wall, types)).ok();
  ok = ok && world.fillBox(1, {16, 17, 23}, {27, 20, 25}, kAir).ok();
  ok = ok && world.fillBox(1, {20, 17, 23}, {20, 20, 25}, curtain).ok();
  if (!ok) return 1;

  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  ok = shoot(world, service, "fine bullet", LevelMask::range(0, 1));
  ok = shoot(world, service, "coarse bullet", LevelMask{0}) && ok;
  return ok ? 0 : 1;
}
