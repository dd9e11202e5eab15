// SPDX-License-Identifier: Apache-2.0
// Moving things that a shot can hit.
#pragma once

#include <cstdint>
#include <optional>

#include "../core/vec.h"
#include "shape.h"

namespace fractalray {

// The engine's own name for an entity, unique among the living: order on ties, ignore lists.
using EntityId = std::uint64_t;
// What callbacks are registered by; 0 where the engine does not care.
enum class EntityClassId : std::uint32_t {};

// A reference to an entity in an index: its slot, and which of the slot's tenants it is. A handle
// of an entity that has been removed is told as stale, whoever has the slot now.
struct EntityHandle {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 for no entity

  friend constexpr bool operator==(const EntityHandle&, const EntityHandle&) = default;
  friend constexpr auto operator<=>(const EntityHandle&, const EntityHandle&) = default;
};

// An entity to be added to an index.
struct EntitySpec {
  EntityId id = 0;
  int level = 0;  // who may hit it: queries whose mask has this level
  EntityClassId entity_class{};
  Shape shape = Sphere{};
  Vec3d position{};              // the shape's centre, in finest-block widths
  std::uint64_t categories = 1;  // met by queries that share a bit
};

// Where an entity is to go.
struct EntityMove {
  EntityHandle entity;
  Vec3d position{};  // in finest-block widths
};

// What an entity is to become: a member that is set replaces what the entity has, the others leave
// it as it is. Its id and its handle stay.
struct EntityUpdate {
  std::optional<int> level{};  // who may hit it
  std::optional<EntityClassId> entity_class{};
  std::optional<Shape> shape{};
  std::optional<Vec3d> position{};  // the shape's centre, in finest-block widths
  std::optional<std::uint64_t> categories{};
};

// Which entity is to become what.
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

  friend bool operator==(const Entity&, const Entity&) = default;
};

}  // namespace fractalray
