// SPDX-License-Identifier: Apache-2.0
// A game server in small: players, 10,000 creatures, bullets that pierce and bounce, explosions
// that dig craters, 5,000 lines of sight a tick. arena.cc is its main loop.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "fractalray/core/thread_executor.h"
#include "fractalray/fractalray.h"
#include "rules.h"
#include "terrain.h"
#include "tick_times.h"

namespace arena {

// Somebody who can be hit. Its id is its index among all actors.
struct Actor {
  Kind kind = kBeast;
  EntityHandle handle{};
  Vec3d feet{};
  Vec3d heading{};  // of length 1 at most
  int health = 0;
  // Of players: the creature that they shoot at, and the ticks until they can.
  std::optional<EntityId> target{};
  int reload = 0;

  Vec3d eye() const { return {feet[0], feet[1] + kKindRules[kind].eye, feet[2]}; }
};

// A bullet in flight. In each tick it flies along a line of its own.
struct Bullet {
  Vec3d at{};
  Vec3d velocity{};  // in blocks a tick
  int ticks_left = 0;
  int bounces_left = 0;
  Budgets energy{};
  std::vector<EntityId> ignore{};  // its shooter, and those that it has pierced
};

// Events of a tick, to be drawn.
struct Track {
  WeaponId weapon = kShotgun;
  Vec3d from{};
  Vec3d to{};
};
struct Explosion {
  Vec3d center{};
  double radius = 0;
};

struct TickReport {
  std::uint64_t tick = 0;
  std::size_t bullets = 0;
  std::size_t hits = 0;
  std::size_t bounces = 0;
  std::size_t explosions = 0;
  std::size_t blocks_written = 0;
  std::size_t in_sight = 0;
  std::uint64_t hash = 0;  // of all hits and all lines of sight
};

class Arena {
 public:
  static constexpr std::size_t kPlayers = 96;
  static constexpr std::size_t kCreatures = 10'000;
  static constexpr std::size_t kBalloons = 24;
  static constexpr std::size_t kLinesOfSight = 5'000;

  // The same seed gives the same reports, whatever the number of threads.
  Arena(std::uint64_t seed, int threads);

  // Runs a tick, phase by phase.
  TickReport tick(TickTimes& times);

  // The state after the tick, to be drawn: valid until the next one.
  const World& world() const { return world_; }
  const BlockRules& blocks() const { return blocks_; }
  const RayQueryService& service() const { return service_; }
  const ThreadExecutor& threads() const { return threads_; }
  const std::vector<Actor>& actors() const { return actors_; }
  const std::vector<Track>& tracks() const { return tracks_; }
  const std::vector<Explosion>& explosions() const { return explosions_; }

 private:
  struct Look {
    EntityId creature = 0;
    EntityId player = 0;
    double distance = 0;
  };

  // Before the first tick.
  EngineChunks lendChunks();
  void loadMountains();
  void addActors();

  // The phases of a tick, in their order.
  void walk();
  void move();
  void see();
  void fire();
  void fly();
  void explode();
  void refresh();

  void send(Actor& actor);
  void wander(Actor& actor);
  Look lookFrom(EntityId creature) const;
  void shoot(WeaponId id, const Actor& player, EntityId shooter);
  void fly(WeaponId id);
  BatchQuery path(WeaponId id, const Bullet& bullet) const;
  bool follow(WeaponId id, Bullet& bullet, const ShotSummary& shot, std::span<const Hit> hits);
  bool bounce(WeaponId id, Bullet& bullet, const Hit& hit);
  void damage(EntityId id, int amount) { actors_[id].health -= amount; }
  void throwRubble(const Explosion& explosion);
  void write(const BlockCoord& block, Block id);
  void note(std::uint64_t number);
  void note(const Hit& hit);
  double random();

  std::mt19937_64 random_;
  Terrain terrain_;  // the engine's own blocks

  // The library's view of them, and of the actors.
  World world_{{.levels = 2}};
  BlockRules blocks_{world_.blockTypes()};
  EngineChunks chunks_;
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  ThreadExecutor threads_;

  Armoury weapons_{blocks_};
  std::vector<Actor> actors_;
  std::array<std::vector<Bullet>, kWeapons> bullets_;
  std::size_t next_look_ = 0;
  TickReport report_;
  std::vector<Track> tracks_;
  std::vector<Explosion> explosions_;
  std::vector<BlockCoord> written_;

  // Reused from tick to tick, so that queries do not allocate once they are warm.
  std::vector<EntityMove> moves_;
  std::vector<Look> looks_;
  std::vector<BatchQuery> lines_;
  OcclusionBatch sights_;
  std::vector<BatchQuery> paths_;
  std::vector<Bullet*> flying_;  // the bullet of each path
  ShotBatch shots_;
  std::vector<FoundBlock> found_blocks_;
  std::vector<FoundEntity> found_entities_;
};

}  // namespace arena
