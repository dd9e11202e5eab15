// SPDX-License-Identifier: Apache-2.0
#include "cell_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

#include "svg.h"

namespace fractalray {
namespace {

// In pixels.
constexpr double kPanelSize = 640;  // of a panel's longer side, at most
constexpr double kLargestCell = 40;
constexpr double kMargin = 24;
constexpr double kTitleHeight = 46;
constexpr double kCaptionHeight = 30;
constexpr double kLineHeight = 18;
constexpr double kLegendStep = 210;
constexpr double kLeastWidth = 700;

constexpr std::string_view kInkColor = "#333333";
constexpr std::string_view kGridColor = "#d0d0d0";
constexpr std::string_view kHeavyColor = "#8a8a8a";
constexpr std::string_view kHitColor = "#b3261e";
constexpr std::string_view kEntityColor = "#6a3d9a";

constexpr SvgStyle kCornerStyle{.fill = "white", .stroke = "#e07b00", .stroke_width = 1.8};

struct LookStyle {
  std::string_view fill;
  std::string_view text;
};
constexpr std::array<LookStyle, 8> kLooks = {{{"none", "not looked at: behind the end"},
                                              {"#ececec", "not loaded"},
                                              {"#ececec", "a placeholder"},
                                              {"#dbe9f6", "crossed, empty"},
                                              {"#d3ecd3", "defers to the finer level"},
                                              {"#fdf0b0", "skipped by the options"},
                                              {"#7fb8e0", "met: permeable"},
                                              {"#8d6e63", "met: solid"}}};
constexpr const LookStyle& styleOf(CellLook look) {
  return kLooks[static_cast<std::size_t>(look)];
}

// A box of cells, both corners included.
struct CellBox {
  Vec3i min;
  Vec3i max;

  std::int64_t count(int axis) const { return max[axis] - min[axis] + 1; }
};

// The box of the cells with a margin of one.
CellBox boxOf(const CellPicture& picture) {
  CellBox box{picture.cells.front().cell, picture.cells.front().cell};
  for (const PictureCell& cell : picture.cells) {
    for (int axis = 0; axis < 3; ++axis) {
      box.min[axis] = std::min(box.min[axis], cell.cell[axis]);
      box.max[axis] = std::max(box.max[axis], cell.cell[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    --box.min[axis];
    ++box.max[axis];
  }
  return box;
}

// A direction to look from: what goes right and what goes up.
struct View {
  int across = 0;
  int up = 1;
};

// Two axes as a view: y goes up, else the later one.
View viewOf(int a, int b) {
  const int low = std::min(a, b);
  const int high = std::max(a, b);
  return low == 1 ? View{high, low} : View{low, high};
}

// The views that a picture takes.
std::vector<View> viewsOf(const CellPicture& picture, const CellBox& box) {
  if (picture.dimensions == 2) return {{0, 1}};
  std::array<int, 3> axes = {0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return box.count(a) > box.count(b); });
  std::vector<View> views = {viewOf(axes[0], axes[1])};
  // With the margin, one layer of cells counts 3. The second view shares the longest axis, so that
  // it fits beside the first one or below it.
  if (box.count(axes[2]) > 3) {
    views.push_back(axes[0] == views.front().up ? View{axes[2], axes[0]} : View{axes[0], axes[2]});
  }
  return views;
}

// What a view shows, without the margins.
std::string captionOf(const CellPicture& picture, const CellBox& box, const View& view) {
  const auto range = [&](int axis) {
    const std::int64_t first = box.min[axis] + 1;
    const std::int64_t last = box.max[axis] - 1;
    return absl::StrCat(std::string(1, "xyz"[axis]), " ", first,
                        first == last ? "" : absl::StrCat(" to ", last));
  };
  std::string text = absl::StrCat("right: ", range(view.across), "; up: ", range(view.up));
  if (picture.dimensions == 3) {
    absl::StrAppend(&text, "; seen along ", range(3 - view.across - view.up));
  }
  return text;
}

// "3-6, 9".
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

// A cell, or its sample in the legend: each look differs from the others by more than its colour.
void drawCell(SvgPicture& svg, double x, double y, double width, double height, CellLook look) {
  const SvgStyle thin{.stroke = "#a0a0a0", .stroke_width = 0.7};
  if (look == CellLook::kBehind) {
    const double inset = std::min({width, height, 20.0}) * 0.12;
    svg.rectangle(x + inset, y + inset, width - 2 * inset, height - 2 * inset,
                  {.stroke = "#a0a0a0", .stroke_width = 0.7, .dashes = "3 2"});
    return;
  }
  svg.rectangle(x, y, width, height, {.fill = styleOf(look).fill});
  if (look == CellLook::kNotLoaded || look == CellLook::kPlaceholder) {
    svg.line(x, y + height, x + width, y, thin);
  }
  if (look == CellLook::kPlaceholder) svg.line(x, y, x + width, y + height, thin);
  if (look == CellLook::kDefers) {
    const SvgStyle green{.stroke = "#7fb77f", .stroke_width = 0.5};
    for (int part = 1; part < 4; ++part) {
      svg.line(x + width * part / 4, y, x + width * part / 4, y + height, green);
      svg.line(x, y + height * part / 4, x + width, y + height * part / 4, green);
    }
  }
  if (look == CellLook::kSkipped) {
    const double inset = std::min({width, height, 20.0}) * 0.15;
    svg.rectangle(x + inset, y + inset, width - 2 * inset, height - 2 * inset,
                  {.stroke = "#b8962e", .stroke_width = 1, .dashes = "2 2"});
  }
}

// One view of a picture, its upper left corner at (left, top).
class Panel {
 public:
  Panel(SvgPicture& svg, const CellPicture& picture, const CellBox& box, const View& view,
        double scale, double left, double top)
      : svg_(svg),
        picture_(picture),
        box_(box),
        view_(view),
        scale_(scale),
        left_(left),
        top_(top) {}

  static double size(const CellPicture& picture, const CellBox& box, int axis, double scale) {
    return static_cast<double>(box.count(axis)) * static_cast<double>(picture.widths[axis]) * scale;
  }
  double width() const { return size(picture_, box_, view_.across, scale_); }
  double height() const { return size(picture_, box_, view_.up, scale_); }

  void draw() {
    svg_.beginPart(left_, top_, width(), height());
    drawCells();
    drawGrid(view_.across, true);
    drawGrid(view_.up, false);
    drawNumbers();
    for (const PictureShape& shape : picture_.shapes)
      drawShape(shape);
    drawSegment();
    drawMarks();
    svg_.endPart();
    svg_.text(left_, top_ + height() + 16, captionOf(picture_, box_, view_),
              {.size = 11, .fill = "#666666"});
  }

 private:
  // What lies in one place of the view.
  struct Place {
    CellLook look = CellLook::kBehind;
    std::vector<std::uint64_t> numbers;
  };

  double cellSize(int axis) const { return static_cast<double>(picture_.widths[axis]) * scale_; }
  // The left and upper edge of a cell.
  double leftOf(std::int64_t cell) const {
    return left_ + static_cast<double>(cell - box_.min[view_.across]) * cellSize(view_.across);
  }
  double topOf(std::int64_t cell) const {
    return top_ + static_cast<double>(box_.max[view_.up] - cell) * cellSize(view_.up);
  }
  // A point given as units from the box's smallest corner.
  double x(double units) const { return left_ + units * scale_; }
  double y(double units) const { return top_ + height() - units * scale_; }
  double fromCorner(int axis, std::int64_t units) const {
    return static_cast<double>(units - box_.min[axis] * picture_.widths[axis]);
  }
  // Where the segment is, on an axis, as units from the corner.
  double at(int axis, double t) const {
    const auto delta = static_cast<double>(picture_.segment.to[axis] - picture_.segment.from[axis]);
    return fromCorner(axis, picture_.segment.from[axis]) + t * delta;
  }
  double markX(double t) const { return x(at(view_.across, t)); }
  double markY(double t) const { return y(at(view_.up, t)); }

  std::map<std::pair<std::int64_t, std::int64_t>, Place> places() const {
    std::map<std::pair<std::int64_t, std::int64_t>, Place> places;
    for (const PictureCell& cell : picture_.cells) {
      Place& place = places[{cell.cell[view_.across], cell.cell[view_.up]}];
      place.look = std::max(place.look, cell.look);
      if (cell.number != 0) place.numbers.push_back(cell.number);
    }
    return places;
  }

  void drawCells() {
    for (const auto& [at, place] : places()) {
      drawCell(svg_, leftOf(at.first), topOf(at.second), cellSize(view_.across), cellSize(view_.up),
               place.look);
    }
  }

  void drawNumbers() {
    const double cell = std::min(cellSize(view_.across), cellSize(view_.up));
    for (const auto& [at, place] : places()) {
      if (place.numbers.empty()) continue;
      const std::string text = rangesOf(place.numbers);
      const double fit = cellSize(view_.across) / (0.62 * static_cast<double>(text.size()));
      const double size = std::min({11.0, cell * 0.42, fit});
      svg_.text(leftOf(at.first) + cellSize(view_.across) - 2, topOf(at.second) + size + 1, text,
                {.size = size,
                 .anchor = "end",
                 .fill = place.look == CellLook::kSolid ? "white" : "#555555"});
    }
  }

  void drawGrid(int axis, bool vertical) {
    for (std::int64_t cell = box_.min[axis]; cell <= box_.max[axis] + 1; ++cell) {
      const bool heavy = picture_.heavy != 0 && cell % picture_.heavy == 0;
      const SvgStyle style{.stroke = heavy ? kHeavyColor : kGridColor,
                           .stroke_width = heavy ? 1.2 : 0.5};
      if (vertical) {
        svg_.line(leftOf(cell), top_, leftOf(cell), top_ + height(), style);
      } else {
        svg_.line(left_, topOf(cell - 1), left_ + width(), topOf(cell - 1), style);
      }
    }
  }

  void drawShape(const PictureShape& shape) {
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

  // The part of [0, 1] in which the segment is in the panel; nothing where it is elsewhere.
  std::optional<std::pair<double, double>> visible() const {
    double t0 = 0;
    double t1 = 1;
    for (const int axis : {view_.across, view_.up}) {
      const double size =
          static_cast<double>(box_.count(axis)) * static_cast<double>(picture_.widths[axis]);
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

  void drawPart(double t0, double t1, const SvgStyle& style) {
    if (t0 < t1) svg_.line(markX(t0), markY(t0), markX(t1), markY(t1), style);
  }

  // From a dot to a ring; dashed behind the clip.
  void drawSegment() {
    const auto part = visible();
    if (!part.has_value()) return;
    const auto [t0, t1] = *part;
    drawPart(t0, std::min(t1, picture_.clip), {.stroke = kInkColor, .stroke_width = 1.6});
    drawPart(std::max(t0, picture_.clip), t1,
             {.stroke = "#888888", .stroke_width = 1.2, .dashes = "5 4"});
    if (t0 == 0) svg_.circle(markX(0), markY(0), 3, {.fill = kInkColor});
    if (t1 == 1) {
      svg_.circle(markX(1), markY(1), 3,
                  {.fill = "white", .stroke = kInkColor, .stroke_width = 1.5});
    }
  }

  void drawMarks() {
    for (const PictureMark& mark : picture_.marks) {
      if (mark.kind == PictureMark::Kind::kCorner) {
        svg_.circle(markX(mark.t), markY(mark.t), 3.5, kCornerStyle);
      }
    }
    // What is at one place of the segment has one badge.
    std::map<double, std::string> badges;
    for (const PictureMark& mark : picture_.marks) {
      if (mark.kind == PictureMark::Kind::kCorner) continue;
      std::string& text = badges[mark.t];
      absl::StrAppend(&text, text.empty() ? "" : ",",
                      mark.kind == PictureMark::Kind::kUnknown ? "?" : mark.text);
    }
    for (const auto& [t, text] : badges)
      drawBadge(t, text);
  }

  // Beside the segment, with a line to it.
  void drawBadge(double t, const std::string& text) {
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

  SvgPicture& svg_;
  const CellPicture& picture_;
  CellBox box_;
  View view_;
  double scale_;
  double left_;
  double top_;
};

// A view with its upper left corner, from that of the picture.
struct PlacedView {
  View view;
  double left = 0;
  double top = 0;
};

// A picture with where its panels go.
struct Layout {
  const CellPicture* picture;
  CellBox box;
  std::vector<PlacedView> views{};
  double scale = 1;
  double width = 0;
  double height = 0;
};

// As wide as a caption's text is at most.
double textWidth(const std::string& text) {
  return 6 * static_cast<double>(text.size());
}

Layout layOut(const CellPicture& picture) {
  Layout layout{&picture, boxOf(picture)};
  const std::vector<View> views = viewsOf(picture, layout.box);
  const View& main = views.front();
  double longest = 0;
  double widest = 0;
  for (const int axis : {main.across, main.up}) {
    const auto width = static_cast<double>(picture.widths[axis]);
    longest = std::max(longest, static_cast<double>(layout.box.count(axis)) * width);
    widest = std::max(widest, width);
  }
  layout.scale = std::min(kPanelSize / longest, kLargestCell / widest);
  PlacedView next{main, 0, kTitleHeight};
  for (const View& view : views) {
    next.view = view;
    layout.views.push_back(next);
    const double width = std::max(Panel::size(picture, layout.box, view.across, layout.scale),
                                  textWidth(captionOf(picture, layout.box, view)));
    const double height = Panel::size(picture, layout.box, view.up, layout.scale) + kCaptionHeight;
    layout.width = std::max(layout.width, next.left + width + kMargin);
    layout.height = std::max(layout.height, next.top + height);
    // What shares the upward axis goes to the right, what shares the other one below.
    if (views.back().up == main.up) {
      next.left += width + kMargin;
    } else {
      next.top += height;
    }
  }
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

void drawPicture(SvgPicture& svg, const Layout& layout, double top) {
  svg.text(kMargin, top + 16, layout.picture->title, {.size = 14, .bold = true});
  svg.text(kMargin, top + 34, layout.picture->caption);
  for (const PlacedView& placed : layout.views) {
    Panel(svg, *layout.picture, layout.box, placed.view, layout.scale, kMargin + placed.left,
          top + placed.top)
        .draw();
  }
}

// What has to be explained: looks, unless all cells are plain, and corner crossings.
struct Legend {
  std::set<CellLook> looks{};
  bool has_corners = false;

  void add(const CellPicture& picture) {
    for (const PictureCell& cell : picture.cells)
      looks.insert(cell.look);
    for (const PictureMark& mark : picture.marks)
      has_corners = has_corners || mark.kind == PictureMark::Kind::kCorner;
  }
  bool hasLooks() const { return looks != std::set{CellLook::kPlain}; }
  std::size_t size() const { return (hasLooks() ? looks.size() : 0) + (has_corners ? 1 : 0); }
};

void drawLegend(SvgPicture& svg, const Legend& legend, std::size_t columns, double top) {
  std::size_t place = 0;
  // The upper left corner of the next sample, whose text is drawn.
  const auto next = [&](std::string_view text) {
    const double x = kMargin + static_cast<double>(place % columns) * kLegendStep;
    const std::size_t row = place / columns;
    const double y = top + static_cast<double>(row) * kLineHeight;
    ++place;
    svg.text(x + 19, y + 11, text);
    return std::pair(x, y);
  };
  for (const CellLook look : legend.looks) {
    if (!legend.hasLooks()) break;
    const auto [x, y] = next(styleOf(look).text);
    drawCell(svg, x, y, 13, 13, look);
    svg.rectangle(x, y, 13, 13, {.stroke = kGridColor, .stroke_width = 0.5});
  }
  if (!legend.has_corners) return;
  const auto [x, y] = next("an exact corner crossing");
  svg.circle(x + 6.5, y + 6.5, 3.5, kCornerStyle);
}

}  // namespace

absl::Status checkDrawnCells(std::int64_t cells) {
  if (cells <= kMaxDrawnCells) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("the picture would be ", cells, " cells across; at most ", kMaxDrawnCells,
                   " are drawn; make the segment shorter or its cells wider"));
}

absl::StatusOr<std::string> drawCellPictures(const std::string& title,
                                             const std::vector<CellPicture>& pictures,
                                             const std::vector<std::string>& lines) {
  std::vector<Layout> layouts;
  Legend legend;
  double width = kLeastWidth;
  double height = kMargin;
  for (const CellPicture& picture : pictures) {
    if (picture.cells.empty()) continue;
    const Layout& layout = layouts.emplace_back(layOut(picture));
    absl::Status status = checkSize(layout);
    if (!status.ok()) return status;
    width = std::max(width, kMargin + layout.width);
    height += layout.height;
    legend.add(picture);
  }
  const auto columns = static_cast<std::size_t>((width - kMargin) / kLegendStep);
  const std::size_t legend_rows = (legend.size() + columns - 1) / columns;
  const double text_height = static_cast<double>(legend_rows + lines.size()) * kLineHeight;
  SvgPicture svg(width, height + text_height + kMargin, title);
  double top = kMargin / 2;
  for (const Layout& layout : layouts) {
    drawPicture(svg, layout, top);
    top += layout.height;
  }
  for (const std::string& line : lines) {
    svg.text(kMargin, top + 12, line);
    top += kLineHeight;
  }
  drawLegend(svg, legend, columns, top + 6);
  return svg.finish();
}

}  // namespace fractalray
