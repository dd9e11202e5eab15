// SPDX-License-Identifier: Apache-2.0
// Block types of a shape.
#pragma once

#include <string>
#include <vector>

#include "../../levels/block_type.h"

namespace fractalray::oracle {

// Adds a type that has one shape in every channel. Requires: the name is new, and the boxes are in
// order.
inline BlockTypeId addShapedType(BlockTypeTable& types, const std::string& name, BlockKind kind,
                                 const std::vector<ShapeBox>& boxes) {
  return types.add({.name = name, .kind = kind, .shape = types.addShape(boxes).value()}).value();
}

}  // namespace fractalray::oracle
