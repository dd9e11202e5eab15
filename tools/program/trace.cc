// SPDX-License-Identifier: Apache-2.0
#include "trace.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

#include "../../core/units.h"
#include "../../formats/json.h"

namespace fractalray {
namespace {

constexpr std::array<std::string_view, kCellLooks> kLookTexts = {"not visited: after the end",
                                                                 "not loaded",
                                                                 "a placeholder",
                                                                 "crossed, empty",
                                                                 "defers to the finer level",
                                                                 "skipped by the options",
                                                                 "hit: permeable",
                                                                 "hit: solid",
                                                                 "crossed and listed",
                                                                 "touched at one point, listed",
                                                                 "superfluous: listed, not touched",
                                                                 "missing: crossed, not listed"};

std::string numberJson(double number) {
  std::string out;
  appendJsonNumber(out, number);
  return out;
}

std::string textJson(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return absl::StrReplaceAll(out, {{"<", "\\u003c"}});
}

// Formats "x,y,z", in blocks.
std::string coordinates(const Vec3i& units) {
  const Vec3d blocks = toBlocks(units);
  return absl::StrCat(numberJson(blocks[0]), ",", numberJson(blocks[1]), ",",
                      numberJson(blocks[2]));
}

// Formats a list of the results of `each` for the elements.
template <class List, class Each>
std::string listJson(const List& list, const Each& each) {
  std::string out = "[";
  for (const auto& element : list)
    absl::StrAppend(&out, out.size() == 1 ? "" : ",", each(element));
  return out + "]";
}

std::string markJson(const TraceMark& mark) {
  static constexpr std::array<const char*, 3> kKinds = {"corner", "hit", "unknown"};
  return absl::StrCat(R"({"kind":")", kKinds[static_cast<std::size_t>(mark.kind)], R"(","t":)",
                      numberJson(mark.t), ",\"text\":", textJson(mark.text), "}");
}

std::string shapeJson(const TraceShape& shape, const Vec3i& from) {
  return absl::StrCat("{\"sphere\":", shape.is_sphere ? "true" : "false", ",\"center\":[",
                      coordinates(shape.center - from), "],\"half\":[",
                      coordinates(shape.half_extents), "],\"text\":", textJson(shape.text),
                      ",\"hit\":", shape.is_hit ? "true" : "false", "}");
}

std::string gridJson(const TraceGrid& grid, const Vec3i& from) {
  const auto corner = [&](const Vec3i& cell) { return coordinates(cell * grid.widths[0] - from); };
  return absl::StrCat(
      "{\"title\":", textJson(grid.title), ",\"caption\":", textJson(grid.caption),
      ",\"width\":", numberJson(toBlocks(grid.widths[0])), ",\"cells\":",
      listJson(grid.cells,
               [&](const TraceCell& cell) {
                 return absl::StrCat("[", corner(cell.cell), ",", cell.number, ",",
                                     static_cast<int>(cell.look), "]");
               }),
      ",\"marks\":", listJson(grid.marks, markJson), ",\"shapes\":",
      listJson(grid.shapes, [&](const TraceShape& shape) { return shapeJson(shape, from); }),
      ",\"around\":",
      listJson(grid.around,
               [&](const TraceBlock& block) {
                 return absl::StrCat("[", corner(block.block), ",", block.color, "]");
               }),
      ",\"colors\":",
      listJson(grid.colors,
               [](const Rgb& color) {
                 return absl::StrFormat("\"#%02x%02x%02x\"", color.red, color.green, color.blue);
               }),
      "}");
}

}  // namespace

std::string_view textOf(CellLook look) {
  return kLookTexts[static_cast<std::size_t>(look)];
}

std::size_t TraceGrid::colorIndex(const Rgb& color) {
  const auto found = std::find(colors.begin(), colors.end(), color);
  const auto index = static_cast<std::size_t>(found - colors.begin());
  if (found == colors.end()) colors.push_back(color);
  return index;
}

CellBox boxOf(std::span<const TraceGrid> grids) {
  CellBox box{grids.front().cells.front().cell, grids.front().cells.front().cell};
  for (int axis = 0; axis < 3; ++axis) {
    for (const TraceGrid& grid : grids) {
      for (const TraceCell& cell : grid.cells) {
        box.min[axis] = std::min(box.min[axis], cell.cell[axis]);
        box.max[axis] = std::max(box.max[axis], cell.cell[axis]);
      }
    }
    --box.min[axis];
    ++box.max[axis];
  }
  return box;
}

absl::Status checkDrawnCells(std::int64_t cells) {
  if (cells <= kMaxDrawnCells) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("the picture would be ", cells, " cells across; at most ", kMaxDrawnCells,
                   " are drawn; make the segment shorter or its cells wider"));
}

std::string traceJson(const Trace& trace) {
  const Vec3i& from = trace.segment.from;
  return absl::StrCat(
      "{\"to\":[", coordinates(trace.segment.to - from), "],\"end\":", numberJson(trace.end),
      ",\"looks\":", listJson(kLookTexts, textJson), ",\"grids\":",
      listJson(trace.grids, [&](const TraceGrid& grid) { return gridJson(grid, from); }), "}");
}

}  // namespace fractalray
