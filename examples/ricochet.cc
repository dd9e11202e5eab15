// SPDX-License-Identifier: Apache-2.0
// A laser between four mirrors: exact ricochets, off two walls at once if it hits their corner.
#include <iomanip>
#include <iostream>

#include "fractalray/fractalray.h"

int main() {
  using namespace fractalray;
  World world;
  const BlockTypeId wall = *world.blockTypes().add({.name = "wall", .kind = BlockKind::kSolid});
  bool ok = world.loadChunk(0, {0, 0, 0}, Chunk::uniform(wall, world.blockTypes())).ok();
  ok = ok && world.fillBox(0, {1, 1, 0}, {12, 9, 15}, kAir).ok();  // from 1, 1 to 13, 10
  if (!ok) return 1;
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);

  // Two blocks along x for one along y: it comes to the walls in corners of blocks.
  const Ray laser{.origin = {3, 2, 8.5}, .direction = {2, 1, 0}, .max_distance = 75};
  FixedSegment line = *toFixedSegment(laser);
  std::cout << std::fixed << std::setprecision(2);
  while (true) {
    const ClosestHit mirror = *service.closestHit(line);
    if (!mirror.hit.has_value()) break;
    const Hit& hit = *mirror.hit;
    std::cout << "at " << hit.point.x() << ", " << hit.point.y() << " off the face "
              << faceName(hit.face) << " of block " << hit.block[0] << ", " << hit.block[1]
              << ", after " << hit.distance << " blocks\n";
    line = *service.reflect(line, hit);
  }
  const Vec3d end = line.pointAt(static_cast<double>(line.end_time) * 0x1p-60);
  std::cout << "ends at " << end.x() << ", " << end.y() << "\n";
}
