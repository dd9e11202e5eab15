// SPDX-License-Identifier: Apache-2.0
// Reads the kinds of a block type as JSON files give them: one kind, or kinds by channel.
#pragma once

#include <string>

#include "../../levels/block_type.h"
#include "../json.h"

namespace fractalray {

// Reads "solid", or {"default": "solid", "visible": "empty"}: the kind in every channel that is not
// listed, and those in the listed ones. Adds new channels to `types`, but not the type itself.
// Errors go to the reader's status.
BlockTypeSpec readBlockKinds(const JsonReader& value, std::string name, BlockTypeTable& types);

}  // namespace fractalray
