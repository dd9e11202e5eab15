// SPDX-License-Identifier: Apache-2.0
#include "cell_panel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace fractalray {
namespace {

constexpr std::string_view kInkColor = "#333333";
constexpr std::string_view kGridColor = "#d0d0d0";
constexpr std::string_view kHeavyColor = "#8a8a8a";
constexpr std::string_view kHitColor = "#b3261e";
constexpr std::string_view kEntityColor = "#6a3d9a";

// The least distance of the numbers along an axis, in pixels.
constexpr double kAxisStep = 13;
constexpr double kDigitWidth = 5.6;

constexpr SvgStyle kCornerStyle{.fill = "white", .stroke = "#e07b00", .stroke_width = 1.8};

constexpr std::array<std::string_view, kCellLooks> kFills = {
    "none",    "#ececec", "#ececec", "#dbe9f6", "#d3ecd3", "#fdf0b0",
    "#7fb8e0", "#8d6e63", "#bcd7f0", "#fdf0b0", "#f3b27a", "none"};
constexpr std::string_view fillOf(CellLook look) {
  return kFills[static_cast<std::size_t>(look)];
}

// Formats "3-6, 9".
std::string rangesOf(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    absl::StrAppend(&text, text.empty() ? "" : ",", numbers[i]);
    if (last > i) absl::StrAppend(&text, last == i + 1 ? "," : "-", numbers[last]);
    i = last + 1;
  }
  return text;
}

// Returns the pixels that the longest number along an axis takes.
double numberWidth(const CellBox& box, int axis) {
  const std::size_t digits =
      std::max(absl::StrCat(box.min[axis]).size(), absl::StrCat(box.max[axis]).size());
  return kDigitWidth * static_cast<double>(digits);
}

// Returns the colour around a number, so that it can be read if the segment runs over it.
std::string_view haloOf(CellLook look) {
  return fillOf(look) == "none" ? "white" : fillOf(look);
}

}  // namespace

std::string captionOf(const Trace& trace, const CellBox& box, const PanelView& view) {
  if (trace.columns > 1) return "";
  const auto range = [&](int axis) {
    const std::int64_t first = box.min[axis] + 1;
    const std::int64_t last = box.max[axis] - 1;
    return absl::StrCat(std::string(1, "xyz"[axis]), " ", first,
                        first == last ? "" : absl::StrCat(" to ", last));
  };
  std::string text = absl::StrCat("right: ", range(view.across), "; up: ", range(view.up));
  if (trace.dimensions == 3) {
    absl::StrAppend(&text, "; seen along ", range(3 - view.across - view.up));
  }
  return text;
}

void drawCell(SvgPicture& svg, double x, double y, double width, double height, CellLook look) {
  const double size = std::min({width, height, 20.0});
  // Draws a rectangle a little within the cell.
  const auto frame = [&](double inset, const SvgStyle& style) {
    svg.rectangle(x + inset, y + inset, width - 2 * inset, height - 2 * inset, style);
  };
  // Draw the diagonals, falling and rising, likewise.
  const auto falling = [&](double inset, const SvgStyle& style) {
    svg.line(x + inset, y + inset, x + width - inset, y + height - inset, style);
  };
  const auto rising = [&](double inset, const SvgStyle& style) {
    svg.line(x + inset, y + height - inset, x + width - inset, y + inset, style);
  };
  const SvgStyle thin{.stroke = "#a0a0a0", .stroke_width = 0.7};
  if (fillOf(look) != "none") svg.rectangle(x, y, width, height, {.fill = fillOf(look)});
  switch (look) {
    case CellLook::kAfterEnd:
      frame(size * 0.12, {.stroke = "#a0a0a0", .stroke_width = 0.7, .dashes = "3 2"});
      break;
    case CellLook::kNotLoaded:
      rising(0, thin);
      break;
    case CellLook::kPlaceholder:
      rising(0, thin);
      falling(0, thin);
      break;
    case CellLook::kDefers:
      for (int part = 1; part < 4; ++part) {
        const SvgStyle green{.stroke = "#7fb77f", .stroke_width = 0.5};
        svg.line(x + width * part / 4, y, x + width * part / 4, y + height, green);
        svg.line(x, y + height * part / 4, x + width, y + height * part / 4, green);
      }
      break;
    case CellLook::kSkipped:
      frame(size * 0.15, {.stroke = "#b8962e", .stroke_width = 1, .dashes = "2 2"});
      break;
    case CellLook::kSuperfluous:
      rising(size * 0.15, {.stroke = kInkColor});
      falling(size * 0.15, {.stroke = kInkColor});
      break;
    case CellLook::kMissing:
      frame(size * 0.15, {.stroke = "#c0392b", .stroke_width = 2, .dashes = "4 2"});
      break;
    case CellLook::kPlain:
    case CellLook::kPermeable:
    case CellLook::kSolid:
    case CellLook::kListed:
    case CellLook::kTouched:
      break;
  }
}

void drawCornerMark(SvgPicture& svg, double x, double y) {
  svg.circle(x, y, 3.5, kCornerStyle);
}

CellPanel::CellPanel(SvgPicture& svg, const Trace& trace, const TraceGrid& grid, const CellBox& box,
                     const PanelView& view, double scale, double left, double top)
    : svg_(svg),
      trace_(trace),
      grid_(grid),
      box_(box),
      view_(view),
      scale_(scale),
      left_(left),
      top_(top) {}

double CellPanel::size(const TraceGrid& grid, const CellBox& box, int axis, double scale) {
  return static_cast<double>(box.count(axis)) * static_cast<double>(grid.widths[axis]) * scale;
}

double CellPanel::axisWidth(const CellBox& box, const PanelView& view) {
  return numberWidth(box, view.up) + 22;
}

double CellPanel::leftOf(std::int64_t cell) const {
  return left_ + static_cast<double>(cell - box_.min[view_.across]) * cellSize(view_.across);
}

double CellPanel::topOf(std::int64_t cell) const {
  return top_ + static_cast<double>(box_.max[view_.up] - cell) * cellSize(view_.up);
}

double CellPanel::fromCorner(int axis, std::int64_t units) const {
  return static_cast<double>(units - box_.min[axis] * grid_.widths[axis]);
}

double CellPanel::at(int axis, double t) const {
  const auto delta = static_cast<double>(trace_.segment.to[axis] - trace_.segment.from[axis]);
  return fromCorner(axis, trace_.segment.from[axis]) + t * delta;
}

std::map<std::pair<std::int64_t, std::int64_t>, CellPanel::ViewCell> CellPanel::viewCells() const {
  std::map<std::pair<std::int64_t, std::int64_t>, ViewCell> cells;
  for (const TraceCell& cell : grid_.cells) {
    ViewCell& shown = cells[{cell.cell[view_.across], cell.cell[view_.up]}];
    shown.look = std::max(shown.look, cell.look);
    if (cell.number != 0) shown.numbers.push_back(cell.number);
  }
  return cells;
}

std::optional<std::pair<double, double>> CellPanel::visible() const {
  double t0 = 0;
  double t1 = 1;
  for (const int axis : {view_.across, view_.up}) {
    const double size =
        static_cast<double>(box_.count(axis)) * static_cast<double>(grid_.widths[axis]);
    const double from = at(axis, 0);
    const double delta = at(axis, 1) - from;
    if (delta == 0) {
      if (from < 0 || from > size) return std::nullopt;
      continue;
    }
    const double first = (0 - from) / delta;
    const double last = (size - from) / delta;
    t0 = std::max(t0, std::min(first, last));
    t1 = std::min(t1, std::max(first, last));
  }
  if (t0 > t1) return std::nullopt;
  return std::pair(t0, t1);
}

void CellPanel::draw() {
  svg_.beginPart(left_, top_, width(), height());
  drawCells();
  drawGrid(view_.across, true);
  drawGrid(view_.up, false);
  for (const TraceShape& shape : grid_.shapes)
    drawShape(shape);
  drawSegment();
  drawNumbers();
  drawMarks();
  svg_.endPart();
  drawAxis(view_.across, true);
  drawAxis(view_.up, false);
  svg_.text(left_, top_ + height() + kAxisHeight + 16, captionOf(trace_, box_, view_),
            {.size = 11, .fill = "#666666"});
}

void CellPanel::drawCells() {
  for (const auto& [at, shown] : viewCells()) {
    drawCell(svg_, leftOf(at.first), topOf(at.second), cellSize(view_.across), cellSize(view_.up),
             shown.look);
  }
}

void CellPanel::drawNumbers() {
  const double cell = std::min(cellSize(view_.across), cellSize(view_.up));
  for (const auto& [at, shown] : viewCells()) {
    if (shown.numbers.empty()) continue;
    const std::string text = rangesOf(shown.numbers);
    const double fit = cellSize(view_.across) / (0.62 * static_cast<double>(text.size()));
    const double size = std::min({11.0, cell * 0.42, fit});
    svg_.text(leftOf(at.first) + cellSize(view_.across) - 2, topOf(at.second) + size + 1, text,
              {.size = size,
               .anchor = "end",
               .fill = shown.look == CellLook::kSolid ? "white" : "#555555",
               .halo = haloOf(shown.look)});
  }
}

void CellPanel::drawGrid(int axis, bool vertical) {
  for (std::int64_t cell = box_.min[axis]; cell <= box_.max[axis] + 1; ++cell) {
    const bool heavy = grid_.heavy != 0 && cell % grid_.heavy == 0;
    const SvgStyle style{.stroke = heavy ? kHeavyColor : kGridColor,
                         .stroke_width = heavy ? 1.2 : 0.5};
    if (vertical) {
      svg_.line(leftOf(cell), top_, leftOf(cell), top_ + height(), style);
    } else {
      svg_.line(left_, topOf(cell - 1), left_ + width(), topOf(cell - 1), style);
    }
  }
}

void CellPanel::drawAxis(int axis, bool horizontal) {
  const double least = horizontal ? numberWidth(box_, axis) + 6 : kAxisStep;
  // Powers of two, since a chunk has 16 blocks.
  std::int64_t step = 1;
  while (static_cast<double>(step) * cellSize(axis) < least)
    step *= 2;
  const SvgTextStyle style{.size = 10, .anchor = horizontal ? "middle" : "end", .fill = "#666666"};
  for (std::int64_t cell = box_.min[axis]; cell <= box_.max[axis]; ++cell) {
    if (cell % step != 0) continue;
    const double middle = cellSize(axis) / 2;
    if (horizontal) {
      svg_.text(leftOf(cell) + middle, top_ + height() + 12, absl::StrCat(cell), style);
    } else {
      svg_.text(left_ - 5, topOf(cell) + middle + 3.5, absl::StrCat(cell), style);
    }
  }
  const SvgTextStyle name{.size = 11, .anchor = "end", .bold = true, .fill = "#666666"};
  const std::string letter(1, "xyz"[axis]);
  if (horizontal) {
    svg_.text(left_ - 5, top_ + height() + 12, letter, name);
  } else {
    svg_.text(left_ - numberWidth(box_, axis) - 10, top_ + 8, letter, name);
  }
}

void CellPanel::drawShape(const TraceShape& shape) {
  const double across = x(fromCorner(view_.across, shape.center[view_.across]));
  const double up = y(fromCorner(view_.up, shape.center[view_.up]));
  const double half_width = static_cast<double>(shape.half_extents[view_.across]) * scale_;
  const double half_height = static_cast<double>(shape.half_extents[view_.up]) * scale_;
  const SvgStyle style{.stroke = kEntityColor,
                       .stroke_width = shape.is_hit ? 2.0 : 1.0,
                       .dashes = shape.is_hit ? "" : "4 3"};
  if (shape.is_sphere) {
    svg_.circle(across, up, half_width, style);
  } else {
    svg_.rectangle(across - half_width, up - half_height, 2 * half_width, 2 * half_height, style);
  }
  svg_.text(across, up + 4, shape.text, {.size = 10, .anchor = "middle", .fill = kEntityColor});
}

void CellPanel::drawPart(double t0, double t1, const SvgStyle& style) {
  if (t0 < t1) svg_.line(markX(t0), markY(t0), markX(t1), markY(t1), style);
}

void CellPanel::drawSegment() {
  const auto part = visible();
  if (!part.has_value()) return;
  const auto [t0, t1] = *part;
  drawPart(t0, std::min(t1, trace_.end), {.stroke = kInkColor, .stroke_width = 1.6});
  drawPart(std::max(t0, trace_.end), t1,
           {.stroke = "#888888", .stroke_width = 1.2, .dashes = "5 4"});
  if (t0 == 0) svg_.circle(markX(0), markY(0), 3, {.fill = kInkColor});
  if (t1 == 1) {
    svg_.circle(markX(1), markY(1), 3, {.fill = "white", .stroke = kInkColor, .stroke_width = 1.5});
  }
}

void CellPanel::drawMarks() {
  for (const TraceMark& mark : grid_.marks) {
    if (mark.kind == TraceMark::Kind::kCorner) {
      svg_.circle(markX(mark.t), markY(mark.t), 3.5, kCornerStyle);
    }
  }
  // All marks at one time of the segment share one badge.
  std::map<double, std::string> badges;
  for (const TraceMark& mark : grid_.marks) {
    if (mark.kind == TraceMark::Kind::kCorner) continue;
    std::string& text = badges[mark.t];
    absl::StrAppend(&text, text.empty() ? "" : ",",
                    mark.kind == TraceMark::Kind::kUnknown ? "?" : mark.text);
  }
  for (const auto& [t, text] : badges)
    drawBadge(t, text);
}

void CellPanel::drawBadge(double t, const std::string& text) {
  const double dx = markX(1) - markX(0);
  const double dy = markY(1) - markY(0);
  const double length = std::sqrt(dx * dx + dy * dy);
  const double side_x = length == 0 ? 0 : dy / length;
  const double side_y = length == 0 ? -1 : -dx / length;
  const double here_x = markX(t);
  const double here_y = markY(t);
  const double badge_x = here_x + side_x * 15;
  const double badge_y = here_y + side_y * 15;
  const double radius = std::max(6.5, 3.0 * static_cast<double>(text.size()) + 2);
  svg_.line(here_x, here_y, badge_x, badge_y, {.stroke = kHitColor});
  svg_.circle(here_x, here_y, 2, {.fill = kHitColor});
  svg_.circle(badge_x, badge_y, radius, {.fill = kHitColor});
  svg_.text(badge_x, badge_y + 3.2, text,
            {.size = 9, .anchor = "middle", .bold = true, .fill = "white"});
}

}  // namespace fractalray
