// SPDX-License-Identifier: Apache-2.0
// The block types of coarser levels, and their names: "coarse:mixed,visible=empty".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "../../levels/block_type.h"

namespace fractalray {

// Returns the type of coarse blocks that have these kinds, one for each channel of the table: named
// by the kind in the default channel, and by the channels that differ. Permeable is "mixed".
BlockTypeSpec coarseType(const std::vector<BlockKind>& kinds, const BlockTypeTable& types);

// Returns the type of coarse blocks that has this name; nothing if it is no such name.
std::optional<BlockTypeSpec> coarseTypeNamed(std::string_view name, const BlockTypeTable& types);

}  // namespace fractalray
