// SPDX-License-Identifier: Apache-2.0
// Reads the kinds of a block type as JSON files give them: one kind, or kinds by channel.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"

#include "../../levels/block_type.h"
#include "../json.h"

namespace fractalray {

// The most kinds in a table that files fill. It has one for each type in each channel, a byte, so
// that a megabyte of types and then one of channels would take gigabytes.
inline constexpr std::size_t kMaxKinds = std::size_t{1} << 26;
// Returns RESOURCE_EXHAUSTED if a table of so many types and channels would have more.
absl::Status checkKinds(std::size_t types, std::size_t channels);

// Reads "solid", or {"default": "solid", "visible": "empty"}: the kind in every channel that is not
// listed, and those in the listed ones. Adds new channels to `types`, but not the type itself.
// Errors, checkKinds() too, go to the reader's status.
BlockTypeSpec readBlockKinds(const JsonReader& value, std::string name, BlockTypeTable& types);

}  // namespace fractalray
