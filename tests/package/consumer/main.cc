// SPDX-License-Identifier: Apache-2.0
// Links the library from outside: a shot in an empty world.
#include <fractalray/fractalray.h>

int main() {
  const fractalray::World world({.levels = 2});
  const fractalray::EntityIndex entities(world.frame());
  const fractalray::RayQueryService service(world, entities);
  const auto shot =
      service.shootSegment({.from = {0.5, 0.5, 0.5}, .to = {9.5, 0.5, 0.5}}, world.finest(2));
  return shot.ok() && shot->hits.empty() ? 0 : 1;
}
