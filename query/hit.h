// SPDX-License-Identifier: Apache-2.0
// What a shot meets, as callbacks and results tell it.
#pragma once

#include <cstdint>
#include <variant>

#include "../core/hit_geometry.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"

namespace fractalray {

struct BlockHit : HitGeometry {
  int level = 0;
  BlockCoord block{};
  BlockTypeId type = kAir;
  // The place among the cells that the walk visits at the same corner crossing, from 1; 0 where the
  // start is inside. Hits of a level come by t, then by this.
  std::uint8_t step = 0;
  // Whether the shot ends here: in a callback what is known before its response, in a result all of
  // it.
  bool terminal = false;
};

struct EntityHit : HitGeometry {
  int level = 0;  // the entity's own
  EntityHandle entity{};
  EntityId id = 0;
  EntityClassId entity_class{};
  std::uint64_t categories = 0;
  bool terminal = false;  // as in BlockHit
  // As they were when it was hit, whatever has become of it; in units.
  FixedShape shape{};
  Vec3i position{};
};

using Hit = std::variant<BlockHit, EntityHit>;

// The parts that both kinds share.
inline const HitGeometry& geometry(const Hit& hit) {
  return std::visit([](const HitGeometry& part) -> const HitGeometry& { return part; }, hit);
}
inline bool isTerminal(const Hit& hit) {
  return std::visit([](const auto& part) { return part.terminal; }, hit);
}

}  // namespace fractalray
