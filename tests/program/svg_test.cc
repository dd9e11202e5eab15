// SPDX-License-Identifier: Apache-2.0
// SVG text: numbers, escapes and styles.
#include "../../tools/program/svg.h"

#include <vector>

#include "gtest/gtest.h"

namespace fractalray {
namespace {

constexpr std::string_view kHead =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20.5\" viewBox=\"0 0 10 "
    "20.5\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>a &lt; b</title>\n"
    "<rect x=\"0\" y=\"0\" width=\"10\" height=\"20.5\" fill=\"white\"/>\n";

TEST(SvgTest, IsADocumentWithATitle) {
  EXPECT_EQ(SvgPicture(10, 20.5, "a < b").finish(), std::string(kHead) + "</svg>\n");
}

TEST(SvgTest, WritesNumbersWithUpToTwoDecimals) {
  SvgPicture picture(10, 20.5, "a < b");
  picture.line(1, -0.5, 1.0 / 3, -2.345, {.stroke = "red"});
  picture.circle(0.004, -0.004, 123456.789, {.fill = "blue"});
  EXPECT_EQ(picture.finish(),
            std::string(kHead) +
                "<line x1=\"1\" y1=\"-0.5\" x2=\"0.33\" y2=\"-2.35\" fill=\"none\" "
                "stroke=\"red\" stroke-width=\"1\"/>\n"
                "<circle cx=\"0\" cy=\"0\" r=\"123456.79\" fill=\"blue\"/>\n</svg>\n");
}

TEST(SvgTest, WritesTextAndStyles) {
  SvgPicture picture(10, 20.5, "a < b");
  picture.text(1, 2, "R&D \"x\" > y", {.size = 9, .anchor = "middle", .bold = true});
  picture.rectangle(1, 2, 3, 4.05, {.stroke = "red", .stroke_width = 0.5, .dashes = "4 2"});
  EXPECT_EQ(picture.finish(),
            std::string(kHead) +
                "<text x=\"1\" y=\"2\" font-size=\"9\" text-anchor=\"middle\" "
                "font-weight=\"bold\" fill=\"#333333\">R&amp;D &quot;x&quot; &gt; y</text>\n"
                "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4.05\" fill=\"none\" stroke=\"red\" "
                "stroke-width=\"0.5\" stroke-dasharray=\"4 2\"/>\n</svg>\n");
}

TEST(SvgTest, WritesPolygons) {
  SvgPicture picture(10, 20.5, "a < b");
  const std::vector<Vec2d> corners = {{1, 2}, {3.5, 2}, {1.0 / 3, 4}};
  picture.polygon(corners, {.fill = "red", .opacity = 0.25});
  EXPECT_EQ(picture.finish(), std::string(kHead) +
                                  "<polygon points=\"1,2 3.5,2 0.33,4\" fill=\"red\" "
                                  "fill-opacity=\"0.25\"/>\n</svg>\n");
}

TEST(SvgTest, AHaloIsDrawnBelowTheLetters) {
  SvgPicture picture(10, 20.5, "a < b");
  picture.text(1, 2, "7", {.size = 9, .halo = "white"});
  EXPECT_EQ(picture.finish(),
            std::string(kHead) +
                "<text x=\"1\" y=\"2\" font-size=\"9\" fill=\"#333333\" stroke=\"white\" "
                "stroke-width=\"3\" paint-order=\"stroke\">7</text>\n</svg>\n");
}

TEST(SvgTest, APartCutsWhatIsDrawnInIt) {
  SvgPicture picture(10, 20.5, "a < b");
  picture.beginPart(1, 2.5, 3, 4);
  picture.circle(2, 3, 50, {.fill = "blue"});
  picture.endPart();
  EXPECT_EQ(picture.finish(),
            std::string(kHead) +
                "<svg x=\"1\" y=\"2.5\" width=\"3\" height=\"4\" viewBox=\"1 2.5 3 4\">\n"
                "<circle cx=\"2\" cy=\"3\" r=\"50\" fill=\"blue\"/>\n</svg>\n</svg>\n");
}

}  // namespace
}  // namespace fractalray
