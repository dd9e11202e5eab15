// SPDX-License-Identifier: Apache-2.0
// The rules of the game, as data: what the blocks are to bullets, to light and to blasts; who lives
// in the arena; and the weapons.
#pragma once

#include <array>
#include <cstdint>

#include "terrain.h"

namespace arena {

// Level 0 has blocks 16 wide: the mountains around the field, and the balloons. Level 1 has the
// field itself, and all who walk on it.
inline constexpr int kCoarse = 0;
inline constexpr int kFine = 1;

// A block is solid in the default channel, that of bullets, unless it can be pierced. Light passes
// through glass and water. A blast destroys all that is not solid in its channel.
struct BlockRules {
  std::array<BlockTypeId, kBlockIds> types;  // by the engine's ids
  BlockTypeId mountain{};                    // of the coarse level
  ChannelId light{};
  ChannelId blast{};

  explicit BlockRules(BlockTypeTable& table);
};

enum Kind : std::uint8_t { kPlayer, kBeast, kMachine, kBalloon, kKinds };

constexpr std::uint64_t category(Kind kind) {
  return std::uint64_t{1} << kind;
}

struct KindRules {
  int level = kFine;
  Shape shape{};
  double eye = 0;    // the height of the shape's centre above the ground
  double speed = 0;  // in blocks a tick
  int health = 0;
};
inline const std::array<KindRules, kKinds> kKindRules = {
    {{kFine, Box{{0.4, 0.9, 0.4}}, 0.9, 0.05, 60},
     {kFine, Sphere{0.7}, 0.7, 0.07, 20},
     {kFine, Box{{0.6, 0.6, 0.6}}, 0.6, 0.04, 40},
     {kCoarse, Sphere{5}, 30, 0.1, 400}}};

// Lengths are in blocks, times in ticks.
struct Weapon {
  QueryOptions shot{};             // channel, categories and rules of each shot
  LevelMask levels{};              // those that its bullets hit
  TerminalRules rules{};           // costs of what its bullets pierce
  bool bounces_off_stone = false;  // off steel in any case
  int bounces = 0;
  double speed = 0;
  double drop = 0;    // by which a bullet gets faster downwards each tick
  double spread = 0;  // sideways, for each block of distance
  int pellets = 1;    // bullets a shot
  int reload = 0;
  int lifetime = 0;
  int damage = 0;
  double blast_radius = 0;  // 0 for no explosion
};

enum WeaponId : std::uint8_t { kShotgun, kLaser, kRocket, kWeapons };

// Owns the weapons, whose options refer to their rules.
class Armoury {
 public:
  explicit Armoury(const BlockRules& blocks);
  Armoury(const Armoury&) = delete;
  Armoury& operator=(const Armoury&) = delete;

  const Weapon& operator[](int id) const { return weapons_[static_cast<std::size_t>(id)]; }

 private:
  std::array<Weapon, kWeapons> weapons_;
};

// Prints what is wrong, and ends the program: a server would log it and drop the edit or the query.
void check(const absl::Status& status);

}  // namespace arena
