// SPDX-License-Identifier: Apache-2.0
// Moving things that a shot can hit.
#pragma once

#include <cstdint>
#include <optional>

#include "../core/vec.h"
#include "shape.h"

namespace fractalray {

// The engine's own number of an entity, unique among living entities. Breaks ties, and names
// entities in ignore lists.
using EntityId = std::uint64_t;
// The key by which callbacks are registered; kDefaultEntityClass if the engine has no use for it.
enum class EntityClassId : std::uint32_t {};
inline constexpr EntityClassId kDefaultEntityClass{};

// A reference to an entity in an index: slot index plus generation. A handle to a removed entity is
// detected as stale even after its slot has been reused.
struct EntityHandle {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 for no entity

  friend constexpr bool operator==(const EntityHandle&, const EntityHandle&) = default;
  friend constexpr auto operator<=>(const EntityHandle&, const EntityHandle&) = default;
};

// An entity to be added to an index.
struct EntitySpec {
  EntityId id = 0;
  // Its own level: only queries whose mask contains it may hit the entity. The default, 0, is the
  // coarsest: in a world of several levels a query of the finest ones, as by World::finestLevels(),
  // misses the entity unless this is set.
  int level = 0;
  EntityClassId entity_class = kDefaultEntityClass;
  Shape shape = Sphere{};
  Vec3d position{};              // the shape's centre, in finest-block widths
  std::uint64_t categories = 1;  // hit by queries that share a bit
};

// The destination of an entity.
struct EntityMove {
  EntityHandle entity;
  Vec3d position{};  // in finest-block widths
};

// A change of an entity: a member that is set replaces the entity's own, the others leave it as it
// is. Its id and its handle stay.
struct EntityUpdate {
  std::optional<int> level{};  // the entity's own level
  std::optional<EntityClassId> entity_class{};
  std::optional<Shape> shape{};
  std::optional<Vec3d> position{};  // the shape's centre, in finest-block widths
  std::optional<std::uint64_t> categories{};
};

// An update of one of many entities.
struct EntityChange {
  EntityHandle entity;
  EntityUpdate update{};
};

// An entity as the index has it; sizes and position in units.
struct Entity {
  EntityId id = 0;
  std::uint64_t categories = 1;
  Vec3i position{};
  FixedShape shape{};
  EntityClassId entity_class{};
  std::int8_t level = 0;
  std::int8_t index_level = 0;  // the finest level whose chunks are wider than the radius
  // The level of the chunks in which queries find it: index_level, or a coarser one from a descent
  // of the frame (Window) until it leaves these chunks.
  std::int8_t grid_level = 0;

  friend bool operator==(const Entity&, const Entity&) = default;
};

}  // namespace fractalray
