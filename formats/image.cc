// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <png.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#include "internal/out_of_memory.h"

namespace fractalray {

namespace {

// Matches libpng's words for exhausted memory, its own and zlib's, whether or not they begin the
// message: libpng has no codes for its errors.
bool isOutOfMemory(absl::string_view message) {
  return absl::StrContains(message, "ut of memory") ||
         absl::StrContains(message, "nsufficient memory");
}

absl::StatusOr<std::string> encode(const Image& image) {
  // Uses the simplified interface of libpng: no jumps, no callbacks.
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
    const std::string error = absl::StrCat("libpng: ", header.message);
    return isOutOfMemory(header.message) ? absl::ResourceExhaustedError(error)
                                         : absl::InternalError(error);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> encodePng(const Image& image) {
  return internal::catchBadAlloc("the picture", [&] { return encode(image); });
}

}  // namespace fractalray
