// SPDX-License-Identifier: Apache-2.0
// Hashes the look of block types: what queries see of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../core/internal/stable_hash.h"
#include "../block_type.h"

namespace fractalray::internal {

// Returns a number for the look of a type in a channel: its kind, or for one that does not fill its
// cube a hash of its kind and of the boxes of its shape. Requires: the channel is in the table.
inline std::uint64_t lookHash(const BlockTypeTable& types, BlockTypeId type, ChannelId channel) {
  const auto kind = static_cast<std::uint64_t>(types.kind(type, channel));
  const ShapeId shape = types.shape(type, channel);
  if (shape == kWholeCube) return kind;
  StableHash hash;
  hash.add(kind);
  for (const ShapeBox& box : types.boxes(shape)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      hash.add(std::uint64_t{box.min[axis]});
      hash.add(std::uint64_t{box.max[axis]});
    }
  }
  return hash.value();
}

}  // namespace fractalray::internal
