// SPDX-License-Identifier: Apache-2.0
// What a block type is, as JSON files say it: one kind, or kinds by channel.
#pragma once

#include <string>

#include "../../levels/block_type.h"
#include "../json.h"

namespace fractalray {

// Reads "solid", or {"default": "solid", "visible": "empty"}: the kind in every channel that is not
// listed, and those in the listed ones. Channels that are new are added to `types`; the type itself
// is not. What is wrong goes to the reader's status.
BlockTypeSpec readBlockKinds(const JsonReader& value, std::string name, BlockTypeTable& types);

}  // namespace fractalray
