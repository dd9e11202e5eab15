// SPDX-License-Identifier: Apache-2.0
// What a shot meets, as callbacks and results tell it.
#pragma once

#include <variant>

#include "fractalray/core/hit.h"
#include "fractalray/core/vec.h"
#include "fractalray/entities/entity.h"
#include "fractalray/levels/block_type.h"

namespace fractalray {

struct BlockHit : HitGeometry {
  int level = 0;
  BlockCoord block{};
  BlockTypeId type = kAir;
  // Whether the shot ends here: in a callback what is known before its response, in a result all of
  // it.
  bool terminal = false;
};

struct EntityHit : HitGeometry {
  int level = 0;  // the entity's own
  EntityHandle entity{};
  EntityId id = 0;
  EntityClassId entity_class{};
  bool terminal = false;  // as in BlockHit
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
