// SPDX-License-Identifier: Apache-2.0
// Text in pictures: letters of 5 x 7 dots.
#pragma once

#include <string_view>

#include "fractalray/formats/image.h"

namespace fractalray {

// Writes text in capitals with its top left corner at (x, y), with dots `dot` pixels wide and a
// dark rim, so that it can be read on any ground. Parts outside of the picture are cut off. Knows
// letters, digits, spaces and . , : - / ( ) +, and leaves a gap for other characters. Requires: dot
// >= 1.
void drawText(Image& image, int x, int y, int dot, std::string_view text, Rgb color);

// Returns the width of text in pixels, and the height of a line.
int textWidth(int dot, std::string_view text);
int textHeight(int dot);

}  // namespace fractalray
