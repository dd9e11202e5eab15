// SPDX-License-Identifier: Apache-2.0
// Searches for blocks: those in a sphere and those in a box, on all levels of a mask. They are
// exact: they use the same closed blocks as segment queries, and blocks defer as in shots.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../core/level_mask.h"
#include "../core/vec.h"
#include "../levels/block_type.h"
#include "../levels/world.h"
#include "query_filter.h"

namespace fractalray {

struct FoundBlock {
  int level = 0;
  BlockTypeId type = kAir;
  BlockKind kind = BlockKind::kEmpty;  // in the filter's channel; never kEmpty
  BlockCoord block{};                  // its index on its level
  // The distance of the closed block, or of the nearest closed box of its shape, from the sphere's
  // centre, or from the box (so 0), in finest-block widths. 0 exactly if the block contains the
  // centre; else within a relative 2^-50.
  double distance = 0;

  friend bool operator==(const FoundBlock&, const FoundBlock&) = default;
};

// The work that a search for blocks has done.
struct BlockSearchStats {
  std::uint64_t cubes = 0;   // cubes examined that are 4^k chunks wide, k > 0
  std::uint64_t chunks = 0;  // loaded chunks examined, none of them empty in every channel
  std::uint64_t bricks = 0;  // cubes of 4 x 4 x 4 blocks examined there, none of them empty
  // Blocks within reach whose type was examined: those that are not empty in every channel and do
  // not defer.
  std::uint64_t blocks = 0;

  friend bool operator==(const BlockSearchStats&, const BlockSearchStats&) = default;
};

// Searches find blocks in loaded chunks of `levels` (inactive bits are ignored) that pass the
// filter. Applied in this order: `blocks`, the kind in `channel`, `solid_only`, `block_filter`. The
// hit that block_filter gets has level, block, type and terminal, but no geometry. block_filter
// runs at most once per block, and may query the world, but not change it. The filter's other
// members are ignored. A block that defers (its chunk on the next finer level is loaded, and that
// level is among `levels`) is not found; the blocks of that chunk may be, as in a shot.
//
// Each search replaces the content of `found`, and of `stats` unless that is null; after an error
// nothing is found and all counters are 0. Positions and lengths are in finest-block widths and
// rounded to units. Errors: INVALID_ARGUMENT for a mask without an active level, a channel that is
// not in the table, a position that is not finite, and a length that is negative or NaN;
// OUT_OF_RANGE for a position beyond the frame. The radius may be infinite.
//
// Cost: the chunks within reach that hold blocks (found by regions, areas and more), the bricks and
// blocks there, and sorting the blocks found; independent of all other blocks, and of the size of
// empty space within reach. Allocates only if `found` holds more than ever before. Safe to call
// from many threads while nobody changes the world, and on a snapshot always.

// Finds the blocks whose closed cube intersects the closed ball; touching counts. Orders them by
// the exact distance of the cube from the centre (0 for all that contain it), then the finer level
// first, then by index (x, then y, then z). A ball of radius 0 is a point.
absl::Status blocksInSphere(const World& world, const Vec3d& center, double radius,
                            LevelMask levels, const QueryFilter& filter,
                            std::vector<FoundBlock>& found, BlockSearchStats* stats = nullptr);

// Finds the blocks whose closed cube intersects the closed box from `min` to `max`; touching
// counts. Orders them the finer level first, then by index (x, then y, then z). A box may be flat,
// or a point. INVALID_ARGUMENT also if min is above max on an axis.
absl::Status blocksInBox(const World& world, const Vec3d& min, const Vec3d& max, LevelMask levels,
                         const QueryFilter& filter, std::vector<FoundBlock>& found,
                         BlockSearchStats* stats = nullptr);

// Return the same in a vector of their own.
absl::StatusOr<std::vector<FoundBlock>> blocksInSphere(const World& world, const Vec3d& center,
                                                       double radius,
                                                       LevelMask levels = LevelMask::all(),
                                                       const QueryFilter& filter = {});
absl::StatusOr<std::vector<FoundBlock>> blocksInBox(const World& world, const Vec3d& min,
                                                    const Vec3d& max,
                                                    LevelMask levels = LevelMask::all(),
                                                    const QueryFilter& filter = {});

}  // namespace fractalray
