// SPDX-License-Identifier: Apache-2.0
// The cubes that a direct search descends to, and their coordinates. Private to each source, as
// direct_search_lanes.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../../../core/tree64.h"
#include "../../../core/vec.h"
#include "../../../levels/chunk.h"

namespace fractalray::internal {
namespace {

// F in the planes xy, xz and yz.
struct CrossProducts {
  std::int64_t xy;
  std::int64_t xz;
  std::int64_t yz;
};

// Three coordinates below 2^19 in one word, each with a free bit above it.
using PackedBlock = std::uint64_t;
inline constexpr PackedBlock kPackedGuards = 0x0800'0080'0008'0000U;
constexpr PackedBlock packed(const Vec3i& block) {
  return static_cast<std::uint64_t>(block[0]) | static_cast<std::uint64_t>(block[1]) << 20 |
         static_cast<std::uint64_t>(block[2]) << 40;
}
constexpr Vec3i unpacked(PackedBlock block) {
  return {static_cast<std::int64_t>(block & 0xfffffU),
          static_cast<std::int64_t>((block >> 20) & 0xfffffU),
          static_cast<std::int64_t>(block >> 40)};
}
constexpr std::array<PackedBlock, 64> packedSlots() {
  std::array<PackedBlock, 64> slots{};
  for (int slot = 0; slot < 64; ++slot)
    slots[static_cast<std::size_t>(slot)] = packed(offsetOf(slot));
  return slots;
}
inline constexpr std::array<PackedBlock, 64> kPackedSlots = packedSlots();

// Returns the offset of the part in a slot of a cube; parts are 2^log2 blocks wide.
constexpr PackedBlock packedSlot(int slot, int log2) {
  return kPackedSlots[static_cast<std::size_t>(slot)] << log2;
}

// A cube, or a block: F at its lower corner, and that corner in blocks from the search's origin.
struct SearchNode {
  CrossProducts f;
  PackedBlock at;
};

// A chunk with bricks that the line may touch, and the counters when it was listed, before its
// bricks are examined.
struct ListedChunk {
  SearchNode node;
  std::uint64_t bricks;  // mirrored
  const Chunk* chunk;
  std::uint64_t chunks_so_far;
  std::uint64_t skips_so_far;
};
// So many bricks are enough for one list: what follows a hit is listed in vain.
inline constexpr std::uint64_t kEnoughBricks = 5;
// Chunks with a brick each, and the end of the list.
using ChunkList = std::array<ListedChunk, kEnoughBricks + 1>;

}  // namespace
}  // namespace fractalray::internal
