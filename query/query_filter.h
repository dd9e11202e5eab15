// SPDX-License-Identifier: Apache-2.0
// The blocks and entities that a query considers; all others are treated as if they were not there.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "hit.h"
#include "ignore_list.h"

namespace fractalray {

// The filter of all queries: shots, closest hits, lines of sight, searches for entities (which use
// the members for entities only) and searches for blocks (those for blocks only). The defaults let
// everything through. A query costs least if the cheap members reject most: functions are
// called last.
struct QueryFilter {
  // Blocks. `channel` is the collision channel in which block types are looked up; `solid_only`
  // leaves out permeable blocks.
  bool blocks = true;
  ChannelId channel = kDefaultChannel;
  bool solid_only = false;
  // Entities: those that share a category bit with `categories`, and are not in `ignore`: one or
  // two ids in braces, or an array of ids that outlives the query. Ids that no entity has do no
  // harm.
  bool entities = true;
  std::uint64_t categories = std::numeric_limits<std::uint64_t>::max();
  IgnoreList ignore{};
  // Drops every hit whose start is inside: solid blocks too, on every level, and entities.
  bool skip_start_inside = false;
  // Pure functions that return false for hits to be left out, solid blocks too. Filters may be
  // called early, more than once, and in batches by several threads at once. Empty ones accept
  // everything. In a search the hit's geometry is not set.
  std::function<bool(const BlockHit&)> block_filter{};
  std::function<bool(const EntityHit&)> entity_filter{};

  // Returns true if it lets entities of these categories through, as far as categories decide.
  constexpr bool acceptsCategories(std::uint64_t of_entity) const {
    return (of_entity & categories) != 0;
  }
};

}  // namespace fractalray
