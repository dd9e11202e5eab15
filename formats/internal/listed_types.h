// SPDX-License-Identifier: Apache-2.0
// The block types of a saved world by a list of their names, which gives them the same numbers in
// every process, whatever part of the world it reads.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "absl/status/status.h"

#include "../../levels/block_type.h"
#include "node_types.h"

namespace fractalray {

// Adds the types of the names to a table, in order, so that the number of a type is its index in
// the list. `nodes` makes the types of nodes in that table. A name is that of a node, as
// "default:stone", or of a type that depends on how a node stands, as "stairs:slab [20]"; of coarse
// blocks, as "coarse:mixed,visible=empty", never that of a node; or one of these with ' appended
// for a type that has got another look than one of that name.
//
// Errors, which name the type: FAILED_PRECONDITION if the table has other types already, or more;
// INVALID_ARGUMENT for a name that is in the list twice, that no block type can have, or that the
// kinds and definitions of the nodes give to none; RESOURCE_EXHAUSTED if the table is full.
absl::Status addListedTypes(std::span<const std::string> names, NodeTypes& nodes,
                            BlockTypeTable& types);

// Returns FAILED_PRECONDITION, with the name and the remedy, if the table has got a type that was
// not in a list of that many names.
absl::Status checkListedTypes(std::size_t names, const BlockTypeTable& types);

}  // namespace fractalray
