// SPDX-License-Identifier: Apache-2.0
// Links the library from outside: a shot in an empty world. Fails if the headers are of another
// version than the package that was found.
#include <fractalray/fractalray.h>

#include <string_view>

int main() {
#ifdef FOUND_VERSION
  if (std::string_view(FRACTALRAY_VERSION_STRING) != FOUND_VERSION) return 2;
#endif
  const fractalray::World world({.levels = 2});
  const fractalray::EntityIndex entities(world.frame());
  const fractalray::RayQueryService service(world, entities);
  const auto shot =
      service.shootSegment({.from = {0.5, 0.5, 0.5}, .to = {9.5, 0.5, 0.5}}, world.finestLevels(2));
  return shot.ok() && shot->hits.empty() ? 0 : 1;
}
