// SPDX-License-Identifier: Apache-2.0
// The table of node kinds: whether each named node of a world from outside is empty, permeable or
// solid to a shot.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../levels/block_type.h"
#include "input_limits.h"
#include "json.h"

namespace fractalray {

// Kinds by node name, with a default for names that are not listed. Immutable once made; safe from
// any thread.
class NodeKinds {
 public:
  // Reads {"default": "solid", "types": {"air": "empty", "default:glass": {"default": "solid",
  // "visible": "empty"}}}. A kind is "empty", "permeable" or "solid", or an object of kinds by
  // channel whose "default" holds for the channels that it does not list. "default" is required,
  // "types" not. Errors: INVALID_ARGUMENT, in one line that begins with `name` and the position
  // (line and column, or the path of the member), for everything else; RESOURCE_EXHAUSTED beyond
  // `limits`, and if memory runs out.
  static absl::StatusOr<NodeKinds> parse(std::string_view text, std::string_view name,
                                         const InputLimits& limits = {});
  // Reads a file, named by its path; NOT_FOUND and the like if it cannot be read.
  static absl::StatusOr<NodeKinds> read(const std::string& path, const InputLimits& limits = {});
  // Returns the table that is built into the library, for Luanti's minetest_game
  // (luanti_nodes.json). The first call parses it, and throws std::bad_alloc if memory runs out.
  static const NodeKinds& builtin();

  // Adds the channels of the table, so that a query may name them whatever is in the world.
  absl::Status addChannels(BlockTypeTable& types) const;
  // Returns the type of a node, adding it if it is new. If the table has a type of that name with
  // other kinds, that one stays, and the new type's name gets as many ' appended as it needs.
  // Errors: INVALID_ARGUMENT for an empty name, RESOURCE_EXHAUSTED if `types` is full.
  absl::StatusOr<BlockTypeId> addType(std::string_view node, BlockTypeTable& types) const;
  // Returns the type that addType() would add: with `usual` as its kind if the table does not list
  // the node. Errors as above.
  absl::StatusOr<BlockTypeSpec> specOf(std::string_view node, BlockKind usual,
                                       BlockTypeTable& types) const;

  // Returns true if the table lists this node; otherwise the table's default holds for it.
  bool lists(std::string_view node) const { return kinds_.contains(std::string(node)); }
  std::size_t size() const { return kinds_.size(); }

 private:
  struct Kinds {
    BlockKind kind = BlockKind::kSolid;
    std::vector<std::pair<std::string, BlockKind>> by_channel;
  };

  NodeKinds() = default;

  static absl::StatusOr<NodeKinds> fromJson(const Json& document, std::string_view name);
  static Kinds named(const BlockTypeSpec& spec, const BlockTypeTable& types);
  // Adds the kinds by channel to a type.
  static absl::Status addKinds(const Kinds& kinds, BlockTypeTable& types, BlockTypeSpec& spec);

  std::vector<std::string> channels_;
  Kinds default_;
  std::unordered_map<std::string, Kinds> kinds_;
};

}  // namespace fractalray
