// SPDX-License-Identifier: Apache-2.0
// `fractalray walk`: the cells that a segment crosses.
#include <algorithm>
#include <array>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "../../formats/answer_json.h"
#include "../../formats/query_json.h"
#include "../../query/explain/explanation.h"
#include "arguments.h"
#include "command.h"
#include "command_line.h"
#include "limit_option.h"
#include "line_option.h"
#include "output.h"
#include "output_check.h"
#include "trace_svg.h"

namespace fractalray {
namespace {

struct WalkArguments {
  LineArguments line;
  std::string corner = "both";
  bool json = false;
  std::string svg;
  InputLimits limits;
};

// Formats a row: its number, the time of entry, the face, and last the cell, whose width varies
// most.
template <int N>
std::string tableRow(std::uint64_t number, const GridCell<N>& cell) {
  std::string t;
  appendJsonNumber(t, cell.t.toDouble());
  const std::string face = cell.face.exists() ? std::string(faceName(cell.face)) : "-";
  std::array<char, 96> start;
  std::snprintf(start.data(), start.size(), "%8" PRIu64 "  %-22s  %-4s  ", number, t.c_str(),
                face.c_str());
  std::string row = start.data();
  for (int axis = 0; axis < N; ++axis) {
    absl::StrAppend(&row, axis == 0 ? "" : ",", cell.cell[axis]);
  }
  row += '\n';
  return row;
}

template <int N>
absl::Status printTable(GridWalk<N> walk) {
  absl::Status status = writeStdout("       #  t                       face  cell\n");
  std::uint64_t count = 0;
  walk.forEach([&](const GridCell<N>& cell) {
    if (status.ok()) status = writeStdout(tableRow(++count, cell));
    return status.ok() ? Visit::kContinue : Visit::kStop;
  });
  if (!status.ok()) return status;
  return writeStdout(absl::StrCat(count, count == 1 ? " cell, " : " cells, ", walk.crossings(),
                                  walk.crossings() == 1 ? " crossing\n" : " crossings\n"));
}

template <int N>
Vec3i inSpace(const Vec<std::int64_t, N>& point) {
  Vec3i out{};
  for (int axis = 0; axis < N; ++axis)
    out[axis] = point[axis];
  return out;
}

template <int N>
absl::StatusOr<std::string> drawWalk(GridWalk<N> walk, const WalkQuery& query) {
  Trace trace{.title = "The cells that a segment crosses, in order",
              .dimensions = N,
              .segment = {*toUnits(query.from, "from"), *toUnits(query.to, "to")}};
  for (int axis = 0; axis < N; ++axis) {
    const std::int64_t first = floorDiv(trace.segment.from[axis], query.cell[axis]);
    const std::int64_t last = floorDiv(trace.segment.to[axis], query.cell[axis]);
    absl::Status status = checkDrawnCells(std::max(first - last, last - first) + 1);
    if (!status.ok()) return status;
  }
  TraceGrid& grid = trace.grids.emplace_back();
  grid.widths = query.cell;
  walk.forEach([&](const GridCell<N>& cell) {
    grid.cells.push_back({inSpace<N>(cell.cell), grid.cells.size() + 1});
    const unsigned axes = cell.step == 1 ? axesCrossedAt(trace.segment, query.cell, cell.t) : 0;
    if (std::popcount(axes) > 1) {
      grid.marks.push_back({TraceMark::Kind::kCorner, cell.t.toDouble()});
    }
    return Visit::kContinue;
  });
  grid.title = absl::StrCat(grid.cells.size(), grid.cells.size() == 1 ? " cell" : " cells",
                            ", corner policy ", std::string(wordOf(query.corner)));
  grid.caption =
      absl::StrCat(grid.marks.size(),
                   grid.marks.size() == 1 ? " exact corner crossing" : " exact corner crossings");
  return drawTrace(trace);
}

int runWalk(const WalkArguments& arguments) {
  const absl::StatusOr<CornerPolicy> corner = parseCornerPolicy(arguments.corner, "--corner");
  if (!corner.ok()) return reportError("walk", corner.status(), kExitUsage);
  const absl::StatusOr<WalkQuery> query = readLine(arguments.line, *corner);
  if (!query.ok()) return reportError("walk", query.status(), kExitUsage);
  const absl::StatusOr<AnyWalk> walk = makeWalk(*query, arguments.limits);
  if (!walk.ok()) return reportError("walk", walk.status(), kExitUsage);
  const absl::Status type = checkFileType({"--svg", arguments.svg}, ".svg");
  if (!type.ok()) return reportError("walk", type, kExitUsage);
  absl::StatusOr<std::optional<OutputFile>> svg = OutputFile::openIfNamed(arguments.svg);
  if (!svg.ok()) return reportError("walk", svg.status(), kExitFailed);
  if (svg->has_value()) {
    const absl::StatusOr<std::string> picture =
        std::visit([&](const auto& cells) { return drawWalk(cells, *query); }, *walk);
    if (!picture.ok()) return reportError("walk", picture.status(), kExitUsage);
    const absl::Status written = (*svg)->write(*picture);
    if (!written.ok()) return reportError("walk", written, kExitFailed);
  }
  absl::Status status =
      arguments.json ? writeWalkAnswer({.text = "walk"}, *query, writeStdout, arguments.limits)
                     : std::visit([](const auto& cells) { return printTable(cells); }, *walk);
  if (status.ok()) status = flushStdout();
  return status.ok() ? kExitOk : reportError("walk", status, kExitFailed);
}

}  // namespace

void addWalkCommand(CommandLine& line) {
  auto [options, arguments] = line.addCommand(
      "walk", "List the cells that a segment crosses, in 2 or 3 dimensions", runWalk);
  addLineOptions(options, arguments.line);
  options.add("--corner POLICY", arguments.corner,
              "The policy for exact corners: both, neither or staircase");
  options.flag("--json", arguments.json, "Print one JSON object, as `fractalray scenario` does");
  options.add("--svg FILE", arguments.svg,
              "Also write a picture: the numbered cells, and corner crossings");
  addLimitOption(options, arguments.limits);
  options.footer(
      "Examples:\n"
      "  fractalray walk --from 0.5,0.5 --to 3.5,2.5 --corner neither\n"
      "  fractalray walk --from 0.5,0.5,0.5 --to 6.5,4.5,2.5 --svg walk.svg\n"
      "Each cell is listed with its t, from 0 at the start to 1 at the end, and the face through\n"
      "which it is entered.");
}

}  // namespace fractalray
