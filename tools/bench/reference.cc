// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <optional>

#include "../../core/grid_walk.h"

namespace fractalray::bench {
namespace {

constexpr Vec3i kBlockWidths{kUnitsPerBlock, kUnitsPerBlock, kUnitsPerBlock};

GridWalk<3> walkOf(const FixedSegment& segment, CornerPolicy corner) {
  return {segment.from, segment.to, kBlockWidths, corner};
}

BlockCoord blockOf(const GridCell<3>& cell) {
  return {cell.cell[0], cell.cell[1], cell.cell[2]};
}

bool isSight(Work work) {
  return work == Work::kOccluded || work == Work::kOccludedBatch || work == Work::kSightGroups;
}

// Returns true if a block counts for the work, and if it ends the shot.
bool isHit(Work work, BlockKind kind) {
  if (isSight(work) || work == Work::kFirstSolid) return kind == BlockKind::kSolid;
  return kind != BlockKind::kEmpty;
}
bool isLast(Work work, BlockKind kind) {
  return work != Work::kAllHits || kind == BlockKind::kSolid;
}

void addHit(Answer& answer, Work work, const BlockCoord& block) {
  const int hits = answer.hits + 1;
  if (!isSight(work)) answer = hitAt(block[0], block[1], block[2]);
  answer.hits = hits;
}

Answer answerOf(const Grid& grid, const FixedSegment& segment, Work work, std::uint64_t& cells) {
  Answer answer;
  if (work == Work::kConvert) {
    const BlockCoord start = blockOf(walkOf(segment, CornerPolicy::kBoth).cell());
    return hitAt(start[0], start[1], start[2]);
  }
  walkOf(segment, CornerPolicy::kBoth).forEach([&](const GridCell<3>& cell) {
    const BlockCoord block = blockOf(cell);
    if (grid.contains(block)) ++cells;
    const BlockKind kind = grid.kind(block);
    if (!isHit(work, kind)) return Visit::kContinue;
    addHit(answer, work, block);
    return isLast(work, kind) ? Visit::kStop : Visit::kContinue;
  });
  return answer;
}

// The blocks that a segment crosses for a positive length: no corner policy may leave them out.
struct Mandatory {
  std::optional<Fraction> end;  // the time at which the shot ends for certain
  int hits = 0;                 // up to there
};

Mandatory mandatoryHits(const Grid& grid, const FixedSegment& segment, Work work) {
  Mandatory result;
  GridWalk<3> walk = walkOf(segment, CornerPolicy::kNeither);
  bool more = true;
  while (more) {
    const BlockKind kind = grid.kind(blockOf(walk.cell()));
    const Fraction enter = walk.cell().t;
    more = walk.next();
    const Fraction leave = more ? walk.cell().t : Fraction::one();
    if (!isHit(work, kind) || enter == leave) continue;
    ++result.hits;
    if (!isLast(work, kind)) continue;
    result.end = enter;
    break;
  }
  return result;
}

// Returns true if an answer is right for some corner policy.
bool isTied(const Grid& grid, const FixedSegment& segment, Work work, const Answer& answer) {
  const Mandatory mandatory = mandatoryHits(grid, segment, work);
  int most = 0;
  bool is_hit = false;
  bool may_end = !mandatory.end.has_value();
  walkOf(segment, CornerPolicy::kBoth).forEach([&](const GridCell<3>& cell) {
    if (mandatory.end.has_value() && cell.t > *mandatory.end) return Visit::kStop;
    const BlockCoord block = blockOf(cell);
    const BlockKind kind = grid.kind(block);
    if (!isHit(work, kind)) return Visit::kContinue;
    ++most;
    if (hitAt(block[0], block[1], block[2]) == Answer{answer.x, answer.y, answer.z, 1}) {
      is_hit = true;
      may_end |= isLast(work, kind);
    }
    return Visit::kContinue;
  });
  if (isSight(work)) return answer.hits != 0 ? most > 0 : mandatory.hits == 0;
  if (answer.hits == 0) return mandatory.hits == 0;
  if (!is_hit || !may_end) return false;
  return work != Work::kAllHits || (answer.hits >= mandatory.hits && answer.hits <= most);
}

}  // namespace

Expected expectedAnswers(const Grid& grid, const Rays& rays, Work work) {
  Expected expected;
  expected.answers.reserve(rays.size());
  std::uint64_t cells = 0;
  std::uint64_t hitting = 0;
  std::uint64_t hits = 0;
  for (const FixedSegment& segment : rays.units) {
    const Answer answer = answerOf(grid, segment, work, cells);
    if (answer.hits != 0) ++hitting;
    hits += static_cast<std::uint64_t>(answer.hits);
    expected.answers.push_back(answer);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(rays.size(), 1));
  expected.hit_share = static_cast<double>(hitting) / count;
  expected.hits =
      static_cast<double>(hits) / static_cast<double>(std::max(hitting, std::uint64_t{1}));
  expected.cells = static_cast<double>(cells) / count;
  return expected;
}

std::size_t countWrong(const Grid& grid, const Rays& rays, Work work, const Expected& expected,
                       std::span<const Answer> answers, Ties ties) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (answers[i] == expected.answers[i]) continue;
    if (ties == Ties::kFree && isTied(grid, rays.units[i], work, answers[i])) continue;
    ++wrong;
  }
  return wrong;
}

}  // namespace fractalray::bench
