// SPDX-License-Identifier: Apache-2.0
// Bullets that pierce two panes and three blocks of water, then stop: terminal rules, for a whole
// batch of shots and with no callback at all.
#include <iomanip>
#include <iostream>
#include <vector>

#include "fractalray/fractalray.h"

int main() {
  using namespace fractalray;
  World world;
  BlockTypeTable& types = world.blockTypes();
  // Solid blocks end every shot. Blocks that may be pierced are permeable, and have a rule.
  const BlockTypeId pane = *types.add({.name = "pane", .kind = BlockKind::kPermeable});
  const BlockTypeId water = *types.add({.name = "water", .kind = BlockKind::kPermeable});
  const BlockTypeId wall = *types.add({.name = "wall", .kind = BlockKind::kSolid});
  bool ok = world.loadChunk(0, {0, 0, 0}, Chunk()).ok();
  ok = ok && world.fillBox(0, {2, 0, 0}, {2, 15, 15}, pane).ok();
  ok = ok && world.fillBox(0, {4, 0, 0}, {4, 15, 15}, pane).ok();
  ok = ok && world.fillBox(0, {6, 8, 0}, {6, 15, 15}, pane).ok();  // in the upper half
  ok = ok && world.fillBox(0, {7, 0, 0}, {12, 3, 15}, water).ok();
  ok = ok && world.fillBox(0, {15, 0, 0}, {15, 15, 15}, wall).ok();

  TerminalRules rules;
  const BudgetId panes = *rules.addBudget(2);
  const BudgetId blocks_of_water = *rules.addBudget(3);
  ok = ok && rules.setBlock(pane, TerminalRule::costPerPane(panes, 1)).ok();
  ok = ok && rules.setBlock(water, TerminalRule::costPerBlock(blocks_of_water, 1)).ok();
  if (!ok) return 1;

  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const std::vector<BatchQuery> bullets = {
      {.line = Segment{.from = {0.5, 10.5, 8.5}, .to = {15.5, 10.5, 8.5}}},
      {.line = Segment{.from = {0.5, 5.5, 8.5}, .to = {15.5, 5.5, 8.5}}},
      {.line = Segment{.from = {0.5, 1.5, 8.5}, .to = {15.5, 1.5, 8.5}}},
      {.line = Segment{.from = {0.5, 5.6, 8.5}, .to = {10.5, 0.6, 8.5}}}};
  ShotBatch batch;
  if (!service.shootSegment(bullets, {.rules = &rules}, batch).ok()) return 1;

  std::cout << std::fixed << std::setprecision(2);
  for (std::size_t i = 0; i < bullets.size(); ++i) {
    for (const Hit& hit : batch.hitsOf(i))
      std::cout << types.name(hit.type) << " " << hit.point.x() << "  ";
    const ShotSummary& shot = batch.shots[i];
    const auto& path = std::get<Segment>(bullets[i].line);
    if (shot.stopped_at.has_value()) {
      std::cout << "stops at x = "
                << path.from.x() + *shot.stopped_at * (path.to.x() - path.from.x());
    } else {
      std::cout << "hits the wall";
    }
    std::cout << " with " << shot.left(panes) << " panes and " << shot.left(blocks_of_water)
              << " blocks of water left\n";
  }
}
