// SPDX-License-Identifier: Apache-2.0
// The right answers: block by block along the exact walk, on the bits of the grid. Uses no worlds,
// chunks or passes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "grid.h"
#include "system.h"

namespace fractalray::bench {

// The exactness required of an answer, compared with the contract with corner policy `both`.
enum class Ties : bool {
  kExact,
  // Blocks that the segment only touches (next to an exact corner, at its very end, or left at
  // once) may be missed or hit, and first hits at the same time be any of the blocks hit there.
  kFree,
};

struct Expected {
  std::vector<Answer> answers;
  double hit_share = 0;  // hits per segment
  double hits = 0;       // of a segment that hits anything
  double cells = 0;      // walked in the grid up to the end of a shot
};

// Computes the right answers for a work on the grid's blocks.
Expected expectedAnswers(const Grid& grid, const Rays& rays, Work work);

// Returns the number of wrong answers. Requires: as many answers as rays.
std::size_t countWrong(const Grid& grid, const Rays& rays, Work work, const Expected& expected,
                       std::span<const Answer> answers, Ties ties);

}  // namespace fractalray::bench
