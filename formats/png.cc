// SPDX-License-Identifier: Apache-2.0
#include "fractalray/formats/png.h"

#include <png.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace fractalray {

absl::StatusOr<std::string> encodePng(const Image& image) {
  // The simplified interface of libpng: no jumps, no callbacks.
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  static_assert(sizeof(Rgb) == 3, "rows are handed to libpng as they are");

  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr) ==
      0) {
    return absl::InternalError(absl::StrCat("libpng: ", header.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace fractalray
