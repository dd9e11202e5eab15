// SPDX-License-Identifier: Apache-2.0
// SVG pictures as text: the same bytes for the same picture on every machine.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "../../core/vec.h"

namespace fractalray {

// The style of an element; empty and zero members are left to SVG's defaults.
struct SvgStyle {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double stroke_width = 1;
  std::string_view dashes = {};  // as in stroke-dasharray
  double opacity = 1;            // of the fill
};

struct SvgTextStyle {
  double size = 12;
  std::string_view anchor = "start";  // or middle, end
  bool bold = false;
  std::string_view fill = "#333333";
  std::string_view halo = {};  // a colour around the letters; empty for none
};

// A picture on white, drawn from back to front. Coordinates are pixels, y downwards, written with
// two decimals.
class SvgPicture {
 public:
  // `title` is what screen readers and tooltips show.
  SvgPicture(double width, double height, std::string_view title);

  void rectangle(double x, double y, double width, double height, const SvgStyle& style);
  void line(double x1, double y1, double x2, double y2, const SvgStyle& style);
  void circle(double x, double y, double radius, const SvgStyle& style);
  void polygon(std::span<const Vec2d> corners, const SvgStyle& style);
  void text(double x, double y, std::string_view text, const SvgTextStyle& style = {});

  // Clips what is drawn between the two calls to this rectangle. Parts do not overlap.
  void beginPart(double x, double y, double width, double height);
  void endPart() { body_ += "</svg>\n"; }

  // Returns the whole document.
  std::string finish() const { return body_ + "</svg>\n"; }

 private:
  void attribute(std::string_view name, double value);
  void attribute(std::string_view name, std::string_view value);
  void endElement(const SvgStyle& style);

  std::string body_;
};

}  // namespace fractalray
