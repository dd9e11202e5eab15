// SPDX-License-Identifier: Apache-2.0
#include "trace_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "cell_panel.h"
#include "svg.h"

namespace fractalray {
namespace {

// In pixels.
constexpr double kPanelSize = 640;       // of a panel's longer side, at most
constexpr double kSmallPanelSize = 240;  // the same in a picture of several columns
constexpr double kLargestCell = 40;
constexpr double kTraceMargin = 24;
constexpr double kTitleHeight = 46;
constexpr double kTraceLineHeight = 18;
constexpr double kLegendStep = 210;
constexpr double kLeastWidth = 700;

constexpr std::string_view kSampleFrame = "#d0d0d0";

// Returns two axes as a view: y points up, else the later axis.
PanelView viewOf(int a, int b) {
  const int low = std::min(a, b);
  const int high = std::max(a, b);
  return low == 1 ? PanelView{high, low} : PanelView{low, high};
}

// Returns the views that a grid needs.
std::vector<PanelView> viewsOf(const Trace& trace, const CellBox& box) {
  if (trace.dimensions == 2) return {{0, 1}};
  std::array<int, 3> axes = {0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return box.count(a) > box.count(b); });
  std::vector<PanelView> views = {viewOf(axes[0], axes[1])};
  // With the margin, one layer of cells counts 3. The second view shares the longest axis, so that
  // it fits next to the first one or below it.
  if (box.count(axes[2]) > 3) {
    views.push_back(axes[0] == views.front().up ? PanelView{axes[2], axes[0]}
                                                : PanelView{axes[0], axes[2]});
  }
  return views;
}

// A view, and the position of its upper left corner in that of the grid.
struct PlacedView {
  PanelView view;
  double left = 0;
  double top = 0;
};

// A grid, and the positions of its panels.
struct Layout {
  const TraceGrid& grid;
  CellBox box;
  std::vector<PlacedView> views{};
  double scale = 1;
  double width = 0;
  double height = 0;
};

// The width of a caption's text, at most.
double textWidth(const std::string& text) {
  return 6 * static_cast<double>(text.size());
}

Layout layOut(const Trace& trace, const TraceGrid& grid) {
  Layout layout{grid, boxOf(trace.columns > 1 ? std::span(trace.grids) : std::span(&grid, 1))};
  const std::vector<PanelView> views = viewsOf(trace, layout.box);
  const PanelView& main = views.front();
  double longest = 0;
  double widest = 0;
  for (const int axis : {main.across, main.up}) {
    const auto width = static_cast<double>(grid.widths[axis]);
    longest = std::max(longest, static_cast<double>(layout.box.count(axis)) * width);
    widest = std::max(widest, width);
  }
  const double panel = trace.columns > 1 ? kSmallPanelSize : kPanelSize;
  layout.scale = std::min(panel / longest, kLargestCell / widest);
  PlacedView next{main, CellPanel::axisWidth(layout.box, main), kTitleHeight};
  for (const PanelView& view : views) {
    next.view = view;
    layout.views.push_back(next);
    const double width = std::max(CellPanel::size(grid, layout.box, view.across, layout.scale),
                                  textWidth(captionOf(trace, layout.box, view)));
    const double height = CellPanel::size(grid, layout.box, view.up, layout.scale) +
                          CellPanel::kAxisHeight + CellPanel::kCaptionHeight;
    layout.width = std::max(layout.width, next.left + width + kTraceMargin);
    layout.height = std::max(layout.height, next.top + height);
    // The view that shares the upward axis goes to the right, the other one below.
    if (views.back().up == main.up) {
      next.left += width + kTraceMargin + CellPanel::axisWidth(layout.box, views.back());
    } else {
      next.top += height;
    }
  }
  if (trace.columns > 1)
    layout.width = std::max(layout.width, textWidth(grid.caption) + kTraceMargin);
  return layout;
}

absl::Status checkSize(const Layout& layout) {
  for (const PlacedView& placed : layout.views) {
    for (const int axis : {placed.view.across, placed.view.up}) {
      absl::Status status = checkDrawnCells(layout.box.count(axis) - 2);
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

void drawGrid(SvgPicture& svg, const Trace& trace, const Layout& layout, double left, double top) {
  svg.text(left, top + 16, layout.grid.title, {.size = 14, .bold = true});
  svg.text(left, top + 34, layout.grid.caption);
  for (const PlacedView& placed : layout.views) {
    CellPanel(svg, trace, layout.grid, layout.box, placed.view, layout.scale, left + placed.left,
              top + placed.top)
        .draw();
  }
}

// The entries of the legend: looks, unless all cells are plain, and corner crossings.
struct Legend {
  std::set<CellLook> looks{};
  bool has_corners = false;

  void add(const TraceGrid& grid) {
    for (const TraceCell& cell : grid.cells)
      looks.insert(cell.look);
    for (const TraceMark& mark : grid.marks)
      has_corners = has_corners || mark.kind == TraceMark::Kind::kCorner;
  }
  bool hasLooks() const { return looks != std::set{CellLook::kPlain}; }
  std::size_t size() const { return (hasLooks() ? looks.size() : 0) + (has_corners ? 1 : 0); }
};

void drawLegend(SvgPicture& svg, const Legend& legend, std::size_t columns, double top) {
  std::size_t entry = 0;
  // Returns the upper left corner of the next sample, after drawing its text.
  const auto next = [&](std::string_view text) {
    const double x = kTraceMargin + static_cast<double>(entry % columns) * kLegendStep;
    const std::size_t row = entry / columns;
    const double y = top + static_cast<double>(row) * kTraceLineHeight;
    ++entry;
    svg.text(x + 19, y + 11, text);
    return std::pair(x, y);
  };
  for (const CellLook look : legend.looks) {
    if (!legend.hasLooks()) break;
    const auto [x, y] = next(textOf(look));
    drawCell(svg, x, y, 13, 13, look);
    svg.rectangle(x, y, 13, 13, {.stroke = kSampleFrame, .stroke_width = 0.5});
  }
  if (!legend.has_corners) return;
  const auto [x, y] = next("an exact corner crossing");
  drawCornerMark(svg, x + 6.5, y + 6.5);
}

}  // namespace

absl::StatusOr<std::string> drawTrace(const Trace& trace) {
  std::vector<Layout> layouts;
  Legend legend;
  double step = 0;  // from column to column
  for (const TraceGrid& grid : trace.grids) {
    if (grid.cells.empty()) continue;
    const Layout& layout = layouts.emplace_back(layOut(trace, grid));
    absl::Status status = checkSize(layout);
    if (!status.ok()) return status;
    step = std::max(step, layout.width);
    legend.add(grid);
  }
  const auto columns = static_cast<std::size_t>(trace.columns);
  double height = 0;
  for (std::size_t i = 0; i < layouts.size(); i += columns)
    height += layouts[i].height;
  const double width = std::max(kLeastWidth, kTraceMargin + step * static_cast<double>(columns));
  const auto legend_columns = static_cast<std::size_t>((width - kTraceMargin) / kLegendStep);
  const std::size_t legend_rows = (legend.size() + legend_columns - 1) / legend_columns;
  const double text_height =
      static_cast<double>(legend_rows + trace.lines.size()) * kTraceLineHeight;
  SvgPicture svg(width, kTraceMargin + height + text_height + kTraceMargin, trace.title);
  double top = kTraceMargin / 2;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    drawGrid(svg, trace, layouts[i], kTraceMargin + step * static_cast<double>(i % columns), top);
    if (i % columns == columns - 1 || i == layouts.size() - 1) top += layouts[i].height;
  }
  for (const std::string& line : trace.lines) {
    svg.text(kTraceMargin, top + 12, line);
    top += kTraceLineHeight;
  }
  drawLegend(svg, legend, legend_columns, top + 6);
  return svg.finish();
}

}  // namespace fractalray
