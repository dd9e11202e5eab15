// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a world in a query log: it shows at once that the log is about another world.
#pragma once

#include <cstdint>

#include "../../levels/world.h"

namespace fractalray {

// Returns a 64-bit hash of all that queries can hit: the number of levels, and every block of the
// loaded chunks, its type given by name and by its kind and shape in each channel. The same
// whatever the order of edits, the numbers of types (unlike chunksFingerprint) and the form in
// which chunks are stored; proto chunks, which change no answer, do not count. Not safe against
// deliberate collisions. Cost: reads every block of every loaded chunk, about 5 us for a chunk that
// is not uniform. Safe from any thread while no thread changes the world.
std::uint64_t worldFingerprint(const World& world);

}  // namespace fractalray
