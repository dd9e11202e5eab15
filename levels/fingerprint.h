// SPDX-License-Identifier: Apache-2.0
// Fingerprints of content: 64-bit hashes by which two processes find out whether they have the
// same. They are the same on every machine and by every compiler. Two that are equal by chance are
// one pair in 2^64; they are not safe against deliberate collisions.
#pragma once

#include <cstdint>

#include "block_type.h"

namespace fractalray {

// Returns a fingerprint of all that a table has for queries, by number: the names of channels, and
// of each type its name, and its kind and boxes in every channel. Tables with equal fingerprints
// give every id and every channel the same meaning. Cost: O(types * channels). Safe from any thread
// while the table does not change.
std::uint64_t blockTypesFingerprint(const BlockTypeTable& types);

}  // namespace fractalray
