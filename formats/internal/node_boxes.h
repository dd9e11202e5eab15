// SPDX-License-Identifier: Apache-2.0
// The boxes of a Luanti node as it stands in the world: turned, raised and connected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/functional/function_ref.h"

#include "../../core/vec.h"
#include "../../levels/block_shape.h"
#include "../node_definitions.h"

namespace fractalray {

// A node in the world.
struct PlacedNode {
  const NodeDefinition* definition = nullptr;  // null if it is not known
  std::uint8_t param2 = 0;
};

// Returns the part of param2 on which the boxes of a node, or connections to it, depend: nodes of
// one definition that agree in it, and in their connections, have the same boxes.
std::uint8_t boxState(const NodeDefinition& node, std::uint8_t param2);

// Returns the sides on which a node connects to its neighbours, a bit each by NodeSide.
// `neighbor(side)` returns the node on a side.
std::uint8_t connectedSides(const NodeDefinition& node,
                            absl::FunctionRef<PlacedNode(NodeSide side)> neighbor);
// Returns the step from a node to its neighbour on a side.
Vec3i stepTo(NodeSide side);

// Returns the most boxes that a node of a node box has at once, however it stands and is connected.
std::size_t mostBoxes(const NodeBox& box);

// The boxes of a node in fractions of its width, from its lower corner.
struct NodeShape {
  bool is_whole = false;  // the whole node
  bool is_cut = false;    // parts beyond the node were cut off
  std::vector<ShapeBox> boxes;
};

// Returns the shape of a node box of a node with that state (boxState) and those connections, as
// Luanti 5.6 computes it. A flat box gets a thickness of 1/65,536, inwards.
NodeShape nodeShape(const NodeDefinition& node, const NodeBox& box, std::uint8_t state,
                    std::uint8_t connections);

}  // namespace fractalray
