// SPDX-License-Identifier: Apache-2.0
#include "sight_trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/grid_walk.h"
#include "../../core/units.h"
#include "../../query/block_search.h"
#include "palette.h"
#include "text_table.h"

namespace fractalray {
namespace {

// The most cells of the line, hiding boxes, and blocks of these that the page shows.
constexpr std::uint64_t kMaxCells = 400;
constexpr std::size_t kMaxBoxes = 20;
constexpr std::size_t kMaxBlocks = 3000;

// Returns the middle of a box, rounded down to units.
Vec3i middleOf(const FixedBox& box) {
  Vec3i middle = box.min;
  for (int axis = 0; axis < 3; ++axis)
    middle[axis] += (box.max[axis] - box.min[axis]) / 2;
  return middle;
}

TraceShape shapeOf(const FixedBox& box, std::string text, bool is_hit) {
  const Vec3i middle = middleOf(box);
  return {.center = middle,
          .half_extents = middle - box.min,
          .text = std::move(text),
          .is_hit = is_hit};
}

class SightTracer {
 public:
  SightTracer(const World& world, const SightReport& report, TypeNamer name)
      : world_(world),
        report_(report),
        name_(name),
        level_(finestLevel(report.levels.activeIn(world.frame()))),
        width_(world.frame().blockWidth(level_)) {}

  absl::StatusOr<Trace> trace() const {
    Trace trace{.title = "A sight", .segment = segment()};
    TraceGrid grid{.title = absl::StrCat("Level ", level_),
                   .caption = absl::StrCat("blocks ", formatNumber(toBlocks(width_)), " wide"),
                   .widths = {width_, width_, width_}};
    addCells(trace.segment, grid);
    grid.shapes.push_back(shapeOf(report_.query.box, "the box", true));
    for (std::size_t i = 0; i < std::min(report_.hiding.size(), kMaxBoxes); ++i) {
      const FixedBox box = near(report_.hiding[i].box);
      grid.shapes.push_back(shapeOf(box, absl::StrCat(i + 1), false));
      const absl::Status status = addBlocks(box, grid);
      if (!status.ok()) return status;
    }
    trace.grids.push_back(std::move(grid));
    return trace;
  }

 private:
  static int finestLevel(LevelMask levels) {
    int finest = 0;
    for (int level = 0; level < kMaxLevels; ++level) {
      if (levels.contains(level)) finest = level;
    }
    return finest;
  }

  // Returns the part of a hiding box around the eye and the box, so that a large one leaves these
  // in view.
  FixedBox near(const FixedBox& box) const {
    FixedBox part = box;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t min = std::min(report_.query.box.min[axis], report_.query.eye[axis]);
      const std::int64_t max = std::max(report_.query.box.max[axis], report_.query.eye[axis]);
      const std::int64_t margin = (max - min) / 4 + width_;
      part.min[axis] = std::clamp(box.min[axis], min - margin, max + margin);
      part.max[axis] = std::clamp(box.max[axis], min - margin, max + margin);
    }
    return part;
  }

  FixedSegment segment() const {
    FixedSegment segment{.from = report_.query.eye, .to = middleOf(report_.query.box)};
    if (!report_.line.has_value()) return segment;
    const absl::StatusOr<Vec3i> entry = toUnits(report_.line->entry, "the entry");
    if (entry.ok()) segment.to = *entry;
    return segment;
  }

  void addCells(const FixedSegment& segment, TraceGrid& grid) const {
    GridWalk<3> walk(segment.from, segment.to, grid.widths, CornerPolicy::kBoth);
    if (walk.crossings() > kMaxCells) return;
    do {
      grid.cells.push_back({.cell = walk.cell().cell, .look = lookOf(walk.cell().cell)});
    } while (walk.next());
  }

  CellLook lookOf(const Vec3i& cell) const {
    const absl::StatusOr<BlockTypeId> type = world_.block(level_, {cell[0], cell[1], cell[2]});
    if (!type.ok()) return CellLook::kNotLoaded;
    const ChannelId channel = report_.options.filter.channel;
    switch (world_.blockTypes().kind(*type, channel)) {
      case BlockKind::kSolid:
        return CellLook::kSolid;
      case BlockKind::kPermeable:
        return CellLook::kPermeable;
      case BlockKind::kEmpty:
        break;
    }
    return CellLook::kPlain;
  }

  // Adds the blocks that a hiding box consists of.
  absl::Status addBlocks(const FixedBox& box, TraceGrid& grid) const {
    if (!report_.options.filter.blocks) return absl::OkStatus();
    QueryFilter filter;
    filter.channel = report_.options.filter.channel;
    filter.solid_only = true;
    std::size_t left = kMaxBlocks - std::min(kMaxBlocks, grid.around.size());
    // Refuses those that only touch the box, and all that are too many.
    filter.block_filter = [&](const BlockHit& hit) {
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t min = hit.block[axis] * width_;
        if (min + width_ <= box.min[axis] || min >= box.max[axis]) return false;
      }
      return left > 0 && left-- > 0;
    };
    std::vector<FoundBlock> found;
    absl::Status status = blocksInBox(world_, toBlocks(box.min), toBlocks(box.max),
                                      LevelMask::from(level_, 1), filter, found);
    for (const FoundBlock& each : found) {
      grid.around.push_back({{each.block[0], each.block[1], each.block[2]},
                             grid.colorIndex(colorOfName(name_(each.type)))});
    }
    return status;
  }

  const World& world_;
  const SightReport& report_;
  TypeNamer name_;
  int level_;
  std::int64_t width_;
};

}  // namespace

absl::StatusOr<Trace> sightTrace(const World& world, const SightReport& report, TypeNamer name) {
  return SightTracer(world, report, name).trace();
}

}  // namespace fractalray
