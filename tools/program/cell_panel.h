// SPDX-License-Identifier: Apache-2.0
// One view of a grid of a trace: its axes, cells, numbers, and the segment with its marks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "svg.h"
#include "trace.h"

namespace fractalray {

// A direction of view: the axes that point right and up in the picture.
struct PanelView {
  int across = 0;
  int up = 1;
};

// Returns what a view shows, without the margins: "right: x 0 to 7; up: y 0 to 5"; nothing in a
// picture of several columns.
std::string captionOf(const Trace& trace, const CellBox& box, const PanelView& view);

// Draws a cell, or its sample in the legend. Looks differ in more than colour.
void drawCell(SvgPicture& svg, double x, double y, double width, double height, CellLook look);
void drawCornerMark(SvgPicture& svg, double x, double y);

// One view of a grid, the upper left corner of its grid at (left, top). The axes take
// axisWidth() to the left of it and kAxisHeight below; the caption follows, of kCaptionHeight.
class CellPanel {
 public:
  static constexpr double kAxisHeight = 16;
  static constexpr double kCaptionHeight = 30;

  // `scale` is that of units to pixels.
  CellPanel(SvgPicture& svg, const Trace& trace, const TraceGrid& grid, const CellBox& box,
            const PanelView& view, double scale, double left, double top);

  // Returns the pixels that the box takes on an axis.
  static double size(const TraceGrid& grid, const CellBox& box, int axis, double scale);

  // Returns the pixels that the axis at the left takes.
  static double axisWidth(const CellBox& box, const PanelView& view);

  void draw();

 private:
  // All cells that one cell of the view shows.
  struct ViewCell {
    CellLook look = CellLook::kAfterEnd;
    std::vector<std::uint64_t> numbers;
  };

  double width() const { return size(grid_, box_, view_.across, scale_); }
  double height() const { return size(grid_, box_, view_.up, scale_); }
  double cellSize(int axis) const { return static_cast<double>(grid_.widths[axis]) * scale_; }
  // The left and upper edge of a cell.
  double leftOf(std::int64_t cell) const;
  double topOf(std::int64_t cell) const;
  // A point given as units from the box's smallest corner.
  double x(double units) const { return left_ + units * scale_; }
  double y(double units) const { return top_ + height() - units * scale_; }
  double fromCorner(int axis, std::int64_t units) const;
  // Returns the segment's position on an axis, as units from the corner.
  double at(int axis, double t) const;
  double markX(double t) const { return x(at(view_.across, t)); }
  double markY(double t) const { return y(at(view_.up, t)); }

  std::map<std::pair<std::int64_t, std::int64_t>, ViewCell> viewCells() const;
  // Returns the part of [0, 1] in which the segment is in the panel; nothing if it never is.
  std::optional<std::pair<double, double>> visible() const;

  void drawCells();
  void drawNumbers();
  void drawGrid(int axis, bool vertical);
  // Draws the cells' indices along an axis, as many as fit.
  void drawAxis(int axis, bool horizontal);
  void drawShape(const TraceShape& shape);
  void drawPart(double t0, double t1, const SvgStyle& style);
  void drawSegment();
  void drawMarks();
  void drawBadge(double t, const std::string& text);

  SvgPicture& svg_;
  const Trace& trace_;
  const TraceGrid& grid_;
  CellBox box_;
  PanelView view_;
  double scale_;
  double left_;
  double top_;
};

}  // namespace fractalray
