// SPDX-License-Identifier: Apache-2.0
// A way down through the generated world, over what is worth seeing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../levels/chunk_path.h"
#include "fractal_chunk.h"

namespace fractalray {

// A chunk on the way, and the block in which the next one is.
struct FractalStop {
  FractalChunk::Kind kind;
  int soil;                   // as FractalChunk::soil()
  FractalChunk::Step target;  // a solid block, none in its chunk is higher
  // The direction, of length 1 and seen from above, from which a viewer comes to the target. It
  // turns by 16 degrees from stop to stop.
  double towards_x;
  double towards_z;
};

// Returns a way of `stops` stops, the root first: from planet to planet's top, to the top of a
// tower, into its brick, in which there are planets. A viewer who comes from above and from the
// side of the stop sees every target. Deterministic, and the same on every machine.
std::vector<FractalStop> fractalWay(std::uint64_t seed, const FractalTypes& types,
                                    std::size_t stops);

// Returns the path of the chunk that is a stop, by the targets of those before it.
ChunkPath pathOfTargets(std::span<const FractalStop> before);

}  // namespace fractalray
