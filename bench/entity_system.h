// SPDX-License-Identifier: Apache-2.0
// What is measured of entities: a system that was built from a scene follows its moves and finds
// all entities that segments meet. A new peer is one file with one of these, and one line in
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

// Which entities a segment met, as a number of them and a sum over the set.
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
  // Memory for the entities, where the system knows better than the heap does; 0 where not.
  virtual std::size_t bytes() const { return 0; }
};

struct EntitySystemMaker {
  std::string_view name;
  // Builds the system for a scene, which must outlive it; null where the peer was not installed
  // when this program was configured.
  std::unique_ptr<EntitySystem> (*make)(const EntityScene& scene);
  bool is_ours = false;
  // Whether one would use it where entities move far.
  bool moves_far = true;
};

// In the order of the tables.
std::span<const EntitySystemMaker> allEntitySystems();

// One file each.
std::unique_ptr<EntitySystem> makeFractalrayEntities(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeBullet(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeSpheres(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeRefit(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeEmbreeRebuilt(const EntityScene& scene);
std::unique_ptr<EntitySystem> makeUniformGrid(const EntityScene& scene);

}  // namespace fractalray::bench
