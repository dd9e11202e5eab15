// SPDX-License-Identifier: Apache-2.0
// The blocks that a direct search finds on its line. For one instruction set, as
// direct_search_lanes.h, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/internal/geometry/line.h"
#include "../../../core/segment.h"
#include "../../../levels/block_shape.h"
#include "../../../levels/internal/shape_crossing.h"
#include "direct_boxes.h"
#include "direct_line.h"
#include "direct_search.h"
#include "level_blocks.h"
#include "query_context.h"

namespace fractalray::internal {
namespace {

// The line, and its first block so far, or those passed; for the search that derives from it.
// Lanes: PathLanes, or one with the same members.
template <class Lanes>
class DirectHits {
 protected:
  FRACTALRAY_TARGET DirectHits(const DirectQuery& query,
                               const typename DirectLine<Lanes>::Lengths& lengths,
                               DirectBlock& found, PassedBlocks* passed)
      : line_(query.line, lengths),
        query_(query),
        found_(found),
        passed_(passed),
        blocks_(query.world, query.options.filter.channel, query.solid_only) {
    if (query.line.end_time != kWholeLine) limitTo({query.line.end_time, kWholeLine});
  }

  // From now on finds no blocks that are entered at a time or later.
  FRACTALRAY_TARGET void limitBefore(const Fraction& time) {
    limitTo(time);
    is_limit_taken_ = true;
  }

  // Sets `found` to a block (mirrored) with that F, which the line enters through the lower plane
  // of an axis, or adds the block to those passed.
  FRACTALRAY_TARGET DirectOutcome keep(const CrossProducts& f, const Vec3i& mirrored, int axis,
                                       BlockTypeId type, BlockKind kind) {
    const Fraction enter = line_.timeAt(axis, mirrored[axis]);
    if (blocks_.hasShape(type)) [[unlikely]]
      return keepShaped(f, mirrored, enter, type, kind);
    if (isPastLimit(enter)) return DirectOutcome::kNone;
    const bool is_solid = kind == BlockKind::kSolid;
    if (!is_solid && passed_ != nullptr) {
      setBlock(passed_->add(), mirrored, axis, type, enter);
      return passed_->isFull() ? DirectOutcome::kUnclear : DirectOutcome::kNone;
    }
    setBlock(found_, mirrored, axis, type, enter);
    found_.is_solid = is_solid;
    found_.step = 1;
    found_.plane = 0;
    found_.leave = line_.leaveTime(f, mirrored);
    return DirectOutcome::kFound;
  }

  DirectLine<Lanes> line_;  // the first member, since it is aligned to the width of the lanes
  const DirectQuery& query_;
  DirectBlock& found_;
  PassedBlocks* passed_;  // null if the search ends at the first block
  LevelBlocks blocks_;    // of the level that is searched
  // If is_limited_, blocks entered later are not found; and none at exactly this time if
  // is_limit_taken_.
  Fraction limit_;
  bool is_limited_ = false;
  bool is_limit_taken_ = false;

  std::uint64_t cells_ = 0;

 private:
  FRACTALRAY_TARGET void limitTo(const Fraction& time) {
    is_limited_ = true;
    limit_ = time;
  }
  FRACTALRAY_TARGET bool isPastLimit(const Fraction& time) const {
    if (!is_limited_) return false;
    return is_limit_taken_ ? !(time < limit_) : limit_ < time;
  }

  // Does the same as keep() with a block that does not fill its cube, which the line enters at
  // `cell_enter`: continues past it if the line misses its shape.
  FRACTALRAY_TARGET [[gnu::noinline]] DirectOutcome keepShaped(const CrossProducts& f,
                                                               const Vec3i& mirrored,
                                                               const Fraction& cell_enter,
                                                               BlockTypeId type, BlockKind kind) {
    const std::span<const ShapeBox> boxes = blocks_.boxesOf(type);
    cells_ += QueryContext::shapeSteps(boxes.size());
    DirectBoxes<Lanes> on_line(line_, f, mirrored);
    const DirectOutcome outcome =
        line_.isRounded() ? DirectOutcome::kUnclear : on_line.cross(boxes);
    if (outcome == DirectOutcome::kNone) return outcome;
    if (outcome == DirectOutcome::kUnclear) return keepTied(f, mirrored, cell_enter, type, kind);
    const ShapeCrossing crossing = on_line.crossing();
    return keepCrossed(crossing, crossing.enter == cell_enter, mirrored, type, kind);
  }
  // Does the same if a corner policy decides on the crossing.
  FRACTALRAY_TARGET [[gnu::noinline]] DirectOutcome keepTied(const CrossProducts& f,
                                                             const Vec3i& mirrored,
                                                             const Fraction& cell_enter,
                                                             BlockTypeId type, BlockKind kind) {
    const Vec3i cell = line_.mirrored(mirrored);
    const std::optional<ShapeCrossing> crossing =
        crossShape(Line(query_.line), query_.options.corner,
                   {.boxes = blocks_.boxesOf(type), .block = cell, .shift = line_.shift()});
    if (!crossing.has_value() || isPastLimit(crossing->enter)) return DirectOutcome::kNone;
    // A shape that is hit as its cell is left may be hit together with what is entered then.
    if (crossing->enter == line_.leaveTime(f, mirrored)) return DirectOutcome::kUnclear;
    return keepCrossed(*crossing, crossing->enter == cell_enter, mirrored, type, kind);
  }
  // Keeps a block with a shape; `is_with_cell` is true if the line enters both at the same time.
  FRACTALRAY_TARGET DirectOutcome keepCrossed(const ShapeCrossing& crossing, bool is_with_cell,
                                              const Vec3i& mirrored, BlockTypeId type,
                                              BlockKind kind) {
    if (isPastLimit(crossing.enter)) return DirectOutcome::kNone;
    const Vec3i cell = line_.mirrored(mirrored);
    const bool is_solid = kind == BlockKind::kSolid;
    if (!is_solid && passed_ != nullptr) {
      setShaped(passed_->add(), cell, type, crossing);
      return passed_->isFull() ? DirectOutcome::kUnclear : DirectOutcome::kNone;
    }
    setShaped(found_, cell, type, crossing);
    found_.is_solid = is_solid;
    found_.step = is_with_cell ? 1 : 0;
    found_.plane = crossing.plane;
    found_.leave = crossing.leave;
    return DirectOutcome::kFound;
  }
  FRACTALRAY_TARGET void setShaped(EnteredBlock& block, const Vec3i& cell, BlockTypeId type,
                                   const ShapeCrossing& crossing) const {
    block.level = blocks_.number();
    block.type = type;
    block.face = crossing.face;
    block.block = {cell[0], cell[1], cell[2]};
    block.enter = crossing.enter;
  }
  FRACTALRAY_TARGET void setBlock(EnteredBlock& block, const Vec3i& mirrored, int axis,
                                  BlockTypeId type, const Fraction& enter) const {
    block.level = blocks_.number();
    block.type = type;
    line_.setEntry(block, mirrored, axis, enter);
  }
};

}  // namespace
}  // namespace fractalray::internal
