// SPDX-License-Identifier: Apache-2.0
#include "line_trace.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

Vec3i inSpace(const lines::Cell<2>& cell) {
  return {cell[0], cell[1], 0};
}

TraceGrid gridOf(const lines::LineInput<2>& line, const ComparedLine<2>& compared) {
  const lines::LineDifference<2>& difference = compared.difference;
  TraceGrid grid{.title = compared.name,
                 .caption = absl::StrCat(difference.missing.size(), " missing, ",
                                         difference.superfluous.size(), " superfluous, ",
                                         difference.touched.size(), " touched"),
                 .widths = {line.widths[0], line.widths[1], 1}};
  const auto add = [&](const lines::Cells<2>& cells, CellLook look) {
    for (const lines::Cell<2>& cell : cells)
      grid.cells.push_back({.cell = inSpace(cell), .look = look});
  };
  add(compared.cells, CellLook::kListed);
  add(difference.touched, CellLook::kTouched);
  add(difference.superfluous, CellLook::kSuperfluous);
  add(difference.missing, CellLook::kMissing);
  return grid;
}

}  // namespace

absl::StatusOr<Trace> lineTrace(const lines::LineInput<2>& line,
                                const std::vector<ComparedLine<2>>& compared) {
  Trace trace{.title = "The cells that line algorithms list for one segment",
              .dimensions = 2,
              .segment = {inSpace(line.from), inSpace(line.to)}};
  for (const ComparedLine<2>& each : compared)
    trace.grids.push_back(gridOf(line, each));
  // About as many panels across as down, and at least two.
  trace.columns =
      std::max(2, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(compared.size())))));
  const CellBox box = boxOf(trace.grids);
  for (int axis = 0; axis < 2; ++axis) {
    if (box.count(axis) > kMaxDrawnCells) {
      return absl::OutOfRangeError(
          absl::StrCat("the picture would be ", box.count(axis), " cells across; at most ",
                       kMaxDrawnCells, " are drawn; make the line shorter or its cells wider"));
    }
  }
  return trace;
}

}  // namespace fractalray
