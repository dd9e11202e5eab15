// SPDX-License-Identifier: Apache-2.0
// A trace: the cells on a segment with their looks, marks, shapes and texts. Pictures show traces:
// trace_svg.h, shot_page.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../formats/image.h"

namespace fractalray {

// The look of a cell. If a view shows several cells at one position, the last look in this order
// wins.
enum class CellLook : std::uint8_t {
  kAfterEnd,  // not visited: after the end
  kNotLoaded,
  kPlaceholder,
  kPlain,  // empty, or just a cell of a walk
  kDefers,
  kSkipped,
  kPermeable,
  kSolid,
  // They say what a line algorithm does with the cell.
  kListed,
  kTouched,
  kSuperfluous,
  kMissing,
};
inline constexpr std::size_t kCellLooks = 12;

// Returns the meaning of a look, for legends.
std::string_view textOf(CellLook look);

struct TraceCell {
  Vec3i cell{};
  std::uint64_t number = 0;  // 0 for none
  CellLook look = CellLook::kPlain;
};

// A mark at a time of the segment.
struct TraceMark {
  enum class Kind : std::uint8_t { kCorner, kHit, kUnknown };

  Kind kind = Kind::kCorner;
  double t = 0;
  std::string text{};  // of a hit: its number
};

// A sphere or a box.
struct TraceShape {
  bool is_sphere = false;
  Vec3i center{};
  Vec3i half_extents{};
  std::string text{};
  bool is_hit = false;
};

// A block next to the cells.
struct TraceBlock {
  Vec3i block{};
  std::size_t color = 0;  // its index in TraceGrid::colors
};

struct TraceGrid {
  std::string title;
  std::string caption{};
  Vec3i widths{1, 1, 1};  // of a cell, in units
  std::vector<TraceCell> cells{};
  std::vector<TraceMark> marks{};
  std::vector<TraceShape> shapes{};
  std::vector<TraceBlock> around{};  // only shown in 3 dimensions
  std::vector<Rgb> colors{};
  // Every `heavy` cells the grid has a heavier line; 0 for none.
  std::int64_t heavy = 0;

  // Returns the index of a colour, added if it is new.
  std::size_t colorIndex(const Rgb& color);
};

// One segment over several grids.
struct Trace {
  std::string title;
  int dimensions = 3;
  FixedSegment segment{};
  double end = 1;   // the time from which the segment is dashed
  int columns = 1;  // of a picture; in several, all grids show the same box
  std::vector<TraceGrid> grids{};
  std::vector<std::string> lines{};  // of text
};

// A box of cells, both corners included.
struct CellBox {
  Vec3i min;
  Vec3i max;

  std::int64_t count(int axis) const { return max[axis] - min[axis] + 1; }
};

// Returns the box of the grids' cells with a margin of one. Requires: the first one has cells.
CellBox boxOf(std::span<const TraceGrid> grids);

// The most cells that a picture shows on each axis.
inline constexpr std::int64_t kMaxDrawnCells = 64;

// Returns OUT_OF_RANGE if an axis has more cells than that.
absl::Status checkDrawnCells(std::int64_t cells);

// Returns the trace as JSON for a script element: with no "<", and the same on every machine.
// Positions are finest-block widths from the segment's start, so that they are small numbers
// anywhere in the world. Cells are [x, y, z, number, look], blocks [x, y, z, color], each with the
// position of its lowest corner. Requires: all cells are cubes.
std::string traceJson(const Trace& trace);

}  // namespace fractalray
