// SPDX-License-Identifier: Apache-2.0
// Fingerprints of content: 64-bit hashes by which two processes find out whether they have the
// same. They are the same on every machine and by every compiler. Two that are equal by chance are
// one pair in 2^64; they are not safe against deliberate collisions. docs/fingerprints.md.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"

#include "block_type.h"
#include "world.h"

namespace fractalray {

// Returns a fingerprint of all that a table has for queries, by number: the names of channels, and
// of each type its name, and its kind and boxes in every channel. Tables with equal fingerprints
// give every id and every channel the same meaning. Cost: O(types * channels). Safe from any
// thread, as the others are, while nobody changes the table or the world.
std::uint64_t blockTypesFingerprint(const BlockTypeTable& types);

// Returns a fingerprint of a chunk: of its level, its index and state and, if it is loaded, of the
// number of each block's type. 0 for an absent one, and for one on an inactive level or outside of
// the frame. Depends neither on how its blocks are stored nor on how they got there; an id without
// a type is air. Cost: one hash look-up, and 4096 blocks of a chunk that is not uniform, 5 us.
std::uint64_t chunkFingerprint(const World& world, int level, const ChunkCoord& at);

// Returns a fingerprint of a box of chunks: the sum of theirs, modulo 2^64. So those of parts add
// up to that of the whole, and where two worlds differ is found by halves. INVALID_ARGUMENT for an
// inactive level, and for a box whose min exceeds its max. Cost: that of the chunks that are there,
// whatever the size of the box, and a visit of each area of 16 x 16 x 16 chunks.
absl::StatusOr<std::uint64_t> chunksFingerprint(const World& world, int level, const ChunkBox& box);

}  // namespace fractalray
