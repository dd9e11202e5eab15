// SPDX-License-Identifier: Apache-2.0
#include "rules.h"

#include <cstdlib>
#include <iostream>
#include <vector>

namespace arena {

BlockRules::BlockRules(BlockTypeTable& table) {
  light = *table.addChannel("light");
  blast = *table.addChannel("blast");
  const auto add = [&](const char* name, BlockKind kind, BlockKind to_light, BlockKind to_blast) {
    return *table.add(
        {.name = name, .kind = kind, .channel_kinds = {{light, to_light}, {blast, to_blast}}});
  };
  using enum BlockKind;
  types[kNothing] = kAir;
  types[kGrass] = add("grass", kSolid, kSolid, kPermeable);
  types[kSoil] = add("soil", kSolid, kSolid, kPermeable);
  types[kStone] = add("stone", kSolid, kSolid, kPermeable);
  types[kBrick] = add("brick", kSolid, kSolid, kPermeable);
  types[kSteel] = add("steel", kSolid, kSolid, kSolid);
  types[kWood] = add("wood", kSolid, kSolid, kPermeable);
  types[kLeaves] = add("leaves", kPermeable, kSolid, kPermeable);
  types[kGlass] = add("glass", kPermeable, kEmpty, kPermeable);
  types[kWater] = add("water", kPermeable, kEmpty, kEmpty);
  types[kAsh] = add("ash", kSolid, kSolid, kPermeable);
  types[kRubble] = add("rubble", kSolid, kSolid, kPermeable);
  mountain = add("mountain", kSolid, kSolid, kSolid);
}

// Bullets have energy. They lose it in what they pierce, and end where none is left.
Armoury::Armoury(const BlockRules& blocks) {
  const auto cost = [&](Weapon& weapon, Block block, double of_block) {
    const auto rule = TerminalRule::costPerBlock(BudgetId{}, of_block);
    check(weapon.rules.setBlock(blocks.types[block], rule));
  };
  const std::uint64_t walkers = category(kPlayer) | category(kBeast) | category(kMachine);

  // Pellets glance off stone, and pierce two bodies. They are for the fine level alone.
  Weapon& shotgun = weapons_[kShotgun];
  shotgun = {.levels = {kFine},
             .bounces_off_stone = true,
             .bounces = 3,
             .speed = 5,
             .spread = 0.07,
             .pellets = 8,
             .reload = 4,
             .lifetime = 40,
             .damage = 8};
  shotgun.shot.filter.categories = walkers;
  const BudgetId energy = *shotgun.rules.addBudget(5);
  cost(shotgun, kGlass, 1.5);
  cost(shotgun, kLeaves, 0.25);
  cost(shotgun, kWater, 1);
  check(shotgun.rules.setEntities(walkers, TerminalRule::costPerHit(energy, 2)));

  // Light passes through glass, burns everybody on its way but players, and is mirrored by steel.
  Weapon& laser = weapons_[kLaser];
  laser = {.levels = {kCoarse, kFine},
           .bounces = 6,
           .speed = 30,
           .reload = 12,
           .lifetime = 6,
           .damage = 25};
  laser.shot.filter.channel = blocks.light;
  laser.shot.filter.categories = category(kBeast) | category(kMachine) | category(kBalloon);

  // Rockets end at the first thing that they hit, mountains and balloons too.
  Weapon& rocket = weapons_[kRocket];
  rocket = {.levels = {kCoarse, kFine},
            .speed = 1.5,
            .drop = 0.004,
            .spread = 0.03,
            .reload = 45,
            .lifetime = 150,
            .damage = 60,
            .blast_radius = 4.5};
  for (const Block block : {kLeaves, kGlass, kWater})
    check(rocket.rules.setBlock(blocks.types[block], TerminalRule::stopShot()));
  check(rocket.rules.setEntities(walkers | category(kBalloon), TerminalRule::stopShot()));

  for (Weapon& weapon : weapons_)
    weapon.shot.rules = &weapon.rules;
}

void check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << status.message() << "\n";
  std::exit(1);
}

}  // namespace arena
