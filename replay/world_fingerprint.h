// SPDX-License-Identifier: Apache-2.0
// Fingerprints of what a world and an entity index hold: to tell at once that a query log is about
// another world.
#pragma once

#include <cstdint>

#include "../entities/entity_index.h"
#include "../levels/world.h"

namespace fractalray {

// A 64-bit hash of all that queries can meet: the number of levels, every block of the loaded
// chunks, its type told by name and by what it is in each channel. The same whatever the order of
// edits, the numbers of types and the way in which chunks are kept; proto chunks, which change no
// answer, do not count. Not safe against who means to deceive.
// Cost: reads every block of every loaded chunk, about 5 us for a chunk that is not uniform. Safe
// from any thread while nobody changes the world.
std::uint64_t worldFingerprint(const World& world);

// The same of the living entities: ids, levels, classes, categories, shapes and positions. The same
// whatever the order in which they came. Cost: O(entities).
std::uint64_t entitiesFingerprint(const EntityIndex& entities);

}  // namespace fractalray
