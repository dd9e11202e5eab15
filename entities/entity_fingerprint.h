// SPDX-License-Identifier: Apache-2.0
// Fingerprints of entities: 64-bit hashes by which two processes find out whether they have the
// same (levels/fingerprint.h). docs/fingerprints.md.
#pragma once

#include <cstdint>

#include "../core/vec.h"
#include "entity_index.h"

namespace fractalray {

// Returns a fingerprint of the living entities: of their ids, levels, classes, categories, shapes
// and positions, in units. Depends neither on handles nor on the order in which they were added.
// Cost: O(entities), also of the next. Safe from any thread while the index does not change.
std::uint64_t entitiesFingerprint(const EntityIndex& entities);

// Returns that of the entities of a level whose centres lie in a box [min, max] (inclusive) of
// chunks of that level; 0 if there are none. Those of boxes that share no chunk add up to that of
// both, modulo 2^64.
std::uint64_t entitiesFingerprint(const EntityIndex& entities, int level, const ChunkCoord& min,
                                  const ChunkCoord& max);

}  // namespace fractalray
