// SPDX-License-Identifier: Apache-2.0
// Pictures, and PNG files of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/check.h"

namespace fractalray {

// A colour as eight bits of red, green and blue, in sRGB.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  friend bool operator==(const Rgb&, const Rgb&) = default;
};

// A picture, row by row from the top left.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<Rgb> pixels;

  // Makes a black picture. Requires: width and height above 0.
  Image(int image_width, int image_height)
      : width(image_width),
        height(image_height),
        pixels(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height)) {
    FRACTALRAY_DCHECK(image_width > 0 && image_height > 0, image_width, image_height);
  }

  // Requires: 0 <= x < width, 0 <= y < height.
  Rgb& at(int x, int y) {
    FRACTALRAY_DCHECK(x >= 0 && x < width && y >= 0 && y < height, x, y);
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  const Rgb& at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
};

// Returns the bytes of a PNG file of the picture, by libpng; the same for the same picture and
// libpng. Errors: RESOURCE_EXHAUSTED if memory runs out, INTERNAL with libpng's words if libpng
// refuses.
absl::StatusOr<std::string> encodePng(const Image& image);

}  // namespace fractalray
