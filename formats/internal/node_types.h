// SPDX-License-Identifier: Apache-2.0
// The block types of Luanti's nodes: one for each name, or for each name, state and connections if
// the boxes of a definition depend on them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../levels/block_type.h"
#include "../node_definitions.h"
#include "../node_kinds.h"
#include "node_boxes.h"

namespace fractalray {

// Makes types as they are first asked for. Not thread-safe.
class NodeTypes {
 public:
  // The channels in which types have their shapes and kinds by definition alone.
  static constexpr std::string_view kSelectionChannel = "selection";
  static constexpr std::string_view kCollisionChannel = "collision";
  // A channel of the built-in table of kinds, in which types have the shapes of collisions, too.
  static constexpr std::string_view kPhysicalChannel = "physical";

  // `definitions` may be null: then all nodes fill their cube. The arguments must outlive this.
  NodeTypes(const NodeKinds& kinds, const NodeDefinitions* definitions, BlockTypeTable& types)
      : kinds_(kinds), definitions_(definitions), types_(types) {}

  // Adds the channels of the table of kinds, and those above if there are definitions.
  absl::Status addChannels();

  // The types of a name, whose address stays.
  struct OfName {
    std::string name;
    const NodeDefinition* definition = nullptr;
    std::unordered_map<std::uint32_t, BlockTypeId> by_state;

    // Returns true if all nodes of the name have the same type.
    bool isOne() const {
      return definition == nullptr || (!definition->connects && boxState(*definition, 0xff) == 0);
    }
  };
  OfName& named(const std::string& name);
  // Returns the type of a node of a name. Errors: INVALID_ARGUMENT for an empty name,
  // RESOURCE_EXHAUSTED if the table is full.
  absl::StatusOr<BlockTypeId> typeOf(OfName& of_name, std::uint8_t param2,
                                     std::uint8_t connections = 0);
  // Returns the definition and the state of a type that this has made.
  PlacedNode nodeOf(BlockTypeId type) const;
  // Returns the type of the same node with these connections; the type itself if this has not made
  // it. Errors as above.
  absl::StatusOr<BlockTypeId> connected(BlockTypeId type, std::uint8_t connections);

  // Returns the names that neither the table of kinds nor a definition lists, sorted.
  std::vector<std::string> defaultedNames() const;
  // Returns the number of types whose boxes were cut at the cube.
  std::size_t cutTypes() const { return cut_types_; }

 private:
  // A type that this has made.
  struct Made {
    OfName* of_name = nullptr;
    PlacedNode node{};
  };

  absl::StatusOr<BlockTypeId> make(const OfName& of_name, std::uint8_t state,
                                   std::uint8_t connections);
  absl::Status addShapes(const NodeDefinition& node, std::uint8_t state, std::uint8_t connections,
                         BlockTypeSpec& spec);
  absl::StatusOr<ShapeId> shapeOf(const NodeDefinition& node, const NodeBox& box,
                                  std::uint8_t state, std::uint8_t connections, bool& is_cut);

  const NodeKinds& kinds_;
  const NodeDefinitions* definitions_;
  BlockTypeTable& types_;
  ChannelId selection_{};
  ChannelId collision_{};
  std::unordered_map<std::string, OfName> by_name_;
  std::vector<Made> made_;  // by type
  std::size_t cut_types_ = 0;
};

}  // namespace fractalray
