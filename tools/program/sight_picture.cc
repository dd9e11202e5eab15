// SPDX-License-Identifier: Apache-2.0
#include "sight_picture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

#include "../../query/fields.h"
#include "eye_view.h"
#include "palette.h"
#include "polygon.h"
#include "seen_blocks.h"
#include "sight_text.h"
#include "svg.h"
#include "text_table.h"

namespace fractalray {
namespace {

// In pixels.
constexpr double kPanelWidth = 640;
constexpr double kPanelHeight = 440;
constexpr double kMargin = 24;
constexpr double kLeft = 72;  // of the panel, with its axis
constexpr double kTop = 66;
constexpr double kAxisHeight = 40;
constexpr double kLineHeight = 24;
constexpr double kWidth = kLeft + kPanelWidth + kMargin;

// The least space around the box, as a part of its longer side.
constexpr double kSurroundings = 0.4;
// The most boxes of a certificate that the picture draws.
constexpr std::size_t kMaxDrawnBoxes = 8;

constexpr std::string_view kSky = "#eef4fb";
constexpr std::string_view kTarget = "#1f5fbf";
constexpr std::string_view kShadow = "#c01818";
constexpr std::string_view kWitness = "#0a8a2a";
constexpr std::string_view kUnloaded = "#b9a7d6";
constexpr std::string_view kGiven = "#8a8a8a";
constexpr std::string_view kFrame = "#606060";

constexpr SvgStyle kTargetStyle{.fill = kTarget, .stroke = kTarget, .opacity = 0.25};
constexpr SvgStyle kShadowStyle{
    .fill = kShadow, .stroke = kShadow, .stroke_width = 2, .dashes = "6 3", .opacity = 0.22};

// Returns the colour of a face: those along the plane are the lightest, those above and below less
// so.
std::string shaded(Rgb color, int axis, const EyeView& view) {
  const double light = axis == view.axis() ? 1 : axis == view.upAxis() ? 0.86 : 0.72;
  const auto part = [&](std::uint8_t channel) {
    return static_cast<int>(std::lround(light * channel));
  };
  return absl::StrFormat("#%02x%02x%02x", part(color.red), part(color.green), part(color.blue));
}

// Returns the first of 1, 2, 5, 10 ... (or 0.5, 0.2 ...) that divides a length into at most 8.
double tickStep(double length) {
  double step = 1;
  while (step * 8 > length * 10)
    step /= 10;
  while (step * 8 < length)
    step *= 10;
  if (step / 5 * 8 >= length) return step / 5;
  return step / 2 * 8 >= length ? step / 2 : step;
}

class SightPicture {
 public:
  SightPicture(const SightReport& report, TypeNamer name)
      : report_(report), name_(name), view_(report.query) {
    const PlaneWindow around = windowAround(view_.outlineOf(report.query.box));
    const Vec2d size = around.max - around.min;
    const double space = 2 * kSurroundings * std::max(size[0], size[1]);
    scale_ = std::min(kPanelWidth / (size[0] + space), kPanelHeight / (size[1] + space));
    const Vec2d center = (around.min + around.max) / 2;
    const Vec2d half = Vec2d{kPanelWidth, kPanelHeight} / (2 * scale_);
    window_ = {center - half, center + half};
  }

  absl::StatusOr<std::string> draw(const World& world, const EntityIndex& entities) {
    const absl::StatusOr<SeenBlocks> seen =
        findSeenBlocks(world, entities, report_, view_, window_);
    if (!seen.ok()) return seen.status();
    const std::size_t drawn = std::min(report_.hiding.size(), kMaxDrawnBoxes);
    const auto lines = static_cast<double>(drawn + 2 + (seen->unloaded.empty() ? 0 : 1));
    SvgPicture svg(kWidth, kTop + kPanelHeight + kAxisHeight + lines * kLineHeight + kMargin,
                   "The view of an eye");
    drawTitle(svg);
    svg.rectangle(kLeft, kTop, kPanelWidth, kPanelHeight, {.fill = kSky});
    drawBlocks(svg, *seen, false);
    drawUnloaded(svg, *seen);
    svg.polygon(wholeOnPicture(view_.outlineOf(report_.query.box)), kTargetStyle);
    drawBlocks(svg, *seen, true);
    drawGiven(svg);
    std::vector<std::optional<Vec2d>> badges;
    for (std::size_t i = 0; i < drawn; ++i)
      badges.push_back(drawShadow(svg, i));
    drawTarget(svg);
    for (std::size_t i = 0; i < drawn; ++i) {
      if (badges[i].has_value()) drawBadge(svg, *badges[i], i);
    }
    drawLine(svg);
    svg.rectangle(kLeft, kTop, kPanelWidth, kPanelHeight, {.stroke = kFrame});
    drawAxes(svg);
    drawLegend(svg, drawn, !seen->unloaded.empty());
    return svg.finish();
  }

 private:
  // Returns a point of the plane in pixels.
  Vec2d onPicture(const Vec2d& point) const {
    return {kLeft + (point[0] - window_.min[0]) * scale_,
            kTop + (window_.max[1] - point[1]) * scale_};
  }
  // Return a polygon likewise, which may be a line; and its part in the window.
  Polygon wholeOnPicture(Polygon polygon) const {
    for (Vec2d& point : polygon)
      point = onPicture(point);
    return polygon;
  }
  Polygon onPicture(const Polygon& polygon) const {
    return wholeOnPicture(clipped(polygon, window_));
  }

  void drawTitle(SvgPicture& svg) const {
    const Sight sight = report_.answer.sight;
    std::string share;
    if (report_.exposure.has_value() && sight != Sight::kHidden) {
      const double from = sight == Sight::kVisible ? report_.exposure->from : report_.exposure->to;
      share = absl::StrCat(sight == Sight::kVisible ? ": " : ": at most ",
                           formatShare(from, report_.exposure->to), " of the box");
    }
    std::string word(wordOf(sight));
    word.front() = sight == Sight::kVisible ? 'V' : sight == Sight::kHidden ? 'H' : 'U';
    if (!report_.hiding.empty()) {
      share = absl::StrCat(" by ", report_.hiding.size(),
                           report_.hiding.size() == 1 ? " box" : " boxes");
    }
    svg.text(kMargin, 28, word + share, {.size = 16, .bold = true});
    svg.text(kMargin, 50,
             absl::StrCat("The view of the eye at ", formatPoint(toBlocks(report_.query.eye), 5),
                          ", in perspective onto the plane ", std::string(1, "xyz"[view_.axis()]),
                          " = ", formatNumber(toBlocks(view_.plane()), 5)));
  }

  void drawFaces(SvgPicture& svg, const FixedBox& box, Rgb color) const {
    for (const EyeView::SeenFace& face : view_.facesOf(box)) {
      const Polygon outline = onPicture(face.outline);
      if (outline.empty()) continue;
      svg.polygon(
          outline,
          {.fill = shaded(color, face.axis, view_), .stroke = "#ffffff", .stroke_width = 0.5});
    }
  }

  void drawBlocks(SvgPicture& svg, const SeenBlocks& seen, bool before) const {
    for (const SeenBox& each : seen.boxes) {
      if (each.is_before == before) drawFaces(svg, each.box, colorOfName(name_(each.type)));
    }
  }

  void drawUnloaded(SvgPicture& svg, const SeenBlocks& seen) const {
    for (const PlaneWindow& part : seen.unloaded) {
      const Vec2d corner = onPicture(Vec2d{part.min[0], part.max[1]});
      const Vec2d size = (part.max - part.min) * scale_;
      svg.rectangle(corner[0], corner[1], size[0], size[1], {.fill = kUnloaded, .opacity = 0.5});
    }
  }

  // Draws the occluders that the query names, as far as they are before the target.
  void drawGiven(SvgPicture& svg) const {
    for (const FixedBox& occluder : report_.options.occluders) {
      for (const FixedBox& part : view_.partsBefore(occluder)) {
        const Polygon outline = onPicture(view_.outlineOf(part));
        if (!outline.empty())
          svg.polygon(outline, {.fill = kGiven, .stroke = kFrame, .opacity = 0.6});
      }
    }
  }

  // Draws the edges of the target, also those that are hidden.
  void drawTarget(SvgPicture& svg) const {
    const FixedBox& box = report_.query.box;
    FixedBox far_face = box;
    FixedBox near_face = box;
    far_face.min[view_.axis()] = far_face.max[view_.axis()] = farPlane();
    near_face.min[view_.axis()] = near_face.max[view_.axis()] = view_.plane();
    for (const auto& [face, style] :
         {std::pair{far_face, SvgStyle{.stroke = kTarget, .dashes = "3 3"}},
          std::pair{near_face, SvgStyle{.stroke = kTarget, .stroke_width = 2}},
          std::pair{box, SvgStyle{.stroke = kTarget, .stroke_width = 2}}}) {
      svg.polygon(wholeOnPicture(view_.outlineOf(face)), style);
    }
  }

  std::int64_t farPlane() const {
    const FixedBox& box = report_.query.box;
    const int axis = view_.axis();
    return view_.plane() == box.min[axis] ? box.max[axis] : box.min[axis];
  }

  // Returns the middle of its largest part on the target, for its number.
  std::optional<Vec2d> drawShadow(SvgPicture& svg, std::size_t index) const {
    std::optional<Vec2d> label;
    double largest = 0;
    const PlaneWindow target = windowAround(view_.outlineOf(report_.query.box));
    for (const FixedBox& part : view_.partsBefore(report_.hiding[index].box)) {
      const Polygon outline = view_.outlineOf(part);
      const Polygon drawn = onPicture(outline);
      if (drawn.empty()) continue;
      svg.polygon(drawn, kShadowStyle);
      const Polygon on_target = clipped(outline, target);
      if (on_target.empty() || areaOf(on_target) <= largest) continue;
      largest = areaOf(on_target);
      label = onPicture(centerOf(on_target));
    }
    return label;
  }

  static void drawBadge(SvgPicture& svg, const Vec2d& at, std::size_t index) {
    svg.circle(at[0], at[1], 9, {.fill = "white", .stroke = kShadow, .stroke_width = 2});
    svg.text(at[0], at[1] + 4.5, absl::StrCat(index + 1),
             {.size = 12, .anchor = "middle", .bold = true, .fill = kShadow});
  }

  // Draws the point in which the line of the report enters the target.
  void drawLine(SvgPicture& svg) const {
    if (!report_.line.has_value()) return;
    const Vec2d at = onPicture(view_.project(report_.line->entry - toBlocks(report_.query.eye)));
    drawWitness(svg, at);
  }
  void drawWitness(SvgPicture& svg, const Vec2d& at) const {
    const bool is_seen = report_.answer.sight == Sight::kVisible;
    svg.circle(at[0], at[1], 7, {.fill = "white", .stroke = kWitness, .stroke_width = 2});
    if (is_seen) svg.circle(at[0], at[1], 3.5, {.fill = kWitness});
  }

  void drawAxes(SvgPicture& svg) const {
    drawAxis(svg, view_.acrossAxis(), 0, view_.rightwards());
    drawAxis(svg, view_.upAxis(), 1, 1);
  }

  // Draws ticks with coordinates on the lower or the left side.
  void drawAxis(SvgPicture& svg, int axis, int side, int sign) const {
    const double eye = toBlocks(report_.query.eye[axis]);
    const double from = eye + sign * window_.min[side];
    const double to = eye + sign * window_.max[side];
    const double low = std::min(from, to);
    const double high = std::max(from, to);
    const double step = tickStep(high - low);
    const auto first = static_cast<std::int64_t>(std::ceil(low / step));
    const auto last = static_cast<std::int64_t>(std::floor(high / step));
    for (std::int64_t i = first; i <= last; ++i) {
      const double tick = static_cast<double>(i) * step;
      Vec2d point = window_.min;
      point[side] = sign * (tick - eye);
      const Vec2d at = onPicture(point);
      const std::string text = formatNumber(tick, 5);
      if (side == 0) {
        svg.line(at[0], at[1], at[0], at[1] + 5, {.stroke = kFrame});
        svg.text(at[0], at[1] + 18, text, {.size = 11, .anchor = "middle"});
      } else {
        svg.line(at[0] - 5, at[1], at[0], at[1], {.stroke = kFrame});
        svg.text(at[0] - 8, at[1] + 4, text, {.size = 11, .anchor = "end"});
      }
    }
    const std::string name(1, "xyz"[axis]);
    if (side == 0) {
      svg.text(kLeft + kPanelWidth / 2, kTop + kPanelHeight + 34, name,
               {.anchor = "middle", .bold = true});
    } else {
      svg.text(kMargin, kTop + kPanelHeight / 2, name, {.bold = true});
    }
  }

  void drawLegend(SvgPicture& svg, std::size_t drawn, bool has_unloaded) const {
    double top = kTop + kPanelHeight + kAxisHeight;
    // Returns the middle of the next sample, after drawing its text.
    const auto next = [&](const std::string& text) {
      const Vec2d at{kMargin + 12, top + kLineHeight / 2};
      svg.text(kMargin + 34, at[1] + 4.5, text);
      top += kLineHeight;
      return at;
    };
    const auto box = [&](const Vec2d& at, const SvgStyle& style) {
      svg.rectangle(at[0] - 9, at[1] - 6, 18, 12, style);
    };
    box(next(absl::StrCat("the box from ", formatPoint(toBlocks(report_.query.box.min), 5), " to ",
                          formatPoint(toBlocks(report_.query.box.max), 5))),
        kTargetStyle);
    if (has_unloaded) {
      box(next("space that is not loaded begins before anything is hit"),
          {.fill = kUnloaded, .opacity = 0.5});
    }
    for (std::size_t i = 0; i < drawn; ++i)
      drawBadge(svg, next(boxText(report_.hiding[i])), i);
    if (report_.hiding.size() > drawn) {
      next(absl::StrCat("and ", report_.hiding.size() - drawn, " more boxes"));
    }
    if (report_.line.has_value()) {
      const Vec2d at =
          next(absl::StrCat(report_.answer.sight == Sight::kVisible ? "a line that sees it"
                                                                    : "a line that would see it",
                            " enters it at ", formatPoint(report_.line->entry, 5)));
      drawWitness(svg, at);
    }
  }

  std::string boxText(const HidingBox& hiding) const {
    std::string text =
        absl::StrCat("shadow of ", formatPoint(toBlocks(hiding.box.min), 5), " to ",
                     formatPoint(toBlocks(hiding.box.max), 5), ": ", formatContent(hiding, name_));
    if (hiding.covers_from.has_value() && hiding.covers_to.has_value()) {
      absl::StrAppend(&text, ", covers ", formatShare(*hiding.covers_from, *hiding.covers_to));
    }
    return text;
  }

  const SightReport& report_;
  TypeNamer name_;
  EyeView view_;
  PlaneWindow window_{};
  double scale_ = 1;  // pixels per block of the plane
};

// Returns true if the eye is in the closed box, where there is no view of it.
bool isInBox(const SightQuery& query) {
  bool all = true;
  for (int axis = 0; axis < 3; ++axis) {
    all = all && query.box.min[axis] <= query.eye[axis] && query.eye[axis] <= query.box.max[axis];
  }
  return all;
}

}  // namespace

absl::StatusOr<std::string> drawSight(const World& world, const EntityIndex& entities,
                                      const SightReport& report, TypeNamer name) {
  if (!isInBox(report.query)) return SightPicture(report, name).draw(world, entities);
  SvgPicture svg(kWidth, 64, "The view of an eye");
  svg.text(kMargin, 38, "Visible: the eye is in the box", {.size = 16, .bold = true});
  return svg.finish();
}

}  // namespace fractalray
