// SPDX-License-Identifier: Apache-2.0
#include "picture_size.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "arguments.h"

namespace fractalray {

absl::Status readPictureSize(const std::string& text, std::string_view option,
                             PictureOptions& options) {
  const std::size_t by = text.find('x');
  if (by != std::string::npos) {
    const auto width = parseNumbers(text.substr(0, by), option, 1, 1);
    const auto height = parseNumbers(text.substr(by + 1), option, 1, 1);
    const auto is_side = [](const absl::StatusOr<std::vector<double>>& side) {
      return side.ok() && side->front() >= 1 && side->front() <= 16384 &&
             side->front() == static_cast<int>(side->front());
    };
    if (is_side(width) && is_side(height)) {
      options.width = static_cast<int>(width->front());
      options.height = static_cast<int>(height->front());
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(option), ": ", quotedText(text),
                   " is not a size; write width x height in pixels, up to 16384, like 960x540"));
}

}  // namespace fractalray
