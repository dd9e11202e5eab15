// SPDX-License-Identifier: Apache-2.0
// The interface of a measured entity system: built from a scene, it follows the scene's moves and
// finds all entities that segments hit. A new peer is one file with one of these, and one line in
// entity_systems.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "entity_scene.h"
#include "random.h"
#include "rays.h"

namespace fractalray::bench {

// The entities that a segment hits, as a number of them and a sum over the set.
struct EntityAnswer {
  std::uint64_t hits = 0;
  std::uint64_t set = 0;

  void add(std::uint64_t entity) {
    ++hits;
    set += mix(entity + 1);
  }

  friend bool operator==(const EntityAnswer&, const EntityAnswer&) = default;
};

class EntitySystem {
 public:
  EntitySystem() = default;
  virtual ~EntitySystem() = default;
  EntitySystem(const EntitySystem&) = delete;
  EntitySystem& operator=(const EntitySystem&) = delete;

  // Follows the scene, all of whose entities may have moved.
  virtual void move() = 0;
  // Answers all segments, one after another; those of entities by their number in the scene.
  // Requires: as many answers as rays; rays start in the extents.
  virtual void query(const Rays& rays, std::span<EntityAnswer> answers) = 0;
  // Returns the memory for the entities if the system knows it better than the heap does; else 0.
  virtual std::size_t bytes() const { return 0; }
};

struct EntitySystemMaker {
  std::string_view name;
  // Builds the system for a scene, which must outlive it; null if the peer was not installed
  // when this program was configured.
  std::unique_ptr<EntitySystem> (*make)(const EntityScene& scene);
  bool is_ours = false;
  // whether one would use it for entities that move far
  bool moves_far = true;
  // whether a quick run leaves it out of the largest scenes
  bool takes_long = false;
};

// Returns the systems in the order of the tables.
std::span<const EntitySystemMaker> allEntitySystems();

// Makes the systems, one file each.
std::unique_ptr<EntitySystem> makeFractalrayEntities(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeOptimizedEntities(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeBullet(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeSpheres(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeRefit(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeRebuilt(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeUniformGrid(const EntityScene& scene);

}  // namespace fractalray::bench
