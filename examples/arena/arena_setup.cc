// SPDX-License-Identifier: Apache-2.0
// The world and its actors as they are before the first tick.
#include <algorithm>

#include "arena.h"

namespace arena {

// Loads the coarse level: mountains around the field, a block for 16 x 16 x 16 of the field's.
void Arena::loadMountains() {
  constexpr std::int64_t kField = Terrain::kWidth / 16;
  const auto mountain = [&](const BlockCoord& at) {
    const std::int64_t away = std::max({-at[0], at[0] - kField + 1, -at[2], at[2] - kField + 1});
    const auto random = static_cast<std::int64_t>(CellHash()(Vec3i{at[0], 0, at[2]}) >> 62);
    return away > 0 && at[1] <= (away + random) * 2 / 3 ? blocks_.mountain : kAir;
  };
  check(world_.loadBox(kCoarse, {-16, 0, -16}, {kField + 15, 15, kField + 15}, mountain));
}

void Arena::addActors() {
  actors_.resize(kPlayers + kCreatures + kBalloons);
  for (std::size_t id = 0; id < actors_.size(); ++id) {
    Actor& actor = actors_[id];
    actor.kind = id < kPlayers                ? kPlayer
                 : id < kPlayers + kCreatures ? (id % 4 == 0 ? kMachine : kBeast)
                                              : kBalloon;
    send(actor);
    const KindRules& rules = kKindRules[actor.kind];
    const auto handle = entities_.add({.id = id,
                                       .level = rules.level,
                                       .entity_class = EntityClassId{actor.kind},
                                       .shape = rules.shape,
                                       .position = actor.eye(),
                                       .categories = category(actor.kind)});
    check(handle.status());
    actor.handle = *handle;
  }
}

// Sends an actor to a random free position, in full health.
void Arena::send(Actor& actor) {
  int height = -1;
  while (height < 0) {
    actor.feet = {random() * Terrain::kWidth, 0, random() * Terrain::kWidth};
    const int ground = terrain_.groundHeight(static_cast<std::int64_t>(actor.feet[0]),
                                             static_cast<std::int64_t>(actor.feet[2]));
    height = terrain_.standingHeight(actor.feet[0], ground + 1, actor.feet[2]);
  }
  actor.feet[1] = height;
  actor.health = kKindRules[actor.kind].health;
  wander(actor);
}

}  // namespace arena
