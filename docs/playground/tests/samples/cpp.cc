// SPDX-License-Identifier: Apache-2.0
// The program in which a sample of the playground in C++ is: its world, and how it prints. sample_programs.mjs puts shots after it.
#include "fractalray.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

using namespace fractalray;

namespace {

void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

void mark(int shot) { std::cout << "= " << shot << "\n"; }
void print(int level, double distance, bool terminal) { std::cout << level << " " << distance << " " << terminal << "\n"; }
int fail(const absl::Status& status) {
  std::cerr << status.message() << "\n";
  return 1;
}

// A world of which the calls of sample_programs.mjs make the content.
struct Scene {
  explicit Scene(int levels) : world({.levels = levels}), entities(world.frame()), service(world, entities) {}

  static BlockKind kindOf(int kind) {
    return kind == 0 ? BlockKind::kSolid : kind == 1 ? BlockKind::kPermeable : BlockKind::kEmpty;
  }
  ShapeId takeShape(bool has_parts) { return has_parts ? *world.blockTypes().addShape(std::exchange(parts, {})) : kWholeCube; }
  void addChannel(const char* name) { check(world.blockTypes().addChannel(name).status()); }
  void part(double x0, double y0, double z0, double x1, double y1, double z1) {
    parts.push_back(*shapeBox({x0, y0, z0}, {x1, y1, z1}));
  }
  void kindIn(const char* channel, int kind, bool has_parts) {
    const ChannelId id = *world.blockTypes().findChannel(channel);
    spec.channel_kinds.emplace_back(id, kindOf(kind));
    spec.channel_shapes.emplace_back(id, takeShape(has_parts));
  }
  void addType(const char* name, int kind, bool has_parts) {
    spec.name = name;
    spec.kind = kindOf(kind);
    spec.shape = takeShape(has_parts);
    types.push_back(*world.blockTypes().add(std::exchange(spec, {})));
  }
  void chunk(int level, std::int64_t x, std::int64_t y, std::int64_t z) { check(world.loadChunk(level, {x, y, z}, Chunk())); }
  void fill(int level, std::int64_t x0, std::int64_t y0, std::int64_t z0, std::int64_t x1, std::int64_t y1, std::int64_t z1, int type) {
    check(world.fillBox(level, {x0, y0, z0}, {x1, y1, z1}, types[static_cast<std::size_t>(type)]));
  }
  void add(std::uint64_t id, int level, std::uint64_t categories, const Vec3d& position, const Shape& shape) {
    check(entities.add({.id = id, .level = level, .shape = shape, .position = position, .categories = categories}).status());
  }
  void sphere(std::uint64_t id, int level, std::uint64_t categories, double x, double y, double z, double radius) {
    add(id, level, categories, {x, y, z}, Sphere{radius});
  }
  void box(std::uint64_t id, int level, std::uint64_t categories, double x, double y, double z, double a, double b, double c) {
    add(id, level, categories, {x, y, z}, Box{{a, b, c}});
  }
  void budget(double amount) { strength = *bullet.addBudget(amount); }
  TerminalRule cost(double per_hit, double per_block, bool per_pane) const {
    return {.kind = TerminalRule::Kind::kCost, .budget = strength, .per_pane = per_pane, .per_hit = per_hit, .per_block = per_block};
  }
  void costOfType(const char* name, double per_hit, double per_block, bool per_pane) {
    check(bullet.setBlock(*world.blockTypes().find(name), cost(per_hit, per_block, per_pane)));
  }
  void costOfEntities(std::uint64_t categories, double per_hit) { check(bullet.setEntities(categories, cost(per_hit, 0, false))); }

  World world;
  EntityIndex entities;
  RayQueryService service;
  TerminalRules bullet;
  BudgetId strength{};
  std::vector<ShapeBox> parts;  // of the shape that comes next
  BlockTypeSpec spec;           // of the type that comes next
  std::vector<BlockTypeId> types{kAir};
};
