// SPDX-License-Identifier: Apache-2.0
#include "line_chunks.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "../core/internal/access.h"
#include "../core/internal/geometry/line.h"
#include "../core/internal/geometry/line_walk.h"
#include "../levels/internal/world_content.h"
#include "internal/search/block_pass_plain.h"
#include "internal/search/coverage.h"
#include "internal/search/query_checks.h"

namespace fractalray {

LineChunks::Iterator::Iterator(const LineChunks& range)
    : world_(range.world_),
      segment_(range.segment_),
      options_(range.options_),
      levels_left_(range.levels_),
      is_at_end_(false) {
  settle();
}

LineChunks::Iterator& LineChunks::Iterator::operator++() {
  FRACTALRAY_DCHECK(!is_at_end_, position_);
  has_cell_ = walk_.next();
  ++position_;
  settle();
  return *this;
}

bool LineChunks::Iterator::beginLevel() {
  if (levels_left_.empty()) return false;
  level_ = static_cast<int>(std::bit_width(levels_left_.bits())) - 1;
  levels_left_ = levels_left_.without(LevelMask{level_});
  const Line line(segment_);
  walk_ = internal::walkAlong(line, world_->frame().chunkShift(level_), options_.corner);
  end_ = line.end();
  has_cell_ = true;
  if (!options_.loaded_only) return true;
  const std::optional<TimeSpan> inside = internal::clipToBounds(*world_, level_, line);
  has_cell_ = inside.has_value();
  if (!has_cell_) return true;
  end_ = inside->to;
  if (inside->from > walk_.cell().t) {
    walk_.skipBefore(inside->from);
    has_cell_ = walk_.next();
  }
  return true;
}

void LineChunks::Iterator::report(const ChunkCoord& chunk, ChunkState state) {
  const GridCell<3>& cell = walk_.cell();
  const Fraction exit = Line(segment_).leaveTime(cell.cell, world_->frame().chunkShift(level_));
  const double t_enter = cell.t.toDouble();
  // Equal fractions may be rounded apart.
  const double t_exit = exit > cell.t ? std::max(exit.toDouble(), t_enter) : t_enter;
  on_line_ = {
      .level = level_, .state = state, .chunk = chunk, .t_enter = t_enter, .t_exit = t_exit};
}

void LineChunks::Iterator::settle() {
  while (true) {
    if (has_cell_ && walk_.cell().t > end_) has_cell_ = false;
    if (!has_cell_) {
      if (beginLevel()) continue;
      is_at_end_ = true;
      return;
    }
    const GridCell<3>& cell = walk_.cell();
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    const internal::Level& chunks = internal::Access::content(*world_).level(level_);
    const ChunkState state = chunks.state(chunk);
    ++stats_.skips;
    if (state == ChunkState::kLoaded) ++stats_.chunks;
    if (state == ChunkState::kLoaded || !options_.loaded_only) return report(chunk, state);
    if (!walk_.atCorner()) {
      internal::skipCube(walk_, cell.cell, *chunks.emptyCubeLog2(chunk), 1);
    }
    has_cell_ = walk_.next();
  }
}

absl::StatusOr<LineChunks> LineChunks::create(const World& world, const FixedSegment& segment,
                                              LevelMask levels, const LineChunkOptions& options) {
  absl::Status status = errorToReport(
      {internal::checkSegment(segment), internal::checkLevels(levels, world.frame())});
  if (!status.ok()) return status;
  return LineChunks(world, segment, levels.activeIn(world.frame()), options);
}

}  // namespace fractalray
