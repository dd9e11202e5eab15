// SPDX-License-Identifier: Apache-2.0
// The main loop. Each tick: write (walk, explode), take over what was written (move, refresh), and
// query (see, fly). Nothing is queried while anything is written.
#include "arena.h"

#include <bit>
#include <limits>

namespace arena {
namespace {

constexpr std::uint64_t kHashBasis = 0xcbf29ce484222325U;  // of FNV-1a
constexpr std::uint64_t kHashPrime = 0x100000001b3U;

}  // namespace

// ---- Before the first tick ----

Arena::Arena(std::uint64_t seed, int threads)
    : random_(seed), terrain_(seed), chunks_(lendChunks()), threads_(threads) {
  for (std::int64_t x = 0; x < Terrain::kChunks[0]; ++x) {
    for (std::int64_t y = 0; y < Terrain::kChunks[1]; ++y) {
      for (std::int64_t z = 0; z < Terrain::kChunks[2]; ++z)
        check(chunks_.sync({x, y, z}));
    }
  }
  loadMountains();
  addActors();
}

// Describes the engine's chunks to the library, which reads their bytes as they are.
EngineChunks Arena::lendChunks() {
  const absl::StatusOr<IdLayout> layout =
      IdLayout::make({.id_bytes = 1, .strides = {1, 1024, 32}, .types = blocks_.types});
  check(layout.status());
  absl::StatusOr<EngineChunks> chunks = EngineChunks::borrowed(
      world_, {.width = EngineChunk::kSize, .layout = *layout, .level = kFine},
      [this](const Vec3i& at) -> const void* {
        const EngineChunk* const chunk = terrain_.find(at);
        return chunk == nullptr ? nullptr : chunk->ids.data();
      });
  check(chunks.status());
  return *std::move(chunks);
}

// ---- The tick ----

TickReport Arena::tick(TickTimes& times) {
  report_ = {.tick = report_.tick + 1, .hash = kHashBasis};
  times.measure("walk", [&] { walk(); });
  times.measure("move", [&] { move(); });
  times.measure("see", [&] { see(); });
  times.measure("fire", [&] { fire(); });
  times.measure("fly", [&] { fly(); });
  times.measure("explode", [&] { explode(); });
  times.measure("refresh", [&] { refresh(); });
  times.endTick();
  return report_;
}

// The engine's own work: everybody takes a step, or turns where the way is barred.
void Arena::walk() {
  for (Actor& actor : actors_) {
    if (actor.health <= 0) send(actor);
    if (random_() % 256 == 0) wander(actor);
    const Vec3d next = actor.feet + actor.heading * kKindRules[actor.kind].speed;
    const int height = terrain_.standingHeight(next[0], next[1], next[2]);
    if (height < 0) {
      wander(actor);
    } else {
      actor.feet = {next[0], static_cast<double>(height), next[2]};
    }
  }
}

void Arena::wander(Actor& actor) {
  actor.heading = {random() * 1.4 - 0.7, 0, random() * 1.4 - 0.7};
}

// Moves the entities to where the actors are.
void Arena::move() {
  moves_.clear();
  for (const Actor& actor : actors_)
    moves_.push_back({.entity = actor.handle, .position = actor.eye()});
  check(entities_.moveAll(moves_));
}

// Finds out which of the next 5,000 creatures see the player next to them. A creature that does
// runs towards the player, and the player aims at the last of them.
void Arena::see() {
  looks_.clear();
  lines_.clear();
  for (std::size_t i = 0; i < kLinesOfSight; ++i) {
    const Look look = lookFrom(kPlayers + next_look_++ % kCreatures);
    looks_.push_back(look);
    lines_.push_back(
        {.line = Segment{.from = actors_[look.creature].eye(), .to = actors_[look.player].eye()},
         .levels = {kFine}});
  }
  check(service_.occluded(lines_, {.filter = {.channel = blocks_.light}}, sights_, threads_));
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    const Look& look = looks_[i];
    if (sights_.answers[i] != Occlusion::kClear) continue;
    ++report_.in_sight;
    note(i);
    if (look.distance < 2) {
      damage(look.player, 1);  // it bites
      continue;
    }
    Actor& creature = actors_[look.creature];
    Actor& player = actors_[look.player];
    creature.heading = (player.feet - creature.feet) / look.distance;
    player.target = look.creature;
  }
}

Arena::Look Arena::lookFrom(EntityId creature) const {
  const Vec3d from = actors_[creature].eye();
  Look look{.creature = creature, .distance = std::numeric_limits<double>::infinity()};
  for (EntityId player = 0; player < kPlayers; ++player) {
    const double distance = length(actors_[player].eye() - from);
    if (distance < look.distance) look = {creature, player, distance};
  }
  return look;
}

void Arena::fire() {
  tracks_.clear();
  explosions_.clear();
  for (EntityId id = 0; id < kPlayers; ++id) {
    Actor& player = actors_[id];
    if (--player.reload > 0 || !player.target.has_value()) continue;
    const auto weapon = static_cast<WeaponId>(id % kWeapons);
    shoot(weapon, player, id);
    player.reload = weapons_[weapon].reload;
    player.target.reset();
  }
}

void Arena::shoot(WeaponId id, const Actor& player, EntityId shooter) {
  const Weapon& weapon = weapons_[id];
  for (int i = 0; i < weapon.pellets; ++i) {
    Vec3d aim = actors_[*player.target].eye() - player.eye();
    const double distance = length(aim);
    aim[1] += weapon.drop * distance * distance / (2 * weapon.speed * weapon.speed);
    for (int axis = 0; axis < 3; ++axis)
      aim[axis] += distance * weapon.spread * (2 * random() - 1);
    bullets_[id].push_back({.at = player.eye(),
                            .velocity = aim * (weapon.speed / length(aim)),
                            .ticks_left = weapon.lifetime,
                            .bounces_left = weapon.bounces,
                            .energy = weapon.rules.amounts(),
                            .ignore = {shooter}});
  }
}

void Arena::fly() {
  for (const WeaponId id : {kShotgun, kLaser, kRocket}) {
    fly(id);
    std::erase_if(bullets_[id], [](const Bullet& bullet) { return bullet.ticks_left <= 0; });
    report_.bullets += bullets_[id].size();
  }
}

// Flies the bullets of a weapon for a tick: a batch of all, then batches of those that have
// bounced.
void Arena::fly(WeaponId id) {
  flying_.clear();
  paths_.clear();
  for (Bullet& bullet : bullets_[id]) {
    --bullet.ticks_left;
    bullet.velocity[1] -= weapons_[id].drop;
    flying_.push_back(&bullet);
    paths_.push_back(path(id, bullet));
    paths_.back().line = Segment{.from = bullet.at, .to = bullet.at + bullet.velocity};
  }
  while (!paths_.empty()) {
    check(service_.shootSegment(paths_, weapons_[id].shot, shots_, threads_));
    std::size_t bounced = 0;
    for (std::size_t i = 0; i < flying_.size(); ++i) {
      Bullet& bullet = *flying_[i];
      const ShotSummary& shot = shots_.shots[i];
      if (!follow(id, bullet, shot, shots_.hitsOf(i))) continue;
      const auto image = service_.reflect(shot.segment, shots_.hitsOf(i).back());
      check(image.status());
      flying_[bounced] = &bullet;
      paths_[bounced] = path(id, bullet);
      paths_[bounced++].line = *image;
    }
    flying_.resize(bounced);
    paths_.resize(bounced);
  }
}

// Returns the query of a bullet, but for its line. It refers to the bullet.
BatchQuery Arena::path(WeaponId id, const Bullet& bullet) const {
  return {.line = Segment{},
          .levels = weapons_[id].levels,
          .ignore = bullet.ignore,
          .budgets = &bullet.energy};
}

// Takes over what a bullet has hit. Returns true if it bounces off the last hit.
bool Arena::follow(WeaponId id, Bullet& bullet, const ShotSummary& shot,
                   std::span<const Hit> hits) {
  check(shot.status);
  for (const Hit& hit : hits) {
    note(hit);
    if (!hit.isEntity()) continue;
    damage(hit.id, weapons_[id].damage);
    bullet.ignore.push_back(hit.id);
  }
  bullet.energy = shot.budgets.value_or(bullet.energy);
  const Vec3d end = shot.terminated ? hits.back().point : toBlocks(shot.segment).to;
  tracks_.push_back({.weapon = id, .from = bullet.at, .to = end});
  bullet.at = end;
  if (!shot.terminated) return false;
  if (bounce(id, bullet, hits.back())) return true;
  bullet.ticks_left = 0;
  const double radius = weapons_[id].blast_radius;
  if (radius > 0) explosions_.push_back({.center = end, .radius = radius});
  return false;
}

bool Arena::bounce(WeaponId id, Bullet& bullet, const Hit& hit) {
  const bool is_mirror = hit.type == blocks_.types[kSteel] ||
                         (weapons_[id].bounces_off_stone &&
                          (hit.type == blocks_.types[kStone] || hit.type == blocks_.types[kBrick]));
  if (!hit.isBlock() || !is_mirror || !hit.face.exists() || bullet.bounces_left == 0) return false;
  --bullet.bounces_left;
  bullet.velocity[hit.face.axis] *= -1;
  bullet.ignore.clear();  // it may come back to its shooter
  ++report_.bounces;
  return true;
}

// Each explosion damages the actors near it, and writes to the engine's blocks: a crater of air
// with ash around it, and rubble where there was air.
void Arena::explode() {
  for (const Explosion& explosion : explosions_) {
    const auto& [center, radius] = explosion;
    check(entitiesInSphere(entities_, center, radius, LevelMask::all(), {}, found_entities_));
    for (const FoundEntity& found : found_entities_)
      damage(found.id, 40);
    check(
        blocksInSphere(world_, center, radius, {kFine}, {.channel = blocks_.blast}, found_blocks_));
    for (const FoundBlock& found : found_blocks_) {
      if (found.kind == BlockKind::kSolid) continue;
      write(found.block, found.distance < radius - 1.3 ? kNothing : kAsh);
    }
    throwRubble(explosion);
  }
  report_.explosions = explosions_.size();
}

// Drops blocks around an explosion; each comes down on whatever is there.
void Arena::throwRubble(const Explosion& explosion) {
  const auto& [center, radius] = explosion;
  for (int i = 0; i < 20; ++i) {
    const double x = center[0] + 2 * radius * (2 * random() - 1);
    const double z = center[2] + 2 * radius * (2 * random() - 1);
    const int height = terrain_.standingHeight(x, center[1] + radius, z);
    if (height < 0) continue;
    write({static_cast<std::int64_t>(x), height, static_cast<std::int64_t>(z)}, kRubble);
  }
}

void Arena::write(const BlockCoord& block, Block id) {
  const auto& [x, y, z] = block.values;
  terrain_.set(x, y, z, id);
  written_.push_back(block);
}

// Takes over what the engine has written.
void Arena::refresh() {
  for (const BlockCoord& block : written_)
    check(chunks_.refreshBlock(block));
  report_.blocks_written = written_.size();
  written_.clear();
}

void Arena::note(std::uint64_t number) {
  report_.hash = (report_.hash ^ number) * kHashPrime;
}

void Arena::note(const Hit& hit) {
  ++report_.hits;
  note(std::bit_cast<std::uint64_t>(hit.t));
  note(hit.isEntity() ? hit.id : CellHash()(hit.block));
  note(static_cast<std::uint64_t>(hit.kind) << 16 | static_cast<std::uint64_t>(hit.type));
}

// Returns a number from 0 to 1; the standard's own distributions differ between libraries.
double Arena::random() {
  return static_cast<double>(random_() >> 11) * 0x1p-53;
}

}  // namespace arena
