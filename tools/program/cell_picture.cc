// SPDX-License-Identifier: Apache-2.0
#include "cell_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

#include "cell_panel.h"
#include "svg.h"

namespace fractalray {
namespace {

// In pixels.
constexpr double kPanelSize = 640;  // of a panel's longer side, at most
constexpr double kLargestCell = 40;
constexpr double kMargin = 24;
constexpr double kTitleHeight = 46;
constexpr double kLineHeight = 18;
constexpr double kLegendStep = 210;
constexpr double kLeastWidth = 700;

constexpr std::string_view kSampleFrame = "#d0d0d0";

// Returns two axes as a view: y points up, else the later axis.
PanelView viewOf(int a, int b) {
  const int low = std::min(a, b);
  const int high = std::max(a, b);
  return low == 1 ? PanelView{high, low} : PanelView{low, high};
}

// Returns the views that a picture needs.
std::vector<PanelView> viewsOf(const CellPicture& picture, const CellBox& box) {
  if (picture.dimensions == 2) return {{0, 1}};
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

// A view, and the position of its upper left corner in the picture.
struct PlacedView {
  PanelView view;
  double left = 0;
  double top = 0;
};

// A picture, and the positions of its panels.
struct Layout {
  const CellPicture* picture;
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

Layout layOut(const CellPicture& picture) {
  Layout layout{&picture, boxOf(picture)};
  const std::vector<PanelView> views = viewsOf(picture, layout.box);
  const PanelView& main = views.front();
  double longest = 0;
  double widest = 0;
  for (const int axis : {main.across, main.up}) {
    const auto width = static_cast<double>(picture.widths[axis]);
    longest = std::max(longest, static_cast<double>(layout.box.count(axis)) * width);
    widest = std::max(widest, width);
  }
  layout.scale = std::min(kPanelSize / longest, kLargestCell / widest);
  PlacedView next{main, CellPanel::axisWidth(layout.box, main), kTitleHeight};
  for (const PanelView& view : views) {
    next.view = view;
    layout.views.push_back(next);
    const double width = std::max(CellPanel::size(picture, layout.box, view.across, layout.scale),
                                  textWidth(captionOf(picture, layout.box, view)));
    const double height = CellPanel::size(picture, layout.box, view.up, layout.scale) +
                          CellPanel::kAxisHeight + CellPanel::kCaptionHeight;
    layout.width = std::max(layout.width, next.left + width + kMargin);
    layout.height = std::max(layout.height, next.top + height);
    // The view that shares the upward axis goes to the right, the other one below.
    if (views.back().up == main.up) {
      next.left += width + kMargin + CellPanel::axisWidth(layout.box, views.back());
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
    CellPanel(svg, *layout.picture, layout.box, placed.view, layout.scale, kMargin + placed.left,
              top + placed.top)
        .draw();
  }
}

// The entries of the legend: looks, unless all cells are plain, and corner crossings.
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
  std::size_t entry = 0;
  // Returns the upper left corner of the next sample, after drawing its text.
  const auto next = [&](std::string_view text) {
    const double x = kMargin + static_cast<double>(entry % columns) * kLegendStep;
    const std::size_t row = entry / columns;
    const double y = top + static_cast<double>(row) * kLineHeight;
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
