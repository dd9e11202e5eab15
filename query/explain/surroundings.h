// SPDX-License-Identifier: Apache-2.0
// The blocks next to the line of a shot, for pictures.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "../../core/vec.h"
#include "../internal/search/query_context.h"

namespace fractalray {

// A block that is not empty in the shot's channel.
struct NearBlock {
  BlockCoord block{};
  BlockTypeId type = kAir;

  friend bool operator==(const NearBlock&, const NearBlock&) = default;
};

// Returns blocks of a level within `margin` blocks of any of the cells, on every axis, but not the
// cells themselves: those that are loaded, can be hit by the shot, and have a side that no other
// such block covers. The nearest come first, in rings of one block, each ring in the order of
// coordinates; at most `max_blocks`. Requires: margin >= 0. Cost: O(cells * (2 margin + 1)^3).
std::vector<NearBlock> blocksAround(const internal::QueryContext& context, int level,
                                    std::span<const Vec3i> cells, int margin,
                                    std::size_t max_blocks);

}  // namespace fractalray
