// SPDX-License-Identifier: Apache-2.0
// The smallest program that shoots: one chunk with a wall in it, a creature in front of it, and
// a bullet that hits both.
#include <iostream>

#include "fractalray/fractalray.h"

int main() {
  using namespace fractalray;
  World world({.levels = 1});
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone", .kind = BlockKind::kSolid});
  if (!world.loadChunk(0, {0, 0, 0}, Chunk()).ok()) return 1;
  if (!world.fillBox(0, {12, 0, 0}, {12, 15, 15}, stone).ok()) return 1;  // a wall at x = 12

  EntityIndex entities(world.frame());
  if (!entities.add({.id = 7, .shape = Sphere{1}, .position = {8, 4, 8}}).ok()) return 1;

  RayQueryService service(world, entities);
  service.onEntityHit(kDefaultEntityClass, [](const EntityHit& hit) {
    std::cout << "entity " << hit.id << " after " << hit.distance << " blocks\n";
    return HitResponse::kContinue;  // the bullet goes through
  });
  const absl::Status registered = service.onBlockHit(stone, [](const BlockHit& hit) {
    std::cout << "stone at x = " << hit.point.x() << "\n";
    return HitResponse::kStop;
  });
  if (!registered.ok()) return 1;
  const auto shot = service.shootSegment({.from = {2, 4, 8}, .to = {30, 4, 8}}, world.allLevels());
  if (!shot.ok()) std::cerr << shot.status().message() << "\n";
  return shot.ok() && shot->hits.size() == 2 ? 0 : 1;
}
