// SPDX-License-Identifier: Apache-2.0
#include "line_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "cell_picture.h"
#include "svg.h"

namespace fractalray {
namespace {

using lines::Cell;

constexpr double kPanelSize = 240;  // pixels of a panel's grid along its longer axis
constexpr double kGap = 24;
constexpr double kAxisHeight = 14;
constexpr double kDigitWidth = 5.2;
constexpr double kTitleHeight = 44;
constexpr double kLegendHeight = 44;

constexpr std::string_view kListedColor = "#bcd7f0";
constexpr std::string_view kTouchedColor = "#fdf0b0";
constexpr std::string_view kSuperfluousColor = "#f3b27a";
constexpr std::string_view kMissingColor = "#c0392b";
constexpr std::string_view kGridColor = "#d0d0d0";
constexpr std::string_view kInkColor = "#333333";

// The layout of a panel's cells, in pixels from the upper left corner of its grid.
class Plan {
 public:
  Plan(const lines::LineInput<2>& line, const std::vector<ComparedLine<2>>& compared)
      : line_(line), min_(line.firstCell()), max_(line.firstCell()) {
    include(line.lastCell());
    for (const ComparedLine<2>& each : compared) {
      for (const Cell<2>& cell : each.cells)
        include(cell);
    }
    for (int axis = 0; axis < 2; ++axis) {
      --min_[axis];
      ++max_[axis];
    }
    const double widest = std::max(sizeInUnits(0), sizeInUnits(1));
    scale_ = kPanelSize / widest;
  }

  std::int64_t count(int axis) const { return max_[axis] - min_[axis] + 1; }
  double width() const { return sizeInUnits(0) * scale_; }
  double height() const { return sizeInUnits(1) * scale_; }
  double cellWidth() const { return static_cast<double>(line_.widths[0]) * scale_; }
  double cellHeight() const { return static_cast<double>(line_.widths[1]) * scale_; }
  std::int64_t first(int axis) const { return min_[axis]; }
  // Returns the pixels that the longest number along an axis takes.
  double numberWidth(int axis) const {
    const std::size_t digits =
        std::max(absl::StrCat(min_[axis]).size(), absl::StrCat(max_[axis]).size());
    return kDigitWidth * static_cast<double>(digits);
  }
  // Returns the upper left corner of a cell.
  double left(const Cell<2>& cell) const {
    return static_cast<double>(cell[0] - min_[0]) * cellWidth();
  }
  double top(const Cell<2>& cell) const {
    return static_cast<double>(max_[1] - cell[1]) * cellHeight();
  }
  // Returns the position of a point in units.
  double x(const Cell<2>& point) const {
    return static_cast<double>(point[0] - min_[0] * line_.widths[0]) * scale_;
  }
  double y(const Cell<2>& point) const {
    return height() - static_cast<double>(point[1] - min_[1] * line_.widths[1]) * scale_;
  }

 private:
  void include(const Cell<2>& cell) {
    for (int axis = 0; axis < 2; ++axis) {
      min_[axis] = std::min(min_[axis], cell[axis]);
      max_[axis] = std::max(max_[axis], cell[axis]);
    }
  }
  double sizeInUnits(int axis) const {
    return static_cast<double>(count(axis)) * static_cast<double>(line_.widths[axis]);
  }

  lines::LineInput<2> line_;
  Cell<2> min_;
  Cell<2> max_;
  double scale_ = 1;
};

// Draws a cell, or its sample in the legend. Kinds differ in more than colour.
void drawCell(SvgPicture& picture, double x, double y, double width, double height,
              std::string_view color) {
  const double inset = std::min({width, height, 20.0}) * 0.15;
  if (color == kMissingColor) {
    picture.rectangle(x + inset, y + inset, width - 2 * inset, height - 2 * inset,
                      {.stroke = color, .stroke_width = 2, .dashes = "4 2"});
    return;
  }
  picture.rectangle(x, y, width, height, {.fill = color});
  if (color == kSuperfluousColor) {
    const SvgStyle stroke{.stroke = kInkColor};
    picture.line(x + inset, y + inset, x + width - inset, y + height - inset, stroke);
    picture.line(x + inset, y + height - inset, x + width - inset, y + inset, stroke);
  }
}

void drawCells(SvgPicture& picture, const Plan& plan, double x, double y,
               const lines::Cells<2>& cells, std::string_view color) {
  for (const Cell<2>& cell : cells) {
    drawCell(picture, x + plan.left(cell), y + plan.top(cell), plan.cellWidth(), plan.cellHeight(),
             color);
  }
}

void drawGrid(SvgPicture& picture, const Plan& plan, double x, double y) {
  const SvgStyle thin{.stroke = kGridColor, .stroke_width = 0.5};
  for (std::int64_t i = 0; i <= plan.count(0); ++i) {
    const double at = x + static_cast<double>(i) * plan.cellWidth();
    picture.line(at, y, at, y + plan.height(), thin);
  }
  for (std::int64_t i = 0; i <= plan.count(1); ++i) {
    const double at = y + static_cast<double>(i) * plan.cellHeight();
    picture.line(x, at, x + plan.width(), at, thin);
  }
}

// Draws the cells' indices along both axes, as many as fit.
void drawAxes(SvgPicture& picture, const Plan& plan, double x, double y) {
  // Returns n if every n-th index is drawn.
  const auto step_of = [](double cell, double least) {
    std::int64_t step = 1;
    while (static_cast<double>(step) * cell < least)
      step *= 2;
    return step;
  };
  const std::int64_t across = step_of(plan.cellWidth(), plan.numberWidth(0) + 5);
  for (std::int64_t i = 0; i < plan.count(0); ++i) {
    const std::int64_t cell = plan.first(0) + i;
    if (cell % across != 0) continue;
    picture.text(x + (static_cast<double>(i) + 0.5) * plan.cellWidth(), y + plan.height() + 11,
                 absl::StrCat(cell), {.size = 9, .anchor = "middle", .fill = "#666666"});
  }
  const std::int64_t up = step_of(plan.cellHeight(), 11);
  for (std::int64_t i = 0; i < plan.count(1); ++i) {
    const std::int64_t cell = plan.first(1) + i;
    if (cell % up != 0) continue;
    picture.text(x - 4, y + plan.height() - (static_cast<double>(i) + 0.5) * plan.cellHeight() + 3,
                 absl::StrCat(cell), {.size = 9, .anchor = "end", .fill = "#666666"});
  }
}

// Draws the segment, from a dot to a ring.
void drawSegment(SvgPicture& picture, const Plan& plan, double x, double y,
                 const lines::LineInput<2>& line) {
  picture.line(x + plan.x(line.from), y + plan.y(line.from), x + plan.x(line.to),
               y + plan.y(line.to), {.stroke = kInkColor, .stroke_width = 1.5});
  picture.circle(x + plan.x(line.from), y + plan.y(line.from), 3, {.fill = kInkColor});
  picture.circle(x + plan.x(line.to), y + plan.y(line.to), 3,
                 {.fill = "white", .stroke = kInkColor, .stroke_width = 1.5});
}

void drawPanel(SvgPicture& picture, const Plan& plan, double x, double y,
               const lines::LineInput<2>& line, const ComparedLine<2>& compared) {
  const lines::LineDifference<2>& difference = compared.difference;
  picture.text(x, y + 16, compared.name, {.size = 14, .bold = true});
  picture.text(x, y + 34,
               absl::StrCat(difference.missing.size(), " missing, ", difference.superfluous.size(),
                            " superfluous, ", difference.touched.size(), " touched"));
  const double top = y + kTitleHeight;
  drawCells(picture, plan, x, top, compared.cells, kListedColor);
  drawCells(picture, plan, x, top, difference.touched, kTouchedColor);
  drawCells(picture, plan, x, top, difference.superfluous, kSuperfluousColor);
  drawGrid(picture, plan, x, top);
  drawAxes(picture, plan, x, top);
  drawCells(picture, plan, x, top, difference.missing, kMissingColor);
  drawSegment(picture, plan, x, top, line);
}

void drawLegend(SvgPicture& picture, double x, double y, double step, std::size_t columns) {
  struct Entry {
    std::string_view color;
    std::string_view text;
  };
  constexpr std::array kEntries = {Entry{kListedColor, "crossed and listed"},
                                   Entry{kMissingColor, "missing: crossed, not listed"},
                                   Entry{kSuperfluousColor, "superfluous: listed, not touched"},
                                   Entry{kTouchedColor, "touched at one point, listed"}};
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    const std::size_t row = i / columns;
    const double left = x + static_cast<double>(i % columns) * step;
    const double top = y + static_cast<double>(row) * 20;
    drawCell(picture, left, top, 14, 14, kEntries[i].color);
    picture.text(left + 20, top + 11, kEntries[i].text);
  }
}

}  // namespace

absl::StatusOr<std::string> drawLines(const lines::LineInput<2>& line,
                                      const std::vector<ComparedLine<2>>& compared) {
  const Plan plan(line, compared);
  for (int axis = 0; axis < 2; ++axis) {
    if (plan.count(axis) > kMaxDrawnCells) {
      return absl::OutOfRangeError(
          absl::StrCat("the picture would be ", plan.count(axis), " cells across; at most ",
                       kMaxDrawnCells, " are drawn; make the line shorter or its cells wider"));
    }
  }
  // About as many panels across as down, and at least two, which leaves space for the legend.
  const auto root =
      static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(compared.size()))));
  const std::size_t columns = std::max<std::size_t>(2, root);
  const std::size_t rows = (compared.size() + columns - 1) / columns;
  const double left = kGap + plan.numberWidth(1);
  const double step_x = kPanelSize + left;
  const double step_y = kTitleHeight + plan.height() + kAxisHeight + kGap;
  const double legend_rows = columns >= 4 ? 1 : 2;
  SvgPicture picture(left + static_cast<double>(columns) * step_x,
                     kGap + static_cast<double>(rows) * step_y + kLegendHeight * legend_rows / 2,
                     "The cells that line algorithms list for one segment");
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const std::size_t row = i / columns;
    drawPanel(picture, plan, left + static_cast<double>(i % columns) * step_x,
              kGap / 2 + static_cast<double>(row) * step_y, line, compared[i]);
  }
  drawLegend(picture, left, kGap / 2 + static_cast<double>(rows) * step_y, step_x,
             columns >= 4 ? 4 : 2);
  return picture.finish();
}

}  // namespace fractalray
