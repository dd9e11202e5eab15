// SPDX-License-Identifier: Apache-2.0
// Hits in brief: one cache line each, for batches of many queries.
#pragma once

#include <cstdint>

#include "../core/face.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "hit.h"

namespace fractalray {

// A first hit in 64 bytes: the members of Hit that most callers read, with the same values.
// RayQueryService::fullHit() computes the others on demand.
struct alignas(64) CompactHit {
  double t = 0;
  double t_exit = 0;
  BlockCoord block{};     // of a block: its index on its level
  EntityHandle entity{};  // of an entity, as is `id`
  EntityId id = 0;
  BlockTypeId type = kAir;  // of a block
  Face face = Face::none();
  std::uint32_t plane : 17 = 0;           // of a block's face
  Hit::Kind kind : 2 = Hit::Kind::kNone;  // kNone if nothing is hit
  std::uint8_t step : 3 = 0;
  bool terminal : 1 = false;
  bool start_inside : 1 = false;
  std::int8_t level = 0;  // the block's, or the entity's own

  bool isBlock() const { return kind == Hit::Kind::kBlock; }
  bool isEntity() const { return kind == Hit::Kind::kEntity; }
  friend bool operator==(const CompactHit&, const CompactHit&) = default;
};

// Returns the hit in brief.
CompactHit toCompact(const Hit& hit);

}  // namespace fractalray
