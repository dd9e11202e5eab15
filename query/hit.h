// SPDX-License-Identifier: Apache-2.0
// A hit of a query: a block or an entity, as callbacks and results receive it.
#pragma once

#include <cstdint>

#include "../core/hit_geometry.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"

namespace fractalray {

// A hit, flat: `hit.t`, `hit.point` and the rest of HitGeometry hold for both kinds. 176 bytes.
struct Hit : HitGeometry {
  enum class Kind : std::uint8_t { kNone, kBlock, kEntity };

  Hit() {}  // NOLINT(modernize-use-equals-default): would be deleted because of the union

  Kind kind = Kind::kNone;
  // True if the query ends here. In a callback: as decided before the callback responds.
  bool terminal = false;
  // For a block that is hit as the line enters its cell, the ordinal of the cell among those that
  // the walk visits at the same corner crossing, from 1. 0 if the start is inside, and for a shape
  // that is hit later than its cell is entered. Hits of a level are ordered by t, then by this
  // ordinal.
  std::uint8_t step = 0;
  BlockTypeId type = kAir;  // of a block
  int level = 0;            // the block's, or the entity's own

  // For a block, the coordinate of the face on its axis, in 1/65,536 of the block's width from the
  // block's lower corner: 0 or 65,536 for a block that fills its cube, and 0 without a face.
  std::uint32_t plane = 0;
  EntityClassId entity_class{};  // of an entity, as all members below except `block`
  union {
    BlockCoord block{};  // of a block: its index on its level
    Vec3i position;      // of an entity: its centre when it was hit, in units
  };
  EntityHandle entity{};
  EntityId id = 0;
  std::uint64_t categories = 0;
  FixedShape shape{};  // at the time of the hit

  bool isBlock() const { return kind == Kind::kBlock; }
  bool isEntity() const { return kind == Kind::kEntity; }
};

// A Hit of one kind, for signatures that state the kind.
using BlockHit = Hit;
using EntityHit = Hit;

}  // namespace fractalray
