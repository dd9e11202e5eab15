// SPDX-License-Identifier: Apache-2.0
#include "listed_types.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "block_type_merge.h"
#include "coarse_types.h"

namespace fractalray {
namespace {

// The state and the connections of a node, as "[20]" or "[0, 36]" at the end of a type's name.
struct NodeVariant {
  std::string_view node;
  std::uint8_t state = 0;
  std::uint8_t connections = 0;
};

std::optional<std::uint8_t> parseByte(std::string_view text) {
  std::uint8_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && read == end ? std::optional(number) : std::nullopt;
}

// Splits the name of a type; nothing if it does not end so.
std::optional<NodeVariant> splitVariant(std::string_view name) {
  const std::size_t begin = name.rfind(" [");
  if (begin == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
  const std::string_view node = name.substr(0, begin);
  std::string_view numbers = name.substr(begin + 2);
  numbers.remove_suffix(1);
  const std::size_t comma = numbers.find(", ");
  const auto state = parseByte(numbers.substr(0, comma));
  const auto connections = comma == std::string_view::npos ? std::optional(std::uint8_t{0})
                                                           : parseByte(numbers.substr(comma + 2));
  if (!state.has_value() || !connections.has_value()) return std::nullopt;
  return NodeVariant{.node = node, .state = *state, .connections = *connections};
}

// Returns the name without those ' that findOrAddBlockType() has appended: as long as the table has
// a type of the shorter name.
std::string_view withoutMarks(std::string_view name, const BlockTypeTable& types) {
  while (name.ends_with('\'') && types.find(name.substr(0, name.size() - 1)).has_value())
    name.remove_suffix(1);
  return name;
}

// Finds or adds the type that a saved world gives a name to.
absl::StatusOr<BlockTypeId> addNamed(std::string_view listed, NodeTypes& nodes,
                                     BlockTypeTable& types) {
  const std::string_view name = withoutMarks(listed, types);
  if (std::optional<BlockTypeSpec> coarse = coarseTypeNamed(name, types))
    return findOrAddBlockType(types, *std::move(coarse));
  if (const std::optional<NodeVariant> variant = splitVariant(name)) {
    NodeTypes::OfName& node = nodes.named(std::string(variant->node));
    if (node.definition != nullptr) return nodes.typeOf(node, variant->state, variant->connections);
  }
  return nodes.typeOf(nodes.named(std::string(name)), 0);
}

absl::Status otherTable(std::size_t number, const std::string& in_table,
                        const std::string& in_list) {
  return absl::FailedPreconditionError(
      absl::StrCat("block type ", number, " is ", in_table, " in the table and ", in_list,
                   " in the list of names; begin the list with the names of the table, which are "
                   "\"air\" in a new one"));
}

}  // namespace

absl::Status addListedTypes(std::span<const std::string> names, NodeTypes& nodes,
                            BlockTypeTable& types) {
  const std::size_t before = types.size();
  for (std::size_t i = 0; i < before; ++i) {
    const std::string& name = types.name(static_cast<BlockTypeId>(i));
    if (i >= names.size()) return otherTable(i, quotedText(name), "not");
    if (names[i] != name) return otherTable(i, quotedText(name), quotedText(names[i]));
  }
  for (std::size_t i = before; i < names.size(); ++i) {
    const absl::StatusOr<BlockTypeId> type = addNamed(names[i], nodes, types);
    if (!type.ok()) {
      return {type.status().code(),
              absl::StrCat("name ", i, " of block types: ", type.status().message())};
    }
    if (BlockTypeTable::index(*type) == i && types.name(*type) == names[i]) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "name ", i, " of block types, ", quotedText(names[i]), ", is that of block type ",
        BlockTypeTable::index(*type), ", ", quotedText(types.name(*type)),
        ", by these kinds and definitions of nodes; leave it out, or use those with "
        "which the list was made"));
  }
  return absl::OkStatus();
}

absl::Status checkListedTypes(std::size_t names, const BlockTypeTable& types) {
  if (types.size() <= names) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the block type ", quotedText(types.name(static_cast<BlockTypeId>(names))),
                   " is not in the list of ", names,
                   " names; add it at the end of the list, for every process that uses the list"));
}

}  // namespace fractalray
