// SPDX-License-Identifier: Apache-2.0
// Debug drawing: shows why a shot did what it did. An engine hands the lines, boxes and labels to
// its renderer; this prints them.
#include "fractalray/query/explain/debug_draw.h"

#include <iostream>
#include <string_view>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

void print(const Vec3d& point) {
  std::cout << " " << point.x() << "," << point.y() << "," << point.z();
}

void print(DebugColor color) {
  std::cout << " #" << int{color.red} << "/" << int{color.green} << "/" << int{color.blue};
}

}  // namespace

int main() {
  World world;
  const BlockTypeId glass =
      *world.blockTypes().add({.name = "glass", .kind = BlockKind::kPermeable});
  const BlockTypeId stone = *world.blockTypes().add({.name = "stone"});
  bool ok = world.loadChunk(0, {0, 0, 0}, Chunk()).ok();
  ok = ok && world.setBlock(0, {2, 1, 1}, glass).ok() && world.setBlock(0, {4, 1, 1}, stone).ok();
  EntityIndex entities(world.frame());
  ok = ok && entities.add({.id = 7, .shape = Sphere{0.5}, .position = {3.5, 2.5, 1.5}}).ok();
  if (!ok) return 1;

  DebugDraw draw;
  draw.line = [](const Vec3d& from, const Vec3d& to, DebugColor color) {
    std::cout << "line  ";
    print(from);
    print(to);
    print(color);
    std::cout << "\n";
  };
  draw.box = [](const Vec3d& min, const Vec3d& max, DebugColor color) {
    std::cout << "box   ";
    print(min);
    print(max);
    print(color);
    std::cout << "\n";
  };
  draw.sphere = [](const Vec3d& center, double radius, DebugColor color) {
    std::cout << "sphere";
    print(center);
    std::cout << " " << radius;
    print(color);
    std::cout << "\n";
  };
  draw.label = [](const Vec3d& at, std::string_view text, DebugColor color) {
    std::cout << "label ";
    print(at);
    print(color);
    std::cout << " " << text << "\n";
  };
  const Segment line{.from = {0.5, 1.5, 1.5}, .to = {8.5, 1.5, 1.5}};
  const absl::Status drawn = debugDrawShot(world, entities, line, LevelMask::all(), {}, draw);
  if (drawn.ok()) return 0;
  std::cerr << drawn.message() << "\n";
  return 1;
}
