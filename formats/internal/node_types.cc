// SPDX-License-Identifier: Apache-2.0
#include "node_types.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "block_type_merge.h"

namespace fractalray {
namespace {

// Returns the kind of a node in the channels of a table of kinds that does not list it.
BlockKind usualKind(const NodeDefinition& node) {
  if (node.walkable) return BlockKind::kSolid;
  const bool is_there = node.pointable || node.is_liquid;
  return is_there && !node.is_airlike ? BlockKind::kPermeable : BlockKind::kEmpty;
}

BlockKind selectionKind(const NodeDefinition& node) {
  if (!node.pointable) return BlockKind::kEmpty;
  return node.walkable ? BlockKind::kSolid : BlockKind::kPermeable;
}

}  // namespace

absl::Status NodeTypes::addChannels() {
  absl::Status status = kinds_.addChannels(types_);
  if (!status.ok() || definitions_ == nullptr) return status;
  const auto selection = types_.addChannel(kSelectionChannel);
  if (!selection.ok()) return selection.status();
  const auto collision = types_.addChannel(kCollisionChannel);
  if (!collision.ok()) return collision.status();
  selection_ = *selection;
  collision_ = *collision;
  return status;
}

NodeTypes::OfName& NodeTypes::named(const std::string& name) {
  const auto [found, is_new] = by_name_.try_emplace(name);
  if (is_new) {
    found->second.name = name;
    if (definitions_ != nullptr) found->second.definition = definitions_->find(name);
    // Luanti, too, has old names replaced when it loads a mapblock.
    if (found->second.definition != nullptr) found->second.name = found->second.definition->name;
  }
  return found->second;
}

absl::StatusOr<BlockTypeId> NodeTypes::typeOf(OfName& of_name, std::uint8_t param2,
                                              std::uint8_t connections) {
  const std::uint8_t state =
      of_name.definition == nullptr ? std::uint8_t{0} : boxState(*of_name.definition, param2);
  const std::uint32_t key = state | std::uint32_t{connections} << 8;
  const auto known = of_name.by_state.find(key);
  if (known != of_name.by_state.end()) return known->second;
  absl::StatusOr<BlockTypeId> type = make(of_name, state, connections);
  if (!type.ok()) return type.status();
  const std::size_t index = BlockTypeTable::index(*type);
  if (made_.size() <= index) made_.resize(index + 1);
  made_[index] = {.of_name = &of_name, .node = {of_name.definition, state}};
  // Last, so that what is known is complete, even if memory runs out before.
  of_name.by_state.emplace(key, *type);
  return type;
}

PlacedNode NodeTypes::nodeOf(BlockTypeId type) const {
  const std::size_t index = BlockTypeTable::index(type);
  return index < made_.size() ? made_[index].node : PlacedNode{};
}

absl::StatusOr<BlockTypeId> NodeTypes::connected(BlockTypeId type, std::uint8_t connections) {
  const std::size_t index = BlockTypeTable::index(type);
  if (index >= made_.size() || made_[index].of_name == nullptr) return type;
  OfName& of_name = *made_[index].of_name;
  return typeOf(of_name, made_[index].node.param2, connections);
}

absl::StatusOr<BlockTypeId> NodeTypes::make(const OfName& of_name, std::uint8_t state,
                                            std::uint8_t connections) {
  if (of_name.definition == nullptr) return kinds_.addType(of_name.name, types_);
  const NodeDefinition& node = *of_name.definition;
  absl::StatusOr<BlockTypeSpec> spec = kinds_.specOf(of_name.name, usualKind(node), types_);
  if (!spec.ok()) return spec.status();
  if (state != 0 || connections != 0) {
    absl::StrAppend(&spec->name, " [", state);
    if (connections != 0) absl::StrAppend(&spec->name, ", ", connections);
    absl::StrAppend(&spec->name, "]");
  }
  absl::Status status = addShapes(node, state, connections, *spec);
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat("the block type ", quotedText(spec->name), ": ",
                                                    status.message()));
  }
  return findOrAddBlockType(types_, *std::move(spec));
}

absl::Status NodeTypes::addShapes(const NodeDefinition& node, std::uint8_t state,
                                  std::uint8_t connections, BlockTypeSpec& spec) {
  bool is_cut = false;
  const auto selection = shapeOf(node, node.selection, state, connections, is_cut);
  if (!selection.ok()) return selection.status();
  const auto collision = shapeOf(node, node.collision, state, connections, is_cut);
  if (!collision.ok()) return collision.status();
  if (is_cut) ++cut_types_;
  // In the other channels a node that cannot be pointed at is as wide as what collides with it.
  spec.shape = node.pointable ? *selection : *collision;
  spec.channel_kinds.emplace_back(selection_, selectionKind(node));
  spec.channel_kinds.emplace_back(collision_,
                                  node.walkable ? BlockKind::kSolid : BlockKind::kEmpty);
  spec.channel_shapes = {{selection_, *selection}, {collision_, *collision}};
  if (const auto physical = types_.findChannel(kPhysicalChannel); physical.has_value())
    spec.channel_shapes.emplace_back(*physical, *collision);
  return absl::OkStatus();
}

absl::StatusOr<ShapeId> NodeTypes::shapeOf(const NodeDefinition& node, const NodeBox& box,
                                           std::uint8_t state, std::uint8_t connections,
                                           bool& is_cut) {
  const NodeShape shape = nodeShape(node, box, state, connections);
  is_cut = is_cut || shape.is_cut;
  if (shape.is_whole) return kWholeCube;
  return types_.addShape(shape.boxes);
}

std::vector<std::string> NodeTypes::defaultedNames() const {
  std::vector<std::string> names;
  for (const auto& [name, of_name] : by_name_) {
    if (of_name.definition == nullptr && !kinds_.lists(name) && !of_name.by_state.empty())
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fractalray
