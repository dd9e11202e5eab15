// SPDX-License-Identifier: Apache-2.0
#include "svg.h"

#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"

namespace fractalray {
namespace {

// Formats with two decimals and no trailing zeros, from integers, so that the text is the same on
// every machine and in every locale.
std::string number(double value) {
  const auto hundredths = static_cast<std::int64_t>(std::llround(value * 100));
  const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
  std::string text = absl::StrCat(hundredths < 0 ? "-" : "", size / 100);
  if (size % 100 != 0) absl::StrAppend(&text, ".", size / 10 % 10);
  if (size % 10 != 0) absl::StrAppend(&text, size % 10);
  return text;
}

// Makes it one line: XML documents may not contain control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text, kMaxMessageBytes)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

SvgPicture::SvgPicture(double width, double height, std::string_view title) {
  body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  attribute("width", width);
  attribute("height", height);
  attribute("viewBox", absl::StrCat("0 0 ", number(width), " ", number(height)));
  absl::StrAppend(&body_, " font-family=\"Helvetica, Arial, sans-serif\">\n<title>", escaped(title),
                  "</title>\n");
  rectangle(0, 0, width, height, {.fill = "white"});
}

void SvgPicture::attribute(std::string_view name, double value) {
  attribute(name, number(value));
}
void SvgPicture::attribute(std::string_view name, std::string_view value) {
  body_ += ' ';
  body_ += name;
  absl::StrAppend(&body_, "=\"", escaped(value), "\"");
}

void SvgPicture::endElement(const SvgStyle& style) {
  attribute("fill", style.fill);
  if (style.opacity != 1) attribute("fill-opacity", style.opacity);
  if (style.stroke != "none") {
    attribute("stroke", style.stroke);
    attribute("stroke-width", style.stroke_width);
  }
  if (!style.dashes.empty()) attribute("stroke-dasharray", style.dashes);
  body_ += "/>\n";
}

void SvgPicture::beginPart(double x, double y, double width, double height) {
  body_ += "<svg";
  attribute("x", x);
  attribute("y", y);
  attribute("width", width);
  attribute("height", height);
  attribute("viewBox",
            absl::StrCat(number(x), " ", number(y), " ", number(width), " ", number(height)));
  body_ += ">\n";
}

void SvgPicture::rectangle(double x, double y, double width, double height, const SvgStyle& style) {
  body_ += "<rect";
  attribute("x", x);
  attribute("y", y);
  attribute("width", width);
  attribute("height", height);
  endElement(style);
}

void SvgPicture::line(double x1, double y1, double x2, double y2, const SvgStyle& style) {
  body_ += "<line";
  attribute("x1", x1);
  attribute("y1", y1);
  attribute("x2", x2);
  attribute("y2", y2);
  endElement(style);
}

void SvgPicture::circle(double x, double y, double radius, const SvgStyle& style) {
  body_ += "<circle";
  attribute("cx", x);
  attribute("cy", y);
  attribute("r", radius);
  endElement(style);
}

void SvgPicture::polygon(std::span<const Vec2d> corners, const SvgStyle& style) {
  std::string points;
  for (const Vec2d& corner : corners)
    absl::StrAppend(&points, points.empty() ? "" : " ", number(corner[0]), ",", number(corner[1]));
  body_ += "<polygon";
  attribute("points", points);
  endElement(style);
}

void SvgPicture::text(double x, double y, std::string_view text, const SvgTextStyle& style) {
  body_ += "<text";
  attribute("x", x);
  attribute("y", y);
  attribute("font-size", style.size);
  if (style.anchor != "start") attribute("text-anchor", style.anchor);
  if (style.bold) attribute("font-weight", "bold");
  attribute("fill", style.fill);
  if (!style.halo.empty()) {
    attribute("stroke", style.halo);
    attribute("stroke-width", 3);
    attribute("paint-order", "stroke");
  }
  absl::StrAppend(&body_, ">", escaped(text), "</text>\n");
}

}  // namespace fractalray
